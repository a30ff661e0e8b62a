"""Firsts: achievements that a woman was the first to reach, their years, and the periods of these years.

A joker is an achievement that only men have reached so far. It has no year and belongs in the last period, the future.
The world can overtake it, so it has the days of its last check and its next one.
"""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from spieltisch.decks.choosing import Choosable
from spieltisch.decks.dates import is_day
from spieltisch.decks.deck import JOKER
from spieltisch.decks.table import ADDED, COMMENTS, TEXTS, WORDS, Row, Table, read_table
from spieltisch.decks.text import ALWAYS, NOTHING, TAGS, Text, folded, text_of
from spieltisch.decks.vocabulary import known
from spieltisch.game import Invalid

COLUMNS = ("id", "year", *TEXTS.values(), "who", "place", "country", "field", *COMMENTS.values(), "source")
COLUMNS += ("thing", "fact", "checked", "again", "corrected", "review")
OPTIONAL = ADDED | {"again", "corrected", "thing"}  # decks from before 28 November 2026 lack these
MOST_PERIODS = 40


class Period(Struct, frozen=True, gc=False):
    """Whole years from `start` to `end`, both included; the future has no end."""

    name: Text
    start: int
    end: int | None


class First(Struct, frozen=True, gc=False):
    """A card: `front` and `field` are on the front, the rest on the back. A joker has no year."""

    id: str
    front: Text
    year: int | None
    field: str = ""
    who: str = ""
    place: str = ""
    country: str = ""
    comment: Text = NOTHING
    source: str = ""
    fact: str = ""
    checked: str = ""
    review: str = ""
    things: tuple[str, ...] = ()  # see `things`; older tables keep all their cards
    corrected: str = ""  # day of its last correction, such as 2026-11-28


class Firsts(Choosable, frozen=True):
    """A deck. Raises Invalid, with the reason, if its parts do not fit together."""

    id: str
    periods: tuple[Period, ...]
    cards: tuple[First, ...]
    title: Text = NOTHING
    licence: str = ""
    authors: str = ""

    def __post_init__(self) -> None:
        _check_periods(self.periods)
        first = self.periods[0].start
        ids = set()
        for number, card in enumerate(self.cards, start=1):
            if not card.id:
                raise Invalid("card {number} has no id", number=number)
            if card.id in ids:
                raise Invalid("two cards have the id {id}", id=card.id)
            ids.add(card.id)
            if card.year is not None and card.year < first:
                raise Invalid("{id}: {year} is before the first period", id=card.id, year=card.year)

    def stands(self, card: First, column: str) -> Sequence[str]:
        if card.year is None:
            return ()
        if column == "field":
            return (card.field,) if card.field else ()
        if column == "period":
            periods = enumerate(self.periods)
            return (next(str(n) for n, one in periods if one.end is None or card.year <= one.end),)
        return ()

    def names(self, column: str) -> Mapping[str, Text]:
        if column == "period":
            return {str(n): one.name for n, one in enumerate(self.periods)}
        return known(column)

    def stays(self, card: First) -> bool:
        """The last column needs the jokers."""
        return card.year is None


def _check_periods(periods: tuple[Period, ...]) -> None:
    if len(periods) < 4:
        raise Invalid("a deck needs at least four periods; this one has {n}", n=len(periods))
    if len(periods) > MOST_PERIODS:
        raise Invalid("a deck can have at most {most} periods; this one has {n}", most=MOST_PERIODS, n=len(periods))
    year = periods[0].start
    if year < 1:
        raise Invalid("the first period cannot begin before the year 1, but begins in {year}", year=year)
    for number, period in enumerate(periods, start=1):
        if period.start != year:
            raise Invalid("period {n} has to begin in {year}", n=number, year=year)
        if (period.end is None) != (number == len(periods)):
            raise Invalid("only the last period is the future, and it has no end")
        if period.end is not None:
            if period.end < period.start:
                raise Invalid("period {n} ends before it begins", n=number)
            year = period.end + 1


def read_firsts(name: str, text: str) -> Firsts:
    """The deck in the text of a CSV table. Raises Invalid, with the line, if it is none."""
    table = read_table(text, tuple(c for c in COLUMNS if c not in OPTIONAL | WORDS))
    needed = table.needed or TAGS[:1]
    return Firsts(
        id=name,
        periods=periods_of(table),
        cards=tuple(_card(row, needed) for row in table.rows),
        title=table.title(name),
        licence=table.said("licence"),
        authors=table.said("authors"),
    )


def periods_of(table: Table) -> tuple[Period, ...]:
    """The periods declared above the cards, in order."""
    others = {  # by the first year: #period_it,1890,primo Novecento
        tag: {cells[0]: cells[1] for cells in table.about.get(f"period_{tag}", []) if len(cells) > 1} for tag in TAGS
    }
    return tuple(_period(cells, others) for cells in table.about.get("period", []))


def _period(cells: list[str], others: Mapping[str, Mapping[str, str]]) -> Period:
    line = ",".join(cells)
    if len(cells) not in (3, 4):
        raise Invalid("#period,{line}: write a German and an English name, a first and a last year", line=line)
    years = [_number(cell) for cell in cells[2:] if cell]
    if None in years or not years:
        raise Invalid("#period,{line}: the years are not whole numbers", line=line)
    names = dict(zip(ALWAYS, cells, strict=False))
    names |= {tag: name for tag, said in others.items() if (name := said.get(cells[2]))}
    return Period(text_of(names), years[0] or 0, years[1] if len(years) > 1 else None)


def _card(row: Row, needed: Sequence[str]) -> First:
    for column in ("id", *(TEXTS[lang] for lang in needed), "source"):
        if not row[column]:
            raise Invalid("line {line}: {column} is empty", line=row.line, column=column)
    year = None if row["year"] == JOKER else _number(row["year"])
    if year is None and row["year"] != JOKER:
        raise Invalid("line {line}: the year is neither a whole number nor joker", line=row.line)
    if year is None and not is_day(row["checked"]):
        raise Invalid("line {line}: a joker needs the day it was last checked, such as 2026-01-31", line=row.line)
    if row["again"] and not is_day(row["again"]):
        raise Invalid(
            "line {line}: {day} is not a day for the next check; write it like 2027-01", line=row.line, day=row["again"]
        )
    return First(
        id=row["id"],
        front=row.text(),
        year=year,
        comment=row.text(COMMENTS),
        things=things_of(row),
        **{key: row[key] for key in ("field", "who", "place", "country", "source", "fact", "checked", "review")},
        corrected=row["corrected"],
    )


def things_of(row: Row) -> tuple[str, ...]:
    """The woman, and the names from the deck's maker. A slash keeps her name apart from an equal word."""
    who = (folded(row["who"]),) if row["who"] else ()
    return who + tuple(f"/{name}" for one in row["thing"].split(";") if (name := folded(one.strip())))


def _number(cell: str) -> int | None:
    return int(cell) if re.fullmatch("[0-9]{1,9}", cell) else None
