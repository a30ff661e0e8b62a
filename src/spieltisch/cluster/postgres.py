"""The store for many processes: one PostgreSQL, version 15 or newer.

Entries queue up. One task takes all that wait, writes them with one statement and one commit, then tells them together
(group commit). What is acknowledged has been committed. Work on a broken connection is repeated (`database`), and an
entry that had been written is recognised by its bytes.
"""

import asyncio
import contextlib
import secrets
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from math import inf
from typing import NamedTuple

import msgspec
from psycopg.rows import TupleRow

from spieltisch.cluster import statements
from spieltisch.cluster.connection import Connection, execute, query, query_many
from spieltisch.cluster.database import Database
from spieltisch.table.durations import Times
from spieltisch.table.log import TableSetup, encode, read_setup
from spieltisch.table.store import (
    AWAY,
    LATEST,
    LEAST,
    PATIENCE,
    Lending,
    Newer,
    Unsaved,
    nameless,
    numbered,
    readable,
    saved,
    sql,
)
from spieltisch.table.store.reads import Reads

GATHER = 0.008  # seconds between commits under load, per process, since all share the database
MOST = 4  # processes that count, so that the gap stays short
LOOK = 1.0  # seconds within which a writable database answers,
STUCK = 2.0  # and for which the oldest entry may wait
_NOTHING = "update format set number = number"  # writes without a change
GONE = 3600.0  # seconds for which the database remembers deleted tables
_NEVER = str(2**63 - 1)  # no transaction has this number


class _Append(NamedTuple):
    """An entry that waits to be written."""

    table: str
    seq: int
    entry: bytes
    at: float
    due: float | None
    until: float  # when the caller gives up, by the monotonic clock


class Moment(NamedTuple):
    """A look at the database: which server (by its start), when by its clock, and its oldest open transaction."""

    server: str
    at: float
    open: str


