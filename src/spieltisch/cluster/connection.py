"""Statements on a PostgreSQL connection, with `?` for their values."""

from collections.abc import Sequence
from typing import TypeAlias

from psycopg.rows import TupleRow

from spieltisch.extras import needed

with needed():
    import psycopg

Connection: TypeAlias = psycopg.AsyncConnection[TupleRow]


async def query(db: Connection, statement: str, values: Sequence[object] = ()) -> list[TupleRow]:
    """The rows of a statement, in the binary format. Raises psycopg.Error."""
    found = await db.execute(statement.replace("?", "%s").encode(), values, binary=True)
    return await found.fetchall()


async def query_many(db: Connection, statement: str, values: Sequence[Sequence[object]]) -> list[TupleRow]:
    """The rows of a statement for each of these values, in one transaction and one round trip. Raises psycopg.Error."""
    cursor, found, asked = db.cursor(binary=True), [], statement.replace("?", "%s").encode()
    if len(values) == 1:
        # Prepared at once, like all below. Otherwise psycopg only counts it, and if an earlier one in
        # the pipeline fails, psycopg believes for good that this one is prepared.
        await cursor.execute(asked, values[0], prepare=True)
        return await cursor.fetchall()
    await cursor.executemany(asked, values, returning=True)
    async for some in cursor.results():
        found += await some.fetchall()
    return found


async def execute(db: Connection, statement: str, values: Sequence[object] = ()) -> None:
    """Run a statement without a result. Raises psycopg.Error."""
    await db.execute(statement.replace("?", "%s").encode(), values)
