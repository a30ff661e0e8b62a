"""The JSON that programs send to `/api`, and get from there."""

from typing import Any

from msgspec import Struct


class Choice(Struct, frozen=True):
    """The game and your name. `seats` counts all seats; bots take the others.

    In games for one player `deal` is the number of a deal, `preset` a set of options, and `race` the table to race
    with, or "new".
    """

    game: str
    seats: int | None = None
    name: str = ""
    deal: int | str = ""
    preset: str = ""
    race: str = ""


class Opened(Struct, frozen=True):
    """The new table. The token opens your seat, and gives you the rights of the person who opened the table."""

    table: str
    seat: int
    token: str


class Name(Struct, frozen=True):
    """Your name at the table, and the seat you take or ask for (null: any)."""

    name: str = ""
    seat: int | None = None


class Seat(Struct, frozen=True):
    """Your seat, and the token that opens it. If `seat` is null you have asked for one, and the token opens it once
    somebody at the table agrees.
    """

    seat: int | None
    token: str


class Permission(Struct, frozen=True):
    """Whether a person who asked for a seat may sit down. `ask` is the request's number in the table's `asking`."""

    ask: int
    yes: bool


class Answer(Struct, frozen=True):
    """Your answer to your seat's question: one of `legal`."""

    question: int
    action: dict[str, Any]


class Asked(Struct, frozen=True):
    """The question you answer."""

    question: int


class Ready(Struct, frozen=True):
    """Whether you play in the next game."""

    plays: bool = True


class NewStart(Struct, frozen=True):
    """Propose to restart the game with this `value` of an `option`, one of the table's `may_propose`; or answer a
    proposal with `yes`. With neither, you confirm that you have read a refusal.
    """

    option: str = ""
    value: str = ""
    yes: bool | None = None

    def fields(self) -> list[tuple[str, str]]:
        """Return the same as fields of a form."""
        said = "" if self.yes is None else "true" if self.yes else "false"
        return [(self.option, self.value)] if self.option else [("yes", said)]


class Took(Struct, frozen=True):
    """The message is in the table's log. `moot`: other answers had settled the question before it came."""

    moot: bool = False
    seq: int = 0
    hint: Any = None
    rematch: str = ""
