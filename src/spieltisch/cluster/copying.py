"""Copy tables from a PostgreSQL into one SQLite file, and back. Backups are the same, whichever store made them.

No table or column is named here, since PostgreSQL has all of SQLite's (`sql.MIGRATIONS`). PostgreSQL also notes which
of its transactions last wrote a table, and which tables were deleted. Neither has a meaning elsewhere.
"""

import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from psycopg.rows import TupleRow

from spieltisch.cluster import statements
from spieltisch.cluster.database import SERVES, connected, formats_of, migrate
from spieltisch.extras import needed
from spieltisch.paths import DataError
from spieltisch.table.store import sql
from spieltisch.table.store.rows import Ask
from spieltisch.table.store.sqlite import make_tables, opened

with needed():
    import psycopg

LEAVING = 1.0  # seconds until the database notices that a server has gone
AT_ONCE = 500  # rows; the largest are log entries and decks


def format_of(db: psycopg.Connection[TupleRow]) -> int:
    """The format of a database's tables, 0 without tables. Raises DataError if a newer version has written them."""
    said, there = formats_of(db)
    if said > len(sql.MIGRATIONS):
        raise sql.newer(said)
    return there


def to_file(address: str, file: Path) -> None:
    """Write all tables of a database, as of one moment, into a new file. Servers may be running.

    Raises DataError if the database cannot be used, has no tables, or was written by a newer version; OSError or
    sqlite3.Error if the file cannot be written.
    """
    with connected(address) as db, closing(sqlite3.connect(file, isolation_level=None)) as copy:
        db.isolation_level, db.read_only = psycopg.IsolationLevel.REPEATABLE_READ, True
        if not (number := format_of(db)):
            raise DataError("there are no tables in the database: give the one that the server uses")
        copy.execute("begin")
        make_tables(copy, number)
        for table, columns in _shape(copy):
            marks = ", ".join("?" * len(columns))
            with db.cursor("rows") as rows:
                rows.itersize = AT_ONCE
                rows.execute(f"select {', '.join(columns)} from {table}".encode(), binary=True)  # noqa: S608 - our names
                copy.executemany(f"insert into {table} ({', '.join(columns)}) values ({marks})", rows)  # noqa: S608
        copy.execute("commit")


def from_file(file: Path, address: str) -> None:
    """Replace all tables of a database by those of a file, in one transaction. Raises DataError, without a change, if
    the database cannot be used or was written by a newer version.
    """
    with connected(address) as db, closing(opened(file)) as copy:
        migrate(db)
        for table, columns in _shape(copy):
            names = ", ".join(columns)
            db.execute(f"truncate {table}".encode())
            with db.cursor() as into, into.copy(f"copy {table} ({names}) from stdin".encode()) as rows:
                for row in copy.execute(f"select {names} from {table}"):  # noqa: S608 - our names
                    rows.write_row(row)
        db.commit()


def require_idle(address: str) -> int:
    """The number of tables and shared files in a database. Raises DataError if a server uses it, or a newer version has
    written it.
    """
    with connected(address) as db:
        db.autocommit = True  # so that each query sees the latest state
        deadline = time.monotonic() + LEAVING
        while connections := db.execute(statements.CONNECTED.replace("?", "%s").encode(), (SERVES,)).fetchall()[0][0]:
            if time.monotonic() < deadline:
                time.sleep(0.05)
                continue
            raise DataError("servers are using the database (connections: {n}): stop them all first", n=connections)
        if not format_of(db):
            return 0
        counts = [sql.COUNT, statements.COUNT_FILES] if format_of(db) >= sql.SHARED else [sql.COUNT]
        return sum(db.execute(one.encode()).fetchall()[0][0] for one in counts)


@contextmanager
def changing(address: str) -> Generator[Ask]:
    """A transaction on a database whose format is up to date, committed at the end. Raises DataError as above."""
    with connected(address) as db:
        migrate(db)
        yield lambda statement, values: db.execute(statement.replace("?", "%s").encode(), values, binary=True)
        db.commit()


def _shape(db: sqlite3.Connection) -> Generator[tuple[str, list[str]]]:
    """The tables with their columns."""
    for (table,) in db.execute("select name from sqlite_master where type = 'table' order by name").fetchall():
        yield table, [column[1] for column in db.execute(f"pragma table_info({table})").fetchall()]
