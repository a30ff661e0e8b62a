"""Knows which processes have a table in memory, since only those need to hear of its moves.

A process reports when it has read a table, up to which entry, and when it drops it. Such a message may get lost. A
process that finds entries nobody has told it of reports again what it has.
"""

from collections.abc import Iterable

from spieltisch.cluster.peers import Peers
from spieltisch.table.memory import Memory


class Holders:
    """A `Part` named "table". Its words are `has` or `not` with a table's code and an entry's number, or `ask`."""

    def __init__(self, memory: Memory, peers: Peers) -> None:
        self._memory = memory
        self._peers = peers
        self._ask = peers.part("table")

    def again(self, tables: Iterable[str]) -> None:
        """Report again that these tables are in memory here."""
        stand = self._memory.stand()
        for table in tables:
            if table in stand:
                self._peers.holds(table, stand[table][0])

    def hear_from(self, process: str, words: str) -> None:
        """Another process has read a table, perhaps before our latest entry, or has dropped it; or it asks what this
        one has.
        """
        if words == "ask":
            self.again(self._memory.stand())
            return
        what, table, seq = words.split()
        if what == "has":
            self._peers.note(table, process)
            if self._memory.is_ahead(table, int(seq)):
                self._peers.written(table, 0)
        else:
            self._peers.gone(table, {process})

    def repeat(self) -> None:
        """Report to a new process what this one has, and ask it: perhaps it was only out of reach."""
        self._ask("ask")
        self.again(self._memory.stand())

    def keep(self, processes: set[str]) -> None:
        self._peers.keep(processes)
