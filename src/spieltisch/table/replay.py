"""A finished game, moment by moment, for whoever looks back at it. Only `Host.replay` makes one: after the end."""

import copy
from collections import deque
from typing import Any

from msgspec.structs import replace

from spieltisch.game import State
from spieltisch.table import position as moment
from spieltisch.table.export import line
from spieltisch.table.log import Entry
from spieltisch.table.session import SHOWN, NewsEntry, TableSession
from spieltisch.table.table import Table


class Past(Table):
    """A moment of a game that is over: a table as it was then, and what nobody could see of it."""

    __slots__ = ()

    @property
    def state(self) -> State[Any, Any, Any]:
        """Everything, as it lay then."""
        assert self._session.position is not None
        return self._session.position.state


class Replay:
    """The line that counts, without moves taken back: moment 1 is the deal, the last one the end."""

    def __init__(self, session: TableSession, entries: list[Entry]) -> None:
        self._session = session
        self.seq = session.seq  # of the log that this was made from
        self._positions: list[moment.Position] = []
        self.told: list[NewsEntry] = []
        self.entries = [
            replace(entry, action=session.action(entry)) if entry.action else entry for entry in line(entries)
        ]
        for entry in self.entries:
            throw = moment.said(entry.outcomes)
            if entry.seat is None:
                position = session.dealt(throw)[0]
            else:
                position = moment.moved(self._positions[-1], entry.seat, entry.action, throw)[0]
            self._positions.append(position)
            news = tuple(position.state.public.news)
            self.told.append(NewsEntry(position.seq, entry.seat, entry.by, undo=False, news=news))

    def __len__(self) -> int:
        return len(self._positions)

    def at(self, step: int) -> Past:
        """The table after this step, from 1 on."""
        session = copy.copy(self._session)
        session.position, session.turns = self._positions[step - 1], ()
        session.news = deque(self.told[max(0, step - SHOWN) : step])
        return Past(session)
