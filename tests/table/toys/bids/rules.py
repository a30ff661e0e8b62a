"""Bids. 1. Everybody holds a card. 2. In turn, one names a number; the others accept or doubt, in any order. 3. The
first doubt ends it, and gives a point to whoever was wrong (the caller if the number was above the card). If all
accept, nobody gets one. 4. After everybody's turn the cards are shuffled and dealt again. Fewest points win.
"""

from typing import Annotated

from msgspec import Meta, Struct

from spieltisch.dice import Dice
from spieltisch.game import Illegal, PendingChance, Result, Shuffle, State, View

name = "bids"
version = 1
seats = range(2, 5)


class Options(Struct, frozen=True):
    rounds: Annotated[int, Meta(ge=1)] = 2


class Deck(Struct, frozen=True):
    cards: tuple[int, ...]


DECK = Deck((1, 2, 3, 4, 5, 6, 7, 8))


class Name(Struct, frozen=True, tag=True):
    number: int


class Accept(Struct, frozen=True, tag=True):
    pass


class Doubt(Struct, frozen=True, tag=True):
    pass


Action = Name | Accept | Doubt
silence = Accept()


class Named(Struct, frozen=True, tag=True):
    seat: int
    number: int


class Accepted(Struct, frozen=True, tag=True):
    seat: int


class Doubted(Struct, frozen=True, tag=True):
    seat: int
    card: int


class Public(Struct, frozen=True):
    rounds: int
    points: tuple[int, ...]
    turn: int = 0
    dealt: bool = False
    named: int | None = None
    waiting: tuple[int, ...] = ()
    news: tuple[Named | Accepted | Doubted, ...] = ()


class Own(Struct, frozen=True):
    card: int | None = None


class Hidden(Struct, frozen=True):
    ranks: tuple[int, ...]
    pile: tuple[int, ...] = ()


Bids = State[Public, Own, Hidden]


def setup(seats: int, options: Options, deck: Deck) -> Bids:
    return State(Public(options.rounds, (0,) * seats), (Own(),) * seats, Hidden(deck.cards))


def pending_chance(state: Bids) -> PendingChance | None:
    p = state.public
    return Shuffle(tuple(range(len(state.hidden.ranks)))) if p.rounds and not p.dealt else None


def resolve_chance(state: Bids, outcome: tuple[int, ...]) -> Bids:
    p = state.public
    n = len(p.points)
    ranks = state.hidden.ranks
    own = tuple(Own(ranks[card]) for card in outcome[:n])
    return State(Public(p.rounds, p.points, 0, True, news=p.news), own, Hidden(ranks, outcome[n:]))


def to_act(public: Public) -> tuple[int, ...]:
    if not public.rounds or not public.dealt:
        return ()
    return (public.turn,) if public.named is None else public.waiting


def legal(view: View[Public, Own]) -> tuple[Action, ...]:
    if view.seat not in to_act(view.public):
        return ()
    if view.public.named is None:
        return tuple(Name(number) for number in range(1, 9))
    return (Accept(), Doubt())


def apply(state: Bids, seat: int, action: Action) -> Bids:
    p = state.public
    if isinstance(action, Name) and not action.number >= 0:
        raise Illegal("A number is 0 or more.")
    if action not in legal(View(seat, p, state.own[seat])):
        raise Illegal("It is not your turn to do that.")
    if isinstance(action, Name):
        others = tuple(i for i in range(len(p.points)) if i != seat)
        news = (Named(seat, action.number),)
        return State(Public(p.rounds, p.points, p.turn, True, action.number, others, news), state.own, state.hidden)
    if isinstance(action, Accept):
        waiting, points = tuple(i for i in p.waiting if i != seat), p.points
        news = (Accepted(seat),)
    else:
        card, named = state.own[p.turn].card, p.named
        assert card is not None
        assert named is not None
        wrong = p.turn if named > card else seat
        points = tuple(n + (i == wrong) for i, n in enumerate(p.points))
        waiting, news = (), (Doubted(seat, card),)
    if waiting:
        return State(Public(p.rounds, points, p.turn, True, p.named, waiting, news), state.own, state.hidden)
    last = p.turn == len(points) - 1
    public = Public(p.rounds - last, points, 0 if last else p.turn + 1, not last, news=news)
    return State(public, state.own, state.hidden)


def result(public: Public) -> Result | None:
    if public.rounds:
        return None
    groups = (tuple(i for i, n in enumerate(public.points) if n == m) for m in sorted(set(public.points)))
    return Result(tuple(groups), public.points, "rounds")


def imagine(view: View[Public, Own], dice: Dice, beliefs: object = None) -> Bids:
    raise NotImplementedError
