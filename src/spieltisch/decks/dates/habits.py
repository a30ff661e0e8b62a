"""Dates as people write them besides: years cut short, before and after a year, parts of a century, months and days.

What could mean two things is refused with both, so that nothing is read as something else without a word.
"""

import re

from spieltisch.decks.dates.grammar import (
    AFTER,
    AROUND,
    Form,
    around,
    astronomical,
    backwards,
    counted,
    era,
    eras_of,
    pattern,
    single,
    the_hundreds,
    the_year,
    year,
)
from spieltisch.decks.dates.spans import Date, Span, years
from spieltisch.decks.text import Text
from spieltisch.game import Invalid
from spieltisch.i18n import N_

WITHIN = 100  # years before or after a year that "vor" and "nach" mean

MONTHS = (
    *(Text("Januar", "January"), Text("Februar", "February"), Text("März", "March"), Text("April", "April")),
    *(Text("Mai", "May"), Text("Juni", "June"), Text("Juli", "July"), Text("August", "August")),
    *(Text("September", "September"), Text("Oktober", "October"), Text("November", "November")),
    Text("Dezember", "December"),
)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SHORT = "jan jän jänner,feb feber,mär mrz mar maerz,apr,,jun,jul,aug,sep sept,okt oct,nov,dez dec"  # besides the names
_MONTH_OF = {
    word: number
    for number, (names, short) in enumerate(zip(MONTHS, _SHORT.split(","), strict=True), start=1)
    for word in (names.de.lower(), names.en.lower(), *short.split())
}
MONTH = rf"(?P<month>{'|'.join(sorted(_MONTH_OF, key=len, reverse=True))})\.?"

_AD = r"AD ?(?P<ad>\d+)"
_ANY_YEAR = rf"(?:{_AD}|{year()})"
_CENTURY = rf"(?P<number>\d+)(?:\. ?(?P<de>Jh\.|Jahrhunderts?)|(?P<ordinal>st|nd|rd|th)[ -]?(?P<en>c\.|century)){era()}"
_THIRDS = {
    "anfang": 0, "frühes": 0, "early": 0, "beginning": 0, "start": 0, "mitte": 1, "mid": 1, "middle": 1,
    "ende": 2, "spätes": 2, "late": 2, "end": 2,
}  # fmt: skip
_PARTS = (Text("Anfang", "early "), Text("Mitte", "mid-"), Text("Ende", "late "))
_HALVES = {"1.": 0, "erste": 0, "first": 0, "1st": 0, "2.": 1, "zweite": 1, "second": 1, "2nd": 1}


# -- years ---------------------------------------------------------------------------------------------------


def _any_year(found: re.Match[str], eras: str) -> Date:
    """A year whose era may stand before it (AD 105)."""
    if found["ad"]:
        return single(counted(found["ad"]), eras, after=True)
    return single(the_year(found), eras_of(found, eras), after=bool(found["after"]))


def _read_ad(found: re.Match[str], eras: str) -> Date:
    """In English as it is written, unless the deck calls the era otherwise; German has it behind."""
    year = single(counted(found["ad"]), eras, after=True)
    en = f"AD {found['ad']}" if year.text.en.endswith("AD") else year.text.en
    return Date(year.span, Text(year.text.de, en), year.years, "year")


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
    text = Text(*(one.replace(str(start), f"{start}{sign}{found['end']}", 1) for one in (name.de, name.en)))
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
    text = Text(*(one.replace(str(first), f"{first}/{found['last_year']}", 1) for one in (name.de, name.en)))
    return Date(span, text, years(span, eras), "span")


def _read_before(found: re.Match[str], eras: str) -> Date:
    known = _any_year(found, eras)
    span = Span(known.span.start - WITHIN, known.span.start - 1)
    text = Text(f"vor {known.text.de}", f"before {known.text.en}")
    return Date(span, text, years(span, eras_of(found, eras)), "before")


def _read_after(found: re.Match[str], eras: str) -> Date:
    known = _any_year(found, eras)
    span = Span(known.span.end + 1, known.span.end + WITHIN)
    text = Text(f"nach {known.text.de}", f"after {known.text.en}")
    return Date(span, text, years(span, eras_of(found, eras)), "after")


# -- parts of a century --------------------------------------------------------------------------------------


def _read_part(found: re.Match[str], eras: str) -> Date:
    whole, text = the_hundreds(found, 100, eras)
    part = _THIRDS[found["part"].lower()]
    first, last = ((0, 32), (33, 66), (67, 99))[part]
    span = Span(whole.start + first, whole.start + last)
    text = Text(f"{_PARTS[part].de} {_genitive(text.de)}", f"{_PARTS[part].en}{text.en}")
    return Date(span, text, years(span, eras_of(found, eras)), "part")


