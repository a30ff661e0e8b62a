"""Dates as people write them on cards, and the years they mean.

Every date is a closed span of years. Inside, years are whole numbers without a gap (1 BC is 0, 2 BC is -1);
nobody is ever shown that counting. What is read, in either language, letter case and kinds of blanks free:

    1903 · 44 v.u.Z. · 44 BC · 79 n.Chr.          a year, with or without era
    1903–1907 · 44–42 BC · 8 BC–3                 from year to year, an era only at the end holds for both
    um 1900 · ca. 1900 · around 1900              five years before to five years after
    20. Jh. · 8th c. BC · 1. Jahrtausend v.u.Z.   year 01 to year 00 of a century, 1 to 1000 of a millennium
    1960er · 1960s                                ten years

Everything else is refused with a reason.
"""

import re
from typing import NoReturn

from msgspec import Struct

from spieltisch.decks.text import Text
from spieltisch.game import Invalid

ABOUT = 5  # years on either side of "around"
_LONGEST = 60  # characters of a date
_DIGITS = 11  # of a year: enough for the age of the world
_NB = "\u00a0"


class Span(Struct, frozen=True, order=True, gc=False):
    """From the start of one year to the end of another, or of the same."""

    start: int
    end: int


class Date(Struct, frozen=True, gc=False):
    """The years of a date and how it is written in both languages."""

    span: Span
    text: Text


def parse(text: str) -> Span:
    """The years that a date means; Invalid, with the reason, where it is not one."""
    return read_date(text).span


def read_date(text: str) -> Date:
    """A date with its years and its form in both languages; Invalid where it is not one."""
    if len(text) > _LONGEST:
        raise Invalid("a date has at most {n} characters", n=_LONGEST)
    written = " ".join(text.split())
    if not written:
        raise Invalid("the date is missing")
    for _, pattern, date in _FORMS:
        if found := pattern.fullmatch(written):
            return date(found)
    return _refuse(written)


def notation(text: str) -> str:
    """How a date is written: as a year, a span, around a year, a century, a millennium or a decade."""
    read_date(text)
    written = " ".join(text.split())
    return next(name for name, pattern, _ in _FORMS if pattern.fullmatch(written))


def century(span: Span) -> Text:
    """The century in which a span begins."""
    n = (span.start - 1) // 100
    date = f"{n + 1}. Jh." if n >= 0 else f"{-n}. Jh. v.u.Z."
    return read_date(date).text


def years(span: Span) -> Text:
    """The years of a span in words of both languages, as an editor shows what it has read."""
    return Text(_years(span, *_DE), _years(span, *_EN))


def certainly_later(one: Span, other: Span) -> bool:
    """Whether no year of `one` is as early as the last year of `other`: one may not stand above the other."""
    return one.start > other.end


# -- how dates look ------------------------------------------------------------------------------------------

_NUMBER = r"(\d+)"
_BEFORE = r"v\. ?u\. ?Z\.|v\. ?Chr\.|BCE?"
_AFTER = r"n\. ?u\. ?Z\.|n\. ?Chr\.|AD|CE"
_ERA = rf"(?: ?({_BEFORE})| ?({_AFTER}))?"
_YEAR = _NUMBER + _ERA
_AROUND = r"(um|circa|ca\.?|c\.|around|about) ?"
_SPAN = rf"{_YEAR} ?[-–] ?{_YEAR}"
_CENTURY = rf"{_NUMBER}(?:\. ?(?:Jh\.|Jahrhundert)|(st|nd|rd|th) ?(?:c\.|century)){_ERA}"
_MILLENNIUM = rf"{_NUMBER}(?:\. ?(?:Jt\.|Jahrtausend)|(st|nd|rd|th) ?millennium){_ERA}"
_DECADE = rf"{_NUMBER}(?:er|s)"
_DE = (f"v.{_NB}u.{_NB}Z.", f"n.{_NB}u.{_NB}Z.")
_EN = ("BC", "AD")


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE | re.ASCII)


# -- how they are read ---------------------------------------------------------------------------------------


def _read_year(found: re.Match[str]) -> Date:
    year = _astronomical(_counted(found[1]), bool(found[2]))
    span = Span(year, year)
    return Date(span, years(span))


def _read_around(found: re.Match[str]) -> Date:
    year = _astronomical(_counted(found[2]), bool(found[3]))
    said = years(Span(year, year))
    return Date(Span(year - ABOUT, year + ABOUT), Text(f"um {said.de}", f"around {said.en}"))


