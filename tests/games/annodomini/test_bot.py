"""The bot plays by what it sees and believes, errs, and beats chance."""

from itertools import groupby

import pytest

from games.annodomini.tables import deal, deck, play
from matrix import many, sampled
from spieltisch import package
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.dice import FastDice, throw
from spieltisch.game import aliased, see
from spieltisch.games.annodomini import beliefs as knowledge
from spieltisch.games.annodomini import rules
from spieltisch.games.annodomini.beliefs import Belief, Beliefs, BeliefSet
from spieltisch.games.annodomini.bot import TRUST, Bot, weighed
from spieltisch.games.annodomini.rules import Doubt, Open, Options, Place
from spieltisch.games.annodomini.study.questions import chances

BOT, BELIEFS = Bot(), Beliefs()


def beliefs(years, level="connoisseur", spread=8):
    return BeliefSet(tuple(Belief(year, spread) for year in years), level, seed=1)


def choose(state, years, seed=1, **more):
    view = see(state, state.public.turn)
    return BOT.choose(view, rules.legal(view), FastDice(seed), beliefs(years, **more))


def test_beliefs_are_off_by_so_much_of_an_events_age_and_the_same_for_the_same_dice():
    hidden = rules.setup(2, Options(), Library().deck("events", kind_of("events"))).hidden
    off = {}
    for level, error in knowledge.ERRORS.items():
        beliefs = [BELIEFS.form(hidden, FastDice(seed), level) for seed in range(12)]
        assert beliefs[0] == BELIEFS.form(hidden, FastDice(0), level) != beliefs[1]
        shares = [
            abs(belief.year - (card.span.start + card.span.end) / 2) / (knowledge.TODAY - card.span.start)
            for one in beliefs
            for belief, card in zip(one.cards, hidden.cards, strict=True)
            if card.span.start < 1500
        ]
        off[level] = sum(shares) / len(shares) / error
    assert all(0.85 < share < 1.1 for share in off.values()), off  # on average


def test_asking_again_gives_the_same_and_a_life_helps():
    hidden = rules.setup(2, Options(), Library().deck("events", kind_of("events"))).hidden
    beliefs = BELIEFS.form(hidden, FastDice(3), "novice")
    again = BELIEFS.form(hidden, FastDice(3), "novice")
    assert [beliefs.pasts(card) for card in (5, 6, 5)] == [again.pasts(card) for card in (5, 6, 5)]
    fan = next(life for life in knowledge.LIVES if life.name == "football")
    sport = next(card for card in hidden.cards if card.fields[:1] == ("sport",))
    assert fan.familiarity(sport.fields) < fan.familiarity(("trade",))
    assert fan.familiarity(("trade",), lived=True) < fan.familiarity(("trade",))
    assert beliefs.life in knowledge.LABELS


def test_it_places_where_it_believes_the_card_to_be():
    state = deal("1000 | 1100 | 1200 | 1300 | 1900 | 1500", each=2)
    assert choose(state, [1000, 0, 2020, 0, 1900, 0]) in (Place(0, 0), Place(2, 1))


def test_it_keeps_the_card_that_it_is_surest_of():
    state = deal("1000 | 1100 | 1200 | 1300 | 1500 | 1500", each=2)
    assert choose(state, [-2000, 0, 2024, 0, 1500, 0]) == Place(0, 0)  # 2024 is for the end


def test_it_doubts_what_looks_awful_and_leaves_what_looks_right():
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500"), (0, 1))
    assert choose(state, [-2000, 1900, 0, 1900, 2020, 0]) == Doubt()
    assert choose(state, [2020, 1900, 0, 1900, -2000, 0]) != Doubt()


def test_it_opens_in_the_order_it_believes():
    state = deal("1000 | 1100 | 1200 | 1300 | 1400", each=1)
    assert choose(state, [-500, 0, 2000, 1200, 0]) == Open((0, 3, 2))


# The other levels claim at mixed tables, below.
TRUE = [("novice", 0.164, 0.115), ("connoisseur", 0.143, 0.089), ("chronicler", 0.121, 0.059)]


