"""A finished game, moment by moment, for whoever looks back at it. Only `Host.replay` makes one: after the end."""

import copy
from collections import deque
from typing import Any

from msgspec.structs import replace

from spieltisch.game import State
from spieltisch.table import position as moment
from spieltisch.table.export import line
from spieltisch.table.log import Entry, EntryNews
from spieltisch.table.session import SHOWN, TableSession
from spieltisch.table.table import Table


class Past(Table):
    """A moment of a game that is over: a table as it was then, and what nobody could see of it."""

    __slots__ = ()

    @property
    def state(self) -> State[Any, Any, Any]:
        """Everything, as it lay then."""
        assert self._run.position is not None
        return self._run.position.state


class Replay:
    """The line that counts, without moves taken back: moment 1 is the deal, the last one the end."""

    def __init__(self, run: TableSession, entries: list[Entry]) -> None:
        self._run = run
        self.seq = run.seq  # of the log that this was made from
        self._positions: list[moment.Position] = []
        self.news: list[EntryNews] = []
        self.entries = [replace(entry, action=run.action(entry)) if entry.action else entry for entry in line(entries)]
        for entry in self.entries:
            throw = moment.said(entry.outcomes)
            if entry.seat is None:
                position = run.dealt(throw)[0]
            else:
                position = moment.moved(self._positions[-1], entry.seat, entry.action, throw)[0]
            self._positions.append(position)
            news = tuple(position.state.public.news)
            self.news.append(EntryNews(position.seq, entry.seat, entry.by, undo=False, news=news))

    def __len__(self) -> int:
        return len(self._positions)

    def at(self, step: int) -> Past:
        """The table after this step, from 1 on."""
        run = copy.copy(self._run)
        run.position, run.turns = self._positions[step - 1], ()
        run.news = deque(self.news[max(0, step - SHOWN) : step])
        return Past(run)
