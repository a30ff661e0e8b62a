"""The stores that tests open, by engine: each makes a new place to keep tables and says how it is opened."""

import sqlite3
from contextlib import closing

from spieltisch.table.store.sqlite import SQLite


class Place:
    """Where a store keeps its tables: a file, or the address of a database."""

    def __init__(self, where, engine):
        self.where = str(where)
        self._engine = engine

    def open(self, **more):
        """Opens it once more, as after a restart or in another process."""
        return self._engine(self.where, **more)

    def do(self, statement, *values):
        """Change what is stored behind every server's back."""
        with closing(self._connect()) as db:
            db.execute(self._marked(statement), values)
            db.commit()

    def ask(self, statement, *values):
        """The rows that are stored."""
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
    """Whether this is a place in one file."""
    return "://" not in place.where
