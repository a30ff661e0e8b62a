"""The reads that both engines share; each only provides the rows of a statement."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import msgspec

from spieltisch.table.evening import in_order
from spieltisch.table.log import TableSetup, read_setup
from spieltisch.table.store import numbered, readable, sql


class Reads(ABC):
    """The reading half of a `Store`."""

    @abstractmethod
    async def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement of `sql` returns."""

    async def one(self, statement: str, *values: object) -> Any:
        """The first value of the first row; None without rows."""
        found = await self.rows(statement, *values)
        return found[0][0] if found else None

    async def count(self) -> int:
        return await self.one(sql.COUNT)

    async def ids(self) -> Sequence[str]:
        return [id_ for (id_,) in await self.rows(sql.IDS)]

    async def games(self, code: str) -> Sequence[str]:
        rows = await self.rows(sql.GAMES, code, f"{code}-", f"{code}.")  # "." comes after "-"
        return in_order([id_ for (id_,) in rows])

    async def touched_last(self, n: int, skip: int = 0) -> Sequence[TableSetup]:
        rows = await self.rows(sql.touched_last(n, skip))
        return [msgspec.structs.replace(one, touched=touched) for body, touched in rows for one in readable([body])]

    async def setup(self, table: str) -> TableSetup | None:
        for body, touched in await self.rows(sql.PLAN, table):
            return msgspec.structs.replace(read_setup(body), touched=touched)
        return None

    async def playing(self) -> AsyncGenerator[TableSetup]:
        last = ""
        while rows := await self.rows(sql.PLAYING, last):
            for one in readable(body for _, body in rows):
                yield one
            last = rows[-1][0]
            await asyncio.sleep(0)  # a file never waits, so give way to others

    async def seed(self, table: str) -> bytes | None:
        return await self.one(sql.SEED, table)

    async def deck(self, hash: str) -> bytes | None:  # noqa: A002 - a deck's hash
        return await self.one(sql.DECK, hash)

    async def log(self, table: str, after: int = 0) -> Sequence[bytes]:
        return numbered(await self.rows(sql.LOG, table, after), after)

    async def document(self, id: str) -> bytes | None:  # noqa: A002
        return await self.one(sql.DOCUMENT, id)

    async def due_documents(self, now: float, prefix: str = "") -> Sequence[str]:
        return [id_ for (id_,) in await self.rows(sql.DUE_DOCUMENTS, now) if id_.startswith(prefix)]

    async def newest(self) -> float | None:
        return await self.one(sql.NEWEST)
