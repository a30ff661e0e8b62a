"""What programs send and get: the shapes of the JSON at the tables' addresses."""

from typing import Any

from msgspec import Struct


class Choice(Struct, frozen=True):
    """Which game; `seats` with all seats, the others bots."""

    game: str
    seats: int | None = None
    name: str = ""


class Opened(Struct, frozen=True):
    """A table was opened. The token opens the seat, and the table to who opened it."""

    table: str
    seat: int
    token: str


class Name(Struct, frozen=True):
    """How one is called at the table, and which free seat one takes (null: any)."""

    name: str = ""
    seat: int | None = None


class Seat(Struct, frozen=True):
    """The seat that was taken, and the token that opens it from now on."""

    seat: int | None
    token: str


class Answer(Struct, frozen=True):
    """An answer to a seat's question: one of `legal`."""

    question: int
    action: dict[str, Any]


class Asked(Struct, frozen=True):
    """The question that this is about."""

    question: int


class Took(Struct, frozen=True):
    """What was sent is in the table's log; `moot`: others' answers had ended the question before it came."""

    moot: bool = False
    seq: int = 0
    hint: Any = None
    rematch: str = ""
