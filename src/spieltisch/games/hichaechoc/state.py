"""The state of a game of hic – haec – hoc, and its actions.

A card is the number of its written form, so equal cards are interchangeable. Numbers follow the order in which forms
first appear in the table's shuffled deck, so they reveal nothing.
"""

from functools import cached_property, lru_cache
from typing import Literal

from msgspec import Struct

from spieltisch.brief import Brief
from spieltisch.game import State, View
from spieltisch.games.hichaechoc.agreement import JOKER, READINGS, Table, as_bits, readings_of_all
from spieltisch.games.hichaechoc.forms import CELLS
from spieltisch.games.hichaechoc.forms import JOKER as JOKER_NAME
from spieltisch.games.hichaechoc.news import Drawn, News
from spieltisch.games.hichaechoc.options import Options
from spieltisch.package import ClassGame, FinishedGame

SEATS = 5
"""The largest number of players."""


class Play(Struct, frozen=True, gc=False, tag=True):
    """Lay a card and declare its reading."""

    form: int
    reading: int

    def __str__(self) -> str:
        return f"play #{self.form} as {'.'.join(CELLS[self.reading])}"


class PlayJoker(Struct, frozen=True, gc=False, tag=True):
    def __str__(self) -> str:
        return "play joker"


class Draw(Struct, frozen=True, gc=False, tag=True):
    def __str__(self) -> str:
        return "draw"


class Pass(Struct, frozen=True, gc=False, tag=True):
    def __str__(self) -> str:
        return "pass"


class Contest(Struct, frozen=True, gc=False, tag=True):
    def __str__(self) -> str:
        return "contest"


class Accept(Struct, frozen=True, gc=False, tag=True):
    def __str__(self) -> str:
        return "accept"


Action = Play | PlayJoker | Draw | Pass | Contest | Accept


ANY = (*(tuple(Play(form, reading) for reading in READINGS) for form in range(JOKER)), (PlayJoker(),))
"""All plays of every card."""


@lru_cache(1 << 14)
def plays(card: int, declared: int) -> tuple[Action, ...]:
    """The plays of a card with each of these readings (bits); for the joker, its only play.

    Cached, because a form has few readings: the same plays recur however forms are numbered.
    """
    return ANY[card] if card == JOKER else tuple(Play(card, cell) for cell in READINGS if declared >> cell & 1)


ALL_READINGS = as_bits(READINGS)


class Terms(Brief, frozen=True, dict=True):
    """The constants of a game: the options, and what is written on the cards."""

    options: Options
    forms: tuple[str, ...]  # written forms by number
    cards: tuple[int, ...]  # all cards in deck order
    table: Table | None  # the open table of forms; None if it lies face down (strict)

    @cached_property
    def readings(self) -> tuple[int, ...]:
        """For every card its readings, as bits; the joker has all. Only if the table of forms lies open. Computed once
        a game: the cache is not a field.
        """
        assert self.table is not None
        return (*readings_of_all(self.table), ALL_READINGS)


class Middle(Struct, frozen=True, gc=False):
    """The middle. `top` is the card that counts, never the joker; None before the deal."""

    pile: int = 0  # cards in it
    top: int | None = None
    said: int | None = None  # its declared reading; None: an undeclared first card
    joker: bool = False  # the joker lies on the top card
    played: tuple[int, ...] = ()  # cards beneath it, earliest first


class Turn(Struct, frozen=True, gc=False):
    seat: int
    drawn: bool = False  # a card was drawn in this turn
    pending: Play | None = None  # waits for answers: out of the hand, not yet on top
    owes: int | None = None  # this seat's price is still to be drawn


class Known(Struct, frozen=True, gc=False):
    """Cards that everybody saw go out of sight."""

    hands: tuple[tuple[int, ...], ...]  # cards taken back, by seat
    bottom: bool = False  # the joker lies at the bottom of the pile


class Stall(Struct, frozen=True, gc=False):
    """How long the game has stalled (§16)."""

    passes: int = 0  # in a row
    turns: int = 0  # without a play that stood or a drawn card


class Public(Brief, frozen=True, gc=False):
    terms: Terms
    middle: Middle
    turn: Turn
    acting: tuple[int, ...]  # seats to act; none while a shuffle is due
    hands: tuple[int, ...]  # number of cards, by seat
    out: tuple[int, ...]  # players without cards, in the order they finished
    known: Known
    stall: Stall
    end: Literal["out-of-cards", "blocked"] | None
    news: tuple[News, ...]


class Own(Brief, frozen=True, gc=False):
    hand: tuple[int, ...] = ()  # in the order received: dealt, drawn, taken back
    drawn: int | None = None  # the card drawn in this turn; only it may be played
    news: tuple[Drawn, ...] = ()


class Hidden(Brief, frozen=True, gc=False):
    pile: tuple[int, ...]  # the next card first
    table: Table | None  # the table of forms, if it lies face down


GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]
Finished = FinishedGame[Public, Own, Hidden, News]
InClass = ClassGame[Public, Own, Hidden, News]


def written(p: Public, card: int) -> str:
    """What stands on a card, if it is one."""
    return p.terms.forms[card] if 0 <= card < len(p.terms.forms) else JOKER_NAME
