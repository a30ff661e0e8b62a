"""Who does something at a table, what of a form they sent, and what came of it: what all deeds share."""

from collections.abc import Awaitable, Callable

from msgspec import Struct

from spieltisch.game import Invalid
from spieltisch.table.host import Table
from spieltisch.table.log import TableSetup
from spieltisch.web import answers, device, seats, wire
from spieltisch.web.answers import Fields
from spieltisch.web.house import House
from spieltisch.web.problems import Forbidden
from spieltisch.web.wire import Hint


class Who(Struct, frozen=True):
    """Who does something at a table: their key there, and the language they read."""

    key: str
    lang: str
    name: str = ""
    decks: tuple[str, ...] = ()  # the private ones that they have the key of
    address: str = ""  # whence they ask, for counting only

    def seat(self, setup: TableSetup) -> int | None:
        return seats.seat_of(setup, self.key)

    def owns(self, setup: TableSetup) -> bool:
        return seats.owns(setup, self.key)


class Done(Struct, frozen=True):
    """What came of a deed: a key that was made for it, where to go from here, a hint, a word."""

    key: str = ""
    go: str = ""  # an address below the sub-path
    hint: Hint | None = None
    moot: bool = False
    note: str = ""  # what is said of it, in the person's language
    seat: int | None = None
    name: str = ""  # what the person called themselves, to be remembered


Deed = Callable[[House, Table, Who, Fields], Awaitable[Done]]


def field(fields: Fields, name: str, default: str = "") -> str:
    """The last value of a field."""
    return next((value for key, value in reversed(fields) if key == name), default)


def number(fields: Fields, name: str, below: int) -> int | None:
    """A field that is a number from 0 to below it; None where it is not there."""
    value = field(fields, name)
    if value == "":
        return None
    if not (value.isascii() and value.isdigit() and len(value) < 4 and int(value) < below):
        raise Invalid("This number is not one of the choices.")
    return int(value)


def deal(fields: Fields) -> int:
    """The number of the deal that is asked for, 0 if none is."""
    value = field(fields, "deal")
    if value and not (value.isascii() and value.isdigit() and len(value) <= 12 and int(value)):
        raise Invalid("A deal is named by a number of one to twelve digits.")
    return int(value or 0)


def my_seat(setup: TableSetup, who: Who) -> int:
    seat = who.seat(setup)
    if seat is None:
        raise Forbidden("You have no seat at this table.")
    return seat


def answering(table: Table, who: Who, fields: Fields) -> int:
    """The seat that an answer comes from: of several on one device the one that the form was drawn for. It has to be
    uncovered, unless its question has been answered: then the answer is the same once more, or comes too late.
    """
    setup, mine = table.setup, seats.seats_of(table.setup, who.key)
    if not mine:
        raise Forbidden("You have no seat at this table.")
    if len(mine) == 1:
        return mine[0]
    shown, named = device.eyes(table, mine), number(fields, "as", len(setup.chairs))
    seat = shown if named is None else named
    if seat is None or seat not in mine:
        raise Forbidden("This is not the seat that the device shows.")
    if seat != shown and wire.asked(table, seat) and table.question(seat) == answers.question(fields):
        raise Forbidden("This is not the seat that the device shows.")
    return seat


def only_owner(setup: TableSetup, who: Who) -> None:
    if not who.owns(setup):
        raise Forbidden("Only the person who opened the table can do that.")
