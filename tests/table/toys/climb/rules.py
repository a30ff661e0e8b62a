"""Climb. 1. Turn up the top card, or rest. 2. When the pile is empty, it is shuffled once; the next time
the game ends.
"""

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.game import Illegal, PendingChance, Result, Shuffle, State, View

name = "climb"
version = 1
seats = range(1, 2)


class Options(Struct, frozen=True):
    times: int = 2


class Deck(Struct, frozen=True):
    cards: tuple[int, ...]


DECK = Deck((1, 2, 3, 4))


class Turn(Struct, frozen=True, tag=True):
    pass


class Rest(Struct, frozen=True, tag=True):
    pass


Action = Turn | Rest


class Turned(Struct, frozen=True, tag=True):
    card: int


class Public(Struct, frozen=True):
    left: int
    times: int
    up: tuple[int, ...] = ()
    rests: int = 0
    news: tuple[Turned, ...] = ()


class Own(Struct, frozen=True):
    pass


class Hidden(Struct, frozen=True):
    ranks: tuple[int, ...]
    pile: tuple[int, ...] = ()


Climb = State[Public, Own, Hidden]


def setup(seats: int, options: Options, deck: Deck) -> Climb:
    return State(Public(0, options.times), (Own(),) * seats, Hidden(deck.cards))


def pending_chance(state: Climb) -> PendingChance | None:
    return Shuffle(tuple(range(len(state.hidden.ranks)))) if not state.public.left and state.public.times else None


def resolve_chance(state: Climb, outcome: tuple[int, ...]) -> Climb:
    p = state.public
    public = Public(len(outcome), p.times - 1, p.up, p.rests, p.news)
    return State(public, state.own, Hidden(state.hidden.ranks, outcome))


def to_act(public: Public) -> tuple[int, ...]:
    return (0,) if public.left else ()


def legal(view: View[Public, Own]) -> tuple[Action, ...]:
    return (Turn(), Rest()) if view.seat == 0 and view.public.left else ()


def apply(state: Climb, seat: int, action: Action) -> Climb:
    p, (ranks, pile) = state.public, (state.hidden.ranks, state.hidden.pile)
    if not p.left:
        raise Illegal("The climb is over.")
    if isinstance(action, Rest):
        return State(Public(p.left, p.times, p.up, p.rests + 1), state.own, state.hidden)
    card = ranks[pile[0]]
    public = Public(p.left - 1, p.times, (*p.up, card), p.rests, (Turned(card),))
    return State(public, state.own, Hidden(ranks, pile[1:]))


def result(public: Public) -> Result | None:
    return None if public.left or public.times else Result(None, (sum(public.up),), "top")


def imagine(view: View[Public, Own], dice: Dice, beliefs: object = None) -> Climb:
    raise NotImplementedError
