"""The connections of a server: how many are open, how many may be, and how many were refused."""

import logging
import math
import time
from collections import Counter
from collections.abc import Callable, Collection

log = logging.getLogger(__name__)

IN_ALL, OF_ADDRESS = "connections", "connections_of_address"  # the limits, as figures name them
MINUTE = 60.0  # seconds between two lines in the log


class Connections:
    """Counts those of one server. `most` may be open at once: the system allows a process so many files."""

    def __init__(self, most: int = 10_000, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.refused = Counter({IN_ALL: 0, OF_ADDRESS: 0})  # by the limit that was reached
        self._clock = clock
        self._open: Collection[object] = ()
        self._last = -math.inf
        self._told = -math.inf

    @property
    def open(self) -> int:
        """How many there are now."""
        return len(self._open)

    @property
    def are_refused(self) -> bool:
        """Whether one was refused within the last minute because there may be no more."""
        return self._clock() - self._last < MINUTE

    def admits(self, all_: Collection[object]) -> bool:
        """Whether one more may stay that is already among `all_`; counted and told once a minute if not."""
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
