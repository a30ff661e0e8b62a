"""Decks of dated events.

A table of events has the columns below; the date is written once, in either language, as `dates` reads it.
Lines above them: `#title,<de>,<en>`, a `#series,<id>,<de>,<en>` for each series, `#licence,…`, `#authors,…`.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from msgspec import Struct

from spieltisch.decks.dates import Span, read_date
from spieltisch.decks.table import Row, read_table
from spieltisch.decks.text import Text
from spieltisch.game import Invalid

COLUMNS = (
    *("id", "series", "date", "de", "en", "comment_de", "comment_en", "source"),
    *("fact", "field", "region", "level", "review"),
)


class Event(Struct, frozen=True, gc=False):
    """A card: the event on its front; on its back the date with its years, a comment and the source.

    `written` is the date as the deck has it. Fields, regions and level sort a deck; they never go to a table.
    """

    id: str
    front: Text
    written: str
    span: Span
    date: Text
    comment: Text = Text("", "")
    source: str = ""
    series: str = ""
    fields: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    level: str = ""


class Series(Struct, frozen=True):
    """A part of a deck that can be left out or mixed in."""

    id: str
    title: Text


class Events(Struct, frozen=True):
    """A deck: its name, its cards, what it tells about itself."""

    id: str
    cards: tuple[Event, ...]
    title: Text = Text("", "")
    series: tuple[Series, ...] = ()
    licence: str = ""
    authors: str = ""


def event(card: str, date: str) -> Event:
    """A card of which nothing but its name and its date is told."""
    read = read_date(date)
    return Event(card, Text(card, card), date, read.span, read.text)


def read_events(content: str, name: str) -> Events:
    """The deck in this CSV text; Invalid, naming the line, where a card cannot be used."""
    table = read_table(unicodedata.normalize("NFC", content), COLUMNS)
    series = tuple(Series(cells[0], _text(cells[1:])) for cells in table.about.get("series", []) if cells)
    known = {one.id for one in series}
    if len(known) < len(series):
        raise Invalid("a series is described twice")
    cards = tuple(_cards(table.rows, known))
    for field in ("id", "front"):
        seen: dict[object, int] = {}
        for row, card in zip(table.rows, cards, strict=True):
            if (first := seen.setdefault(getattr(card, field), row.line)) != row.line:
                raise Invalid(
                    "line {line}: the {what} is that of line {first}",
                    line=row.line,
                    what={"id": "id", "front": "event"}[field],
                    first=first,
                )
    return Events(name, cards, table.title(""), series, table.said("licence"), table.said("authors"))


def _cards(rows: Sequence[Row], series: set[str]) -> Iterator[Event]:
    for row in rows:
        try:
            yield _card(row, series)
        except Invalid as reason:
            raise Invalid("line {line}: {reason}", line=row.line, reason=str(reason)) from None


def _card(row: Row, series: set[str]) -> Event:
    if not row["id"]:
        raise Invalid("the card has no id")
    if not (row["de"] or row["en"]):
        raise Invalid("the card has no event")
    if row["series"] not in series:
        raise Invalid("the series {series} is not described above", series=row["series"])
    date = read_date(row["date"])
    return Event(
        id=row["id"],
        front=_text([row["de"], row["en"]]),
        written=row["date"],
        span=date.span,
        date=date.text,
        comment=_text([row["comment_de"], row["comment_en"]]),
        source=row["source"],
        series=row["series"],
        fields=_tags(row["field"]),
        regions=_tags(row["region"]),
        level=row["level"],
    )


def _tags(cell: str) -> tuple[str, ...]:
    return tuple(tag for tag in cell.split(";") if tag)


def _text(cells: Sequence[str]) -> Text:
    """A text of which one language may be missing: then it is the other."""
    de, en = [*cells, "", ""][:2]
    return Text(de or en, en or de)


def mix(decks: Sequence[Events], series: Sequence[str] | None = None) -> Events:
    """Several decks as one, in this order, or only these series of them."""
    if not decks:
        raise Invalid("no deck is chosen")
    cards = [card for deck in decks for card in deck.cards]
    parts = {one.id: one for deck in decks for one in deck.series}
    if len({card.id for card in cards}) < len(cards):
        raise Invalid("the decks {names} cannot be mixed: they have cards of the same id", names=_names(decks))
    if series is not None:
        for one in series:
            if one not in parts:
                raise Invalid("there is no series {series} in {names}", series=one, names=_names(decks))
        cards = [card for card in cards if card.series in series]
        parts = {one: parts[one] for one in parts if one in series}
    if len(decks) == 1 and series is None:
        return decks[0]
    title = Text(" + ".join(deck.title.de for deck in decks), " + ".join(deck.title.en for deck in decks))
    licence, authors = (
        "; ".join(dict.fromkeys(said for deck in decks if (said := getattr(deck, key))))
        for key in ("licence", "authors")
    )
    return Events("+".join(deck.id for deck in decks), tuple(cards), title, tuple(parts.values()), licence, authors)


def _names(decks: Sequence[Events]) -> str:
    return ", ".join(deck.id for deck in decks)
