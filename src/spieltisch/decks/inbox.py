"""The inbox of cards about which somebody said that they are wrong: for whoever runs the server.

A report is about a card, not by a person: nothing is kept of who wrote it. The same card reported again counts up.
It lies in one file beside the decks, so that the server and the command line can look at it together.
"""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from spieltisch import paths
from spieltisch.decks.files import Files, put, read_json, version
from spieltisch.game import Invalid

FORMER = "reports.sqlite"  # where former versions kept them
LONGEST = 200  # characters of what somebody says
_WORDS = 20  # of a card are kept, the newest
_ALL_WORDS = 2_000  # are kept: of the cards that were not reported for longest they go first
_MOST = 2_000  # cards in the inbox


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


class Reports(Struct, frozen=True):
    """What the file has: the number given last, and the reports."""

    number: int = 0
    reports: tuple[Report, ...] = ()


class Inbox:
    """The reports in the file of this folder, written by `files`."""

    def __init__(self, folder: Path, files: Files) -> None:
        self._file = folder / paths.REPORTS
        self._files = files

    async def put(self, deck: str, card: str, said: str, at: float) -> None:
        """One more report of this card; Invalid where the inbox is full."""
        await self._change(lambda old: _reported(old, deck, card, " ".join(said.split())[:LONGEST], at))

    def all(self) -> list[Report]:
        """All reports, the cards named most often first."""
        return sorted(self._read().reports, key=lambda one: (-one.times, -one.last))

    async def done(self, report: int) -> bool:
        """Take a report out, since it has been looked at; False if there is none of this number."""

        def without(old: Reports) -> Reports:
            return msgspec.structs.replace(old, reports=tuple(one for one in old.reports if one.id != report))

        return await self._change(without)

    async def _change(self, change: Callable[[Reports], Reports]) -> bool:
        """Whether anything has changed. Once more where somebody else was first, perhaps at another server."""
        while True:
            was = version(self._file)
            old = self._read()
            new = change(old)
            if new == old:
                return False
            if await self._files.put(self._file, msgspec.json.encode(new), was):
                return True

    def _read(self) -> Reports:
        return read_json(self._file, Reports, Reports())


def _reported(old: Reports, deck: str, card: str, said: str, at: float) -> Reports:
    known = next((one for one in old.reports if (one.deck, one.card) == (deck, card)), None)
    if known is None and len(old.reports) >= _MOST:
        raise Invalid("Too many cards have been reported. Someone has to look at them first.")
    number = old.number + (known is None)
    known = known or Report(number, deck, card, 0, at, at, ())
    words = (said, *known.words)[:_WORDS] if said else known.words
    new = msgspec.structs.replace(known, times=known.times + 1, last=at, words=words)
    others = [one for one in old.reports if one.id != new.id]
    for one in sorted(others, key=lambda one: one.last):
        if len(words) + sum(len(other.words) for other in others) <= _ALL_WORDS:
            break
        others[others.index(one)] = msgspec.structs.replace(one, words=())
    return Reports(number, tuple(sorted((*others, new), key=lambda one: one.id)))


def take_over(folder: Path) -> None:
    """Put what lies in this folder as former versions kept it where it lies now. DataError where it is damaged."""
    former, file = folder / FORMER, folder / paths.REPORTS
    if not former.is_file() or file.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(former)) as db:
            words: dict[int, list[str]] = {}
            for report, said in db.execute("select report, said from words order by rowid desc"):
                words.setdefault(report, []).append(said)
            rows = db.execute("select id, deck, card, times, first, last from report order by id")
            reports = tuple(Report(*row, tuple(words.get(row[0], ()))) for row in rows)
    except sqlite3.Error as error:
        raise paths.unusable(former, error) from error
    put(file, msgspec.json.encode(Reports(max((one.id for one in reports), default=0), reports)), mode=0o600)
    former.unlink()
