"""How often one address may do a thing."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from spieltisch.web.http.problems import TooMany


class Limit(NamedTuple):
    """`burst` at once, then `rate` a second."""

    burst: float
    rate: float


LIMITS: Mapping[str, Limit] = {
    "post": Limit(200, 40),
    "socket": Limit(60, 2),
    "command": Limit(200, 30),
    "open": Limit(60, 0.5),
    "guess": Limit(30, 0.2),  # codes of tables and keys that do not exist
    "make": Limit(30, 0.2),  # decks
    "label": Limit(20, 0.2),  # of deals
    "print": Limit(6, 0.1),
    "report": Limit(10, 1 / 30),
    "phrase": Limit(3, 0.25),  # said by one seat
}
KEPT = 10_000  # counters; the one used longest ago goes first


class RateLimits:
    """Counts what addresses do. With `enabled` False everything is allowed."""

    def __init__(
        self,
        limits: Mapping[str, Limit] = LIMITS,
        *,
        enabled: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._enabled = enabled
        self._clock = clock
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, address: str) -> bool:
        """Whether this address may do this once more; counts it. KeyError for a kind that has no limit."""
        if not self._enabled:
            return True
        burst, rate = self._limits[kind]
        now = self._clock()
        left, since = self._left.pop((kind, address), (burst, now))
        left = min(burst, left + (now - since) * rate)
        allowed = left >= 1
        self._left[kind, address] = (left - 1 if allowed else left, now)
        if len(self._left) > KEPT:
            self._left.popitem(last=False)
        return allowed

    def require(self, kind: str, address: str) -> None:
        """Count it; TooMany if this address has done it too often."""
        if not self.take(kind, address):
            raise TooMany("Too many tries. Please wait a moment.")
