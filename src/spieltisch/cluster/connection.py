"""What is asked of PostgreSQL on a connection: statements with `?` for their values."""

from collections.abc import Sequence
from typing import TypeAlias

from psycopg.rows import TupleRow

from spieltisch.extras import needed

with needed():
    import psycopg

Connection: TypeAlias = psycopg.AsyncConnection[TupleRow]


async def query(db: Connection, statement: str, values: Sequence[object] = ()) -> list[TupleRow]:
    """The rows that a statement with `?` for its values returns, in the binary format. psycopg.Error."""
    found = await db.execute(statement.replace("?", "%s").encode(), values, binary=True)
    return await found.fetchall()


async def query_many(db: Connection, statement: str, values: Sequence[Sequence[object]]) -> list[TupleRow]:
    """The rows that a statement returns for each of these values, in one transaction and one way there and back.
    psycopg.Error.
    """
    cursor, found, asked = db.cursor(binary=True), [], statement.replace("?", "%s").encode()
    if len(values) == 1:
        # Prepared at once, as all are below: one that psycopg had only counted so far, and that is not prepared since
        # another fails before it in the pipeline, it would take for prepared ever after.
        await cursor.execute(asked, values[0], prepare=True)
        return await cursor.fetchall()
    await cursor.executemany(asked, values, returning=True)
    async for some in cursor.results():
        found += await some.fetchall()
    return found


async def execute(db: Connection, statement: str, values: Sequence[object] = ()) -> None:
    """Run a statement with `?` for its values that returns nothing of interest. psycopg.Error."""
    await db.execute(statement.replace("?", "%s").encode(), values)
