"""A cache of pictures that take long to draw."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from math import inf
from typing import Generic, TypeVar

T = TypeVar("T")


class PictureCache(Generic[T]):
    """The newest pictures, by what they were drawn from. Callers who ask while one is being drawn wait for it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._drawn: dict[Hashable, tuple[float, asyncio.Future[T]]] = {}

    async def get(self, key: Hashable, draw: Callable[[], Awaitable[T]], seconds: float = inf) -> T:
        """Return what `draw` returns, or returned for this key within the last `seconds`. Errors are not kept."""
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
