"""Where decks lie: the shipped ones, those in a folder of one's own, and any file; how they come to a table."""

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from spieltisch.decks import events, firsts
from spieltisch.decks.events import Events
from spieltisch.decks.files import Files, version
from spieltisch.decks.firsts import Firsts
from spieltisch.decks.forms import FOLDER as FORMS
from spieltisch.decks.table import SHIPPED, Table, read_table
from spieltisch.decks.text import Text
from spieltisch.game import Invalid

SHEETS = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".ods")
PRIVATE = "private"  # the line `#private` of a deck that only its maker puts on a table

Playable = Literal["events", "firsts"]
_KEPT = 64  # decks in memory
_LISTED = 10_000  # of which is kept what a list tells


class Entry(Struct, frozen=True):
    """What a list tells of a deck that games with dates can play with."""

    kind: Playable
    title: Text
    cards: int
    private: bool


class Library:
    """Decks by name, as tables are set up with them: those in a folder of one's own, and the shipped ones.

    A file is read anew when it has changed. What lies on a table already is a deck of its own by then. `files` writes
    those in the folder.
    """

    def __init__(self, folder: Path | None = None, files: Files | None = None) -> None:
        self.folder = folder
        self.files = files or Files()

    def path(self, name: str) -> Path:
        """The file of the deck of this name; Invalid if there is none."""
        if re.fullmatch("[a-z0-9-]{1,80}", name):
            if self.folder is not None and (file := self.folder / f"{name}.csv").is_file():
                return file
            if name in shipped():
                return shipped()[name]
        raise Invalid("there is no deck {name}", name=name)

    def events(self, names: Sequence[str], series: Sequence[str] | None = None) -> Events:
        """These decks of events as one, in this order, or only these series of them."""
        return events.mix([self.one_of_events(name) for name in names], series)

    def one_of_events(self, name: str) -> Events:
        """The deck of events of this name."""
        deck = self._deck(name)
        if not isinstance(deck, Events):
            raise Invalid("there is no deck of events called {name}", name=name)
        return deck

    def firsts(self, name: str) -> Firsts:
        """The deck of firsts of this name."""
        deck = self._deck(name)
        if not isinstance(deck, Firsts):
            raise Invalid("there is no deck of firsts called {name}", name=name)
        return deck

    def card(self, names: Sequence[str], front: str) -> tuple[str, str] | None:
        """The deck and the id of the card with this front, in either language, in one of these decks."""
        for name in names:
            deck = self._deck(name)
            for card in () if deck is None else deck.cards:
                if front in {card.front.de, card.front.en}:
                    return name, card.id
        return None

    def offered(self, kind: Playable, held: Sequence[str] = ()) -> dict[str, Entry]:
        """The decks of a kind for somebody who holds the keys of these private ones, by name; shipped ones first."""
        found = {}
        for name in dict.fromkeys((*shipped(), *self.own())):
            entry = self.entry(name)
            if entry is not None and entry.kind == kind and (not entry.private or name in held):
                found[name] = entry
        return found

    def entry(self, name: str) -> Entry | None:
        """What a list tells of the deck of this name; None if games with dates cannot play with it. Invalid if there is
        none.
        """
        return _entry(name, *_state(self.path(name)))

    def own(self) -> dict[str, Path]:
        """The files in the folder by name."""
        return own(self.folder) if self.folder is not None else {}

    def version(self, name: str) -> int:
        """Of the deck of this name: another one as soon as it is changed. Invalid if there is none."""
        return version(self.path(name))

    async def save(self, name: str, text: str, was: int) -> bool:
        """Write the deck of this name into the folder; False if it is no longer the version that it `was` (0: a new
        one). OSError, or Unsaved, where that cannot be done.
        """
        assert self.folder is not None
        return await self.files.put(self.folder / f"{name}.csv", text, was)

    async def delete(self, name: str) -> None:
        """The deck of this name is gone from the folder. OSError, or Unsaved, where that cannot be done."""
        assert self.folder is not None
        await self.files.drop(self.folder / f"{name}.csv")

    def is_private(self, name: str) -> bool:
        """Whether only its maker puts this deck on a table."""
        return PRIVATE in _table(*_state(self.path(name))).about

    def _deck(self, name: str) -> Events | Firsts | None:
        return _read(name, *_state(self.path(name)))


def _state(path: Path) -> tuple[Path, int, int]:
    stat = path.stat()
    return path, stat.st_mtime_ns, stat.st_size


@functools.lru_cache(_KEPT)
def _table(path: Path, changed: int, size: int) -> Table:  # noqa: ARG001 - the file as it was then
    return read_table(path.read_text("utf-8"), ())


@functools.lru_cache(_KEPT)
def _read(name: str, path: Path, changed: int, size: int) -> Events | Firsts | None:
    """The deck in a file, None if it is not one for a table with dates."""
    columns = {*(rows[0].cells if (rows := _table(path, changed, size).rows) else ())}
    if columns >= {*events.COLUMNS} - events.OPTIONAL:
        return events.read_events(path.read_text("utf-8"), name)
    if columns >= {*firsts.COLUMNS}:
        return firsts.read_firsts(name, path.read_text("utf-8"))
    return None


@functools.lru_cache(_LISTED)
def _entry(name: str, path: Path, changed: int, size: int) -> Entry | None:
    """What a list tells of the deck in a file; None if it is none for a table. Kept for many decks: a list that had to
    read all of them anew would hold up everybody.
    """
    try:
        deck = _read(name, path, changed, size)
    except Invalid:
        return None  # somebody put a file there that is no deck
    if deck is None or not deck.cards:
        return None
    kind: Playable = "events" if isinstance(deck, Events) else "firsts"
    return Entry(kind, deck.title, len(deck.cards), PRIVATE in _table(path, changed, size).about)


def shipped() -> Mapping[str, Path]:
    """The files of the shipped decks by name."""
    return _shipped()


@functools.cache
def _shipped() -> dict[str, Path]:
    return {path.stem: path for path in (*sorted(SHIPPED.glob("*.csv")), *sorted(FORMS.glob("*.csv")))}


def own(folder: Path) -> dict[str, Path]:
    """The files of the decks in a folder of one's own by name."""
    return {path.stem: path for path in sorted(folder.glob("*.csv"))}


def is_path(name: str) -> bool:
    """Whether somebody names a file and not a deck."""
    return "/" in name or "\\" in name or name.lower().endswith(SHEETS)


def find(name: str, folder: Path) -> Path:
    """The file of the deck of this name, or of this path; Invalid if there is none."""
    if is_path(name):
        return Path(name)
    decks = own(folder) | {**shipped()}
    if name not in decks:
        raise Invalid("there is no deck {name}, only {names}", name=name, names=", ".join(sorted(decks)))
    return decks[name]


def slug(name: str) -> str:
    """A name for a deck and its file: small letters, digits and hyphens."""
    for sign, letters in {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}.items():
        name = name.lower().replace(sign, letters)
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:60].strip("-") or "deck"
