"""What a step tells everybody, in the order of events."""

from msgspec import Struct

from spieltisch.games.annodomini.cards import Card, Reveal


class Dealt(Struct, frozen=True, gc=False, tag=True):
    """The hands, by seat."""

    hands: tuple[tuple[Card, ...], ...]


class Started(Struct, frozen=True, gc=False, tag=True):
    """A round has begun with this card, and this seat plays first."""

    seat: int
    round: int
    card: Card


class TurnedUp(Struct, frozen=True, gc=False, tag=True):
    """A round begins with a player who holds one card: these cards were turned up to be laid with it."""

    seat: int
    round: int
    cards: tuple[Card, ...]


class Placed(Struct, frozen=True, gc=False, tag=True):
    """`at` cards are above it."""

    seat: int
    card: Card
    at: int


class Opened(Struct, frozen=True, gc=False, tag=True):
    """A last card and those turned up with it were laid in this order."""

    seat: int
    cards: tuple[Card, ...]


class Doubted(Struct, frozen=True, gc=False, tag=True):
    reveal: Reveal


class Drew(Struct, frozen=True, gc=False, tag=True):
    """Penalty cards."""

    seat: int
    cards: tuple[Card, ...]


class Reshuffled(Struct, frozen=True, gc=False, tag=True):
    """The cards set aside have become the pile."""

    cards: int


class Uncovered(Struct, frozen=True, gc=False, tag=True):
    """The card that now lies on top of the pile."""

    card: Card


class Ended(Struct, frozen=True, gc=False, tag=True):
    """The seats on place 1."""

    winners: tuple[int, ...]
    end: str


News = Dealt | Started | TurnedUp | Placed | Opened | Doubted | Drew | Reshuffled | Uncovered | Ended
