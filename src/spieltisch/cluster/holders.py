"""Which tables other processes have in memory: only they need to be told of a move.

Each tells when it has read a table, up to which entry, and when it drops it. Like any message this may be lost. A
process that finds news of which nobody has told says once more what it has.
"""

from collections.abc import Iterable

from spieltisch.cluster.peers import Peers
from spieltisch.table.memory import Memory


class Holders:
    """A `Part` named "table". Its words are `has` or `not`, the table's code and the number of an entry; or `ask`."""

    def __init__(self, memory: Memory, peers: Peers) -> None:
        self._memory = memory
        self._peers = peers
        self._ask = peers.part("table")

    def again(self, tables: Iterable[str]) -> None:
        """Tell that these tables are in memory here."""
        stand = self._memory.stand()
        for table in tables:
            if table in stand:
                self._peers.holds(table, stand[table][0])

    def hear_from(self, process: str, words: str) -> None:
        """Another process has read a table, perhaps too early for what was written here, or has dropped it; or it asks
        what is in memory here.
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
        """Tell a new process what is in memory here, and ask it: it may only have been out of sight."""
        self._ask("ask")
        self.again(self._memory.stand())

    def keep(self, processes: set[str]) -> None:
        self._peers.keep(processes)
