"""Making a deck step by step: a sheet is looked over, its cells are mended in place, cards are changed one by one.

Nothing is kept before a sheet has no error; a card is changed only into one that has none.
"""

import csv
import io
from collections.abc import Mapping

from msgspec import Struct

from spieltisch.decks.check import looked_at, played
from spieltisch.decks.deck import COLUMNS, Deck
from spieltisch.decks.findings import Finding, errors, message
from spieltisch.decks.importing.columns import Intake, taken_in
from spieltisch.decks.importing.renewal import Renewal, renewed
from spieltisch.decks.importing.sheets import Line, Sheet, read_sheet
from spieltisch.decks.library import PRIVATE
from spieltisch.decks.lint.cards import lint
from spieltisch.decks.table import Row, Table
from spieltisch.game import Invalid

CARDS = 10_000  # of a deck


class Draft(Struct, frozen=True):
    """A sheet, the deck that it would make, and what would happen to the cards of an older one."""

    sheet: Sheet
    intake: Intake
    deck: Deck
    fate: Renewal

    @property
    def good(self) -> bool:
        """Whether it can be played."""
        return not errors([*self.deck.found])


def drafted(content: bytes, cells: Mapping[tuple[int, int], str], name: str, old: Deck | None, title: str) -> Draft:
    """What the file with this content, with these cells mended, would make; Invalid where it is no table of cards."""
    sheet = read_sheet(content)
    return draft(mended(sheet, cells) if cells else sheet, name, old, title)


def draft(sheet: Sheet, name: str, old: Deck | None = None, title: str = "") -> Draft:
    """What this sheet would make of the deck of this name; Invalid where its columns cannot be told."""
    intake = taken_in(sheet, old.kind if old else None)
    if intake.kind not in {"events", "firsts"}:
        raise Invalid("only decks of events and of firsts are made here")
    if old and old.kind != intake.kind:
        raise Invalid("{name} is a deck of another kind", name=name)
    fate = renewed(intake, name, old.table if old else None, title=title)
    return Draft(sheet, intake, looked_at(Deck(name, intake.kind, fate.table), intake), fate)


def mended(sheet: Sheet, cells: Mapping[tuple[int, int], str]) -> Sheet:
    """The sheet with these cells, named by their line's number and their place in it, written anew."""
    lines = []
    for line in sheet.lines:
        ours = {at: text for (number, at), text in cells.items() if number == line.number}
        width = max([len(line.cells), *(at + 1 for at in ours)])
        new = [ours.get(at, line.cells[at] if at < len(line.cells) else "") for at in range(width)]
        lines.append(Line(line.number, tuple(new)))
    return Sheet(tuple(lines))


def as_text(sheet: Sheet) -> str:
    """The sheet as CSV of which each line has its number again."""
    text = io.StringIO()
    lines, at = csv.writer(text, lineterminator="\n"), 1
    for line in sheet.lines:
        text.write("\n" * (line.number - at))
        lines.writerow(line.cells)
        at = line.number + 1
    return text.getvalue()


def heading(sheet: Sheet) -> Line:
    """The line that names the columns."""
    return next(line for line in sheet.lines if not line.cells[0].startswith("#"))


def changed(deck: Deck, cells: Mapping[str, str]) -> tuple[Deck, list[Finding]]:
    """The deck with this card in it, new or instead of the one of its id, and what is wrong with it."""
    ids = [old["id"] for old in deck.table.rows]
    before = next((old.cells for old in deck.table.rows if old["id"] == cells.get("id")), {})
    said = {**before, **cells}
    row = Row(0, {column: " ".join(said.get(column, "").split()) for column in COLUMNS[deck.kind]})
    if len(ids) >= CARDS and row["id"] not in ids:
        return deck, [Finding("error", "cards", message("a deck has at most {n} cards", n=CARDS))]
    if row["id"] in ids:
        rows = [row if old["id"] == row["id"] else old for old in deck.table.rows]
    else:
        sheet = Intake(deck.kind, Table({}, [row]), tuple(c for c in COLUMNS[deck.kind] if c != "id"), ())
        made = renewed(sheet, deck.name, deck.table).table.rows
        row = next(one for one in made if one["id"] not in ids) if len(made) > len(ids) else row
        rows = made
    if not row["id"]:
        wrong = message("this card stands in the deck already")
        return deck, [Finding("error", "twice", wrong, message("Change the one that is there."))]
    new = Deck(deck.name, deck.kind, Table(deck.table.about, rows))
    nothing = {c for c in ("de", "en", "source") if deck.kind == "events" and not any(r[c] for r in rows)}
    found = [one for one in lint(Table(deck.table.about, [row]), deck.kind, nothing) if one.card == row["id"]]
    return new, found or [*played(new)]


def without(deck: Deck, card: str) -> Deck:
    """The deck without this card."""
    rows = [row for row in deck.table.rows if row["id"] != card]
    if not rows:
        raise Invalid("a deck keeps one card at least: take the whole deck away")
    return Deck(deck.name, deck.kind, Table(deck.table.about, rows))


def shared(deck: Deck, *, shared: bool) -> Deck:
    """The deck for everybody's tables, or for its maker's only."""
    about = {key: said for key, said in deck.table.about.items() if key != PRIVATE}
    return Deck(deck.name, deck.kind, Table(about if shared else about | {PRIVATE: [[]]}, deck.table.rows))
