"""The one database of many processes, PostgreSQL of version 15 or newer: its address, its tables, its connections.

What is asked of it on a connection that is lost is asked again on the next, for `PATIENCE` only: no wait is longer.
"""

import asyncio
import contextlib
import logging
import os
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import AsyncExitStack, closing, contextmanager
from functools import partial
from math import inf
from typing import Any, TypeVar

from psycopg.rows import TupleRow

from spieltisch.cluster import statements
from spieltisch.cluster.connection import Connection, query
from spieltisch.extras import needed
from spieltisch.i18n import N_
from spieltisch.paths import DataError
from spieltisch.table.log import TableSetup
from spieltisch.table.store import LEAST, PATIENCE, Lending, Unknown, Unsaved, readable, sql
from spieltisch.table.tasks import end
from spieltisch.table.timing import Times

with needed():
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg_pool import AsyncConnectionPool, PoolTimeout

log = logging.getLogger(__name__)

T = TypeVar("T")

LOCKED = LEAST  # seconds after which it gives up waiting for a lock,
SLOW = 4.0  # and ends a statement; it does not end a commit that waits for a synchronous standby
AGAIN = 0.05  # seconds until then
ASKED = 0.5  # seconds after which a pool that has no connection to give is asked to make another one
CONNECTIONS = 8  # of a process, at most
CALM = 2.0  # seconds without a failure after which a database is said to be in order again
GOODBYE = 0.5  # seconds that the pool has for its own
OLDEST = 15  # the version
SERVES = "spieltisch"  # the name of a server's connections,
LOOKS = "spieltisch look"  # and of one that only looks whether there are any
AWAY = N_("The database is not answering. Please try again in a moment.")
# Whoever vanishes without a word is given up after some 15 seconds.
_WANTED: dict[str, str | int] = {
    "connect_timeout": 2, "keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3,
    "tcp_user_timeout": 15_000, "application_name": SERVES, "client_encoding": "UTF8",
}  # fmt: skip
_MIGRATING = 0x5350_4945_4C  # the number of the lock that a process holds while it migrates
_GONE = ("08", "57")  # classes of errors that say: this connection, or all of the server, is going or coming
_FAILS = ("25006", "53", "58")  # read only, no room, the disk fails
# Deadlocks, transactions that met another one, locks that somebody holds, statements that took too long.
_AGAIN = ("40", "55P03", "57014")


