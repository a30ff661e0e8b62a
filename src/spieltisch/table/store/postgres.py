"""The store for many processes: one PostgreSQL, version 15 or newer.

Entries queue up; one task takes all that wait, writes them with one statement and one commit, then tells them together
(group commit). What is acknowledged has been committed. A connection that is lost is made again, and what was under way
is sent again: an entry that had been written is recognised by its bytes. The caller hears of it after `PATIENCE` only.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from math import inf
from typing import Any, NamedTuple, TypeVar

import msgspec

from spieltisch.extras import needed
from spieltisch.paths import DataError
from spieltisch.table.evening import in_order
from spieltisch.table.log import TableSetup, encode, read_setup
from spieltisch.table.store import LATEST, Newer, Unsaved, sql

with needed():
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg_pool import AsyncConnectionPool, PoolTimeout

log = logging.getLogger(__name__)

T = TypeVar("T")
Connection = psycopg.AsyncConnection[tuple[Any, ...]]

GATHER = 0.008  # seconds
PATIENCE = 5.0  # seconds for which a database that does not answer is asked again
AGAIN = 0.05  # seconds until then
CONNECTIONS = 8  # of a process, at most
OLDEST = 15  # the version
SERVES = "spieltisch"  # the name of a server's connections
AWAY = "The database does not answer just now. Please try again in a moment."
# Whoever vanishes without a word is given up after some 15 seconds.
_WANTED: dict[str, str | int] = {
    "connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3,
    "tcp_user_timeout": 15_000, "application_name": SERVES,
}  # fmt: skip
_MIGRATING = 0x5350_4945_4C  # the number of the lock that a process holds while it migrates
_GONE = ("08", "57")  # classes of errors that say: this connection, or all of the server, is going or coming
_FAILS = ("25006", "53", "58")  # read only, no room, the disk fails
_DEADLOCK = "40P01"


class _Append(NamedTuple):
    """An entry that waits to be written."""

    table: str
    seq: int
    entry: bytes
    at: float
    due: float | None


class Postgres:
    """A `Store` in the database with this address."""

    shared = True

    def __init__(self, url: str) -> None:
        """Raises DataError, saying what helps, where the database cannot be used or a newer version has written it."""
        asked, said, self._address = _prepare(url)
        self.process = secrets.token_hex(4)  # the name of this one among all that share the database
        self._ahead = 0.0  # of the database's clock before that of the process, less what its answer took
        self._took = inf  # seconds, the answer by which that was set
        self._set_clock(said, asked)
        self._pool: AsyncConnectionPool[Connection] | None = None
        self._queue: list[tuple[_Append, asyncio.Future[bool]]] = []
        self._doing: set[asyncio.Task[Any]] = set()
        self._more = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False
        self._failed = False
        self.written: Callable[[str, int], object] = lambda *_: None  # hears what has been committed: `cluster`

    # What is written

    async def create(self, setup: TableSetup, due_at: float | None = None) -> bool:
        return await self._put_plan(sql.CREATE, (setup.id, setup.stage, setup.rev, encode(setup)), setup, due_at)

    async def save(self, setup: TableSetup, *, due_at: float | None = None, seed: bytes | None = None) -> bool:
        deck = None if setup.header is None else setup.header.deck
        row = (setup.stage, setup.rev, deck, seed, encode(setup), setup.id, setup.rev - 1)
        return await self._put_plan(sql.SAVE, row, setup, due_at)

    async def _put_plan(self, statement: str, row: Sequence[Any], setup: TableSetup, due_at: float | None) -> bool:
        async def work(db: Connection, again: bool) -> bool:
            async with db.transaction():
                if not await _rows(db, statement, row):
                    body = await _rows(db, "select body from plan where id = ?", (setup.id,)) if again else ()
                    return body == [(encode(setup),)]  # it had been written when the connection was lost
                await _run(db, sql.pace(1), (setup.id, setup.touched, due_at))
                return True

        if first := await self._do(work):
            self.written(setup.id, 0)
        return first

    def append(self, table: str, seq: int, entry: bytes, due_at: float | None, at: float) -> Awaitable[bool]:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((_Append(table, seq, entry, at, due_at), done))
        self._more.set()
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        return done

    async def put_deck(self, hash: str, body: bytes, at: float) -> None:  # noqa: A002 - a deck's hash
        await self._do(lambda db, _: _run(db, sql.PUT_DECK, (hash, at, body)))

    async def put_document(self, id: str, rev: int, body: bytes, due: float | None) -> bool:  # noqa: A002
        statement, old = (sql.NEW_DOCUMENT, ()) if rev == 1 else (sql.NEXT_DOCUMENT, (rev - 1,))

        async def work(db: Connection, again: bool) -> bool:
            if await _rows(db, statement, (rev, due, body, id, *old)):
                return True  # else it may have been written when the connection was lost
            return again and await _rows(db, "select rev, body from document where id = ?", (id,)) == [(rev, body)]

        return await self._do(work)

    async def drop_document(self, id: str) -> None:  # noqa: A002
        await self._do(lambda db, _: _run(db, sql.DROP_DOCUMENT, (id,)))

    async def forget(self, before: float) -> Sequence[str]:
        old = await self._read(sql.OLD, before)
        changed = [table for table, *_ in old if await self._do(lambda db, _, id_=table: _forget(db, id_, before))]
        for table in changed:
            self.written(table, 0)
        await self._do(lambda db, _: _run(db, sql.OLD_DECKS, (before,)))
        return changed

    async def delete(self, table: str) -> None:
        await self._do(lambda db, _: _delete(db, table))
        self.written(table, 0)

    async def check(self) -> None:
        await self._do(lambda db, _: _run(db, "update format set number = number"))

    # What is read

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def count(self) -> int:
        return (await self._read(sql.COUNT))[0][0]

    async def ids(self) -> Sequence[str]:
        return [row[0] for row in await self._read(sql.IDS)]

    async def games(self, code: str) -> Sequence[str]:
        rows = await self._read(sql.GAMES, code, f"{code}-", f"{code}.")  # "." comes after "-"
        return in_order([row[0] for row in rows])

    async def touched_last(self, n: int, skip: int = 0) -> Sequence[TableSetup]:
        return [_setup(*row) for row in await self._read(sql.TOUCHED_LAST, n, skip)]

    async def newer(self, known: Mapping[str, tuple[int, int]]) -> dict[str, Newer]:
        if not known:
            return {}
        seqs, revs = zip(*known.values(), strict=True)
        found: dict[str, Newer] = {}
        for id_, body, touched, entry in await self._read(sql.NEWS, [*known], [*seqs], [*revs]):
            if id_ not in found:
                found[id_] = Newer(None if body is None else _setup(body, touched), [])
            if entry is not None:
                found[id_].entries.append(entry)
        return found

    async def setup(self, table: str) -> TableSetup | None:
        for row in await self._read(sql.PLAN, table):
            return _setup(*row)
        return None

    async def playing(self) -> Sequence[TableSetup]:
        return [read_setup(body) for (body,) in await self._read(sql.PLAYING)]

    async def seed(self, table: str) -> bytes | None:
        return await self._one(sql.SEED, table)

    async def deck(self, hash: str) -> bytes | None:  # noqa: A002
        return await self._one(sql.DECK, hash)

    async def log(self, table: str, after: int = 0) -> Sequence[bytes]:
        return [row[0] for row in await self._read(sql.LOG, table, after)]

    async def document(self, id: str) -> bytes | None:  # noqa: A002
        return await self._one(sql.DOCUMENT, id)

    async def due_documents(self, now: float) -> Sequence[str]:
        return [row[0] for row in await self._read(sql.DUE_DOCUMENTS, now)]

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
        rows = await self._read(sql.CLAIM, LATEST, patience, LATEST, [*mine], [*busy], n, lease, self.process)
        self._set_clock(rows[0][0], asked)
        return {id_: until for _, id_, until in rows if id_ is not None}

    async def renew(self, held: Mapping[str, float], lease: float, now: float) -> dict[str, float]:
        del now
        return dict(await self._read(sql.RENEW, [*held], [*held.values()], lease)) if held else {}

    async def newest(self) -> float | None:
        return await self._one(sql.NEWEST)

    async def _one(self, statement: str, *values: Any) -> Any:
        rows = await self._read(statement, *values)
        return rows[0][0] if rows else None

    async def _read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self._do(lambda db, _: _rows(db, statement, values))

    def clock(self) -> float:
        return time.monotonic() + self._ahead

    def _set_clock(self, said: float, asked: float) -> None:
        """The database has said its time, when it was asked then: the quickest answers of late tell it best."""
        heard = time.monotonic()
        self._took *= 1.05
        if heard - asked <= self._took:
            self._took, self._ahead = heard - asked, said - heard

    async def close(self) -> None:
        """Write what waits, then let go of the database. Nothing may be asked afterwards."""
        self._closed = True
        self._more.set()
        if self._writer is not None:
            await self._writer
        if self._doing:
            await asyncio.wait(self._doing)
        if self._pool is not None:
            await self._pool.close()

    # What other processes do

    async def files(self) -> dict[str, int]:
        """The version of each file that is shared, by its name."""
        return dict(await self._read(sql.FILES))

    async def file(self, name: str) -> tuple[int, bytes] | None:
        """The version and the content of the file with this name; None if there is none."""
        for made, body in await self._read(sql.FILE, name):
            return made, body
        return None

    async def put_file(self, name: str, body: bytes, was: int) -> int:
        """Keep the file, if it is still the version that it `was` (0: there is none): its new version, else 0."""
        statement, values = (sql.NEXT_FILE, (body, name, was)) if was else (sql.NEW_FILE, (name, body))

        async def work(db: Connection, again: bool) -> int:
            rows = await _rows(db, statement, values)
            if not rows and again:  # it may have been written when the connection was lost
                rows = [(made,) for made, there in await _rows(db, sql.FILE, (name,)) if there == body]
            return rows[0][0] if rows else 0

        return await self._do(work)

    async def drop_file(self, name: str) -> None:
        """The file is gone."""
        await self._do(lambda db, _: _run(db, sql.DROP_FILE, (name,)))

    async def names(self, beginning: str) -> Sequence[str]:
        """The names that begin so, of all connections of all processes."""
        return [row[0] for row in await self._read(sql.NAMES, beginning)]

    async def release(self, processes: Sequence[str]) -> None:
        """End what others than these processes have claimed: they are gone."""
        await self._do(lambda db, _: _run(db, sql.RELEASE, ([*processes],)))

    async def connect(self, name: str) -> Connection:
        """A connection of one's own with this name. psycopg.Error where there is none to be had."""
        return await psycopg.AsyncConnection.connect(self._address, autocommit=True, application_name=name)

    # Connections

    async def _do(self, work: Callable[[Connection, bool], Awaitable[T]]) -> T:
        """Do this on a connection that commits each statement by itself; again where the connection is lost, which
        `work` is told, and once where two processes were in each other's way. Unsaved where the database cannot.
        It is done to its end even if the caller leaves: a statement that is broken off costs its connection.
        """
        task = asyncio.create_task(self._done(work))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
        return await asyncio.shield(task)

    async def _done(self, work: Callable[[Connection, bool], Awaitable[T]]) -> T:
        deadline, again, deadlocks = time.monotonic() + PATIENCE, False, 0
        while True:
            try:
                pool = await self._opened()
                async with pool.connection(timeout=max(deadline - time.monotonic(), AGAIN)) as db:
                    done = await work(db, again)
            except psycopg.Error as error:
                lost, now = _is_lost(error), time.monotonic()
                if (lost and now < deadline) or (error.sqlstate == _DEADLOCK and not deadlocks):
                    again, deadlocks = again or lost, deadlocks + (not lost)
                    await asyncio.sleep(AGAIN)
                    continue
                if not lost and not (error.sqlstate or "").startswith(_FAILS):
                    raise
                if not self._failed:  # told once
                    log.error("the database cannot be used: %s", type(error).__name__)  # noqa: TRY400 - it may tell values
                self._failed = True
                raise (Unsaved(AWAY) if lost else Unsaved()) from error
            else:
                if self._failed:
                    log.warning("the database can be used again")
                self._failed = False
                return done

    async def _opened(self) -> AsyncConnectionPool[Connection]:
        if self._pool is None:
            self._pool = AsyncConnectionPool(
                self._address, kwargs={"autocommit": True}, min_size=1, max_size=CONNECTIONS, open=False,
                configure=_configure, reconnect_timeout=PATIENCE, name="spieltisch",
            )  # fmt: skip
            await self._pool.open()
        return self._pool

    # The task that appends

    async def _write(self) -> None:
        last = 0.0
        while self._queue or not self._closed:
            if not self._queue:
                self._more.clear()
                await self._more.wait()
                continue
            if time.monotonic() - last < GATHER:  # work comes thick: what comes within this time is one commit
                await asyncio.sleep(GATHER)
            batch, self._queue = self._queue, []
            appends = [one for one, _ in batch]
            try:
                taken = await self._do(lambda db, again, batch=appends: _append(db, batch, again=again))
            except Exception as error:  # noqa: BLE001 - whoever waits is told, the task goes on
                for _, done in batch:
                    if not done.done():
                        done.set_exception(error)
            else:
                for (one, done), first in zip(batch, taken, strict=True):
                    if first:
                        self.written(one.table, one.seq)
                    if not done.done():
                        done.set_result(first)
            last = time.monotonic()


