"""Which tables other processes have in memory: of moves at others nobody needs to be told.

Each tells when it has read a table, with the entry that it has read last, and when it drops it. That may be lost as any
hint: whoever then finds news that nobody has told of says once more what it has.
"""

from collections.abc import Callable, Iterable

from spieltisch.table.host import Host


class Holders:
    """A part of a `Cluster`: the words are `has` or `not`, the table's code and the number of an entry; or `ask`."""

    def __init__(self, host: Host, written: Callable[[str, int], None]) -> None:
        """`written` is to tell of an entry, 0 for whatever is new there."""
        self.tell: Callable[[str], None] = lambda _: None
        self._host = host
        self._written = written
        self._where: dict[str, set[str]] = {}  # by table, in which other processes
        host.holds = self._holds
        host.elsewhere = self.any

    def any(self, table: str) -> bool:
        """Whether another process has this table in memory."""
        return table in self._where

    def where(self, table: str) -> frozenset[str]:
        """Which other processes have this table in memory."""
        return frozenset(self._where.get(table, ()))

    def _holds(self, table: str, still: bool) -> None:
        known = self._host.known(table)
        self.tell(f"{'has' if still else 'not'} {table} {known.seq if known else 0}")

    def again(self, tables: Iterable[str]) -> None:
        """Tell that these tables are in memory here."""
        for table in tables:
            self._holds(table, True)

    def hear_from(self, process: str, words: str) -> None:
        """Another process has read a table, perhaps too early for what was written here, or has dropped it; or it asks
        what is in memory here.
        """
        if words == "ask":
            self.again(self._host.stand())
            return
        what, table, seq = words.split()
        if what == "has":
            self._where.setdefault(table, set()).add(process)
            if self._host.is_ahead(table, int(seq)):
                self._written(table, 0)
        else:
            self._gone(table, {process})

    def repeat(self) -> None:
        """Tell a process that has just come what is in memory here, and ask it: it may only have been out of sight."""
        self.tell("ask")
        self.again(self._host.stand())

    def keep(self, processes: set[str]) -> None:
        """These other processes are there."""
        for table, where in list(self._where.items()):
            self._gone(table, where - processes)

    def _gone(self, table: str, processes: set[str]) -> None:
        where = self._where.get(table, set())
        where -= processes
        if not where:
            self._where.pop(table, None)
