"""Corrections of a deck as a small file that other servers take in.

The file is a CSV table with a line for each changed cell: `card,column,old,new,source,date`. A card that was taken out
has one line for its `id`, with nothing new; a new card has a line for each cell. Above them stand the deck's name
(`#errata,events`) and the hashes of the deck before (`#from,…`) and after (`#to,…`), so that corrections are applied to
the version that they were written for, and to no other.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.decks.check import for_play, open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.files import version
from spieltisch.decks.library import Library, shipped
from spieltisch.decks.table import AMENDS, CORRECTED, ERRATA, Row, Table, hash_of, read_table, write_table
from spieltisch.game import Invalid

COLUMNS = ("card", "column", "old", "new", "source", "date")
KEPT = 500
"""Corrections that a deck's file keeps, the newest."""


class Errata(Struct, frozen=True):
    """Corrections of the deck `name`, from the version with one hash to that with another. `rows` have COLUMNS."""

    name: str
    before: str
    after: str
    rows: tuple[Mapping[str, str], ...]

    def text(self) -> str:
        """Return the corrections as a file."""
        about = {"errata": [[self.name]], "from": [[self.before]], "to": [[self.after]]}
        return write_table(Table(about, [Row(0, dict(one)) for one in self.rows]), COLUMNS)


def errata(old: Deck, new: Deck, day: str) -> Errata:
    """Return what was corrected between two versions of a deck, as of this day (2026-11-28). Raises Invalid if they are
    of two kinds.
    """
    if old.kind != new.kind:
        raise Invalid("{name} is a deck of another kind", name=old.name)
    rows = tuple(_changes(old.table, new.table, [one for one in new.columns if one != CORRECTED], day))
    return Errata(new.name, hash_of(old.table), hash_of(new.table), rows)


def read_errata(text: str) -> Errata:
    """Return the corrections in a file. Raises Invalid if it is not one."""
    table = read_table(text, COLUMNS)
    said = {key: table.said(key) for key in ("errata", "from", "to")}
    if missing := [f"#{key}" for key, value in said.items() if not value]:
        raise Invalid("this is not a file of corrections: {missing} is missing", missing=", ".join(missing))
    return Errata(said["errata"], said["from"], said["to"], tuple(row.cells for row in table.rows))


def corrected(deck: Deck, found: Errata) -> Deck:
    """Return the deck with these corrections. Raises Invalid if they were written for another version of it."""
    have = hash_of(deck.table)
    if have == found.after:
        raise Invalid("{name} has these corrections already", name=deck.name)
    if have != found.before:
        raise Invalid(
            "these corrections are for version {wanted} of {name}, but this is {have}",
            name=deck.name, wanted=found.before[:12], have=have[:12],
        )  # fmt: skip
    cards = {row["id"]: dict(row.cells) for row in deck.table.rows}
    for number, one in enumerate(found.rows, start=1):
        card = cards.setdefault(one["card"], {})
        if card.get(one["column"], "") != one["old"]:
            raise Invalid("correction {n}: the text to correct is not on {card}", n=number, card=one["card"])
        card |= {one["column"]: one["new"], CORRECTED: one["date"]}
    rows = [Row(0, cells) for _, cells in sorted(cards.items()) if cells.get("id")]
    told = [*deck.table.about.get(ERRATA, []), *([one[column] for column in COLUMNS] for one in found.rows)]
    table = replace(deck.table, about=deck.table.about | {ERRATA: told[-KEPT:]}, rows=rows)
    if hash_of(table) != found.after:
        raise Invalid("the file of corrections is damaged: it does not lead to the deck that it names")
    return replace(deck, table=table)


def amending(deck: Deck, shipped: Deck) -> Deck:
    """Return the deck as a corrected copy of the shipped one, which counts while that one is shipped."""
    about = deck.table.about | {AMENDS: [[hash_of(shipped.table)]]}
    return replace(deck, table=replace(deck.table, about=about))


def told(deck: Deck) -> list[dict[str, str]]:
    """Return the corrections of this deck that were taken in, the newest first, each with COLUMNS."""
    lines = [(cells + [""] * len(COLUMNS))[: len(COLUMNS)] for cells in deck.table.about.get(ERRATA, [])]
    return sorted((_line(*cells) for cells in lines), key=lambda one: one["date"], reverse=True)


class Taken(Struct, frozen=True):
    """A deck after its corrections: its `text`, to be written if its file still has the version that it `was`."""

    name: str
    text: str
    was: int
    cards: int


def taken_in(folder: Path, content: bytes) -> Taken:
    """Return the deck that a file of corrections is about, corrected. `folder`: of one's own decks. Raises Invalid or
    OSError if these corrections cannot be taken in.
    """
    try:
        found = read_errata(content.decode())
    except UnicodeDecodeError:
        raise Invalid("the table cannot be read") from None
    path = Library(folder).path(found.name)
    was = version(folder / f"{found.name}.csv")  # before it is read: whoever changes it now is not overlooked
    deck = corrected(open_deck(path), found)
    if found.name in shipped():
        deck = amending(deck, open_deck(shipped()[found.name]))
    try:
        for_play(deck)
    except ValueError:
        raise Invalid("the table cannot be read") from None
    return Taken(found.name, deck.text(), was, len({one["card"] for one in found.rows}))


def _changes(old: Table, new: Table, columns: Sequence[str], day: str) -> Iterator[dict[str, str]]:
    before, after = ({row["id"]: row for row in table.rows} for table in (old, new))
    for card in sorted(before.keys() | after.keys()):
        was, now = before.get(card), after.get(card)
        if now is None:
            yield _line(card, "id", card, "", "", day)
            continue
        for column in columns:
            text = "" if was is None else was[column]
            if text != now[column]:
                yield _line(card, column, text, now[column], now["source"], day)


def _line(*cells: str) -> dict[str, str]:
    return dict(zip(COLUMNS, cells, strict=True))
