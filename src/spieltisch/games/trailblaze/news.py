"""What a step tells everybody. There is no private news: all fronts lie open, and nobody knows a back."""

from msgspec import Struct

from spieltisch.decks.text import Text
from spieltisch.games.trailblaze.board import Stone


class Front(Struct, frozen=True, gc=False):
    """An open card: its number and its front. A joker shows that it is one, and no field."""

    card: int
    text: Text
    field: str
    joker: bool


class Started(Struct, frozen=True, tag=True, gc=False):
    """Who drew the bonus stone."""

    seat: int


class Shuffled(Struct, frozen=True, tag=True, gc=False):
    cards: int


class Dealt(Struct, frozen=True, tag=True, gc=False):
    """Cards by seat (None: in the middle), and the new top card of the deck."""

    round: int
    cards: tuple[tuple[int | None, Front], ...]
    top: Front | None


class Kept(Struct, frozen=True, tag=True, gc=False):
    seat: int


class Swapped(Struct, frozen=True, tag=True, gc=False):
    """`bonus`: first to swap, so the bonus stone came with the card."""

    seat: int
    bonus: bool


class TookBonus(Struct, frozen=True, tag=True, gc=False):
    seat: int


class LeftBonus(Struct, frozen=True, tag=True, gc=False):
    seat: int


class Placed(Struct, frozen=True, tag=True, gc=False):
    """An own stone, or the bonus stone if it has no pattern, and the name of its column."""

    stone: Stone
    period: Text


class Skipped(Struct, frozen=True, tag=True, gc=False):
    seat: int


class HeldBack(Struct, frozen=True, tag=True, gc=False):
    """The bonus stone was not placed."""

    seat: int


class Revealed(Struct, frozen=True, tag=True, gc=False, omit_defaults=True):
    """A revealed card: its back, its column with its name, and the stones that its holder placed for it."""

    seat: int
    card: Front
    year: int | None
    who: str
    place: str
    comment: Text
    source: str
    column: int
    period: Text
    stones: tuple[Stone, ...]
    corrected: str = ""  # day of the card's last correction


class Replaced(Struct, frozen=True, tag=True, gc=False):
    """The stone that replaces a right bonus stone."""

    stone: Stone
    period: Text


class PutUnder(Struct, frozen=True, tag=True, gc=False):
    """The card left in the middle went under the deck; `top` if the deck was empty."""

    card: Front
    top: bool


class Ended(Struct, frozen=True, tag=True, gc=False):
    end: str


News = (
    Started
    | Shuffled
    | Dealt
    | Kept
    | Swapped
    | TookBonus
    | LeftBonus
    | Placed
    | Skipped
    | HeldBack
    | Revealed
    | Replaced
    | PutUnder
    | Ended
)