@pytest.mark.parametrize(("level", "brier", "often"), sampled(TRUE, TRUE[:1]))
def test_what_it_says_of_a_chain_comes_true(level, brier, often):
    """In games that its `TRUST` was not fitted to. The limits are what its weights alone reach, and half as many."""
    claims = [claim for number in range(60) for _, *claim in chances.claimed((level,) * 4, 5, number)]
    come_true(claims)
    assert sum((said - wrong) ** 2 for said, wrong in claims) / len(claims) < brier
    assert sum(said > 0.6 for said, _ in claims) / len(claims) > often


def come_true(claims):
    for _, of in groupby(sorted(claims), lambda claim: int(10 * claim[0])):
        said, wrong = zip(*of, strict=True)
        assert len(said) < 200 or abs(sum(said) - sum(wrong)) / len(said) < 0.08


def test_what_it_says_at_a_mixed_table_comes_true():
    games = range(many(8, 15))
    claims = [claim for table in chances.MIXED for number in games for claim in chances.claimed(table, 5, number)]
    for level in TRUST:
        come_true([claim for by, *claim in claims if by == level])


def test_it_thinks_better_of_a_chain_that_better_players_laid():
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500"), (0, 1))
    believed = beliefs([-2000, 1900, 0, 1900, 2020, 0], "novice")
    among = [BELIEFS.among(believed, (level, "novice")) for level in ("novice", "connoisseur", "chronicler")]
    doubts = [weighed(see(state, 1), one)[-1].wrong for one in among]
    assert doubts == sorted(doubts, reverse=True)
    assert doubts[0] == weighed(see(state, 1), BELIEFS.among(believed, ("", "novice")))[-1].wrong  # a person
    assert doubts[0] > doubts[-1] + 0.1
    choices = {BOT.choose(see(state, 1), rules.legal(see(state, 1)), FastDice(1), one) for one in among}
    assert len(choices) == 1


@pytest.mark.parametrize("level", TRUST)
def test_more_players_who_let_it_pass_speak_for_a_chain(level):
    trust = TRUST[level]
    one, three = ([level] * n for n in (1, 3))
    assert trust.wrong(32, three, level) < trust.wrong(32, one, level) < 0.5  # its own pasts alone would say a half
    assert trust.wrong(40, three, level) < trust.wrong(20, three, level)
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500"), (0, 1))
    *_, doubt = weighed(see(state, 1), beliefs([-2000, 1900, 0, 1900, 2020, 0], level))
    assert doubt.wrong == trust.wrong(0, one, level)


def test_without_beliefs_it_places_anywhere():
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500"), (0, 1))
    view = see(state, 1)
    assert isinstance(BOT.choose(view, rules.legal(view), FastDice(1), None), Place)
    opening = see(deal("1000 | 1100 | 1200 | 1300 | 1400", each=1), 0)
    assert isinstance(BOT.choose(opening, rules.legal(opening), FastDice(1), None), Open)


def test_it_beats_chance():
    wins = 0
    for seed in range(20):
        dice, events = FastDice(seed), Library().deck("events", kind_of("events"))
        state = rules.setup(2, Options(max_rounds=40), aliased(events, dice.shuffle(range(len(events.cards)))))
        beliefs = BELIEFS.form(state.hidden, FastDice(seed + 1000), "connoisseur")
        while not state.public.end:
            if due := rules.pending_chance(state):
                state = rules.resolve_chance(state, throw(dice, due))
                continue
            seat = state.public.turn
            view = see(state, seat)
            player = BOT if seat == seed % 2 else package.Bot()
            state = rules.apply(state, seat, player.choose(view, rules.legal(view), dice, beliefs))
        wins += rules.result(state.public).ranking[0] == (seed % 2,)
    assert wins >= 18


def test_it_does_not_see_dates():
    """Two worlds with the same view: the same choice."""
    one = deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500")
    other = rules.resolve_chance(
        rules.setup(2, Options(cards_per_player=2), deck("1 | 2 | 3 | 4 | 5 | 6")), tuple(range(6))
    )
    years = [1500, 1600, 1700, 1800, 1900, 2000]
    assert choose(one, years) == choose(other, years)
