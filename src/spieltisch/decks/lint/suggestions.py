"""What somebody may have meant by a date that cannot be read: dates that can, the likeliest first."""

import re
import unicodedata
from collections.abc import Iterator

from spieltisch.decks.dates import LONG, LONGEST, Date, read_date
from spieltisch.decks.dates.grammar import BEFORE
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
_BEFORE = (
    r"v\.? ?Chr\.?|v\.? ?u\.? ?Z\.?|vor Christus|vor Chr\.?|vor unserer Zeit(?:rechnung)?|v\. ?C\.|vC"
    r"|B\.? ?C\.? ?(?:E\.?)?|before Christ|before (?:the )?common era"
)
_AFTER = (
    r"n\.? ?Chr\.?|n\.? ?u\.? ?Z\.?|nach Christus|nach Chr\.?|unserer Zeitrechnung|A\.? ?D\.?|C\. ?E\.?|anno domini"
    r"|common era"
)
_BETWEEN = re.compile(
    r"(?:zwischen(?: den Jahren)?|zw\.|between|btw\.?|von|vom|from)(?: dem| the)? (\S.*?) "
    r"(?:und|u\.|and|bis|to|until|&)(?: dem| the)? (\S.*)",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"(\S.*?) ?(?:[‐‑‒—―−–-]|\bbis\b|\bto\b|\buntil\b) ?(\S.*)")
_OPEN_ERA = re.compile(rf"(\d+) ?(?:{BEFORE}) bis (\d+)", re.IGNORECASE)
_NEGATIVE = re.compile(r"[-−](\d{4,6})-\d\d-\d\d(?:T[\d:.]*Z?)?")
_YEAR_0 = re.compile(r"[+-]?0000-\d\d-\d\d(?:T[\d:.]*Z?)?")
_FOOTNOTE = re.compile(r"(?: ?(?:\[[^\[\]]{1,12}\]|[⁰¹²³⁴-⁹⁺⁻⁼⁽⁾*†‡]))+$")
_SMALL = (
    (re.compile(rf"(?<![^\W\d_])(?:{_BEFORE})(?!\w)", re.IGNORECASE), "BC"),
    (re.compile(rf"(?<![^\W\d_])(?:{_AFTER})(?!\w)", re.IGNORECASE), "AD"),
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
_EARLY = 1_600  # a span that runs backwards from here or later is not of years before our era
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
    plain = _plain(date)
    meant = [plain] if plain != date and _readable(plain) else _meant(plain)
    return tuple(dict.fromkeys(one for one in meant if _readable(one)))


def from_to(begin: str, end: str) -> str:
    """From a date to another one; of days and months the years count."""
    first, last = _read(begin), _read(end)
    if first and last and {first.form, last.form} & {"day", "month"}:
        begin, end = first.years.de, last.years.de
    return begin if begin == end else f"{begin}–{end}"


def _plain(date: str) -> str:
    """The date in digits of ASCII, without marks of footnotes."""
    if not date.isascii():
        date = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in date)
    return _FOOTNOTE.sub("", date)


def _meant(date: str) -> Iterator[str]:
    if found := _MINUS.fullmatch(date):
        yield f"{int(found[1])} BC"
    elif _YEAR_0.fullmatch(date):
        yield "1 BC"  # as XML Schema and ISO 8601 count
    elif found := _NEGATIVE.fullmatch(date):  # programs count with a year 0 or without
        yield from (f"{int(found[1]) + 1} BC", f"{int(found[1])} BC")
    elif found := _OPEN_ERA.fullmatch(date):
        first, last = int(found[1]), int(found[2])
        yield from (f"{first}–{last} BC" if last < first else "", f"{first} BC–{last} AD")
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
    elif found := _BETWEEN.fullmatch(date):
        yield from _between(*found.groups())
    elif (found := _UNTIL.fullmatch(date)) and _are_days(*found.groups()):
        yield from_to(*found.groups())
    else:
        yield from _small(date)


def _between(begin: str, end: str) -> Iterator[str]:
    """From one to the other, each as it can be read, also where only the second one says the era or the unit."""
    first, last = (_AROUND.sub("", _mended(one)) for one in (begin, end))
    if re.fullmatch(r"\d+\.", first):
        yield from _meant(f"{first}–{last}")
    elif (both := from_to(first, last)) != first and _readable(both):
        yield both
    else:
        yield from _small(both)


def _are_days(begin: str, end: str) -> bool:
    return all(read is not None and read.form in {"day", "month"} for read in (_read(begin), _read(end)))


def _mended(date: str) -> str:
    for wrong, right in _SMALL:
        date = " ".join(wrong.sub(right, date).split())
    return date


def _small(date: str) -> Iterator[str]:
    mended = _mended(date)
    if found := re.fullmatch(r"(\d+) ?[-–] ?(\d+)", mended):
        first, last = map(int, found.groups())
        yield f"{min(first, last)}–{max(first, last)}"
        if last < first <= _EARLY:
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
    read = _read(date)
    return read is not None and (read.span.end - read.span.start <= LONG or read.form == "millennium")


def _read(date: str) -> Date | None:
    try:
        return read_date(date)
    except Invalid:
        return None
