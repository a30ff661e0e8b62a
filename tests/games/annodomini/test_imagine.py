"""Imagined worlds: unseen cards are anywhere and at any time, seen ones stay."""

from itertools import permutations

from games.annodomini.tables import deal, deck, play
from spieltisch.decks.dates import Span
from spieltisch.dice import FastDice
from spieltisch.game import see
from spieltisch.games.annodomini import rules
from spieltisch.games.annodomini.imagine import made_up
from spieltisch.testing import check_imagination


class Outline:
    """Worlds by what can be listed: where the cards lie, and in which order of time they are."""

    def imagine(self, view, dice):
        hidden = rules.imagine(view, dice).hidden
        return hidden.pile, hidden.set_aside, by_time(hidden.cards)


def by_time(cards):
    return tuple(sorted(range(len(cards)), key=lambda number: cards[number].span.start))


def test_before_a_reveal_every_order_of_time_and_of_the_pile_comes_as_often():
    view = see(deal("1000 | 1100 | 1200 | 1300 | 1400", each=1), 0)  # 0 2 3 to be laid, 1, the top 4
    worlds = [((4,), (), order) for order in permutations(range(5))]
    check_imagination(Outline(), view, worlds, samples=6000)


def test_the_order_of_the_pile():
    view = see(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1600 | 1700", each=1), None)
    piles = [(4, *rest) for rest in permutations((5, 6, 7))]
    check_imagination(Places(), view, [(pile, ()) for pile in piles], samples=2000)


class Places:
    def imagine(self, view, dice):
        return Outline().imagine(view, dice)[:2]


def test_dates_now_shown_are_kept_and_lie_with_the_cards_that_were_set_aside():
    # 1400 and 1000 were turned over; 4 and 0 are set aside, 5 was drawn, the pile is empty
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500", last_player_penalty=1), (0, 1), "?")
    assert state.hidden.set_aside == (4, 0)
    view = see(state, 1)
    worlds = []
    for aside in ((4, 0), (0, 4)):
        later, earlier = aside
        orders = [o for o in permutations(range(6)) if o.index(earlier) < o.index(later)]
        worlds += [((), aside, order) for order in orders]
    assert ((), (4, 0), tuple(range(6))) in worlds  # the true one
    check_imagination(Outline(), view, worlds, samples=6000)
    cards = rules.imagine(view, FastDice(1)).hidden
    assert [cards.cards[number].date["de"] for number in cards.set_aside] == ["1400", "1000"]


def test_after_a_reshuffle_a_revealed_card_in_sight_is_that_card():
    # the pile is 5 6; seat 0 draws them, 4 and 0 are shuffled, it draws 0, and 4 starts the chain
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1600"), (0, 1), "?", ("shuffle", 0, 4))
    world = rules.imagine(see(state, 1), FastDice(1))
    assert [world.hidden.cards[number].date["de"] for number in (0, 4)] == ["1000", "1400"]


def test_after_a_reshuffle_what_was_revealed_and_is_not_in_sight_lies_in_the_pile():
    # 1200 1100 1400 1000: seat 0 placed its last card, drew 5; seat 1 starts with one card of four shuffled
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500", last_player_penalty=1), (0, 1), (1, 0), (2, 0))
    assert state.hidden.set_aside == (2, 1, 4, 0)
    state = play(state, ("shuffle", 0, 4, 1, 2))
    assert [card.number for card in state.public.turned] == [0, 4]
    assert (state.public.top.number, state.public.pile) == (1, 2)
    world = rules.imagine(see(state, 0), FastDice(1))
    years = ["1000", "1100", "1200", "1400"]
    assert [world.hidden.cards[number].date["de"] for number in (0, 1, 2, 4)] == years


def test_cards_beneath_the_top_have_no_front_unless_they_were_revealed():
    state = deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1600 | 1700")
    world = rules.imagine(see(state, 0), FastDice(1))
    assert [world.hidden.cards[n].front["de"] for n in range(8)] == ["0", "1", "2", "3", "4", "5", "", ""]
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1600 | 1700 | 1800"), (0, 1), "?")
    world = rules.imagine(see(state, 0), FastDice(1))
    assert {world.hidden.cards[n].front["de"] for n in world.hidden.set_aside} == {"4", "0"}


def test_a_chain_that_has_won_stays_as_it_was_shown():
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400", each=1), [0, 2, 3])
    world = rules.imagine(see(state, 1), FastDice(1))
    assert [world.hidden.cards[n].date["de"] for n in (0, 2, 3)] == ["1000", "1200", "1300"]


def test_before_the_deal_all_cards_are_the_pile_in_the_decks_order():
    state = rules.setup(2, rules.Options(cards_per_player=1), deck("1 | 2 | 3 | 4"))
    world = rules.imagine(see(state, 0), FastDice(1))
    assert world.hidden.pile == (0, 1, 2, 3)
    assert all(card.front["de"] == "" for card in world.hidden.cards)


def test_who_believes_something_imagines_that():
    class Sure:
        def year(self, card, dice):
            return 100 * card

    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1600", last_player_penalty=1), (0, 1), "?")
    hidden = rules.imagine(see(state, 1), FastDice(1), Sure()).hidden
    years = [hidden.cards[number].span.start for number in range(7)]
    assert [years[number] for number in hidden.set_aside] == [1400, 1000]  # shown, so not a matter of belief
    assert all(years[number] == 100 * number for number in (1, 2, 3, 5, 6))


def test_made_up_years_are_as_often_before_as_after_a_year_shown():
    shown = {0: Span(1000, 1100), 1: Span(1900, 1900)}
    dice = FastDice(4)
    years = [made_up(3, shown, dice)[2] for _ in range(3000)]
    assert abs(sum(year < 1000 for year in years) - 1000) < 130
    assert abs(sum(1000 <= year < 1900 for year in years) - 1000) < 130
    assert min(years) >= -3000
    assert max(years) <= 2400
