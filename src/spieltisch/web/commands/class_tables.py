"""Pupils of a class at tables: dealt, seated late, moved, given up. A bot has each seat that is no pupil's."""

import asyncio
import itertools
import random
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from spieltisch import games
from spieltisch.classroom import classroom, groups
from spieltisch.classroom.classroom import Classroom, ClassTable, Plan, Pupil
from spieltisch.classroom.groups import Group
from spieltisch.game import Illegal, Invalid
from spieltisch.games import GamePackage
from spieltisch.table.evening import code_of
from spieltisch.table.log import Chair, TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.table.tasks import in_turns
from spieltisch.web.access import chairs
from spieltisch.web.http.forms import Fields, field, is_number
from spieltisch.web.http.rate_limits import ASKING
from spieltisch.web.services import Services


async def tables_of(services: Services, room: Classroom) -> list[Table]:
    """The newest game at each table of the lesson."""
    return [await newest(services, table.id) async for table in in_turns(room.tables)]


async def newest(services: Services, code: str) -> Table:
    """The newest game at a table of the class."""
    return await services.newest(await services.host.table(code))


def named_pupil(room: Classroom, fields: Fields, name: str = "pupil") -> Pupil:
    """The pupil whose number the field of this name holds; Invalid if they are not here."""
    number = field(fields, name)
    found = room.pupil(int(number)) if is_number(number, 2) else None
    if found is None:
        raise Invalid("There is no such pupil in this lesson.")
    return found


