"""Set phrases at a table. Everybody who looks on hears them in their own language.

They are neither in the log nor in the store: they belong to the moment, and a replay or an undo has nothing to do with
them. Between servers they go with the hints (see `cluster.peers.Part`). Everybody has the same twelve at any time, so a
phrase tells nothing of a hand.
"""

import contextlib
import time
from collections.abc import Callable, Generator

from msgspec import Struct

from spieltisch.i18n import N_
from spieltisch.web.core.http.rate_limits import RateLimits

MOST = 1000  # nudges that are known
NUDGE = N_("Please go on. Others are waiting.")


class Voice(Struct, frozen=True):
    """What was said: a seat and the number of a phrase. Seat None: the teacher, and it is `NUDGE`."""

    seat: int | None
    phrase: int = 0


class Chat:
    """The listeners of each table. `tell` tells all other servers."""

    def __init__(self, clock: Callable[[], float] = time.time, tell: Callable[[str], None] = lambda _: None) -> None:
        self._clock = clock
        self._nudged: dict[str, float] = {}  # when each table was, the last one last
        self._ears: dict[str, list[Callable[[Voice], None]]] = {}
        self._limits = RateLimits()
        self._tell = tell

    @contextlib.contextmanager
    def hear(self, table: str, ear: Callable[[Voice], None]) -> Generator[None]:
        """Call `ear` with each voice at this table while this is open."""
        ears = self._ears.setdefault(table, [])
        ears.append(ear)
        try:
            yield
        finally:
            ears.remove(ear)
            if not ears:
                self._ears.pop(table, None)

    def say(self, table: str, voice: Voice) -> bool:
        """Let everybody hear it. Returns False if this seat has just said enough."""
        if not self._limits.take("phrase", f"{table} {voice.seat}"):
            return False
        self._let_hear(table, voice)
        self._tell(f"{table} {'-' if voice.seat is None else voice.seat} {voice.phrase}")
        return True

    def nudged(self, table: str) -> float:
        """Return when the teacher reminded this table last, by the host's clock; 0.0: never, or long ago."""
        return self._nudged.get(table, 0.0)

    def _let_hear(self, table: str, voice: Voice) -> None:
        if voice.seat is None:
            self._nudged.pop(table, None)
            self._nudged[table] = self._clock()
            if len(self._nudged) > MOST:
                del self._nudged[next(iter(self._nudged))]
        for ear in tuple(self._ears.get(table, ())):
            ear(voice)

    def hear_from(self, process: str, words: str) -> None:  # noqa: ARG002
        """Pass on what was said on another server."""
        table, seat, phrase = words.split()
        self._let_hear(table, Voice(None if seat == "-" else int(seat), int(phrase)))

    def repeat(self) -> None:
        """What was said was said."""

    def keep(self, processes: set[str]) -> None:
        """Nothing of it lasts."""
