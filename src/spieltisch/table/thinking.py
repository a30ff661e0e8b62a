"""A process for thoughts that take long: in the server, a thread would hold up the tables."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from spieltisch.bounded import yield_to_server

T = TypeVar("T")

REST = 60.0  # seconds after the last thought in which the process waits for another one: what it has loaded is large


class ThinkingProcess:
    """One process, started with the first thought, ended when nobody has asked for a while. It thinks one thought after
    the other.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._open = 0  # thoughts
        self._rest: asyncio.TimerHandle | None = None

    async def think(self, thought: Callable[..., T], *given: object) -> T:
        """What comes of it. BrokenProcessPool if the process died; the next thought begins another one."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=yield_to_server)
        if self._rest is not None:
            self._rest.cancel()
        pool, loop = self._pool, asyncio.get_running_loop()
        self._open += 1
        try:
            return await loop.run_in_executor(pool, thought, *given)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise
        finally:
            self._open -= 1
            if not self._open:
                self._rest = loop.call_later(REST, self.end)

    def end(self) -> None:
        """Nothing more is thought; what waits is let go. A later thought begins another process."""
        if self._rest is not None:
            self._rest.cancel()
        if self._pool is not None:
            for process in list(self._pool._processes.values()):  # noqa: SLF001 - else a long thought would hold up the end
                process.kill()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
