"""The tables in memory, in step with the store. Each change is made under its table's lock, and is stored before
anybody hears of it. Entries of other processes are read as they come.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping

import msgspec

from spieltisch import games
from spieltisch.bounded import aside
from spieltisch.game import Refused, Stale
from spieltisch.table import schedule
from spieltisch.table.log import Damaged, Entry, TableSetup, damaged, encode, tag
from spieltisch.table.memory import Memory
from spieltisch.table.patience import looking
from spieltisch.table.position import Position
from spieltisch.table.session import Begun, TableSession
from spieltisch.table.store import Newer, Store, Unknown, Unsaved
from spieltisch.table.table import Table
from spieltisch.table.wake import Hub

log = logging.getLogger(__name__)

# Bytes of a deck and entries of a game that would hold the event loop for too long.
LARGE, LONG = 64 * 1024, 100
HOUR = 3600.0  # seconds between two reports that a table's log cannot be followed
SHARED_IDLE = 10.0  # seconds until a table that another process also has in memory is dropped


class Missing(Refused):
    """There is no such table."""


class Sessions:
    """The sessions in memory of one store's tables. `Host` defines what can be done with them. `clock` returns the time
    in seconds (None: the store's), `pause` a bot's next delay. Tables leave the memory after `idle` seconds.
    """

    def __init__(
        self,
        store: Store,
        hub: Hub,
        *,
        memory: Memory | None = None,
        clock: Callable[[], float] | None = None,
        pause: Callable[[], float] = schedule.bots_pause,
        idle: float = 600.0,
    ) -> None:
        self.store = store
        self.hub = hub
        self.memory = memory or Memory(hub)
        self.clock = clock or store.clock
        self.agenda = schedule.Agenda()
        self.screens: set[str] = set()  # tables on a public screen, noted by `Presence`
        self.moves: Counter[tuple[str, str]] = Counter()  # written moves, by game and author
        self._pause = pause
        self._idle = idle
        self._used: dict[str, float] = {}
        self._loading: dict[str, asyncio.Task[TableSession]] = {}
        self._behind: set[str] = set()  # those with unread entries
        self._halted: dict[str, float] = {}  # by table: when it was last reported that its log cannot be followed
        self._tasks: set[asyncio.Task[None]] = set()

    async def table(self, table: str) -> Table:
        """The table, from memory or rebuilt from its log. Raises Missing if there is none."""
        await self._session(table)
        while (found := self.memory.known(table)) is None:  # a standby has just taken over
            await self._session(table)
        return found

    async def latest(self, table: str) -> Table:
        """Like `table`, but first reads entries other processes wrote. Use it when the caller may have seen them on
        another server. Raises Unsaved if the store does not answer.
        """
        await self._session(table)
        if self.store.shared:
            async with looking():
                await self.refresh([table])
        return await self.table(table)

    async def refresh(self, tables: Iterable[str]) -> list[str]:
        """Read entries that another process may have written at these tables, if they are in memory or about to be.
        Returns the tables with news.
        """
        sessions = []
        for table in tables:
            if (session := self.memory.session(table)) is not None:
                sessions.append(session)
            elif table in self._loading:
                self._behind.add(table)  # a table that is being read may be older than the news
        known = {session.setup.id: (session.seq, session.setup.rev) for session in sessions}
        news, found = await self.store.newer(known), []
        for session in sorted(sessions, key=lambda one: one.lock.locked()):  # sessions that are being written come last
            async with session.lock:
                try:
                    if await self._take(session, known[session.setup.id], news):
                        found.append(session.setup.id)
                except Missing:
                    continue
                except Unsaved:
                    raise
                except Exception:  # the others continue
                    if not session.void:  # otherwise it is read again anyway
                        log.exception("table %s: cannot follow new entries", tag(session.setup.id))
        return found

    def sweep(self) -> None:
        """Drop tables that nobody has looked at for a while; the store has them. A table that another process also has
        is dropped sooner, because every move there would be followed here for nobody.
        """
        now = self.clock()
        for session in self.memory.sessions():
            table = session.setup.id
            soon = any(turn.at < now + self._idle for turn in session.turns)
            busy = session.lock.locked() or soon or self.hub.listening(table)
            idle = min(self._idle, SHARED_IDLE) if self.memory.neighbours.have(table) else self._idle
            if not busy and self._used.get(table, 0.0) < now - idle:
                self._drop(session)
        self._used = {table: at for table, at in self._used.items() if at >= now - self._idle}

    async def rest(self) -> None:
        """Wait for the work of callers who have left. Await it before the store is closed."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self, seconds: float | None = None) -> None:
        """Rest for at most this long, then close the store, which has as long to write what waits."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.rest()
        await self.store.close(seconds)

    # For the host

    async def _session(self, table: str) -> TableSession:
        self._used[table] = self.clock()
        if (known := self.memory.session(table)) is not None:
            return known
        task = self._loading.get(table)
        if task is None:
            task = self._loading[table] = asyncio.create_task(self._load(table))
            task.add_done_callback(lambda task: self._loaded(table, task))
        async with looking():
            return await asyncio.shield(task)  # if it takes longer, it is in memory for the next who asks

    def _loaded(self, table: str, task: asyncio.Task[TableSession]) -> None:
        del self._loading[table]
        self._behind.discard(table)
        if not task.cancelled():
            task.exception()  # waiters get the error; all of them may have left

    async def _load(self, table: str) -> TableSession:
        losses = self.memory.losses
        try:
            setup = await self.store.setup(table)
        except ValueError as error:
            self._used.pop(table, None)
            self._tell_halt(table, 0, halt := damaged(error))
            raise halt from error
        if setup is None:
            self._used.pop(table, None)
            raise Missing("There is no table {table}.", table=table)
        seed = await self.store.seed(table)
        body = None if setup.header is None else await self.store.deck(setup.header.deck)
        package, large = games.package(setup.game), len(body or b"") > LARGE
        session = await aside(TableSession, package, setup, seed, body, large=large)
        async with session.lock:  # others find it before it is complete
            if setup.header is not None and session.deck is not None:
                entries = await self.store.log(table)
                await aside(session.follow, entries, large=len(entries) > LONG)
                if session.position is None and session.fresh:  # the server stopped between the seal and the deal
                    await self._deal(session)
            self._tell_halt(table, session.seq, session.halt)
            session.void = self.memory.losses != losses
            if session.void:
                return await self._load(table)
            self.memory.add(session)
            if table in self._behind:
                await self._follow(session)
            self._announce(session, self._turns(session))
            await self._finish(session)
        return session

    async def _deal(self, session: TableSession) -> None:
        while session.position is None and session.fresh:
            await self._enter(session, *session.deal())

    async def _enter(self, session: TableSession, position: Position, entry: Entry) -> bool:
        """Write the entry, then publish it. Returns False, and follows the other entry, if somebody else was first."""
        _require_valid(session)
        now = self.clock()
        entry = msgspec.structs.replace(entry, at=now)
        turns = schedule.turns(
            session.package, session.setup, position, session.turns, now, self._pause,
            screened=session.setup.id in self.screens, asked_at=session.asked_at,
        )  # fmt: skip
        due_at = min((turn.at for turn in turns), default=None)
        append = self.store.append(session.setup.id, position.seq, encode(entry), due_at, now, session.lock.until)
        write = asyncio.ensure_future(append)
        try:
            first = await asyncio.shield(write)
        except asyncio.CancelledError:
            # The caller may leave during the write; all others must hear of it anyway.
            self._later(self._catch_up(session, write))
            raise
        if not first:
            _require_valid(session)
            await self._follow(session)
            return False
        if session.void:  # a standby that lacks it may have taken over meanwhile
            raise Unknown
        session.publish(position, entry)
        self.moves[session.package.name, entry.by] += 1
        self._announce(session, turns)
        if (revision := _revision(session)) is not None:
            try:
                async with asyncio.timeout(session.lock.left):
                    await self._revise(session, revision)
            except (Unsaved, Stale, TimeoutError) as error:  # the move is written; a promoted standby may lack it
                raise Unknown from error
        return True

    async def _follow(self, session: TableSession) -> None:
        """Read what another process, or a caller who left, has written."""
        known = {session.setup.id: (session.seq, session.setup.rev)}
        await self._take(session, known[session.setup.id], await self.store.newer(known))

    async def _take(self, session: TableSession, known: tuple[int, int], news: Mapping[str, Newer]) -> bool:
        """Take news that were read when `known` was the state. This process may have written since, so that some are
        old. Returns whether anything was new.
        """
        seq, old = session.seq, session.setup
        if session.void:
            return False
        if (new := news.get(session.setup.id)) is None:
            self._drop(session)
            raise Missing("There is no table {table}.", table=session.setup.id)
        setup = new.setup
        if setup is not None and (old.rev == known[1] or setup.rev > old.rev):
            if setup.header is not None and old.header is None:
                seed, body = await self.store.seed(setup.id), await self.store.deck(setup.header.deck)
                assert seed is not None
                assert body is not None
                begun = await aside(Begun.of, session.package, setup, seed, body, large=len(body) > LARGE)
                session.begin(setup, seed, begun)
            session.setup = setup
        if new.entries and session.setup.header is None:  # a promoted standby has another past than what was read here
            session.void = True
            self._drop(session)
            return False
        session.follow(new.entries[seq - known[0] :])
        self._tell_halt(session.setup.id, session.seq, session.halt)
        if is_new := session.seq != seq or session.setup is not old:
            self._announce(session, self._turns(session))
        await self._finish(session)
        return is_new

    async def _catch_up(self, session: TableSession, write: asyncio.Future[bool]) -> None:
        await asyncio.wait((write,))
        try:
            async with session.lock:
                await self._follow(session)
        except Missing:
            return
        except Exception:
            if not session.void:
                log.exception("table %s: cannot follow a change whose caller has left", tag(session.setup.id))

    async def _revise(self, session: TableSession, change: Callable[[TableSetup], TableSetup]) -> TableSetup:
        """Make the next revision of the setup; retried if another process was first."""
        while True:
            _require_valid(session)
            old = session.setup
            new = await self._changed(old, change)
            if new == old:
                return new
            now = self.clock()
            new = msgspec.structs.replace(new, rev=old.rev + 1, touched=now)
            due_at = min((turn.at for turn in self._turns(session, new)), default=new.begins)
            if await self.store.save(new, due_at=due_at):
                break
            await self._follow(session)
        if session.void:  # a standby that lacks it may have taken over meanwhile
            raise Unknown
        session.setup = new
        self._announce(session, self._turns(session))
        return new

    async def _changed(self, setup: TableSetup, change: Callable[[TableSetup], TableSetup]) -> TableSetup:
        """The setup that `change` makes of this one."""
        return change(setup)

    async def _finish(self, session: TableSession) -> None:
        """Note in the setup that the game is over, or that the last move of a finished one was taken back."""
        if (revision := _revision(session)) is not None:
            await self._revise(session, revision)

    def _turns(self, session: TableSession, setup: TableSetup | None = None) -> tuple[schedule.DueTurn, ...]:
        if session.position is None or not session.fresh:
            return ()
        setup = setup or session.setup
        return schedule.turns(
            session.package, setup, session.position, session.turns, self.clock(), self._pause,
            screened=setup.id in self.screens, asked_at=session.asked_at,
        )  # fmt: skip

    def _announce(self, session: TableSession, turns: tuple[schedule.DueTurn, ...]) -> None:
        session.turns = turns
        for turn in turns:
            self.agenda.put(turn.at, session.setup.id)
        if (at := session.setup.begins) is not None:
            self.agenda.put(at, session.setup.id)
        self.hub.wake(session.setup.id, session.seq)

    def _drop(self, session: TableSession) -> None:
        self._used.pop(session.setup.id, None)
        self.memory.drop(session)

    def _tell_halt(self, table: str, seq: int, halt: Stale | None) -> None:
        """Log why a table is not followed beyond this entry: once an hour, even if many look."""
        now = self.clock()
        if halt is None or halt.__cause__ is None or self._halted.get(table, -HOUR) > now - HOUR:
            return
        self._halted = {one: at for one, at in self._halted.items() if at > now - HOUR} | {table: now}
        if isinstance(halt, Damaged):
            text = "table %s is damaged from entry %d on; `spieltisch doctor` names it, `restore --table` puts it back"
        else:
            text = "table %s: entry %d is not followed by these rules"
        log.error(text, tag(table), seq + 1, exc_info=halt.__cause__, extra={"each": table})

    def _later(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _require_valid(session: TableSession) -> None:
    """Raise Stale for a session whose entries the store may have lost."""
    if session.void:
        raise Stale("The game has moved on. Please look again.")


def _revision(session: TableSession) -> Callable[[TableSetup], TableSetup] | None:
    """Return what the setup has still to note: that the game is over, or goes on after all. None if nothing."""
    if session.position is None or not session.fresh or session.setup.stage not in ("playing", "over"):
        return None
    stage = "playing" if session.position.result is None else "over"
    if stage == session.setup.stage == "playing" and session.last_round_is_over:
        standings = session.package.standings
        places = () if standings is None else standings(session.position.state.public)
        return lambda old: msgspec.structs.replace(old, stage="closed", places=places)
    if stage != session.setup.stage:
        return lambda old: msgspec.structs.replace(old, stage=stage)
    return None
