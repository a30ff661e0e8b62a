"""What is done in a class: its lesson is prepared, pupils come, and who leads it deals them to tables, moves them,
pauses and ends their games. `LEADING` names what only that person does, as it is posted.
"""

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable, Iterable

from msgspec.structs import replace

from spieltisch import games
from spieltisch.classroom import classroom, groups
from spieltisch.classroom.classroom import Classroom, ClassTable, Plan, Pupil
from spieltisch.classroom.groups import Group
from spieltisch.game import Illegal, Invalid
from spieltisch.games import GamePackage
from spieltisch.table.host import Missing
from spieltisch.table.log import Chair, TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.web.access import chairs
from spieltisch.web.chat import Voice
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import Fields, field, is_number
from spieltisch.web.http.problems import Forbidden
from spieltisch.web.services import Services
from spieltisch.web.view import option_fields, ways

SIZES = range(2, 7)  # of tables
MINUTES = (20, 30, 45, 60, 90)
LONGEST = 40  # characters of a class's name

Leading = Callable[[Services, Classroom, Fields], Awaitable[Classroom | None]]  # None: the class is gone


# -- before the lesson ---------------------------------------------------------------------------------------


def plan_of(services: Services, fields: Fields) -> Plan:
    """The plan that a form says; Invalid where something of it cannot be had, or does not go together."""
    package = games.package(field(fields, "game"))
    if package.rules.seats[-1] == 1:
        raise Invalid("This game is played alone: choose another one for a class.")
    size, minutes = _one_of(fields, "size", SIZES), _one_of(fields, "minutes", MINUTES)
    if size > package.rules.seats[-1]:
        package.require_seats(size)
    level = field(fields, f"{package.name}:level")
    if level not in {"", *package.bot.levels}:
        raise Invalid("The bots of this game have no such level.")
    form: dict[str, list[str]] = {}
    for name, value in fields:
        if name.startswith(f"{package.name}:"):
            form.setdefault(name.partition(":")[2], []).append(value)
    library, now = services.host.library, services.host.clock()
    setup = TableSetup("", package.name, dict(package.record.default), (Chair(),) * size, created=now)
    if (way := form.pop("way", [""])[-1]) in package.page.ways:
        setup = ways.with_way(package, setup, way, library)
    kept = {name: [_text(value)] for name, value in setup.top.get("options", {}).items() if name not in form}
    kept["filter-level"] = setup.top.get("filter", {}).get("level", [])
    top = option_fields.choose(package, setup.top, kept | form, library)
    services.host.require_goes_together(package, size, top)
    return Plan(package.name, top, setup.turn_seconds, level, size, minutes)


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
        raise Invalid("There are {least} to {most} strips, or none.", least=classroom.LEAST_STRIPS, most=most)
    return int(text)


async def prepare(services: Services, client: Client, fields: Fields) -> Classroom:
    """A new class with the plan of its first lesson. Invalid as above, TooMany for an address that makes too many."""
    services.limits.require("make", client.address)
    title = chairs.tidy(field(fields, "title"), LONGEST) or client.tr._("Class")
    return await services.classes.make(title, client.lang, plan_of(services, fields), strips_of(fields))


