"""The laws on Trailblaze."""

import itertools

from games.trailblaze.decks import SPANS, card, many, periods
from spieltisch.decks.text import Text
from spieltisch.dice import FastDice
from spieltisch.game import State, see
from spieltisch.games.trailblaze import rules
from spieltisch.games.trailblaze.firsts import First, Firsts, Period
from spieltisch.games.trailblaze.rules import Options
from spieltisch.games.trailblaze.state import Bonus, Hidden, Keep, NoBonus, Place, Replace, Skip, Swap
from spieltisch.testing import check_game, check_imagination


def deal(dice: FastDice):
    seats = dice.choice(rules.seats)
    options = Options(dice.choice(("fresh", "stays")), dice.choice((1, 2, 3, 4, 6, 12)))
    size = seats + 1 + dice.choice((0, 1, 5, 40))
    return seats, options, many(size, of=dice.choice((4, 5, 7)))


def cards(state):
    p = state.public
    held = [front.card for front in (*p.cards, p.middle) if front]
    return [*held, *p.away, *state.hidden.deck]


def counts(state):
    p, hidden = state.public, state.hidden
    assert p.deck == len(hidden.deck)
    assert (p.top is None) == (not hidden.deck)
    assert p.top is None or p.top.card == hidden.deck[0]
    for seat, left in enumerate(p.stones):
        on_board = [s for s in (*p.board, *p.spent, *p.placed) if s.seat == seat and s.pattern is not None]
        assert sum(left) + len(on_board) == 12
    fields = [(s.row, s.column) for s in (*p.board, *p.placed)]
    assert len(set(fields)) == len(fields)


def quiet(state, seat, action):
    """Keep, swap and every placement but the last tell nothing but themselves."""
    p = state.public
    last = (seat + 1) % len(p.cards) == p.starter
    if isinstance(action, Place):
        return not last or p.bonus == seat
    if isinstance(action, Bonus | NoBonus | Skip):
        return not last
    return not isinstance(action, Replace)


def bound(seats=6):
    # at most twelve rounds, for everybody places a stone in each, and at most so many answers in one
    return 12 * (3 * seats + 2)


def test_laws():
    check_game(rules, deal, cards=cards, counts=counts, quiet=quiet, bound=bound(), examples=25)


def test_worlds_come_equally_often():
    """Two seats, four columns of two years each, five cards: all that could be, and all of it as often."""
    spans = ((1, 2), (3, 4), (5, 6), (7, None))
    names = [Text(f"{n}", f"{n}") for n in range(4)]
    small = tuple(Period(name, *span) for name, span in zip(names, spans, strict=True))
    five = (card("a", 1), card("b", None), card("c", 3), card("d", 6), card("e", None))
    table = Firsts("small", small, five)
    state = rules.setup(2, Options(), table)
    state = rules.resolve_chance(rules.resolve_chance(state, 0), (1, 0, 3, 2, 4))
    view = see(state, 0)
    p = view.public
    fronts = {front.card: front for front in (*p.cards, p.middle, p.top) if front}
    assert sorted(fronts) == [0, 1, 2, 3]
    # three open cards are no jokers: two years in each of three columns; the unseen one lies under the top
    worlds = []
    for years in itertools.product(range(1, 7), repeat=3):
        dated = dict(zip((0, 2, 3), years, strict=True))
        open_cards = [First("", fronts[n].text, dated.get(n), fronts[n].field) for n in range(4)]
        worlds.append(open_cards)
    empty = Text("", "")
    for unseen in (1, 2, 3, 4, 5, 6, None):
        last = First("", empty, unseen)
        these = [State(p, state.own, Hidden((*four, last), state.hidden.deck)) for four in worlds]
        if unseen is None:
            jokers = these
        elif unseen == 1:
            dated_ones = these
        else:
            dated_ones += these
    # the unseen card is a joker in one world of four, else in one of the six years
    check_imagination(_only(lambda w: w.hidden.cards[4].year is not None), view, dated_ones, samples=20000)
    check_imagination(_only(lambda w: w.hidden.cards[4].year is None), view, jokers, samples=8000)
    dice = FastDice(3)
    share = sum(rules.imagine(view, dice).hidden.cards[4].year is None for _ in range(8000)) / 8000
    assert abs(share - 0.25) < 0.025


class _only:  # noqa: N801
    """The rules with an imagination that throws again until the world is of this kind."""

    def __init__(self, kind):
        self.kind = kind

    def imagine(self, view, dice):
        while True:
            world = rules.imagine(view, dice)
            if self.kind(world):
                return world


def test_the_orders_of_the_deck_come_equally_often():
    table = Firsts("small", periods(4), tuple(card(f"j{n}", None) for n in range(7)))
    state = rules.resolve_chance(rules.resolve_chance(rules.setup(2, Options(), table), 0), (6, 5, 4, 3, 2, 1, 0))
    view = see(state, None)
    dice = FastDice(5)
    seen = [rules.imagine(view, dice).hidden.deck for _ in range(6000)]
    orders = [(3, *rest) for rest in itertools.permutations((0, 1, 2))]
    assert set(seen) == set(orders)
    assert all(abs(seen.count(order) - 1000) < 150 for order in orders)


def test_what_was_revealed_last_stays_known():
    state = rules.resolve_chance(rules.resolve_chance(rules.setup(2, Options(), many(12)), 0), tuple(range(12)))
    for action in (Keep(), Swap(), Place(1, 1, 0), Place(1, 1, 3), NoBonus()):
        state = rules.apply(state, state.public.turn, action)
    told = {r.card.card: r for r in state.public.revealed}
    assert sorted(told) == [0, 2]  # seat 1 swapped its card 1 for card 2
    world = rules.imagine(see(state, 1), FastDice(1))
    for number in told:
        assert world.hidden.cards[number].year == state.hidden.cards[number].year
        assert world.hidden.cards[number].comment == state.hidden.cards[number].comment


def test_a_thinker_imagines_about_what_it_believes():
    state = rules.resolve_chance(rules.resolve_chance(rules.setup(2, Options(), many(12)), 0), tuple(range(12)))
    from spieltisch.games.trailblaze.state import Belief

    beliefs = tuple(Belief(SPANS[n % 7][0] + 5, 0.01) for n in range(12))
    world = rules.imagine(see(state, 1), FastDice(1), beliefs)
    assert [world.hidden.cards[n].year for n in range(4)] == [6, 1805, 1905, 1935]
