"""Tracks who is present at a table.

A person is present while they have an open socket; the server closes sockets that do not answer. They also count as
present for 5 s after their last socket closed, since the page may be reloading, and for 60 s after a request, since
programs and pages without scripts have no socket. Otherwise they are away since then. At a slow table nobody is ever
away: people look in when they have time.

Servers on one database tell each other who comes and goes (see `cluster.peers.Part`). A message is the table's code,
the hash of a key, and `came`, `gone` or `asked`. When a server disappears, everybody on it is gone.
"""

import contextlib
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator
from typing import NamedTuple

from msgspec import Struct

from spieltisch.table.log import Ask, Chair, TableSetup, key_of

RELOAD = 5.0  # seconds a page may take to reload
REQUEST = 60.0  # seconds of presence after a request
LONG = 60.0  # seconds of absence after which others may go on without a player
OWNER = 120.0  # seconds of the owner's absence after which a deputy decides about seats
HEIR = 600.0  # and after which the deputy decides everything
SCREEN = "screen"  # in place of a key: a public screen has none
_SCREEN = key_of(SCREEN)
ASKED = 120.0  # seconds that a request for a seat stays open, and that a refusal holds
KEPT = 50_000  # entries; the oldest go first


class Sign(NamedTuple):
    """The last sign of a person without a socket: when, and until when it counts as presence."""

    at: float
    until: float


class Absence(Struct, frozen=True):
    """An absent player: the seat, since when by the server's clock, and whether that is long."""

    seat: int
    since: float
    long: bool


class Attendance(Struct, frozen=True):
    """A table's absent players, its deputy (the hash of a key, "" if there is none) and requests for seats."""

    absent: tuple[Absence, ...] = ()
    deputy: str = ""
    asks: tuple[Ask, ...] = ()


class _Known(NamedTuple):
    """A cached attendance, valid until `until` or until somebody comes or goes."""

    setup: TableSetup
    until: float
    here: Attendance


