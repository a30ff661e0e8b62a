"""The stores of the tests, by engine: each creates a new place for tables and says how to open it."""

import sqlite3
from contextlib import closing

from spieltisch.table.store.sqlite import SQLite


class Place:
    """Where a store keeps its tables: a file, or the address of a database."""

    def __init__(self, where, engine):
        self.where = str(where)
        self._engine = engine

    def open(self, **more):
        """Open it again, as after a restart or in another process."""
        return self._engine(self.where, **more)

    def do(self, statement, *values):
        """Change stored data without any server's knowledge."""
        with closing(self._connect()) as db:
            db.execute(self._marked(statement), values)
            db.commit()

    def ask(self, statement, *values):
        """The stored rows."""
        with closing(self._connect()) as db:
            return db.execute(self._marked(statement), values).fetchall()

    def _connect(self):
        if self._engine is SQLite:
            return sqlite3.connect(self.where, timeout=30)
        import psycopg

        return psycopg.connect(self.where)

    def _marked(self, statement):
        return statement if self._engine is SQLite else statement.replace("?", "%s")


def sqlite(request):
    """One file."""
    return Place(request.getfixturevalue("tmp_path") / "tables.db", SQLite)


def postgres(request):
    """A place of its own in a real server."""
    cluster = request.getfixturevalue("cluster")
    from spieltisch.cluster.postgres import Postgres

    return Place(cluster.database(), Postgres)


ENGINES = [sqlite, postgres]


def is_file(place):
    """Whether this place is one file."""
    return "://" not in place.where
