"""Limits what people wait for to the time that they are told: one deadline for all that a request needs, one after the
other, and a table's lock that keeps to it.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from types import TracebackType

from spieltisch.table.store import AWAY, LEAST, PATIENCE, Unsaved

ENOUGH = 0.5  # seconds


class _Deadline:
    """When somebody gives up, by the monotonic clock. What works on when they have their answer has none."""

    __slots__ = ("is_over", "until")

    def __init__(self, until: float) -> None:
        self.until = until
        self.is_over = False


_DEADLINE: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def deadline(seconds: float = PATIENCE) -> Generator[None]:
    """Everything that is waited for in here takes at most this long together."""
    one = _Deadline(time.monotonic() + seconds)
    token = _DEADLINE.set(one)
    try:
        yield
    finally:
        one.is_over = True
        _DEADLINE.reset(token)


def left() -> float:
    """Return the seconds that whoever asks still waits; all of them where nobody has begun to."""
    one = _DEADLINE.get()
    return PATIENCE if one is None or one.is_over else one.until - time.monotonic()


def left_to_look() -> float:
    """Return the seconds of these that may go before anything is written."""
    return max(left() - LEAST, ENOUGH)


def left_to_write() -> float:
    """Return the seconds that may still go for something that is written, at least enough for a database in order."""
    return max(left(), LEAST)


@asynccontextmanager
async def looking() -> AsyncGenerator[None]:
    """What is read in here leaves time for something to be written. Raises Unsaved, since the database is away, if it
    takes longer.
    """
    try:
        async with asyncio.timeout(left_to_look()):
            yield
    except TimeoutError:
        raise Unsaved(AWAY) from None


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
        wait = left_to_look()
        until = time.monotonic() + wait + LEAST
        try:
            async with asyncio.timeout(wait):
                await self._lock.acquire()
        except TimeoutError:
            raise Unsaved from None
        self.until = until

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
