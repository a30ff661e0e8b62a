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
        """Tell them that it no longer has."""
        ...

    def have(self, table: str) -> bool:
        """Whether another process has the table in memory, too."""
        ...


class Alone:
    """The neighbours of a process that has its store to itself."""

    def holds(self, table: str, seq: int) -> None:
        pass

    def dropped(self, table: str) -> None:
        pass

    def have(self, table: str) -> bool:  # noqa: ARG002
        return False


class Memory:
    """`Sessions` fills it. It exists before the store and the host, so that both can be given it."""

    def __init__(self, hub: Hub, neighbours: Neighbours | None = None) -> None:
        self.hub = hub
        self.neighbours = neighbours or Alone()
        self.losses = 0  # how often the store had less than before
        self._sessions: dict[str, tuple[TableSession, Table]] = {}

    def __contains__(self, table: str) -> bool:
        return table in self._sessions

    def session(self, table: str) -> TableSession | None:
        found = self._sessions.get(table)
        return None if found is None else found[0]

    def sessions(self) -> list[TableSession]:
        return [session for session, _ in self._sessions.values()]

    def known(self, table: str) -> Table | None:
        """The table, if it is in memory. One that somebody listens to stays there as long as it exists."""
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
        """The store may have less than before: forget everything, so that tables are read anew. Anyone about to change
        a table is told to look again.
        """
        self.losses += 1
        for session in self.sessions():
            session.void = True
            self.drop(session)

    def is_due(self, table: str, now: float) -> bool:
        """Whether a bot or a clock has its turn at a table in memory, or its game begins. The agenda alone does not
        say: the turn may have been taken since it was noted.
        """
        if (session := self.session(table)) is None:
            return False
        begins = session.setup.begins
        return (begins is not None and begins <= now) or any(turn.at <= now for turn in session.turns)

    def is_ahead(self, table: str, seq: int) -> bool:
        """Whether this process has a later entry of the table than this one, or is writing there."""
        session = self.session(table)
        return session is not None and (session.seq > seq or session.lock.locked())

    def stand(self) -> dict[str, tuple[int, int]]:
        """The newest entry of each table and the revision of its setup."""
        return {session.setup.id: (session.seq, session.setup.rev) for session in self.sessions()}

    def counts(self) -> Counter[tuple[str, str]]:
        """How many tables there are, by game and stage."""
        return Counter((session.package.name, session.setup.stage) for session in self.sessions())
