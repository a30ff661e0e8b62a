"""The only way to running tables. States stay here; callers get Views, names and numbers."""

from collections.abc import Awaitable, Callable, Sequence

import msgspec
from msgspec import Struct

from spieltisch import games
from spieltisch.bounded import aside
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Invalid
from spieltisch.table import evening, export, lobby, seat_log
from spieltisch.table.log import By, Chair, LastRound, TableSetup, read_log
from spieltisch.table.memory import Memory
from spieltisch.table.replay import Replay
from spieltisch.table.schedule import bots_pause
from spieltisch.table.session import Begun, TableSession, Verdict
from spieltisch.table.sessions import LARGE, LONG, Missing, Sessions
from spieltisch.table.store import Store
from spieltisch.table.table import Table
from spieltisch.table.wake import Hub

__all__ = ["Host", "Missing"]

REPLAYS = 8  # replays that are cached for people who step through them


async def _nowhere(_store: Store, _setup: TableSetup) -> bool:
    """Without classes, no two tables have the same cards."""
    return False


def _record(session: TableSession, log: Sequence[bytes]) -> dict[str, object]:
    assert session.setup.header is not None
    return export.record(session, [*read_log(log, session.setup.header)])


class Host(Sessions):
    """Runs the tables of one store.

    `clock` returns the time in seconds (None: the store's), `pause` the next delay of a bot, and the `library` has the
    decks. `played_elsewhere` returns whether a game with the same cards is still running at another table; then this
    one reveals nothing.
    """

    def __init__(
        self,
        store: Store,
        hub: Hub,
        *,
        memory: Memory | None = None,
        library: Library | None = None,
        played_elsewhere: Callable[[Store, TableSetup], Awaitable[bool]] = _nowhere,
        clock: Callable[[], float] | None = None,
        pause: Callable[[], float] = bots_pause,
        idle: float = 600.0,
    ) -> None:
        super().__init__(store, hub, memory=memory, clock=clock, pause=pause, idle=idle)
        self.library = library or Library()
        self._played_elsewhere = played_elsewhere
        self._replays: dict[str, tuple[TableSession, Replay]] = {}

    # The lobby

    async def open(
        self,
        game: str,
        seats: int,
        top: dict[str, object] | None = None,
        owner_key: str = "",
        lang: str = "",
        deal: int = 0,
        classroom: str = "",
        day: str = "",
    ) -> TableSetup:
        """Open a table with free chairs, perhaps of a class. Raises Invalid if the choice is impossible.

        `top` None means the game's default. With `deal` 0 and no `day` the order of the cards is secret.
        """
        setup = await self.library.reading(
            lambda: lobby.new_setup(games.package(game), seats, top, self.clock(), self.library, deal, day)
        )
        setup = msgspec.structs.replace(setup, owner=owner_key, lang=lang, classroom=classroom)
        while not await self.store.create(setup):
            setup = msgspec.structs.replace(setup, id=lobby.new_code())
        return setup

    async def open_next(self, table: str, make: Callable[[TableSetup], TableSetup]) -> TableSetup:
        """Open the next game, or return the one that was opened before.

        `make` completes an empty setup with the evening's next id; games for one get a code of their own. Raises
        Invalid if the choice is impossible, and whatever `make` raises.
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
            empty = msgspec.structs.replace(empty, deputy=old.deputy)
            setup = make(empty)
            package, top, seats = games.package(setup.game), setup.top, len(setup.chairs)
            await self.library.reading(lambda: lobby.require_fits(package, top, seats, self.library))
            await self.store.create(setup, setup.begins)
            await self._revise(session, lambda one: msgspec.structs.replace(one, rematch=setup.id))
        return (await self.table(setup.id)).setup

    async def change(self, table: str, change: Callable[[TableSetup], TableSetup], by: str = "") -> TableSetup:
        """Change the setup: chairs at any time, options and the number of seats before the game.

        `change` may be called again with a newer setup. Its errors reach only this caller. Changes of seats are noted
        with the name of the person who made them, `by`.
        """
        session = await self._session(table)

        def checked(old: TableSetup) -> TableSetup:
            new = lobby.checked_change(session.package, old, change(old), self.library)
            return seat_log.noted(old, new, self.clock(), session.seq, by)

        async with session.lock:
            return await self._revise(session, checked)

    async def replace(self, table: str, seat: int, chair: Chair) -> TableSetup:
        """Give a seat to another person or a bot, or free it, also during a game."""

        def change(setup: TableSetup) -> TableSetup:
            chairs = tuple(chair if i == seat else old for i, old in enumerate(setup.chairs))
            return msgspec.structs.replace(setup, chairs=chairs)

        return await self.change(table, change)

    async def start(self, table: str, seed: bytes | None = None) -> Table:
        """Seal the dice and deal. `seed` (16 bytes) is another table's, for the same cards. Raises Illegal if a chair
        is free or the game has begun.
        """
        session = await self._session(table)
        async with session.lock:
            package, waiting = session.package, session.setup
            lobby.require_ready(waiting)
            what = await self.library.reading(lambda: lobby.packed(package, waiting, self.library))
            large = len(what.body) > LARGE
            setup, seed = await aside(lobby.started, package, waiting, what, seed, large=large)
            begun = await aside(Begun.of, package, setup, seed, what.body, large=large)
            await self.store.put_deck(what.hash, what.body, self.clock())
            # Revise only what we saw: another process may have begun the game, or somebody has left.
            setup = msgspec.structs.replace(setup, rev=session.setup.rev + 1, touched=self.clock())
            if not await self.store.save(setup, seed=seed):
                await self._follow(session)
                raise Illegal("The table has just changed. Please look again.")
            session.begin(setup, seed, begun)
            await self._deal(session)
        return await self.table(table)

    # Play

    async def answer(self, table: str, seat: int, question: int, action: Struct, by: By = "seat") -> Verdict:
        """Take a seat's answer (an action of the game) to a question. Returns once it is durable.

        "taken": also if a person sends the same answer again. "moot": other entries have ended the question, or a bot
        or clock has answered. Raises Illegal or Stale, with the reason, if nothing changes.
        """
        session = await self._session(table)
        async with session.lock:
            if question > session.seq:  # another process has asked it
                await self._follow(session)
            while True:
                if (verdict := session.verdict(seat, question, action)) is not None:
                    return verdict if by == "seat" else "moot"
                if await self._enter(session, *session.step(seat, action, by)):
                    return "taken"

    async def undo(self, table: str, seat: int, question: int) -> Verdict:
        """Take the last move back, at most to the deal, by a log entry. Raises Illegal at tables of several seats."""
        session = await self._session(table)
        async with session.lock:
            if question > session.seq:
                await self._follow(session)
            while True:
                verdict = session.undo_verdict(seat, question)
                if verdict is not None or await self._enter(session, *session.back(seat, "seat")):
                    return verdict or "taken"

    async def renew(self, table: str) -> None:
        """Continue under the present rules. The caller has checked that they lead to the same (`upgrade`)."""
        session = await self._session(table)
        version = games.package(session.setup.game).rules.version
        async with session.lock:
            await self._revise(session, lambda old: old.under(version))
            self._drop(session)

    async def close(self, table: str) -> TableSetup:
        """End play here; the table can still be viewed."""
        session = await self._session(table)
        async with session.lock:
            return await self._revise(session, lambda old: msgspec.structs.replace(old, stage="closed"))

    async def call_last_round(self, table: str) -> TableSetup:
        """End the game after this round, with the ranking that its rules compute. Raises Illegal if no game is running,
        or the rules have no such ranking.
        """
        session = await self._session(table)

        def call(old: TableSetup) -> TableSetup:
            at, package = session.position, session.package
            if old.stage != "playing" or at is None or not at.to_act or not session.fresh:
                raise Illegal("There is no running game to stop.")
            if package.standings is None:
                raise Illegal("Nobody leads in this game before it ends. You can only stop it.")
            lap = 0 if package.lap is None else package.lap(at.state.public)
            return msgspec.structs.replace(old, last_round=old.last_round or LastRound(lap, at.to_act[0], at.seq))

        async with session.lock:
            return await self._revise(session, call)

    async def delete(self, table: str) -> None:
        """Delete the table with its log and names."""
        session = await self._session(table)
        async with session.lock:
            await self.store.delete(table)
            self._drop(session)

    async def forget(self, before: float) -> None:
        """Delete finished and waiting tables that were last touched before this time, and old names."""
        for table in await self.store.forget(before):
            if (session := self.memory.session(table)) is not None:
                self._drop(session)

    async def record(self, table: str) -> dict[str, object]:
        """A finished game as a record. Raises Illegal while it runs, since a record reveals everything."""
        session = await self._session(table)
        await self._require_told(session.setup)
        if not session.over:
            raise Illegal("The record reveals everything. You can get it once the game is over.")
        async with session.lock:  # so that no move is taken back in the meantime
            log = await self.store.log(table)
            return await aside(_record, session, log, large=True)  # with its deck it is large

    async def replay(self, table: str, *, broken_off: bool = False) -> Replay:
        """A finished game, moment by moment. Raises Illegal while it runs, since it reveals everything. `broken_off`
        includes games that were closed before their end.
        """
        session = await self._session(table)
        await self._require_told(session.setup)
        async with session.lock:  # so that no move is taken back in the meantime
            if not (session.over or (broken_off and session.broken_off)):
                raise Illegal("The replay reveals everything. You can open it once the game is over.")
            of, replay = self._replays.pop(table, (None, None))
            if replay is None or of is not session or replay.seq != session.seq:
                log = await self.store.log(table)
                replay = await aside(Replay.of, session, log, large=len(log) > LONG)
            self._replays[table] = session, replay  # the most recently used one comes last
            if len(self._replays) > REPLAYS:
                del self._replays[next(iter(self._replays))]
            return replay

    async def _changed(self, setup: TableSetup, change: Callable[[TableSetup], TableSetup]) -> TableSetup:
        return await self.library.reading(lambda: change(setup))

    async def _require_told(self, setup: TableSetup) -> None:
        """Raise Illegal while others play with the same cards: this table could reveal theirs."""
        if setup.alike and await self._played_elsewhere(self.store, setup):
            raise Illegal(
                "Other tables of the class are still playing with the same cards. This opens when all have finished."
            )

    def _drop(self, session: TableSession) -> None:
        self._replays.pop(session.setup.id, None)
        super()._drop(session)

    async def begin(self, table: str) -> None:
        """Start a game when its countdown ends, without the free chairs. It waits if it cannot begin."""
        package = (await self._session(table)).package
        try:
            await self.change(table, lambda setup: lobby.without_free_chairs(package, setup))
            await self.start(table)
        except (Illegal, Invalid):
            await self.change(table, lambda setup: msgspec.structs.replace(setup, countdown=None))

    async def beliefs(self, table: str, seat: int) -> object:
        """The beliefs of the bot on this seat, beside its view."""
        return (await self._session(table)).beliefs(seat)
