"""The tables that a process has in memory."""

from collections import Counter
from typing import Protocol

from spieltisch.table.session import TableSession
from spieltisch.table.table import Table
from spieltisch.table.wake import Hub


class Neighbours(Protocol):
    """The other processes on the same store."""

    def holds(self, table: str, seq: int) -> None:
        """Tell them that this process has the table in memory, up to this entry."""
        ...

    def dropped(self, table: str) -> None:
        """Tell them that this process no longer has the table in memory."""
        ...

    def have(self, table: str) -> bool:
        """Whether another process also has the table in memory."""
        ...


class Alone:
    """Stands in for the neighbours if one process has the store to itself."""

    def holds(self, table: str, seq: int) -> None:
        pass

    def dropped(self, table: str) -> None:
        pass

    def have(self, table: str) -> bool:  # noqa: ARG002
        return False


class Memory:
    """The tables in memory. `Sessions` fills it. It is created before the store and the host, because both need it."""

    def __init__(self, hub: Hub, neighbours: Neighbours | None = None) -> None:
        self.hub = hub
        self.neighbours = neighbours or Alone()
        self.losses = 0  # how often the store has lost entries
        self._sessions: dict[str, tuple[TableSession, Table]] = {}

    def __contains__(self, table: str) -> bool:
        return table in self._sessions

    def session(self, table: str) -> TableSession | None:
        found = self._sessions.get(table)
        return None if found is None else found[0]

    def sessions(self) -> list[TableSession]:
        return [session for session, _ in self._sessions.values()]

    def known(self, table: str) -> Table | None:
        """The table, if it is in memory. A table with listeners stays there as long as it exists."""
        found = self._sessions.get(table)
        return None if found is None else found[1]

    def add(self, session: TableSession) -> None:
        self._sessions[session.setup.id] = (session, Table(session))
        self.neighbours.holds(session.setup.id, session.seq)

    def drop(self, session: TableSession) -> None:
        if self._sessions.pop(session.setup.id, None) is not None:
            self.neighbours.dropped(session.setup.id)
        self.hub.wake(session.setup.id, session.seq)

    def turn(self) -> None:
        """Forget everything, because the store may have lost entries. Tables are read again, and anybody about to
        change one is told to look again.
        """
        self.losses += 1
        for session in self.sessions():
            session.void = True
            self.drop(session)

    def is_due(self, table: str, now: float) -> bool:
        """Whether a bot or clock is due at a table in memory, or its game begins. The agenda alone cannot tell, since
        the turn may have been taken.
        """
        if (session := self.session(table)) is None:
            return False
        begins = session.setup.begins
        return (begins is not None and begins <= now) or any(turn.at <= now for turn in session.turns)

    def is_ahead(self, table: str, seq: int) -> bool:
        """Whether this process has an entry of the table newer than `seq`, or is writing one."""
        session = self.session(table)
        return session is not None and (session.seq > seq or session.lock.locked())

    def stand(self) -> dict[str, tuple[int, int]]:
        """The newest entry of each table and the revision of its setup."""
        return {session.setup.id: (session.seq, session.setup.rev) for session in self.sessions()}

    def counts(self) -> Counter[tuple[str, str]]:
        """The number of tables, by game and stage."""
        return Counter((session.package.name, session.setup.stage) for session in self.sessions())
