"""What happened, as people saw it, and what was written in the end: the whole input of the checker.

A history is a file of JSON lines, one per event. One process writes them all, so they are in the order in which they
happened. An *op* is one move of one person, however often it was sent: an `invoke` and then at most one of

- `ok`: it is in the log, and the newest entry was `seq` then;
- `moot`, `refused`: it is not, and never will be;
- `unknown`: nobody answered, so it may be there or not.
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


class Event(Struct, frozen=True, omit_defaults=True, gc=False):  # a million of them would slow the collector
    """One line. `at` is in seconds by the writer's clock; `seat` None is a spectator."""

    kind: Kind
    at: float
    client: str = ""
    process: str = ""  # which one was asked, or fails
    table: str = ""
    seat: int | None = None
    move: str = ""  # the op
    question: int = 0
    action: str = ""  # by `canonical`; "" if the client does not know it
    seq: int = 0
    after: int = 0  # a picture: what the client had seen before
    hash: str = ""  # of the picture; "" if only its number was seen
    marks: tuple[str, ...] = ()  # possible secrets in the received bytes
    code: int = 0  # with which a socket was closed
    pid: int = 0  # of the process behind a socket or under a fault; its name outlives it
    what: str = ""  # the fault, the counter, the cause of a loss, the words for damage, or an answer
    # A counter; seconds of a vain wait; 1 if a server is ready, names damage, or serves what it was asked.
    value: float = 0.0
    final: bool = False  # after everything has healed: a picture, or a counter


class Placed(Struct, frozen=True):
    """One entry of the final log. `question` is the number of the entry after which the seat was asked."""

    seq: int
    seat: int | None
    by: str
    question: int
    action: str


class Due(Struct, frozen=True):
    """A bot's or clock's turn that is still due at the end of the log."""

    question: int
    by: str


class Log(Struct):
    """The final log of one table, as stored and as replayed by the rules."""

    numbers: list[int]  # of the stored entries
    entries: list[Placed] = []
    pictures: dict[tuple[int, int | None], str] = {}  # by entry and seat: what that seat sees then
    marks: dict[tuple[int, int | None], frozenset[str]] = {}  # likewise: marks that the seat may see
    seed: str = ""
    over: bool = False
    outstanding: list[Due] = []
    limits: dict[str, tuple[float, float]] = {}  # by "bot" or "clock": earliest and latest answer
    trouble: str = ""  # why it does not replay, or its dice are not those of the seal


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
    """A value as text; equal values give equal text."""
    return msgspec.json.encode(msgspec.to_builtins(value), order="sorted").decode()


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Event).decode
