"""Deals the pupils of a class to tables. A bot has every seat that is no pupil's."""

import asyncio
import itertools
import random
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from spieltisch import games
from spieltisch.classroom import classroom, groups
from spieltisch.classroom.classroom import Classroom, ClassTable, Plan, Pupil
from spieltisch.classroom.classrooms import Classrooms
from spieltisch.classroom.groups import Group
from spieltisch.classroom.keys import ClassKeys
from spieltisch.game import Illegal, Invalid
from spieltisch.package import Package
from spieltisch.table import chairs
from spieltisch.table.evening import code_of
from spieltisch.table.host import Host
from spieltisch.table.log import Chair, TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.table.tasks import in_turns


def _unlimited(_tables: int) -> None:
    """Allow any number of tables."""


async def _kept_anyway(_decks: Collection[str]) -> None:
    """Do nothing: decks are kept without being told."""


class Desk:
    """Deals, seats, moves and swaps pupils. Methods that change both the class and its tables need `classes.turn`."""

    def __init__(
        self,
        host: Host,
        classes: Classrooms,
        keys: ClassKeys,
        require_tables: Callable[[int], None] = _unlimited,
        played: Callable[[Collection[str]], Awaitable[None]] = _kept_anyway,
    ) -> None:
        """`require_tables(n)` raises if nobody may open n more tables now. `played(decks)` hears what is dealt."""
        self._host = host
        self._classes = classes
        self._keys = keys
        self._require_tables = require_tables
        self._played = played

    async def tables(self, room: Classroom) -> list[Table]:
        """Return the newest game at each table of the lesson."""
        return [await self._classes.newest(table.id) async for table in in_turns(room.tables)]

    async def newest(self, code: str) -> Table:
        """Return the newest game at this table. Raises Missing if there is none."""
        return await self._classes.newest(code)

    async def deal(self, room: Classroom, way: str, known: str) -> Classroom:
        """Deal all present pupils to new tables. The old tables are closed, and their pages are called to the new ones.

        `way` is random, number, label, before (as last time) or mixer (new neighbours). `known` is the code of the
        first table that the teacher saw, "" for none: dealing is refused if somebody has dealt since. Raises Illegal if
        nobody is here or somebody has dealt, Invalid for another way.
        """
        if known != _first(room):
            raise Illegal("The pupils already have tables.")
        if not room.here:
            raise Illegal("Nobody is here yet.")
        found = _grouped(room, way, secrets.SystemRandom())
        cards = secrets.token_hex(8)
        bare = replace(room, tables=())  # table numbers begin anew
        opened = await self._open_tables(bare, found, cards, max(map(len, found)))

        def put(old: Classroom) -> Classroom:
            if _first(old) != _first(room):
                raise Illegal("The pupils already have tables.")
            return classroom.dealt(old, opened, cards)

        try:
            new = await self._classes.change(room.id, put)
        except Illegal:
            for table in opened:
                await self._host.delete(table.id)
            raise
        async for table in in_turns(room.tables):
            for setup in await self.in_all_games(table.id, _left_behind):
                await self._host.close(setup.id)
        return new

    async def in_all_games(self, code: str, change: Callable[[TableSetup], TableSetup]) -> Collection[TableSetup]:
        """Change every game at this table, also one that is opened meanwhile. Return the changed setups."""
        done: dict[str, TableSetup] = {}
        while found := [game for game in await self._host.store.games(code_of(code)) if game not in done]:
            async for game in in_turns(found):
                done[game] = await self._host.change(game, change)
        return done.values()

    async def seat_waiting(self, room: Classroom) -> Classroom:
        """Seat all waiting pupils: in bots' places at the tables with the fewest pupils, then at new tables. Raises
        Illegal if nobody waits.
        """
        waiting = [one.number for one in room.waiting]
        if not waiting:
            raise Illegal("Nobody is waiting for a seat.")
        while waiting:
            free = [table for table in await self.tables(room) if _bots_seat(table.setup) is not None]
            if not free:
                break
            table = min(free, key=lambda one: sum(bool(chair.pupil) for chair in one.setup.chairs))
            room = await self._sit(room, waiting.pop(0), table)
        if waiting:
            package, now, places = games.package(room.plan.game), self._host.clock(), 0
            if room.plan.same and room.tables:  # the same cards need the same number of chairs
                places = len((await self._host.table(room.tables[0].id)).setup.chairs)
            each = groups.sizes(len(waiting), room.plan.size, places or package.rules.seats[-1])
            cards = room.cards or secrets.token_hex(8)
            opened = await self._open_tables(room, groups.in_turn(waiting, each), cards, places or max(each))
            room = await self._classes.change(
                room.id, lambda old: replace(old, tables=(*old.tables, *opened), cards=cards, begun=old.begun or now)
            )
        return room

    async def move(self, room: Classroom, number: int, to: int) -> Classroom:
        """Move a pupil to the table with this number in the lesson, from 1, in a bot's place. A bot takes the old seat.
        Raises Invalid for an unknown table or pupil, Illegal if no bot has a seat there.
        """
        if not 1 <= to <= len(room.tables):
            raise Invalid("There is no such table in this lesson.")
        target = room.tables[to - 1].id
        if room.table_of(number) == target:
            return room
        return await self._sit(room, number, await self.newest(target))

    async def swap(self, room: Classroom, number: int, other: int) -> Classroom:
        """Let two pupils change places, with their hands. Raises Illegal unless both sit at different tables where
        games run.
        """
        here, there = room.table_of(number), room.table_of(other)
        if not here or not there or here == there:
            raise Illegal("Only pupils at two different tables can swap.")
        first, second = await self.newest(here), await self.newest(there)
        if {first.setup.stage, second.setup.stage} != {"playing"}:
            raise Illegal("The game at this table is over.")
        await self._take_over(room, first, number, other)
        await self._take_over(room, second, other, number)
        await self.give_up(room, number, here)  # their seats in earlier games of these tables
        await self.give_up(room, other, there)
        return await self._classes.change(room.id, lambda old: classroom.swapped(old, number, other))

    async def give_up(self, room: Classroom, number: int, code: str) -> None:
        """Give this pupil's seats at a table to bots; their key opens none of its games any more. A table without
        pupils is closed.
        """

        def go(setup: TableSetup) -> TableSetup:
            for seat in seats_of_pupil(setup, number):
                setup = chairs.with_chair(setup, seat, _without_pupil(room, setup, seat))
            return setup

        for setup in await self.in_all_games(code, go):
            if setup.stage in {"waiting", "playing"} and not any(chair.pupil for chair in setup.chairs):
                await self._host.close(setup.id)

    async def renumber(self, room: Classroom, old: int, new: int) -> None:
        """Give the seats of a pupil whose number was `old` their new number and its key."""
        key = key_of(self._keys.pupil_key(room, new))

        def take(setup: TableSetup) -> TableSetup:
            for seat in seats_of_pupil(setup, old):
                setup = chairs.with_chair(setup, seat, replace(setup.chairs[seat], key=key, pupil=new))
            return setup

        if (code := room.table_of(new)) != "":
            await self.in_all_games(code, take)

    async def settle(self, room: Classroom, tables: Iterable[ClassTable]) -> None:
        """Make chairs agree with the class: each pupil of a table has one seat, which only their present key opens. All
        other seats go to bots.

        Chairs from before November 2026 have no pupil's number, and pupils could change their keys then. For these the
        name decides, or what is left over.
        """
        known = self._keys.numbers(room)
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

            held = [chair for chair in (await self.newest(one.id)).setup.chairs if chair.key or chair.pupil]
            if any(chair.pupil not in one.pupils or chair.key != own.get(chair.pupil) for chair in held):
                await self.in_all_games(one.id, settled)

    async def _take_over(self, room: Classroom, table: Table, old: int, new: int) -> None:
        """Give one pupil's seat at this table to another pupil."""
        pupil = _pupil(room, new)
        key, now = self._keys.pupil_key(room, new), self._host.clock()

        def take(setup: TableSetup) -> TableSetup:
            for seat in seats_of_pupil(setup, old):
                setup = chairs.with_chair(setup, seat, _chair(room, pupil, key, setup, seat, now))
            return setup

        await self._host.change(table.id, take)

    async def _sit(self, room: Classroom, number: int, table: Table) -> Classroom:
        """Give a pupil a bot's seat at this table, and a bot the pupil's old seat."""
        pupil, key = _pupil(room, number), self._keys.pupil_key(room, number)
        old, now = room.table_of(number), self._host.clock()

        def take(setup: TableSetup) -> TableSetup:
            seat = _bots_seat(setup)
            if setup.stage != "playing":
                raise Illegal("The game at this table is over.")
            if seat is None:
                raise Illegal("No bot sits at this table, so no seat is free. Swap two pupils instead.")
            return chairs.with_chair(setup, seat, _chair(room, pupil, key, setup, seat, now))

        await self._host.change(table.id, take)
        if old:
            await self.give_up(room, number, old)
        code = next(one.id for one in room.tables if table.id.startswith(one.id))
        return await self._classes.change(room.id, lambda one: classroom.moved(one, number, code))

    async def _open_tables(self, room: Classroom, found: Sequence[Group], cards: str, most: int) -> list[ClassTable]:
        """Open a table for each group; numbers continue after those of the class. With the same `cards` at all tables,
        all have as many chairs as the largest group (`most`) or the plan needs.
        """
        self._require_tables(len(found))
        desks = itertools.count(len(room.tables) + 1)
        return list(await asyncio.gather(*(self._open(room, next(desks), group, cards, most) for group in found)))

    async def _open(self, room: Classroom, desk: int, group: Group, cards: str, most: int) -> ClassTable:
        """Open a table for these pupils, with bots in the free seats, and deal. Before the lesson has begun, the table
        waits until the teacher starts it.
        """
        plan, package = room.plan, games.package(room.plan.game)
        n = _seats(package, plan, most if plan.same else len(group))
        waits = n > 1 and not (room.tables and room.begun)
        owner = key_of(self._keys.teacher_key(room.id))
        setup = await self._host.open(plan.game, n, plan.top, owner, room.lang, classroom=room.id)
        order, now = list(group), self._host.clock()
        random.shuffle(order)

        def sit_down(setup: TableSetup) -> TableSetup:
            for seat in range(n):
                pupil = room.pupil(order[seat]) if seat < len(order) else None
                if pupil is None:
                    chair = _bot(room, setup)
                else:
                    chair = _chair(room, pupil, self._keys.pupil_key(room, pupil.number), setup, seat, now)
                setup = chairs.with_chair(setup, seat, chair)
            return replace(setup, turn_seconds=plan.turn_seconds, alike=plan.same, desk=desk, paused=waits, waits=waits)

        await self._host.change(setup.id, sit_down)
        await self._host.start(setup.id, self._keys.seed(room, cards) if plan.same else None)
        await self._played(setup.decks)
        return ClassTable(setup.id, group)


