"""Rate limits by address and by key."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import NamedTuple

from spieltisch.web.core.http.problems import WORDS, TooMany


class Limit(NamedTuple):
    """A token bucket: `burst` at once, then `rate` a second."""

    burst: float
    rate: float


# Sized for a class behind one address: 64 phones join and reload within 20 seconds.
LIMITS: Mapping[str, Limit] = {
    "get": Limit(600, 60),  # pages
    "static": Limit(4_000, 300),
    "health": Limit(100, 20),
    "refused": Limit(60, 5),  # after this many refusals each further one is delayed
    "post": Limit(200, 40),
    "socket": Limit(200, 10),
    "command": Limit(200, 30),
    "open": Limit(60, 0.5),
    "again": Limit(200, 1),  # next games of an evening
    "dealt": Limit(400, 0.5),  # tables of classes: ten classes, dealt twice
    # Wrong codes of tables and strips. One phone with wrong codes must not shut out a school. At one guess every
    # two seconds, finding a class's code takes a year. An hour of guessing finds one of 60 strips with 0.4 %.
    "guess": Limit(300, 0.5),
    "ask": Limit(6, 1 / 60),  # requests for seats at one table
    "join": Limit(150, 1),  # joining a class: per class, and per address in that class
    "visit": Limit(300, 5),  # tables without a key for them
    "make": Limit(60, 0.05),  # decks
    # Kept for weeks, or for a year once played. No address may take up all of a server's thousand decks.
    "decks": Limit(200, 1.5 / 86_400),
    "classes": Limit(200, 1 / 3600),
    "hint": Limit(60, 2),
    "label": Limit(20, 0.2),  # labels of deals
    "print": Limit(6, 0.1),
    "report": Limit(10, 1 / 30),
    "tries": Limit(20, 1 / 10),  # wrong codes from one browser: see `guesses.py`
    # Mails that ask for confirmation: to one address, from one table, and asked for by one visitor's address.
    "ask by mail": Limit(3, 3 / 86_400),
    "ask by mail at": Limit(12, 12 / 86_400),
    "ask by mail from": Limit(12, 12 / 86_400),
    "turn mail": Limit(20, 20 / 86_400),  # to one address of one table
    "phrase": Limit(3, 0.25),  # set phrases from one seat
    "work": Limit(90, 0.5),  # processor seconds in other processes
}
# Key holders have buckets of their own for these, so strangers at their address cannot use them up.
# All keys of an address share `HELD` times one key's bucket, since anybody can make keys.
OWN: Mapping[str, Limit] = {
    "get": Limit(200, 20),
    "post": Limit(200, 30),
    "socket": Limit(60, 5),
    "command": Limit(200, 30),
}
HELD = 5
ASKING: ContextVar[str] = ContextVar("asking", default="")  # the address on whose behalf the server works; "": its own
KEPT = 10_000  # counters; the least recently used goes first


class RateLimits:
    """Counts what addresses and key holders do. With `enabled` False everything is allowed."""

    def __init__(
        self,
        limits: Mapping[str, Limit] = LIMITS,
        *,
        enabled: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = {
            **limits,
            **{f"{kind} by key": own for kind, own in OWN.items()},
            **{f"{kind} by keys": Limit(HELD * own.burst, HELD * own.rate) for kind, own in OWN.items()},
        }
        self._enabled = enabled
        self._clock = clock
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self.refused: Counter[str] = Counter()  # by kind

    def require_left(self, kind: str, address: str) -> None:
        """Raise TooMany if this address has done it too often. Counts nothing."""
        if self._enabled and self._left_now(kind, address)[0] < 1:
            self.refused[kind] += 1
            raise TooMany(WORDS[429])

    def take(self, kind: str, address: str, holder: str = "") -> bool:
        """Count it, and return whether this address may do it. Raises KeyError for an unknown kind.

        For kinds in `OWN`, a `holder` is counted by key, and together with all keys of the address.
        """
        if not self._enabled:
            return True
        if holder:
            return self.take(f"{kind} by key", holder) and self.take(f"{kind} by keys", address)
        left, now = self._left_now(kind, address)
        self._put(kind, address, left - 1 if left >= 1 else left, now)
        self.refused[kind] += left < 1
        return left >= 1

    def charge(self, kind: str, address: str, cost: float) -> None:
        """Charge a cost, which may exceed what is left. The server's own work is free."""
        if self._enabled and address:
            left, now = self._left_now(kind, address)
            self._put(kind, address, left - cost, now)

    def _put(self, kind: str, address: str, left: float, now: float) -> None:
        self._left.pop((kind, address), None)
        self._left[kind, address] = (left, now)
        if len(self._left) > KEPT:
            self._left.popitem(last=False)

    def _left_now(self, kind: str, address: str) -> tuple[float, float]:
        burst, rate = self._limits[kind]
        now = self._clock()
        left, since = self._left.get((kind, address), (burst, now))
        return min(burst, left + (now - since) * rate), now

    def require(self, kind: str, address: str, holder: str = "") -> None:
        """Like `take`, but raises TooMany if it is refused."""
        if not self.take(kind, address, holder):
            raise TooMany(WORDS[429])
