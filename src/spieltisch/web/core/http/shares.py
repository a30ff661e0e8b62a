"""No address takes the loop's time for itself: whoever has used much of it lately waits before the next request.

One thread answers all requests, one after the other. If an address asked for twenty pages at once, everybody else would
wait for all twenty. With shares they are made one by one, and others come in between. While only one address is there,
nobody waits: a school behind one address has the whole server.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from functools import partial
from types import coroutine
from typing import Any

from spieltisch.web.core.http.rate_limits import PATIENCE, Lines

RATE = 0.5  # of the loop's time, that an address gets at most while another one is there
NEAR = 60.0  # seconds after its last request for which an address counts as there, or as long as it has a socket
BURST = 0.03  # seconds that it may use at once
LOOK = 0.005  # seconds after which whoever waits looks again: requests often need less than is usual
USUAL = 0.01  # seconds that a request is taken to need, until it is answered
KEPT = 10_000  # addresses; the one used longest ago goes first


class Shares:
    """What addresses have left of the loop's time. With `enabled` False nobody waits.

    `clock` and `spent` tell seconds: the clock's, and those that this thread has worked.
    """

    def __init__(
        self,
        *,
        enabled: bool = True,
        clock: Callable[[], float] = time.monotonic,
        spent: Callable[[], float] = time.thread_time,
    ) -> None:
        self._enabled = enabled
        self._clock = clock
        self._spent = spent
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # seconds, and when that was
        self._lines = Lines()
        self._sockets: Counter[str] = Counter()

    @contextmanager
    def socket(self, who: str) -> Generator[None]:
        """An address is there as long as it has a socket."""
        self._sockets[who] += 1
        try:
            yield
        finally:
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]

    async def turn(self, who: str) -> bool:
        """Wait in line until something is left; False if that takes longer than `PATIENCE` seconds."""
        if not self._enabled or not (self._lines.here(who) or self._wait(who)):
            return True  # as nearly always
        try:
            async with asyncio.timeout(PATIENCE), self._lines.turn(who):
                while wait := self._wait(who):  # noqa: ASYNC110  # nobody could tell when it is over
                    await asyncio.sleep(wait)
        except TimeoutError:
            return False
        return True

    async def do(self, who: str, work: Coroutine[Any, Any, None]) -> None:
        """Do this, and count what it takes of the loop's time."""
        if not self._enabled:
            await work
            return
        self._add(who, -USUAL)
        try:
            await self._counted(who, work)
        finally:
            self._add(who, USUAL)

    @coroutine
    def _counted(self, who: str, work: Coroutine[Any, Any, None]) -> Generator[Any, Any, None]:
        """Each step of a coroutine by itself, from one wait to the next: what a loop does, with a look at the clock."""
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
            except BaseException as error:  # noqa: BLE001  # the work may have an answer to it
                step = partial(work.throw, error)

    def _wait(self, who: str) -> float:
        """For how many seconds this address has to wait before it looks again."""
        left = self._add(who, 0)
        return min(LOOK, 0.001 - left / RATE) if left <= 0 and self._is_other(who) else 0.0

    def _is_other(self, who: str) -> bool:
        """Whether another address is there."""
        if len(self._sockets) > (who in self._sockets):
            return True
        last = next((since for other, (_, since) in reversed(self._left.items()) if other != who), None)
        return last is not None and self._clock() - last < NEAR

    def _add(self, who: str, seconds: float) -> float:
        """How many seconds are left then; less than nothing if somebody has used more."""
        now = self._clock()
        left, since = self._left.pop(who, (BURST, now))
        left = min(BURST, left + (now - since) * RATE + seconds)
        self._left[who] = left, now
        if len(self._left) > KEPT:
            self._left.popitem(last=False)
        return left
