"""Dates as people write them besides: years cut short, before and after a year, parts of a century, months and days.

What could mean two things is refused with both, so that nothing is read as something else without a word.
"""

import datetime as dt
import re
from collections.abc import Callable

from spieltisch.decks.dates.grammar import (
    ANY,
    Form,
    around,
    backwards,
    counted,
    eras_of,
    pattern,
    single,
    the_hundreds,
    the_year,
)
from spieltisch.decks.dates.spans import Date, Span, astronomical, years
from spieltisch.decks.dates.words import WORDS, Words, either, in_each
from spieltisch.decks.text import Text, text_of
from spieltisch.game import Invalid
from spieltisch.i18n import N_

WITHIN = 100  # years before or after a year that "vor" and "nach" mean

MONTHS = tuple(text_of({tag: words.months[at] for tag, words in WORDS.items()}) for at in range(12))
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH_OF = {
    word: at + 1
    for words in WORDS.values()
    for at, (name, short) in enumerate(zip(words.months, words.short, strict=True))
    for word in (name.lower(), *short.split())
}
MONTH = rf"(?P<month>{either(_MONTH_OF)})\.?"

_READ = [words.read for words in WORDS.values()]
_AD = rf"(?:{either(one.first_era for one in _READ) or '(?!)'}) ?(?P<ad>\d+)"
_ANY_YEAR = rf"(?:{_AD}|{ANY.year()})"
_PART = "|".join(rf"(?P<part_{at}>{either(one.parts[at] for one in _READ)})" for at in range(3))
_JOINED = either(one.joined for one in _READ)
_HALF = "|".join(rf"(?P<half_{at}>{either(one.halves[at] for one in _READ)})" for at in range(2))


# -- years ---------------------------------------------------------------------------------------------------


def _any_year(found: re.Match[str], eras: str) -> Date:
    """A year whose era may stand before it (AD 105)."""
    if found["ad"]:
        return single(counted(found["ad"]), eras, after=True)
    return single(the_year(found), eras_of(found, eras), after=bool(found["after"]))


def _read_ad(found: re.Match[str], eras: str) -> Date:
    """As it is written in languages that have this era before the year, unless the deck calls the era otherwise."""
    year = single(counted(found["ad"]), eras, after=True)

    def written(tag: str, words: Words) -> str:
        era, behind = words.read.first_era, year.text[tag]
        return f"{era} {found['ad']}" if era and behind.endswith(era) else behind

    return Date(year.span, in_each(written), year.years, "year")


def _read_around_ad(found: re.Match[str], eras: str) -> Date:
    return around(found["word"], counted(found["ad"]), eras, after=True)


def _read_short(found: re.Match[str], eras: str) -> Date:
    """1848/49, 1789/90, 1618-48, 793/94: the end shares its first digits with the beginning."""
    start, last, dash = counted(found["year"]), int(found["end"]), found["dash"]
    end = start - start % 100 + last
    next_year = last == (start + 1) % 100
    if dash == "/" and next_year:
        end = start + 1
    elif dash != "–" and 1 <= last <= 12 and not found["after"]:
        text = N_("{date} may be a month or a span: write {year}, or {year}–{end}")
        raise Invalid(text, date=found[0], year=start, end=max(end, start + 1))
    elif start < 1000 and not found["after"]:
        raise Invalid("{date} may be BC or AD: write both years in full", date=found[0])
    if end <= start:
        backwards(found[0])
    span, eras = Span(start, end), eras_of(found, eras)
    name = years(Span(start, start), eras, after=bool(found["after"]))
    sign = "/" if dash == "/" else "–"
    text = name.each(lambda one: one.replace(str(start), f"{start}{sign}{found['end']}", 1))
    return Date(span, text, years(span, eras), "span")


def _read_slash(found: re.Match[str], eras: str) -> Date:
    """1848/1849, 44/43 v. Chr.: two whole years; 218/17 v. Chr.: two in a row."""
    first, last, before = counted(found["year"]), counted(found["last_year"]), bool(found["last_before"])
    if before and last < 100 <= first and last == (first - 1) % 100:
        last = first - 1
    elif len(found["year"]) != len(found["last_year"]) or (first < 100 and not before):
        raise Invalid(
            "{date} can be read in several ways: write both years in full, with – between them", date=found[0]
        )
    span = Span(astronomical(first, before=before), astronomical(last, before=before))
    if span.start > span.end:
        backwards(found[0])
    eras = eras_of(found, eras)
    name = years(Span(span.start, span.start), eras, after=bool(found["last_after"]))
    text = name.each(lambda one: one.replace(str(first), f"{first}/{found['last_year']}", 1))
    return Date(span, text, years(span, eras), "span")


def _read_before(found: re.Match[str], eras: str) -> Date:
    known = _any_year(found, eras)
    span = Span(known.span.start - WITHIN, known.span.start - 1)
    text = in_each(lambda tag, words: words.written.before.format(date=known.text[tag]))
    return Date(span, text, years(span, eras_of(found, eras)), "before")


