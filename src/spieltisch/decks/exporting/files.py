"""Exports of decks. `EXPORTS` lists all of them, for the command, the address and a deck's page."""

import json
from collections.abc import Callable

from msgspec import Struct

from spieltisch.decks.base_kind import DeckKind, kind_of
from spieltisch.decks.dates import historical
from spieltisch.decks.deck import Deck, date_of, eras_of
from spieltisch.decks.exporting import anki, questions
from spieltisch.decks.exporting.spreadsheets import as_csv
from spieltisch.decks.table import ADDED, Row
from spieltisch.i18n import N_


def as_kept(deck: Deck, _lang: str) -> str:
    """CSV."""
    return deck.text()


def for_spreadsheets(deck: Deck, _lang: str) -> str:
    """CSV that spreadsheets in any language open directly."""
    about = [[f"#{key}", *cells] for key, said in deck.table.about.items() for cells in said]
    columns = deck.columns
    return as_csv([*about, columns, *([row[column] for column in columns] for row in deck.table.rows)])


def for_programs(deck: Deck, _lang: str) -> str:
    """JSON: the deck's own lines, and its cards. Years are historical: -44 is 44 BC, and there is no year 0."""
    cards = [_card(deck, row) for row in deck.table.rows]
    whole = {"deck": deck.name, "kind": deck.kind, "about": deck.table.about, "cards": cards}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _card(deck: Deck, row: Row) -> dict[str, object]:
    columns = (one for one in kind_of(deck.kind).columns if one not in ADDED or row[one])
    card: dict[str, object] = {column: row[column] for column in columns}
    if kind_of(deck.kind).date and (date := date_of(row, deck.kind, eras_of(deck.table))):
        years = date.years.within({*deck.table.languages}).by_language
        card |= {"years": years, "first_year": historical(date.span.start)}
        card["last_year"] = historical(date.span.end)
    return card


class Export(Struct, frozen=True):
    """A format for exports."""

    made: Callable[[Deck, str], str | bytes]
    """Takes a deck and a reader's language. Bytes are never printed to a terminal."""
    ending: str
    """The file's extension."""
    media: str
    """The media type."""
    label: str
    """The label of the button on the deck's page: a message."""
    about: str
    """The text after the name in the command's help."""
    needs: str = ""
    """The method of a kind that has to make it; "" if none does."""

    def fits(self, kind: str) -> bool:
        """Whether decks of this kind can be exported in it."""
        return not self.needs or getattr(type(kind_of(kind)), self.needs) is not getattr(DeckKind, self.needs)


EXPORTS = {
    "excel": Export(
        for_spreadsheets, "csv", "text/csv", N_("for spreadsheets"),
        "CSV that a spreadsheet opens by itself (semicolons, marked as UTF-8)",
    ),
    "csv": Export(as_kept, "csv", "text/csv", N_("CSV"), "as decks are kept"),
    "json": Export(for_programs, "json", "application/json", N_("JSON"), "for programs"),
    "anki": Export(
        anki.package, "apkg", "application/octet-stream", N_("Anki"), "a package to learn with, needs --to", "note",
    ),
    "moodle": Export(
        questions.as_xml, "xml", "application/xml", N_("Moodle (XML)"), "questions for Moodle, in Moodle XML",
        "questions",
    ),
    "gift": Export(
        questions.as_gift, "txt", "text/plain", N_("Moodle (GIFT)"), "the same in its format GIFT", "questions",
    ),
}  # fmt: skip
