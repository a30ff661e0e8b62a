"""Counts a deck's cards by century, field, region, goal, level, language, notation and series."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from spieltisch.decks.base_kind import D, DeckKind, kind_of
from spieltisch.decks.dates import Span, century
from spieltisch.decks.deck import JOKER, date_of, span_of
from spieltisch.decks.table import Row, Table
from spieltisch.decks.text import Text
from spieltisch.decks.vocabulary import TAGS, declared, tags

Counts = tuple[tuple[Text, int], ...]

_NOTATIONS = {
    "year": Text("Jahr", "year"),
    "span": Text("von – bis", "span"),
    "around": Text("um", "around"),
    "century": Text("Jahrhundert", "century"),
    "millennium": Text("Jahrtausend", "millennium"),
    "decade": Text("Jahrzehnt", "decade"),
    "before": Text("vor", "before"),
    "after": Text("nach", "after"),
    "part": Text("Anfang, Mitte, Ende", "early, mid, late"),
    "half": Text("Hälfte", "half"),
    "month": Text("Monat", "month"),
    "day": Text("Tag", "day"),
    JOKER: Text("Joker", "joker"),
}
_LANGUAGES = {
    ("de", "en"): Text("beide", "both"),
    ("de",): Text("nur Deutsch", "German only"),
    ("en",): Text("nur Englisch", "English only"),
}
_NONE = Text("–", "–")


class Stats(Struct, frozen=True):
    """The number of cards, of early ones, of those with other dates than a year, and counts by column."""

    cards: int
    before_1500: int = 0
    before_our_era: int = 0
    not_a_plain_year: int = 0
    counts: dict[str, Counts] = {}


def stats(table: Table, kind: str) -> Stats:
    """The counts of a deck."""
    return kind_of(kind).stats(table)


def of_columns(table: Table, columns: Iterable[str]) -> Stats:
    """Counts of the values in these columns."""
    counts = {column: _most(Text(row[column], row[column]) for row in table.rows) for column in columns}
    return Stats(len(table.rows), counts=counts)


def of_dates(table: Table, kind: DeckKind[D]) -> Stats:
    """The counts of a deck whose cards have dates."""
    spans = [span for row in table.rows if (span := span_of(row, kind.name))]
    counts = {"century": tuple(_in_time(spans)), **kind.in_time(table)}
    counts["notation"] = _most(_NOTATIONS[_notation(row, kind)] for row in table.rows if _notation(row, kind))
    for column in (one for one in TAGS if one in kind.columns):
        known = tags(table, column)
        each = [one for row in table.rows for one in row[column].split(";")]
        if column == "goal":  # cards without one are the rule
            each = [*filter(None, each)]
        if each:
            counts[column] = _most(known.get(one, Text(one, one) if one else _NONE) for one in each)
    if "country" in kind.columns:
        counts["country"] = _most(Text(row["country"], row["country"]) for row in table.rows if row["country"])
    if "level" in kind.columns:
        counts["level"] = tuple(sorted(_most(Text(one, one) for row in table.rows if (one := row["level"] or "–"))))
    if "series" in kind.columns:
        series = declared(table, "series")
        counts["series"] = _most(series.get(row["series"], _NONE) for row in table.rows)
    languages = (_LANGUAGES.get(tuple(lang for lang in ("de", "en") if row[lang]), _NONE) for row in table.rows)
    counts["language"] = _most(languages)
    return Stats(
        cards=len(table.rows),
        before_1500=sum(span.end < 1500 for span in spans),
        before_our_era=sum(span.start < 1 for span in spans),
        not_a_plain_year=sum(span.start != span.end for span in spans),
        counts=counts,
    )


def _most(names: Iterable[Text]) -> Counts:
    return tuple(sorted(Counter(names).items(), key=lambda one: (-one[1], one[0])))


def _in_time(spans: Iterable[Span]) -> Iterable[tuple[Text, int]]:
    return Counter(century(span) for span in sorted(spans)).items()


def _notation(row: Row, kind: DeckKind[D]) -> str:
    if date := date_of(row, kind.name):
        return date.form
    return JOKER if row[kind.date] == JOKER else ""
