"""Cards of a deck changed one by one, and only into such as have no error; decks shared and kept for oneself."""

from collections.abc import Mapping

from spieltisch.decks.check import played
from spieltisch.decks.dates import ERAS
from spieltisch.decks.deck import COLUMNS, Deck
from spieltisch.decks.findings import Finding, message
from spieltisch.decks.importing.columns import Intake
from spieltisch.decks.importing.lines import Line
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import CELL
from spieltisch.decks.library import PRIVATE
from spieltisch.decks.lint.cards import lint
from spieltisch.decks.table import Row, Table
from spieltisch.decks.text import composed
from spieltisch.game import Invalid

CARDS = 10_000  # of a deck


def changed(deck: Deck, cells: Mapping[str, str]) -> tuple[Deck, list[Finding]]:
    """The deck with this card in it, new or instead of the one of its id, and what is wrong with it."""
    ids = [old["id"] for old in deck.table.rows]
    before = next((old.cells for old in deck.table.rows if old["id"] == cells.get("id")), {})
    said = {**before, **cells}
    row = Row(0, {column: composed(" ".join(said.get(column, "").split())) for column in COLUMNS[deck.kind]})
    if (longest := max(map(len, row.cells.values()))) > CELL:
        wrong = message("a cell has {n} characters, at most {most} are read", n=longest, most=CELL)
        return deck, [Finding("error", "cells", wrong)]
    if len(ids) >= CARDS and row["id"] not in ids:
        return deck, [Finding("error", "cards", message("a deck has at most {n} cards", n=CARDS))]
    if row["id"] in ids:
        rows = [row if old["id"] == row["id"] else old for old in deck.table.rows]
    else:
        given = tuple(c for c in COLUMNS[deck.kind] if c != "id")
        sheet = Intake(deck.kind, Table({}, [row]), Line(0, given), given)
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


def with_eras(deck: Deck, eras: str) -> Deck:
    """The deck with its eras called so, one of `ERAS`; with "" as each date writes them."""
    if eras not in ERAS:
        raise Invalid("This is not one of the choices.")
    about = {key: said for key, said in deck.table.about.items() if key != "eras"}
    return Deck(deck.name, deck.kind, Table(about | {"eras": [[eras]]} if eras else about, deck.table.rows))


def shared(deck: Deck, *, shared: bool) -> Deck:
    """The deck for everybody's tables, or for its maker's only."""
    about = {key: said for key, said in deck.table.about.items() if key != PRIVATE}
    return Deck(deck.name, deck.kind, Table(about if shared else about | {PRIVATE: [[]]}, deck.table.rows))
