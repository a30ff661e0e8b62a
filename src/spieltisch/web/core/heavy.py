"""Work that takes much processor time. Other processes do it, in turn, and its seconds are counted for each address.

An address has one such job at a time, and all together have a bound. A request that waits longer than `PATIENCE`, or
whose address has used up its seconds, is refused.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from spieltisch.bounded import TooMuchError, Worker, within
from spieltisch.decks.library import Answer, Asked, answers
from spieltisch.game import Illegal
from spieltisch.table.patience import uncounted
from spieltisch.web.core.http.problems import Busy
from spieltisch.web.core.http.queues import OneAtATime
from spieltisch.web.core.http.rate_limits import ASKING, RateLimits

T = TypeVar("T")

PRINTING = 120.0  # seconds
READING = 60.0  # seconds that the answers to a few questions about decks may take


class HeavyWork:
    """The processes that read, check, print and export decks."""

    def __init__(self, limits: RateLimits) -> None:
        self.limits = limits
        self._turns = OneAtATime(at_once=2, waiting=30)
        self._prints = OneAtATime(at_once=1, waiting=5)
        self._quick, self._slow = Worker(limited=True, urgent=True), Worker(limited=True)

    async def within(
        self, seconds: float, work: Callable[..., T], *given: object, hear: Callable[[Any], None] | None = None
    ) -> T:
        """Return or raise what `work(*given)` does in a process of its own: see `bounded.within`. Raises Busy if
        others' work takes too long, TooMany if this address has used up its seconds.
        """
        with uncounted():
            async with self._turn(self._turns):
                return await self._counted(seconds, work, given, hear)

    async def printed(self, work: Callable[..., bytes], *given: object) -> bytes:
        """Return what `work(*given)` prints: one job at a time for the whole server. Raises Illegal if it takes too
        long.
        """
        with uncounted():
            async with self._turn(self._prints):
                try:
                    return await self._counted(PRINTING, work, given, None)
                except TooMuchError:
                    raise Illegal("This is too much to print here. Print it with: spieltisch deck print") from None

    async def read(self, folder: Path | None, asked: Sequence[Asked], *, slow: bool) -> Sequence[Answer]:
        """Answer questions about the decks in this folder: see `library.Reader`."""
        with uncounted():
            if not slow:
                return await self._read(self._quick, folder, asked)
            async with self._turn(self._turns):
                return await self._read(self._slow, folder, asked)

    def end(self) -> None:
        """Stop the processes that wait for questions."""
        self._quick.end()
        self._slow.end()

    @asynccontextmanager
    async def _turn(self, turns: OneAtATime) -> AsyncGenerator[None]:
        address = ASKING.get()
        self.limits.require_left("work", address)
        async with turns.turn(address):
            yield

    async def _counted(
        self, seconds: float, work: Callable[..., T], given: tuple[object, ...], hear: Callable[[Any], None] | None
    ) -> T:
        address = ASKING.get()
        return await within(
            seconds, work, *given, hear=hear, spent=lambda used: self.limits.charge("work", address, used)
        )

    async def _read(self, worker: Worker, folder: Path | None, asked: Sequence[Asked]) -> Sequence[Answer]:
        try:
            found, used = await worker.do(answers, folder, asked, seconds=READING)
        except (BrokenProcessPool, TooMuchError):
            raise Busy("Reading this deck takes too long.") from None
        self.limits.charge("work", ASKING.get(), used)
        return found
