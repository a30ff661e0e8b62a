"""What one process knows of the others, and has to tell them. `Cluster` carries it; everybody else only sees this."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple, Protocol

ALL = ""  # instead of a process's name: everybody


class Part(Protocol):
    """What processes tell each other besides what stands in the database. Words are without commas."""

    def hear_from(self, process: str, words: str) -> None:
        """Another process has said this."""
        ...

    def repeat(self) -> None:
        """A new process listens: tell once more what holds."""
        ...

    def keep(self, processes: set[str]) -> None:
        """These other processes are there. What any other has said no longer holds."""
        ...


class Untold(NamedTuple):
    """What is to be told: by table its newest entry (0: look in any case), and words of the parts."""

    news: Mapping[str, int]
    words: list[str]


class Peers:
    """It exists before the store, the host and the parts, so that each can be given what it tells the others by."""

    def __init__(self) -> None:
        self.alone = True
        self.hears: bool | None = None  # whether messages arrive; None: there are no other processes to hear
        self.told = asyncio.Event()  # something is to be told
        self._news: dict[str, int] = {}
        self._words: list[str] = []
        self._where: dict[str, set[str]] = {}  # by table, which other processes have it in memory

    def part(self, name: str) -> Callable[[str], None]:
        """By what a part of this name tells its words to all others."""
        return partial(self._say, name)

    def _say(self, part: str, words: str) -> None:
        if not self.alone:
            self._words.append(f"@{part} {words}")
            self.told.set()

    def written(self, table: str, seq: int) -> None:
        """The store has committed an entry or, with 0, something else of the table."""
        if not self.alone and (not seq or self.have(table)):
            old = self._news.get(table, seq)
            self._news[table] = max(seq, old) if seq and old else 0
            self.told.set()

    def take(self) -> Untold:
        """What is to be told now."""
        self.told.clear()
        untold = Untold(self._news, self._words)
        self._news, self._words = {}, []
        return untold

    def put_back(self, untold: Untold) -> None:
        """It did not get through."""
        for table, seq in untold.news.items():
            self.written(table, seq)
        self._words[:0] = untold.words
        self.told.set()

    def addressed(self, untold: Untold) -> dict[str, list[str]]:
        """What is to be told, by the process that it is for, or `ALL`."""
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
        """Tell the others that it no longer has."""
        self._say("table", f"not {table} 0")

    def have(self, table: str) -> bool:
        """Whether another process has this table in memory."""
        return table in self._where

    def where(self, table: str) -> frozenset[str]:
        """Which other processes have this table in memory."""
        return frozenset(self._where.get(table, ()))

    def note(self, table: str, process: str) -> None:
        """Another process has this table in memory."""
        self._where.setdefault(table, set()).add(process)

    def gone(self, table: str, processes: Iterable[str]) -> None:
        """These processes no longer have it."""
        where = self._where.get(table, set())
        where.difference_update(processes)
        if not where:
            self._where.pop(table, None)

    def keep(self, processes: set[str]) -> None:
        """These other processes are there; what others had in memory is gone."""
        for table, where in list(self._where.items()):
            self.gone(table, where - processes)
