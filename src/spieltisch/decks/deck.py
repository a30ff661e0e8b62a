"""A deck as its table, whatever kind it is: what is checked, counted, changed, handed out and printed."""

from msgspec import Struct

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import ERAS, Date, Span, read_date
from spieltisch.decks.findings import Finding
from spieltisch.decks.table import Row, Table, write_table
from spieltisch.decks.text import Text
from spieltisch.game import Invalid

JOKER = "joker"
"""What stands in the column of the date of a card that has none and goes to the end of time."""


class Deck(Struct, frozen=True):
    """A deck as its table, the name of its kind, and what was found in it if somebody looked."""

    name: str
    kind: str
    table: Table
    found: tuple[Finding, ...] = ()

    @property
    def title(self) -> Text:
        return self.table.title(self.name)

    @property
    def columns(self) -> list[str]:
        """The columns that it is written with: of those that decks may lack, the ones in which something stands."""
        kind = kind_of(self.kind)
        lacking = {one for one in kind.optional if not any(row[one] for row in self.table.rows)}
        return [one for one in kind.columns if one not in lacking]

    def text(self) -> str:
        """The deck as a CSV file."""
        return write_table(self.table, self.columns)


def eras_of(table: Table) -> str:
    """What the deck calls the eras, one of `ERAS`; "" where each date calls them as it is written."""
    chosen = table.said("eras")
    return chosen if chosen in ERAS else ""


def span_of(row: Row, kind: str) -> Span | None:
    """The years of a card; None for a joker, and for what cannot be read."""
    date = date_of(row, kind)
    return date.span if date else None


def date_of(row: Row, kind: str, eras: str = "") -> Date | None:
    """The date of a card, its eras called as the deck has chosen; None for a joker, and for what cannot be read."""
    try:
        return read_date(row[kind_of(kind).date], eras)
    except Invalid:
        return None
