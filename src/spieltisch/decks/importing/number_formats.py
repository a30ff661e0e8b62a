"""Number formats of cells, as XLSX has them (ECMA-376 part 1, 18.8.30 and 18.8.31).

Years are not amounts, so thousands separators and trailing zeros are dropped. A day becomes 1903-12-17 whatever the
country's order, unless the format shows only part of it or words that dates on cards may have.
"""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal

from spieltisch.decks.dates.habits import MONTHS
from spieltisch.languages import DEFAULT

GENERAL = "General"
BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "dd.mm.yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss",
    22: "dd.mm.yyyy h:mm", **dict.fromkeys((*range(5, 9), 42, 44), '#,##0.00" ¤"'), 45: "mm:ss", 46: "[h]:mm:ss",
    47: "mm:ss", 48: "0E+0", 49: "@", **dict.fromkeys((*range(27, 37), *range(50, 59)), "yyyy-mm-dd"),
}  # fmt: skip
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<elapsed>[hms]+)\]|\[[^\]]*\]'
    r"|(?P<general>general|standard)|(?P<noon>AM/PM|A/P)|(?P<exponent>E[+-])|(?P<date>y+|e+|b+|m+|d+|h+|s+|g+)"
    r"|(?P<digit>[0#?])|(?P<sign>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d{1,9}(?:\.\d{1,9})?)\]")
_SECTION = re.compile(r';|"[^"]*"?|\\.|\[[^\]]*\]?|.', re.DOTALL)
_FILLERS = {"uhr", "de", "del", "of", "am", "den", "t", "z", "h", "d"}  # words in formats that add nothing to a date
_SAYS_MORE = re.compile(
    r"\b(?:um|circa|ca|around|about|vor|nach|before|after|bc|bce|ad|ce|chr|christus)\b|u\. ?Z", re.IGNORECASE
)
LATEST = 2_100  # a day number up to here may be a year that somebody typed
_DAY_0 = dt.date(1899, 12, 30)
_MACHINE = 10**15  # from here on, a float no longer holds every whole number

Token = tuple[str, str]


def written(value: float) -> str:
    """A number as a cell without a format shows it: whole numbers without a point."""
    return str(int(value)) if value == int(value) and abs(value) < _MACHINE else str(value)


def shown(value: float, code: str, *, from_1904: bool = False) -> str:
    """The text that a cell with this number and format shows."""
    negative = value < 0
    section, value = _section(code, value)
    tokens = [*_tokens(section)]
    kinds = {kind for kind, _ in tokens}
    if kinds & {"date", "elapsed"}:
        return _day_or_time(value + 1462 * from_1904, tokens)
    if "text" in kinds:
        return written(value)
    text = " ".join(_number(value, tokens).split())
    return f"-{text}" if negative and text.isdecimal() else text  # red may stand for the minus of a year BC


def is_day(code: str) -> bool:
    """Whether this format shows days or times."""
    return any(kind in {"date", "elapsed"} for kind, _ in _tokens(_sections(code)[0]))


def shown_text(text: str, code: str) -> str:
    """The text that a cell with this text and format shows."""
    sections = _sections(code)
    section = sections[3] if len(sections) > 3 else sections[-1]
    tokens = [*_tokens(section)]
    if not any(kind == "text" for kind, _ in tokens):
        return text if len(sections) < 4 else ""
    return "".join(text if kind == "text" else said for kind, said in tokens if kind in {"text", "literal"})


def shown_day(year: int, month: int, day: int, text: str) -> str:
    """The date for a card from a day that the sheet shows as `text`: ISO, or shorter if the sheet shows less."""
    iso = f"{'-' if year < 1 else ''}{abs(year):04}-{month:02}-{day:02}"
    if year < 1 or not text:
        return iso
    numbers = re.findall(r"\d+", text)
    named = next((one for one in (f"{year:04}", str(year), f"{year % 100:02}") if one in numbers), "")
    if not named or _SAYS_MORE.search(text):
        return text
    numbers.remove(named)
    words = {*re.findall(r"[^\W\d_]+", text.casefold())} - _FILLERS
    if not numbers:
        return " ".join(re.findall(r"\w+", text)).replace(named, str(year)) if words else str(year)
    if [int(one) for one in numbers] == [month] and not words:
        return f"{MONTHS[month - 1][DEFAULT]} {year}"
    return iso if day in map(int, numbers) else text


