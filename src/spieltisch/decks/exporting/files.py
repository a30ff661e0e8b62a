"""Decks as they are handed out: for spreadsheets and for programs. As CSV a deck is handed out as it is kept."""

import csv
import io
import json
from typing import Any

from spieltisch.decks.dates import years
from spieltisch.decks.deck import COLUMNS, DATE, Deck, span_of
from spieltisch.decks.lint.phrases import is_formula
from spieltisch.decks.table import Row


def for_spreadsheets(deck: Deck) -> str:
    """CSV that spreadsheets of every language open by themselves: semicolons, and a mark that it is UTF-8.

    What would begin a formula gets an apostrophe in front, so that nothing is ever computed.
    """
    text = io.StringIO()
    lines = csv.writer(text, delimiter=";", lineterminator="\r\n")
    for key, said in deck.table.about.items():
        lines.writerows([f"#{key}", *map(_harmless, cells)] for cells in said)
    columns = COLUMNS[deck.kind]
    lines.writerow(columns)
    lines.writerows([_harmless(row[column]) for column in columns] for row in deck.table.rows)
    return f"\ufeff{text.getvalue()}"


def _harmless(cell: str) -> str:
    return f"'{cell}" if is_formula(cell) else cell


def for_programs(deck: Deck) -> str:
    """JSON: what the deck tells of itself, and its cards. Years are numbered as history does: -44 is 44 BC, and
    there is no year 0.
    """
    cards = [_card(deck, row) for row in deck.table.rows]
    whole = {"deck": deck.name, "kind": deck.kind, "about": deck.table.about, "cards": cards}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _card(deck: Deck, row: Row) -> dict[str, Any]:
    card: dict[str, Any] = {column: row[column] for column in COLUMNS[deck.kind]}
    if deck.kind in DATE and (span := span_of(row, deck.kind)):
        said = years(span)
        card |= {"years": {"de": said.de, "en": said.en}, "first_year": _historical(span.start)}
        card["last_year"] = _historical(span.end)
    return card


def _historical(year: int) -> int:
    return year if year > 0 else year - 1
