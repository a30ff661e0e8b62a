"""Set phrases at a table: who says one is heard by everybody who looks on, each in their own language.

They belong to the moment: they are not in the log, since a record tells a game, and a replay or an undo has nothing to
do with them; nor in the store, since nobody who comes later needs them. Between servers they go with the hints (see
`table.cluster.Part`). Everybody has
the same twelve at any time, whatever they hold: they tell nothing but that somebody chose to say them.
"""

import contextlib
import time
from collections.abc import Callable, Generator

from msgspec import Struct

from spieltisch.web.core.http.rate_limits import RateLimits

MOST = 1000  # nudges that are known
NUDGE = "Please go on: somebody is waited for."


class Voice(Struct, frozen=True):
    """Who has said what: a seat, and the number of a phrase. Seat None: who leads the class, and it is `NUDGE`."""

    seat: int | None
    phrase: int = 0


class Chat:
    """Who listens at which table."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._nudged: dict[str, float] = {}  # when each table was, the last one last
        self._ears: dict[str, list[Callable[[Voice], None]]] = {}
        self._limits = RateLimits()
        self.tell: Callable[[str], None] = lambda _: None  # all other servers

    @contextlib.contextmanager
    def hear(self, table: str, ear: Callable[[Voice], None]) -> Generator[None]:
        """While this is open, `ear` is called with each voice at this table."""
        ears = self._ears.setdefault(table, [])
        ears.append(ear)
        try:
            yield
        finally:
            ears.remove(ear)
            if not ears:
                self._ears.pop(table, None)

    def say(self, table: str, voice: Voice) -> bool:
        """Let everybody hear it; False if this seat has said enough for a moment."""
        if not self._limits.take("phrase", f"{table} {voice.seat}"):
            return False
        self._let_hear(table, voice)
        self.tell(f"{table} {'-' if voice.seat is None else voice.seat} {voice.phrase}")
        return True

    def nudged(self, table: str) -> float:
        """When who leads the class has reminded this table last, by the host's clock; 0.0: never, or long ago."""
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
        """Somebody has said something on another server."""
        table, seat, phrase = words.split()
        self._let_hear(table, Voice(None if seat == "-" else int(seat), int(phrase)))

    def repeat(self) -> None:
        """What was said was said."""

    def keep(self, processes: set[str]) -> None:
        """Nothing of it lasts."""
