"""Preparing, changing and ending the lesson of a class."""

import re
from collections.abc import Iterable, Sequence

from spieltisch import games, options
from spieltisch.classroom import classroom
from spieltisch.classroom.classroom import Classroom, Plan
from spieltisch.game import Invalid
from spieltisch.table import lobby
from spieltisch.table.log import Chair, TableSetup, deck_names
from spieltisch.table.names import tidy
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.forms import Fields, field, is_number
from spieltisch.web.core.services import Services
from spieltisch.web.core.view import option_fields, ways

SIZES = range(2, 7)  # of tables
MINUTES = (20, 30, 45, 60, 90)
CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
LONGEST = 40  # characters of a class's name


async def plan_of(services: Services, fields: Fields, held: Sequence[str] = ()) -> Plan:
    """As `_plan`; decks are read beside the server."""
    return await services.host.library.reading(lambda: _plan(services, fields, held))


def _plan(services: Services, fields: Fields, held: Sequence[str]) -> Plan:
    """The plan that a form says, also with private decks that are `held`; Invalid where something of it cannot be had,
    or does not go together.
    """
    package = games.package(field(fields, "game"))
    if package.rules.seats[-1] == 1:
        raise Invalid("This is a game for one. Choose another one for a class.")
    size, minutes = _one_of(fields, "size", SIZES), _one_of(fields, "minutes", MINUTES)
    if size > (most := package.rules.seats[-1]):
        raise Invalid("A table of this game seats {most} at most.", most=most)
    level = field(fields, f"{package.name}:level")
    if level not in {"", *package.bot.levels}:
        raise Invalid("The bots of this game have no such level.")
    form: dict[str, list[str]] = {}
    decided = ways.decided(package)
    for field_name, value in fields:
        prefix, _, name = field_name.partition(":")
        if prefix == package.name and (value or name not in decided):
            form.setdefault(name, []).append(value)
    library, now = services.host.library, services.host.clock()
    setup = TableSetup("", package.name, dict(package.record.default), (Chair(),) * size, created=now)
    if (way := form.pop("way", [""])[-1]) in package.page.ways:
        setup = ways.with_way(package, setup, way, library)
    kept = {name: [_text(value)] for name, value in options.chosen(setup.top).items() if name not in form}
    kept["filter-level"] = options.wanted(setup.top).get("level", [])
    top = option_fields.choose(package, setup.top, kept | form, library, held)
    lobby.require_fits(package, top, size, library)
    return Plan(
        package.name, top, setup.turn_seconds, level, size, minutes, _clock_of(fields), _zone_of(fields),
        last=field(fields, "last") == "1", same=field(fields, "same") == "1",
    )  # fmt: skip


def _clock_of(fields: Fields) -> str:
    """A time of the day; "" for none. Invalid for what is neither."""
    text = field(fields, "until")
    if text and not CLOCK.fullmatch(text):
        raise Invalid("Enter the end as a time such as 10:35.")
    return text


def _zone_of(fields: Fields) -> int | None:
    """How many minutes the browser's clock is east of Greenwich; None where it does not say."""
    text = field(fields, "zone")
    return int(text) if is_number(text.removeprefix("-"), 3) and abs(int(text)) <= 14 * 60 else None


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _one_of(fields: Fields, name: str, choices: Iterable[int]) -> int:
    text = field(fields, name)
    if not is_number(text, 3) or int(text) not in choices:
        raise Invalid("This is not one of the choices.")
    return int(text)


def strips_of(fields: Fields) -> int:
    """How many strips a form asks for; Invalid for a number that a class cannot have."""
    text = field(fields, "strips") or "0"
    most = classroom.MOST
    if not is_number(text, 3) or not (int(text) == 0 or classroom.LEAST_STRIPS <= int(text) <= most):
        raise Invalid("A class has {least} to {most} strips, or none.", least=classroom.LEAST_STRIPS, most=most)
    return int(text)


async def prepare(services: Services, client: Client, fields: Fields) -> Classroom:
    """A new class with the plan of its first lesson. Invalid as above, TooMany for an address that makes too many."""
    services.limits.require("make", client.address)
    title = tidy(field(fields, "title"), LONGEST) or client.tr._("Class")
    plan, strips = await plan_of(services, fields, own_decks(services, client)), strips_of(fields)
    services.require_room(client, "classes")
    await services.use_decks(deck_names(plan.top))
    return await services.classes.make(title, client.lang, plan, strips)


def own_decks(services: Services, client: Client, plan: Plan | None = None) -> tuple[str, ...]:
    """The private decks that who leads a class may choose: whose key their browser has, and those of its `plan`."""
    return (*services.actor(client).decks, *(() if plan is None else deck_names(plan.top)))


async def change_plan(services: Services, room: Classroom, fields: Fields, held: Sequence[str] = ()) -> Classroom:
    """Another plan, name or number of strips; what is played already stays."""
    plan, strips = await plan_of(services, fields, held), strips_of(fields)
    title = tidy(field(fields, "title"), LONGEST)
    return await services.classes.change(room.id, lambda old: classroom.planned(old, plan, title or old.title, strips))


async def next_lesson(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """The lesson is over: it is counted, its tables are gone with all names, and the class waits for the next one."""
    return await services.classes.end_lesson(room)


async def delete(services: Services, room: Classroom, _fields: Fields) -> None:
    """The class is gone, with its tables."""
    await services.classes.delete(room.id)
