"""What somebody may have meant by a date that cannot be read: dates that can, the likeliest first."""

import re
from collections.abc import Iterator

from spieltisch.decks.dates import LONG, LONGEST, read_date
from spieltisch.game import Invalid

_MINUS = re.compile(r"[-−–‐‑] ?(\d{1,6})(?:[.,]0+)?")
_DAY = re.compile(
    r"(?:(\d{3,4})[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{3,4})|\d{1,2}[-/.](\d{4}))(?:[T ][\d:.]+)?"
)
_MONTH = r"(?:jan|jän|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)[^\W\d_]*\.?"
_IN_WORDS = re.compile(
    rf"(?:(?:am|im|on|in)? ?(?:\d{{1,2}}\.? ?)?{_MONTH}(?: \d{{1,2}},)?"
    r"|(?:im|in)? ?(?:Anfang|Mitte|Ende|Frühjahr|Frühling|Sommer|Herbst|Winter|early|mid|late|spring|summer|autumn|fall"
    r"|winter)(?: of| in| des Jahres)?|seit|ab|since|from) (\d{3,4})",
    re.IGNORECASE,
)
_SMALL = (
    (re.compile(r"B\. ?C\. ?E?\.?|vor Christus|vor Chr\.?|v\. ?C\.|vC|v ?Chr\.?|before Christ", re.IGNORECASE), "BC"),
    (re.compile(r"A\. ?D\.|nach Christus|nach Chr\.?|n ?Chr\.?|C\. ?E\.", re.IGNORECASE), "AD"),
    (re.compile(r"^(BCE?|v\. ?u\. ?Z\.|v\. ?Chr\.) ?(\d+)$", re.IGNORECASE), r"\2 BC"),
    (re.compile(r"^(AD|CE|n\. ?u\. ?Z\.|n\. ?Chr\.) ?(\d+)$", re.IGNORECASE), r"\2 AD"),
    (re.compile(r" ?(?:[‐‑‒—―−~/]|\.\.+|…|\bbis\b|\bto\b|\buntil\b) ?"), "–"),
    (re.compile(r"^(?:etwa|ungefähr|gegen|approximately|approx\.?|~|≈|±) ?", re.IGNORECASE), "um "),
    (re.compile(r"^(\d.*?) ?\(?\?\)?$"), r"um \1"),
    (re.compile(r"^(vor|nach|before|after) (?:um|circa|ca\.?|c\.|around|about) ", re.IGNORECASE), r"\1 "),
    (re.compile(r"^(?:im Jahre?|in|anno|year|Jahr) (?=\d)", re.IGNORECASE), ""),
    (re.compile(r"^(\d{1,3})[.,’' ](\d{3})(?!\d)"), r"\1\2"),
    (re.compile(r"^(\d+)[.,]0+$"), r"\1"),
    (re.compile(r"^(\d+) ?ff?\.?$"), r"\1"),
    (re.compile(r"^0+(?=\d)"), ""),
    (re.compile(r"(?<!\d)(\d+)\. ?(?:Jhd\.?|Jhdt\.?|Jh|Jhrt\.?|Jahrh\.?)(?=\s|$)", re.IGNORECASE), r"\1. Jh."),
    (re.compile(r"^Anf\. ", re.IGNORECASE), "Anfang "),
    (re.compile(r"^([12]\.) ?H\. ", re.IGNORECASE), r"\1 Hälfte "),
    (re.compile(r"^(?:die )?(\d{3}0)-?er[- ]Jahre$|^the (\d{3}0)s$", re.IGNORECASE), r"\1\2s"),
)
_AROUND = re.compile(r"^(?:um|circa|ca\.?|c\.|around|about) ?(?=\d)", re.IGNORECASE)
_CENTURIES = re.compile(r"(\d+)\. ?[-–/] ?(\d+)\. ?(?:Jh\.|Jahrhundert)( .+)?", re.IGNORECASE)
_CUT = re.compile(r"(\d{3,})([-/])(\d\d)")
_HUNDRED = re.compile(r"(\d*[1-9]00)(?:er|s)")


def is_minus(date: str) -> bool:
    """Whether a year before our era is written as a negative number."""
    return len(date) <= LONGEST and _MINUS.fullmatch(date) is not None


def is_calendar_day(date: str) -> bool:
    """Whether this is a day in a calendar, in whichever order."""
    return len(date) <= LONGEST and _DAY.fullmatch(date) is not None


def suggestions(date: str) -> tuple[str, ...]:
    """Dates that can be read and of which one is probably meant; none where that cannot be told, or none is needed."""
    if len(date) > LONGEST or _readable(date):
        return ()
    return tuple(dict.fromkeys(one for one in _meant(date) if _readable(one)))


def _meant(date: str) -> Iterator[str]:
    if found := _MINUS.fullmatch(date):
        yield f"{int(found[1])} BC"
    elif found := _CUT.fullmatch(date):
        first, last = int(found[1]), int(found[3])
        yield f"{first}–{first - first % 100 + last}"
        yield f"{first}–{last} BC" if first < 1000 else str(first)
    elif found := _DAY.fullmatch(date) or _IN_WORDS.fullmatch(date):
        yield found[found.lastindex or 1].lstrip("0")
    elif found := _HUNDRED.fullmatch(date):
        first = int(found[1])
        yield from (f"{first}–{first + 9}", f"{first // 100 + 1}. Jh.")
    elif found := _CENTURIES.fullmatch(date):
        yield _both(*(f"{number}. Jh.{found[3] or ''}" for number in found.groups()[:2]))
    else:
        yield from _small(date)


def _small(date: str) -> Iterator[str]:
    mended = date
    for wrong, right in _SMALL:
        mended = " ".join(wrong.sub(right, mended).split())
    if found := re.fullmatch(r"(\d+) ?[-–] ?(\d+)", mended):
        first, last = map(int, found.groups())
        yield f"{min(first, last)}–{max(first, last)}"
        if last < first < 1000:
            yield f"{first}–{last} BC"
    else:
        yield mended if _readable(mended) else _AROUND.sub("", mended)


def _both(one: str, other: str) -> str:
    """From the beginning of one date to the end of another."""
    if not (_readable(one) and _readable(other)):
        return ""
    first, last = read_date(one).years.en, read_date(other).years.en
    return f"{first.partition('–')[0]}–{last.partition('–')[2]}"


def _readable(date: str) -> bool:
    """Whether this can be read, and says something: nobody meant a span of a thousand years by a slip."""
    try:
        read = read_date(date)
    except Invalid:
        return False
    return read.span.end - read.span.start <= LONG or read.form == "millennium"
