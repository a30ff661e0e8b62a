"""The dates of the rules and of records: years, spans, around a year, centuries, millennia, decades.

A form has a name, a pattern and a function that reads what fits the pattern, in one of the `ERAS` or ("") as written.
"""

import re
from collections.abc import Callable
from typing import NoReturn

from spieltisch.decks.dates.spans import Date, Span, hundreds, ordinal, years
from spieltisch.decks.text import Text
from spieltisch.game import Invalid

ABOUT = 5  # years on either side of "around"
_DIGITS = 11  # of a year: enough for the age of the world

Read = Callable[[re.Match[str], str], Date]
Form = tuple[re.Pattern[str], Read]

BEFORE = r"v\. ?u\. ?Z\.|v\. ?Chr\.|BCE?"
AFTER = r"n\. ?u\. ?Z\.|n\. ?Chr\.|AD|CE"
AROUND = r"(?P<word>um|circa|ca\.?|c\.|around|about) ?"
_UNITS = {"jh.": "c.", "jahrhundert": "century", "jt.": "millennium", "jahrtausend": "millennium"}
_FULL = {"c.": "Jh.", "century": "Jahrhundert", "millennium": "Jahrtausend"}


def pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE | re.ASCII)


def era(of: str = "") -> str:
    return rf"(?: ?(?P<{of}before>{BEFORE})| ?(?P<{of}after>{AFTER}))?"


def year(of: str = "") -> str:
    return rf"(?P<{of}year>\d+){era(of)}"


SPAN = rf"{year()} ?[-–] ?{year('last_')}"
CENTURY = rf"(?P<number>\d+)(?:\. ?(?P<de>Jh\.|Jahrhundert)|(?P<ordinal>st|nd|rd|th) ?(?P<en>c\.|century)){era()}"
MILLENNIUM = rf"(?P<number>\d+)(?:\. ?(?P<de>Jt\.|Jahrtausend)|(?P<ordinal>st|nd|rd|th) ?(?P<en>millennium)){era()}"
DECADE = r"(?P<decade>\d+)(?:er|s)"


# -- parts ---------------------------------------------------------------------------------------------------


def counted(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise Invalid("a number in a date has at most {n} digits", n=_DIGITS)
    if digits.strip("0") == "":
        raise Invalid("there is no year, century or decade 0")
    if digits.startswith("0"):
        raise Invalid("{number} is written {n}, without a zero in front", number=digits, n=int(digits))
    return int(digits)


def astronomical(number: int, *, before: bool) -> int:
    return 1 - number if before else number


def the_year(found: re.Match[str], of: str = "") -> int:
    return astronomical(counted(found[f"{of}year"]), before=bool(found[f"{of}before"]))


def eras_of(found: re.Match[str], eras: str) -> str:
    """The eras that were asked for, else those that are written here."""
    written = " ".join(cell for name, cell in found.groupdict().items() if cell and name.endswith(("before", "after")))
    if eras or not written:
        return eras
    if "chr" in written.lower():
        return "v. Chr."
    return "v. u. Z." if "ce" in written.lower() else ""


def backwards(date: str) -> NoReturn:
    raise Invalid("{date} runs backwards: the earlier year comes first", date=date)


def the_hundreds(found: re.Match[str], length: int, eras: str) -> tuple[Span, Text]:
    """The years of a century or millennium, and how it is written."""
    n, before = counted(found["number"]), bool(found["before"])
    if found["ordinal"] and found["ordinal"].lower() != ordinal(n):
        raise Invalid("{n}{ordinal} is written {n}{right}", n=n, ordinal=found["ordinal"], right=ordinal(n))
    last = n * length  # of the years counted from the turn of the era
    span = Span(1 - last, length - last) if before else Span(last - length + 1, last)
    en = (found["en"] or "").lower() or _UNITS[found["de"].lower().removesuffix("s")]
    units = Text(_FULL[en], en)
    return span, hundreds(n, units, eras_of(found, eras), before=before, after=bool(found["after"]))


# -- forms ---------------------------------------------------------------------------------------------------


def _read_year(found: re.Match[str], eras: str) -> Date:
    return single(the_year(found), eras_of(found, eras), after=bool(found["after"]))


def single(number: int, eras: str, *, after: bool) -> Date:
    span = Span(number, number)
    return Date(span, years(span, eras, after=after), years(span, eras), "year")


def _read_around(found: re.Match[str], eras: str) -> Date:
    return around(found["word"], the_year(found), eras_of(found, eras), after=bool(found["after"]))


def around(word: str, number: int, eras: str, *, after: bool) -> Date:
    said = single(number, eras, after=after).text
    word = word.lower()
    de = word if word in {"um", "ca.", "ca", "circa"} else "um"
    en = word if word in {"around", "about", "c.", "circa"} else "around"
    span = Span(number - ABOUT, number + ABOUT)
    return Date(span, Text(f"{de} {said.de}", f"{en} {said.en}"), years(span, eras), "around")


def _read_span(found: re.Match[str], eras: str) -> Date:
    era_at_end_only = not found["before"] and not found["after"]
    before = bool(found["before"]) or (era_at_end_only and bool(found["last_before"]))
    span = Span(astronomical(counted(found["year"]), before=before), the_year(found, "last_"))
    if span.start > span.end:
        backwards(found[0])
    eras = eras_of(found, eras)
    return Date(span, years(span, eras, after=bool(found["last_after"])), years(span, eras), "span")


def _read_century(found: re.Match[str], eras: str) -> Date:
    span, text = the_hundreds(found, 100, eras)
    return Date(span, text, years(span, eras_of(found, eras)), "century")


def _read_millennium(found: re.Match[str], eras: str) -> Date:
    span, text = the_hundreds(found, 1000, eras)
    return Date(span, text, years(span, eras_of(found, eras)), "millennium")


def _read_decade(found: re.Match[str], _eras: str) -> Date:
    first = counted(found["decade"])
    if first < 100:
        raise Invalid("{date} may be in any century: write the whole year, such as 1960s", date=found[0])
    if first % 10:
        raise Invalid("{date} is not a decade: decades begin with a year that ends in 0", date=found[0])
    if first % 100 == 0:
        raise Invalid(
            "{date} may be a decade or a century: write {first}–{last}, or the century",
            date=found[0],
            first=first,
            last=first + 9,
        )
    span = Span(first, first + 9)
    return Date(span, Text(f"{first}er", f"{first}s"), years(span), "decade")


FORMS: tuple[Form, ...] = (
    (pattern(year()), _read_year),
    (pattern(SPAN), _read_span),
    (pattern(AROUND + year()), _read_around),
    (pattern(CENTURY), _read_century),
    (pattern(MILLENNIUM), _read_millennium),
    (pattern(DECADE), _read_decade),
)