class Database:
    """The connections of a process to the database with this address, in which our tables are up to date."""

    def __init__(self, url: str, turned: Callable[[], object]) -> None:
        """`turned` is called when another server answers: see `_configure`. Raises DataError, saying what helps, where
        the database cannot be used or a newer version has written it.
        """
        asked, said, self._address = _prepare(url)
        self._ahead = 0.0  # of the database's clock before that of the process, less what its answer took
        self._took = inf  # seconds, the answer by which that was set
        self.set_clock(said, asked)
        self._turned = turned
        self._timeline = ""  # of the server that answered last
        self._pool: AsyncConnectionPool[Connection] | None = None
        self._writer: Connection | None = None
        self._doing: set[asyncio.Task[object]] = set()
        self._failed: float | None = None  # when something failed last, until it is told that nothing does
        self._lost: float | None = None  # when a connection was lost, until something is done again
        self._waits = Times()

    @property
    def lending(self) -> Lending:
        """How its connections are doing, without that of the writer."""
        pool = {} if self._pool is None else self._pool.get_stats()
        size, idle, waiting = (pool.get(f"{one}", 0) for one in ("pool_size", "pool_available", "requests_waiting"))
        lost = 0.0 if self._lost is None else time.monotonic() - self._lost
        return Lending(size - idle, idle, waiting, self._waits, lost)

    async def read(self, statement: str, *values: object) -> list[TupleRow]:
        """The rows that a statement returns, on any of the connections; Unsaved where the database cannot."""
        try:
            return await self.do(lambda db, _: query(db, statement, values))
        except Unknown as error:
            raise Unsaved(AWAY) from error

    async def one(self, statement: str, *values: object) -> Any:
        """The first value of the first row; None where there is no row."""
        found = await self.read(statement, *values)
        return found[0][0] if found else None

    async def connect(self, name: str) -> Connection:
        """A connection of one's own with this name. psycopg.Error where there is none to be had."""
        return await psycopg.AsyncConnection.connect(self._address, autocommit=True, application_name=name)

    @property
    def is_failing(self) -> bool:
        """Whether something failed, and nothing has said since that it can be used again."""
        return self._failed is not None

    async def can_do_anew(self, statement: str) -> bool:
        """Return whether a new connection, beside those in use, can execute this, in LOCKED seconds."""
        try:
            async with asyncio.timeout(LOCKED), await self.connect(LOOKS) as db:
                await query(db, statement)
        except (TimeoutError, psycopg.Error):
            return False
        return True

    async def rest(self) -> None:
        """Wait until all is done that was asked."""
        while self._doing:
            await asyncio.wait(self._doing)

    async def close(self) -> None:
        """Let go of the database, whatever is still being done. Nothing may be asked afterwards."""
        await end(self._doing)
        if self._pool is not None:  # which has to be told: its workers take a cancellation for a failure, and go on
            await self._pool.close(GOODBYE)
        if self._writer is not None:
            await self._writer.close()

    def clock(self) -> float:
        """The database's time, in seconds since 1970, without asking it."""
        return time.monotonic() + self._ahead

    def set_clock(self, said: float, asked: float) -> None:
        """The database has said its time, when it was asked then: the quickest answers of late tell it best."""
        heard = time.monotonic()
        self._took *= 1.05
        if heard - asked <= self._took:
            self._took, self._ahead = heard - asked, said - heard

    async def do(self, work: Callable[[Connection, bool], Awaitable[T]], seconds: float = PATIENCE) -> T:
        """Do this on a connection that commits each statement by itself; again where the connection is lost, which
        `work` is told, and where processes were in each other's way. Unsaved where the database cannot, Unknown where
        it may have done it, after so many seconds. It is done to its end even if the caller leaves.
        """
        task = self._later(self._done(self._lent, work, seconds))
        return await asyncio.shield(task)

    async def write(self, work: Callable[[Connection, bool], Awaitable[T]], seconds: float = PATIENCE) -> T:
        """As `do`, for the one task that writes what is played: it has a connection of its own."""
        return await self._done(self._kept, work, seconds)

    async def _lent(self, work: Callable[[Connection], Awaitable[T]], seconds: float) -> T:
        pool = await self._opened()
        async with AsyncExitStack() as lent:
            with self._waits.timed():
                db = await lent.enter_async_context(pool.connection(timeout=min(seconds, ASKED)))
            return await work(db)

    async def _kept(self, work: Callable[[Connection], Awaitable[T]], _seconds: float) -> T:
        if self._writer is None or self._writer.closed:
            self._writer = await self.connect(SERVES)
            try:
                await self._configure(self._writer)
            except BaseException:
                await self._writer.close()
                raise
        return await work(self._writer)

    async def _done(
        self, on: Callable[..., Awaitable[T]], work: Callable[[Connection, bool], Awaitable[T]], seconds: float
    ) -> T:
        deadline, doubt = time.monotonic() + seconds, False  # `doubt`: it may have been done on a lost connection

        async def bounded(db: Connection) -> T:
            """A connection that says nothing is cut at the deadline, without a word: a statement that is cancelled
            while its commit waits for a synchronous standby would count as done.
            """
            nonlocal sent
            sent = True
            left = max(deadline - time.monotonic(), AGAIN)
            timer = asyncio.get_running_loop().call_later(left, _cut, db)
            try:
                return await work(db, doubt)
            finally:
                timer.cancel()

        while True:
            sent = False
            try:
                done = await on(bounded, max(deadline - time.monotonic(), AGAIN))
            except psycopg.Error as error:
                lost, now = _is_lost(error), time.monotonic()
                doubt |= lost and sent
                if lost and self._lost is None:
                    self._lost = now
                busy = (error.sqlstate or "").startswith(_AGAIN)  # what has no time to end would end in doubt
                if (lost and now < deadline) or (busy and now + LOCKED < deadline):
                    await asyncio.sleep(AGAIN)
                    continue
                if error.sqlstate is None and not lost:
                    raise  # a mistake of ours, which the database never saw
                self._tell(error, expected=lost or busy or (error.sqlstate or "").startswith(_FAILS))
                if doubt:
                    raise Unknown from error
                raise (Unsaved(AWAY) if lost else Unsaved()) from error
            else:
                self._lost = None
                if self._failed is not None and time.monotonic() - self._failed >= CALM:  # one can often still read
                    log.warning("the database can be used again")
                    self._failed = None
                return done

    async def _configure(self, db: Connection) -> None:
        """Set what ours want of a connection. Call `turned` first if a promoted standby answers: it may have less than
        the server before. Each promotion begins a timeline, a restart does not.
        """
        timeline = await _configure(db)
        before, self._timeline = self._timeline, timeline or self._timeline
        if before not in {"", self._timeline}:
            log.warning("a standby has taken over the database: all tables are read anew")
            self._turned()

    def _tell(self, error: psycopg.Error, *, expected: bool) -> None:
        """Write in the log that the database cannot be used, once; and each error that should not have been. What an
        error says may hold values.
        """
        if not expected:
            log.error("the database refused a statement: %s (%s)", type(error).__name__, error.sqlstate)
            return
        if self._failed is None:
            log.error("the database cannot be used: %s", type(error).__name__)
        self._failed = time.monotonic()

    def _later(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """A task that is waited for at the end."""
        task = asyncio.create_task(work)
        self._doing.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[object]) -> None:
        """Forget the task, and its error: whoever asked has it, or has gone."""
        self._doing.discard(task)
        if not task.cancelled():
            task.exception()

    async def _opened(self) -> AsyncConnectionPool[Connection]:
        """The pool. It tries twice and is asked again, since by itself it would soon wait for seconds between."""
        if self._pool is None:
            self._pool = AsyncConnectionPool(
                self._address, kwargs={"autocommit": True}, configure=self._configure,
                min_size=1, max_size=CONNECTIONS - 1, open=False, reconnect_timeout=ASKED - 0.1, name="spieltisch",
            )  # fmt: skip
            await self._pool.open()
        return self._pool


