"""The dates of the rules and of records: years, spans, around a year, centuries, millennia, decades.

A form has a name, a pattern and a function that reads what fits the pattern, in one of the `ERAS` or ("") as written.
Words come from the languages' `dates.toml`. Records know those of the first languages alone, see `RECORDED`.
"""

import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from spieltisch.decks.dates.spans import Date, Span, astronomical, hundreds, years
from spieltisch.decks.dates.words import RECORDED, WORDS, Words, arabic, each, either, in_each, own
from spieltisch.decks.text import Text
from spieltisch.game import Invalid
from spieltisch.languages.patterns import Joined

ABOUT = 5  # years on either side of "around"
_DIGITS = 11  # of a year: enough for the age of the world

Read = Callable[[re.Match[str], str], Date]
Form = tuple[Joined, Read]


class Grammar:
    """The patterns that some languages' words make."""

    def __init__(self, words: Mapping[str, Words]) -> None:
        read = [one.read for one in words.values()]
        self.before = either(one.before_era for one in read)
        self.after = either(one.after_era for one in read)
        around = dict.fromkeys(word for one in read for word in one.around)
        self.around = rf"(?P<word>{either(map(re.escape, around))}) ?"
        self.span = rf"{self.year()} ?[-–] ?{self.year('last_')}"
        self.century = rf"(?:{each(words, lambda one: one.century)}){self.era()}"
        self.within = rf"(?:{each(words, lambda one: one.within)}){self.era()}"
        self.millennium = rf"(?:{each(words, lambda one: one.millennium)}){self.era()}"
        self.decade = rf"(?:{each(words, lambda one: one.decade)})"

    def era(self, of: str = "") -> str:
        return rf"(?: ?(?P<{of}before>{self.before})| ?(?P<{of}after>{self.after}))?"

    def year(self, of: str = "") -> str:
        return rf"(?P<{of}year>\d+){self.era(of)}"

    def forms(self) -> "tuple[Form, ...]":
        return (
            (pattern(self.year()), _read_year),
            (pattern(self.span), _read_span),
            (pattern(self.around + self.year()), _read_around),
            (pattern(self.century), _read_century),
            (pattern(self.millennium), _read_millennium),
            (pattern(self.decade), _read_decade),
        )


def pattern(form: str) -> Joined:
    return Joined(form, re.IGNORECASE | re.ASCII)


ANY = Grammar(WORDS)
"""The words of all languages."""


# -- parts ---------------------------------------------------------------------------------------------------


def counted(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise Invalid("a number in a date has at most {n} digits", n=_DIGITS)
    if digits.strip("0") == "":
        raise Invalid("there is no year, century or decade 0")
    if digits.startswith("0"):
        raise Invalid("{number} is written {n}, without a zero in front", number=digits, n=int(digits))
    return int(digits)


def the_year(found: re.Match[str], of: str = "") -> int:
    return astronomical(counted(found[f"{of}year"]), before=bool(found[f"{of}before"]))


_NAMED = {letters: eras for words in WORDS.values() for letters, eras in words.read.named.items()}


def eras_of(found: re.Match[str], eras: str) -> str:
    """The eras that were asked for, else those that are written here."""
    written = [cell for name, cell in found.groupdict().items() if cell and name.endswith(("before", "after"))]
    if eras or not written:
        return eras
    words = " ".join(written).lower()
    return next((named for letters, named in _NAMED.items() if letters in words), "")


def backwards(date: str) -> NoReturn:
    raise Invalid("{date} runs backwards: the earlier year comes first", date=date)


def the_hundreds(found: re.Match[str], length: int, eras: str, *, within: bool = False) -> tuple[Span, Text]:
    """The years of a century or millennium, and how it is written; `within` a phrase such as “early …”."""
    (_, digits), (_, letters), before = own(found, "n"), own(found, "roman"), bool(found["before"])
    n = arabic(letters) if letters else counted(digits)
    if not n:
        raise Invalid("there is no year, century or decade 0")
    lang, ending = own(found, "th")
    if ending and ending.lower() != (right := WORDS[lang].ending(n)):
        raise Invalid("{n}{ordinal} is written {n}{right}", n=n, ordinal=ending, right=right)
    last = n * length  # of the years counted from the turn of the era
    span = Span(1 - last, length - last) if before else Span(last - length + 1, last)
    unit = next(one for one in ("short", "long", "millennium") if own(found, one)[1])
    after = bool(found["after"])
    return span, hundreds(n, unit, eras_of(found, eras), before=before, after=after, within=within)


# -- forms ---------------------------------------------------------------------------------------------------


def _read_year(found: re.Match[str], eras: str) -> Date:
    return single(the_year(found), eras_of(found, eras), after=bool(found["after"]))


def single(number: int, eras: str, *, after: bool) -> Date:
    span = Span(number, number)
    return Date(span, years(span, eras, after=after), years(span, eras), "year")


def _read_around(found: re.Match[str], eras: str) -> Date:
    return around(found["word"], the_year(found), eras_of(found, eras), after=bool(found["after"]))


def around(word: str, number: int, eras: str, *, after: bool) -> Date:
    said, word = single(number, eras, after=after).text, word.lower()
    span = Span(number - ABOUT, number + ABOUT)

    def written(tag: str, words: Words) -> str:
        known = words.read.around
        return f"{word if word in known else known[0]} {said[tag]}"

    return Date(span, in_each(written), years(span, eras), "around")


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
    first = counted(own(found, "n")[1])
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
    return Date(span, in_each(lambda _, words: words.written.decade.format(n=first)), years(span), "decade")


FORMS = Grammar(RECORDED).forms()
"""Those of records."""
