"""What there is to know, in its rooms: all of it in public but the backs and the order of the deck."""

from typing import Literal

from msgspec import Struct

from spieltisch.decks.firsts import First, Period
from spieltisch.game import State
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.news import Front, News, Revealed


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """`stays`: the middle card is dealt once, and whatever lies there stays from round to round."""

    middle_card: Literal["fresh", "stays"] = "fresh"
    patterns: Literal[1, 2, 3, 4, 6, 12] = 4


Phase = Literal["deal", "swap", "take", "place", "bonus", "replace", "over"]


class Public(Struct, frozen=True):
    """What is None in `cards` and `middle` is still to be dealt."""

    options: Options
    periods: tuple[Period, ...]
    cards: tuple[Front | None, ...]  # held, by seat
    stones: tuple[tuple[int, ...], ...]  # left, by seat and pattern
    deck: int  # how many cards
    middle: Front | None = None
    top: Front | None = None  # the deck lies front up
    away: tuple[int, ...] = ()  # revealed cards, in the order in which they were put away
    board: tuple[Stone, ...] = ()  # right, by row and column
    spent: tuple[Stone, ...] = ()  # turned over, in the order in which they were
    placed: tuple[Stone, ...] = ()  # in this round, not yet settled
    revealed: tuple[Revealed, ...] = ()  # the last reveal
    phase: Phase = "deal"
    round: int = 0
    starter: int | None = None
    turn: int | None = None
    bonus: int | None = None  # who holds the bonus stone; None: it lies in the middle
    bonus_last: int | None = None  # who had it last
    news: tuple[News, ...] = ()


class Own(Struct, frozen=True):
    """Nothing: all fronts lie open, and nobody knows a back."""


class Hidden(Struct, frozen=True):
    cards: tuple[First, ...]
    deck: tuple[int, ...]  # top first


class Belief(Struct, frozen=True, gc=False):
    """What a thinker holds of a card's year: logistic around `year`."""

    year: int
    spread: float


Table = State[Public, Own, Hidden]
