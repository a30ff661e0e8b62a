"""The PostgreSQL (15 or newer) of many processes: its address, its tables, its connections.

Work on a lost connection is repeated on another one, for at most `PATIENCE` seconds.
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
from spieltisch.paths import DataError
from spieltisch.table.durations import Times
from spieltisch.table.log import TableSetup
from spieltisch.table.patience import left_to_write
from spieltisch.table.store import AWAY, LEAST, PATIENCE, Lending, Unknown, Unsaved, readable, sql
from spieltisch.table.tasks import end

with needed():
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg_pool import AsyncConnectionPool, PoolTimeout

log = logging.getLogger(__name__)

T = TypeVar("T")

LOCKED = LEAST  # seconds after which PostgreSQL gives up waiting for a lock,
SLOW = 4.0  # and cancels a statement, but not a commit that waits for a synchronous standby
AGAIN = 0.05  # seconds until a retry
ASKED = 0.5  # seconds until a pool without a free connection is asked to make another
CONNECTIONS = 8  # of a process at most
CALM = 2.0  # seconds without a failure until the database counts as healthy again
GOODBYE = 0.5  # seconds for the pool's own end
OLDEST = 15  # the version
SERVES = "spieltisch"  # the name of a server's connections,
LOOKS = "spieltisch look"  # and of one that only checks whether there are any
# A peer that vanishes silently is given up after about 15 seconds.
_WANTED: dict[str, str | int] = {
    "connect_timeout": 2, "keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3,
    "tcp_user_timeout": 15_000, "application_name": SERVES, "client_encoding": "UTF8",
}  # fmt: skip
_MIGRATING = 0x5350_4945_4C  # the number of the lock for migrations
_GONE = ("08", "57")  # classes of errors: the connection, or the whole server, goes or comes
_FAILS = ("25006", "53", "58")  # read only, no room, failing disk
# Deadlocks, serialization failures, locks that others hold, slow statements.
_AGAIN = ("40", "55P03", "57014")


class Database:
    """The connections of a process to the database at this address, with up-to-date tables."""

    def __init__(self, url: str, turned: Callable[[], object]) -> None:
        """`turned` is called when another server answers: see `_configure`. Raises DataError, with advice, if the
        database cannot be used or was written by a newer version.
        """
        asked, said, self._address = _prepare(url)
        self._ahead = 0.0  # the database's clock minus the process's, as of the quickest answer
        self._took = inf  # seconds of that answer
        self.set_clock(said, asked)
        self._turned = turned
        self._timeline = ""  # of the last server that answered
        self._pool: AsyncConnectionPool[Connection] | None = None
        self._writer: Connection | None = None
        self._doing: set[asyncio.Task[object]] = set()
        self._failed: float | None = None  # when something last failed, until recovery is reported
        self._lost: float | None = None  # when a connection was lost, until the next success
        self._waits = Times()

    @property
    def lending(self) -> Lending:
        """The state of its connections, without the writer's."""
        pool = {} if self._pool is None else self._pool.get_stats()
        size, idle, waiting = (pool.get(f"{one}", 0) for one in ("pool_size", "pool_available", "requests_waiting"))
        lost = 0.0 if self._lost is None else time.monotonic() - self._lost
        return Lending(size - idle, idle, waiting, self._waits, lost)

    async def read(self, statement: str, *values: object) -> list[TupleRow]:
        """The rows of a statement, on any connection. Raises Unsaved if the database fails."""
        try:
            return await self.do(lambda db, _: query(db, statement, values))
        except Unknown as error:
            raise Unsaved(AWAY) from error

    async def one(self, statement: str, *values: object) -> Any:
        """The first value of the first row; None without rows."""
        found = await self.read(statement, *values)
        return found[0][0] if found else None

    async def connect(self, name: str) -> Connection:
        """A new connection with this name. Raises psycopg.Error if there is none."""
        return await psycopg.AsyncConnection.connect(self._address, autocommit=True, application_name=name)

    @property
    def is_failing(self) -> bool:
        """Whether something failed, with no success since."""
        return self._failed is not None

    async def can_do_anew(self, statement: str) -> bool:
        """Return whether a new connection, beside those in use, can execute this, within LOCKED seconds."""
        try:
            async with asyncio.timeout(LOCKED), await self.connect(LOOKS) as db:
                await query(db, statement)
        except (TimeoutError, psycopg.Error):
            return False
        return True

    async def rest(self) -> None:
        """Wait until all requested work is done."""
        while self._doing:
            await asyncio.wait(self._doing)

    async def close(self) -> None:
        """Close, whatever is still running. Do not use the database afterwards."""
        await end(self._doing)
        if self._pool is not None:  # cancelled workers would take it for a failure, and continue
            await self._pool.close(GOODBYE)
        if self._writer is not None:
            await self._writer.close()

    def clock(self) -> float:
        """The database's time, in seconds since 1970, without a query."""
        return time.monotonic() + self._ahead

    def set_clock(self, said: float, asked: float) -> None:
        """Take the database's time from an answer; `asked` is when it was requested. The quickest recent answers are
        the most exact.
        """
        heard = time.monotonic()
        self._took *= 1.05
        if heard - asked <= self._took:
            self._took, self._ahead = heard - asked, said - heard

    async def do(self, work: Callable[[Connection, bool], Awaitable[T]], seconds: float | None = None) -> T:
        """Run `work` on a connection that commits each statement by itself.

        It is repeated if the connection is lost, which `work` is told, and if processes were in each other's way.
        Raises Unsaved if the database fails, and Unknown if it may have done it, after so many seconds (None: what is
        left to whoever asks, at least `LEAST`). The work is completed even if the caller leaves.
        """
        task = self._later(self._done(self._lent, work, left_to_write() if seconds is None else seconds))
        return await asyncio.shield(task)

    async def write(self, work: Callable[[Connection, bool], Awaitable[T]], seconds: float = PATIENCE) -> T:
        """Like `do`, for the one task that writes moves: it has a connection of its own."""
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
            """Cut a silent connection at the deadline without a cancel: a cancelled statement whose commit waits for a
            synchronous standby would count as done.
            """
            nonlocal sent
            sent = True
            rest = max(deadline - time.monotonic(), AGAIN)
            timer = asyncio.get_running_loop().call_later(rest, _cut, db)
            try:
                return await work(db, doubt)
            except psycopg.InternalError as error:
                if error.sqlstate is None:  # answers that do not fit the question: nobody knows what comes next
                    _cut(db)
                raise
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
                busy = (error.sqlstate or "").startswith(_AGAIN)  # a late repetition would end in doubt
                if (lost and now < deadline) or (busy and now + LOCKED < deadline):
                    await asyncio.sleep(AGAIN)
                    continue
                if error.sqlstate is None and not lost:
                    raise  # our own mistake, which the database never saw
                self._tell(error, expected=lost or busy or (error.sqlstate or "").startswith(_FAILS))
                if doubt:
                    raise Unknown from error
                raise (Unsaved(AWAY) if lost else Unsaved()) from error
            else:
                self._lost = None
                if self._failed is not None and time.monotonic() - self._failed >= CALM:  # reads often still work
                    log.warning("the database can be used again")
                    self._failed = None
                return done

    async def _configure(self, db: Connection) -> None:
        """Configure a connection. First call `turned` if a promoted standby answers, because it may have less than the
        server before. Each promotion begins a new timeline, a restart does not.
        """
        timeline = await _configure(db)
        before, self._timeline = self._timeline, timeline or self._timeline
        if before not in {"", self._timeline}:
            log.warning("a standby has taken over the database: all tables are read anew")
            self._turned()

    def _tell(self, error: psycopg.Error, *, expected: bool) -> None:
        """Log once that the database cannot be used, and each unexpected error. An error's text may contain values, so
        it is left out.
        """
        if not expected:
            log.error("the database refused a statement: %s (%s)", type(error).__name__, error.sqlstate)
            return
        if self._failed is None:
            log.error("the database cannot be used: %s", type(error).__name__)
        self._failed = time.monotonic()

    def _later(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """Start a task that is awaited at the end."""
        task = asyncio.create_task(work)
        self._doing.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[object]) -> None:
        """Forget the task and its error: its caller has the error, or has gone."""
        self._doing.discard(task)
        if not task.cancelled():
            task.exception()

    async def _opened(self) -> AsyncConnectionPool[Connection]:
        """The pool. It tries twice and is asked again, because by itself it would soon wait for seconds in between."""
        if self._pool is None:
            self._pool = AsyncConnectionPool(
                self._address, kwargs={"autocommit": True}, configure=self._configure,
                min_size=1, max_size=CONNECTIONS - 1, open=False, reconnect_timeout=ASKED - 0.1, name="spieltisch",
            )  # fmt: skip
            await self._pool.open()
        return self._pool


