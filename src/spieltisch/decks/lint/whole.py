"""The lint of a deck as a whole: cards that are one another, dates that are one, ids that tell, what all lack."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from spieltisch.decks.base_kind import DeckKind
from spieltisch.decks.dates import Span, years
from spieltisch.decks.deck import date_of, span_of
from spieltisch.decks.findings import Finding, Listed, Message, message
from spieltisch.decks.lint.alike import alike
from spieltisch.decks.table import TEXTS, Row, Table
from spieltisch.decks.text import Text, folded, same
from spieltisch.game import HasCards
from spieltisch.i18n import N_
from spieltisch.languages import LANGUAGES

UNTIL_THEN = message("Until then another language is shown.")
_NAMED = 10  # cards that are named where many are meant
_ENOUGH = 8  # cards, before an order can be told from chance
_FEW = 4  # cards, among which no date can be called far from the others
_FAR = 500  # years between a date and all others, if these are no further apart than that
_SPREAD = 3_000  # years that are looked through for what may have been meant
_ORDERED = 0.5  # a rank correlation as far from 0 as that tells an order
_RISING = 0.1  # and so does a share of rising steps as far from half of them
_CHANCE = 2.6  # standard deviations that one deck in a hundred has by chance


def named(lang: str) -> Message:
    """The name of a language."""
    return message(LANGUAGES[lang].english)


def whole(table: Table, kind: DeckKind[HasCards], nowhere: set[str]) -> Iterator[Finding]:
    """What is found in the deck; `nowhere` are the columns in which no card has anything."""
    if not table.rows:
        yield Finding("error", "cards", message("the deck has no cards"))
        return
    yield from _missing(table, kind, nowhere)
    yield from _sources(table, kind)
    for key, wrong in (("title", message("the deck has no title")), ("licence", message("the deck has no licence"))):
        if not (table.title("").languages if key == "title" else table.said(key)):
            yield Finding("note", "about", wrong, message("A line above the cards: #{key},…", key=key))
    yield from _same(table, kind)
    for rows in _groups(table, kind):
        yield from _near(rows)
    yield from _dates(table, kind)
    yield from _alone(table, kind)
    yield from _order(table, kind)


def _missing(table: Table, kind: DeckKind[HasCards], nowhere: set[str]) -> Iterator[Finding]:
    """What all cards lack is said once, and the language if there is one alone."""
    needed = kind.strict
    if "source" in nowhere and "source" in kind.columns:
        right = message("Name a web address, a book or a Wikidata id.")
        yield Finding("error" if needed else "warning", "source", message("no card has a source"), right)
    if len(table.languages) == 1:
        wrong = message("all cards are in one language alone: {language}", language=named(table.languages[0]))
        yield Finding("note", "language", wrong, message("Readers of other languages see this one."))


def _sources(table: Table, kind: DeckKind[HasCards]) -> Iterator[Finding]:
    """Cards that have no source, and need none, where others have one, are told together."""
    without = [row for row in table.rows if not row["source"]]
    if not kind.strict and 0 < len(without) < len(table.rows):
        listed = Listed(tuple(_place(row) for row in without[:_NAMED]), len(without) - _NAMED)
        wrong = message("{n} of {m} cards have no source: {cards}", n=len(without), m=len(table.rows), cards=listed)
        yield Finding("warning", "source", wrong, message("Name a web address, a book or a Wikidata id."))


def _same(table: Table, kind: DeckKind[HasCards]) -> Iterator[Finding]:
    ids: dict[str, Row] = {}
    fronts: dict[Text, Row] = {}
    for row in table.rows:
        if row["id"] and (first := ids.setdefault(row["id"], row)) is not row:
            wrong = message("the id is already that of {card}", card=_place(first))
            yield Finding("error", "id", wrong, message("Every card has its own."), row.line or None, row["id"])
        front = row.text().each(folded)
        if front.languages and (first := fronts.setdefault(front, row)) is not row:
            said = N_("the event is already that of {card}") if kind.date else N_("the text is already that of {card}")
            wrong = message(said, card=_place(first))
            drop = _says_the_same(row, first, kind)  # of two dates nobody can tell which is right
            right = message("Remove one of them.")
            yield Finding("error", "twice", wrong, right, row.line or None, row["id"], drop=drop)


def _says_the_same(one: Row, other: Row, kind: DeckKind[HasCards]) -> bool:
    """Whether two cards with one front also have the same date, or the same in all columns if they have none."""
    if kind.date:
        return span_of(one, kind.name) == span_of(other, kind.name)
    return all(one[column] == other[column] for column in kind.columns if column != "id")


def _groups(table: Table, kind: DeckKind[HasCards]) -> Iterable[list[Row]]:
    """The cards that may be one."""
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        groups.setdefault(kind.apart(row), []).append(row)
    return groups.values()


def _near(rows: list[Row]) -> Iterator[Finding]:
    seen = set()
    for column in TEXTS.values():
        for one, before in alike([row[column] for row in rows]):
            row, first = rows[one], rows[before]
            if one not in seen and row.text() != first.text():
                seen.add(one)
                wrong = message("says nearly the same as {card}", card=_place(first))
                right = message("Remove one of them, or say what makes them different.")
                yield Finding("warning", "alike", wrong, right, row.line or None, row["id"])


def _dates(table: Table, kind: DeckKind[HasCards]) -> Iterator[Finding]:
    first: dict[Span, Row] = {}
    for row in table.rows:
        span = span_of(row, kind.name)
        if span and (before := first.setdefault(span, row)) is not row:
            wrong = message("has the date of {card}: {years}", card=_place(before), years=years(span))
            yield Finding("note", "same-date", wrong, None, row.line or None, row["id"])


def _alone(table: Table, kind: DeckKind[HasCards]) -> Iterator[Finding]:
    """The one year far from all others, whose writer may have left out a digit, or mistyped one."""
    read = [(row, date) for row in table.rows if (date := date_of(row, kind.name))]
    if len(read) <= _FEW:
        return
    by_year = sorted(read, key=lambda one: one[1].span.start)
    for (row, date), others in ((by_year[0], by_year[1:]), (by_year[-1], by_year[:-1])):
        cell = row[kind.date]
        first, last = others[0][1].span.start, max(one.span.end for _, one in others)
        gap = first - date.span.end if date.span.start < first else date.span.start - last
        if not cell.isdecimal() or gap < max(_FAR, last - first):
            continue
        middle = others[len(others) // 2][1].span.start
        likely = sorted(_slips(cell, first, last), key=lambda one: abs(one - middle))[:2]
        wrong = message("{date} is far from all the other dates, {years}", date=cell, years=years(Span(first, last)))
        right = message("Check whether a digit is missing.")
        if likely:
            right = message("Did you mean {date}?", date=str(likely[0]))
        better = tuple(same(str(one)) for one in likely)
        yield Finding("warning", "alone", wrong, right, row.line or None, row["id"], kind.date, better)


def _slips(cell: str, first: int, last: int) -> Iterator[int]:
    """The years from first to last of which this may be what is left, or that differ from it in one digit."""
    for one in range(max(1, first), min(last, first + _SPREAD) + 1):
        digits = str(one)
        if len(digits) == len(cell):
            fits = sum(a != b for a, b in zip(digits, cell, strict=True)) == 1
        else:
            fits = digits.endswith(cell) or cell in {digits[:at] + digits[at + 1 :] for at in range(len(digits))}
        if fits:
            yield one


def _order(table: Table, kind: DeckKind[HasCards]) -> Iterator[Finding]:
    """Whether the ids, counted up, follow the dates, or have the years in them."""
    telling = [row["id"] for row in table.rows if _has_year(row["id"], span_of(row, kind.name))]
    if len(telling) > max(2, len(table.rows) // 20):  # fewer are chance
        wrong = message("{n} ids have the year in them, such as {id}", n=len(telling), id=telling[0])
        yield Finding("warning", "id-order", wrong, message("Shuffle the cards and number them again."))
    years_by_id: dict[str, list[tuple[str, int]]] = {}
    for row in table.rows:
        if span := span_of(row, kind.name):
            counted = re.sub(r"\d+", lambda n: n[0].zfill(9), row["id"])
            for letters in dict.fromkeys(("", row["id"].rstrip("0123456789"))):
                years_by_id.setdefault(letters, []).append((counted, span.start))
    for letters, each in years_by_id.items():
        if len(each) >= _ENOUGH and _follows([year for _, year in sorted(each)]):
            wrong = message("the ids {ids} follow the order of the dates: they help to guess", ids=f"{letters}…")
            yield Finding("warning", "id-order", wrong, message("Shuffle the cards and number them again."))


def _follows(numbers: list[int]) -> bool:
    """Whether numbers ascend or descend more than chance would have it, and enough to be of use to a player: as a
    whole, or mostly from one to the next, as where several ordered lists were put together.
    """
    if abs(rank_correlation(numbers)) >= max(_ORDERED, _CHANCE / (len(numbers) - 1) ** 0.5):
        return True
    pairs = [(one, other) for one, other in pairwise(numbers) if one != other]
    if len(pairs) < _ENOUGH:
        return False
    ascending = sum(one < other for one, other in pairs) / len(pairs)
    return abs(ascending - 0.5) >= max(_RISING, _CHANCE * ((len(pairs) + 2) / 12) ** 0.5 / len(pairs))


def _has_year(name: str, span: Span | None) -> bool:
    told = {digits.lstrip("0") for digits in re.findall(r"\d{3,}", name)}
    return span is not None and bool(told & {str(abs(n)) for year in (span.start, span.end) for n in (year, 1 - year)})


def rank_correlation(numbers: list[int]) -> float:
    """How far the numbers follow the order in which they stand: 1 ascending, -1 descending, near 0 mixed."""
    n = len(numbers)
    rank = {number: sum(at) / len(at) for number, at in _places(sorted(numbers)).items()}
    middle = (n - 1) / 2
    over = sum((row - middle) * (rank[number] - middle) for row, number in enumerate(numbers))
    spread = sum((row - middle) ** 2 for row in range(n)) * sum((rank[number] - middle) ** 2 for number in numbers)
    return over / spread**0.5 if spread else 0.0


def _places(numbers: list[int]) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, number in enumerate(numbers):
        places.setdefault(number, []).append(place)
    return places


def _place(row: Row) -> Message:
    return message("line {line}", line=row.line) if row.line else message("the card “{words}”", words=row.named)
