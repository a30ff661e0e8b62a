"""The one door to running tables. Here a State lives; what goes out is a View, a name, a number.

Every change of a table happens under its lock and is in the store before anybody hears of it.
"""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import Any

import msgspec

from spieltisch import games
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.games import GamePackage
from spieltisch.table import evening, export, lobby, schedule, seat_log
from spieltisch.table.log import By, Chair, Entry, LastRound, TableSetup, encode, read_entry, tag
from spieltisch.table.position import Position
from spieltisch.table.replay import Replay
from spieltisch.table.session import TableSession, Verdict
from spieltisch.table.store import Newer, Store, Unsaved
from spieltisch.table.table import Table
from spieltisch.table.wake import Wakes

log = logging.getLogger(__name__)

SHARED_IDLE = 10.0  # seconds until a table leaves the memory that another process has in memory, too
REPLAYS = 8  # that are kept for who steps through them


class Missing(Refused):
    """There is no such table."""


def pause() -> float:
    """How long a bot seems to think, in seconds: as long as chance says, whatever it holds; mostly less than one."""
    return random.uniform(0.4, 1.4)  # noqa: S311 - nothing hangs on it


async def _nowhere(_setup: TableSetup) -> bool:
    """Without classes no two tables have the same cards."""
    return False


class Host:
    """Runs the tables of one store. `clock` gives the time in seconds (None: the store's), `pause` a bot's next
    delay; the `library` has the decks to choose from.
    """

    def __init__(
        self,
        store: Store,
        hub: Wakes,
        *,
        library: Library | None = None,
        clock: Callable[[], float] | None = None,
        pause: Callable[[], float] = pause,
        idle: float = 600.0,
    ) -> None:
        self.store = store
        self.hub = hub
        self.library = library or Library()
        self.clock = clock or store.clock
        self.agenda = schedule.Agenda()
        self.played_elsewhere: Callable[[TableSetup], Awaitable[bool]] = _nowhere  # `Classrooms` knows better
        self.holds: Callable[[str, bool], object] = lambda *_: None  # hears what is in memory: `holders`
        self.elsewhere: Callable[[str], bool] = lambda _: False  # whether others have it in memory, too: likewise
        self.moves: Counter[tuple[str, str]] = Counter()  # that were written, by game and by whom
        self._pause = pause
        self._idle = idle
        self._sessions: dict[str, tuple[TableSession, Table]] = {}
        self._used: dict[str, float] = {}
        self._loading: dict[str, asyncio.Task[TableSession]] = {}
        self._replays: dict[str, Replay] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # The lobby

    async def open(
        self,
        game: str,
        seats: int,
        top: dict[str, Any] | None = None,
        owner_key: str = "",
        lang: str = "",
        deal: int = 0,
        classroom: str = "",
    ) -> TableSetup:
        """A new table with free chairs, perhaps of a class; `top` None: the game's default; `deal` 0: nobody knows the
        cards' order beforehand. Invalid if the choice is bad.
        """
        setup = lobby.new_setup(games.package(game), seats, top, self.clock(), self.library, deal)
        setup = msgspec.structs.replace(setup, owner=owner_key, lang=lang, classroom=classroom)
        while not await self.store.create(setup):
            setup = msgspec.structs.replace(setup, id=lobby.new_code())
        return setup

    def require_goes_together(self, package: GamePackage, seats: int, top: dict[str, Any]) -> None:
        """Invalid, with the reason, unless so many can play with what is chosen."""
        lobby.options_and_deck(package, top, seats, self.library)

    async def open_next(self, table: str, make: Callable[[TableSetup], TableSetup]) -> TableSetup:
        """The game after this one: with the setup that `make` makes of an empty one with the evening's next id (games
        for one: an id of its own). Whoever comes second gets what the first one opened. Invalid if the choice is bad;
        what `make` raises reaches the caller.
        """
        session = await self._session(table)
        async with session.lock:
            await self._follow(session)
            old, known = session.setup, session.setup.rematch
            if known and (found := await self.store.setup(known)) is not None:
                return found
            alone = session.package.rules.seats[-1] == 1
            now, number = self.clock(), 1 if alone else old.number + 1
            id_ = lobby.new_code() if alone else evening.id_of(evening.code_of(old.id), number)
            empty = TableSetup(id_, old.game, old.top, (), old.owner, created=now, touched=now, lang=old.lang)
            empty = msgspec.structs.replace(empty, before=old.id, number=number, classroom=old.classroom, desk=old.desk)
            setup = make(empty)
            lobby.options_and_deck(games.package(setup.game), setup.top, len(setup.chairs), self.library)
            await self.store.create(setup, setup.begins)
            await self._revise(session, lambda one: msgspec.structs.replace(one, rematch=setup.id))
        return (await self.table(setup.id)).setup

    async def table(self, table: str) -> Table:
        """The table, from memory or rebuilt from its log; Missing if there is none."""
        await self._session(table)
        return self._sessions[table][1]

    async def latest(self, table: str) -> Table:
        """As `table`, and not older than the store: of what another process has written this one may not have heard
        yet, and whoever comes from there has seen it. Unsaved where the store does not answer.
        """
        await self._session(table)
        if self.store.shared:
            await self.refresh([table])
        return await self.table(table)

    def known(self, table: str) -> Table | None:
        """The table, if it is in memory. One that somebody listens to stays there as long as it exists."""
        found = self._sessions.get(table)
        return None if found is None else found[1]

    def is_due(self, table: str, now: float) -> bool:
        """Whether a bot or a clock has its turn at a table that is in memory, or its game begins: what came onto the
        agenda may have been answered.
        """
        if (found := self._sessions.get(table)) is None:
            return False
        begins = found[0].setup.begins
        return (begins is not None and begins <= now) or any(turn.at <= now for turn in found[0].turns)

    def is_ahead(self, table: str, seq: int) -> bool:
        """Whether this process has a later entry of a table in memory than this one, or is writing there."""
        found = self._sessions.get(table)
        return found is not None and (found[0].seq > seq or found[0].lock.locked())

    def stand(self) -> dict[str, tuple[int, int]]:
        """Of each table in memory the newest entry and the revision of its setup."""
        return {table: (session.seq, session.setup.rev) for table, (session, _) in self._sessions.items()}

    async def refresh(self, tables: Iterable[str]) -> list[str]:
        """Read on from the store where another process may have written, at all of these that are in memory. Returns
        where there was news.
        """
        sessions = [self._sessions[table][0] for table in tables if table in self._sessions]
        known = {session.setup.id: (session.seq, session.setup.rev) for session in sessions}
        news, found = await self.store.newer(known), []
        for session in sorted(sessions, key=lambda one: one.lock.locked()):  # who is writing is waited for last
            async with session.lock:
                try:
                    if await self._take(session, known[session.setup.id], news):
                        found.append(session.setup.id)
                except Missing:
                    continue
                except Unsaved:
                    raise
                except Exception:  # the others go on
                    log.exception("table %s: what has been written is not followed", tag(session.setup.id))
        return found

    async def change(self, table: str, change: Callable[[TableSetup], TableSetup], by: str = "") -> TableSetup:
        """Change the setup: chairs at any time, options and the number of seats before the game.

        `change` may be called again on a newer setup; what it raises reaches only the caller. What it does to seats is
        noted, with the name of who it was done `by`.
        """
        session = await self._session(table)

        def checked(old: TableSetup) -> TableSetup:
            new = lobby.checked_change(session.package, old, change(old), self.library)
            return seat_log.noted(old, new, self.clock(), session.seq, by)

        async with session.lock:
            return await self._revise(session, checked)

    async def replace(self, table: str, seat: int, chair: Chair) -> TableSetup:
        """Give a seat to somebody else, to a bot, or free it, also in the middle of a game."""

        def change(setup: TableSetup) -> TableSetup:
            chairs = tuple(chair if i == seat else old for i, old in enumerate(setup.chairs))
            return msgspec.structs.replace(setup, chairs=chairs)

        return await self.change(table, change)

    async def start(self, table: str, seed: bytes | None = None) -> Table:
        """Seal the dice and deal; `seed` (16 bytes): those of others, so that the cards are the same. Illegal if a
        chair is free or the game has begun.
        """
        session = await self._session(table)
        async with session.lock:
            setup, seed, body = lobby.started(session.package, session.setup, self.library, seed)
            assert setup.header is not None
            await self.store.put_deck(setup.header.deck, body, self.clock())
            # Revised only from what we saw: somebody may have begun, or left the table, in another process.
            setup = msgspec.structs.replace(setup, rev=session.setup.rev + 1, touched=self.clock())
            if not await self.store.save(setup, seed=seed):
                await self._follow(session)
                raise Illegal("The table has just been changed; please look again.")
            session.begin(setup, seed, body)
            await self._deal(session)
        return await self.table(table)

    # Play

    async def answer(self, table: str, seat: int, question: int, action: Any, by: By = "seat") -> Verdict:
        """Take a seat's answer (the game's action) to the question it was asked. Returns once it is durable.

        "taken" (also for the same answer sent again), "moot" if others' entries ended that question already;
        Illegal or Stale, with the reason, where nothing is changed.
        """
        session = await self._session(table)
        async with session.lock:
            if question > session.seq:  # another process has asked it
                await self._follow(session)
            while True:
                verdict = session.verdict(seat, question, action)
                if verdict is not None or await self._enter(session, *session.step(seat, action, by)):
                    return verdict or "taken"

    async def undo(self, table: str, seat: int, question: int) -> Verdict:
        """Take the last move back, as far as the deal; a log entry. Illegal at tables of several seats."""
        session = await self._session(table)
        async with session.lock:
            if question > session.seq:
                await self._follow(session)
            while True:
                verdict = session.undo_verdict(seat, question)
                if verdict is not None or await self._enter(session, *session.back(seat, "seat")):
                    return verdict or "taken"

    async def renew(self, table: str) -> None:
        """Go on under the present rules, which the caller has seen to lead to the same (`upgrade`)."""
        session = await self._session(table)
        version = games.package(session.setup.game).rules.version
        async with session.lock:
            await self._revise(session, lambda old: old.under(version))
            self._drop(session)

    async def close(self, table: str) -> TableSetup:
        """Nothing more is played here; the table can still be looked at."""
        session = await self._session(table)
        async with session.lock:
            return await self._revise(session, lambda old: msgspec.structs.replace(old, stage="closed"))

    async def call_last_round(self, table: str) -> TableSetup:
        """The game is broken off after this round, and stands then as its rules count. Illegal where nothing is played,
        or the rules know no such order.
        """
        session = await self._session(table)

        def call(old: TableSetup) -> TableSetup:
            at, package = session.position, session.package
            if old.stage != "playing" or at is None or not at.to_act or not session.fresh:
                raise Illegal("There is no game to be broken off.")
            if package.standings is None:
                raise Illegal("This game has no order of its own before its end: it can only be stopped.")
            lap = 0 if package.lap is None else package.lap(at.state.public)
            return msgspec.structs.replace(old, last_round=old.last_round or LastRound(lap, at.to_act[0], at.seq))

        async with session.lock:
            return await self._revise(session, call)

    async def delete(self, table: str) -> None:
        """The table, its log and its names are gone."""
        session = await self._session(table)
        async with session.lock:
            await self.store.delete(table)
            self._drop(session)

    async def forget(self, before: float) -> None:
        """Delete what was last touched before: finished and waiting tables, and names."""
        for table in await self.store.forget(before):
            if table in self._sessions:
                self._drop(self._sessions[table][0])

    async def record(self, table: str) -> dict[str, Any]:
        """A finished game as a record; Illegal while it runs, since a record tells everything."""
        session = await self._session(table)
        await self._require_told(session.setup)
        if not session.over:
            raise Illegal("A record tells everything: it is there when the game is over.")
        return export.record(session, [read_entry(body) for body in await self.store.log(table)])

    async def replay(self, table: str, *, broken_off: bool = False) -> Replay:
        """A finished game, moment by moment; Illegal while it runs, since it tells everything, too. `broken_off`: also
        one that was closed before its end.
        """
        session = await self._session(table)
        await self._require_told(session.setup)
        async with session.lock:  # so that no move is taken back meanwhile
            if not (session.over or (broken_off and session.broken_off)):
                raise Illegal("A replay tells everything: it is there when the game is over.")
            replay = self._replays.pop(table, None)
            if replay is None or replay.seq != session.seq:
                replay = Replay(session, [read_entry(body) for body in await self.store.log(table)])
            self._replays[table] = replay  # the one used last stands last
            if len(self._replays) > REPLAYS:
                del self._replays[next(iter(self._replays))]
            return replay

    async def _require_told(self, setup: TableSetup) -> None:
        """Illegal while others play with the same cards: what this table could tell of them is theirs, too."""
        if setup.alike and await self.played_elsewhere(setup):
            raise Illegal("Other tables of the class still play with the same cards: this opens when all are over.")

    async def begin(self, table: str) -> None:
        """Start a game whose countdown is up, without the chairs that nobody took; it waits where it cannot begin."""
        package = (await self._session(table)).package
        try:
            await self.change(table, lambda setup: lobby.without_free_chairs(package, setup))
            await self.start(table)
        except (Illegal, Invalid):
            await self.change(table, lambda setup: msgspec.structs.replace(setup, countdown=None))

    async def beliefs(self, table: str, seat: int) -> Any:
        """What the bot on this seat brings along besides its view."""
        return (await self._session(table)).beliefs(seat)

    async def rest(self) -> None:
        """Wait for what callers who left had begun. To be awaited before the store is closed."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    # Inside

    async def _session(self, table: str) -> TableSession:
        self._used[table] = self.clock()
        known = self._sessions.get(table)
        if known is not None:
            return known[0]
        task = self._loading.get(table)
        if task is None:
            task = self._loading[table] = asyncio.create_task(self._load(table))
            task.add_done_callback(lambda task: self._loaded(table, task))
        return await asyncio.shield(task)

    def _loaded(self, table: str, task: asyncio.Task[TableSession]) -> None:
        del self._loading[table]
        if not task.cancelled():
            task.exception()  # whoever waits is told; all may have left

    async def _load(self, table: str) -> TableSession:
        setup = await self.store.setup(table)
        if setup is None:
            self._used.pop(table, None)
            raise Missing("There is no table {table}.", table=table)
        seed = await self.store.seed(table)
        body = None if setup.header is None else await self.store.deck(setup.header.deck)
        session = TableSession(games.package(setup.game), setup, seed, body)
        async with session.lock:  # it is found by others before all of this is done
            if setup.header is not None and session.deck is not None:
                session.follow(await self.store.log(table))
                if session.position is None and session.fresh:  # it stopped between the seal and the deal
                    await self._deal(session)
            self._sessions[table] = (session, Table(session))
            self.holds(table, True)
            self._announce(session, self._turns(session))
            await self._finish(session)
        return session

    async def _deal(self, session: TableSession) -> None:
        while session.position is None and session.fresh:
            await self._enter(session, *session.deal())

    async def _enter(self, session: TableSession, position: Position, entry: Entry) -> bool:
        """Write the entry, then let it be so. False if somebody else was first: theirs is followed."""
        now = self.clock()
        entry = msgspec.structs.replace(entry, at=now)
        turns = schedule.turns(session.package, session.setup, position, session.turns, now, self._pause)
        due_at = min((turn.at for turn in turns), default=None)
        write = asyncio.ensure_future(self.store.append(session.setup.id, position.seq, encode(entry), due_at, now))
        try:
            first = await asyncio.shield(write)
        except asyncio.CancelledError:
            # The caller left while it was being written; who stays must hear of it all the same.
            self._later(self._catch_up(session, write))
            raise
        if not first:
            await self._follow(session)
            return False
        session.publish(position, entry)
        self.moves[session.package.name, entry.by] += 1
        self._announce(session, turns)
        await self._finish(session)
        return True

    async def _follow(self, session: TableSession) -> None:
        """Read on: what another process, or a caller who left, has written."""
        known = {session.setup.id: (session.seq, session.setup.rev)}
        await self._take(session, known[session.setup.id], await self.store.newer(known))

    async def _take(self, session: TableSession, known: tuple[int, int], news: Mapping[str, Newer]) -> bool:
        """Take what was read when this was known. Meanwhile this process may have written: then some of it is old.
        Whether anything was new.
        """
        seq, old = session.seq, session.setup
        if (new := news.get(session.setup.id)) is None:
            self._drop(session)
            raise Missing("There is no table {table}.", table=session.setup.id)
        setup = new.setup
        if setup is not None and (old.rev == known[1] or setup.rev > old.rev):
            if setup.header is not None and old.header is None:
                seed, body = await self.store.seed(setup.id), await self.store.deck(setup.header.deck)
                assert seed is not None
                assert body is not None
                session.begin(setup, seed, body)
            session.setup = setup
        session.follow(new.entries[seq - known[0] :])
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
            log.exception("table %s: what a caller who left had begun is not followed", tag(session.setup.id))

    async def _revise(self, session: TableSession, change: Callable[[TableSetup], TableSetup]) -> TableSetup:
        """The next revision of the setup; made again where another process has made one meanwhile."""
        while True:
            new = change(session.setup)
            if new == session.setup:
                return new
            now = self.clock()
            new = msgspec.structs.replace(new, rev=session.setup.rev + 1, touched=now)
            due_at = min((turn.at for turn in self._turns(session, new)), default=new.begins)
            if await self.store.save(new, due_at=due_at):
                break
            await self._follow(session)
        session.setup = new
        self._announce(session, self._turns(session))
        return new

    async def _finish(self, session: TableSession) -> None:
        """Note in the setup that the game is over, or that the last move of a finished one was taken back."""
        if session.position is None or session.setup.stage not in ("playing", "over"):
            return
        stage = "playing" if session.position.result is None else "over"
        if stage == session.setup.stage == "playing" and session.last_round_is_over:
            standings = session.package.standings
            places = () if standings is None else standings(session.position.state.public)
            await self._revise(session, lambda old: msgspec.structs.replace(old, stage="closed", places=places))
        elif stage != session.setup.stage:
            await self._revise(session, lambda old: msgspec.structs.replace(old, stage=stage))

    def _turns(self, session: TableSession, setup: TableSetup | None = None) -> tuple[schedule.DueTurn, ...]:
        if session.position is None or not session.fresh:
            return ()
        return schedule.turns(
            session.package, setup or session.setup, session.position, session.turns, self.clock(), self._pause
        )

    def _announce(self, session: TableSession, turns: tuple[schedule.DueTurn, ...]) -> None:
        session.turns = turns
        for turn in turns:
            self.agenda.put(turn.at, session.setup.id)
        if (at := session.setup.begins) is not None:
            self.agenda.put(at, session.setup.id)
        self.hub.wake(session.setup.id, session.seq)

    def _drop(self, session: TableSession) -> None:
        if self._sessions.pop(session.setup.id, None) is not None:
            self.holds(session.setup.id, False)
        self._used.pop(session.setup.id, None)
        self._replays.pop(session.setup.id, None)
        self.hub.wake(session.setup.id, session.seq)

    def in_memory(self) -> Counter[tuple[str, str]]:
        """How many tables are in memory, by game and stage."""
        return Counter((session.package.name, session.setup.stage) for session, _ in self._sessions.values())

    def sweep(self) -> None:
        """Drop from memory the tables that nobody has looked at for a while; the store has them. One that is in memory
        elsewhere, too, is dropped soon: else each of its moves is followed here for nobody.
        """
        now = self.clock()
        for table, (session, _) in list(self._sessions.items()):
            busy = session.lock.locked() or session.turns or self.hub.listening(table)
            idle = min(self._idle, SHARED_IDLE) if self.elsewhere(table) else self._idle
            if not busy and self._used.get(table, 0.0) < now - idle:
                self._drop(session)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
