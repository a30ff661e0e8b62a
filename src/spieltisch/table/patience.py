"""Limits the wait for a move to the time that people are told, even behind others at the same table."""

import asyncio
import time
from types import TracebackType

from spieltisch.table.store import LEAST, PATIENCE, Unsaved

ENOUGH = 0.5  # seconds


class TableLock:
    """Lets one caller at a time change a table: `async with lock`. Raises Unsaved if the others take too long, since a
    change that starts too late could end with an unknown result.
    """

    __slots__ = ("_lock", "until")

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self.until = 0.0  # when its holder has to be done, by the monotonic clock

    @property
    def left(self) -> float:
        """The seconds that whoever holds it still has, at least enough to be told."""
        return max(self.until - time.monotonic(), ENOUGH)

    def locked(self) -> bool:
        """Return whether somebody holds it."""
        return self._lock.locked()

    async def __aenter__(self) -> None:
        begun = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE - LEAST):
                await self._lock.acquire()
        except TimeoutError:
            raise Unsaved from None
        self.until = begun + PATIENCE

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
