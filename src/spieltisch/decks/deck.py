"""Any deck as its table, whatever kind it is: what is checked, counted, changed, handed out and printed."""

from typing import Literal

from msgspec import Struct

from spieltisch.decks import decktet, events, firsts, forms
from spieltisch.decks.dates import Span, read_date
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

    def text(self) -> str:
        """The deck as a CSV file."""
        return write_table(self.table, COLUMNS[self.kind])


def span_of(row: Row, kind: Kind) -> Span | None:
    """The years of a card; None for a joker, and for what cannot be read."""
    try:
        return read_date(row[DATE[kind]]).span
    except Invalid:
        return None
