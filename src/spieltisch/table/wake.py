"""Who must look again. Inside one process; what travels between processes is the same pair (table, seq)."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Listener:
    """Somebody who wants to know when a table has moved on. Many moves while not waiting are one wake-up, and so are
    those within `soon()` seconds, if that is given: it is asked at each move how long this one may wait.
    """

    __slots__ = ("_event", "_seq", "_soon", "_timer")

    def __init__(self, soon: Callable[[], float] | None = None) -> None:
        self._event = asyncio.Event()
        self._seq = 0
        self._soon = soon
        self._timer: asyncio.TimerHandle | None = None

    def wake(self, seq: int) -> None:
        """The table has moved on to this entry."""
        self._seq = max(seq, self._seq)
        if self._soon is None:
            self._event.set()
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + self._soon()
        if self._timer is None or when < self._timer.when():
            self.rest()
            self._timer = loop.call_at(when, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._event.set()

    def rest(self) -> None:
        """Hear of nothing that still waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def wait(self) -> int:
        """The number of the newest entry heard of, as soon as there is something to look at."""
        await self._event.wait()
        self._event.clear()
        return self._seq


class Wakes(Protocol):
    """What a table needs of a hub, of this process or of many."""

    def listen(self, table: str, soon: Callable[[], float] | None = None) -> AbstractContextManager[Listener]:
        """Hear of a table: a context that gives a listener. `soon` says how long its wake-ups may wait."""
        ...

    def listening(self, table: str) -> bool:
        """Whether anybody listens to this table."""
        ...

    def wake(self, table: str, seq: int) -> None:
        """Tell all who listen to this table that its log has an entry `seq`."""
        ...


class Hub:
    """The hub of one process and one event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}

    @contextmanager
    def listen(self, table: str, soon: Callable[[], float] | None = None) -> Generator[Listener]:
        """`with hub.listen(id) as news: await news.wait()`. Listen first, then look: nothing is missed."""
        listener = Listener(soon)
        self._listeners.setdefault(table, set()).add(listener)
        try:
            yield listener
        finally:
            listener.rest()
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
