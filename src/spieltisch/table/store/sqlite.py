"""The default store: one SQLite file, and one thread that writes it.

Writers queue up. The thread takes all that wait, writes them in one transaction, syncs once and then tells them
together (group commit). An acknowledged move has been synced to the disk. Reads run on a connection of their own in the
caller's thread: they fetch a few rows by primary key, which is cheaper than a hop to a thread.
"""

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Generator, Mapping, Sequence
from contextlib import closing
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from spieltisch.paths import unusable
from spieltisch.table.durations import Times
from spieltisch.table.log import TableSetup, encode
from spieltisch.table.store import LATEST, Newer, Unsaved, nameless, readable, saved, sql, steady_clock
from spieltisch.table.store.reads import Reads

log = logging.getLogger(__name__)

STUCK = 2.0  # seconds after which a write counts as waiting for long
GATHER = 0.008  # seconds
_CHECKING = 20.0  # seconds at the start; 500 MB take one, or as long as the disk needs
_SPELL = 0.006  # seconds per slice of forgetting, or of returning pages to the disk, during which moves wait
_LOG = 16 * 2**20  # bytes of the journal on the disk
_INCREMENTAL = 2  # SQLite's mode for a file that can shrink piece by piece
_MOST = 64  # entries per statement; each number has a statement of its own, and all stay prepared

Append = tuple[str, int, bytes, float | None, float]
Work = Append | Callable[[sqlite3.Connection], Any]
Waiting = tuple[Work | None, asyncio.Future[Any]]


