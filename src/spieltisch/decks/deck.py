"""Any deck as its table, whatever kind it is: what is checked, counted, changed, handed out and printed."""

from typing import Literal

from msgspec import Struct

from spieltisch.decks import decktet, events, firsts, forms
from spieltisch.decks.dates import Date, Span, read_date
from spieltisch.decks.findings import Finding
from spieltisch.decks.table import Row, Table, write_table
from spieltisch.decks.text import Text
from spieltisch.game import Invalid

Kind = Literal["events", "firsts", "forms", "decktet"]
COLUMNS: dict[Kind, tuple[str, ...]] = {
    "events": events.COLUMNS,
    "firsts": firsts.COLUMNS,
    "forms": forms.COLUMNS,
    "decktet": decktet.COLUMNS,
}
OPTIONAL = events.OPTIONAL | firsts.OPTIONAL
"""The columns that a deck may lack."""
DATE: dict[Kind, str] = {"events": "date", "firsts": "year"}
"""The column of the date, for the kinds that have one."""


class Deck(Struct, frozen=True):
    """A deck as its table, and what was found in it if somebody looked."""

    name: str
    kind: Kind
    table: Table
    found: tuple[Finding, ...] = ()

    @property
    def title(self) -> Text:
        return self.table.title(self.name)

    @property
    def columns(self) -> list[str]:
        """The columns that it is written with: of those that decks may lack, the ones in which something stands."""
        lacking = {one for one in OPTIONAL if not any(row[one] for row in self.table.rows)}
        return [one for one in COLUMNS[self.kind] if one not in lacking]

    def text(self) -> str:
        """The deck as a CSV file."""
        return write_table(self.table, self.columns)


def span_of(row: Row, kind: Kind) -> Span | None:
    """The years of a card; None for a joker, and for what cannot be read."""
    date = date_of(row, kind)
    return date.span if date else None


def date_of(row: Row, kind: Kind, eras: str = "") -> Date | None:
    """The date of a card, its eras called as the deck has chosen; None for a joker, and for what cannot be read."""
    try:
        return read_date(row[DATE[kind]], eras)
    except Invalid:
        return None
