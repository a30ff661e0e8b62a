"""Tells listeners in one process that a table has changed. Between processes, the same pair (table, seq) travels."""

import asyncio
import math
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol, TypeVar

FRAME = 0.016  # seconds; changes within one frame (all accept, a bot answers) cause one look
AT_ONCE = 0.008  # seconds of a frame for looks; other watchers look in the next one, so that nobody is held up

T = TypeVar("T")


class Listener:
    """Waits until a table changes. Changes between two waits are one wake-up."""

    __slots__ = ("_event", "_seq")

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._seq = 0

    def hear(self, seq: int) -> None:
        """Note that the table has reached this entry."""
        self._seq = max(seq, self._seq)
        self._event.set()

    async def wait(self) -> int:
        """Wait for a change. Returns the number of the newest entry."""
        await self._event.wait()
        self._event.clear()
        return self._seq


class Watcher(Protocol):
    """Looks at a table whenever it has changed, and can wait a little."""

    due: float  # when it is to look, by the loop's clock; set by the hub

    def soon(self) -> float:
        """Seconds this watcher can wait before it redraws; asked once per frame after a move."""
        ...

    def look(self) -> None:
        """Look at the table. Must neither wait nor raise."""
        ...


class Hub:
    """The hub of one process and one event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self._watchers: dict[str, set[Watcher]] = {}
        self._heard: dict[Watcher, None] = {}  # since the last frame, grouped by table
        self._waiting: dict[Watcher, None] = {}  # for a later frame
        self._frame: float | None = None  # when the next frame comes, by the loop's clock: one for all tables
        self._over = -math.inf  # when the last one was, by the process's clock, since the loop's may be suspended
        self._late = 0.0

    @property
    def late(self) -> float:
        """The recent delay of looks, in seconds: how busy the process is."""
        return self._late

    @contextmanager
    def listen(self, table: str) -> Generator[Listener]:
        """`with hub.listen(id) as news: await news.wait()`. Listen first, then look, so that no change is missed."""
        with _among(self._listeners, table, listener := Listener()):
            yield listener

    @contextmanager
    def watch(self, table: str, watcher: Watcher) -> Generator[None]:
        """Tell the watcher to look, as long as this is open."""
        try:
            with _among(self._watchers, table, watcher):
                yield
        finally:
            self.rest(watcher)

    def rest(self, watcher: Watcher) -> None:
        """The watcher has just looked, so changes before this moment are not news."""
        watcher.due = math.inf
        self._heard.pop(watcher, None)
        self._waiting.pop(watcher, None)

    def listening(self, table: str) -> bool:
        """Whether anybody listens to or watches this table."""
        return table in self._watchers or table in self._listeners

    def wake(self, table: str, seq: int) -> None:
        """Tell everybody who listens to this table."""
        for listener in self._listeners.get(table, ()):
            listener.hear(seq)
        if watchers := self._watchers.get(table):
            self._heard.update(dict.fromkeys(watchers))
            if self._frame is None:
                self._begin(asyncio.get_running_loop())

    def wake_all(self) -> None:
        """Tell everybody who listens to any table."""
        for table in {*self._listeners, *self._watchers}:
            self.wake(table, 0)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Run a frame: at once if nothing else is going on, after the work in progress."""
        if time.monotonic() - self._over < FRAME:
            self._arm(loop, loop.time())
        else:
            self._frame = loop.time()
            loop.call_soon(self._tell, loop)

    def _arm(self, loop: asyncio.AbstractEventLoop, now: float) -> None:
        self._frame = now + FRAME
        loop.call_at(self._frame, self._tell, loop)

    def _tell(self, loop: asyncio.AbstractEventLoop) -> None:
        now, planned, self._frame = loop.time(), self._frame, None
        assert planned is not None
        self._late += (now - planned - self._late) / 8
        heard, self._heard = self._heard, {}
        for watcher in heard:
            watcher.due = min(watcher.due, now + watcher.soon())
        self._waiting |= heard
        self._over = begun = time.monotonic()
        for watcher in [one for one in self._waiting if one.due <= now]:
            if self._over - begun > AT_ONCE:
                break
            del self._waiting[watcher]
            watcher.due = math.inf
            watcher.look()
            self._over = time.monotonic()
        if (self._waiting or self._heard) and self._frame is None:
            self._arm(loop, now)


@contextmanager
def _among(all_: dict[str, set[T]], table: str, one: T) -> Generator[None]:
    all_.setdefault(table, set()).add(one)
    try:
        yield
    finally:
        left = all_[table]
        left.discard(one)
        if not left:
            del all_[table]
