"""The classes of one store: making, reading, changing and forgetting them. Every change is in the store before anybody
hears of it.
"""

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
TAUGHT = 400  # days: from one school year into the next
CODE = 5  # signs; tables have more
_PREFIX = "class/"  # of the documents in the store


class Classrooms:
    """The classes of a host's store. Names go `hours` after the lesson's time is up, or after its last change. A class
    without pupils goes `days` after its last use, one that has been taught after `TAUGHT` days.
    """

    def __init__(self, host: Host, hours: float, days: float = 30.0) -> None:
        self._host = host
        self._hours = hours
        self._days = days
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._damaged: set[str] = set()

    async def make(self, title: str, lang: str, plan: Plan, strips: int) -> Classroom:
        """A new class, with a code that nobody guesses."""
        while True:
            code = "".join(secrets.choice(SIGNS) for _ in range(CODE))
            new = Classroom(code, title, lang, plan, strips=strips, created=self._host.clock(), rev=1)
            new = replace(new, goes=self._goes(new))
            if await self._host.store.put_document(_PREFIX + code, 1, encode(new), new.goes):
                return new

    def turn(self, code: str) -> asyncio.Lock:
        """Held while something is done in a class that changes both the class and its tables."""
        return self._turns.setdefault(code, asyncio.Lock())

    async def get(self, code: str) -> Classroom:
        """The class with this code; Missing if there is none."""
        body = await self._host.store.document(_PREFIX + code)
        if body is None:
            raise Missing("There is no class {code}.", code=code[:12])
        return read(body)

    async def change(self, code: str, change: Callable[[Classroom], Classroom]) -> Classroom:
        """Change a class. `change` may be called again on a newer one; what it raises reaches the caller."""
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
        """Names and tables of lessons that are over for long enough are gone, from the class and from its tables."""
        for room in await self._due():
            now = self._host.clock()
            if room.forgets is not None and room.forgets <= now:
                await self.end_lesson(room)
            elif room.forgets is None and 0 < room.goes <= now:
                await self.delete(room.id)

    async def _due(self) -> list[Classroom]:
        """The classes in which something is due. One that cannot be read is told once, and holds up no other one."""
        found = []
        for id_ in await self._host.store.due_documents(self._host.clock(), _PREFIX):
            try:
                found.append(await self.get(id_.removeprefix(_PREFIX)))
            except Missing:
                continue  # deleted a moment ago
            except ValueError as error:
                if id_ not in self._damaged:
                    log.error("a class is damaged: %s", type(error).__name__)  # noqa: TRY400 - it would quote the class
                    self._damaged.add(id_)
        return found

    async def used(self, room: Classroom) -> None:
        """Its teacher has looked at the class: it is kept on. Written once in a while only."""
        if self._goes(room) - room.goes > DAY:
            await self.change(room.id, lambda old: replace(old, goes=0.0))

    def _goes(self, room: Classroom) -> float:
        days = max(self._days, TAUGHT) if room.counted else self._days
        return self._host.clock() + DAY * days

    async def end_lesson(self, room: Classroom) -> Classroom:
        """The lesson is over: its games are closed and counted, its tables are gone with all names, and the class is
        ready for the next one.
        """
        counted: list[Decided] = []
        try:
            async for code in in_turns((*room.former, *(one.id for one in room.tables))):
                for game in await self._host.store.games(code):
                    if (await self._host.table(game)).setup.stage == "playing":
                        await self._host.close(game)
            counted = [one for one in (await self.decided(room)).rows if not one.bot]
        except Exception:  # whatever it is: names go in time
            log.exception("a lesson is not counted")
        await self.clear(room)

        def end(old: Classroom) -> Classroom:  # what another process has ended meanwhile is counted already
            return next_lesson(old, counted if (old.tables, old.former) == (room.tables, room.former) else ())

        return await self.change(room.id, end)

    async def decided(self, room: Classroom) -> LessonCount:
        """What was decided in this lesson so far."""
        return await decided(self._host, [one.id for one in room.tables], room.former)

    async def ring(self) -> None:
        """Call the last round wherever it is time. Several processes may do so: it is called once."""
        now = self._host.clock()
        for room in await self._due():
            if (at := room.rings()) is None or at > now:
                continue
            async for table in in_turns(room.tables):
                with contextlib.suppress(Refused):  # its game is over, or knows no such order
                    await self._host.call_last_round((await self.newest(table.id)).id)
            await self.change(room.id, lambda old: replace(old, rung=True))

    async def newest(self, code: str) -> Table:
        """The newest game at a table of a class; Missing if there is none."""
        return await self._host.table((await self._host.store.games(code) or [code])[-1])

    async def clear(self, room: Classroom) -> None:
        """The tables of the lesson are gone, with all that was played there."""
        async for table in in_turns((*room.former, *(one.id for one in room.tables))):
            for game in await self._host.store.games(table):
                await self._host.delete(game)

    async def delete(self, code: str) -> None:
        """The class is gone, with its tables."""
        await self.clear(await self.get(code))
        await self._host.store.drop_document(_PREFIX + code)
        self._host.hub.wake(key_of_wakes(code), 0)


def key_of_wakes(code: str) -> str:
    """What those listen to who look at a class."""
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
