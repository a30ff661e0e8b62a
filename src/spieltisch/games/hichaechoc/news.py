"""What a step tells everybody, in the order of events.

A form is a number, a reading is a cell of the table of forms (`agreement`), a seat is a seat.
"""

from msgspec import Struct

from spieltisch.games.hichaechoc.agreement import Table


class TurnedUp(Struct, frozen=True, gc=False, tag=True):
    """The cards are dealt, and this one lies in the middle. `joker`: the joker turned up first and went
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
    """The verdict of the table of forms after `by` contested the play of `seat`. Everybody saw it; it is face down
    again.

    `readings` are all readings of the contested form. It was laid on `top`, which counted as `said`. `beneath` are all
    readings of an undeclared first card, looked up only if the play was not wrong by itself.
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
    """A card went from the pile to the hand. Only its owner learns `form`, except for the joker that everybody saw go
    under the pile.
    """

    seat: int
    form: int | None


class Fined(Struct, frozen=True, gc=False, tag=True):
    """The seat has to draw for an unjustified contest."""

    seat: int


class Shuffled(Struct, frozen=True, gc=False, tag=True):
    """The played cards, this many, are the new pile."""

    cards: int


class Passed(Struct, frozen=True, gc=False, tag=True):
    seat: int


class Finished(Struct, frozen=True, gc=False, tag=True):
    """The seat has got rid of its last card."""

    seat: int


class Blocked(Struct, frozen=True, gc=False, tag=True):
    """Nobody can go on: the game is over."""


News = TurnedUp | Played | JokerPlayed | Accepted | Judged | Drawn | Fined | Shuffled | Passed | Finished | Blocked
