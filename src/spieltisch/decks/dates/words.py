"""What each language's `dates.toml` says: how dates are written, and how they are read. A date is not written in a
language without such a file; its readers see it in another one.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import astuple

from spieltisch.decks.text import ALWAYS, TAGS, Text, text_of
from spieltisch.languages import data
from spieltisch.languages.patterns import Usable, require_fields, require_patterns

_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
Twelve = tuple[str, str, str, str, str, str, str, str, str, str, str, str]


class Written(Usable, frozen=True, forbid_unknown_fields=True):
    """Phrases with braces. `within` is how a century stands in a phrase such as `parts`, if that is another way."""

    before: str
    after: str
    decade: str
    day: str
    month: str
    century: Mapping[str, str]
    parts: tuple[str, str, str]
    halves: tuple[str, str]
    numbers: str = ""
    within: Mapping[str, str] = {}

    def require_usable(self) -> None:
        require_fields([self.before, self.after], "date")
        require_fields([self.decade], "n")
        require_fields([self.day, self.month, self.numbers], "day", "month", "number", "date")
        require_fields([*self.century.values(), *self.within.values()], "n", "th", "roman")
        require_fields([*self.parts, *self.halves], "century")
        if lacks := {"short", "long", "millennium"} - {*self.century}:
            raise ValueError(f"century lacks {', '.join(sorted(lacks))}")


class Read(Usable, frozen=True, forbid_unknown_fields=True):
    """Words, and regular expressions with groups for a number (`n`, `roman`), its ending `th`, a century’s unit."""

    around: Annotated[tuple[str, ...], Meta(min_length=1)]
    before_era: str
    after_era: str
    before: str
    after: str
    until: str
    ago: str
    decade: str
    century: str
    within: str
    millennium: str
    parts: tuple[str, str, str]
    joined: str
    halves: tuple[str, str]
    days: tuple[str, ...]
    named: Mapping[str, str] = {}
    first_era: str = ""

    def require_usable(self) -> None:
        shared = (self.before_era, self.after_era, self.before, self.after, self.until, self.ago, self.joined)
        require_patterns([*shared, self.first_era, *self.parts, *self.halves])
        require_patterns([self.decade, self.century, self.within, self.millennium], own_groups=True)
        for one in self.days:
            if one.count("{day}") != 1 or one.count("{month}") != 1:
                raise ValueError(f"{one!r} needs {{day}} and {{month}}")
            require_patterns([one.replace("{day}", "1").replace("{month}", "May")])


class Meant(Usable, frozen=True, forbid_unknown_fields=True, rename={"and_": "and"}):
    """Regular expressions for what people write instead of a date that can be read. `mended` has replacements."""

    before_era: str = ""
    after_era: str = ""
    month: str = ""
    season: str = ""
    on: str = ""
    of: str = ""
    since: str = ""
    between: str = ""
    and_: str = ""
    the: str = ""
    until: str = ""
    around: str = ""
    in_year: str = ""
    mended: tuple[tuple[str, str], ...] = ()
    centuries: str = ""

    def require_usable(self) -> None:
        require_patterns(said for said in astuple(self) if isinstance(said, str))
        for wrong, right in self.mended:
            require_patterns([wrong])
            _require_replacement(wrong, right)


def _require_replacement(pattern: str, right: str) -> None:
    try:
        re.sub(pattern, right, "")
    except (re.error, IndexError) as error:
        raise ValueError(f"{right!r} does not stand for {pattern!r}: {error}") from None


class Words(Usable, frozen=True, forbid_unknown_fields=True):
    """How a language writes and reads dates."""

    months: Twelve
    short: Twelve
    eras: Mapping[str, tuple[str, str]]
    written: Written
    read: Read
    endings: tuple[tuple[str, str], ...] = ()
    meant: Meant = Meant()

    def require_usable(self) -> None:
        for part in (self.written, self.read, self.meant):
            part.require_usable()
        require_patterns([*self.months, *self.short, *(fits for fits, _ in self.endings)])
        if unknown := {*self.read.named.values()} - {*self.eras}:
            raise ValueError(f"named has no era {', '.join(sorted(unknown))}")

    def ending(self, n: int) -> str:
        """What stands behind a number in a row: 1st, 2nd."""
        return next((end for fits, end in self.endings if re.search(fits, str(n))), "")

    def hundreds(self, n: int, unit: str, *, within: bool = False) -> str:
        """The n-th century or millennium; `unit` is "short", "long" or "millennium"."""
        phrase = (self.written.within if within else {}).get(unit) or self.written.century[unit]
        return phrase.format(n=n, th=self.ending(n), roman=roman(n))


_READ = data("dates.toml", Words)
WORDS = {tag: _READ[tag] for tag in TAGS if tag in _READ}
RECORDED = {tag: words for tag, words in WORDS.items() if tag in ALWAYS}
"""The languages of the record format."""


def in_each(say: Callable[[str, Words], str]) -> Text:
    """What is said in each language that writes dates."""
    return text_of({tag: say(tag, words) for tag, words in WORDS.items()})


def either(patterns: Iterable[str]) -> str:
    """A regular expression for any of these, the longest first."""
    return "|".join(sorted((one for one in patterns if one), key=len, reverse=True))


def each(words: Mapping[str, Words], pattern: Callable[[Read], str]) -> str:
    """The languages' patterns side by side. Each language has its own groups: see `own`."""
    return "|".join(pattern(one.read).replace("(?P<", f"(?P<{_group(tag)}__") for tag, one in words.items())


def own(found: re.Match[str], name: str) -> tuple[str, str]:
    """The language whose group of this name has found something, and what; twice "" if none has."""
    for tag in WORDS:
        group = f"{_group(tag)}__{name}"
        if group in found.re.groupindex and found[group]:
            return tag, found[group]
    return "", ""


def _group(tag: str) -> str:
    return tag.replace("-", "_")


def roman(n: int) -> str:
    """A number below 40 in Roman numerals."""
    written = ""
    for value, sign in _ROMAN:
        written += sign * (n // value)
        n %= value
    return written


def arabic(written: str) -> int:
    """The number in these Roman numerals below 40; 0 if they are none."""
    return next((n for n in range(1, 40) if roman(n) == written.upper()), 0)