def day_of(serial: float) -> dt.date | None:
    """The day of a date cell, counted from 30 December 1899; None outside the years 1 to 9999."""
    days = int(serial // 1)
    days += 0 < days < 60  # Excel has a 29 February 1900, so its earlier days count from the 31st
    try:
        return _DAY_0 + dt.timedelta(days)
    except OverflowError:
        return None


def number_of(year: int, month: int, day: int) -> int:
    """The number of a day in a date cell; 0 if it has none."""
    try:
        return (dt.date(year, month, day) - _DAY_0).days
    except ValueError:
        return 0


# -- formats -------------------------------------------------------------------------------------------------


def _sections(code: str) -> list[str]:
    sections = [""]
    for found in _SECTION.finditer(code):
        if found[0] == ";":
            sections.append("")
        else:
            sections[-1] += found[0]
    return sections


def _section(code: str, value: float) -> tuple[str, float]:
    """The section for this number, and the number for it: the section for negative numbers writes no minus."""
    sections = _sections(code)[:3]
    conditions = [_CONDITION.search(section) for section in sections]
    if any(conditions):
        for section, condition in zip(sections, conditions, strict=True):
            if condition is None or _holds(value, *condition.groups()):
                return section, value
        return sections[-1], value
    if value < 0 and len(sections) > 1:
        return sections[1], -value
    return (sections[2] if value == 0 and len(sections) > 2 else sections[0]), value


def _holds(value: float, sign: str, limit: str) -> bool:
    other = float(limit)
    if sign == "<>":
        return value != other
    return (value < other and "<" in sign) or (value > other and ">" in sign) or (value == other and "=" in sign)


def _tokens(section: str) -> Iterator[Token]:
    """The parts of a section: literals, digit places, and codes for parts of a day."""
    for found in _TOKEN.finditer(section):
        kind = found.lastgroup or ""
        said = found[kind] if kind else ""
        if kind in {"quoted", "escaped", "currency"}:
            yield "literal", said
        elif kind == "sign":
            yield ("text", "") if said == "@" else ("literal", said)
        elif kind == "general":
            yield "digit", "general"
        elif kind:
            yield kind, said.lower()
        elif found[0].startswith("_"):
            yield "literal", " "


# -- numbers -------------------------------------------------------------------------------------------------


def _number(value: float, tokens: Sequence[Token]) -> str:
    signs = [at for at, (kind, _) in enumerate(tokens) if kind == "digit"]
    sign = "-" if value < 0 else ""
    if not signs:
        return sign + "".join(said for kind, said in tokens if kind == "literal")
    first, last = signs[0], signs[-1]
    inside = tokens[first : last + 1]
    percent = sum(token == ("literal", "%") for token in tokens)
    scaled = 0
    while last + 1 + scaled < len(tokens) and tokens[last + 1 + scaled] == ("literal", ","):
        scaled += 1
    before = "".join(said for kind, said in tokens[:first] if kind == "literal")
    after = "".join(said for kind, said in tokens[last + 1 + scaled :] if kind == "literal")
    digits = _digits(Decimal(str(abs(value))) * 100**percent / 1000**scaled, inside)
    return f"{sign if digits.strip('0.') else ''}{before}{digits}{after}" if digits else before + after


def _digits(value: Decimal, inside: Sequence[Token]) -> str:
    """The digits of a number, with the literals between them."""
    plain = ("exponent" in {kind for kind, _ in inside}) or ("literal", "/") in inside
    if plain or ("digit", "general") in inside or value >= _MACHINE:
        return written(float(value))
    point = inside.index(("literal", ".")) if ("literal", ".") in inside else len(inside)
    places = sum(kind == "digit" for kind, _ in inside[point:])
    rounded = value.quantize(Decimal(1).scaleb(-min(places, 15)), ROUND_HALF_UP)
    whole, _, rest = f"{rounded:f}".partition(".")
    fraction = rest.rstrip("0")
    return _filled(whole.lstrip("0"), inside[:point]) + (f".{fraction}" if fraction else "")


def _filled(whole: str, places: Sequence[Token]) -> str:
    """Fill the digits of a whole number into their places from the right; the first place takes all the rest."""
    left, done = whole, ""
    count = sum(kind == "digit" for kind, _ in places)
    for kind, said in reversed(places):
        if kind == "digit":
            count -= 1
            digit = left[-1:] or ("0" if said == "0" else "")
            left = left[:-1]
            done = (left if count == 0 else "") + digit + done
        elif kind == "literal" and said != ",":
            done = said + done
    return done


# -- days ----------------------------------------------------------------------------------------------------


def _day_or_time(serial: float, tokens: Sequence[Token]) -> str:
    parts = [*_parts(tokens)]
    kinds = {said[0] for kind, said in parts if kind == "date"}
    day = day_of(serial)
    if not kinds & set("yebdm") or day is None:
        return _time(serial) if day is not None else written(serial)
    text = "".join(_part(day, said) if kind == "date" else said for kind, said in parts if kind in {"date", "literal"})
    return shown_day(day.year, day.month, day.day, " ".join(text.split()))


def _parts(tokens: Sequence[Token]) -> Iterator[Token]:
    """The parts of a day, without times. `m` means minutes after hours or before seconds, else months."""
    dates = [at for at, (kind, _) in enumerate(tokens) if kind in {"date", "elapsed"}]
    for at, (kind, said) in enumerate(tokens):
        if kind == "date" and said[0] == "m":
            here = dates.index(at)
            before = tokens[dates[here - 1]][1][0] if here else ""
            after = tokens[dates[here + 1]][1][0] if here + 1 < len(dates) else ""
            if before == "h" or after == "s":
                continue
        if kind == "date" and said[0] in "hsg":
            continue
        yield kind, said


def _part(day: dt.date, said: str) -> str:
    match said[0], len(said):
        case "d", n:
            return str(day.day) if n < 3 else ""
        case "m", n:
            return str(day.month) if n < 3 else MONTHS[day.month - 1][DEFAULT]
        case _:
            return str(day.year)


def _time(serial: float) -> str:
    minutes = round(serial % 1 * 24 * 60)
    return f"{minutes // 60 % 24}:{minutes % 60:02}"
