"""Counts a deck's cards by century, field, region, goal, level, language, notation and series."""

from collections import Counter
from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from spieltisch.decks.base_kind import D, DeckKind, kind_of
from spieltisch.decks.dates import Span, century
from spieltisch.decks.deck import JOKER, date_of, span_of
from spieltisch.decks.findings import in_all, message
from spieltisch.decks.table import Row, Table
from spieltisch.decks.text import Text, same, together
from spieltisch.decks.vocabulary import TAGS, tags
from spieltisch.i18n import N_
from spieltisch.languages import LANGUAGES

Counts = tuple[tuple[Text, int], ...]

_NOTATIONS = {
    "year": N_("year"),
    "span": N_("span"),
    "around": N_("around"),
    "century": N_("century"),
    "millennium": N_("millennium"),
    "decade": N_("decade"),
    "before": N_("before"),
    "after": N_("after"),
    "part": N_("early, mid, late"),
    "half": N_("half"),
    "month": N_("month"),
    "day": N_("day"),
    JOKER: N_("joker"),
}
_NONE = same("–")


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
    counts = {column: _most(same(row[column]) if row[column] else _NONE for row in table.rows) for column in columns}
    return Stats(len(table.rows), counts=counts)


def of_dates(table: Table, kind: DeckKind[D]) -> Stats:
    """The counts of a deck whose cards have dates."""
    spans = [span for row in table.rows if (span := span_of(row, kind.name))]
    counts = {"century": tuple(_in_time(spans)), **kind.in_time(table)}
    counts["notation"] = _most(_notations()[_notation(row, kind)] for row in table.rows if _notation(row, kind))
    for column in (one for one in TAGS if one in kind.columns):
        known = tags(table, column)
        each = [one for row in table.rows for one in row[column].split(";")]
        if column == "goal":  # cards without one are the rule
            each = [*filter(None, each)]
        if each:
            counts[column] = _most(known.get(one, same(one) if one else _NONE) for one in each)
    if "country" in kind.columns:
        counts["country"] = _most(same(row["country"]) for row in table.rows if row["country"])
    if "level" in kind.columns:
        counts["level"] = tuple(sorted(_most(same(one) for row in table.rows if (one := row["level"] or "–"))))
    if "series" in kind.columns:
        series = table.named("series")
        counts["series"] = _most(series.get(row["series"], _NONE) for row in table.rows)
    counts["language"] = _most(_spoken(row.languages) for row in table.rows)
    return Stats(
        cards=len(table.rows),
        before_1500=sum(span.end < 1500 for span in spans),
        before_our_era=sum(span.start < 1 for span in spans),
        not_a_plain_year=sum(span.start != span.end for span in spans),
        counts=counts,
    )


@cache
def _spoken(languages: tuple[str, ...]) -> Text:
    """The names of the languages."""
    names = [in_all(message(LANGUAGES[one].english)) for one in languages]
    return together(lambda lang: " + ".join(one[lang] for one in names), *names) if names else _NONE


@cache
def _notations() -> dict[str, Text]:
    return {one: in_all(message(said)) for one, said in _NOTATIONS.items()}


def _most(names: Iterable[Text]) -> Counts:
    return tuple(sorted(Counter(names).items(), key=lambda one: (-one[1], one[0])))


def _in_time(spans: Iterable[Span]) -> Iterable[tuple[Text, int]]:
    return Counter(century(span) for span in sorted(spans)).items()


def _notation(row: Row, kind: DeckKind[D]) -> str:
    if date := date_of(row, kind.name):
        return date.form
    return JOKER if row[kind.date] == JOKER else ""
