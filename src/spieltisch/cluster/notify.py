"""How hints travel between processes: by the database's NOTIFY, or by a Valkey or Redis beside it."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

from spieltisch.cluster.connection import Connection
from spieltisch.cluster.database import Database
from spieltisch.cluster.peers import ALL
from spieltisch.extras import needed
from spieltisch.paths import DataError

with needed():
    import psycopg
    import redis.asyncio as redis
    from psycopg import sql
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

SOON = 2.0  # seconds within which the broker has to answer
FAILS = (psycopg.Error, redis.RedisError, OSError, TimeoutError)  # hints do not arrive at the moment

_NOTIFY = "select pg_notify(channel, message) from unnest(%s::text[], %s::text[]) as told (channel, message)"

Say = Callable[[Sequence[tuple[str, str]]], Awaitable[None]]  # messages, each after its receiver's name or `ALL`


def channel(process: str) -> str:
    """The channel of this process; `ALL`: that of all processes, including the sender."""
    return f"spieltisch {process}".rstrip()


def no_address() -> DataError:
    """The refusal of an address that is not one of a Valkey or Redis."""
    return DataError("this is not a Valkey or Redis address: it should look like redis://127.0.0.1:6379")


class Ear(Protocol):
    """A connection that hears messages to one process and to all, including its own."""

    async def say(self, message: str) -> None:
        """Send a message to all."""
        ...

    async def hear(self, seconds: float) -> list[str]:
        """The next messages; none if none arrives within these seconds."""
        ...

    async def prove(self) -> None:
        """Raise one of `FAILS` if the connection is dead, without writing anything."""
        ...


class Hints(Protocol):
    """Connections of one process, open as long as their contexts. Failures are one of `FAILS`."""

    def voice(self) -> AbstractAsyncContextManager[Say]:
        """Sends messages of at most 8,000 bytes."""
        ...

    def ear(self, name: str, process: str) -> AbstractAsyncContextManager[Ear]:
        """Hears for this process, with a connection of this name to the database."""
        ...


class Notify:
    """Hints by the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def voice(self) -> AsyncGenerator[Say]:
        """Not in the transaction that writes: a notifying one delays all commits of the server at its end."""
        async with await self._database.connect("spieltisch tells") as db:
            await db.execute("set synchronous_commit = off")  # hints may get lost

            async def say(messages: Sequence[tuple[str, str]]) -> None:
                channels, texts = [channel(to) for to, _ in messages], [text for _, text in messages]
                await db.execute(_NOTIFY, (channels, texts))

            yield say

    @asynccontextmanager
    async def ear(self, name: str, process: str) -> AsyncGenerator[Ear]:
        """Listens on the connection of this name."""
        async with await self._database.connect(name) as db:
            for where in (ALL, process):
                await db.execute(sql.SQL("listen {}").format(sql.Identifier(channel(where))))
            yield _Notified(db)


class _Notified:
    def __init__(self, db: Connection) -> None:
        self._db = db

    async def say(self, message: str) -> None:
        await self._db.execute("select pg_notify(%s, %s)", (channel(ALL), message))

    async def hear(self, seconds: float) -> list[str]:
        return [note.payload async for note in self._db.notifies(timeout=seconds, stop_after=1)]

    async def prove(self) -> None:
        await self._db.execute("select 1")  # writes nothing, unlike a message to itself


class Valkey:
    """Hints by the Valkey or Redis at this address, such as redis://127.0.0.1:6379. It stores nothing."""

    def __init__(self, address: str, database: Database) -> None:
        """Raises DataError for an invalid address."""
        self._address, self._database = address, database
        try:
            self._open()
        except ValueError as error:  # its text may contain the address, with the password
            raise no_address() from error

    def _open(self) -> "redis.Redis":
        return redis.Redis.from_url(
            self._address, socket_timeout=SOON, socket_connect_timeout=SOON, decode_responses=True,
            retry=Retry(NoBackoff(), 0),  # callers retry
        )  # fmt: skip

    @asynccontextmanager
    async def voice(self) -> AsyncGenerator[Say]:
        """One round trip for all messages."""
        async with self._open() as client:

            async def say(messages: Sequence[tuple[str, str]]) -> None:
                async with client.pipeline(transaction=False) as pipeline:
                    for to, message in messages:
                        pipeline.publish(channel(to), message)
                    await pipeline.execute()

            yield say

    @asynccontextmanager
    async def ear(self, name: str, process: str) -> AsyncGenerator[Ear]:
        """Subscribes."""
        async with await self._database.connect(name) as db, self._open() as client, client.pubsub() as subscription:
            await subscription.subscribe(channel(ALL), channel(process))
            yield _Subscribed(db, client, subscription)


class _Subscribed:
    def __init__(self, db: Connection, client: "redis.Redis", subscription: Any) -> None:
        self._db, self._client, self._subscription = db, client, subscription

    async def say(self, message: str) -> None:
        await self._client.publish(channel(ALL), message)

    async def hear(self, seconds: float) -> list[str]:
        message = await self._subscription.get_message(ignore_subscribe_messages=True, timeout=seconds)
        return [message["data"]] if message is not None and message["type"] == "message" else []

    async def prove(self) -> None:
        await self._db.execute("select 1")
        await self._subscription.ping()
