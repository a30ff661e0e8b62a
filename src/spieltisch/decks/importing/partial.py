"""A date in several cells: day, month, year, era, and the end of a span with its era.

Ambiguous dates stay as written, so that people are asked about them.
"""

import re
from collections.abc import Mapping

from spieltisch.decks.dates.grammar import ANY, pattern
from spieltisch.decks.dates.habits import MONTHS
from spieltisch.decks.lint.suggestions import from_to
from spieltisch.languages import DEFAULT

_BEFORE = pattern(rf"(?:{ANY.before}|v|vor|B\. ?C\.|before Christ|vor Christus|v\. ?Chr|v ?Chr)")


def put_together(parts: Mapping[str, str]) -> str:
    """The date in the form for one cell."""
    year, era, end, end_era = (parts.get(one, "") for one in ("date", "era", "end", "end_era"))
    begin = _day(parts.get("day", ""), parts.get("month", ""), year)
    end = _with_era(end, end_era)
    if not end or end in {begin, year}:
        return _with_era(begin, era)
    if not begin:
        return f"bis {end}"
    if not era:
        return from_to(begin, end)
    if not end.isdigit():
        return from_to(_with_era(begin, era), end)
    if _BEFORE.fullmatch(era) and not parts.get("era_last"):
        return f"{_with_era(begin, era)} bis {end}"  # 44 | v. Chr. | 14: the era of 14 is unknown
    return _with_era(from_to(begin, end), era)


def _day(day: str, month: str, year: str) -> str:
    if not month:
        return f"{day}{'.' * day.isdigit()} {year}" if day else year
    if month.isdigit() and 1 <= int(month) <= len(MONTHS):
        month = MONTHS[int(month) - 1][DEFAULT]
    return " ".join(part for part in (day, month, year) if part)


def _with_era(date: str, era: str) -> str:
    if not (date and era) or _plain(era) in _plain(date):
        return date
    return f"{date} {era}"


def _plain(text: str) -> str:
    return re.sub(r"[\W_]", "", text.casefold())
