"""What programs send and get: the shapes of the JSON below `/api`."""

from typing import Any

from msgspec import Struct


class Choice(Struct, frozen=True):
    """Which game, and how one is called; `seats` with all seats, the others bots.

    In games for one `deal` is the number of a deal, `preset` a choice of options, `race` the table to race with, or
    "new".
    """

    game: str
    seats: int | None = None
    name: str = ""
    deal: int | str = ""
    preset: str = ""
    race: str = ""


class Opened(Struct, frozen=True):
    """A table was opened. The token opens the seat, and the table to who opened it."""

    table: str
    seat: int
    token: str


class Name(Struct, frozen=True):
    """How one is called at the table, and which seat one takes or asks for (null: any)."""

    name: str = ""
    seat: int | None = None


class Seat(Struct, frozen=True):
    """The seat that was taken, and the token that opens it from now on. `seat` null: it has been asked for, and the
    token opens it as soon as somebody says yes.
    """

    seat: int | None
    token: str


class Permission(Struct, frozen=True):
    """Whether somebody who asks for a seat may sit down; `ask` is its number in the table's `asking`."""

    ask: int
    yes: bool


class Answer(Struct, frozen=True):
    """An answer to a seat's question: one of `legal`."""

    question: int
    action: dict[str, Any]


class Asked(Struct, frozen=True):
    """The question that this is about."""

    question: int


class Ready(Struct, frozen=True):
    """Whether one plays in the next game."""

    plays: bool = True


class NewStart(Struct, frozen=True):
    """Propose that the game begins anew with this `value` of an `option`, one of the table's `may_propose`; or answer
    the proposal: `yes`. Neither: a refused proposal has been read.
    """

    option: str = ""
    value: str = ""
    yes: bool | None = None

    def fields(self) -> list[tuple[str, str]]:
        """The fields of a form that says the same."""
        said = "" if self.yes is None else "true" if self.yes else "false"
        return [(self.option, self.value)] if self.option else [("yes", said)]


class Took(Struct, frozen=True):
    """What was sent is in the table's log; `moot`: others' answers had ended the question before it came."""

    moot: bool = False
    seq: int = 0
    hint: Any = None
    rematch: str = ""