class Postgres(Reads):
    """A `Store` in the database at this address."""

    shared = True

    def __init__(
        self,
        url: str,
        *,
        written: Callable[[str, int], object] = lambda *_: None,
        turned: Callable[[], object] = lambda: None,
    ) -> None:
        """`written` is called with the table and number of each committed entry (0: another change of the table), and
        `turned` if the database may have lost entries. Raises DataError, with advice, if the database cannot be used or
        was written by a newer version.
        """
        self.database = Database(url, self._turn)
        self.commits = Times()
        self.process = secrets.token_hex(4)  # this process's name for all that share the database
        self.processes = 1  # known processes on the database: see `cluster`
        self._queue: list[tuple[_Append, asyncio.Future[bool]]] = []
        self._more = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False
        self._unheard = False  # whether the answer to a claim was lost, so that nobody knows of its leases
        self._written, self._turned = written, turned
        self._turns = 0  # how often `turned` was called

    # Writes

    async def create(self, setup: TableSetup, due_at: float | None = None) -> bool:
        return await self._put_plan(sql.CREATE, (setup.id, setup.stage, setup.rev, encode(setup)), setup, due_at)

    async def save(self, setup: TableSetup, *, due_at: float | None = None, seed: bytes | None = None) -> bool:
        return await self._put_plan(sql.SAVE, saved(setup, seed), setup, due_at)

    async def _put_plan(self, statement: str, row: Sequence[object], setup: TableSetup, due_at: float | None) -> bool:
        async def work(db: Connection, again: bool) -> bool:
            async with db.transaction():
                if not await query(db, statement, row):
                    body = await query(db, "select body from plan where id = ?", (setup.id,)) if again else ()
                    return body == [(encode(setup),)]  # already written when the connection was lost
                await execute(db, sql.pace(1), (setup.id, setup.touched, due_at))
                return True

        if first := await self.database.do(work):
            self._written(setup.id, 0)
        return first

    def append(
        self, table: str, seq: int, entry: bytes, due_at: float | None, at: float, until: float | None = None
    ) -> Awaitable[bool]:
        until = time.monotonic() + PATIENCE if until is None else until
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((_Append(table, seq, entry, at, due_at, until), done))
        self._more.set()
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        return done

    async def put_deck(self, hash: str, body: bytes, at: float) -> None:  # noqa: A002 - a deck's hash
        await self.database.do(lambda db, _: execute(db, sql.PUT_DECK, (hash, at, body)))

    async def put_document(self, id: str, rev: int, body: bytes, due: float | None) -> bool:  # noqa: A002
        statement, old = (sql.NEW_DOCUMENT, ()) if rev == 1 else (sql.NEXT_DOCUMENT, (rev - 1,))

        async def work(db: Connection, again: bool) -> bool:
            if await query(db, statement, (rev, due, body, id, *old)):
                return True  # otherwise it may have been written when the connection was lost
            return again and await query(db, "select rev, body from document where id = ?", (id,)) == [(rev, body)]

        return await self.database.do(work)

    async def drop_document(self, id: str) -> None:  # noqa: A002
        await self.database.do(lambda db, _: execute(db, sql.DROP_DOCUMENT, (id,)))

    async def forget(self, before: float) -> Sequence[str]:
        changed: list[str] = []
        last = (-inf, "")
        while old := await self.database.read(sql.OLD, before, before, *last):
            some = await self.database.do(lambda db, _, ids=[id_ for _, id_ in old]: _forget(db, ids, before))
            for table in some:
                self._written(table, 0)
            changed += some
            last = old[-1]
        await self.database.do(lambda db, _: execute(db, sql.OLD_DECKS, (before,)))
        await self.database.do(lambda db, _: execute(db, statements.FORGET_GONE, (GONE,)))
        return changed

    async def delete(self, table: str) -> None:
        await self.database.do(lambda db, _: _delete(db, [table]))
        self._written(table, 0)

    async def check(self) -> None:
        if self.waits > STUCK:
            raise Unsaved(AWAY)
        await self.database.do(lambda db, _: execute(db, _NOTHING), LOOK)

    async def can_write_anew(self) -> bool:
        return await self.database.can_do_anew(_NOTHING)

    @property
    def waits(self) -> float:
        return self.commits.oldest

    @property
    def is_failing(self) -> bool:
        return self.database.is_failing or self.waits > STUCK

    # Reads

    @property
    def lending(self) -> Lending:
        return self.database.lending

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def rows(self, statement: str, *values: object) -> list[TupleRow]:
        return await self.database.read(statement, *values)

    async def newer(self, known: Mapping[str, tuple[int, int]]) -> dict[str, Newer]:
        if not known:
            return {}
        rows = [(table, seq, rev) for table, (seq, rev) in known.items()]
        if len(rows) == 1:
            news = await self.database.read(statements.NEWS_OF_ONE, *rows[0])
        else:
            news = await self.database.read(statements.NEWS, *map(list, zip(*rows, strict=True)))
        setups: dict[str, TableSetup | None] = {}
        entries: defaultdict[str, list[tuple[int, bytes]]] = defaultdict(list)
        for id_, body, touched, seq, entry in news:
            if id_ not in setups:
                setups[id_] = None if body is None else _setup(body, touched)
            if entry is not None:
                entries[id_].append((seq, entry))
        return {id_: Newer(setup, numbered(entries[id_], known[id_][0])) for id_, setup in setups.items()}

    async def claim(
        self,
        n: int,
        lease: float,
        now: float,
        mine: Collection[str] = (),
        patience: float = 0.0,
        busy: Collection[str] = (),
    ) -> dict[str, float]:
        del now  # by the database's clock
        asked = time.monotonic()
        values = (patience, LATEST, [*mine], [*busy], n, lease, self.process)

        unheard, self._unheard = self._unheard, False

        async def work(db: Connection, again: bool) -> list[TupleRow]:
            return await query(db, statements.CLAIM, (LATEST, self.process if unheard or again else None, *values))

        try:
            rows = await self.database.do(work)
        except BaseException:
            self._unheard = True
            raise
        self.database.set_clock(rows[0][0], asked)
        return {id_: until for _, id_, until in rows if id_ is not None}

    async def renew(self, held: Mapping[str, float], lease: float, now: float) -> dict[str, float]:
        del now
        if not held:
            return {}
        values = ([*held], [*held.values()])
        return dict(
            await self.database.do(
                lambda db, again: query(db, statements.RENEW, (*values, self.process if again else None, lease))
            )
        )

    def clock(self) -> float:
        return self.database.clock()

    async def close(self, seconds: float | None = None) -> None:
        """Write what waits, for at most this long, then close. Do not use the store afterwards. Changes that a missing
        database has not taken by then were not acknowledged.
        """
        self._closed = True
        self._more.set()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    if self._writer is not None:
                        await self._writer
                    await self.database.rest()
        finally:  # even if nobody waits for it any more
            await self.database.close()

    # Other processes

    async def written_since(self, seen: Moment | None) -> tuple[Moment, Sequence[str] | None]:
        """The tables that were written or deleted since a moment (None: perhaps all), and the next moment.

        Transactions are numbered when they begin, and end in another order. All before the oldest one that was open at
        `seen` had ended by then, so their writes were visible. Whatever has appeared since has that number or a later
        one, however long its commit took. As long as somebody keeps a transaction open, the same tables come again,
        which only costs time.
        """
        if seen is None:
            ((*here, _),) = await self.database.read(statements.WRITTEN, _NEVER, _NEVER)
            return Moment(*here), None
        rows = await self.database.read(statements.WRITTEN, seen.open, seen.open)
        here = Moment(*rows[0][:3])
        if here.server != seen.server or here.at - seen.at > GONE / 2:
            return here, None
        return here, [id_ for *_, id_ in rows if id_ is not None]

    async def files(self) -> dict[str, int]:
        """The version of each shared file, by name."""
        return dict(await self.database.read(statements.FILES))

    async def file(self, name: str) -> tuple[int, bytes] | None:
        """The version and content of this file; None if there is none."""
        for made, body in await self.database.read(statements.FILE, name):
            return made, body
        return None

    async def put_file(self, name: str, body: bytes, was: int) -> int:
        """Store the file if its version still is `was` (0: it is new). Returns the new version, otherwise 0."""
        statement, values = (statements.NEXT_FILE, (body, name, was)) if was else (statements.NEW_FILE, (name, body))

        async def work(db: Connection, again: bool) -> int:
            rows = await query(db, statement, values)
            if not rows and again:  # it may have been written when the connection was lost
                rows = [(made,) for made, there in await query(db, statements.FILE, (name,)) if there == body]
            return rows[0][0] if rows else 0

        return await self.database.do(work)

    async def drop_file(self, name: str) -> None:
        """Delete the file."""
        await self.database.do(lambda db, _: execute(db, statements.DROP_FILE, (name,)))

    async def names(self, beginning: str) -> Sequence[str]:
        """The connections' names of all processes that start like this."""
        return [row[0] for row in await self.database.read(statements.NAMES, beginning)]

    async def release(self, processes: Sequence[str]) -> None:
        """End the claims of all processes but these, because they are gone."""
        await self.database.do(lambda db, _: execute(db, statements.RELEASE, ([*processes],)))

    # The task that appends

    def _turn(self) -> None:
        """Refuse what waits to be written, since it may follow entries that the database has lost."""
        self._turns += 1
        self._unheard = True  # it may have kept a claim, and lost the turn that was taken
        waiting, self._queue = self._queue, []
        for _, done in waiting:
            if not done.done():
                done.set_result(False)
        self._turned()

    def _in_time(self) -> list[tuple[_Append, asyncio.Future[bool]]]:
        """Take what waits to be written. Entries that have waited too long are refused, as they were never sent."""
        batch, waiting, latest = [], self._queue, time.monotonic() + LEAST
        self._queue = []
        for one, done in waiting:
            if one.until >= latest:
                batch.append((one, done))
            elif not done.done():
                done.set_exception(Unsaved(AWAY))
        return batch

    async def _append(self, db: Connection, batch: Sequence[_Append], again: bool, turns: int) -> list[bool]:
        """Which entries of the batch were first. After a turn nothing more is written, although some may have been
        before.
        """
        if self._turns == turns:
            return await _append(db, batch, again=again)
        return [await _is_there(db, one) for one in batch]

    async def _write(self) -> None:
        last = 0.0
        while self._queue or not self._closed:
            if not self._queue:
                self._more.clear()
                await self._more.wait()
                continue
            gather = GATHER * min(self.processes, MOST)
            if time.monotonic() - last < gather:  # under load, changes within this time share a commit
                await asyncio.sleep(gather)
            batch = self._in_time()
            if not batch:
                continue
            appends = [one for one, _ in batch]
            seconds = min(one.until for one in appends) - time.monotonic()
            try:
                with self.commits.timed():
                    taken = await self.database.write(
                        lambda db, again, batch=appends, turns=self._turns: self._append(db, batch, again, turns),
                        seconds,
                    )
            except Exception as error:  # noqa: BLE001 - whoever waits is told, the task goes on
                for _, done in batch:
                    if not done.done():
                        done.set_exception(error)
            else:
                for (one, done), first in zip(batch, taken, strict=True):
                    if first:
                        self._written(one.table, one.seq)
                    if not done.done():
                        done.set_result(first)
            last = time.monotonic()


