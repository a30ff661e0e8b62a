"""What a step tells everybody, in the order of events."""

from typing import Literal

from msgspec import Struct

from spieltisch.games.adaman.decktet import Card

Row = Literal["capital", "palace", "resources"]


class TurnedUp(Struct, frozen=True, gc=False, tag=True):
    """A card from the pile was placed in a row."""

    card: Card
    row: Row


class PassedOver(Struct, frozen=True, gc=False, tag=True):
    """The Excuse turned up with no card to move, and was discarded."""

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
