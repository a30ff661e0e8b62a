"""What pupils and their teacher do in a class. `LEADING` has the teacher's commands, by the names that forms post."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from spieltisch.classroom import classroom
from spieltisch.classroom.classroom import Classroom, Pupil
from spieltisch.game import Illegal, Invalid
from spieltisch.table import chairs
from spieltisch.table.log import TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.table.tasks import in_turns
from spieltisch.web.classroom import plans, slips
from spieltisch.web.core.chat import Voice
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.forms import Fields, field, is_number
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.services import Services

DEMO = 12  # bots that come as pupils
Leading = Callable[[Services, Classroom, Fields], Awaitable[Classroom | None]]  # None: the class is gone


class AlreadySeated(Illegal):
    """A browser that sits at a table without a strip has brought one: nobody but its pupil knows whose that is."""

    def __init__(self, pupil: Pupil, table: int, *, free: bool) -> None:
        """`table` is their table's number; `free` is whether nobody has joined with the strip."""
        super().__init__("You already sit at table {n}.", n=table)
        self.pupil = pupil
        self.table = table
        self.free = free


async def join_class(
    services: Services, client: Client, room: Classroom, strip: str, same: str = ""
) -> tuple[Classroom, Pupil]:
    """Let a pupil in by the code of their strip, or ("") by the code on the wall. A browser stays the same pupil. One
    that has joined without a strip is the strip's pupil from now on; at a table it has to say whether it is (`same`
    "yes") or somebody else is (any other word), else AlreadySeated is raised.

    Raises Forbidden for an unknown code, and for pupils who were taken out.
    """
    number = own = services.class_cookies.pupil(client.cookies, room)
    if strip:
        number = services.class_keys.number_of(room, strip)
        if number is None or number != own:  # a pupil who guesses others' strips is an address that guesses
            services.guesses.require_left(client.address)
        if number is None:
            services.guesses.require(client.address)
            raise Forbidden("This strip does not work. Check each character. If all are right, ask for a new strip.")
    if number is None:
        classroom.came(room, None, secrets.SystemRandom())  # refused where nobody can come, which costs no place
        services.limits.require("join", f"{room.id} {client.address}")
        services.limits.require("join", room.id)
    if number is not None and own not in {None, number}:
        async with services.classes.turn(room.id):
            room = await services.classes.get(room.id)
            await _take_strip(services, client, room, number, same)
            return await _come(services, room, number)
    return await _come(services, room, number)


async def _come(services: Services, room: Classroom, number: int | None) -> tuple[Classroom, Pupil]:
    pupil: Pupil | None = None

    def come(old: Classroom) -> Classroom:
        nonlocal pupil
        new, pupil = classroom.came(old, number, secrets.SystemRandom())
        return new

    room = await services.classes.change(room.id, come)
    assert pupil is not None
    if pupil.removed:
        raise Forbidden("You are no longer in this lesson. Your teacher can let you in again.")
    return room, pupil


async def _take_strip(services: Services, client: Client, room: Classroom, number: int, same: str) -> None:
    """Make this browser's pupil, if they have joined without a strip, the one with this strip."""
    own = services.class_cookies.pupil(client.cookies, room)
    guest = None if own is None or own <= room.strips else room.pupil(own)
    there = room.pupil(number)
    if guest is None or guest.removed or (there is not None and (there.removed or there.bot)):
        return
    table = next((n for n, one in enumerate(room.tables, 1) if guest.number in one.pupils), 0)
    if table and (not same or (same == "yes" and there is not None)):
        raise AlreadySeated(guest, table, free=there is None)
    if not table or same == "yes":
        room = await services.classes.change(room.id, lambda old: classroom.with_strip(old, guest.number, number))
        await services.desk.renumber(room, guest.number, number)


