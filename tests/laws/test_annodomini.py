"""The laws on Anno Domini."""

from spieltisch.dice import FastDice
from spieltisch.games.annodomini import rules
from spieltisch.games.annodomini.events import Events, event
from spieltisch.games.annodomini.rules import Options, Place
from spieltisch.testing import check_game

DATES = (
    "1903",
    "um 1900",
    "20. Jh.",
    "44 BC",
    "1st millennium BC",
    "1960s",
    "1905",
    "1–1500",
    "5 v.u.Z.–3",
    "1492",
)


def deal(dice: FastDice):
    seats = dice.choice((2, 2, 3, 4, 10))
    each = dice.choice((1, 2, 3, 9))
    fewer = () if each == 1 or dice.below(2) else ((seats - 1, 1 + dice.below(each - 1)),)
    options = Options(each, fewer, dice.choice((0, 2, 5)), dice.choice((1, 3, 5)), dice.choice((1, 3, 12)))
    size = seats * each + 2 + dice.choice((0, 1, 3, 30))
    cards = tuple(event(f"e{n}", dice.choice(DATES)) for n in range(size))
    return seats, options, Events("", cards)


def cards(state):
    p = state.public
    in_hands = [card.number for hand in p.hands for card in hand]
    on_table = [laid.card.number for laid in p.chain] + [card.number for card in p.turned]
    return [*in_hands, *on_table, *state.hidden.pile, *state.hidden.set_aside]


def counts(state):
    p, hidden = state.public, state.hidden
    assert p.pile == len(hidden.pile)
    assert p.set_aside == len(hidden.set_aside)
    assert (p.top is None) == (not hidden.pile)
    assert p.top is None or p.top.number == hidden.pile[0]
    for card in [*(card for hand in p.hands for card in hand), *(laid.card for laid in p.chain), *p.turned]:
        assert card.front == hidden.cards[card.number].front
    if p.revealed and (p.set_aside or (p.chain and p.end)):
        # what was turned over was put away last, in the chain's order, or is the chain that has won
        won = tuple(laid.card.number for laid in p.chain) if p.end else ()
        rows = [hidden.cards[number] for number in won or hidden.set_aside[-len(p.revealed.rows) :]]
        assert [(row.front, row.span) for row in rows] == [(row.front, row.span) for row in p.revealed.rows]


def quiet(state, seat, action):
    """To place a card and keep others tells nothing but itself."""
    return isinstance(action, Place) and len(state.public.hands[seat]) > 1


def bound(seats=10, each=9):
    # twelve rounds; in each at most every card in a hand is placed, and hands grow by 5 cards a round
    return 12 * (seats * each + 12 * 5 + 1)


def test_laws():
    check_game(rules, deal, cards=cards, counts=counts, quiet=quiet, bound=bound(), examples=30)
