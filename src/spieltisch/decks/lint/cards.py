"""The lint of decks: what keeps one from being played, what gives its cards away, what should be looked at.

A deck without errors can be read; a deck that shall be shared has no warnings either. Notes are only told.
"""

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from spieltisch.decks.base_kind import DeckKind, Found, kind_of
from spieltisch.decks.dates import LONG, Date, Span, read_date, years
from spieltisch.decks.dates.grammar import ABOUT, ANY
from spieltisch.decks.deck import span_of
from spieltisch.decks.findings import Finding, Message, Severity, message
from spieltisch.decks.lint import phrases
from spieltisch.decks.lint.printable import unprintable
from spieltisch.decks.lint.spoilers import spoilers
from spieltisch.decks.lint.suggestions import is_calendar_day, is_minus, suggestions
from spieltisch.decks.lint.whole import UNTIL_THEN, named, whole
from spieltisch.decks.table import COMMENTS, TEXTS, WORDS, Row, Table
from spieltisch.decks.text import ALWAYS, TAGS, Text, same
from spieltisch.decks.vocabulary import LEVELS, tags
from spieltisch.decks.vocabulary import TAGS as TAGGED
from spieltisch.game import HasCards, Invalid
from spieltisch.languages.patterns import Joined

LONGEST = 140  # characters on a front
LONGEST_COMMENT = 300
_NAMES = 12  # words of a name that are looked for on the front; signs that are named
_PRINTED = (*TEXTS.values(), *COMMENTS.values(), "source", "who", "place")
_ID = re.compile(r"[\w.-]{1,40}")
_CENTURIES_UNSURE = 10  # up to here a century may be of either era
_UNSURE = {"year", "before", "after"}  # and a year below 100
_EXACT = {"span", "around", "before", "after"}  # of centuries and decades everybody knows that they go on
_CUT_BEFORE = Joined(rf"(\d{{3,}}) ?[-–] ?(\d\d) ?(?:{ANY.before})", re.IGNORECASE)  # 149–46 BC: until 46, or 146?
Known = Mapping[str, Mapping[str, Text]]  # tags by column


def lint(table: Table, kind: str, nowhere: set[str] | None = None) -> list[Finding]:
    """All that is found in a deck whose cards have texts, line by line, then in the deck as a whole. `nowhere` are
    the columns in which no card has anything, told by the table if it is the whole deck.
    """
    of = kind_of(kind)
    if nowhere is None:
        nowhere = lacked(table, of)
    known = {column: tags(table, column) for column in TAGGED if column in of.columns}
    series = {*table.named("series")}
    spoken = [lang for lang, column in TEXTS.items() if column not in nowhere]
    cards = chain.from_iterable(_card(row, known, series, of, nowhere, spoken) for row in table.rows)
    found = [*cards, *whole(table, of, nowhere)]
    return sorted(found, key=lambda one: (one.line is None, one.line or 0))


def lacked(table: Table, kind: DeckKind[HasCards]) -> set[str]:
    """The columns of texts and sources that all cards lack, and may: a strict kind needs a source on every card, and
    says so there. If no card has a text, each lacks the first language.
    """
    spoken = table.languages or TAGS[:1]
    silent = {column for lang, column in TEXTS.items() if lang not in spoken}
    return silent if kind.strict or any(row["source"] for row in table.rows) else {*silent, "source"}


# -- a card --------------------------------------------------------------------------------------------------


def _card(
    row: Row, known: Known, series: set[str], kind: DeckKind[HasCards], nowhere: set[str], spoken: Sequence[str]
) -> Iterator[Finding]:
    rules = (
        *(_id(row), kind.dated(row), _texts(row, kind, spoken), _tags(row, known, series, kind)),
        *(_source(row, kind, nowhere), _era(row, kind)),
    )
    for severity, rule, wrong, *more in chain(*rules):
        right, *better = more or [None]
        yield Finding(severity, rule, wrong, right, row.line or None, row["id"], *better)


def _id(row: Row) -> Found:
    if not row["id"]:
        yield "error", "id", message("the card has no id"), message("Give it a short one that tells nothing: k7, q12.")
    elif not _ID.fullmatch(row["id"]):
        wrong = message("“{id}” cannot be an id", id=row["id"])
        yield "error", "id", wrong, message("Letters, digits, hyphens and full stops, 40 at most.")