class Presence:
    """Tracks presence. `now()` returns seconds; `wake(code)` is called when somebody comes or goes; `tell` sends a
    message to all other servers. `screens` is kept up to date: the tables on a public screen, here or elsewhere.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.time,
        wake: Callable[[str], None] = lambda _: None,
        tell: Callable[[str], None] = lambda _: None,
        screens: set[str] | None = None,
    ) -> None:
        self.now = now
        self._wake = wake
        self._screens: set[str] = set() if screens is None else screens
        self._tell_others = tell
        self._open: Counter[tuple[str, str]] = Counter()
        self._elsewhere: dict[tuple[str, str], set[str]] = {}  # other servers with an open page of this person
        self._signs: OrderedDict[tuple[str, str], Sign] = OrderedDict()
        self._known: dict[str, _Known] = {}  # by table; read for every picture

    @contextlib.contextmanager
    def looking(self, code: str, key: str) -> Generator[None]:
        """Count the person with this key as present while this context is open."""
        who = (code, key_of(key))
        self._open[who] += 1
        self._note_screen(who)
        if self._open[who] == 1:
            self._tell("came", who)
        self._known.pop(code, None)
        if self._signs.pop(who, None) is not None:
            self._wake(code)
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
                self._note_screen(who)
                self._tell("gone", who)
                self._left(who)

    def _left(self, who: tuple[str, str]) -> None:
        """Note that one of their pages has closed, perhaps the last one."""
        self._sign(who, RELOAD)
        self._wake(who[0])

    def _tell(self, what: str, who: tuple[str, str]) -> None:
        self._tell_others(f"{what} {who[0]} {who[1]}")

    def hear_from(self, process: str, words: str) -> None:
        """Take another server's message about somebody."""
        what, code, key = words.split()
        who = (code, key)
        if what == "came":
            self._elsewhere.setdefault(who, set()).add(process)
            self._note_screen(who)
            self._known.pop(code, None)
            self._wake(code)
        elif what == "gone":
            self._gone(who, process)
        elif not self._has_page(who):
            self._sign(who, REQUEST)
            self._wake(code)

    def repeat(self) -> None:
        """Tell a new server who is present here."""
        for who in self._open:
            self._tell("came", who)

    def keep(self, processes: set[str]) -> None:
        """Keep only people on these servers; those on others are gone."""
        for who, where in list(self._elsewhere.items()):
            for process in where - processes:
                self._gone(who, process)

    def _gone(self, who: tuple[str, str], process: str) -> None:
        where = self._elsewhere.get(who, set())
        where.discard(process)
        if not where and self._elsewhere.pop(who, None) is not None:
            self._note_screen(who)
            self._left(who)

    def _note_screen(self, who: tuple[str, str]) -> None:
        """Keep `screens` up to date, after a page of theirs was opened or closed."""
        if who[1] == _SCREEN:
            (self._screens.add if self._has_page(who) else self._screens.discard)(who[0])

    def _has_page(self, who: tuple[str, str]) -> bool:
        return who in self._open or who in self._elsewhere

    def heard(self, setup: TableSetup, key: str) -> None:
        """Note a request with this key."""
        if not key:
            return
        who = (setup.id, key_of(key))
        if self._has_page(who) or (who[1] != setup.owner and all(chair.key != who[1] for chair in setup.chairs)):
            return
        old, was_here = self._signs.get(who), self._since(who) is None
        if old is None or self.now() - old.at > REQUEST / 2 or old.until - old.at < REQUEST:
            self._tell("asked", who)
        self._sign(who, REQUEST)
        if not was_here:
            self._wake(setup.id)

    def is_here(self, code: str, key_hash: str) -> bool:
        """Whether the holder of the key with this hash is present."""
        return self._since((code, key_hash)) is None

    def away_since(self, setup: TableSetup, seat: int) -> float | None:
        """Return since when this seat's player is away; None if they are present or it is a bot."""
        chair = setup.chairs[seat]
        return self._since((setup.id, chair.key)) if _has_person(chair) else None

    def absent(self, setup: TableSetup) -> tuple[Absence, ...]:
        """Return this table's absent players. A player who plays alone is never absent."""
        return self._look(setup).here.absent

    def attendance(self, setup: TableSetup) -> Attendance:
        """Return who is away, who decides, and who asks for a seat."""
        return self._look(setup).here

    def next_change(self, setup: TableSetup) -> float | None:
        """Return in how many seconds `attendance` changes if nobody comes or goes; None: never."""
        until = self._look(setup).until
        return None if until == math.inf else max(0.0, until - self.now())

    def _look(self, setup: TableSetup) -> _Known:
        known = self._known.get(setup.id)
        if known is not None and known.setup is setup and (known.until == math.inf or self.now() < known.until):
            return known
        if len(setup.chairs) == 1 or setup.stage == "closed":
            return _Known(setup, math.inf, Attendance())
        now = self.now()
        absent = () if setup.is_slow else tuple([
            Absence(seat, since, now - since >= LONG)
            for seat in range(len(setup.chairs))
            if (since := self.away_since(setup, seat)) is not None
        ])  # fmt: skip
        signs = [self._signs.get((setup.id, chair.key)) for chair in setup.chairs if _has_person(chair)]
        times = [time for sign in signs if sign is not None for time in (sign.until, sign.at + LONG)]
        if setup.owner and self._since((setup.id, setup.owner)) is not None:
            times += [self._signs[setup.id, setup.owner].at + seconds for seconds in (OWNER, HEIR)]
        elif setup.owner and (sign := self._signs.get((setup.id, setup.owner))) is not None:
            times.append(sign.until)
        times += [ask.at + ASKED for ask in setup.asks]
        until = min((time for time in times if time > now), default=math.inf)
        asks = tuple([ask for ask in setup.asks if ask.at + ASKED > now])
        here = Attendance(absent, self._deputy(setup), asks)
        if len(self._known) >= KEPT:
            self._known.clear()
        known = self._known[setup.id] = _Known(setup, until, here)
        return known

    def _deputy(self, setup: TableSetup) -> str:
        """Return the owner or, while they are away, the present player who has sat longest."""
        if setup.is_slow:
            return setup.owner
        gone = self._since((setup.id, setup.owner)) if setup.owner else -math.inf
        if gone is None or self.now() - gone < OWNER:
            return setup.owner
        present = self._present(setup)
        return min(present, key=lambda chair: chair.sat).key if present else ""

    def heir(self, setup: TableSetup) -> str:
        """Return who takes over from the owner, once the owner has left or been away for ten minutes: the present
        player who has sat longest; "" if nobody has to. At tables of a class the class decides, and at slow ones nobody
        takes over from an owner who has not left.
        """
        if setup.classroom or len(setup.chairs) == 1 or not setup.owner:
            return ""
        own = [chair for chair in setup.chairs if chair.key == setup.owner]
        up = bool(own) and all(chair.left for chair in own)
        gone = self._since((setup.id, setup.owner))
        if not up and (setup.is_slow or gone is None or self.now() - gone < HEIR):
            return ""
        present = self._present(setup)
        if present and all(chair.key != setup.deputy for chair in present):
            return min(present, key=lambda chair: chair.sat).key
        stays = any(chair.key == setup.deputy and not chair.left for chair in setup.chairs)
        return setup.deputy if stays else ""

    def _present(self, setup: TableSetup) -> list[Chair]:
        """Yield the chairs of players who are present."""
        playing = [chair for chair in setup.chairs if _has_person(chair) and not chair.away]
        return [chair for chair in playing if self.is_here(setup.id, chair.key)]

    def _since(self, who: tuple[str, str]) -> float | None:
        if self._has_page(who):
            return None
        sign = self._signs.get(who) or self._sign(who, REQUEST)  # known from before the server started: counts from now
        return sign.at if self.now() >= sign.until else None

    def _sign(self, who: tuple[str, str], counts: float) -> Sign:
        now = self.now()
        sign = self._signs[who] = Sign(now, now + counts)
        self._known.pop(who[0], None)
        self._signs.move_to_end(who)
        if len(self._signs) > KEPT:
            self._signs.popitem(last=False)
        return sign


def _has_person(chair: Chair) -> bool:
    return chair.kind == "person" and bool(chair.key)