async def demo(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """Let bots come as pupils, so that a teacher can try a lesson alone."""
    return await services.classes.change(room.id, lambda old: classroom.tried(old, DEMO, secrets.SystemRandom()))


async def other_name(services: Services, client: Client, room: Classroom) -> Classroom:
    """Give this browser's pupil another pseudonym. Raises Forbidden if it is no pupil."""
    number = services.class_cookies.pupil(client.cookies, room)
    if number is None:
        raise Forbidden("You are not in this class yet.")
    return await services.classes.change(room.id, lambda old: classroom.renamed(old, number, secrets.SystemRandom()))


async def seat_of_pupil(services: Services, client: Client, room: Classroom) -> Table | None:
    """Return the table where this browser's pupil sits; None without one. Their key opens it from now on, and a pupil
    who had left plays on.
    """
    number = services.class_cookies.pupil(client.cookies, room)
    found = next((one for one in room.tables if number in one.pupils), None)
    if number is None or found is None:
        return None
    table, key = await services.desk.newest(found.id), services.class_keys.pupil_key(room, number)
    if all((one.pupil, one.key) != (number, key_of(key)) for one in table.setup.chairs):  # the key is another one
        async with services.classes.turn(room.id):
            room = await services.classes.get(room.id)
            await services.desk.settle(room, room.tables)
        table = await services.desk.newest(found.id)
    await services.host.change(table.id, lambda setup: chairs.back(setup, key))
    return table


def _named(room: Classroom, fields: Fields, name: str = "pupil") -> Pupil:
    """Return the pupil whose number this field holds. Raises Invalid if they are not here."""
    number = field(fields, name)
    found = room.pupil(int(number)) if is_number(number, 2) else None
    if found is None:
        raise Invalid("This pupil is not in the lesson.")
    return found


async def deal(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Deal all present pupils to tables: see `Desk.deal`."""
    return await services.desk.deal(room, field(fields, "way"), field(fields, "dealt"))


async def seat_waiting(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """Seat all waiting pupils: see `Desk.seat_waiting`."""
    return await services.desk.seat_waiting(room)


async def move(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Move a pupil to another table: see `Desk.move`."""
    pupil, to = _named(room, fields), field(fields, "to")
    return await services.desk.move(room, pupil.number, int(to) if is_number(to, 3) else 0)


async def swap(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Let two pupils change places: see `Desk.swap`."""
    return await services.desk.swap(room, _named(room, fields).number, _named(room, fields, "with").number)


async def remove(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Take a pupil out of the lesson; a bot plays on."""
    pupil = _named(room, fields)
    if (table := room.table_of(pupil.number)) != "":
        await services.desk.give_up(room, pupil.number, table)
    return await services.classes.change(
        room.id,
        lambda old: classroom.moved(classroom.with_pupil(old, pupil.number, removed=True), pupil.number, ""),
    )


async def admit(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Let a pupil in again who was taken out."""
    number = _named(room, fields).number
    return await services.classes.change(room.id, lambda old: classroom.with_pupil(old, number, removed=False))


async def label(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Put a label on a pupil; tables can be filled by labels."""
    number, said = _named(room, fields).number, field(fields, "label")
    return await services.classes.change(room.id, lambda old: classroom.labelled(old, number, said))


async def renew_strip(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Give a number another code. The old strip is void; its pupil is out until they have the new one. Their seat
    waits.
    """
    text = field(fields, "pupil")
    number = int(text) if is_number(text, 2) else 0
    new = await services.classes.change(room.id, lambda old: classroom.anew(old, number))
    await services.desk.settle(new, new.tables)
    return new


async def close_door(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """Let nobody in by the code on the wall. Strips still open, and present pupils can come back."""
    return await services.classes.change(room.id, lambda old: replace(old, closed=True))


async def open_door(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """Let pupils in by the code on the wall again."""
    return await services.classes.change(room.id, lambda old: replace(old, closed=False))


async def send_away(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """Take out all waiting pupils. Their numbers are free again; pupils with strips can come back."""
    return await services.classes.change(room.id, classroom.without_waiting)


async def _tables(services: Services, room: Classroom, fields: Fields) -> list[Table]:
    """Return the table that the fields name by its number, or all."""
    wanted = field(fields, "table")
    if wanted and not (is_number(wanted, 3) and 1 <= int(wanted) <= len(room.tables)):
        raise Invalid("There is no such table in this lesson.")
    named = room.tables[int(wanted) - 1 : int(wanted)] if wanted else room.tables
    return [await services.desk.newest(table.id) async for table in in_turns(named)]


def _paused(setup: TableSetup, *, paused: bool) -> TableSetup:
    return replace(setup, paused=paused, waits=False) if setup.stage == "playing" and len(setup.chairs) > 1 else setup


async def pause(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Pause one table or all."""
    found = await _tables(services, room, fields)
    await asyncio.gather(*(services.host.change(one.id, lambda setup: _paused(setup, paused=True)) for one in found))
    return room


async def resume(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Let one table or all go on, or begin."""
    found = await _tables(services, room, fields)
    room = await services.classes.change(room.id, lambda old: classroom.begun(old, services.host.clock()))
    await asyncio.gather(*(services.host.change(one.id, lambda setup: _paused(setup, paused=False)) for one in found))
    return room


async def nudge(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Remind a table that the class waits for it."""
    for table in await _tables(services, room, fields):
        services.chat.say(table.id, Voice(None))
    return room


async def last_round(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Let one table or all finish their round; then their games end. Raises Illegal if a game's rules can't rank
    players before its end.
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


async def look(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Show a moment of the look back on the wall: slide n at 2 n, with its card turned at 2 n + 1, the seats at 0."""
    at = field(fields, "look")
    if not is_number(at, 4):
        raise Invalid("This is not one of the choices.")
    return await services.classes.change(room.id, lambda old: replace(old, look=int(at)))


LEADING: dict[str, Leading] = {
    "plan": plans.change_plan,
    "next": plans.next_lesson,
    "delete": plans.delete,
    "deal": deal,
    "seat-waiting": seat_waiting,
    "move": move,
    "swap": swap,
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
    "look": look,
    "slip": slips.begin,
    "slip-end": slips.end,
}