def read_only(path: Path) -> sqlite3.Connection:
    """A read-only connection to a file of a server that may be running."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)


def damage(db: sqlite3.Connection, seconds: float = inf) -> str:
    """The first damage that SQLite finds; "" if it finds none within this time."""
    until = time.monotonic() + seconds
    db.set_progress_handler(lambda: time.monotonic() > until, 100_000)
    try:
        found = db.execute("pragma quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        found = "ok" if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT else str(error)
    finally:
        db.set_progress_handler(None, 0)
    return "" if found == "ok" else " ".join(found.split())[:200]


def playing(path: Path) -> Generator[TableSetup]:
    """The running games in the file of a server, which may be running; none without a file."""
    if not path.is_file():
        return
    with closing(read_only(path)) as db:
        last = ""
        while rows := db.execute(sql.PLAYING, (last,)).fetchall():
            yield from readable(body for _, body in rows)
            last = rows[-1][0]


def opened(path: Path | str) -> sqlite3.Connection:
    """Open the file with the tables, create it if need be, and migrate it. Raises DataError, with advice, if it cannot
    be used, is damaged, or was written by a newer version.
    """
    try:
        db = _connect(str(path))
        if found := damage(db, _CHECKING):
            db.close()
            raise unusable(path, found)
        _migrate(db, path)
    except sqlite3.Error as error:
        raise unusable(path, error) from error
    return db


def make_tables(db: sqlite3.Connection, wanted: int) -> None:
    """Create what is missing in this format, in the transaction of this connection."""
    for migration in sql.MIGRATIONS[:wanted]:
        if not _has(db, migration.makes):
            for statement in filter(None, map(str.strip, migration.sqlite.split(";"))):
                db.execute(statement)
    db.execute(f"pragma user_version = {wanted}")


def formats_of(db: sqlite3.Connection) -> tuple[int, int]:
    """The format that a file names, and the one that its tables have (0: there are none), as far as this version knows.
    The first is smaller if an early version has worked on tables of a later format, since it set the number back.
    """
    return db.execute("pragma user_version").fetchone()[0], sql.reached(partial(_has, db))


def _has(db: sqlite3.Connection, makes: str) -> bool:
    name, _, column = makes.partition(".")
    if column:
        found = db.execute("select 1 from pragma_table_info(?) where name = ?", (name, column))
    else:
        found = db.execute("select 1 from sqlite_schema where name = ?", (name,))
    return found.fetchone() is not None


class SQLite(Reads):
    """A `Store` in the file at `path`, which is created if need be."""

    shared = False
    lending = None

    def __init__(self, path: Path | str) -> None:
        """Raises DataError, like `opened`."""
        self._path = str(path)
        self._reader = opened(path)
        self.commits = Times()
        self._clock = steady_clock()
        self._leases: dict[str, float] = {}  # by table: its end
        self._queue: queue.SimpleQueue[Waiting] = queue.SimpleQueue()
        self._failed = False  # whether the last writes failed
        self._writer = threading.Thread(target=self._write, name="spieltisch-store", daemon=True)
        self._writer.start()

    # Writes

    async def create(self, setup: TableSetup, due_at: float | None = None) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            row = (setup.id, setup.stage, setup.rev, encode(setup))
            first = bool(db.execute(sql.CREATE, row).fetchall())
            if first:
                db.execute(sql.pace(1), (setup.id, setup.touched, due_at))
            return first

        return await self._put(work)

    async def save(self, setup: TableSetup, *, due_at: float | None = None, seed: bytes | None = None) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            first = bool(db.execute(sql.SAVE, saved(setup, seed)).fetchall())
            if first:
                db.execute(sql.pace(1), (setup.id, setup.touched, due_at))
            return first

        self._leases.pop(setup.id, None)
        return await self._put(work)

    def append(
        self,
        table: str,
        seq: int,
        entry: bytes,
        due_at: float | None,
        at: float,
        until: float | None = None,  # noqa: ARG002 - a disk answers at once, or fails
    ) -> Awaitable[bool]:
        self._leases.pop(table, None)
        return self._put((table, seq, entry, due_at, at))

    async def put_deck(self, hash: str, body: bytes, at: float) -> None:  # noqa: A002 - a deck's hash
        await self._put(lambda db: db.execute(sql.PUT_DECK, (hash, at, body)) and None)

    async def put_document(self, id: str, rev: int, body: bytes, due: float | None) -> bool:  # noqa: A002
        statement, old = (sql.NEW_DOCUMENT, ()) if rev == 1 else (sql.NEXT_DOCUMENT, (rev - 1,))
        return await self._put(lambda db: bool(db.execute(statement, (rev, due, body, id, *old)).fetchall()))

    async def drop_document(self, id: str) -> None:  # noqa: A002
        await self._put(lambda db: db.execute(sql.DROP_DOCUMENT, (id,)) and None)

    async def forget(self, before: float) -> Sequence[str]:
        changed: list[str] = []
        last: tuple[float, str] | None = (-inf, "")
        while last is not None:  # in slices, with moves in between
            some, last = await self._put(partial(_forget, before=before, last=last))
            changed += some
        await self._put(lambda db: db.execute(sql.OLD_DECKS, (before,)) and None)
        while await self._put(_shrink):  # in slices, with moves in between
            pass
        await asyncio.to_thread(_empty_log, self._path)
        return changed

    async def delete(self, table: str) -> None:
        self._leases.pop(table, None)
        await self._put(lambda db: _delete(db, table))

    async def check(self) -> None:
        await self._put(_set_version)

    async def can_write_anew(self) -> bool:
        return await asyncio.to_thread(_can_write, self._path)

    @property
    def waits(self) -> float:
        return self.commits.oldest

    @property
    def is_failing(self) -> bool:
        return self._failed or self.waits > STUCK

    # Reads

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    async def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._reader.execute(statement, values).fetchall()

    async def newer(self, known: Mapping[str, tuple[int, int]]) -> dict[str, Newer]:
        found = {}
        for table, (seq, rev) in known.items():
            if (now := await self.one(sql.REV, table)) is not None:
                found[table] = Newer(None if now == rev else await self.setup(table), [*await self.log(table, seq)])
        return found

    def clock(self) -> float:
        return self._clock()

    async def claim(
        self,
        n: int,
        lease: float,
        now: float,
        mine: Collection[str] = (),
        patience: float = 0.0,
        busy: Collection[str] = (),
    ) -> dict[str, float]:
        rows = self._reader.execute(sql.DUE, (now, now + LATEST)).fetchall()
        due = [
            id_
            for id_, at in rows
            if self._leases.get(id_, -inf) <= now
            and id_ not in busy
            and (id_ in mine or not now - patience < at <= now)
        ]
        return self._lease(due[:n], now + lease)

    async def renew(self, held: Mapping[str, float], lease: float, now: float) -> dict[str, float]:
        return self._lease([id_ for id_, until in held.items() if self._leases.get(id_) == until], now + lease)

    def _lease(self, tables: Sequence[str], until: float) -> dict[str, float]:
        leases = dict.fromkeys(tables, until)
        self._leases |= leases  # a crash may lose them: a file has one process
        return leases

    async def close(self, seconds: float | None = None) -> None:
        """Write everything that waits (a file is never away), then close. Do not use the store afterwards."""
        del seconds
        if self._writer.is_alive():
            self._queue.put((None, asyncio.get_running_loop().create_future()))
            await asyncio.to_thread(self._writer.join)
            self._reader.close()

    # The thread that writes

    def _put(self, work: Work) -> asyncio.Future[Any]:
        done = asyncio.get_running_loop().create_future()
        self._queue.put((work, done))
        return done

    def _write(self) -> None:
        db, last = _connect(self._path), 0.0
        while True:
            if (rest := last + GATHER - time.monotonic()) > 0:  # changes within this time share a commit
                time.sleep(rest)  # and wakes nobody as they come
            batch = [self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get())
            wanted = [(work, done) for work, done in batch if work is not None]
            if wanted:
                with self.commits.timed():
                    results, error = _commit(db, [work for work, _ in wanted])
                if _is_disk(error):  # logged once, since the log may be on the same disk
                    if not self._failed:
                        log.error("the tables cannot be written: %s", error)
                    self._failed, error = True, Unsaved()
                elif self._failed and error is None:
                    log.warning("the tables can be written again")
                    self._failed = False
                _tell(wanted, results, error)
                last = time.monotonic()
            if len(wanted) < len(batch):
                db.close()
                return


def _connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False, cached_statements=3 * _MOST)
    db.execute("pragma auto_vacuum = incremental")  # for a new file; see `_migrate` for others
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = full")
    db.execute(f"pragma journal_size_limit = {_LOG}")
    db.execute("pragma secure_delete = on")  # overwrite deleted data, so that names are gone from the file
    db.execute("pragma temp_store = memory")  # a full disk for temporary files is no reason not to save a move
    return db


def _empty_log(path: str) -> None:
    """Write the journal into the file and empty it, because deleted names stay in it until then."""
    with contextlib.suppress(sqlite3.OperationalError), closing(_connect(path)) as db:  # later, if it fails
        db.execute("pragma wal_checkpoint(passive)")  # first the part that blocks nobody
        db.execute("pragma wal_checkpoint(truncate)")


def _migrate(db: sqlite3.Connection, path: Path | str) -> None:
    db.execute("begin immediate")  # if two processes come first, one waits
    said, there = formats_of(db)
    if said > len(sql.MIGRATIONS):
        db.execute("rollback")
        raise sql.newer(said)
    if said < there:
        log.warning(sql.OLDER, path, said, there)
    make_tables(db, len(sql.MIGRATIONS))
    db.execute("commit")
    if db.execute("pragma auto_vacuum").fetchone()[0] != _INCREMENTAL:  # once, for a file of a former version
        with contextlib.suppress(sqlite3.OperationalError):  # no room now; at another start
            db.execute("pragma auto_vacuum = incremental")
            db.execute("pragma temp_store = file")  # the copy may be larger than the memory
            try:
                db.execute("vacuum")
            finally:
                db.execute("pragma temp_store = memory")


def _can_write(path: str) -> bool:
    """Write without a change, on a new connection."""
    try:
        with closing(sqlite3.connect(path, timeout=2, isolation_level=None)) as db:
            _set_version(db)
    except sqlite3.Error:
        return False
    return True


def _set_version(db: sqlite3.Connection) -> None:
    db.execute(f"pragma user_version = {len(sql.MIGRATIONS)}")  # is written even if it is that already


def _commit(db: sqlite3.Connection, batch: list[Work]) -> tuple[list[Any], BaseException | None]:
    """Write the whole batch or, if the disk fails, nothing."""
    results: list[Any] = []
    try:
        db.execute("begin immediate")
        run: list[Append] = []
        for work in batch:
            if isinstance(work, tuple):
                run.append(work)
                continue
            results += _append(db, run)
            run = []
            results.append(work(db))
        results += _append(db, run)
        db.execute("commit")
    except Exception as error:  # noqa: BLE001 - whoever waits is told, the thread goes on
        if db.in_transaction:
            db.execute("rollback")
        return [], error
    return results, None


def _is_disk(error: BaseException | None) -> bool:
    """Whether SQLite reports a disk that is full, failing or read-only."""
    return isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError


def _append(db: sqlite3.Connection, run: list[Append]) -> list[bool]:
    first: set[tuple[str, int]] = set()
    for chunk in _chunks(run):
        values = [value for table, seq, entry, _, _ in chunk for value in (table, seq, entry)]
        first.update(db.execute(sql.append(len(chunk)), values).fetchall())
    paces = {table: (table, at, due) for table, seq, _, due, at in run if (table, seq) in first}
    for chunk in _chunks(list(paces.values())):
        db.execute(sql.pace(len(chunk)), [value for row in chunk for value in row])
    taken = []
    for table, seq, *_ in run:  # the same number twice in one batch: only one was first
        taken.append((table, seq) in first)
        first.discard((table, seq))
    return taken


def _chunks(rows: list[Any]) -> list[list[Any]]:
    return [rows[start : start + _MOST] for start in range(0, len(rows), _MOST)]


def _tell(wanted: list[tuple[Work, asyncio.Future[Any]]], results: list[Any], error: BaseException | None) -> None:
    """Wake the waiters, with one call for each event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for i, (_, done) in enumerate(wanted):
        loops.setdefault(done.get_loop(), []).append((done, None if error else results[i]))
    for loop, told in loops.items():
        try:
            loop.call_soon_threadsafe(_resolve, told, error)
        except RuntimeError:  # that loop is closed, so nobody waits there
            continue


