"""Who must look again. Inside one process; what travels between processes is the same pair (table, seq)."""

import asyncio
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Listener:
    """Somebody who wants to know when a table has moved on. Many moves while not waiting are one wake-up."""

    __slots__ = ("_event", "_seq")

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._seq = 0

    def wake(self, seq: int) -> None:
        self._seq = max(seq, self._seq)
        self._event.set()

    async def wait(self) -> int:
        """The number of the newest entry heard of, as soon as there is something to look at."""
        await self._event.wait()
        self._event.clear()
        return self._seq


class Wakes(Protocol):
    """What a table needs of a hub, of this process or of many."""

    def listen(self, table: str) -> AbstractContextManager[Listener]: ...

    def listening(self, table: str) -> bool: ...

    def wake(self, table: str, seq: int) -> None: ...


class Hub:
    """The hub of one process and one event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}

    @contextmanager
    def listen(self, table: str) -> Generator[Listener]:
        """`with hub.listen(id) as news: await news.wait()`. Listen first, then look: nothing is missed."""
        listener = Listener()
        self._listeners.setdefault(table, set()).add(listener)
        try:
            yield listener
        finally:
            left = self._listeners[table]
            left.discard(listener)
            if not left:
                del self._listeners[table]

    def listening(self, table: str) -> bool:
        """Whether anybody listens to this table."""
        return table in self._listeners

    def wake(self, table: str, seq: int) -> None:
        """Tell all who listen to this table."""
        for listener in self._listeners.get(table, ()):
            listener.wake(seq)
