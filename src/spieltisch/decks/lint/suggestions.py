"""What somebody may have meant by a date that cannot be read: dates that can, the likeliest first."""

import re
import unicodedata
from collections.abc import Iterator

from spieltisch.decks.dates import LONG, LONGEST, Date, read_date
from spieltisch.decks.dates.grammar import ANY
from spieltisch.decks.dates.words import WORDS, either
from spieltisch.game import Invalid
from spieltisch.languages import DEFAULT
from spieltisch.languages.patterns import Joined

_MINUS = re.compile(r"[-−–‐‑] ?(\d{1,6})(?:[.,]0+)?")
_DAY = re.compile(
    r"(?:(\d{3,4})[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{3,4})|\d{1,2}[-/.](\d{4}))(?:[T ][\d:.]+)?"
)
_MEANT = [words.meant for words in WORDS.values()]


def _any(name: str) -> str:
    """What any language's pattern of this name finds."""
    return "|".join(one for meant in _MEANT if (one := getattr(meant, name))) or "(?!)"


_MONTH = rf"(?:{_any('month')})[^\W\d_]*\.?"
_IN_WORDS = Joined(
    rf"(?:(?:{_any('on')})? ?(?:\d{{1,2}}\.? ?)?{_MONTH}(?: \d{{1,2}},)?"
    rf"|(?:{_any('on')})? ?(?:{_any('season')})(?:{_any('of')})?|{_any('since')}) (\d{{3,4}})",
    re.IGNORECASE,
)
_BETWEEN = Joined(
    rf"(?:{_any('between')})(?:{_any('the')})? (\S.*?) (?:{_any('and_')})(?:{_any('the')})? (\S.*)", re.IGNORECASE
)
_UNTIL = Joined(rf"(\S.*?) ?(?:[‐‑‒—―−–-]|{_any('until')}) ?(\S.*)")
_OPEN_ERA = Joined(rf"(\d+) ?(?:{ANY.before}) (?:{_any('until')}) (\d+)", re.IGNORECASE)
_NEGATIVE = re.compile(r"[-−](\d{4,6})-\d\d-\d\d(?:T[\d:.]*Z?)?")
_YEAR_0 = re.compile(r"[+-]?0000-\d\d-\d\d(?:T[\d:.]*Z?)?")
_FOOTNOTE = re.compile(r"(?: ?(?:\[[^\[\]]{1,12}\]|[⁰¹²³⁴-⁹⁺⁻⁼⁽⁾*†‡]))+$")
_READ = [words.read for words in WORDS.values()]
_ABOUT = _READ[0].around[0]
_AROUNDS = either(re.escape(word) for read in _READ for word in read.around)
_BEFORE_OR_AFTER = either(one for read in _READ for one in (read.before, read.after))
_SMALL = (
    (Joined(rf"(?<![^\W\d_])(?:{_any('before_era')})(?!\w)", re.IGNORECASE), "BC"),
    (Joined(rf"(?<![^\W\d_])(?:{_any('after_era')})(?!\w)", re.IGNORECASE), "AD"),
    (Joined(rf"^({ANY.before}) ?(\d+)$", re.IGNORECASE), r"\2 BC"),
    (Joined(rf"^({ANY.after}) ?(\d+)$", re.IGNORECASE), r"\2 AD"),
    (Joined(rf" ?(?:[‐‑‒—―−~/]|\.\.+|…|{_any('until')}) ?"), "–"),
    (Joined(rf"^(?:{_any('around')}|~|≈|±) ?", re.IGNORECASE), f"{_ABOUT} "),
    (Joined(r"^(\d.*?) ?\(?\?\)?$"), rf"{_ABOUT} \1"),
    (Joined(rf"^({_BEFORE_OR_AFTER}) (?:{_AROUNDS}) ", re.IGNORECASE), r"\1 "),
    (Joined(rf"^(?:{_any('in_year')}) (?=\d)", re.IGNORECASE), ""),
    (Joined(r"^(\d{1,3})[.,’' ](\d{3})(?!\d)"), r"\1\2"),
    (Joined(r"^(\d+)[.,]0+$"), r"\1"),
    (Joined(r"^(\d+) ?ff?\.?$"), r"\1"),
    (Joined(r"^0+(?=\d)"), ""),
    *((Joined(wrong, re.IGNORECASE), right) for meant in _MEANT for wrong, right in meant.mended),
)
_EARLY = 1_600  # a span that runs backwards from here or later is not of years before our era
_AROUND = Joined(rf"^(?:{_AROUNDS}) ?(?=\d)", re.IGNORECASE)
_CENTURIES = [Joined(meant.centuries, re.IGNORECASE) for meant in _MEANT if meant.centuries]
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
        begin, end = first.years.first, last.years.first
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
    elif found := next((found for one in _CENTURIES if (found := one.fullmatch(date))), None):
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
    first, last = read_date(one).years[DEFAULT], read_date(other).years[DEFAULT]
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
