"""What there is to know in a game of hic – haec – hoc, its options and its actions.

A card is the number of its written form: cards written alike are interchangeable. The numbers go by the order
in which the forms first appear in the table's deck, which is shuffled, so they tell nothing.
"""

from functools import cached_property, lru_cache
from typing import Literal

from msgspec import Struct

from spieltisch.game import State, View
from spieltisch.games.hichaechoc.agreement import READINGS, Table, as_bits, readings_of_all
from spieltisch.games.hichaechoc.forms import CELLS
from spieltisch.games.hichaechoc.forms import JOKER as JOKER_NAME
from spieltisch.games.hichaechoc.news import Drawn, News
from spieltisch.games.hichaechoc.options import Options
from spieltisch.package import ClassGame, FinishedGame

SEATS = 5
"""As many can play at most."""

JOKER = len(CELLS)
"""The joker's number: forms have lower ones."""


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
"""For every card all plays of it."""


@lru_cache(1 << 14)
def plays(card: int, declared: int) -> tuple[Action, ...]:
    """The plays of a card with each of these readings, which are bits; the joker's only play, whatever they are.

    Kept, because a form has few readings: in whatever order the forms are numbered, the same plays come again.
    """
    return ANY[card] if card == JOKER else tuple(Play(card, cell) for cell in READINGS if declared >> cell & 1)


ALL_READINGS = as_bits(READINGS)


class Terms(Struct, frozen=True, dict=True):
    """What does not change: what is agreed, what is written on the cards."""

    options: Options
    forms: tuple[str, ...]  # the written forms by number
    cards: tuple[int, ...]  # all cards there are, in the deck's order
    table: Table | None  # the table of forms lies open, or face down (None: strict)

    @cached_property
    def readings(self) -> tuple[int, ...]:
        """For every card its readings, as bits; the joker goes as any. Only where the table of forms lies open.
        Worked out once a game: the dictionary that keeps it is no field.
        """
        assert self.table is not None
        return (*readings_of_all(self.table), ALL_READINGS)


class Middle(Struct, frozen=True, gc=False):
    """What lies in the middle. `top` is the card that counts, never the joker; None before the deal."""

    pile: int = 0  # cards in it
    top: int | None = None
    said: int | None = None  # the reading it was declared as; None: an undeclared first card
    joker: bool = False  # lies on the top card
    played: tuple[int, ...] = ()  # those put away under it, the earliest first


class Turn(Struct, frozen=True, gc=False):
    seat: int
    drawn: bool = False  # a card, in this turn
    pending: Play | None = None  # waits for answers; has left the hand, is not yet the top card
    owes: int | None = None  # this seat's price is still to be drawn


class Known(Struct, frozen=True, gc=False):
    """What everybody saw go where nobody sees it now."""

    hands: tuple[tuple[int, ...], ...]  # cards taken back, a seat
    bottom: bool = False  # the joker lies at the bottom of the pile


class Stall(Struct, frozen=True, gc=False):
    """How long nothing has happened (§16)."""

    passes: int = 0  # in a row
    turns: int = 0  # in which no play stood and no card was drawn


class Public(Struct, frozen=True, gc=False):
    terms: Terms
    middle: Middle
    turn: Turn
    acting: tuple[int, ...]  # who is to act; nobody while cards have to be shuffled
    hands: tuple[int, ...]  # how many cards a seat holds
    out: tuple[int, ...]  # who has got rid of all cards, the first first
    known: Known
    stall: Stall
    end: Literal["out-of-cards", "blocked"] | None
    news: tuple[News, ...]


class Own(Struct, frozen=True, gc=False):
    hand: tuple[int, ...] = ()  # as received: dealt, drawn, taken back
    drawn: int | None = None  # the card drawn in this turn: no other may be played
    news: tuple[Drawn, ...] = ()


class Hidden(Struct, frozen=True, gc=False):
    pile: tuple[int, ...]  # the next card first
    table: Table | None  # the table of forms, if it lies face down


GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]
Finished = FinishedGame[Public, Own, Hidden, News]
InClass = ClassGame[Public, Own, Hidden, News]


def written(p: Public, card: int) -> str:
    """What stands on a card, if it is one."""
    return p.terms.forms[card] if 0 <= card < len(p.terms.forms) else JOKER_NAME
