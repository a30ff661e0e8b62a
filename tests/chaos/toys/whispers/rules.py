"""Whispers: an endless game for tests, with marks on its cards that are searched for in all bytes.

1. Everybody holds a card. 2. In turn, one calls a number; the others accept or doubt, in any order. 3. The first doubt
ends the turn, and the caller's card is shown. 4. After everybody's turn the cards are shuffled and dealt again.
"""

from hashlib import blake2b

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.game import Illegal, PendingChance, Result, Shuffle, State, View

name = "whispers"
version = 1
seats = range(2, 5)


class Options(Struct, frozen=True):
    rounds: int = 1_000_000


class Deck(Struct, frozen=True):
    cards: tuple[str, ...]


DECK = Deck(tuple(f"mark-{blake2b(bytes([n]), digest_size=4).hexdigest()}" for n in range(24)))


class Call(Struct, frozen=True, tag=True):
    number: int


class Accept(Struct, frozen=True, tag=True):
    pass


class Doubt(Struct, frozen=True, tag=True):
    pass


Action = Call | Accept | Doubt
silence = Accept()
passes = (Call(1),)


class Called(Struct, frozen=True, tag=True):
    seat: int
    number: int


class Accepted(Struct, frozen=True, tag=True):
    seat: int


class Doubted(Struct, frozen=True, tag=True):
    seat: int
    card: str


class Public(Struct, frozen=True):
    rounds: int
    points: tuple[int, ...]
    turn: int = 0
    dealt: bool = False
    called: int | None = None
    waiting: tuple[int, ...] = ()
    news: tuple[Called | Accepted | Doubted, ...] = ()


class Own(Struct, frozen=True):
    card: str = ""


class Hidden(Struct, frozen=True):
    cards: tuple[str, ...]


Whispers = State[Public, Own, Hidden]


def setup(seats: int, options: Options, deck: Deck) -> Whispers:
    return State(Public(options.rounds, (0,) * seats), (Own(),) * seats, Hidden(deck.cards))


def pending_chance(state: Whispers) -> PendingChance | None:
    p = state.public
    return Shuffle(tuple(range(len(state.hidden.cards)))) if p.rounds and not p.dealt else None


def resolve_chance(state: Whispers, outcome: tuple[int, ...]) -> Whispers:
    p, cards = state.public, state.hidden.cards
    own = tuple(Own(cards[outcome[seat]]) for seat in range(len(p.points)))
    return State(Public(p.rounds, p.points, 0, True, news=p.news), own, state.hidden)


def to_act(public: Public) -> tuple[int, ...]:
    if not public.rounds or not public.dealt:
        return ()
    return (public.turn,) if public.called is None else public.waiting


def legal(view: View[Public, Own]) -> tuple[Action, ...]:
    if view.seat not in to_act(view.public):
        return ()
    if view.public.called is None:
        return tuple(Call(number) for number in range(1, 5))
    return (Accept(), Doubt())


def apply(state: Whispers, seat: int, action: Action) -> Whispers:
    p = state.public
    if action not in legal(View(seat, p, state.own[seat])):
        raise Illegal("It is not your turn to do that.")
    if isinstance(action, Call):
        others = tuple(i for i in range(len(p.points)) if i != seat)
        news = (Called(seat, action.number),)
        return State(Public(p.rounds, p.points, p.turn, True, action.number, others, news), state.own, state.hidden)
    if isinstance(action, Accept):
        waiting, points, news = tuple(i for i in p.waiting if i != seat), p.points, (Accepted(seat),)
    else:
        waiting, news = (), (Doubted(seat, state.own[p.turn].card),)
        points = tuple(n + (i == seat) for i, n in enumerate(p.points))
    if waiting:
        return State(Public(p.rounds, points, p.turn, True, p.called, waiting, news), state.own, state.hidden)
    last = p.turn == len(points) - 1
    return State(
        Public(p.rounds - last, points, 0 if last else p.turn + 1, not last, news=news), state.own, state.hidden
    )


def result(public: Public) -> Result | None:
    return None if public.rounds else Result((tuple(range(len(public.points))),), public.points, "rounds")


def imagine(view: View[Public, Own], dice: Dice, beliefs: object = None) -> Whispers:
    raise NotImplementedError
