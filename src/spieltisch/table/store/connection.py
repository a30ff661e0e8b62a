"""A connection to PostgreSQL, and what is asked on it: statements with `?` for their values."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import Any

from spieltisch.extras import needed

with needed():
    import psycopg
    from psycopg import waiting

WAIT = 10.0  # seconds after which a connection that waits for the database looks up


class Connection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """psycopg's, which goes on listening to its socket from one answer to the next: to begin and to end that, with a
    timer besides, takes longer than most of what is asked here. What is broken off costs the connection.
    """

    _socket: int | None = None  # listened to
    _waiter: asyncio.Future[None] | None = None  # for what comes

    async def wait(
        self,
        gen: Any,
        interval: float = WAIT,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is psycopg's
    ) -> Any:
        """As psycopg's, which does all besides: what takes several writes, and what has a limit of time."""
        socket = self.pgconn.socket  # there is none where the connection is lost: then nothing is begun
        try:
            wants = next(gen)
            while wants == waiting.WAIT_R and timeout is None:
                await self._something(socket)
                wants = gen.send(waiting.READY_R)
        except StopIteration as end:
            return end.value
        except asyncio.CancelledError:
            self._turn_away()
            self.pgconn.finish()
            with suppress(psycopg.Error):
                gen.close()
            raise
        except BaseException:
            self._turn_away()  # the socket may be closed
            raise
        self._turn_away()
        return await super().wait(_from_here(gen, wants), interval, timeout)

    async def _something(self, socket: int) -> None:
        """Something has come, be it the end."""
        loop = asyncio.get_running_loop()
        if self._socket is None:
            self._socket = socket
            loop.add_reader(socket, self._come)
        self._waiter = loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _come(self) -> None:
        if self._waiter is None:  # it will be seen when something is asked
            self._turn_away()
        elif not self._waiter.done():
            self._waiter.set_result(None)

    def _turn_away(self) -> None:
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket = None

    async def close(self) -> None:
        """As psycopg's."""
        self._turn_away()
        await super().close()


def _from_here(gen: Any, wants: Any) -> Generator[Any, Any, Any]:
    """What has begun already and now wants that, as if it began here: what is written in C cannot be asked twice."""
    try:
        while True:
            if ready := (yield wants):
                wants = gen.send(ready)
    except StopIteration as end:
        return end.value


async def query(db: Connection, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows that a statement with `?` for its values returns, in the binary format. psycopg.Error."""
    found = await db.execute(statement.replace("?", "%s").encode(), values, binary=True)
    return await found.fetchall()


async def query_many(db: Connection, statement: str, values: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
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


async def execute(db: Connection, statement: str, values: Sequence[Any] = ()) -> None:
    """Run a statement with `?` for its values that returns nothing of interest. psycopg.Error."""
    await db.execute(statement.replace("?", "%s").encode(), values)
