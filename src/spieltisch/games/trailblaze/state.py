"""The state of a game of Trailblaze, and its actions. All is public except the backs and the order of the deck. A card
is its row in the deck.
"""

from typing import Literal

from msgspec import Struct

from spieltisch.brief import Brief
from spieltisch.game import State, View
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.firsts import First, Period
from spieltisch.games.trailblaze.news import Front, News, Revealed
from spieltisch.games.trailblaze.options import Options
from spieltisch.package import ClassGame, FinishedGame

Phase = Literal["deal", "swap", "take", "place", "bonus", "replace", "over"]


class Public(Brief, frozen=True):
    """The table. None in `cards` or `middle` means still to be dealt."""

    options: Options
    periods: tuple[Period, ...]
    cards: tuple[Front | None, ...]  # held, by seat
    stones: tuple[tuple[int, ...], ...]  # left, by seat and pattern
    deck: int  # number of cards
    middle: Front | None = None
    top: Front | None = None  # its top card; the deck lies front up
    away: tuple[int, ...] = ()  # revealed cards, in the order they were put away
    board: tuple[Stone, ...] = ()  # right stones, by row and column
    spent: tuple[Stone, ...] = ()  # wrong stones, in the order they were turned over
    placed: tuple[Stone, ...] = ()  # stones of this round, not yet revealed
    revealed: tuple[Revealed, ...] = ()  # the last reveal
    phase: Phase = "deal"
    round: int = 0
    starter: int | None = None
    turn: int | None = None
    bonus: int | None = None  # holder of the bonus stone; None: it lies in the middle
    bonus_last: int | None = None  # its last holder
    news: tuple[News, ...] = ()


class Own(Brief, frozen=True):
    """Empty: all fronts lie open, and nobody knows a back."""


class Hidden(Brief, frozen=True):
    cards: tuple[First, ...]
    deck: tuple[int, ...]  # top first


class Keep(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "keep"


class Swap(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "swap"


class TakeBonus(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "take bonus"


class LeaveBonus(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "leave bonus"


class Place(Struct, frozen=True, tag=True, gc=False):
    pattern: int
    row: int
    column: int

    def __str__(self) -> str:
        return f"place p{self.pattern} row {self.row} column {self.column}"


class Skip(Struct, frozen=True, tag=True, gc=False):
    """No column is possible: every field of the board is taken."""

    def __str__(self) -> str:
        return "place nothing"


class Bonus(Struct, frozen=True, tag=True, gc=False):
    row: int
    column: int

    def __str__(self) -> str:
        return f"bonus row {self.row} column {self.column}"


class NoBonus(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "no bonus"


class Replace(Struct, frozen=True, tag=True, gc=False):
    pattern: int

    def __str__(self) -> str:
        return f"replace p{self.pattern}"


Action = Keep | Swap | TakeBonus | LeaveBonus | Place | Skip | Bonus | NoBonus | Replace


class Belief(Struct, frozen=True, gc=False):
    """A bot's belief about a card's year: a logistic distribution around `year`."""

    year: int
    spread: float


GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]
Finished = FinishedGame[Public, Own, Hidden, News]
InClass = ClassGame[Public, Own, Hidden, News]
