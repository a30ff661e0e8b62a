"""What is done in a class: pupils come, one by one something is done about them, and who leads it pauses and ends their
games. `LEADING` names all that only that person does, as it is posted.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from spieltisch.classroom import classroom
from spieltisch.classroom.classroom import Classroom, Pupil
from spieltisch.game import Illegal, Invalid
from spieltisch.table.log import TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.table.tasks import in_turns
from spieltisch.web.access import chairs
from spieltisch.web.chat import Voice
from spieltisch.web.commands import class_plans, class_tables, debrief, slips
from spieltisch.web.commands.class_tables import give_up, named_pupil, newest
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import Fields, field, is_number
from spieltisch.web.http.problems import Forbidden
from spieltisch.web.services import Services

DEMO = 12  # bots that come as pupils
Leading = Callable[[Services, Classroom, Fields], Awaitable[Classroom | None]]  # None: the class is gone


async def join_class(services: Services, client: Client, room: Classroom, strip: str) -> tuple[Classroom, Pupil]:
    """A pupil comes: with the code of their strip, or ("") with the one on the wall. A browser's pupil stays the same.
    Forbidden for a code that is nobody's, and for who was taken out.
    """
    number = own = services.class_keys.pupil(client.cookies, room)
    if strip:
        number = services.class_keys.number_of(room, strip)
        if number is None or number != own:  # a pupil who guesses others' strips is an address that guesses
            services.guesses.require_left(client.address)
        if number is None:
            services.guesses.require(client.address)
            raise Forbidden("This strip does not open anything. Check each sign; if all are right, ask for a new one.")
    if number is None:
        classroom.came(room, None, secrets.SystemRandom())  # refused where nobody can come, which costs no place
        services.limits.require("join", f"{room.id} {client.address}")
        services.limits.require("join", room.id)
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


async def demo(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """Bots come as pupils, so that somebody can try a lesson alone."""
    return await services.classes.change(room.id, lambda old: classroom.tried(old, DEMO, secrets.SystemRandom()))


async def other_name(services: Services, client: Client, room: Classroom) -> Classroom:
    """Another pseudonym for this browser's pupil; Forbidden if it is none."""
    number = services.class_keys.pupil(client.cookies, room)
    if number is None:
        raise Forbidden("You are not in this class yet.")
    return await services.classes.change(room.id, lambda old: classroom.renamed(old, number, secrets.SystemRandom()))


async def seat_of_pupil(services: Services, client: Client, room: Classroom) -> Table | None:
    """The table where this browser's pupil sits; their key opens it now, and whoever had left plays on. None if they
    have no table.
    """
    number = services.class_keys.pupil(client.cookies, room)
    found = next((one for one in room.tables if number in one.pupils), None)
    if number is None or found is None:
        return None
    table, key = await newest(services, found.id), services.class_keys.pupil_key(room, number)
    if all((one.pupil, one.key) != (number, key_of(key)) for one in table.setup.chairs):  # the key is another one
        async with services.classes.turn(room.id):
            room = await services.classes.get(room.id)
            await class_tables.settle(services, room, room.tables)
        table = await newest(services, found.id)
    await services.host.change(table.id, lambda setup: chairs.back(setup, key))
    return table


async def remove(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Take a pupil out of the lesson; a bot plays on. They can be let in again."""
    pupil = named_pupil(room, fields)
    if (table := room.table_of(pupil.number)) != "":
        await give_up(services, room, pupil.number, table)
    return await services.classes.change(
        room.id,
        lambda old: classroom.moved(classroom.with_pupil(old, pupil.number, removed=True), pupil.number, ""),
    )


async def admit(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Let somebody in again who was taken out."""
    number = named_pupil(room, fields).number
    return await services.classes.change(room.id, lambda old: classroom.with_pupil(old, number, removed=False))


async def label(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Put a label on a pupil, by which tables can be filled."""
    number, said = named_pupil(room, fields).number, field(fields, "label")
    return await services.classes.change(room.id, lambda old: classroom.labelled(old, number, said))


async def renew_strip(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Another code for a number: the strip is void, and whoever came with it is out until they have the new one. The
    seat waits for them.
    """
    text = field(fields, "pupil")
    number = int(text) if is_number(text, 2) else 0
    new = await services.classes.change(room.id, lambda old: classroom.anew(old, number))
    await class_tables.settle(services, new, new.tables)
    return new


async def close_door(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """Nobody comes in any more by the code on the wall. Strips go on opening, and whoever is here comes back."""
    return await services.classes.change(room.id, lambda old: replace(old, closed=True))


async def open_door(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """The code on the wall opens again."""
    return await services.classes.change(room.id, lambda old: replace(old, closed=False))


async def send_away(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """Take out all who wait for a seat. Their numbers are free again; with a strip one can come back."""
    return await services.classes.change(room.id, classroom.without_waiting)


async def _tables(services: Services, room: Classroom, fields: Fields) -> list[Table]:
    """The table that the fields name by its number, or all."""
    wanted = field(fields, "table")
    if wanted and not (is_number(wanted, 3) and 1 <= int(wanted) <= len(room.tables)):
        raise Invalid("There is no such table in this lesson.")
    named = room.tables[int(wanted) - 1 : int(wanted)] if wanted else room.tables
    return [await newest(services, table.id) async for table in in_turns(named)]


def _paused(setup: TableSetup, *, paused: bool) -> TableSetup:
    return replace(setup, paused=paused, waits=False) if setup.stage == "playing" and len(setup.chairs) > 1 else setup


async def pause(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Pause one table or all."""
    found = await _tables(services, room, fields)
    await asyncio.gather(*(services.host.change(one.id, lambda setup: _paused(setup, paused=True)) for one in found))
    return room


async def resume(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """One table or all go on, or begin."""
    found = await _tables(services, room, fields)
    room = await services.classes.change(room.id, lambda old: classroom.begun(old, services.host.clock()))
    await asyncio.gather(*(services.host.change(one.id, lambda setup: _paused(setup, paused=False)) for one in found))
    return room


async def nudge(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Remind a table that it is waited for."""
    for table in await _tables(services, room, fields):
        services.chat.say(table.id, Voice(None))
    return room


async def last_round(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """One table or all play their round to its end; then the game is broken off. Illegal where the rules know no order
    before the end.
    """
    async for table in in_turns(await _tables(services, room, fields)):
        try:
            if _is_played(table):
                await services.host.call_last_round(table.id)
        except Illegal:
            if _is_played(table):  # else its game has ended just now, which is in no other table's way
                raise
    return room


def _is_played(table: Table) -> bool:
    return table.setup.stage == "playing" and table.result is None


async def stop(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Close one table or all whose games are not over."""
    async for table in in_turns(await _tables(services, room, fields)):
        if table.setup.stage in {"waiting", "playing"}:
            await services.host.close(table.id)
    return room


LEADING: dict[str, Leading] = {
    "plan": class_plans.change_plan,
    "next": class_plans.next_lesson,
    "delete": class_plans.delete,
    "deal": class_tables.deal,
    "seat-waiting": class_tables.seat_waiting,
    "move": class_tables.move,
    "swap": class_tables.swap,
    "remove": remove,
    "admit": admit,
    "label": label,
    "renew": renew_strip,
    "door-close": close_door,
    "door-open": open_door,
    "send-away": send_away,
    "pause": pause,
    "resume": resume,
    "nudge": nudge,
    "demo": demo,
    "last": last_round,
    "stop": stop,
    "look": debrief.look,
    "slip": slips.begin,
    "slip-end": slips.end,
}
