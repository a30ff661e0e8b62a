"""Spans of years, and how their years are written in each language."""

import functools

from msgspec import Struct

from spieltisch.decks.dates.words import WORDS, in_each
from spieltisch.decks.text import NOTHING, Text, same, text_of

_NB = "\u00a0"


def _era(name: str, at: int) -> Text:
    return text_of({tag: words.eras[name][at] for tag, words in WORDS.items() if name in words.eras})


def _behind(era: Text) -> Text:
    return era.each(lambda one: _NB + one.replace(" ", _NB))


ERAS = {name: (_era(name, 0), _era(name, 1)) for words in WORDS.values() for name in words.eras}
"""What years before our era and of it are called: the two words of each way to write them; "" as the rules do."""
_BEHIND = {name: (_behind(before), _behind(after)) for name, (before, after) in ERAS.items()}


class Span(Struct, frozen=True, order=True, gc=False):
    """From the start of one year to the end of another, or of the same."""

    start: int
    end: int


def astronomical(number: int, *, before: bool) -> int:
    """A year of our era or before it in the count of spans, which has a year 0: 44 BC is -43."""
    return 1 - number if before else number


def historical(year: int) -> int:
    """A year of a span as people count it: -43 is -44, which is 44 BC."""
    return year if year > 0 else year - 1


class Date(Struct, frozen=True, gc=False):
    """A date: its years, how it is written and its years in each language, and its form (`year`, `around` …)."""

    span: Span
    text: Text
    years: Text
    form: str


def certainly_later(one: Span, other: Span) -> bool:
    """Whether no year of `one` is as early as the last year of `other`: one may not stand above the other."""
    return one.start > other.end


def years(span: Span, eras: str = "", *, after: bool = False, dash: str = "–") -> Text:
    """The years of a span in words of each language, as an editor shows what it has read.

    `eras` is one of `ERAS`; with `after` years of our era have its name, too.
    """
    if span.start >= 1 and not after:
        return same(_from_to(span.start, span.end, dash))
    before, of_ours = _BEHIND[eras]
    if span.end < 1:
        return before.each(lambda era: _from_to(1 - span.start, 1 - span.end, dash) + era)
    if span.start >= 1:
        return of_ours.each(lambda era: _from_to(span.start, span.end, dash) + era)
    return in_each(lambda tag, _: f"{1 - span.start}{before[tag]}{dash}{span.end}{of_ours[tag]}")


def _from_to(first: int, last: int, dash: str) -> str:
    return str(first) if first == last else f"{first}{dash}{last}"


def century(span: Span) -> Text:
    """The century in which a span begins."""
    n = (span.start - 1) // 100 + 1
    before = n < 1
    return hundreds(1 - n if before else n, "short", "", before=before, after=False)


@functools.lru_cache(1 << 10)
def hundreds(n: int, unit: str, eras: str, *, before: bool, after: bool, within: bool = False) -> Text:
    """The n-th century or millennium, before our era or of it; with `after` the era is named. For `unit` and `within`
    see `Words.hundreds`.
    """
    era = _BEHIND[eras][0 if before else 1] if before or after else NOTHING
    return in_each(lambda tag, words: words.hundreds(n, unit, within=within) + era[tag].replace(_NB, " ", 1))
