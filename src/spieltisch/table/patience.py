"""Limits what people wait for to the time that they are told: one deadline for all that a request needs, one after the
other, and a table's lock that keeps to it.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar
from types import TracebackType

from spieltisch.table.store import AWAY, LEAST, PATIENCE, Unsaved

ENOUGH = 0.5  # seconds
SEVERAL = 15.0  # seconds for several writes, such as those that open a table: a slow disk takes a second for each


class _Deadline:
    """When somebody gives up, by the monotonic clock. What works on when they have their answer has none."""

    __slots__ = ("_pauses", "_since", "end", "is_over", "until")

    def __init__(self, until: float) -> None:
        self.until = until
        self.is_over = False
        self.end: asyncio.Timeout | None = None  # of what ends when it is over
        self._pauses = 0  # that last now, one within the other or side by side
        self._since = 0.0

    def pause(self) -> None:
        """Let no time go until `go_on`."""
        self._pauses += 1
        if self._pauses > 1:
            return
        self._since = time.monotonic()
        if self.end is not None and not self.end.expired():
            self.end.reschedule(None)

    def go_on(self) -> None:
        """Give back the time of the pause, unless another one lasts."""
        self._pauses -= 1
        if self._pauses:
            return
        self.until += time.monotonic() - self._since
        if self.end is not None and not self.end.expired():
            self.end.reschedule(asyncio.get_running_loop().time() + self.until - time.monotonic())


_DEADLINE: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


def _present() -> _Deadline | None:
    one = _DEADLINE.get()
    return None if one is None or one.is_over else one


@contextmanager
def deadline(seconds: float = PATIENCE) -> Generator[_Deadline]:
    """Everything that is waited for in here takes at most this long together."""
    one = _Deadline(time.monotonic() + seconds)
    token = _DEADLINE.set(one)
    try:
        yield one
    finally:
        one.is_over = True
        _DEADLINE.reset(token)


@asynccontextmanager
async def ending() -> AsyncGenerator[None]:
    """Several writes, of which each may take its time: what is not done after `SEVERAL` seconds ends, whatever was
    left before. Raises Unsaved then.
    """
    one = _present()
    with deadline(SEVERAL) if one is None else nullcontext(one) as one:
        one.until = max(one.until, time.monotonic() + SEVERAL)
        try:
            async with asyncio.timeout(one.until - time.monotonic()) as one.end:
                yield
        except TimeoutError:
            raise Unsaved from None
        finally:
            one.end = None


@contextmanager
def uncounted() -> Generator[None]:
    """What is waited for in here does not count: another process works on it, with a limit of its own, and says nothing
    about the database.
    """
    if (one := _present()) is None:
        yield
        return
    one.pause()
    try:
        yield
    finally:
        one.go_on()


def left() -> float:
    """Return the seconds that whoever asks still waits for one thing; all of them where nobody has begun to."""
    one = _present()
    return PATIENCE if one is None else min(PATIENCE, one.until - time.monotonic())


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

    __slots__ = ("_deadline", "_lock", "_more", "_waiting")

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waiting = 0  # callers that wait for it
        self._deadline: _Deadline | None = None  # its holder's
        self._more = 0.0  # seconds after it until which the holder may write

    @property
    def until(self) -> float:
        """When its holder has to be done, by the monotonic clock."""
        return self._more if self._deadline is None else self._deadline.until + self._more

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
        if self._waiting or self._lock.locked():
            await self._in_turn(wait)
        else:
            await self._lock.acquire()  # at once
        self._deadline = one = _present()
        self._more = until if one is None else until - one.until

    async def _in_turn(self, wait: float) -> None:
        self._waiting += 1
        try:
            async with asyncio.timeout(wait):
                await self._lock.acquire()
        except TimeoutError:
            raise Unsaved from None
        finally:
            self._waiting -= 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
