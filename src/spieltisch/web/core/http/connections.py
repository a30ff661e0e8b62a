"""Counts a server's connections: open, allowed and refused."""

import logging
import math
import time
from collections import Counter
from collections.abc import Callable, Collection

log = logging.getLogger(__name__)

IN_ALL, OF_ADDRESS = "connections", "connections_of_address"  # the limits, as the metrics name them
MINUTE = 60.0  # seconds between two log lines


class Connections:
    """Counts one server's connections. `most` may be open at once, since the system limits a process's files."""

    def __init__(self, most: int = 10_000, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.refused = Counter({IN_ALL: 0, OF_ADDRESS: 0})  # by limit
        self._clock = clock
        self._open: Collection[object] = ()
        self._last = -math.inf
        self._told = -math.inf

    @property
    def open(self) -> int:
        """Return the number of open connections."""
        return len(self._open)

    @property
    def are_refused(self) -> bool:
        """Whether one was refused within the last minute because the server is full."""
        return self._clock() - self._last < MINUTE

    def admits(self, all_: Collection[object]) -> bool:
        """Whether a new connection, already among `all_`, may stay. Refusals are counted, and logged once a minute."""
        self._open = all_
        if len(all_) <= self.most:
            return True
        self.refused[IN_ALL] += 1
        self._last = now = self._clock()
        if now - self._told >= MINUTE:
            self._told = now
            log.warning(
                "connections are refused: there may be %d (refused so far: %d)", self.most, self.refused[IN_ALL]
            )
        return False
