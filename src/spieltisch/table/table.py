"""What others may ask of a table. No State leaves through here."""

from msgspec import Struct

from spieltisch.game import GameView, HasCards, Result, Stale
from spieltisch.package import Package
from spieltisch.table.log import EntryNews, TableSetup
from spieltisch.table.schedule import DueTurn
from spieltisch.table.session import TableSession


class Table:
    """A table in memory. It is always up to date in this process, and no method waits.

    In the lobby `seq` is 0, `to_act`, `legal` and `news` are empty, and `view` raises Stale.
    """

    __slots__ = ("_session",)

    def __init__(self, session: TableSession) -> None:
        self._session = session

    @property
    def id(self) -> str:
        """The table's code."""
        return self._session.setup.id

    @property
    def setup(self) -> TableSetup:
        """Everything about the table besides its log: chairs, stage, options."""
        return self._session.setup

    @property
    def package(self) -> Package:
        """The game at this table."""
        return self._session.package

    @property
    def deck(self) -> HasCards | None:
        """The deck in this table's own numbering, None in the lobby. It has what cards hide, so it is for bots and
        records, never for a page.
        """
        return self._session.deck

    @property
    def seq(self) -> int:
        """The number of the newest entry."""
        at = self._session.position
        return 0 if at is None else at.seq

    @property
    def phase(self) -> str:
        """`waiting`, `playing` (also after the end, since moves can be taken back) or `closed`."""
        if self._session.setup.header is None:
            return self._session.setup.stage
        return "playing" if self.seq else "closed"

    @property
    def names(self) -> tuple[str, ...]:
        """The names on the chairs, "" for a free one."""
        return tuple(chair.name for chair in self._session.setup.chairs)

    @property
    def fresh(self) -> bool:
        """Whether the game can continue; otherwise it is only shown."""
        return self._session.fresh

    @property
    def halt(self) -> Stale | None:
        """Why the game cannot continue: it was begun under other rules, or is damaged. None if it can."""
        return self._session.halt

    @property
    def seal(self) -> str:
        """The seed's SHA-256, empty in the lobby."""
        return "" if self._session.setup.header is None else self._session.setup.header.seal

    @property
    def seed(self) -> str:
        """The dice's seed in hex, so that anybody can check them; empty until the game is over. If others play with the
        same cards, only the record has it, which waits for them.
        """
        session = self._session
        return session.seed.hex() if session.over and not session.setup.alike else ""

    def view(self, seat: int | None) -> GameView:
        """What this seat (None: a spectator) may see."""
        return self._session.view(seat)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that the table waits for; empty in the lobby, during a pause and after the end."""
        at = self._session.position
        if at is None or self._session.setup.stage == "closed" or self._session.setup.paused or not self._session.fresh:
            return ()
        return at.to_act

    def legal(self, seat: int) -> tuple[Struct, ...]:
        """The actions open to this seat now."""
        at = self._session.position
        return () if at is None or seat not in self.to_act else at.legal(seat)

    def is_contest(self, seat: int) -> bool:
        """Whether this seat is asked about somebody else's play, which everybody can see; then it is not its turn."""
        at, silence = self._session.position, self.package.silence
        return at is not None and silence is not None and silence in at.legal(seat)

    def question(self, seat: int) -> int:
        """The number that this seat's answer must carry: of the entry after which its present offer began. An empty
        offer has one, too, for an undo.
        """
        at = self._session.position
        return 0 if at is None else at.since[seat]

    def asked_at(self, seat: int) -> float | None:
        """When this seat's present offer began; None in the lobby."""
        return self._session.asked_at(self.question(seat))

    def clock(self, seat: int | None) -> DueTurn | None:
        """The clock's turn for this seat, that is, its deadline; None without a limit."""
        return next((turn for turn in self._session.turns if turn.seat == seat and turn.by == "clock"), None)

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        at = self._session.position
        return None if at is None else at.result

    @property
    def news(self) -> tuple[EntryNews, ...]:
        """The public news of the last entries, oldest first."""
        return tuple(self._session.news)

    def news_after(self, seq: int) -> list[EntryNews]:
        """The public news of the remembered entries after this one, oldest first."""
        news = self._session.news
        newer = min(news[-1].seq - seq, len(news)) if news else 0  # entries are numbered without gaps
        return [news[i] for i in range(-newer, 0)]

    @property
    def last(self) -> EntryNews | None:
        """The public news of the last entry; None in the lobby."""
        news = self._session.news
        return news[-1] if news else None

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to take back (in games of one seat)."""
        at = self._session.position
        return (
            at is not None and at.before is not None and self._session.fresh and self._session.setup.stage != "closed"
        )

    @property
    def undone(self) -> int:
        """The number of moves taken back."""
        return 0 if self._session.position is None else self._session.position.undone

    @property
    def helped(self) -> bool:
        """Whether a move was taken back or a hint was given; such games are counted separately."""
        return self.undone > 0 or self._session.setup.hinted

    @property
    def turns(self) -> tuple[DueTurn, ...]:
        """The turns of bots and the clock that are due, and when."""
        return self._session.turns
