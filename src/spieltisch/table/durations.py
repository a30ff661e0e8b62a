"""How long things take, counted by length: a histogram for Prometheus."""

import asyncio
import contextlib
import time
from bisect import bisect_left
from collections.abc import Generator

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
TICK = 0.25  # seconds


class Times:
    """Durations in seconds: counts up to each of `BOUNDS` (and above), and their sum."""

    __slots__ = ("_running", "counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0
        self._running: set[float] = set()  # when unfinished ones began

    @property
    def oldest(self) -> float:
        """The seconds since the oldest unfinished one began; 0.0 if there is none."""
        begun = min(self._running, default=None)
        return 0.0 if begun is None else time.monotonic() - begun

    def add(self, seconds: float) -> None:
        """Count one duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    @contextlib.contextmanager
    def timed(self) -> Generator[None]:
        """Count how long this context lasts, even if it raises."""
        begun = time.monotonic()
        self._running.add(begun)
        try:
            yield
        finally:
            self._running.discard(begun)
            self.add(time.monotonic() - begun)


async def watch_loop(late: Times) -> None:
    """Every `TICK`, count how much later than planned the event loop wakes a task. Runs until it is cancelled."""
    while True:
        begun = time.monotonic()
        await asyncio.sleep(TICK)
        late.add(max(0.0, time.monotonic() - begun - TICK))
