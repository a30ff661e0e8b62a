"""The room's player: sensible, and by its view only."""

import pytest
from msgspec.structs import replace

from games.trailblaze.test_rules import KEEP2, play, table, with_board
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import Span
from spieltisch.decks.library import Library
from spieltisch.dice import FastDice, throw
from spieltisch.game import aliased, see
from spieltisch.games.trailblaze import bot, rules
from spieltisch.games.trailblaze.beliefs import Beliefs
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.bot import Bot
from spieltisch.games.trailblaze.state import Belief, Bonus, Keep, Place, Replace, Swap, TakeBonus

BOT, BELIEFS = Bot(), Beliefs()
SURE = [Belief(year, 1.0) for year in (1700, 1850, 1915, 1945, 1975, 2010, 2010)]
VAGUE = Belief(1930, 80.0)


def chosen(state, beliefs):
    (seat,) = rules.to_act(state.public)
    view = see(state, seat)
    return BOT.choose(view, rules.legal(view), FastDice(1), tuple(beliefs))


def test_it_places_where_it_believes_the_card_to_be():
    state = play(table(range(7)), *KEEP2)
    assert chosen(state, SURE).column == 0
    assert chosen(state, SURE[::-1]).column == 5


def test_it_places_jokers_in_the_future():
    assert chosen(play(table([6, 0, 1]), *KEEP2), SURE).column == 6


def test_it_takes_the_row_that_counts_most():
    state = with_board(play(table(range(7)), *KEEP2), round=4)
    assert chosen(state, SURE) == Place(1, 4, 0)


def test_it_swaps_when_it_knows_the_middle_card_better():
    state = table(range(3))
    assert chosen(state, [VAGUE, VAGUE, SURE[2]]) == Swap()
    state = play(state, Swap())  # seat 1 would get no bonus stone any more
    assert chosen(state, [VAGUE, SURE[1], SURE[2]]) == Keep()


def test_it_takes_and_places_the_bonus_stone():
    state = play(table(range(5)), Keep(), Keep())
    assert chosen(state, SURE) == TakeBonus()
    state = play(state, TakeBonus(), Place(1, 1, 5))
    assert chosen(state, [VAGUE, Belief(1899, 9.0), *SURE[2:]]).column in (1, 2)
    state = play(state, Place(1, 1, 1))
    assert chosen(state, [VAGUE, Belief(1899, 9.0), *SURE[2:]]) == Bonus(1, 2)


def test_a_sure_stone_high_up_joins_the_pattern_that_counts_most_and_a_low_one_does_not():
    state = play(table([0, 1, 2, 3, 4, 5]), Swap(), Keep(), Place(1, 1, 0), Bonus(1, 2), Place(1, 1, 1))
    right, left = Stone(6, 4, 0, 3), ((2, 3, 2, 3), (2, 3, 3, 3))
    assert chosen(with_board(state, right, stones=left), SURE) != Replace(3)
    placed = tuple(replace(stone, row=5) for stone in state.public.placed)
    high = with_board(state, right, stones=left, placed=placed)
    assert chosen(high, SURE) == Replace(3)


def test_it_goes_for_a_row_that_it_lacks():
    state = with_board(play(table(range(7)), *KEEP2), Stone(2, 3, 0, 1), round=2)
    assert chosen(state, SURE).row == 1


def test_without_beliefs_it_plays_all_the_same():
    state = play(table(range(7)), *KEEP2)
    view = see(state, 0)
    assert BOT.choose(view, rules.legal(view), FastDice(1), None) in rules.legal(view)


def test_the_odds_add_up_to_one():
    front = table(range(7)).public.cards[0]
    periods = Library().deck("firsts", kind_of("firsts")).periods
    for year in (-3000, 1, 1799, 1930, 2026, 2500):
        for spread in (0.1, 5.0, 400.0):
            assert sum(bot.chances(front, periods, (Belief(year, spread),))) == pytest.approx(1)


def test_beliefs_are_near_the_truth_and_not_it():
    cards = Library().deck("firsts", kind_of("firsts")).cards
    beliefs = BELIEFS.form(
        rules.setup(2, rules.Options(), Library().deck("firsts", kind_of("firsts"))).hidden, FastDice(2), "connoisseur"
    )
    off = [abs(k.year - c.year) for k, c in zip(beliefs, cards, strict=True) if c.year]
    assert sum(n == 0 for n in off) < len(off) / 5
    assert sorted(off)[len(off) // 2] < 60


def test_it_beats_chance():
    deck = Library().deck("firsts", kind_of("firsts"))
    for seed in range(12):
        dice = FastDice(seed)
        state = rules.setup(2, rules.Options(), aliased(deck, dice.shuffle(range(len(deck.cards)))))
        beliefs = BELIEFS.form(state.hidden, dice, "connoisseur")
        thinker = seed % 2
        while rules.result(state.public) is None:
            due = rules.pending_chance(state)
            if due is not None:
                state = rules.resolve_chance(state, throw(dice, due))
                continue
            (seat,) = rules.to_act(state.public)
            view = see(state, seat)
            legal = rules.legal(view)
            action = BOT.choose(view, legal, dice, beliefs) if seat == thinker else dice.choice(legal)
            assert action in legal
            state = rules.apply(state, seat, action)
        assert rules.result(state.public).ranking[0] == (thinker,)


def test_it_tells_of_which_years_it_thought():
    view = see(play(table(range(7)), *KEEP2), 0)
    card, beliefs = view.public.cards[0], (Belief(1850, 12.0), *SURE[1:])
    thought = BOT.explain(view, Place(1, 1, 1), beliefs)
    assert (thought.round, thought.seat, thought.years) == (1, 0, Span(1838, 1862))
    assert thought.period == view.public.periods[1].name
    assert thought.chance == bot.chances(card, view.public.periods, beliefs)[1]
    assert BOT.explain(view, Place(1, 1, 1), None) is None
    assert BOT.explain(view, Keep(), beliefs) is None


def test_of_a_joker_there_is_nothing_to_tell():
    view = see(play(table([6, 0, 1]), *KEEP2), 0)
    assert BOT.explain(view, Place(1, 1, 6), tuple(SURE)) is None