def seats_of_pupil(setup: TableSetup, number: int) -> list[int]:
    """Return this pupil's seats. They are found by number, since a chair's key may be out of date."""
    return [seat for seat, chair in enumerate(setup.chairs) if number and chair.pupil == number]


def _pupil(room: Classroom, number: int) -> Pupil:
    pupil = room.pupil(number)
    if pupil is None:
        raise Invalid("This pupil is not in the lesson.")
    return pupil


def _first(room: Classroom) -> str:
    return room.tables[0].id if room.tables else ""


def _grouped(room: Classroom, way: str, dice: random.Random) -> Sequence[Group]:
    pupils = [one.number for one in room.here]
    each = groups.sizes(len(pupils), room.plan.size, games.package(room.plan.game).rules.seats[-1])
    match way:
        case "random":
            return groups.at_random(pupils, each, dice)
        case "number":
            return groups.in_turn(sorted(pupils), each)
        case "label":
            return groups.by_label(pupils, each, {one.number: one.label for one in room.here})
        case "before" if room.before:
            return groups.as_before(pupils, each, room.before[-1])
        case "mixer":
            return groups.mixed(pupils, each, room.before, dice)
    raise Invalid("This is not one of the choices.")


def _left_behind(setup: TableSetup) -> TableSetup:
    """Leave a table without people: its pages are called away, and no key opens a seat."""
    return replace(setup, called=True, chairs=tuple(replace(chair, key="") for chair in setup.chairs))


