"""Changes single cards of a deck, into cards without errors only; shares decks, or keeps them private."""

import hashlib
from collections.abc import Mapping

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.check import played
from spieltisch.decks.dates import ERAS
from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import Finding, message
from spieltisch.decks.importing.columns import Intake
from spieltisch.decks.importing.lines import Line
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import CELL
from spieltisch.decks.library import PRIVATE
from spieltisch.decks.lint.cards import lacked, lint
from spieltisch.decks.table import ADDED, ERRATA, Row, Table, titled
from spieltisch.decks.text import ALWAYS, Text, composed
from spieltisch.game import Invalid

CARDS = 10_000  # of a deck
TITLE = 80  # characters
REPLACED = "replaced"  # lines with the earlier text of overwritten cards
_REPLACED = 20  # of these lines at most


def changed(deck: Deck, cells: Mapping[str, str]) -> tuple[Deck, list[Finding]]:
    """The deck with this card, either new or in place of the one with its id, and the errors of the card."""
    ids = [old["id"] for old in deck.table.rows]
    before = next((old.cells for old in deck.table.rows if old["id"] == cells.get("id")), {})
    said = {**before, **cells}
    row = Row(0, {column: composed(" ".join(said.get(column, "").split())) for column in kind_of(deck.kind).columns})
    if (longest := max(map(len, row.cells.values()))) > CELL:
        wrong = message("a cell has {n} characters, at most {most} are read", n=longest, most=CELL)
        return deck, [Finding("error", "cells", wrong)]
    if len(ids) >= CARDS and row["id"] not in ids:
        return deck, [Finding("error", "cards", message("a deck has at most {n} cards", n=CARDS))]
    if row["id"] in ids:
        rows = [row if old["id"] == row["id"] else old for old in deck.table.rows]
    else:
        given = tuple(c for c in kind_of(deck.kind).columns if c != "id")
        sheet = Intake(deck.kind, Table({}, [row]), Line(0, given), given)
        made = renewed(sheet, deck.name, deck.table).table.rows
        row = next(one for one in made if one["id"] not in ids) if len(made) > len(ids) else row
        rows = made
    if not row["id"]:
        wrong = message("this card is already in the deck")
        return deck, [Finding("error", "twice", wrong, message("Change the card that is there."))]
    new = Deck(deck.name, deck.kind, Table(deck.table.about, rows))
    nothing = lacked(new.table, kind_of(deck.kind))
    found = [one for one in lint(Table(deck.table.about, [row]), deck.kind, nothing) if one.card == row["id"]]
    return new, found or [*played(new)]


def seen(cells: Mapping[str, str]) -> str:
    """A hash of a card, so that a form can tell which version its reader saw."""
    written = "\0".join(f"{column}={cells[column]}" for column in sorted(cells) if cells[column])
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def overtaken(deck: Deck, cells: Mapping[str, str]) -> Finding | None:
    """The finding that somebody else has removed the card, or changed it since it was `seen`; None otherwise."""
    there = {row["id"]: row for row in deck.table.rows}
    if not cells.get("id"):
        return None
    if cells["id"] not in there:
        wrong = message("this card has since been removed")
        return Finding("error", "gone", wrong, message("Add it as a new card if it belongs in the deck."))
    row = there[cells["id"]]
    if cells.get("seen", "") in {"", seen(row.cells)}:
        return None
    now = " · ".join(row[c] for c in kind_of(deck.kind).columns if c not in {"id", "series"} and row[c])
    wrong = message("this card has since been changed. Now it says: {text}", text=now)
    return Finding("error", "changed", wrong, message("Save again to keep your text."), card=row["id"])


def replacing(old: Deck, new: Deck, card: str) -> Deck:
    """The new deck, which also keeps the card's text from the old one, so that its author can be told."""
    before, now = ({row["id"]: row for row in deck.table.rows}.get(card) for deck in (old, new))
    if before is None or now is None or before.cells == now.cells:
        return new
    others = [cells for cells in old.table.about.get(REPLACED, []) if cells[0] != card]
    added = (f"{column}={before[column]}" for column in sorted(ADDED) if before[column])
    said = [*others, [card, *(before[column] for column in _placed(old)), *added]][-_REPLACED:]
    return Deck(new.name, new.kind, Table(new.table.about | {REPLACED: said}, new.table.rows))


def replaced(deck: Deck) -> dict[str, dict[str, str]]:
    """For each card that somebody overwrote without having seen it, its earlier text."""
    columns = _placed(deck)
    there = {row["id"] for row in deck.table.rows}
    found = {}
    for card, *cells in filter(None, deck.table.about.get(REPLACED, [])):
        if card in there:
            found[card] = dict(zip(columns, [*cells, *("" for _ in columns)], strict=False))
            added = (cell.partition("=") for cell in cells[len(columns) :])
            found[card] |= {column: text for column, _, text in added if column in ADDED}
    return found


def _placed(deck: Deck) -> list[str]:
    """The columns that a line with an earlier text has in this order; those of added languages are named there."""
    return [column for column in kind_of(deck.kind).columns if column != "id" and column not in ADDED]


def settled(deck: Deck, card: str) -> Deck:
    """The deck without the earlier text of this card."""
    left = [cells for cells in deck.table.about.get(REPLACED, []) if cells and cells[0] != card]
    about = {key: said for key, said in deck.table.about.items() if key != REPLACED}
    return Deck(deck.name, deck.kind, Table(about | {REPLACED: left} if left else about, deck.table.rows))


def renamed(deck: Deck, title: Text) -> Deck:
    """The deck with this title, and a series of the old title, too."""
    new = title.each(lambda one: " ".join(one.split())[:TITLE])
    if not new.languages:
        raise Invalid("A deck needs a title.")
    about = titled(deck.table.about, new)
    old, names = ([one[tag] for tag in ALWAYS] for one in (deck.title, new))
    series = [[cells[0], *names] if cells[1:] == old else cells for cells in about.get("series", [])]
    about |= {"series": series} if series else {}
    return Deck(deck.name, deck.kind, Table(about, deck.table.rows))


def without(deck: Deck, card: str) -> Deck:
    """The deck without this card."""
    rows = [row for row in deck.table.rows if row["id"] != card]
    if not rows:
        raise Invalid("a deck keeps at least one card: delete the whole deck instead")
    return Deck(deck.name, deck.kind, Table(deck.table.about, rows))


def with_eras(deck: Deck, eras: str) -> Deck:
    """The deck with these names of eras, one of `ERAS`; with "" as each date has them."""
    if eras not in ERAS:
        raise Invalid("This is not one of the choices.")
    about = {key: said for key, said in deck.table.about.items() if key != "eras"}
    return Deck(deck.name, deck.kind, Table(about | {"eras": [[eras]]} if eras else about, deck.table.rows))


def handed_out(deck: Deck) -> Deck:
    """The deck for others: without notes between its makers."""
    about = {key: said for key, said in deck.table.about.items() if key not in {PRIVATE, REPLACED, ERRATA}}
    return Deck(deck.name, deck.kind, Table(about, deck.table.rows))


def shared(deck: Deck, *, shared: bool) -> Deck:
    """The deck for everybody's tables, or only for its maker's."""
    about = {key: said for key, said in deck.table.about.items() if key != PRIVATE}
    return Deck(deck.name, deck.kind, Table(about if shared else about | {PRIVATE: [[]]}, deck.table.rows))