def _is_lost(error: psycopg.Error) -> bool:
    """Whether the connection was lost, or there is none to be had just now."""
    if isinstance(error, PoolTimeout):
        return True
    broken = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and error.sqlstate is None
    return broken or (error.sqlstate or "").startswith(_GONE)


async def _append(db: Connection, batch: Sequence[_Append], *, again: bool) -> list[bool]:
    """Which of the batch were first with their number."""
    unique = {(one.table, one.seq): one for one in reversed(batch)}  # of two with the same number the first
    rows = [unique[key] for key in sorted(unique)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    first = {(table, seq) for table, seq in await _rows(db, sql.APPEND, columns)}
    if again:  # what had been written when the connection was lost
        for key in unique.keys() - first:
            if await _rows(db, "select entry from log where id = ? and seq = ?", key) == [(unique[key].entry,)]:
                first.add(key)
    return [(one.table, one.seq) in first and unique[one.table, one.seq] is one for one in batch]


async def _delete(db: Connection, table: str) -> None:
    async with db.transaction():
        for statement in reversed(sql.DELETE):  # the plan first: whoever is writing an entry is waited for
            await _run(db, statement, (table,))


async def _forget(db: Connection, table: str, before: float) -> bool:
    """Forget a table, or its names, if it is still old when nobody can write there."""
    async with db.transaction():
        plan = await _rows(db, "select stage, body from plan where id = ? for update", (table,))
        if not plan or await _rows(db, "select id from pace where id = ? and touched >= ?", (table, before)):
            return False
        ((stage, body),) = plan
        if stage != "playing":
            await _delete(db, table)
            return True
        setup = read_setup(body)
        if setup.nameless == setup:
            return False
        nameless = msgspec.structs.replace(setup.nameless, rev=setup.rev + 1)
        deck = None if setup.header is None else setup.header.deck
        await _run(db, sql.SAVE, (stage, nameless.rev, deck, None, encode(nameless), table, setup.rev))
        return True


async def _rows(db: Connection, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    found = await db.execute(statement.replace("?", "%s").encode(), values, binary=True)
    return await found.fetchall()


async def _run(db: Connection, statement: str, values: Sequence[Any] = ()) -> None:
    await db.execute(statement.replace("?", "%s").encode(), values)


def _setup(body: bytes, touched: float) -> TableSetup:
    return msgspec.structs.replace(read_setup(body), touched=touched)


async def _configure(db: Connection) -> None:
    """A commit is on the disk, whatever the server's administrator prefers for others. And statements are planned once:
    for arrays of few tables the database would else plan anew each time, which takes longer than what is asked.
    """
    await db.execute("set plan_cache_mode = force_generic_plan")
    await db.execute(
        "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"
    )


def address_of(url: str) -> str:
    """The address of a database, with what ours want of a connection besides; DataError where it is none."""
    try:
        said = conninfo_to_dict(url)
        return make_conninfo(url, **{key: value for key, value in _WANTED.items() if key not in said})
    except psycopg.Error as error:  # which repeats the address, with its password
        raise DataError("this is not the address of a database; one looks like postgresql:///spieltisch") from error


@contextmanager
def connected(address: str, *, autocommit: bool = False) -> Generator[psycopg.Connection[tuple[Any, ...]]]:
    """A connection for a command that is not a server, in a transaction that is given up unless it is committed.

    Raises DataError, saying what helps, where the database cannot be used, also for what goes wrong meanwhile.
    """
    try:
        address = make_conninfo(address_of(address), application_name="spieltisch command")
        with closing(psycopg.connect(address, autocommit=autocommit)) as db:
            if (found := db.info.server_version // 10_000) < OLDEST:
                raise DataError(
                    "the database is PostgreSQL {found}; {oldest} or newer is needed", found=found, oldest=OLDEST
                )
            yield db
    except psycopg.Error as error:
        raise DataError(
            "the database cannot be used: {error}. If its address is right, see whether it runs, lets this user in, and"
            " lets it make tables",
            error=str(error).partition("\n")[0].strip().rstrip("."),
        ) from error  # fmt: skip


def playing(address: str) -> list[TableSetup]:
    """The games that run in the database at this address; none where it has no tables. DataError as above."""
    with connected(address) as db:
        if db.execute("select to_regclass('plan')").fetchone() == (None,):
            return []
        return [read_setup(body) for (body,) in db.execute(sql.PLAYING.encode(), binary=True).fetchall()]


def _prepare(url: str) -> tuple[float, float, str]:
    """See that the database can be used, and bring its tables up to date: when it was asked what time it is, what it
    said, and its address, with what ours want besides.
    """
    with connected(url) as db:
        migrate(db)
        if db.execute("show fsync").fetchone() == ("off",):
            log.warning("the database runs with fsync off: a power cut may lose what was acknowledged")
        db.commit()
        asked, row = time.monotonic(), db.execute(sql.TIME).fetchone()
        assert row is not None
        return asked, row[0], address_of(url)


def migrate(db: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Bring the tables up to date, in the transaction of this connection; DataError where they are newer."""
    db.execute("select pg_advisory_xact_lock(%s)", (_MIGRATING,))  # of two processes that come at once, one waits
    db.execute("create table if not exists format (number integer not null)")
    found = db.execute("select number from format").fetchone()
    done = found[0] if found else 0
    if done > len(sql.MIGRATIONS):
        raise sql.newer(done)
    for migration in sql.MIGRATIONS[done:]:
        db.execute(migration.postgres.encode())
    if not found:
        db.execute("insert into format values (0)")
    db.execute("update format set number = %s", (len(sql.MIGRATIONS),))
