"""Queues of addresses: for jobs that each address may do one at a time, and for the time of the event loop."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from types import coroutine

from spieltisch.web.core.http.problems import WORDS, Busy, TooMany

PATIENCE = 10.0  # seconds to wait for a turn
RATE = 0.5  # share of the loop's time for one address while another is active
NEAR = 60.0  # seconds an address stays active after a request; with an open socket it always is
BURST = 0.03  # seconds it may use at once
LOOK = 0.005  # seconds between two looks of a waiting request, since others often need less than estimated
USUAL = 0.01  # seconds a request is estimated to need until it is answered
KEPT = 10_000  # addresses; the least recently used goes first


class Lines:
    """A first-come queue per key. Empty queues are dropped."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._here: Counter[str] = Counter()

    def here(self, address: str) -> int:
        """Return the length of this key's queue, with the one being served."""
        return self._here[address]

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncGenerator[None]:
        """Wait for a turn, which lasts until this context ends."""
        self._here[address] += 1
        try:
            async with self._locks.setdefault(address, asyncio.Lock()):
                yield
        finally:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address], self._locks[address]


class OneAtATime:
    """Runs one job per address at a time, and a bounded number in all. The others wait."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._all = asyncio.Semaphore(at_once)
        self._lines = Lines()
        self._waiting = waiting

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncGenerator[None]:
        """Wait for a turn. Raises TooMany if the address's queue is full, Busy after `PATIENCE` seconds."""
        if self._lines.here(address) > self._waiting:
            raise TooMany(WORDS[429])
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(PATIENCE):
                    await held.enter_async_context(self._lines.turn(address))
                    await held.enter_async_context(self._all)
            except TimeoutError:
                raise Busy("The server is busy. Please try again in a moment.") from None
            yield


class Shares:
    """Shares the event loop's time among addresses, so that none takes it all. With `enabled` False nobody waits.

    One thread answers all requests in turn. If an address asked for twenty pages at once, everybody else would wait for
    all twenty. Shares let other requests in between. A single address never waits, so a school behind one has the whole
    server.

    `clock` returns wall-clock seconds, `spent` this thread's processor seconds; `sleep` waits seconds of that clock.
    """

    def __init__(
        self,
        *,
        enabled: bool = True,
        clock: Callable[[], float] = time.monotonic,
        spent: Callable[[], float] = time.thread_time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._enabled = enabled
        self._clock = clock
        self._spent = spent
        self._sleep = sleep
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # seconds left, and when that was reckoned
        self._lines = Lines()
        self._sockets: Counter[str] = Counter()

    @contextmanager
    def socket(self, who: str) -> Generator[None]:
        """Count the address as active while this context is open."""
        self._sockets[who] += 1
        try:
            yield
        finally:
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]

    async def turn(self, who: str) -> bool:
        """Wait until the address has time left. Returns False after `PATIENCE` seconds."""
        if not self._enabled or not (self._lines.here(who) or self._wait(who)):
            return True  # the usual case
        try:
            async with asyncio.timeout(PATIENCE), self._lines.turn(who):
                while wait := self._wait(who):  # nothing signals the end of it
                    await self._sleep(wait)
        except TimeoutError:
            return False
        return True

    async def do(self, who: str, work: Awaitable[None]) -> None:
        """Await `work`, and charge the loop time it takes."""
        if not self._enabled:
            await work
            return
        self._add(who, -USUAL)
        try:
            await self._counted(who, work.__await__())
        finally:
            self._add(who, USUAL)

    @coroutine
    def _counted(self, who: str, work: Generator[object, object, None]) -> Generator[object, object, None]:
        """Drive a coroutine step by step, as an event loop does, and time each step."""
        step = partial(work.send, None)
        while True:
            begun = self._spent()
            try:
                waits = step()
            except StopIteration:
                return
            finally:
                self._add(who, begun - self._spent())
            try:
                step = partial(work.send, (yield waits))
            except BaseException as error:  # noqa: BLE001  # the coroutine may handle it
                step = partial(work.throw, error)

    def _wait(self, who: str) -> float:
        """Return the seconds this address has to wait before it looks again; 0 for none."""
        left = self._add(who, 0)
        return min(LOOK, 0.001 - left / RATE) if left <= 0 and self._is_other(who) else 0.0

    def _is_other(self, who: str) -> bool:
        """Whether another address is active."""
        if len(self._sockets) > (who in self._sockets):
            return True
        last = next((since for other, (_, since) in reversed(self._left.items()) if other != who), None)
        return last is not None and self._clock() - last < NEAR

    def _add(self, who: str, seconds: float) -> float:
        """Add seconds and return how many are left; negative if the address has used more."""
        now = self._clock()
        left, since = self._left.pop(who, (BURST, now))
        left = min(BURST, left + (now - since) * RATE + seconds)
        self._left[who] = left, now
        if len(self._left) > KEPT:
            self._left.popitem(last=False)
        return left
