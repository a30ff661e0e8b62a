"""A process for thoughts that take long: in the server, a thread would hold up the tables."""

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class ThinkingProcess:
    """One process, started with the first thought. It thinks one thought after the other."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, thought: Callable[..., T], *given: object) -> T:
        """What comes of it. BrokenProcessPool if the process died; the next thought begins another one."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_yield)
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


def _yield() -> None:
    """Thinking is less urgent than serving; and it ends with the server, not before it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """A server that is killed tells nobody, and the pool's own pipe stays open: its reader holds the other end, too."""
    server = parent_process()
    assert server is not None
    server.join()
    os._exit(1)