def _cut(db: Connection) -> None:
    """Break a connection that somebody waits for; they hear of it, and close it. Closed here, its number could be that
    of somebody else's connection while they still wait.
    """
    if not db.closed:
        with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(db.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)


def _is_lost(error: psycopg.Error) -> bool:
    """Whether the connection was lost, or there is none to be had just now."""
    if isinstance(error, PoolTimeout):
        return True
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(_GONE) and not error.sqlstate.startswith(_AGAIN)


async def _configure(db: Connection) -> str:
    """A commit is on the disk, and no wait is longer than people wait, whatever the server's administrator prefers for
    others. And statements are planned once: for arrays of few tables the database would else plan anew each time,
    which takes longer than what is asked. Return the server's timeline; "" if it is a standby.
    """
    set_up = await db.execute(
        "select set_config('plan_cache_mode', 'force_generic_plan', false),"
        " set_config('lock_timeout', %s, false), set_config('statement_timeout', %s, false),"
        " set_config('default_transaction_isolation', 'read committed', false),"
        " case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end",
        (f"{1000 * LOCKED:.0f}", f"{1000 * SLOW:.0f}"),
    )
    await db.execute(
        "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"
    )
    row = await set_up.fetchone()
    assert row is not None
    return row[-1]


def address_of(url: str) -> str:
    """The address of a database, with what ours want of a connection besides; DataError where it is none."""
    try:
        said = conninfo_to_dict(url)
        return make_conninfo(url, **{key: value for key, value in _WANTED.items() if key not in said})
    except psycopg.Error as error:  # which repeats the address, with its password
        raise DataError("this is not a database address: it should look like postgresql:///spieltisch") from error


