"""What a step tells everybody, in the order in which it happened.

A form is a number, a reading is a cell of the table of forms (`agreement`), a seat is a seat.
"""

from msgspec import Struct

from spieltisch.games.hichaechoc.agreement import Table


class TurnedUp(Struct, frozen=True, gc=False, tag=True):
    """The cards are dealt and this one lies in the middle. `joker`: before it the joker came up and went
    under the pile.
    """

    form: int
    joker: bool


class Played(Struct, frozen=True, gc=False, tag=True):
    seat: int
    form: int
    reading: int


class JokerPlayed(Struct, frozen=True, gc=False, tag=True):
    seat: int


class Accepted(Struct, frozen=True, gc=False, tag=True):
    seat: int


class Judged(Struct, frozen=True, gc=False, tag=True):
    """What the table of forms said when `by` contested the play of `seat`: all saw it, then it is face down again.

    `readings` are all that the contested form has. It was laid on `top`, which counted as `said`. `beneath`
    are all readings of an undeclared first card, looked up if the play was not wrong by itself; else none.
    """

    seat: int
    by: int
    form: int
    reading: int
    readings: tuple[int, ...]
    top: int
    said: int | None
    beneath: tuple[int, ...]
    right: bool
    table: Table


class Drawn(Struct, frozen=True, gc=False, tag=True):
    """A card came from the pile into the hand. Everybody is told `form` only of the joker that everybody saw
    go under the pile; who drew is always told.
    """

    seat: int
    form: int | None


class Fined(Struct, frozen=True, gc=False, tag=True):
    """The seat has to draw for a contest that was not justified."""

    seat: int


class Shuffled(Struct, frozen=True, gc=False, tag=True):
    """The played cards are the new pile, so many of them."""

    cards: int


class Passed(Struct, frozen=True, gc=False, tag=True):
    seat: int


class Finished(Struct, frozen=True, gc=False, tag=True):
    """The seat has got rid of its last card."""

    seat: int


class Blocked(Struct, frozen=True, gc=False, tag=True):
    """Nobody gets any further: the game is over."""


News = TurnedUp | Played | JokerPlayed | Accepted | Judged | Drawn | Fined | Shuffled | Passed | Finished | Blocked