async def change_plan(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Another plan, name or number of strips; what is played already stays."""
    plan, strips, title = plan_of(services, fields), strips_of(fields), chairs.tidy(field(fields, "title"), LONGEST)
    return await services.classes.change(
        room.id, lambda old: replace(old, plan=plan, strips=strips, title=title or old.title)
    )


async def next_lesson(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """The lesson is over: its tables are gone with all names, and the class is ready for the next one."""
    await services.classes.clear(room)
    return await services.classes.change(room.id, classroom.next_lesson)


async def delete(services: Services, room: Classroom, _fields: Fields) -> None:
    """The class is gone, with its tables."""
    await services.classes.delete(room.id)


# -- pupils come ---------------------------------------------------------------------------------------------


async def join_class(services: Services, client: Client, room: Classroom, strip: str) -> tuple[Classroom, Pupil]:
    """A pupil comes: with the code of their strip, or ("") with the one on the wall. A browser's pupil stays the same.
    Forbidden for a code that is nobody's, and for who was taken out.
    """
    if strip:
        number = services.class_keys.number_of(room, strip)
        if number is None:
            services.limits.require("guess", client.address)
            raise Forbidden("This strip is not valid any more. Ask for a new one.")
    else:
        number = services.class_keys.pupil(client.cookies, room)
    pupil: Pupil | None = None

    def come(old: Classroom) -> Classroom:
        nonlocal pupil
        new, pupil = classroom.came(old, number, secrets.SystemRandom())
        return new

    room = await services.classes.change(room.id, come)
    assert pupil is not None
    if pupil.removed:
        raise Forbidden("You were taken out of this lesson. Who leads it can let you in again.")
    return room, pupil


async def other_name(services: Services, client: Client, room: Classroom) -> Classroom:
    """Another pseudonym for this browser's pupil; Forbidden if it is none."""
    number = services.class_keys.pupil(client.cookies, room)
    if number is None:
        raise Forbidden("You are not in this class yet.")
    return await services.classes.change(room.id, lambda old: classroom.renamed(old, number, secrets.SystemRandom()))


async def seat_of_pupil(services: Services, client: Client, room: Classroom) -> Table | None:
    """The table where this browser's pupil sits; whoever had left plays on. None if they have no table."""
    number = services.class_keys.pupil(client.cookies, room)
    found = "" if number is None else room.table_of(number)
    if number is None or not found:
        return None
    table, key = await newest(services, found), services.class_keys.pupil_key(room, number)
    await services.host.change(table.id, lambda setup: chairs.back(setup, key))
    return table


async def tables_of(services: Services, room: Classroom) -> list[Table]:
    """The newest game at each table of the lesson."""
    return [await newest(services, table.id) for table in room.tables]


async def newest(services: Services, code: str) -> Table:
    """The newest game at a table of the class."""
    return await services.newest(await services.host.table(code))


# -- tables --------------------------------------------------------------------------------------------------


async def deal(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Deal all who are here to tables: `way` is random, number, label, before or mixer. Tables that there are already
    are closed. Illegal where nobody is here, or if somebody has dealt meanwhile (`dealt` is the first table that the
    form knew of); Invalid for another way.
    """
    if field(fields, "dealt") != _dealt(room):
        raise Illegal("The pupils have been dealt to tables already.")
    pupils = [one.number for one in room.here]
    if not pupils:
        raise Illegal("Nobody is here yet.")
    package = games.package(room.plan.game)
    each, dice = groups.sizes(len(pupils), room.plan.size, package.rules.seats[-1]), secrets.SystemRandom()
    match field(fields, "way"):
        case "random":
            found = groups.at_random(pupils, each, dice)
        case "number":
            found = groups.in_turn(sorted(pupils), each)
        case "label":
            found = groups.by_label(pupils, each, {one.number: one.label for one in room.here})
        case "before" if room.before:
            found = groups.as_before(pupils, each, room.before[-1])
        case "mixer":
            found = groups.mixed(pupils, each, room.before, dice)
        case _:
            raise Invalid("This is not one of the choices.")
    opened = await _open_tables(services, room, found)

    def put(old: Classroom) -> Classroom:
        if _dealt(old) != _dealt(room):
            raise Illegal("The pupils have been dealt to tables already.")
        return classroom.dealt(old, opened, services.host.clock())

    try:
        new = await services.classes.change(room.id, put)
    except Illegal:
        for table in opened:
            await services.host.delete(table.id)
        raise
    for table in room.tables:
        await services.host.close((await newest(services, table.id)).id)
    return new


def _dealt(room: Classroom) -> str:
    return room.tables[0].id if room.tables else ""


async def seat_waiting(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """All who wait get a seat: of a bot, at the table with the fewest people; where there is none, at tables of their
    own. Illegal if nobody waits.
    """
    waiting = [one.number for one in room.waiting]
    if not waiting:
        raise Illegal("Nobody waits for a seat.")
    while waiting:
        free = [table for table in await tables_of(services, room) if _bots_seat(table.setup) is not None]
        if not free:
            break
        table = min(free, key=lambda one: sum(chair.kind == "person" for chair in one.setup.chairs))
        room = await _sit(services, room, waiting.pop(0), table)
    if waiting:
        most = games.package(room.plan.game).rules.seats[-1]
        each = groups.sizes(len(waiting), room.plan.size, most)
        opened, now = await _open_tables(services, room, groups.in_turn(waiting, each)), services.host.clock()
        room = await services.classes.change(
            room.id, lambda old: replace(old, tables=(*old.tables, *opened), begun=old.begun or now)
        )
    return room


async def move(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Put a pupil at another table, in a bot's place; a bot takes their old seat. `to` is the table's number in the
    lesson, from 1: Invalid for one that there is not, Illegal where no seat is a bot's.
    """
    pupil, to = _pupil(room, fields), field(fields, "to")
    if not is_number(to, 3) or not 1 <= int(to) <= len(room.tables):
        raise Invalid("There is no such table in this lesson.")
    target = room.tables[int(to) - 1].id
    if room.table_of(pupil.number) == target:
        return room
    return await _sit(services, room, pupil.number, await newest(services, target))


async def _sit(services: Services, room: Classroom, number: int, table: Table) -> Classroom:
    """A pupil gets a bot's seat at this table, and a bot theirs where they sat before."""
    pupil, key = room.pupil(number), services.class_keys.pupil_key(room, number)
    assert pupil is not None
    old, now = room.table_of(number), services.host.clock()

    def take(setup: TableSetup) -> TableSetup:
        seat = _bots_seat(setup)
        if setup.stage != "playing":
            raise Illegal("At this table the game is over.")
        if seat is None:
            raise Illegal("At this table no bot has a seat to give.")
        return chairs.with_chair(setup, seat, chairs.person(pupil.name, key, room.lang, setup, now, seat))

    await services.host.change(table.id, take)
    if old:
        await _give_up(services, room, number, old)
    code = next(one.id for one in room.tables if table.id.startswith(one.id))
    return await services.classes.change(room.id, lambda one: classroom.moved(one, number, code))


def _bots_seat(setup: TableSetup) -> int | None:
    if setup.stage != "playing":
        return None
    return next((seat for seat, chair in enumerate(setup.chairs) if chair.kind == "bot"), None)


async def _give_up(services: Services, room: Classroom, number: int, code: str) -> None:
    """A bot takes this pupil's seat at a table; where no pupil is left, that table is closed."""
    try:
        table = await newest(services, code)
    except Missing:
        return
    key = key_of(services.class_keys.pupil_key(room, number))

    def go(setup: TableSetup) -> TableSetup:
        for seat, chair in enumerate(setup.chairs):
            if chair.key == key:
                setup = chairs.with_chair(setup, seat, _bot(room, setup))
        return setup

    setup = await services.host.change(table.id, go)
    if setup.stage == "playing" and all(chair.kind != "person" for chair in setup.chairs):
        await services.host.close(table.id)


def _bot(room: Classroom, setup: TableSetup) -> Chair:
    return replace(chairs.bot(setup, room.lang), level=games.package(setup.game).level(room.plan.level))


async def _open_tables(services: Services, room: Classroom, found: Iterable[Group]) -> list[ClassTable]:
    return list(await asyncio.gather(*(_open(services, room, group) for group in found)))


async def _open(services: Services, room: Classroom, group: Group) -> ClassTable:
    """A table with these pupils, and bots in the seats that stay free; its game begins."""
    plan, keys, package = room.plan, services.class_keys, games.package(room.plan.game)
    n = _seats(package, plan, len(group))
    owner = key_of(keys.teacher_key(room.id))
    setup = await services.host.open(plan.game, n, plan.top, owner, room.lang, classroom=room.id)
    order, now = list(group), services.host.clock()
    random.shuffle(order)

    def sit_down(setup: TableSetup) -> TableSetup:
        for seat in range(n):
            pupil = room.pupil(order[seat]) if seat < len(order) else None
            if pupil is None:
                chair = _bot(room, setup)
            else:
                key = keys.pupil_key(room, pupil.number)
                chair = chairs.person(pupil.name, key, room.lang, setup, now, seat)
            setup = chairs.with_chair(setup, seat, chair)
        return replace(setup, turn_seconds=plan.turn_seconds)

    await services.host.change(setup.id, sit_down)
    await services.host.start(setup.id)
    return ClassTable(setup.id, group)


def _seats(package: GamePackage, plan: Plan, pupils: int) -> int:
    """How many chairs a table has: with bots as many as planned, else as pupils, and as the game needs."""
    return max(pupils, plan.size if plan.level else 0, package.rules.seats[0])


# -- pupils one by one ---------------------------------------------------------------------------------------


def _pupil(room: Classroom, fields: Fields) -> Pupil:
    number = field(fields, "pupil")
    found = room.pupil(int(number)) if is_number(number, 2) else None
    if found is None:
        raise Invalid("There is no such pupil in this lesson.")
    return found


async def remove(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Take a pupil out of the lesson; a bot plays on. They can be let in again."""
    pupil = _pupil(room, fields)
    if (table := room.table_of(pupil.number)) != "":
        await _give_up(services, room, pupil.number, table)
    return await services.classes.change(
        room.id,
        lambda old: classroom.moved(classroom.with_pupil(old, pupil.number, removed=True), pupil.number, ""),
    )


async def admit(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Let somebody in again who was taken out."""
    number = _pupil(room, fields).number
    return await services.classes.change(room.id, lambda old: classroom.with_pupil(old, number, removed=False))


async def label(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Put a label on a pupil, by which tables can be filled."""
    number, said = _pupil(room, fields).number, field(fields, "label")
    return await services.classes.change(room.id, lambda old: classroom.labelled(old, number, said))


async def renew_strip(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Another code for a number: the strip is void, and whoever came with it is out until they have the new one. The
    seat waits for them.
    """
    text = field(fields, "pupil")
    number = int(text) if is_number(text, 2) else 0
    old_key = key_of(services.class_keys.pupil_key(room, number))
    new = await services.classes.change(room.id, lambda old: classroom.anew(old, number))
    new_key = key_of(services.class_keys.pupil_key(new, number))
    if (code := room.table_of(number)) != "":

        def renew(setup: TableSetup) -> TableSetup:
            told = (replace(one, key=new_key) if one.key == old_key else one for one in setup.chairs)
            return replace(setup, chairs=tuple(told))

        await services.host.change((await newest(services, code)).id, renew)
    return new


# -- while they play -----------------------------------------------------------------------------------------


async def _tables(services: Services, room: Classroom, fields: Fields) -> list[Table]:
    """The table that the fields name by its number, or all."""
    wanted = field(fields, "table")
    if wanted and not (is_number(wanted, 3) and 1 <= int(wanted) <= len(room.tables)):
        raise Invalid("There is no such table in this lesson.")
    named = room.tables[int(wanted) - 1 : int(wanted)] if wanted else room.tables
    return [await newest(services, table.id) for table in named]


def _paused(setup: TableSetup, *, paused: bool) -> TableSetup:
    return replace(setup, paused=paused) if setup.stage == "playing" and len(setup.chairs) > 1 else setup


async def pause(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Pause one table or all."""
    found = await _tables(services, room, fields)
    await asyncio.gather(*(services.host.change(one.id, lambda setup: _paused(setup, paused=True)) for one in found))
    return room


async def resume(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """One table or all go on."""
    found = await _tables(services, room, fields)
    await asyncio.gather(*(services.host.change(one.id, lambda setup: _paused(setup, paused=False)) for one in found))
    return room


async def nudge(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Remind a table that it is waited for."""
    for table in await _tables(services, room, fields):
        services.chat.say(table.id, Voice(None))
    return room


async def stop(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Close one table or all whose games are not over."""
    for table in await _tables(services, room, fields):
        if table.setup.stage in {"waiting", "playing"}:
            await services.host.close(table.id)
    return room


LEADING: dict[str, Leading] = {
    "plan": change_plan,
    "next": next_lesson,
    "delete": delete,
    "deal": deal,
    "seat-waiting": seat_waiting,
    "move": move,
    "remove": remove,
    "admit": admit,
    "label": label,
    "renew": renew_strip,
    "pause": pause,
    "resume": resume,
    "nudge": nudge,
    "stop": stop,
}