def _read_half(found: re.Match[str], eras: str) -> Date:
    whole, text = the_hundreds(found, 100, eras)
    half = _HALVES[found["half"].lower()]
    span = Span(whole.start + 50 * half, whole.start + 50 * half + 49)
    text = Text(f"{half + 1}. Hälfte {_genitive(text.de)}", f"{('first', 'second')[half]} half of the {text.en}")
    return Date(span, text, years(span, eras_of(found, eras)), "half")


def _genitive(century: str) -> str:
    """What stands behind its part: a short word as it is, the long one in full German."""
    return f"des {century.replace('Jahrhundert', 'Jahrhunderts')}" if "Jahrhundert" in century else century


# -- months and days -----------------------------------------------------------------------------------------


def _read_month(found: re.Match[str], eras: str) -> Date:
    return _in_year(found, eras, MONTHS[_MONTH_OF[found["month"].lower()] - 1], "month")


def _read_day(found: re.Match[str], eras: str) -> Date:
    month = _MONTH_OF[found["month"].lower()]
    return _in_year(found, eras, _day_in_words(found, month), "day")


def _read_numbers(found: re.Match[str], eras: str) -> Date:
    """12.5.1949 stays as it is in German; 1949-05-12, as spreadsheets write it, becomes that."""
    month = int(found["number_of_month"])
    words = _day_in_words(found, month)
    return _in_year(found, eras, Text(f"{int(found['day'])}.{month}.", words.en), "day")


def _read_timestamp(found: re.Match[str], eras: str) -> Date:
    """1969-07-20T00:00:00Z, as Wikidata writes days, and also years and months of which it knows no day: the year."""
    return single(counted(found["year"].lstrip("0")), eras, after=False)


def _day_in_words(found: re.Match[str], month: int) -> Text:
    day = int(found["day"])
    if not (1 <= month <= len(_DAYS) and 1 <= day <= _DAYS[month - 1]):
        raise Invalid("{date} is not a day in the calendar", date=found[0])
    return Text(f"{day}. {MONTHS[month - 1].de}", f"{day} {MONTHS[month - 1].en}")


def _in_year(found: re.Match[str], eras: str, before_it: Text, form: str) -> Date:
    known = _any_year(found, eras)
    if found["year"] and len(found["year"]) < 3 and not (found["before"] or found["after"]):
        raise Invalid("{date} may be in any century: write the whole year", date=found[0])
    between = "" if before_it.de.endswith(".") else " "
    text = Text(f"{before_it.de}{between}{known.text.de}", f"{before_it.en} {known.text.en}")
    return Date(known.span, text, known.years, form)


FORMS: tuple[Form, ...] = (
    (pattern(_AD), _read_ad),
    (pattern(AROUND + _AD), _read_around_ad),
    (pattern(rf"(?P<year>\d{{3,}}) ?(?P<dash>[-–/]) ?(?P<end>\d\d)(?: ?(?P<after>{AFTER}))?"), _read_short),
    (pattern(rf"(?P<year>\d+) ?/ ?{year('last_')}"), _read_slash),
    (pattern(rf"(?:vor|before) {_ANY_YEAR}"), _read_before),
    (pattern(rf"(?:nach|after) {_ANY_YEAR}"), _read_after),
    (pattern(rf"(?P<part>{'|'.join(_THIRDS)})(?:-| (?:des |of the |of |the )?){_CENTURY}"), _read_part),
    (pattern(rf"(?P<half>1\.|2\.|erste|zweite) ?Hälfte (?:des )?{_CENTURY}"), _read_half),
    (pattern(rf"(?P<half>first|second|1st|2nd) half (?:of )?(?:the )?{_CENTURY}"), _read_half),
    (pattern(rf"{MONTH} {_ANY_YEAR}"), _read_month),
    (pattern(rf"(?P<day>\d{{1,2}})(?:\. ?|(?:st|nd|rd|th)? ){MONTH},? {_ANY_YEAR}"), _read_day),
    (pattern(rf"{MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?, ?{_ANY_YEAR}"), _read_day),
    (pattern(rf"(?P<day>\d{{1,2}})\. ?(?P<number_of_month>\d{{1,2}})\. ?{_ANY_YEAR}"), _read_numbers),
    (
        pattern(rf"(?P<year>\d{{4}})-(?P<number_of_month>\d\d)-(?P<day>\d\d)(?:[T ]00:00:00)?{era()}(?P<ad>)"),
        _read_numbers,
    ),
    (pattern(r"\+?(?P<year>\d{4,})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"), _read_timestamp),
)
