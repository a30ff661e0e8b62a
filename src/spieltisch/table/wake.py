"""Who must look again. Inside one process; what travels between processes is the same pair (table, seq)."""

import asyncio
import math
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

FRAME = 0.016  # seconds: what happens within a frame (all accept, a bot answers) is looked at once


class Listener:
    """Somebody who wants to know when a table has moved on. Many moves while not waiting are one wake-up.

    `soon` None: it is woken at once. Otherwise it is asked at each move how many seconds this one may wait, and woken
    with the frame after that.
    """

    __slots__ = ("_event", "_seq", "due", "soon")

    def __init__(self, soon: Callable[[], float] | None = None) -> None:
        self.soon = soon
        self.due = math.inf  # by the loop's clock
        self._event = asyncio.Event()
        self._seq = 0

    def hear(self, seq: int, now: float) -> None:
        """The table has moved on to this entry."""
        self._seq = max(seq, self._seq)
        if self.soon is None:
            self._event.set()
        else:
            self.due = min(self.due, now + self.soon())

    def ring(self) -> None:
        """Wake it, unless it rests."""
        if self.due < math.inf:
            self._event.set()
        self.due = math.inf

    def look(self) -> None:
        """Wake it at once, whether there is news or not."""
        self._event.set()

    def rest(self) -> None:
        """Hear of nothing that still waits."""
        self.due = math.inf

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

    def wake_all(self) -> None:
        """Tell all who listen to any table."""
        ...

    def wake(self, table: str, seq: int) -> None:
        """Tell all who listen to this table that its log has an entry `seq`."""
        ...

    @property
    def late(self) -> float:
        """How many seconds after their time those who listen have been woken of late: how busy the process is."""
        ...


class Hub:
    """The hub of one process and one event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self._waiting: set[Listener] = set()  # for a frame that is still to come
        self._frame: float | None = None  # when the next one comes, by the loop's clock: one for all tables
        self._late = 0.0

    @property
    def late(self) -> float:
        """How many seconds after their time those who listen have been woken of late: how busy the process is."""
        return self._late

    @contextmanager
    def listen(self, table: str, soon: Callable[[], float] | None = None) -> Generator[Listener]:
        """`with hub.listen(id) as news: await news.wait()`. Listen first, then look: nothing is missed."""
        listener = Listener(soon)
        self._listeners.setdefault(table, set()).add(listener)
        try:
            yield listener
        finally:
            self._waiting.discard(listener)
            left = self._listeners[table]
            left.discard(listener)
            if not left:
                del self._listeners[table]

    def listening(self, table: str) -> bool:
        """Whether anybody listens to this table."""
        return table in self._listeners

    def wake(self, table: str, seq: int) -> None:
        """Tell all who listen to this table."""
        if table not in self._listeners:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        for listener in self._listeners[table]:
            listener.hear(seq, now)
            if listener.soon is not None:
                self._waiting.add(listener)
        self._arm(loop, now)

    def wake_all(self) -> None:
        """Tell all who listen to any table."""
        for table in list(self._listeners):
            self.wake(table, 0)

    def _arm(self, loop: asyncio.AbstractEventLoop, now: float) -> None:
        if self._waiting and self._frame is None:
            self._frame = now + FRAME
            loop.call_at(self._frame, self._ring, loop)

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        now, planned, self._frame = loop.time(), self._frame, None
        assert planned is not None
        self._late += (now - planned - self._late) / 8
        for listener in [one for one in self._waiting if one.due <= now or one.due == math.inf]:
            self._waiting.discard(listener)
            listener.ring()
        self._arm(loop, now)