async def deal(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Deal all who are here to tables: `way` is random, number, label, before or mixer. Tables that there are already
    are closed, and who looks at one is called to the new one. Illegal where nobody is here, or if somebody has dealt
    meanwhile (`dealt` is the first table that the form knew of); Invalid for another way.
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
    cards = secrets.token_hex(8)
    bare = replace(room, tables=())  # numbers of tables begin anew
    opened = await _open_tables(services, bare, found, cards, max(map(len, found)))

    def put(old: Classroom) -> Classroom:
        if _dealt(old) != _dealt(room):
            raise Illegal("The pupils have been dealt to tables already.")
        return classroom.dealt(old, opened, cards)

    try:
        new = await services.classes.change(room.id, put)
    except Illegal:
        for table in opened:
            await services.host.delete(table.id)
        raise
    async for table in in_turns(room.tables):
        for setup in await in_all_games(services, table.id, _left_behind):
            await services.host.close(setup.id)
    return new


async def in_all_games(
    services: Services, code: str, change: Callable[[TableSetup], TableSetup]
) -> Collection[TableSetup]:
    """Change all games of the evening at a table, also one that somebody opens meanwhile. Returns their setups."""
    done: dict[str, TableSetup] = {}
    while found := [game for game in await services.host.store.games(code_of(code)) if game not in done]:
        async for game in in_turns(found):
            done[game] = await services.host.change(game, change)
    return done.values()


def _left_behind(setup: TableSetup) -> TableSetup:
    """Nobody sits here any more: pages are called away, and no key opens anything."""
    return replace(setup, called=True, chairs=tuple(replace(chair, key="") for chair in setup.chairs))


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
        table = min(free, key=lambda one: sum(bool(chair.pupil) for chair in one.setup.chairs))
        room = await _sit(services, room, waiting.pop(0), table)
    if waiting:
        package, now, places = games.package(room.plan.game), services.host.clock(), 0
        if room.plan.same and room.tables:  # with the same cards come as many chairs
            places = len((await services.host.table(room.tables[0].id)).setup.chairs)
        each = groups.sizes(len(waiting), room.plan.size, places or package.rules.seats[-1])
        found = groups.in_turn(waiting, each)
        cards = room.cards or secrets.token_hex(8)
        opened = await _open_tables(services, room, found, cards, places or max(each))
        room = await services.classes.change(
            room.id, lambda old: replace(old, tables=(*old.tables, *opened), cards=cards, begun=old.begun or now)
        )
    return room


async def move(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Put a pupil at another table, in a bot's place; a bot takes their old seat. `to` is the table's number in the
    lesson, from 1: Invalid for one that there is not, Illegal where no seat is a bot's.
    """
    pupil, to = named_pupil(room, fields), field(fields, "to")
    if not is_number(to, 3) or not 1 <= int(to) <= len(room.tables):
        raise Invalid("There is no such table in this lesson.")
    target = room.tables[int(to) - 1].id
    if room.table_of(pupil.number) == target:
        return room
    return await _sit(services, room, pupil.number, await newest(services, target))


async def swap(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Two pupils change places, hands and all; `with` is the other one's number. Illegal unless both sit at tables, two
    different ones, where games run.
    """
    one, other = named_pupil(room, fields), named_pupil(room, fields, "with")
    here, there = room.table_of(one.number), room.table_of(other.number)
    if not here or not there or here == there:
        raise Illegal("Only two who sit at two tables can swap.")
    first, second = await newest(services, here), await newest(services, there)
    if {first.setup.stage, second.setup.stage} != {"playing"}:
        raise Illegal("At this table the game is over.")
    await _take_over(services, room, first, one, other)
    await _take_over(services, room, second, other, one)
    await give_up(services, room, one.number, here)  # the games before these
    await give_up(services, room, other.number, there)
    return await services.classes.change(room.id, lambda old: classroom.swapped(old, one.number, other.number))


async def _take_over(services: Services, room: Classroom, table: Table, old: Pupil, new: Pupil) -> None:
    """A pupil gets the seat of another one at this table."""
    key, now = services.class_keys.pupil_key(room, new.number), services.host.clock()

    def take(setup: TableSetup) -> TableSetup:
        for seat in seats_of_pupil(setup, old.number):
            setup = chairs.with_chair(setup, seat, _chair(room, new, key, setup, seat, now))
        return setup

    await services.host.change(table.id, take)


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
            raise Illegal("At this table no bot has a seat to give: swap two pupils.")
        return chairs.with_chair(setup, seat, _chair(room, pupil, key, setup, seat, now))

    await services.host.change(table.id, take)
    if old:
        await give_up(services, room, number, old)
    code = next(one.id for one in room.tables if table.id.startswith(one.id))
    return await services.classes.change(room.id, lambda one: classroom.moved(one, number, code))


def seats_of_pupil(setup: TableSetup, number: int) -> list[int]:
    """The seats of this pupil. A seat is known by its number, since its key may be any: a chair keeps both."""
    return [seat for seat, chair in enumerate(setup.chairs) if number and chair.pupil == number]


async def settle(services: Services, room: Classroom, tables: Iterable[ClassTable]) -> None:
    """Make chairs say what the class says: each pupil of a table has one seat there, which their present key opens and
    no other. Chairs of former versions (before November 2026) have no numbers, and pupils could change their keys; then
    the name tells, or what is left over. A bot gets a seat that is no pupil's. Needs the class's `turn`.
    """
    known = services.class_keys.numbers(room)
    own = {number: key for key, number in known.items()}
    async for one in in_turns(tables):

        def settled(setup: TableSetup, pupils: Group = one.pupils) -> TableSetup:
            found = _seats_found(room, setup, pupils, known)
            for seat, chair in enumerate(setup.chairs):
                if (number := found.get(seat)) is not None:
                    setup = chairs.with_chair(setup, seat, replace(chair, key=own[number], pupil=number))
                elif chair.key or chair.pupil:
                    setup = chairs.with_chair(setup, seat, _without_pupil(room, setup, seat))
            return setup

        held = [chair for chair in (await newest(services, one.id)).setup.chairs if chair.key or chair.pupil]
        if any(chair.pupil not in one.pupils or chair.key != own.get(chair.pupil) for chair in held):
            await in_all_games(services, one.id, settled)


def _seats_found(room: Classroom, setup: TableSetup, pupils: Group, known: Mapping[str, int]) -> dict[int, int]:
    """By seat the number of the pupil who has it: as the chair says, or by its key, or its name, or one of the rest."""
    held = {seat: chair for seat, chair in enumerate(setup.chairs) if chair.key or chair.pupil}
    left = {one.number: one.name for one in room.pupils if one.number in pupils}
    found: dict[int, int] = {}
    ways: tuple[Callable[[Chair, int], bool], ...] = (
        lambda chair, number: chair.pupil == number,
        lambda chair, number: not chair.pupil and known.get(chair.key) == number,
        lambda chair, number: not chair.pupil and chair.name == left[number],
        lambda chair, _: not chair.pupil,
    )
    for is_theirs in ways:
        for seat, chair in held.items():
            number = next((n for n in left if seat not in found and is_theirs(chair, n)), None)
            if number is not None:
                found[seat] = number
                del left[number]
    return found


def _bots_seat(setup: TableSetup) -> int | None:
    if setup.stage != "playing":
        return None
    return next((seat for seat, chair in enumerate(setup.chairs) if chair.kind == "bot" and not chair.pupil), None)


async def give_up(services: Services, room: Classroom, number: int, code: str) -> None:
    """A bot takes this pupil's seat at a table, and their key opens none of its games any more. A table where no pupil
    is left is closed.
    """

    def go(setup: TableSetup) -> TableSetup:
        for seat in seats_of_pupil(setup, number):
            setup = chairs.with_chair(setup, seat, _without_pupil(room, setup, seat))
        return setup

    for setup in await in_all_games(services, code, go):
        if setup.stage in {"waiting", "playing"} and not any(chair.pupil for chair in setup.chairs):
            await services.host.close(setup.id)


def _without_pupil(room: Classroom, setup: TableSetup, seat: int) -> Chair:
    """The chair of this seat when its pupil has gone: a bot's, or nobody's where the game is over."""
    if setup.stage in {"waiting", "playing"}:
        return _bot(room, setup)
    level = games.package(setup.game).level(room.plan.level)  # of the bot that has it in the next game
    return replace(setup.chairs[seat], key="", pupil=0, level=level)


def _chair(room: Classroom, pupil: Pupil, key: str, setup: TableSetup, seat: int, now: float) -> Chair:
    """The chair of a pupil; of one that is a bot, it plays by itself."""
    person = chairs.person(pupil.name, key, room.lang, setup, now, seat)
    chair = replace(_bot(room, setup), name=person.name, key=person.key) if pupil.bot else person
    return replace(chair, pupil=pupil.number)


def _bot(room: Classroom, setup: TableSetup) -> Chair:
    return replace(chairs.bot(setup, room.lang), level=games.package(setup.game).level(room.plan.level))


async def _open_tables(
    services: Services, room: Classroom, found: Sequence[Group], cards: str, most: int
) -> list[ClassTable]:
    """More tables of the lesson, numbered on. Where their `cards` are the same, so is the number of chairs: as many as
    the largest group has pupils (`most`), or as planned; bots take what stays free.
    """
    services.limits.require_left("dealt", ASKING.get())
    services.limits.charge("dealt", ASKING.get(), len(found))
    desks = itertools.count(len(room.tables) + 1)
    return list(await asyncio.gather(*(_open(services, room, next(desks), group, cards, most) for group in found)))


async def _open(services: Services, room: Classroom, desk: int, group: Group, cards: str, most: int) -> ClassTable:
    """A table with these pupils, and bots in the seats that stay free. Its cards are dealt; before the lesson has begun
    it waits until who leads the class lets all begin.
    """
    plan, keys, package = room.plan, services.class_keys, games.package(room.plan.game)
    n = _seats(package, plan, most if plan.same else len(group))
    waits = n > 1 and not (room.tables and room.begun)
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
                chair = _chair(room, pupil, keys.pupil_key(room, pupil.number), setup, seat, now)
            setup = chairs.with_chair(setup, seat, chair)
        return replace(setup, turn_seconds=plan.turn_seconds, alike=plan.same, desk=desk, paused=waits, waits=waits)

    await services.host.change(setup.id, sit_down)
    await services.host.start(setup.id, keys.seed(room, cards) if plan.same else None)
    await services.use_decks(setup.decks, played=True)
    return ClassTable(setup.id, group)


def _seats(package: GamePackage, plan: Plan, pupils: int) -> int:
    """How many chairs a table has: with bots as many as planned, else as pupils, and as the game needs."""
    return max(pupils, plan.size if plan.level else 0, package.rules.seats[0])
