"""How often one address or one key may do a thing, and what an address may only do once at a time."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from typing import NamedTuple

from spieltisch.web.core.http.problems import WORDS, Busy, TooMany


class Limit(NamedTuple):
    """`burst` at once, then `rate` a second."""

    burst: float
    rate: float


# Sized for a class behind one address: 64 phones that join and load their pages anew within 20 seconds.
LIMITS: Mapping[str, Limit] = {
    "get": Limit(600, 60),  # pages
    "static": Limit(4_000, 300),
    "health": Limit(100, 20),
    "refused": Limit(60, 5),  # whoever goes on after so many refusals waits for each
    "post": Limit(200, 40),
    "socket": Limit(200, 10),
    "command": Limit(200, 30),
    "open": Limit(60, 0.5),
    "again": Limit(200, 1),  # next games of an evening
    "dealt": Limit(400, 0.5),  # tables of classes: ten classes of a school, twice
    # Codes of tables and strips that do not exist. One phone with wrong codes must not shut out a school. At one guess
    # in two seconds it takes a year to find the code of a class. An hour of guessing finds one of 60 strips in 0.4 %.
    "guess": Limit(300, 0.5),
    "ask": Limit(6, 1 / 60),  # for seats of one table
    "join": Limit(150, 1),  # classes without a number in it: of a class, and of an address in that class
    "visit": Limit(300, 5),  # of tables that one has no key for
    "make": Limit(60, 0.05),  # decks
    # What is kept for weeks, or for a year once it was played: of a thousand decks no address has all.
    "decks": Limit(200, 1.5 / 86_400),
    "classes": Limit(200, 1 / 3600),
    "hint": Limit(60, 2),
    "label": Limit(20, 0.2),  # of deals
    "print": Limit(6, 0.1),
    "report": Limit(10, 1 / 30),
    "tries": Limit(20, 1 / 10),  # wrong codes of one browser, see `guesses.py`
    "phrase": Limit(3, 0.25),  # said by one seat
    "work": Limit(90, 0.5),  # seconds of the processor, in other processes
}
# Whoever holds a key for what they ask for does not share these with strangers at their address: they have their own.
# All keys of an address together have `HELD` times what one key has: anybody can make keys.
OWN: Mapping[str, Limit] = {
    "get": Limit(200, 20),
    "post": Limit(200, 30),
    "socket": Limit(60, 5),
    "command": Limit(200, 30),
}
HELD = 5
PATIENCE = 10.0  # seconds that anybody waits for their turn
ASKING: ContextVar[str] = ContextVar("asking", default="")  # the address for which something is done; "": the server
KEPT = 10_000  # counters; the one used longest ago goes first


class RateLimits:
    """Counts what addresses do, and what holders of keys do. With `enabled` False everything is allowed."""

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
        """TooMany if this address has done it too often already; counts nothing."""
        if self._enabled and self._left_now(kind, address)[0] < 1:
            self.refused[kind] += 1
            raise TooMany(WORDS[429])

    def take(self, kind: str, address: str, holder: str = "") -> bool:
        """Whether this address may do this once more; counts it. KeyError for a kind that has no limit.

        A `holder` of a key is counted by the key, and with all keys of the address: only for what is in `OWN`.
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
        """Count what something has cost; it may cost more than is left. Nothing is charged to the server itself."""
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
        """Count it as `take` does; TooMany if this address or this holder has done it too often."""
        if not self.take(kind, address, holder):
            raise TooMany(WORDS[429])


class Lines:
    """A line for each address: whoever came first has their turn first. Where nobody stands, nothing is kept."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._here: Counter[str] = Counter()

    def here(self, address: str) -> int:
        """How many stand in this address's line, with the one whose turn it is."""
        return self._here[address]

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncGenerator[None]:
        """Wait for one's turn, which lasts until this is left."""
        self._here[address] += 1
        try:
            async with self._locks.setdefault(address, asyncio.Lock()):
                yield
        finally:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address], self._locks[address]


class OneAtATime:
    """Lets each address do a thing once at a time, and only so many addresses at once; the others wait their turn."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._all = asyncio.Semaphore(at_once)
        self._lines = Lines()
        self._waiting = waiting

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncGenerator[None]:
        """Wait for one's turn. TooMany if so many of this address wait already, Busy after `PATIENCE` seconds."""
        if self._lines.here(address) > self._waiting:
            raise TooMany(WORDS[429])
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(PATIENCE):
                    await held.enter_async_context(self._lines.turn(address))
                    await held.enter_async_context(self._all)
            except TimeoutError:
                raise Busy("Others are being served. Please try again in a moment.") from None
            yield