async def _append(db: Connection, batch: Sequence[_Append], *, again: bool) -> list[bool]:
    """Which entries of the batch were first with their number."""
    unique = {(one.table, one.seq): one for one in reversed(batch)}  # of two with the same number, the first
    rows = [unique[key][:5] for key in sorted(unique)]
    first = {(table, seq) for table, seq in await query_many(db, statements.APPEND, rows)}
    if again:  # already written when the connection was lost
        for key in unique.keys() - first:
            if await _is_there(db, unique[key]):
                first.add(key)
    return [(one.table, one.seq) in first and unique[one.table, one.seq] is one for one in batch]


async def _is_there(db: Connection, one: _Append) -> bool:
    """Whether exactly this entry has been written."""
    return await query(db, "select entry from log where id = ? and seq = ?", (one.table, one.seq)) == [(one.entry,)]


async def _delete(db: Connection, tables: Sequence[str]) -> None:
    async with db.transaction():
        for statement in statements.DELETE_ALL:
            await execute(db, statement, ([*tables],))


async def _forget(db: Connection, tables: Sequence[str], before: float) -> list[str]:
    """Forget those tables, or their names, that are still old once nobody can write there."""
    changed, ended = [], []
    async with db.transaction():
        plans = await query(db, statements.LOCK_PLANS, ([*tables],))
        touched = await query(db, statements.TOUCHED_SINCE, ([*tables], before))  # written before the lock was taken
        new = {id_ for (id_,) in touched}
        for table, stage, body in plans:
            if table in new:
                continue
            setup = next(readable([body]), None)
            if stage != "playing" or setup is None:
                ended.append(table)
            elif (bare := nameless(setup)) is not None:
                await execute(db, sql.SAVE, saved(bare))
                await execute(db, statements.NOTE_WRITTEN, (table,))
                changed.append(table)
        await _delete(db, ended)
    return changed + ended


def _setup(body: bytes, touched: float) -> TableSetup:
    return msgspec.structs.replace(read_setup(body), touched=touched)