def _resolve(told: list[tuple[asyncio.Future[Any], Any]], error: BaseException | None) -> None:
    for done, result in told:
        if done.done():
            continue
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)


def _delete(db: sqlite3.Connection, table: str) -> None:
    for statement in sql.DELETE:
        db.execute(statement, (table,))


def _shrink(db: sqlite3.Connection) -> bool:
    """Return free pages to the disk for one slice. Returns whether there are more."""
    free, until = db.execute("pragma freelist_count").fetchone()[0], time.monotonic() + _SPELL
    for _ in range(free):
        db.execute("pragma incremental_vacuum(1)")  # Python steps through only one of several pages
        if time.monotonic() > until:
            break
    return 0 < db.execute("pragma freelist_count").fetchone()[0] < free


def _forget(
    db: sqlite3.Connection, *, before: float, last: tuple[float, str]
) -> tuple[list[str], tuple[float, str] | None]:
    """Forget the next tables after the last one, for one slice. Returns the changed ones, and the new last one (None:
    all are done).
    """
    changed, at, until = [], None, time.monotonic() + _SPELL
    for at in db.execute(sql.OLD, (before, before, *last)).fetchall():
        if _forget_one(db, at[1]):
            changed.append(at[1])
        if time.monotonic() > until:
            break
    return changed, at


def _forget_one(db: sqlite3.Connection, table: str) -> bool:
    """Forget an old table, or the names of a running game. Returns whether there was anything to forget."""
    stage, body = db.execute(sql.STAGE, (table,)).fetchone() or ("", b"")
    setup = next(readable([body]), None)
    if stage != "playing" or setup is None:
        _delete(db, table)
        return True
    if (bare := nameless(setup)) is None:
        return False
    db.execute(sql.SAVE, saved(bare))
    return True
