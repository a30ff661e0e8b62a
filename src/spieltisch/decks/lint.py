"""The lint of decks: what keeps one from being played, what gives its cards away, what should be looked at.

A deck without errors can be read; a deck that shall be shared has no warnings either. Notes are only told.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from spieltisch.decks import phrases
from spieltisch.decks.alike import alike
from spieltisch.decks.dates import Span, notation, read_date, years
from spieltisch.decks.findings import Finding, Message, Severity, message
from spieltisch.decks.firsts import is_day
from spieltisch.decks.intake import DATE, JOKER, Kind
from spieltisch.decks.mends import is_day as is_calendar_day
from spieltisch.decks.mends import is_minus, mend
from spieltisch.decks.table import Row, Table
from spieltisch.decks.tells import tells
from spieltisch.decks.vocabulary import tags
from spieltisch.game import Unreadable

LONGEST = 140  # characters on a front
LONGEST_COMMENT = 300
LEVELS = ("1", "2", "3")
_ID = re.compile(r"[\w.-]{1,40}")
_ENOUGH = 8  # cards, before an order can be told from chance
_ORDERED = 0.5  # a rank correlation as far from 0 as that is no chance
_CENTURIES_UNSURE = 10  # up to here a century may be of either era
_LANGUAGES = {"de": message("German"), "en": message("English")}


def lint(table: Table, kind: Kind) -> list[Finding]:
    """All that is found in a deck of events or of firsts, line by line, then in the deck as a whole."""
    found = [*chain.from_iterable(_card(row, table, kind) for row in table.rows), *_deck(table, kind)]
    return sorted(found, key=lambda one: (one.line is None, one.line or 0))


def span_of(row: Row, kind: Kind) -> Span | None:
    """The years of a card; None for a joker, and for what cannot be read."""
    try:
        return read_date(row[DATE[kind]]).span
    except Unreadable:
        return None


# -- a card --------------------------------------------------------------------------------------------------


def _card(row: Row, table: Table, kind: Kind) -> Iterator[Finding]:
    for severity, rule, wrong, *right in chain(
        *(_id(row), _date(row, kind), _texts(row, kind), _tags(row, table, kind), _source(row, kind), _era(row, kind))
    ):
        yield Finding(severity, rule, wrong, right[0] if right else None, row.line or None, row["id"])


Found = Iterator[tuple]


def _id(row: Row) -> Found:
    if not row["id"]:
        yield "error", "id", message("the card has no id"), message("Give it a short one that tells nothing: k7, q12.")
    elif not _ID.fullmatch(row["id"]):
        wrong = message("{id} is no id", id=f"“{row['id']}”")
        yield "error", "id", wrong, message("Letters, digits, hyphens and points, 40 at most.")


def _date(row: Row, kind: Kind) -> Found:
    cell = row[DATE[kind]]
    if kind == "firsts":
        yield from _first(row)
        return
    try:
        date = read_date(cell)
    except Unreadable as reason:
        wrong: Message | Unreadable = reason
        if is_minus(cell):
            wrong = message("{date}: years before our era are not written with a minus", date=cell)
        elif is_calendar_day(cell):
            wrong = message("{date} is a day in the calendar; on cards there are years", date=cell)
        yield "error", "date", wrong, _better(cell)
        return
    today = dt.datetime.now(tz=dt.UTC).year
    if date.span.start > today:
        yield "error", "date", message("{date} lies in the future", date=cell)
    number = int(re.findall(r"\d+", cell)[0])
    without_era = re.fullmatch(r"\D*\d+\D*", cell) and date.text.de in {years(date.span).de, f"{number}. Jh."}
    unsure = {"year": number < 100, "century": number < _CENTURIES_UNSURE}.get(notation(cell), False)
    if unsure and without_era and not re.search(r"n\.|AD|CE", cell, re.IGNORECASE) and date.span.end >= 1:
        wrong = message("{date} has no era and is read as AD", date=cell)
        yield "note", "era", wrong, message("Write {date} BC or {date} AD to be sure.", date=cell)


def _better(cell: str) -> Message:
    better = mend(cell)
    if better is None:
        return message("Write it as 1903, 44 BC, 1903–1907, um 1900, 8. Jh. v.Chr. or 1960s.")
    return message("Write {date}.", date=better)


def _first(row: Row) -> Found:
    cell = row["year"]
    if cell == JOKER:
        if not is_day(row["checked"]):
            right = message("Write it as 2026-01-31 or 2026-01.")
            yield "error", "date", message("a joker needs the day of its last check"), right
    elif not re.fullmatch("[0-9]{1,9}", cell) or int(cell) == 0:
        right = message("Write one whole year, such as 1903, or joker.")
        yield "error", "date", message("{date} is not a year from 1 on", date=cell or "–"), right
    elif int(cell) > dt.datetime.now(tz=dt.UTC).year:
        yield "error", "date", message("{date} lies in the future", date=cell), message("Make it a joker.")


def _texts(row: Row, kind: Kind) -> Found:
    if not (row["de"] or row["en"]):
        yield "error", "text", message("the card has no event")
        return
    severity: Severity = "error" if kind == "firsts" else "warning"
    for lang in ("de", "en"):
        language = _LANGUAGES[lang]
        if not row[lang]:
            wrong = message("the {language} is missing", language=language)
            yield severity, "language", wrong, message("Until then the other language is shown.")
        elif phrases.language(row[lang]) not in {lang, None}:
            wrong = message("this does not look like {language}: {words}", language=language, words=_start(row[lang]))
            yield "warning", "language", wrong, message("Are the columns de and en swapped?")
        if len(row[lang]) > LONGEST:
            wrong = message("{n} characters are too long for a card", n=len(row[lang]))
            yield "error", "long", wrong, message("{n} at most.", n=LONGEST)
        for told in tells(row[lang]):
            yield told.severity, "tells", told.wrong, told.right
        if len(row[f"comment_{lang}"]) > LONGEST_COMMENT:
            wrong = message("the comment has {n} characters", n=len(row[f"comment_{lang}"]))
            yield "warning", "long", wrong, message("{n} at most.", n=LONGEST_COMMENT)
    if kind == "firsts":
        yield from _named(row)
    for column, cell in row.cells.items():
        if column not in {"id", DATE[kind]}:
            yield from phrases.unfit(cell)
        if column in {"de", "en", "comment_de", "comment_en"}:
            yield from phrases.unsafe(cell)


def _named(row: Row) -> Found:
    for name in re.findall(r"[\w’-]{4,}", row["who"]):
        if any(re.search(rf"\b{re.escape(name)}\b", row[lang]) for lang in ("de", "en")):
            wrong = message("the front names her: {name}", name=name)
            yield "warning", "tells", wrong, message("Name her in the comment.")


def _start(text: str) -> str:
    return f"“{text if len(text) <= 40 else text[:39] + '…'}”"


def _tags(row: Row, table: Table, kind: Kind) -> Found:
    for column in ("field", "region") if kind == "events" else ("field",):
        known = tags(table, column)
        for one in row[column].split(";"):
            if one and one not in known:
                wrong = message("the tag {tag} is not known", tag=f"“{one}”")
                right = message("Declare it above the cards: #{column},{tag},German,English", column=column, tag=one)
                yield "warning", "tag", wrong, right
    if kind == "events":
        if row["level"] and row["level"] not in LEVELS:
            wrong = message("the level {level} is not known", level=f"“{row['level']}”")
            yield "warning", "tag", wrong, message("1 is easy, 3 is hard.")
        if row["series"] not in {cells[0] for cells in table.about.get("series", []) if cells}:
            wrong = message("the series {series} is not described above", series=f"“{row['series']}”")
            right = message("Describe it above the cards: #series,{series},German,English", series=row["series"] or "x")
            yield "error", "series", wrong, right


def _source(row: Row, kind: Kind) -> Found:
    if not row["source"]:
        severity: Severity = "error" if kind == "firsts" else "warning"
        yield severity, "source", message("the source is missing"), message("An address, a book, a Wikidata id.")
    elif re.match(r"(?!https?:)[a-z][a-z0-9+.-]*:(?!\s)", row["source"], re.IGNORECASE):
        wrong = message("the source {source} is no address of a page", source=_start(row["source"]))
        yield "error", "source", wrong, message("Addresses begin with https://")


def _era(row: Row, kind: Kind) -> Found:
    """Whether the comment speaks of one era alone and the date is of the other."""
    span = span_of(row, kind)
    before, after = phrases.eras(f"{row['comment_de']} {row['comment_en']}")
    if span is None or before == after:
        return
    if (before and span.start >= 1) or (after and span.end < 1):
        spoken = message("before our era") if before else message("of our era")
        wrong = message("the date is {years}, the comment speaks {era}", years=years(span), era=spoken)
        yield "warning", "era", wrong, message("Is the era of the date right?")


# -- the deck ------------------------------------------------------------------------------------------------


def _deck(table: Table, kind: Kind) -> Iterator[Finding]:
    if not table.rows:
        yield Finding("error", "cards", message("the deck has no cards"))
    for key, wrong in (("title", message("the deck has no title")), ("licence", message("the deck has no licence"))):
        if not any(cell for cells in table.about.get(key, []) for cell in cells):
            yield Finding("note", "about", wrong, message("A line above the cards: #{key},…", key=key))
    yield from _same(table)
    for rows in _groups(table, kind):
        yield from _near(rows)
    yield from _dates(table, kind)
    yield from _order(table, kind)


def _same(table: Table) -> Iterator[Finding]:
    ids: dict[str, Row] = {}
    fronts: dict[tuple[str, str], Row] = {}
    for row in table.rows:
        if row["id"] and (first := ids.setdefault(row["id"], row)) is not row:
            wrong = message("the id is that of {card}", card=_place(first))
            yield Finding("error", "id", wrong, message("Every card has its own."), row.line or None, row["id"])
        front = (row["de"] or row["en"], row["en"] or row["de"])
        if any(front) and (first := fronts.setdefault(front, row)) is not row:
            wrong = message("the event is that of {card}", card=_place(first))
            yield Finding("error", "twice", wrong, message("Take one of them out."), row.line or None, row["id"])


def _groups(table: Table, kind: Kind) -> Iterable[list[Row]]:
    """The cards that may be one: firsts of two women never are, however much their fronts are alike."""
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        groups.setdefault(row["who"] if kind == "firsts" else "", []).append(row)
    return groups.values()


def _near(rows: list[Row]) -> Iterator[Finding]:
    seen = set()
    for lang in ("de", "en"):
        for one, before in alike([row[lang] for row in rows]):
            row, first = rows[one], rows[before]
            if one not in seen and (row["de"], row["en"]) != (first["de"], first["en"]):
                seen.add(one)
                wrong = message("says nearly the same as {card}", card=_place(first))
                right = message("Take one of them out, or tell what makes them different.")
                yield Finding("warning", "alike", wrong, right, row.line or None, row["id"])


def _dates(table: Table, kind: Kind) -> Iterator[Finding]:
    first: dict[Span, Row] = {}
    for row in table.rows:
        span = span_of(row, kind)
        if span and (before := first.setdefault(span, row)) is not row:
            wrong = message("has the date of {card}: {years}", card=_place(before), years=years(span))
            yield Finding("note", "same-date", wrong, None, row.line or None, row["id"])


def _order(table: Table, kind: Kind) -> Iterator[Finding]:
    """Whether the ids, counted up, follow the dates, or have the years in them."""
    telling = [row["id"] for row in table.rows if _has_year(row["id"], span_of(row, kind))]
    if len(telling) > max(2, len(table.rows) // 20):  # fewer are chance
        wrong = message("{n} ids have the year in them, such as {id}", n=len(telling), id=telling[0])
        yield Finding("warning", "id-order", wrong, message("Mix the cards and number them anew."))
    dated = [(re.sub(r"\d+", lambda n: n[0].zfill(9), row["id"]), span_of(row, kind)) for row in table.rows]
    known = [span.start for _, span in sorted((one for one in dated if one[1]), key=lambda one: one[0]) if span]
    if len(known) >= _ENOUGH and abs(rank_correlation(known)) >= _ORDERED:
        wrong = message("the ids follow the order of the dates: who sees an id can guess")
        yield Finding("warning", "id-order", wrong, message("Mix the cards and number them anew."))


def _has_year(name: str, span: Span | None) -> bool:
    told = {int(digits) for digits in re.findall(r"\d{3,}", name)}
    return span is not None and bool(told & {abs(n) for year in (span.start, span.end) for n in (year, 1 - year)})


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
    return message("line {line}", line=row.line) if row.line else message("the card {card}", card=row["id"])
