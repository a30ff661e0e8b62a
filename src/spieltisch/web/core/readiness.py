"""Whether the server can work: for proxies, for a supervisor, and for people if a failure lasts."""

import asyncio
import time
from collections.abc import Callable

from spieltisch.table.store import Store, Unsaved

LASTING = 15.0  # seconds without saving after which every page says so
LOOK = 1.0  # seconds between looks at the store's own word, which cost nothing
KEPT = 1.0  # seconds for which an answer holds: anybody may ask, and each look writes to the disk
PATIENCE = 5.0  # seconds after which a disk that does not answer fails


class Readiness:
    """Looks whether the tables of `store` can be written, until the server is `stopping`."""

    def __init__(self, store: Store, stopping: asyncio.Event) -> None:
        self._store = store
        self._stopping = stopping
        self._lock = asyncio.Lock()
        self._looked = -KEPT
        self._found = ""
        self._since: float | None = None  # when it was first seen that nothing can be written

    async def watch(self, tell: Callable[[bool], None]) -> None:
        """Follow whether the store can write. `tell` when it could not for LASTING seconds, and when it can again."""
        told = False
        while not self._stopping.is_set():
            await asyncio.sleep(LOOK)
            if self._since is None and not self._store.is_failing:
                continue
            now = time.monotonic()
            if await self.why_not() and not self._stopping.is_set():
                self._since = now if self._since is None else self._since
            else:
                self._since = None
            lasting = self._since is not None and now - self._since >= LASTING
            if lasting != told:
                told = lasting
                tell(lasting)

    async def is_stuck(self) -> bool:
        """Return whether the writer hangs by itself: a change has waited for LASTING seconds, though a new connection
        can write. A new start helps then; it would not help with a database that is away.
        """
        return self._store.waits > LASTING and await self._store.can_write_anew()

    async def why_not(self) -> str:
        """Why it is not ready, in English; "" if it is."""
        if self._stopping.is_set():
            return "The server is stopping."
        async with self._lock:
            if time.monotonic() - self._looked >= KEPT:
                self._found = await self._look()
                self._looked = time.monotonic()
            return self._found

    async def _look(self) -> str:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._store.check()
        except Unsaved:
            return "The tables cannot be written: the disk is full, or it fails."
        except TimeoutError:
            return f"The tables cannot be written: the disk has not answered for {PATIENCE:.0f} seconds."
        return ""
