"""Whether the server can do its work: for whoever sends it people, or starts it anew."""

import asyncio
import time

from spieltisch.table.store import Store, Unsaved

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
