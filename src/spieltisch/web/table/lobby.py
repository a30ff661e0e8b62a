"""Before the game: choosing its options, starting. `core.opening` opens tables."""

from msgspec.structs import replace

from spieltisch.game import Invalid
from spieltisch.table.lobby import without_free_chairs
from spieltisch.table.log import DAY, TableSetup
from spieltisch.table.table import Table
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.http.forms import Fields
from spieltisch.web.core.services import Services
from spieltisch.web.core.view import option_fields, ways
from spieltisch.web.core.view.option_fields import DAYS
from spieltisch.web.table.command import CommandResult


async def choose(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Set the game's options and times, or all of them by a way to play. Raises Invalid if they are none of the
    choices, or if the rules refuse that way here.
    """
    form: dict[str, list[str]] = {}
    for name, value in fields:
        form.setdefault(name, []).append(value)

    def change(setup: TableSetup) -> TableSetup:
        actor.require_owner(setup)
        setup = replace(setup, first=False)
        if form.keys() == {"first"}:
            return setup
        if "way" in form:
            return ways.with_way(table.package, setup, form["way"][-1], services.host.library)
        if "seconds" in form:
            setup = replace(setup, answer_seconds=_seconds(form["seconds"][-1]))
        if "turn_seconds" in form:
            text = form["turn_seconds"][-1]
            slow = text in {str(n * round(DAY)) for n in DAYS}
            setup = replace(setup, turn_seconds=float(text) if slow else _seconds(text))
        if set(form) <= {"seconds", "turn_seconds"}:
            return setup
        top = option_fields.choose(table.package, setup.top, form, services.host.library, actor.decks)
        return replace(setup, top=top)

    await services.host.change(table.id, change)
    return CommandResult()


def _seconds(text: str) -> float | None:
    if text in {"", "0", "off"}:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 5 <= int(text) <= 600):
        raise Invalid("Choose 5 to 600 seconds, or no limit.")
    return float(text)


async def start(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Begin. Free chairs are put away if enough others are left; Illegal if not."""

    def ready(setup: TableSetup) -> TableSetup:
        actor.require_owner(setup)
        return without_free_chairs(table.package, setup)

    await services.host.change(table.id, ready)
    await services.host.start(table.id)
    await services.use_decks(table.setup.decks, played=True)
    return CommandResult()
