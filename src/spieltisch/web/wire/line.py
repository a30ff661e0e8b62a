"""The server's end of a page's WebSocket, as those who use it see it; `line_of` finds the one behind a socket."""

import asyncio
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from spieltisch.web.core.http.client import LiveSocket

EXTENSION = "spieltisch.line"  # the key in the scope's extensions where the quick way puts its line
CLOSING = 1012  # the server restarts: come back
TOO_FAST = 4429
SPREAD = 5.0  # seconds over which pages come back at most
A_SECOND = 50  # pages that a process has no trouble to take back
LEAVE = 0.5  # seconds that a page has for its goodbye when the server stops,
PATIENCE = 10.0  # and otherwise
BURST, RATE = 20.0, 10.0  # frames that a page may send at once, and a second: far more than people do
LARGE = 4096  # bytes of a frame that count as one more
SLIPS, PARDON = 40.0, 1.0  # how often it may be made to wait, and how many of these are forgotten a second


def come_back(pages: int) -> float:
    """Return in how many seconds one of `pages`, which all lose their line at once, makes a new one."""
    return random.uniform(0.0, min(SPREAD, pages / A_SECOND))  # noqa: S311 - nothing hangs on it


class Receiver(Protocol):
    """What a line tells whoever listens to it. `LivePage` does; tests do."""

    def receive(self, data: bytes | str, /) -> None:
        """Take a message."""
        ...

    def drained(self) -> None:
        """The line is no longer `full`."""
        ...

    def stop(self) -> None:
        """The server stops. Nothing more comes; `end` the line when all that came is answered."""
        ...

    def gone(self) -> None:
        """The line is over: told once, as soon as one side has said so or the connection is lost."""
        ...


class Pace:
    """Counts the frames of a page: more than people send are made to wait, and far more close the line."""

    __slots__ = ("_counted", "_left", "_slips")

    def __init__(self) -> None:
        self._left, self._slips, self._counted = BURST, SLIPS, 0.0

    def rest(self, size: int, now: float) -> float:
        """Count one more frame of `size` bytes and return 0.0, or return the seconds until it may be counted; inf if
        the page has been made to wait too often.
        """
        passed = now - (self._counted or now)
        self._counted = now
        self._left = min(BURST, self._left + passed * RATE)
        self._slips = min(SLIPS, self._slips + passed * PARDON)
        if self._left >= 1:
            self._left -= 1 + size // LARGE
            return 0.0
        self._slips -= 1
        return math.inf if self._slips < 0 else (1 - self._left) / RATE


class Line(ABC):
    """A page's line. Sending never waits; who sends looks at `full` first."""

    @abstractmethod
    def listen(self, receiver: Receiver) -> None:
        """Hand messages to `receiver` from now on, those that wait first."""

    @abstractmethod
    async def served(self) -> None:
        """Wait as long as the application is needed for the line."""

    @abstractmethod
    def work(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start work that the server waits for before it stops, also if the line is over by then."""

    @abstractmethod
    def say(self, data: bytes) -> None:
        """Send a message; nothing if nobody is there any more."""

    @property
    @abstractmethod
    def full(self) -> bool:
        """Whether what was sent has not been taken yet."""

    @abstractmethod
    async def ready(self) -> None:
        """Wait until the line is not full, or over."""

    @abstractmethod
    def hold(self, *, still: bool) -> None:
        """Stop reading what the page sends, or go on."""

    @abstractmethod
    def end(self) -> None:
        """Tell the page that the server restarts; the close reason is the number of seconds to come back in."""

    @abstractmethod
    def close(self, code: int, reason: str = "", patience: float = PATIENCE) -> None:
        """Close the line; the page has `patience` seconds for its own goodbye."""


def line_of(socket: LiveSocket, leaving: asyncio.Event, pages: Callable[[], int], *, limited: bool = True) -> Line:
    """Return the line of an accepted socket. A plain one closes when the server is `leaving`, like all its `pages`."""
    extensions: Any = socket.scope.get("extensions")
    quick = (extensions or {}).get(EXTENSION)
    if quick is not None:
        return quick["line"]
    from spieltisch.web.wire.plain import PlainLine  # noqa: PLC0415 - it builds on this module

    return PlainLine(socket, leaving, pages, limited=limited)
