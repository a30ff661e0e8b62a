"""Before the game: opening a table, choosing its options, starting."""

from typing import Any

from msgspec.structs import replace

from spieltisch.game import Invalid
from spieltisch.games import GamePackage
from spieltisch.table import chairs, seat_keys
from spieltisch.table.lobby import without_free_chairs
from spieltisch.table.log import TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.web.access.actor import Actor
from spieltisch.web.commands.command import CommandResult
from spieltisch.web.http.forms import Fields
from spieltisch.web.services import Services
from spieltisch.web.view import option_fields, ways


async def open_table(
    services: Services,
    package: GamePackage,
    actor: Actor,
    *,
    bots: int | None,
    name: str,
    top: dict[str, Any] | None = None,
    deal: int = 0,
    winnable: bool = False,
    last: TableSetup | None = None,
) -> tuple[str, str]:
    """A new table with its opener in the first seat; with `bots`, these sit down too and the game begins.

    `top` is what is chosen, None what was at their `last` table, as far as it goes, or the game's default; `deal` the
    number of its deal, `winnable` if it was chosen because it can be won.

    Returns the code and the opener's key. Invalid if the choice is bad.
    """
    key = seat_keys.new_key()
    least, most = package.rules.seats[0], package.rules.seats[-1]
    n = max(least, min(4, most)) if bots is None else 1 + bots
    package.require_seats(n)
    now = services.host.clock()
    try:
        setup = await services.host.open(package.name, n, last.top if last else top, key_of(key), actor.lang, deal)
    except Invalid:
        if last is None:
            raise
        last, setup = None, await services.host.open(package.name, n, top, key_of(key), actor.lang, deal)

    def sit_down(setup: TableSetup) -> TableSetup:
        if last is not None:
            setup = replace(setup, answer_seconds=last.answer_seconds, turn_seconds=last.turn_seconds)
        setup = replace(setup, winnable=winnable, first=bots is None and last is None and top is None)
        setup = chairs.with_chair(setup, 0, chairs.person(name or actor.name, key, actor.lang, setup, now))
        for seat in range(1, n if bots is not None else 1):
            setup = chairs.with_chair(setup, seat, chairs.bot(setup, actor.lang))
        return setup

    await services.host.change(setup.id, sit_down)
    if bots is not None:
        await services.host.start(setup.id)
        await services.use_decks(setup.decks, played=True)
    return setup.id, key


def bots_at_once(package: GamePackage) -> int:
    """How many bots join where somebody plays at once."""
    return max(0, min(3, package.rules.seats[-1]) - 1)


async def choose(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Set the game's options and the times to answer and to move, or all by a way to play. Invalid if they are none of
    the choices, or if the rules refuse that way here.
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
            setup = replace(setup, turn_seconds=_seconds(form["turn_seconds"][-1]))
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
        raise Invalid("A time is 5 to 600 seconds, or none.")
    return float(text)


async def start(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Begin. Chairs that nobody took are put away, where enough are left; Illegal where not."""

    def ready(setup: TableSetup) -> TableSetup:
        actor.require_owner(setup)
        return without_free_chairs(table.package, setup)

    await services.host.change(table.id, ready)
    await services.host.start(table.id)
    await services.use_decks(table.setup.decks, played=True)
    return CommandResult()
