"""The inbox of cards about which somebody said that they are wrong: for whoever runs the server.

A report is about a card, not by a person: nothing is kept of who wrote it. The same card reported again counts up.
It lies in one SQLite file beside the decks, so that the server and the command line can look at it together.
"""

import contextlib
import sqlite3
from collections.abc import Generator
from pathlib import Path

from msgspec import Struct

from spieltisch.game import Invalid

FILE = "reports.sqlite"
LONGEST = 200  # characters of what somebody says
_WORDS = 20  # of a card are kept, the newest
_MOST = 2_000  # cards in the inbox
_SCHEMA = """
create table if not exists report (id integer primary key autoincrement, deck text not null, card text not null,
 times integer not null, first real not null, last real not null, unique (deck, card));
create table if not exists words (report integer not null, at real not null, said text not null);
"""


class Report(Struct, frozen=True):
    """A card by its deck and id, how often it was reported, the first and the last time (seconds since 1970), and
    what was said, newest first.
    """

    id: int
    deck: str
    card: str
    times: int
    first: float
    last: float
    words: tuple[str, ...]


class Inbox:
    """The reports in the file of this folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE

    def put(self, deck: str, card: str, said: str, at: float) -> None:
        """One more report of this card; Invalid where the inbox is full."""
        with self._open() as db:
            known = db.execute("select id from report where deck = ? and card = ?", (deck, card)).fetchone()
            if known is None and db.execute("select count(*) from report").fetchone()[0] >= _MOST:
                raise Invalid("Too many cards have been reported: somebody has to look at them first.")
            row = db.execute(
                "insert into report (deck, card, times, first, last) values (?, ?, 1, ?, ?) on conflict (deck, card) "
                "do update set times = times + 1, last = excluded.last returning id",
                (deck, card, at, at),
            ).fetchone()
            if words := " ".join(said.split())[:LONGEST]:
                db.execute("insert into words values (?, ?, ?)", (row[0], at, words))
                db.execute(
                    "delete from words where report = ? and rowid not in "
                    "(select rowid from words where report = ? order by rowid desc limit ?)",
                    (row[0], row[0], _WORDS),
                )

    def all(self) -> list[Report]:
        """All reports, the cards named most often first."""
        if not self._file.exists():
            return []
        with self._open() as db:
            words: dict[int, list[str]] = {}
            for report, said in db.execute("select report, said from words order by rowid desc"):
                words.setdefault(report, []).append(said)
            rows = db.execute("select id, deck, card, times, first, last from report order by times desc, last desc")
            return [Report(*row, tuple(words.get(row[0], ()))) for row in rows]

    def done(self, report: int) -> bool:
        """Take a report out, since it has been looked at; False if there is none of this number."""
        if not self._file.exists():
            return False
        with self._open() as db:
            db.execute("delete from words where report = ?", (report,))
            return bool(db.execute("delete from report where id = ? returning id", (report,)).fetchall())

    @contextlib.contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.closing(sqlite3.connect(self._file, timeout=10, isolation_level=None)) as db:
            db.execute("pragma secure_delete = on")  # of what is taken out nothing is left in the file
            db.executescript(_SCHEMA)
            db.execute("begin immediate")
            try:
                yield db
            except BaseException:
                db.execute("rollback")
                raise
            db.execute("commit")
