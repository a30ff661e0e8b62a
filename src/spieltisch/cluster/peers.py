"""What one process knows of the others, and has yet to tell them. `Cluster` sends it; all other code sees only this."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple, Protocol

ALL = ""  # instead of a process's name


class Part(Protocol):
    """Words that processes exchange besides what the database stores. Words contain no commas."""

    def hear_from(self, process: str, words: str) -> None:
        """Another process has sent this."""
        ...

    def repeat(self) -> None:
        """A new process listens: send again what still holds."""
        ...

    def keep(self, processes: set[str]) -> None:
        """Only these other processes are alive; forget the words of all others."""
        ...


class Untold(NamedTuple):
    """What has to be sent: each table's newest entry (0: look in any case), and words of the parts."""

    news: Mapping[str, int]
    words: list[str]


class Peers:
    """Created before the store, the host and the parts, so that each can be given the means to tell the others."""

    def __init__(self) -> None:
        self.alone = True
        self.hears: bool | None = None  # whether messages arrive; None: there are no other processes
        self.told = asyncio.Event()  # there is something to send
        self._news: dict[str, int] = {}
        self._words: list[str] = []
        self._where: dict[str, set[str]] = {}  # by table: the other processes that have it in memory

    def part(self, name: str) -> Callable[[str], None]:
        """The function by which a part of this name sends words to all others."""
        return partial(self._say, name)

    def _say(self, part: str, words: str) -> None:
        if not self.alone:
            self._words.append(f"@{part} {words}")
            self.told.set()

    def written(self, table: str, seq: int) -> None:
        """The store has committed an entry or, with 0, another change of the table."""
        if not self.alone and (not seq or self.have(table)):
            old = self._news.get(table, seq)
            self._news[table] = max(seq, old) if seq and old else 0
            self.told.set()

    def take(self) -> Untold:
        """Take what has to be sent now."""
        self.told.clear()
        untold = Untold(self._news, self._words)
        self._news, self._words = {}, []
        return untold

    def put_back(self, untold: Untold) -> None:
        """Keep what could not be sent."""
        for table, seq in untold.news.items():
            self.written(table, seq)
        self._words[:0] = untold.words
        self.told.set()

    def addressed(self, untold: Untold) -> dict[str, list[str]]:
        """What has to be sent, by receiver or `ALL`."""
        told: defaultdict[str, list[str]] = defaultdict(list, {ALL: [*untold.words]})
        for table, seq in untold.news.items():
            for process in self._where.get(table, ()) if seq else (ALL,):
                told[process].append(f"{table} {seq}")
        return told

    # The tables in memory: `table.memory.Neighbours`

    def holds(self, table: str, seq: int) -> None:
        """Tell the others that this process has a table in memory, up to this entry."""
        self._say("table", f"has {table} {seq}")

    def dropped(self, table: str) -> None:
        """Tell the others that this process has dropped it."""
        self._say("table", f"not {table} 0")

    def have(self, table: str) -> bool:
        """Whether another process has this table in memory."""
        return table in self._where

    def where(self, table: str) -> frozenset[str]:
        """The other processes that have this table in memory."""
        return frozenset(self._where.get(table, ()))

    def note(self, table: str, process: str) -> None:
        """Note that another process has this table in memory."""
        self._where.setdefault(table, set()).add(process)

    def gone(self, table: str, processes: Iterable[str]) -> None:
        """Note that these processes no longer have it."""
        where = self._where.get(table, set())
        where.difference_update(processes)
        if not where:
            self._where.pop(table, None)

    def keep(self, processes: set[str]) -> None:
        """Only these other processes are alive; the others have nothing in memory."""
        for table, where in list(self._where.items()):
            self.gone(table, where - processes)