def dated(cell: str, *, reviewed: bool = False) -> Found:
    """What is found in a date. Somebody who reviewed the card has seen that a recent day is meant."""
    try:
        date = read_date(cell)
    except Invalid as reason:
        wrong: Message | Invalid = reason
        if is_minus(cell):
            wrong = message("{date}: do not write years BC with a minus", date=cell)
        elif is_calendar_day(cell):
            wrong = message("{date} can be read in several ways; only the year counts on cards", date=cell)
        eras = _eras(cell)
        better = tuple(read_date(one, eras).text for one in suggestions(cell))
        yield "error", "date", wrong, _write(better), "date", tuple(map(_typed, better))
        return
    yield from (one for one in _read(cell, date) if not (reviewed and one[1] == "new-day"))


def _eras(cell: str) -> str:
    """What a suggestion calls the eras: as the cell does, else as the rules do."""
    return "v. Chr." if "chr" in cell.lower() else ""


def _read(cell: str, date: Date) -> Found:
    """What somebody should know who wrote this date."""
    today = dt.datetime.now(tz=dt.UTC).year
    if date.span.start > today:
        yield "error", "date", message("{date} is in the future", date=cell)
    elif date.span.end > today and date.form in _EXACT:
        known = date.span.start + ABOUT if date.form == "around" else date.span.start
        better = years(Span(known, today if known <= today and date.form != "around" else known))
        wrong = message("{date} counts as {years}, but it is only {today}", date=cell, years=date.years, today=today)
        yield "warning", "future", wrong, _write((better,)), "date", (_typed(better),)
    number = int(re.findall(r"\d+", cell)[0])
    unsure = {"century": number < _CENTURIES_UNSURE}.get(date.form, date.form in _UNSURE and number < 100)
    if unsure and not re.search(r"Chr|u\. ?Z|BC|AD|CE", cell, re.IGNORECASE) and date.span.end >= 1:
        wrong = message("{date} has no era and is read as AD", date=cell)
        yield "note", "era", wrong, message("Write {date} BC or {date} AD to be sure.", date=cell)
    if date.form in {"month", "day"}:
        yield "note", "day", message("{date}: only the year counts on cards, {years}", date=cell, years=date.years)
        if date.span.start >= today - 1:
            asked = message("{date} is a recent day: did a spreadsheet turn something else into it?", date=cell)
            yield "warning", "new-day", asked, message("Format the column of dates as text.")
    if date.form in {"before", "after"}:
        said = {"before": message("the hundred years before"), "after": message("the hundred years after")}[date.form]
        wrong = message("{date} counts as {years}, {said}", date=cell, years=date.years, said=said)
        yield "note", "open", wrong, message("Write the years if you know them more exactly.")
    if found := _CUT_BEFORE.fullmatch(" ".join(cell.split())):
        first, last = int(found[1]), int(found[2])
        full = f"{first}–{first - first % 100 + last} BC"
        if last < first % 100:
            other = read_date(full, _eras(cell)).text
            wrong = message(
                "{date} is read as {years}: did you mean {other}?", date=cell, years=date.years, other=other
            )
            yield "note", "cut-short", wrong, _write((other,)), "date", (_typed(other),)
    length = date.span.end - date.span.start + 1
    if length > LONG and date.form != "millennium":
        wrong = message(
            "{date} is a span of {n} years, {years}: the card is right almost anywhere",
            date=cell,
            n=length,
            years=date.years,
        )
        yield "note", "long-span", wrong, message("Write a shorter span if you know it.")


def _typed(date: Text) -> Text:
    """The date as somebody would type it."""
    return date.each(lambda said: said.replace("\u00a0", " "))


def _write(better: tuple[Text, ...]) -> Message:
    if not better:
        return message("Write it like 1903, 44 BC, 1848/49, around 1900, before 1500, 8th c. BC or 12 May 1949.")
    if len(better) == 1:
        return message("Write: {date}", date=better[0])
    return message("Write: {date}, or {other}", date=better[0], other=better[1])


