"""Decks of dated events.

A table of events has the columns below; the date is written once, in any language, as `dates` reads it. Lines above
them: `#title,<de>,<en>`; a `#series,<id>,<de>,<en>` for each series; `#goal,<id>,<de>,<en>` for a learning goal; the
same in another language, `#title_it,<it>`, `#series_it,<id>,<it>`; `#licence,…`; `#authors,…`; and `#eras,v. u. Z.`
(or `v. Chr.`) to override how cards name the years before our era.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from spieltisch.decks.choosing import Choosable
from spieltisch.decks.dates import Span, read_date, read_recorded
from spieltisch.decks.deck import eras_of
from spieltisch.decks.table import ADDED, COMMENTS, TEXTS, WORDS, Row, Table, read_table
from spieltisch.decks.text import NOTHING, Text, composed, folded, same, together
from spieltisch.decks.vocabulary import TAGS, epoch, known
from spieltisch.game import Invalid

COLUMNS = (
    *("id", "series", "date", *TEXTS.values(), *COMMENTS.values(), "source"),
    *("fact", "field", "region", "level", "goal", "thing", "corrected", "review"),
)
OPTIONAL = ADDED | {"goal", "thing", "corrected"}  # older decks lack these columns


class Event(Struct, frozen=True, gc=False):
    """A card: the event on its front; on its back the date with its years, a comment and the source.

    `written` is the date as in the deck. Fields, regions, level and goals sort a deck and never go to a table.
    """

    id: str
    front: Text
    written: str
    span: Span
    date: Text
    comment: Text = NOTHING
    source: str = ""
    series: str = ""
    fields: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    level: str = ""
    goals: tuple[str, ...] = ()
    things: tuple[str, ...] = ()  # what it is about; `things` leaves one card of each
    corrected: str = ""  # day of its last correction, such as 2026-11-28


class Series(Struct, frozen=True):
    """A part of a deck that tables can leave out or mix in."""

    id: str
    title: Text


class Events(Choosable, frozen=True):
    """A deck: its name, its cards, its own data. `declared` are the names of its own tags, by column."""

    id: str
    cards: tuple[Event, ...]
    title: Text = NOTHING
    series: tuple[Series, ...] = ()
    licence: str = ""
    authors: str = ""
    declared: dict[str, dict[str, Text]] = {}  # noqa: RUF012 - a Struct makes a new one each time

    def stands(self, card: Event, column: str) -> Sequence[str]:
        match column:
            case "goal":
                return card.goals
            case "level":
                return (card.level,) if card.level else ()
            case "field":
                return card.fields
            case "region":
                return card.regions
            case "period":
                return (epoch(card.span.start),)
        return ()

    def names(self, column: str) -> Mapping[str, Text]:
        if column == "period":
            return known("period")
        return {**known(column), **self.declared.get(column, {})}

    def parts(self) -> Sequence[tuple[str, Text]]:
        return [(one.id, one.title) for one in self.series]


def event(card: str, date: str) -> Event:
    """A card from a record, which gives only its name and date."""
    read = read_recorded(date)
    return Event(card, same(card), date, read.span, read.text)


def read_events(content: str, name: str) -> Events:
    """The deck in this CSV text. Raises Invalid, with the line, if a card cannot be used."""
    table = read_table(composed(content), tuple(c for c in COLUMNS if c not in OPTIONAL | WORDS))
    series = tuple(Series(one, title) for one, title in table.named("series").items())
    if len([cells for cells in table.about.get("series", []) if cells]) > len(series):
        raise Invalid("a series is described twice")
    cards = tuple(_cards(table, {one.id for one in series}, name))
    for field in ("id", "front"):
        seen: dict[object, int] = {}
        for row, card in zip(table.rows, cards, strict=True):
            if (first := seen.setdefault(getattr(card, field), row.line)) != row.line:
                raise Invalid(
                    "line {line}: same {what} as in line {first}",
                    line=row.line,
                    what={"id": "id", "front": "event"}[field],
                    first=first,
                )
    about = (table.title(""), series, table.said("licence"), table.said("authors"))
    return Events(name, cards, *about, {column: table.named(column) for column in TAGS})


def _cards(table: Table, series: set[str], deck: str) -> Iterator[Event]:
    eras = eras_of(table)
    for row in table.rows:
        try:
            yield _card(row, series, eras, deck)
        except Invalid as reason:
            raise Invalid("line {line}: {reason}", line=row.line, reason=str(reason)) from None


def _card(row: Row, series: set[str], eras: str, deck: str) -> Event:
    if not row["id"]:
        raise Invalid("the card has no id")
    front = row.text()
    if not front.languages:
        raise Invalid("the card has no event")
    if row["series"] not in series:
        raise Invalid("the series {series} is not described above", series=row["series"])
    date = read_date(row["date"], eras)
    return Event(
        id=row["id"],
        front=front,
        written=row["date"],
        span=date.span,
        date=date.text.within(front.languages),
        comment=row.text(COMMENTS),
        source=row["source"],
        series=row["series"],
        fields=_tags(row["field"]),
        regions=_tags(row["region"]),
        level=row["level"],
        goals=_tags(row["goal"]),
        things=things_of(row, deck),
        corrected=row["corrected"],
    )


def _tags(cell: str) -> tuple[str, ...]:
    return tuple(tag for tag in cell.split(";") if tag)


def things_of(row: Row, deck: str) -> tuple[str, ...]:
    """What the card is about: the Wikidata item or article at the start of its `fact`, and its maker's own names. Two
    decks in a mix may use the same name for different things, but not the same item or article.
    """
    item = re.match(r"Q\d+|[^/:\s]+(?=/)", row["fact"])
    named = (folded(one.strip()) for one in row["thing"].split(";"))
    said = tuple(one.upper() if re.fullmatch(r"q\d+", one) else f"{deck}/{one}" for one in named if one)
    return ((item[0],) if item else ()) + said


def mix(decks: Sequence[Events], series: Sequence[str] | None = None) -> Events:
    """Join several decks in this order, or only these of their series."""
    if not decks:
        raise Invalid("no deck is chosen")
    cards = [card for deck in decks for card in deck.cards]
    parts = {one.id: one for deck in decks for one in deck.series}
    if len({card.id for card in cards}) < len(cards):
        raise Invalid("the decks {names} cannot be mixed: some of their cards have the same id", names=_names(decks))
    if series is not None:
        for one in series:
            if one not in parts:
                raise Invalid("there is no series {series} in {names}", series=one, names=_names(decks))
        cards = [card for card in cards if card.series in series]
        parts = {one: parts[one] for one in parts if one in series}
    if len(decks) == 1 and series is None:
        return decks[0]
    titles = [deck.title for deck in decks]
    title = together(lambda lang: " + ".join(one[lang] for one in titles), *titles)
    licence, authors = (
        "; ".join(dict.fromkeys(said for deck in decks if (said := getattr(deck, key))))
        for key in ("licence", "authors")
    )
    name, about = "+".join(deck.id for deck in decks), (title, tuple(parts.values()), licence, authors)
    own = {c: {tag: said for deck in decks for tag, said in deck.declared.get(c, {}).items()} for c in TAGS}
    return Events(name, tuple(cards), *about, own)


def _names(decks: Sequence[Events]) -> str:
    return ", ".join(deck.id for deck in decks)