@contextmanager
def connected(address: str, *, autocommit: bool = False) -> Generator[psycopg.Connection[TupleRow]]:
    """A connection for a command that is not a server, in a transaction that is given up unless it is committed.

    Raises DataError, saying what helps, where the database cannot be used, also for what goes wrong meanwhile.
    """
    try:
        address = make_conninfo(address_of(address), application_name="spieltisch command")
        with closing(psycopg.connect(address, autocommit=autocommit)) as db:
            if (found := db.info.server_version // 10_000) < OLDEST:
                raise DataError(
                    "the database is PostgreSQL {found}: Spieltisch needs {oldest} or newer", found=found, oldest=OLDEST
                )
            if db.info.parameter_status("server_encoding") == "SQL_ASCII":  # psycopg reads no text there
                raise DataError(
                    "the database has the encoding SQL_ASCII: create one with encoding 'UTF8' template template0"
                )
            yield db
    except psycopg.Error as error:
        raise DataError(
            "the database cannot be used: {error}. Check that its address is right, that it runs, and that this"
            " user may log in and create tables",
            error=str(error).partition("\n")[0].strip().rstrip("."),
        ) from error  # fmt: skip


def playing(address: str) -> Generator[TableSetup]:
    """The games that run in the database at this address; none where it has no tables. DataError as above."""
    with connected(address) as db:
        if db.execute("select to_regclass('plan')").fetchone() == (None,):
            return
        asked, last = sql.PLAYING.replace("?", "%s").encode(), ""
        while rows := db.execute(asked, (last,), binary=True).fetchall():
            yield from readable(body for _, body in rows)
            last = rows[-1][0]


def _prepare(url: str) -> tuple[float, float, str]:
    """See that the database can be used, and bring its tables up to date: when it was asked what time it is, what it
    said, and its address, with what ours want besides.
    """
    with connected(url) as db:
        migrate(db)
        if db.execute("show fsync").fetchone() == ("off",):
            log.warning("the database runs with fsync off: a power cut may lose what was acknowledged")
        db.commit()
        asked, row = time.monotonic(), db.execute(statements.TIME).fetchone()
        assert row is not None
        return asked, row[0], address_of(url)


def migrate(db: psycopg.Connection[TupleRow]) -> None:
    """Make what is missing of the tables, in the transaction of this connection; DataError where they are newer."""
    db.execute("select pg_advisory_xact_lock(%s)", (_MIGRATING,))  # of two processes that come at once, one waits
    db.execute("create table if not exists format (number integer not null)")
    said, there = formats_of(db)
    if said > len(sql.MIGRATIONS):
        raise sql.newer(said)
    if said < there:
        log.warning(sql.OLDER, "the database", said, there)
    for migration in sql.MIGRATIONS:
        if not _has(db, migration.makes):
            db.execute(migration.postgres.encode())
    db.execute("insert into format select 0 where not exists (select 1 from format)")
    db.execute("update format set number = %s", (len(sql.MIGRATIONS),))


def formats_of(db: psycopg.Connection[TupleRow]) -> tuple[int, int]:
    """As of a file (`sqlite.formats_of`), the format that a database names and the one that its tables have."""
    if db.execute("select to_regclass('format')").fetchone() == (None,):
        return 0, 0
    row = db.execute("select number from format").fetchone()
    return row[0] if row else 0, sql.reached(partial(_has, db))


def _has(db: psycopg.Connection[TupleRow], makes: str) -> bool:
    name, _, column = makes.partition(".")
    if column:
        asked = "select 1 from pg_attribute where attrelid = to_regclass(%s) and attname = %s and not attisdropped"
        return db.execute(asked, (name, column)).fetchone() is not None
    return db.execute("select to_regclass(%s)", (name,)).fetchone() != (None,)
