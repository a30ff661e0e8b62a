"""How long anybody waits for a move: nobody longer than people are told, also behind others at the same table."""

import asyncio
import time
from types import TracebackType

from spieltisch.table.store import LEAST, PATIENCE, Unsaved

ENOUGH = 0.5  # seconds


class TableLock:
    """Lets one caller at a time change a table: `async with lock`. Unsaved if the others take too long, since what is
    begun too late would end in doubt.
    """

    __slots__ = ("_lock", "until")

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self.until = 0.0  # by the monotonic clock: when whoever holds it has to be done

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