def _seats_found(room: Classroom, setup: TableSetup, pupils: Group, known: Mapping[str, int]) -> dict[int, int]:
    """Return the pupils' numbers by seat. A chair's number decides, then its key, then its name, then what is left."""
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


def _without_pupil(room: Classroom, setup: TableSetup, seat: int) -> Chair:
    """Return this seat's chair without its pupil: a bot's, or nobody's if the game is over."""
    if setup.stage in {"waiting", "playing"}:
        return _bot(room, setup)
    level = games.package(setup.game).level(room.plan.level)  # of the bot that gets the seat in the next game
    return replace(setup.chairs[seat], key="", pupil=0, level=level)


def _chair(room: Classroom, pupil: Pupil, key: str, setup: TableSetup, seat: int, now: float) -> Chair:
    """Return a pupil's chair. A pupil that is a bot plays by itself."""
    person = chairs.person(pupil.name, key, room.lang, setup, now, seat)
    chair = replace(_bot(room, setup), name=person.name, key=person.key) if pupil.bot else person
    return replace(chair, pupil=pupil.number)


def _bot(room: Classroom, setup: TableSetup) -> Chair:
    return replace(chairs.bot(setup, room.lang), level=games.package(setup.game).level(room.plan.level))


def _seats(package: Package, plan: Plan, pupils: int) -> int:
    """Return how many chairs a table has: those of its pupils, or with bots as many as planned or needed."""
    return max(pupils, plan.size if plan.level else 0, package.rules.seats[0])
