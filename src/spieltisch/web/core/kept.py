"""Pictures that take long to draw, kept for those who ask for the same."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from math import inf
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """The newest of what was drawn, by what it was drawn from. Who asks while it is drawn waits for that."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._drawn: dict[Hashable, tuple[float, asyncio.Future[T]]] = {}

    async def get(self, key: Hashable, draw: Callable[[], Awaitable[T]], seconds: float = inf) -> T:
        """What `draw` returns, or did for this key within the last `seconds`. What it raises is not kept."""
        now = time.monotonic()
        at, known = self._drawn.get(key, (-inf, None))
        if known is None or now - at > seconds:
            known = asyncio.ensure_future(draw())
            self._drawn[key] = now, known
            known.add_done_callback(lambda done: self._forget(key, done))
            while len(self._drawn) > self._most:
                del self._drawn[next(iter(self._drawn))]
        return await asyncio.shield(known)

    def _forget(self, key: Hashable, done: asyncio.Future[T]) -> None:
        _, known = self._drawn.get(key, (-inf, None))
        if (done.cancelled() or done.exception() is not None) and known is done:
            del self._drawn[key]
