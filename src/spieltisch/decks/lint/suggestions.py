"""What somebody may have meant by a date that cannot be read: a date that can, or nothing."""

import re

from spieltisch.decks.dates import parse
from spieltisch.game import Invalid

_MINUS = re.compile(r"[-−–‐‑] ?(\d{1,6})(?:[.,]0+)?")
_DAY = re.compile(r"(?:(\d{3,4})[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{3,4}))(?:[T ][\d:.]+)?")
_MONTH = r"(?:jan|jän|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)[^\W\d_]*\.?"
_DAY_IN_WORDS = re.compile(rf"(?:\d{{1,2}}\.? ?)?{_MONTH}(?: \d{{1,2}},)? (\d{{3,4}})", re.IGNORECASE)
_SMALL = (
    (re.compile(r"B\. ?C\. ?E?\.?|vor Christus|vor Chr\.?|v\. ?C\.|vC|v ?Chr\.?|before Christ", re.IGNORECASE), "BC"),
    (re.compile(r"A\. ?D\.|nach Christus|nach Chr\.?|n ?Chr\.?|C\. ?E\.", re.IGNORECASE), "AD"),
    (re.compile(r"^(BCE?|v\. ?u\. ?Z\.|v\. ?Chr\.) ?(\d+)$", re.IGNORECASE), r"\2 BC"),
    (re.compile(r"^(AD|CE|n\. ?u\. ?Z\.|n\. ?Chr\.) ?(\d+)$", re.IGNORECASE), r"\2 AD"),
    (re.compile(r" ?(?:[‐‑‒—―−~/]|\.\.+|…|\bbis\b|\bto\b|\buntil\b) ?"), "–"),
    (re.compile(r"^(?:etwa|ungefähr|gegen|approximately|approx\.?|~|≈|±) ?", re.IGNORECASE), "um "),
    (re.compile(r"^(\d+.*?) ?\(?\?\)?$"), r"um \1"),
    (re.compile(r"^(?:im Jahre?|in|anno|year|Jahr) (?=\d)", re.IGNORECASE), ""),
    (re.compile(r"^(\d{1,3})[.,’' ](\d{3})(?!\d)"), r"\1\2"),
    (re.compile(r"^(\d+)[.,]0+$"), r"\1"),
    (re.compile(r"^0+(?=\d)"), ""),
    (re.compile(r"^(\d+)\. ?(?:Jhd\.?|Jhdt\.?|Jh|Jhrt\.?|Jahrh\.?)(?=\s|$)", re.IGNORECASE), r"\1. Jh."),
    (re.compile(r"^(?:die )?(\d{3}0)-?er[- ]Jahre$|^the (\d{3}0)s$", re.IGNORECASE), r"\1\2s"),
)


def is_minus(date: str) -> bool:
    """Whether a year before our era is written as a negative number."""
    return _MINUS.fullmatch(date) is not None


def is_calendar_day(date: str) -> bool:
    """Whether this is a day in a calendar, as a spreadsheet makes one out of what was typed."""
    return _DAY.fullmatch(date) is not None or _DAY_IN_WORDS.fullmatch(date) is not None


def suggestion(date: str) -> str | None:
    """A date that can be read and is probably meant, None where nobody can tell."""
    if found := _MINUS.fullmatch(date):
        return _read(f"{int(found[1])} BC")
    if found := _DAY.fullmatch(date) or _DAY_IN_WORDS.fullmatch(date):
        return _read((found[1] or found[found.lastindex or 1]).lstrip("0"))
    mended = date
    for pattern, right in _SMALL:
        mended = " ".join(pattern.sub(right, mended).split())
    if found := re.fullmatch(r"(\d+)–(\d+)", mended):
        first, last = sorted(map(int, found.groups()))
        mended = f"{first}–{last}"
    return _read(mended)


def _read(date: str) -> str | None:
    try:
        parse(date)
    except Invalid:
        return None
    return date
