"""A finished game, moment by moment, to look back at; also games without a table.

Only `Host.replay` makes one of a table's game, after its end.
"""

import copy
from collections import deque
from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spieltisch.game import GameState, HasCards
from spieltisch.package import Package
from spieltisch.table import position as moment
from spieltisch.table.export import line
from spieltisch.table.log import Chair, Entry, EntryNews, Header, TableSetup, encode, read_log
from spieltisch.table.session import SHOWN, TableSession
from spieltisch.table.table import Table

TRIED = 200  # cached moments of variations


class Past(Table):
    """A moment of a game that is over or in no store: the table at that moment, and its hidden part."""

    __slots__ = ()

    @property
    def state(self) -> GameState:
        """The whole state at that moment."""
        assert self._session.position is not None
        return self._session.position.state


class Replay:
    """The moves that count, without those taken back. Moment 1 is the deal, the last one the end."""

    def __init__(self, session: TableSession, entries: list[Entry]) -> None:
        self._session = session
        self.seq = session.seq  # of the log at that time
        self._positions: list[moment.Position] = []
        self._tried: dict[tuple[int, bytes], moment.Position] = {}
        self.news: list[EntryNews] = []
        self.entries = [
            replace(entry, action=session.action(entry)) if entry.action else entry for entry in line(entries)
        ]
        for entry in self.entries:
            throw = moment.said(entry.outcomes)
            if entry.seat is None:
                position = session.dealt(throw)[0]
            else:
                assert isinstance(entry.action, Struct)
                position = moment.moved(self._positions[-1], entry.seat, entry.action, throw)[0]
            self._positions.append(position)
            news = tuple(position.state.public.news)
            self.news.append(EntryNews(position.seq, entry.seat, entry.by, undo=False, news=news))

    @classmethod
    def of(cls, session: TableSession, log: Sequence[bytes]) -> "Replay":
        """The game of a stored log. Raises Damaged if it cannot be read."""
        assert session.setup.header is not None
        return cls(session, [*read_log(log, session.setup.header)])

    @property
    def deck(self) -> str:
        """The name of the deck; several are joined by +."""
        return getattr(self._session.own_deck, "id", "")

    def __len__(self) -> int:
        return len(self._positions)

    def what_if(self, step: int, tried: Sequence[object]) -> Past:
        """The table if these actions (in builtins) had followed this step, each by the first seat to act.

        Chance outcomes stay the same. Raises Illegal if the rules refuse an action.
        """
        session = copy.copy(self._session)
        session.turns, session.news = (), deque(self.news[max(0, step - SHOWN) : step], SHOWN)
        session.position, known = self._positions[step - 1], (step, b"")
        for one in tried:
            seat, action = session.position.to_act[0], msgspec.convert(one, session.package.rules.Action)
            known = step, known[1] + encode(one)
            if (then := self._tried.get(known)) is None:
                then = self._tried[known] = session.step(seat, action, "seat")[0]
                if len(self._tried) > TRIED:
                    del self._tried[next(iter(self._tried))]
            session.position = then
            session.news.append(EntryNews(then.seq, seat, "seat", undo=False, news=tuple(then.state.public.news)))
        return Past(session)

    def at(self, step: int) -> Past:
        """The table after this step, from 1 on."""
        session = copy.copy(self._session)
        session.position, session.turns = self._positions[step - 1], ()
        session.news = deque(self.news[max(0, step - SHOWN) : step])
        return Past(session)


def unstored(package: Package, chairs: Sequence[Chair], options: Struct, deck: HasCards) -> TableSession:
    """A table in no store on which a game has begun, for lessons and notebooks."""
    setup = TableSetup("", package.name, {}, tuple(chairs), stage="playing")
    session = TableSession(package, setup, None, None)
    header = Header(package.name, package.rules.version, len(chairs), {}, "", "")
    session.setup, session.options, session.deck = replace(setup, header=header), options, deck
    return session


def snapshot(package: Package, names: Sequence[str], options: Struct, deck: HasCards, state: GameState) -> Past:
    """One moment of a game without a table. In `state` somebody is to act, or the game is over."""
    session = unstored(package, [Chair(name, "person") for name in names], options, deck)
    to_act, result = tuple(package.rules.to_act(state.public)), package.rules.result(state.public)
    session.position = moment.Position(package.rules, state, 2, 0, (2,) * len(names), to_act, result)
    session.news.append(EntryNews(2, None, "seat", undo=False, news=tuple(state.public.news)))
    return Past(session)
