"""What a command is: something that a person or program does at a table."""

from collections.abc import Awaitable, Callable

from msgspec import Struct

from spieltisch.i18n import Translator
from spieltisch.table.table import Table
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.http.forms import Fields
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.hints import Hint


class CommandResult(Struct, frozen=True):
    """The result of a command."""

    key: str = ""  # the actor's key at the table, if they had to get one
    go: str = ""  # where to go from here: a path below the sub-path
    hint: Hint | None = None
    moot: bool = False  # others' answers had ended the question before this one came
    note: str = ""  # what is said of it, in the actor's language
    seat: int | None = None
    name: str = ""  # what the person called themselves, to be remembered

    def words(self, tr: Translator) -> str:
        """Return what to say if the result cannot be seen at the table; else ""."""
        return tr._("Somebody else was faster.") if self.moot else self.note


# A command takes the services, the table, who does it, and the form's fields. Refusals are raised.
Command = Callable[[Services, Table, Actor, Fields], Awaitable[CommandResult]]