def _read_after(found: re.Match[str], eras: str) -> Date:
    known = _any_year(found, eras)
    span = Span(known.span.end + 1, known.span.end + WITHIN)
    text = in_each(lambda tag, words: words.written.after.format(date=known.text[tag]))
    return Date(span, text, years(span, eras_of(found, eras)), "after")


# -- parts of a century --------------------------------------------------------------------------------------


def _read_part(found: re.Match[str], eras: str) -> Date:
    whole, name = the_hundreds(found, 100, eras, within=True)
    part = next(at for at in range(3) if found[f"part_{at}"])
    first, last = ((0, 32), (33, 66), (67, 99))[part]
    span = Span(whole.start + first, whole.start + last)
    text = in_each(lambda tag, words: words.written.parts[part].format(century=name[tag]))
    return Date(span, text, years(span, eras_of(found, eras)), "part")


def _read_half(found: re.Match[str], eras: str) -> Date:
    whole, name = the_hundreds(found, 100, eras, within=True)
    half = 0 if found["half_0"] else 1
    span = Span(whole.start + 50 * half, whole.start + 50 * half + 49)
    text = in_each(lambda tag, words: words.written.halves[half].format(century=name[tag]))
    return Date(span, text, years(span, eras_of(found, eras)), "half")


# -- months and days -----------------------------------------------------------------------------------------


def _read_month(found: re.Match[str], eras: str) -> Date:
    return _in_year(found, eras, lambda words: words.written.month, _MONTH_OF[found["month"].lower()])


def _read_day(found: re.Match[str], eras: str) -> Date:
    return _in_day(found, eras, _MONTH_OF[found["month"].lower()], lambda words: words.written.day)


def _read_numbers(found: re.Match[str], eras: str) -> Date:
    """12.5.1949 stays as it is in languages that write days so; 1949-05-12, as spreadsheets do, becomes that."""
    month = int(found["number_of_month"])
    return _in_day(found, eras, month, lambda words: words.written.numbers or words.written.day)


def _read_timestamp(found: re.Match[str], eras: str) -> Date:
    """1969-07-20T00:00:00Z, as Wikidata writes days, and also years and months of which it knows no day: the year."""
    return single(counted(found["year"].lstrip("0")), eras, after=False)


def _in_day(found: re.Match[str], eras: str, month: int, phrase: Callable[[Words], str]) -> Date:
    day = int(found["day"])
    if not (1 <= month <= len(_DAYS) and 1 <= day <= _DAYS[month - 1]):
        raise Invalid("{date} is not a day in the calendar", date=found[0])
    return _in_year(found, eras, phrase, month, day)


def _in_year(found: re.Match[str], eras: str, phrase: Callable[[Words], str], month: int, day: int = 0) -> Date:
    known = _any_year(found, eras)
    if found["year"] and len(found["year"]) < 3 and not (found["before"] or found["after"]):
        raise Invalid("{date} may be in any century: write the whole year", date=found[0])

    def written(tag: str, words: Words) -> str:
        return phrase(words).format(day=day, month=words.months[month - 1], number=month, date=known.text[tag])

    return Date(known.span, in_each(written), known.years, "day" if day else "month")


def day_in_words(day: dt.date) -> Text:
    """A day of our calendar."""
    return in_each(
        lambda _, words: words.written.day.format(day=day.day, month=words.months[day.month - 1], date=day.year)
    )


_DAY = r"(?P<day>\d{1,2})"
_DAYS_WRITTEN = [one.replace("{day}", _DAY).replace("{month}", MONTH) for read in _READ for one in read.days]
_ISO = rf"(?P<year>\d{{4}})-(?P<number_of_month>\d\d)-(?P<day>\d\d)(?:[T ]00:00:00)?{ANY.era()}(?P<ad>)"
FORMS: tuple[Form, ...] = (
    (pattern(_AD), _read_ad),
    (pattern(ANY.around + _AD), _read_around_ad),
    (pattern(rf"(?P<year>\d{{3,}}) ?(?P<dash>[-–/]) ?(?P<end>\d\d)(?: ?(?P<after>{ANY.after}))?"), _read_short),
    (pattern(rf"(?P<year>\d+) ?/ ?{ANY.year('last_')}"), _read_slash),
    (pattern(rf"(?:{either(one.before for one in _READ)}) {_ANY_YEAR}"), _read_before),
    (pattern(rf"(?:{either(one.after for one in _READ)}) {_ANY_YEAR}"), _read_after),
    (pattern(rf"(?:{_PART})(?:-| (?:{_JOINED})?){ANY.within}"), _read_part),
    (pattern(rf"(?:{_HALF}){ANY.within}"), _read_half),
    (pattern(rf"{MONTH} {_ANY_YEAR}"), _read_month),
    *((pattern(one + _ANY_YEAR), _read_day) for one in _DAYS_WRITTEN),
    (pattern(rf"(?P<day>\d{{1,2}})\. ?(?P<number_of_month>\d{{1,2}})\. ?{_ANY_YEAR}"), _read_numbers),
    (pattern(_ISO), _read_numbers),
    (pattern(r"\+?(?P<year>\d{4,})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"), _read_timestamp),
)
