"""The one door to running tables. Here a State lives; what goes out is a View, a name, a number.

Every change of a table happens under its lock and is in the store before anybody hears of it.
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from spieltisch import games
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Refused
from spieltisch.table import export, lobby, schedule
from spieltisch.table.log import By, Chair, Entry, TableSetup, encode, read_entry
from spieltisch.table.position import Position
from spieltisch.table.replay import Replay
from spieltisch.table.session import TableSession, Verdict
from spieltisch.table.store import Store
from spieltisch.table.table import Table
from spieltisch.table.wake import Wakes

log = logging.getLogger(__name__)

REPLAYS = 8  # that are kept for who steps through them


class Missing(Refused):
    """There is no such table."""


def pause() -> float:
    """How long a bot seems to think, in seconds: as long as chance says, whatever it holds; mostly less than one."""
    return random.uniform(0.4, 1.4)  # noqa: S311 - nothing hangs on it


class Host:
    """Runs the tables of one store. `clock` gives the time in seconds, `pause` a bot's next delay; on the
    `shelf` are the decks to be chosen.
    """

    def __init__(
        self,
        store: Store,
        hub: Wakes,
        *,
        library: Library | None = None,
        clock: Callable[[], float] = time.time,
        pause: Callable[[], float] = pause,
        idle: float = 600.0,
    ) -> None:
        self.store = store
        self.hub = hub
        self.library = library or Library()
        self.clock = clock
        self.agenda = schedule.Agenda()
        self._pause = pause
        self._idle = idle
        self._running: dict[str, tuple[TableSession, Table]] = {}
        self._used: dict[str, float] = {}
        self._loading: dict[str, asyncio.Task[TableSession]] = {}
        self._replays: dict[str, Replay] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # The waiting room

    async def open(
        self,
        game: str,
        seats: int,
        top: dict[str, Any] | None = None,
        owner_key: str = "",
        lang: str = "",
        deal: int = 0,
    ) -> TableSetup:
        """A new table with free chairs; `top` None: the game's default; `deal` 0: nobody knows the cards' order
        beforehand. Unreadable if the choice is bad.
        """
        setup = lobby.opened(games.package(game), seats, top, self.clock(), self.library, deal)
        setup = msgspec.structs.replace(setup, owner=owner_key, lang=lang)
        while not await self.store.create(setup):
            setup = msgspec.structs.replace(setup, id=lobby.code())
        return setup

    async def table(self, table: str) -> Table:
        """The table, from memory or rebuilt from its log; Missing if there is none."""
        await self._run(table)
        return self._running[table][1]

    async def refresh(self, table: str) -> None:
        """Read on from the store: another process has written (a wake-up from outside says so)."""
        run = await self._run(table)
        async with run.lock:
            await self._follow(run)

    async def change(self, table: str, change: Callable[[TableSetup], TableSetup]) -> TableSetup:
        """Change the plan: chairs at any time, options and the number of seats before the game.

        `change` may be called again on a newer plan; what it raises, nobody hears of but the caller.
        """
        run = await self._run(table)
        async with run.lock:
            return await self._revise(run, lambda old: lobby.changed(run.package, old, change(old), self.library))

    async def replace(self, table: str, seat: int, chair: Chair) -> TableSetup:
        """Give a seat to somebody else, to a bot, or free it, also in the middle of a game."""

        def change(setup: TableSetup) -> TableSetup:
            chairs = tuple(chair if i == seat else old for i, old in enumerate(setup.chairs))
            return msgspec.structs.replace(setup, chairs=chairs)

        return await self.change(table, change)

    async def start(self, table: str) -> Table:
        """Seal the dice and deal. Illegal if a chair is free or the game has begun."""
        run = await self._run(table)
        async with run.lock:
            setup, seed, body = lobby.begun(run.package, run.setup, self.library)
            assert setup.header is not None
            await self.store.put_deck(setup.header.deck, body, self.clock())
            # Revised only from what we saw: somebody may have begun, or left the table, in another process.
            setup = msgspec.structs.replace(setup, rev=run.setup.rev + 1, touched=self.clock())
            if not await self.store.save(setup, seed=seed):
                await self._follow(run)
                raise Illegal("The table has just been changed; please look again.")
            run.begin(setup, seed, body)
            await self._deal(run)
        return await self.table(table)

    # Play

    async def answer(self, table: str, seat: int, question: int, action: Any, by: By = "seat") -> Verdict:
        """Take a seat's answer (the game's action) to the question it was asked. Returns once it is durable.

        "taken" (also for the same answer sent again), "moot" if others' entries ended that question already;
        Illegal or Stale, with the reason, where nothing is changed.
        """
        run = await self._run(table)
        async with run.lock:
            if question > run.seq:  # another process has asked it
                await self._follow(run)
            while True:
                verdict = run.verdict(seat, question, action)
                if verdict is not None or await self._enter(run, *run.step(seat, action, by)):
                    return verdict or "taken"

    async def undo(self, table: str, seat: int, question: int) -> Verdict:
        """Take the last move back, as far as the deal; a log entry. Illegal at tables of several seats."""
        run = await self._run(table)
        async with run.lock:
            if question > run.seq:
                await self._follow(run)
            while True:
                verdict = run.undo_verdict(seat, question)
                if verdict is not None or await self._enter(run, *run.back(seat, "seat")):
                    return verdict or "taken"

    async def close(self, table: str) -> TableSetup:
        """Nothing more is played here; the table can still be looked at."""
        run = await self._run(table)
        async with run.lock:
            return await self._revise(run, lambda old: msgspec.structs.replace(old, stage="closed"))

    async def delete(self, table: str) -> None:
        """The table, its log and its names are gone."""
        run = await self._run(table)
        async with run.lock:
            await self.store.delete(table)
            self._drop(run)

    async def forget(self, before: float) -> None:
        """Delete what was last touched before: finished and waiting tables, and names."""
        for table in await self.store.forget(before):
            if table in self._running:
                self._drop(self._running[table][0])

    async def record(self, table: str) -> dict[str, Any]:
        """A finished game as a record; Illegal while it runs, since a record tells everything."""
        run = await self._run(table)
        if not run.over:
            raise Illegal("A record tells everything: it is there when the game is over.")
        return export.record(run, [read_entry(body) for body in await self.store.log(table)])

    async def replay(self, table: str) -> Replay:
        """A finished game, moment by moment; Illegal while it runs, since it tells everything, too."""
        run = await self._run(table)
        async with run.lock:  # so that no move is taken back meanwhile
            if not run.over:
                raise Illegal("A replay tells everything: it is there when the game is over.")
            replay = self._replays.pop(table, None)
            if replay is None or replay.seq != run.seq:
                replay = Replay(run, [read_entry(body) for body in await self.store.log(table)])
            self._replays[table] = replay  # the one used last stands last
            if len(self._replays) > REPLAYS:
                del self._replays[next(iter(self._replays))]
            return replay

    async def beliefs(self, table: str, seat: int) -> Any:
        """What the bot on this seat brings along besides its view."""
        return (await self._run(table)).beliefs(seat)

    async def rest(self) -> None:
        """Wait for what callers who left had begun. To be awaited before the store is closed."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    # Inside

    async def _run(self, table: str) -> TableSession:
        self._used[table] = self.clock()
        known = self._running.get(table)
        if known is not None:
            return known[0]
        task = self._loading.get(table)
        if task is None:
            task = self._loading[table] = asyncio.create_task(self._load(table))
            task.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(task)

    async def _load(self, table: str) -> TableSession:
        setup = await self.store.setup(table)
        if setup is None:
            self._used.pop(table, None)
            raise Missing("There is no table {table}.", table=table)
        seed = await self.store.seed(table)
        body = None if setup.header is None else await self.store.deck(setup.header.deck)
        run = TableSession(games.package(setup.game), setup, seed, body)
        if setup.header is not None and run.deck is not None:
            run.follow(await self.store.log(table))
            if run.position is None and run.fresh:  # it stopped between the seal and the deal
                await self._deal(run)
        self._running[table] = (run, Table(run))
        self._announce(run, self._turns(run))
        await self._finish(run)
        return run

    async def _deal(self, run: TableSession) -> None:
        while run.position is None and run.fresh:
            await self._enter(run, *run.deal())

    async def _enter(self, run: TableSession, position: Position, entry: Entry) -> bool:
        """Write the entry, then let it be so. False if somebody else was first: theirs is followed."""
        now = self.clock()
        entry = msgspec.structs.replace(entry, at=now)
        turns = schedule.turns(run.package, run.setup, position, run.turns, now, self._pause)
        due_at = min((turn.at for turn in turns), default=None)
        write = asyncio.ensure_future(self.store.append(run.setup.id, position.seq, encode(entry), due_at, now))
        try:
            first = await asyncio.shield(write)
        except asyncio.CancelledError:
            # The caller left while it was being written; who stays must hear of it all the same.
            self._later(self._catch_up(run, write))
            raise
        if not first:
            await self._follow(run)
            return False
        run.publish(position, entry)
        self._announce(run, turns)
        await self._finish(run)
        return True

    async def _follow(self, run: TableSession) -> None:
        """Read on: what another process, or a caller who left, has written."""
        await self._reread(run)
        run.follow(await self.store.log(run.setup.id, run.seq))
        self._announce(run, self._turns(run))
        await self._finish(run)

    async def _catch_up(self, run: TableSession, write: asyncio.Future[bool]) -> None:
        await asyncio.wait((write,))
        try:
            async with run.lock:
                await self._follow(run)
        except Missing:
            return
        except Exception:
            log.exception("table %s: what a caller who left had begun is not followed", run.setup.id)

    async def _reread(self, run: TableSession) -> None:
        setup = await self.store.setup(run.setup.id)
        if setup is None:
            self._drop(run)
            raise Missing("There is no table {table}.", table=run.setup.id)
        if setup.header is not None and run.setup.header is None:
            seed, body = await self.store.seed(setup.id), await self.store.deck(setup.header.deck)
            assert seed is not None
            assert body is not None
            run.begin(setup, seed, body)
        run.setup = setup

    async def _revise(self, run: TableSession, change: Callable[[TableSetup], TableSetup]) -> TableSetup:
        """The next revision of the plan; made again where another process has made one meanwhile."""
        while True:
            new = change(run.setup)
            if new == run.setup:
                return new
            now = self.clock()
            new = msgspec.structs.replace(new, rev=run.setup.rev + 1, touched=now)
            due_at = min((turn.at for turn in self._turns(run, new)), default=None)
            if await self.store.save(new, due_at=due_at):
                break
            await self._follow(run)
        run.setup = new
        self._announce(run, self._turns(run))
        return new

    async def _finish(self, run: TableSession) -> None:
        """The plan says that the game is over, or that the last move of a finished one was taken back."""
        if run.position is None or run.setup.stage not in ("playing", "over"):
            return
        stage = "playing" if run.position.result is None else "over"
        if stage != run.setup.stage:
            await self._revise(run, lambda old: msgspec.structs.replace(old, stage=stage))

    def _turns(self, run: TableSession, setup: TableSetup | None = None) -> tuple[schedule.Turn, ...]:
        if run.position is None or not run.fresh:
            return ()
        return schedule.turns(run.package, setup or run.setup, run.position, run.turns, self.clock(), self._pause)

    def _announce(self, run: TableSession, turns: tuple[schedule.Turn, ...]) -> None:
        run.turns = turns
        for turn in turns:
            self.agenda.put(turn.at, run.setup.id)
        self.hub.wake(run.setup.id, run.seq)

    def _drop(self, run: TableSession) -> None:
        self._running.pop(run.setup.id, None)
        self._used.pop(run.setup.id, None)
        self._replays.pop(run.setup.id, None)
        self.hub.wake(run.setup.id, run.seq)

    def sweep(self) -> None:
        """Drop from memory the tables that nobody has looked at for a while; the store has them."""
        long_ago = self.clock() - self._idle
        for table, (run, _) in list(self._running.items()):
            busy = run.lock.locked() or run.turns or self.hub.listening(table)
            if not busy and self._used.get(table, 0.0) < long_ago:
                self._drop(run)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