def _cut(db: Connection) -> None:
    """Break a connection that somebody waits for; they notice, and close it. If it were closed here, somebody else's
    new connection could get its number while they still wait.
    """
    if not db.closed:
        with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(db.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)


def _is_lost(error: psycopg.Error) -> bool:
    """Whether the connection was lost, or none is available now."""
    if isinstance(error, PoolTimeout):
        return True
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | psycopg.InternalError)
    return error.sqlstate.startswith(_GONE) and not error.sqlstate.startswith(_AGAIN)


async def _configure(db: Connection) -> str:
    """Set what our connections need, whatever the server's administrator prefers: commits reach the disk, and no wait
    is longer than people wait. Statements are planned once, since planning anew for small arrays takes longer than the
    query. Returns the server's timeline; "" for a standby.
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
    """The address of a database with our parameters. Raises DataError for an invalid one."""
    try:
        said = conninfo_to_dict(url)
        return make_conninfo(url, **{key: value for key, value in _WANTED.items() if key not in said})
    except psycopg.Error as error:  # its text repeats the address, with the password
        raise DataError("this is not a database address: it should look like postgresql:///spieltisch") from error


@contextmanager
def connected(address: str, *, autocommit: bool = False) -> Generator[psycopg.Connection[TupleRow]]:
    """A connection for a command, in a transaction that is rolled back unless it is committed.

    Raises DataError, with advice, if the database cannot be used or fails later.
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
    """The running games in the database at this address; none without tables. Raises DataError as above."""
    with connected(address) as db:
        if db.execute("select to_regclass('plan')").fetchone() == (None,):
            return
        asked, last = sql.PLAYING.replace("?", "%s").encode(), ""
        while rows := db.execute(asked, (last,), binary=True).fetchall():
            yield from readable(body for _, body in rows)
            last = rows[-1][0]


def _prepare(url: str) -> tuple[float, float, str]:
    """Check that the database can be used, and migrate its tables. Returns when its time was requested, that time, and
    its address with our parameters.
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
    """Create what is missing, in the transaction of this connection. Raises DataError if the tables are newer."""
    db.execute("select pg_advisory_xact_lock(%s)", (_MIGRATING,))  # if two processes come first, one waits
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
    """As for a file (`sqlite.formats_of`): the format that a database names, and the one that its tables have."""
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
