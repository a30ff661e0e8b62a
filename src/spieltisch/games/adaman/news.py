"""What a step tells everybody, in the order in which it happened."""

from typing import Literal

from msgspec import Struct

from spieltisch.games.adaman.decktet import Card

Row = Literal["capital", "palace", "resources"]


class TurnedUp(Struct, frozen=True, gc=False, tag=True):
    """A card of the pile came to lie in a row."""

    card: Card
    row: Row


class PassedOver(Struct, frozen=True, gc=False, tag=True):
    """The Excuse came where there was nothing to move for it, and was put away."""

    card: Card


class Controlled(Struct, frozen=True, gc=False, tag=True):
    card: Card
    payment: tuple[Card, ...]


class Moved(Struct, frozen=True, gc=False, tag=True):
    """A card changed its row for the Excuse."""

    card: Card
    row: Row


class Ended(Struct, frozen=True, gc=False, tag=True):
    how: Literal["won", "lost", "hanged"]
    score: int


News = TurnedUp | PassedOver | Controlled | Moved | Ended