def _read_span(found: re.Match[str]) -> Date:
    first, before, after, last, last_before, _last_after = found.groups()
    era_at_end_only = not before and not after
    start = _astronomical(_counted(first), bool(before) or (era_at_end_only and bool(last_before)))
    end = _astronomical(_counted(last), bool(last_before))
    if start > end:
        raise Invalid("{date} runs backwards: the earlier year comes first", date=found[0])
    span = Span(start, end)
    return Date(span, years(span))


def _read_century(found: re.Match[str]) -> Date:
    return _hundreds(found, 100, "Jh.", "c.")


def _read_millennium(found: re.Match[str]) -> Date:
    return _hundreds(found, 1000, "Jahrtausend", "millennium")


def _hundreds(found: re.Match[str], length: int, de: str, en: str) -> Date:
    number, ordinal, before, _ = found.groups()
    n = _counted(number)
    if ordinal and ordinal.lower() != _ordinal(n):
        raise Invalid("{n}{ordinal} is written {n}{right}", n=n, ordinal=ordinal, right=_ordinal(n))
    last = n * length  # of the years counted from the turn of the era
    span = Span(1 - last, length - last) if before else Span(last - length + 1, last)
    eras = (f" {_DE[0]}", f" {_EN[0]}") if before else ("", "")
    return Date(span, Text(f"{n}. {de}{eras[0]}", f"{n}{_ordinal(n)} {en}{eras[1]}"))


def _read_decade(found: re.Match[str]) -> Date:
    first = _counted(found[1])
    if first < 100:
        raise Invalid("{date} may be of any century: write the whole year, such as 1960s", date=found[0])
    if first % 10:
        raise Invalid("{date} is no decade: it begins with a year that ends in 0", date=found[0])
    if first % 100 == 0:
        raise Invalid(
            "{date} may be a decade or a century: write {first}–{last}, or the century",
            date=found[0],
            first=first,
            last=first + 9,
        )
    return Date(Span(first, first + 9), Text(f"{first}er", f"{first}s"))


_FORMS = (
    ("year", _pattern(_YEAR), _read_year),
    ("span", _pattern(_SPAN), _read_span),
    ("around", _pattern(_AROUND + _YEAR), _read_around),
    ("century", _pattern(_CENTURY), _read_century),
    ("millennium", _pattern(_MILLENNIUM), _read_millennium),
    ("decade", _pattern(_DECADE), _read_decade),
)
_DASHES = _pattern(rf"{_YEAR} ?(?:[‐‑‒—―−~/]|\.\.+|…|bis|to|until) ?{_YEAR}")
_ERA_FIRST = _pattern(rf"(?:{_BEFORE}|{_AFTER}) ?\d.*")
_AROUND_MORE = _pattern(rf"{_AROUND}(?:{_SPAN}|{_CENTURY}|{_MILLENNIUM}|{_DECADE})")
_DECADE_ERA = _pattern(rf"{_DECADE} ?(?:{_BEFORE}|{_AFTER})")


def _refuse(date: str) -> NoReturn:
    if _ERA_FIRST.fullmatch(date):
        raise Invalid("in {date} the era stands before the number: write it after, such as 44 BC", date=date)
    if found := _AROUND_MORE.fullmatch(date):
        raise Invalid("“{word}” goes with a single year only: {date}", word=found[1], date=date)
    if _DASHES.fullmatch(date):
        raise Invalid("between two years stands - or –, not as in {date}", date=date)
    if _DECADE_ERA.fullmatch(date):
        raise Invalid("a decade has no era: write the years instead of {date}", date=date)
    raise Invalid(
        "{date} is not a date such as 1903, 44 BC, 1903–1907, around 1900, 20th c. BC or 1960s",
        date=date,
    )


def _counted(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise Invalid("a number in a date has at most {n} digits", n=_DIGITS)
    if digits.strip("0") == "":
        raise Invalid("there is no year, century or decade 0")
    if digits.startswith("0"):
        raise Invalid("{number} is written {n}, without a zero in front", number=digits, n=int(digits))
    return int(digits)


def _astronomical(year: int, before: bool) -> int:
    return 1 - year if before else year


def _years(span: Span, before: str, after: str) -> str:
    if span.end < 1:
        first, last, era = 1 - span.start, 1 - span.end, f"{_NB}{before}"
        return f"{first}{era}" if first == last else f"{first}–{last}{era}"
    if span.start < 1:
        return f"{1 - span.start}{_NB}{before}–{span.end}{_NB}{after}"
    return str(span.start) if span.start == span.end else f"{span.start}–{span.end}"


def _ordinal(n: int) -> str:
    return "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
