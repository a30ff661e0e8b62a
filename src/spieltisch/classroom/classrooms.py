"""The classes of one store: make, read, change and forget them. Every change is stored before anybody hears of it."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from weakref import WeakValueDictionary

from msgspec.structs import replace

from spieltisch.classroom.classroom import Classroom, Plan, encode, next_lesson, read
from spieltisch.classroom.counts import Decided, LessonCount, decided
from spieltisch.game import Refused
from spieltisch.table.host import Host, Missing
from spieltisch.table.lobby import SIGNS
from spieltisch.table.log import TableSetup, damaged
from spieltisch.table.store import Store
from spieltisch.table.table import Table
from spieltisch.table.tasks import in_turns

log = logging.getLogger(__name__)

DAY = 24 * 3600
TAUGHT = 400  # days, so from one school year into the next
CODE = 5  # characters; a table's code has more
_PREFIX = "class/"  # of the documents in the store


class Classrooms:
    """The classes of a host's store. Names are deleted `hours` after the lesson's end, or after its last change. A
    class without pupils is deleted `days` after its last use, one that has been taught after `TAUGHT` days.
    """

    def __init__(self, host: Host, hours: float, days: float = 30.0) -> None:
        self._host = host
        self._hours = hours
        self._days = days
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._damaged: set[str] = set()

    async def make(self, title: str, lang: str, plan: Plan, strips: int) -> Classroom:
        """Make a class, with a code that cannot be guessed."""
        while True:
            code = "".join(secrets.choice(SIGNS) for _ in range(CODE))
            new = Classroom(code, title, lang, plan, strips=strips, created=self._host.clock(), rev=1)
            new = replace(new, goes=self._goes(new))
            if await self._host.store.put_document(_PREFIX + code, 1, encode(new), new.goes):
                return new

    def turn(self, code: str) -> asyncio.Lock:
        """The lock for changes of both the class and its tables."""
        return self._turns.setdefault(code, asyncio.Lock())

    async def get(self, code: str) -> Classroom:
        """The class with this code. Raises Missing if there is none."""
        body = await self._host.store.document(_PREFIX + code)
        if body is None:
            raise Missing("There is no class {code}.", code=code[:12])
        return read(body)

    async def change(self, code: str, change: Callable[[Classroom], Classroom]) -> Classroom:
        """Change a class. `change` may be called again with a newer one; its errors reach the caller."""
        while True:
            old = await self.get(code)
            new = change(old)
            if new == old:
                return old
            last = max(self._host.clock(), new.ends() or 0.0)
            forgets = last + 3600 * self._hours if new.pupils or new.tables else None
            new = replace(new, rev=old.rev + 1, forgets=forgets, goes=self._goes(new))
            ends = new.goes if forgets is None else forgets
            due = min(at for at in (ends, new.rings()) if at is not None)
            if await self._host.store.put_document(_PREFIX + code, new.rev, encode(new), due):
                self._host.hub.wake(key_of_wakes(code), new.rev)
                return new

    async def forget(self) -> None:
        """Delete the names and tables of lessons that have been over for long enough."""
        for room in await self._due():
            now = self._host.clock()
            if room.forgets is not None and room.forgets <= now:
                await self.end_lesson(room)
            elif room.forgets is None and 0 < room.goes <= now:
                await self.delete(room.id)

    async def _due(self) -> list[Classroom]:
        """The classes with something due. An unreadable one is logged once and delays no other."""
        found = []
        for id_ in await self._host.store.due_documents(self._host.clock(), _PREFIX):
            try:
                found.append(await self.get(id_.removeprefix(_PREFIX)))
            except Missing:
                continue  # just deleted
            except ValueError as error:
                if id_ not in self._damaged:
                    log.error("a class is damaged: %s", type(error).__name__)  # noqa: TRY400 - it would quote the class
                    self._damaged.add(id_)
        return found

    async def used(self, room: Classroom) -> None:
        """Note that the teacher has looked at the class, so it is kept. This is written only once in a while."""
        if self._goes(room) - room.goes > DAY:
            await self.change(room.id, lambda old: replace(old, goes=0.0))

    def _goes(self, room: Classroom) -> float:
        days = max(self._days, TAUGHT) if room.counted else self._days
        return self._host.clock() + DAY * days

    async def end_lesson(self, room: Classroom) -> Classroom:
        """End the lesson: close and count its games, delete its tables with all names, and prepare the class for the
        next one.
        """
        counted: list[Decided] = []
        try:
            async for code in in_turns((*room.former, *(one.id for one in room.tables))):
                for game in await self._host.store.games(code):
                    if (await self._host.table(game)).setup.stage == "playing":
                        await self._host.close(game)
            counted = [one for one in (await self.decided(room)).rows if not one.bot]
        except Exception:  # whatever it is, names are deleted in time
            log.exception("cannot count a lesson")
        await self.clear(room)

        def end(old: Classroom) -> Classroom:  # a lesson that another process has ended is already counted
            return next_lesson(old, counted if (old.tables, old.former) == (room.tables, room.former) else ())

        return await self.change(room.id, end)

    async def decided(self, room: Classroom) -> LessonCount:
        """The decisions of this lesson so far."""
        return await decided(self._host, [one.id for one in room.tables], room.former)

    async def ring(self) -> None:
        """Call the last round wherever it is time. Several processes may do so; it is called once."""
        now = self._host.clock()
        for room in await self._due():
            if (at := room.rings()) is None or at > now:
                continue
            async for table in in_turns(room.tables):
                with contextlib.suppress(Refused):  # its game is over, or has no such ranking
                    await self._host.call_last_round((await self.newest(table.id)).id)
            await self.change(room.id, lambda old: replace(old, rung=True))

    async def newest(self, code: str) -> Table:
        """The newest game at a table of a class. Raises Missing if there is none."""
        return await self._host.table((await self._host.store.games(code) or [code])[-1])

    async def clear(self, room: Classroom) -> None:
        """Delete the tables of the lesson, with all their games."""
        async for table in in_turns((*room.former, *(one.id for one in room.tables))):
            for game in await self._host.store.games(table):
                await self._host.delete(game)

    async def delete(self, code: str) -> None:
        """Delete the class with its tables."""
        await self.clear(await self.get(code))
        await self._host.store.drop_document(_PREFIX + code)
        self._host.hub.wake(key_of_wakes(code), 0)


def key_of_wakes(code: str) -> str:
    """The key under which listeners of a class wait for changes."""
    return f"class {code}"


async def played_elsewhere(store: Store, setup: TableSetup) -> bool:
    """Whether another table of the lesson still plays a game with the same cards."""
    body = await store.document(_PREFIX + setup.classroom)
    if body is None:
        return False
    assert setup.header is not None
    async for code in in_turns({one.id for one in read(body).tables} - {setup.id}):
        try:
            other = await store.setup(code)
        except ValueError as error:
            raise damaged(error) from error
        running = None if other is None or other.stage != "playing" else other.header
        if running is not None and running.seal == setup.header.seal:
            return True
    return False
