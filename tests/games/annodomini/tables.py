"""Small tables for tests. A deck is a line of dates, dealt in their order."""

from spieltisch.games.annodomini import rules
from spieltisch.games.annodomini.events import Events, event
from spieltisch.games.annodomini.rules import Doubt, Open, Options, Place


def deck(dates):
    """Cards with their numbers as ids: `deck("1903 | um 1900")`."""
    return Events("", tuple(event(str(n), date.strip()) for n, date in enumerate(dates.split("|"))))


def deal(dates, seats=2, each=2, **options):
    """A table after the deal. With two seats and two cards each: 0 and 2 against 1 and 3, 4 starts the chain."""
    cards = deck(dates)
    state = rules.setup(seats, Options(cards_per_player=each, **options), cards)
    return rules.resolve_chance(state, tuple(range(len(cards.cards))))


def play(state, *moves):
    """A move is (card, at), a list of cards to open with, "?" for a doubt, or a tuple `("shuffle", …)`."""
    for move in moves:
        if move == "?":
            state = rules.apply(state, state.public.turn, Doubt())
        elif isinstance(move, list):
            state = rules.apply(state, state.public.turn, Open(tuple(move)))
        elif move[0] == "shuffle":
            assert sorted(move[1:]) == sorted(rules.pending_chance(state).items)
            state = rules.resolve_chance(state, tuple(move[1:]))
        else:
            state = rules.apply(state, state.public.turn, Place(*move))
    return state


def hands(state):
    return [[card.number for card in hand] for hand in state.public.hands]


def chain(state):
    return [laid.card.number for laid in state.public.chain]


def told(state):
    return [type(one).__name__ for one in state.public.news]
