"""Tables out of a PostgreSQL into one SQLite file, and back: what a backup holds is the same, whichever keeps them.

Nothing here names a table or a column: what SQLite has, PostgreSQL has, too (`sql.MIGRATIONS`). The latter also notes
which of its transactions wrote a table last, and which tables are gone. Neither means anything elsewhere.
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

LEAVING = 1.0  # seconds that the database may take to notice that a server has gone
AT_ONCE = 500  # rows, of which the largest are logs' entries and decks


def format_of(db: psycopg.Connection[TupleRow]) -> int:
    """The format of a database's tables, 0 where there are none; DataError where a newer version has written them."""
    said, there = formats_of(db)
    if said > len(sql.MIGRATIONS):
        raise sql.newer(said)
    return there


def to_file(address: str, file: Path) -> None:
    """Write all tables of a database, as they stand at one moment, into a new file; servers may be at work meanwhile.

    Raises DataError where the database cannot be used, has no tables, or a newer version has written them; OSError or
    sqlite3.Error where the file cannot be written.
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
    """Put all tables of a file in the place of those in a database, in one transaction. DataError where the database
    cannot be used or a newer version has written there; nothing has changed then.
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
    """How many tables and shared files there are in a database. DataError where a server is at work on it, or a newer
    version was.
    """
    with connected(address) as db:
        db.autocommit = True  # what is asked again is answered anew
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
    """A transaction on a database whose tables are up to date; it is committed at the end. DataError as above."""
    with connected(address) as db:
        migrate(db)
        yield lambda statement, values: db.execute(statement.replace("?", "%s").encode(), values, binary=True)
        db.commit()


def _shape(db: sqlite3.Connection) -> Generator[tuple[str, list[str]]]:
    """The tables and their columns."""
    for (table,) in db.execute("select name from sqlite_master where type = 'table' order by name").fetchall():
        yield table, [column[1] for column in db.execute(f"pragma table_info({table})").fetchall()]
