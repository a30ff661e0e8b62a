"""A process for thoughts that take long: in the server, a thread would hold up the tables."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from spieltisch.bounded import yield_to_server

T = TypeVar("T")


class ThinkingProcess:
    """One process, started with the first thought. It thinks one thought after the other."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, thought: Callable[..., T], *given: object) -> T:
        """What comes of it. BrokenProcessPool if the process died; the next thought begins another one."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=yield_to_server)
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, thought, *given)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise

    def end(self) -> None:
        """Nothing more is thought; what waits is let go."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
