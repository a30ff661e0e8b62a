"""What happened, as people saw it, and what was written in the end: all that the checker is given.

A history is a file of JSON lines, one event each, in the order in which they happened: one process writes them all, so
that of two events it is known which was first. An *op* is one move of one person, however often it was sent: an
`invoke` and then at most one of

- `ok`: it stands in the log, and the newest entry was `seq` then;
- `moot`, `refused`: it does not, and never will;
- `unknown`: nobody answered, so it may stand there or not.
"""

import time
from typing import Literal

import msgspec
from msgspec import Struct

Kind = Literal[
    "invoke",
    "ok",
    "moot",
    "refused",
    "unknown",
    "picture",
    "closed",
    "level",
    "fault",
    "heal",
    "end",
    "waited",
    "ready",
    "lost",
    "named",
    "served",
]


class Event(Struct, frozen=True, omit_defaults=True, gc=False):  # which would look at a million of them
    """One line. `at` is in seconds by the clock of whoever writes; `seat` None is a spectator."""

    kind: Kind
    at: float
    client: str = ""
    process: str = ""  # which one was asked, or fails
    table: str = ""
    seat: int | None = None
    move: str = ""  # the op
    question: int = 0
    action: str = ""  # as `canonical` writes it; "" where the client does not know it
    seq: int = 0
    after: int = 0  # a picture: what the client had seen before
    hash: str = ""  # of the picture; "" where only its number was seen
    marks: tuple[str, ...] = ()  # what might be a secret in the bytes that came
    code: int = 0  # with which a socket was closed
    pid: int = 0  # of the process that a socket was opened to, or to which a fault is done: its name outlives it
    what: str = ""  # the fault, what a level counts, why entries are lost, how damage is named, or an answer
    # A level; seconds that somebody waited in vain; 1 if a server is ready, names damage, or serves what it was asked.
    value: float = 0.0
    final: bool = False  # a picture after everything has healed; a level afterwards


class Placed(Struct, frozen=True):
    """One entry of the final log. `question` is the number of the entry after which the seat was asked."""

    seq: int
    seat: int | None
    by: str
    question: int
    action: str


class Due(Struct, frozen=True):
    """A turn of a bot or clock that stands out at the end of the log."""

    question: int
    by: str


class Log(Struct):
    """The final log of one table, as it is stored and as the rules replay it."""

    numbers: list[int]  # of the entries, as they are stored
    entries: list[Placed] = []
    pictures: dict[tuple[int, int | None], str] = {}  # by entry and seat: what that seat sees then
    marks: dict[tuple[int, int | None], frozenset[str]] = {}  # likewise: what looks like a secret and may be seen
    seed: str = ""
    over: bool = False
    outstanding: list[Due] = []
    limits: dict[str, tuple[float, float]] = {}  # by "bot" or "clock": how soon and how late it answers at most
    trouble: str = ""  # why it does not replay, or the dice were not those of the seal


class History:
    """Writes a history, and keeps it in memory for the checker."""

    def __init__(self, path=None):
        self.events: list[Event] = []
        self._file = None if path is None else path.open("ab")

    def note(self, kind: Kind, **values) -> Event:
        event = Event(kind, time.monotonic(), **values)
        self.events.append(event)
        if self._file is not None:
            self._file.write(_encode(event) + b"\n")
        return event

    def close(self):
        if self._file is not None:
            self._file.close()


def read(path) -> list[Event]:
    """The history in this file."""
    with path.open("rb") as lines:
        return [_decode(line) for line in lines]


def canonical(value) -> str:
    """A value as text, the same for the same value whoever sent it."""
    return msgspec.json.encode(msgspec.to_builtins(value), order="sorted").decode()


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Event).decode