def _texts(row: Row, kind: DeckKind[HasCards], spoken: Sequence[str]) -> Found:
    """What is found in the texts; some card of the deck is in each of the languages that are `spoken`."""
    if not row.languages:
        yield "error", "text", message("the card has no event") if kind.date else message("the card has no text")
        return
    severity: Severity = "error" if kind.strict else "warning"
    needed = [lang for lang in spoken if lang in ALWAYS] or spoken
    for lang, column in TEXTS.items():
        text = row[column]
        if not text:
            if lang in spoken:
                wrong = message("the {language} is missing", language=named(lang))
                yield severity if lang in needed else "note", "language", wrong, UNTIL_THEN
        elif (looks := phrases.language(text)) not in {lang, None}:
            wrong = message("this does not look like {language}: “{words}”", language=named(lang), words=_start(text))
            asked = message("Are the columns {one} and {other} swapped?", one=column, other=TEXTS[looks or lang])
            yield "warning", "language", wrong, asked
        if len(text) > LONGEST:
            wrong = message("{n} characters are too many for a card", n=len(text))
            yield "error", "long", wrong, message("{n} at most.", n=LONGEST)
        for told in spoilers(text[:LONGEST]) if kind.date else ():
            yield told.severity, "tells", told.wrong, told.right
        if len(row[COMMENTS[lang]]) > LONGEST_COMMENT:
            wrong = message("the comment has {n} characters", n=len(row[COMMENTS[lang]]))
            yield "warning", "long", wrong, message("{n} at most.", n=LONGEST_COMMENT)
    yield from kind.front(row)
    if signs := unprintable("".join(row[column] for column in _PRINTED)):
        wrong = message("the printing fonts lack {signs}", signs=" ".join(signs[:_NAMES]))
        yield "warning", "unprinted", wrong, message("Use other characters if you want to print the deck.")
    for column, cell in row.cells.items():
        if column not in {"id", kind.date}:
            for bad, rule, wrong, right, better in phrases.unfit(cell):
                yield bad, rule, wrong, right, column, (same(better),) if better else ()
        if column in WORDS:
            yield from phrases.unsafe(cell)


def _start(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _tags(row: Row, known: Known, series: set[str], kind: DeckKind[HasCards]) -> Found:
    for column in known:
        for one in row[column].split(";"):
            if one and one not in known[column]:
                wrong = message("the tag “{tag}” is not known", tag=one)
                right = message("Declare it above the cards: #{column},{tag},German,English", column=column, tag=one)
                yield "warning", "tag", wrong, right
    if "level" in kind.columns and row["level"] and row["level"] not in LEVELS:
        wrong = message("the level “{level}” is not known", level=row["level"])
        yield "warning", "tag", wrong, message("1 is easy, 3 is hard.")
    if "series" in kind.columns and row["series"] not in series:
        wrong = message("the series {series} is not described above", series=row["series"] or "–")
        right = message("Describe it above the cards: #series,{series},German,English", series=row["series"] or "x")
        yield "error", "series", wrong, right


def _source(row: Row, kind: DeckKind[HasCards], nowhere: set[str]) -> Found:
    if not row["source"] and kind.strict and "source" not in nowhere:
        yield (
            "error",
            "source",
            message("the source is missing"),
            message("Name a web address, a book or a Wikidata id."),
        )
    if re.match(r"(?!https?:)[a-z][a-z0-9+.-]*:(?!\s)", row["source"], re.IGNORECASE):
        wrong = message("the source “{source}” is not a web address", source=_start(row["source"]))
        yield "error", "source", wrong, message("Addresses begin with https://")


def _era(row: Row, kind: DeckKind[HasCards]) -> Found:
    """Whether the comment speaks of one era alone and the date is of the other."""
    span = span_of(row, kind.name)
    before, after = phrases.eras(" ".join(row[column] for column in COMMENTS.values()))
    if span is None or before == after:
        return
    if (before and span.start >= 1) or (after and span.end < 1):
        spoken = message("BC") if before else message("AD")
        wrong = message("the date is {years}, but the comment is about years {era}", years=years(span), era=spoken)
        yield "warning", "era", wrong, message("Is the era of the date right?")
