"""Spans of years, and how their years are written in both languages."""

from msgspec import Struct

from spieltisch.decks.text import Text

_NB = "\u00a0"
ERAS = {
    "": (Text("v. u. Z.", "BC"), Text("n. u. Z.", "AD")),  # as the rules write them
    "v. Chr.": (Text("v. Chr.", "BC"), Text("n. Chr.", "AD")),
    "v. u. Z.": (Text("v. u. Z.", "BCE"), Text("n. u. Z.", "CE")),
}
"""What years before our era and of it are called: the two words of each way to write them."""


class Span(Struct, frozen=True, order=True, gc=False):
    """From the start of one year to the end of another, or of the same."""

    start: int
    end: int


class Date(Struct, frozen=True, gc=False):
    """A date: its years, how it is written and its years in both languages, and its form (`year`, `around` …)."""

    span: Span
    text: Text
    years: Text
    form: str


def certainly_later(one: Span, other: Span) -> bool:
    """Whether no year of `one` is as early as the last year of `other`: one may not stand above the other."""
    return one.start > other.end


def years(span: Span, eras: str = "", *, after: bool = False, dash: str = "–") -> Text:
    """The years of a span in words of both languages, as an editor shows what it has read.

    `eras` is one of `ERAS`; with `after` years of our era have its name, too.
    """
    return Text(*(_years(span, eras, lang, after, dash) for lang in ("de", "en")))


def _years(span: Span, eras: str, lang: str, after: bool, dash: str) -> str:
    before, of_ours = (name[lang].replace(" ", _NB) for name in ERAS[eras])
    if span.end < 1:
        first, last, era = 1 - span.start, 1 - span.end, f"{_NB}{before}"
    elif span.start < 1:
        return f"{1 - span.start}{_NB}{before}{dash}{span.end}{_NB}{of_ours}"
    else:
        first, last, era = span.start, span.end, f"{_NB}{of_ours}" if after else ""
    return f"{first}{era}" if first == last else f"{first}{dash}{last}{era}"


def century(span: Span) -> Text:
    """The century in which a span begins."""
    n = (span.start - 1) // 100 + 1
    before = n < 1
    n = 1 - n if before else n
    return hundreds(n, Text("Jh.", "c."), "", before=before, after=False)


def hundreds(n: int, units: Text, eras: str, *, before: bool, after: bool) -> Text:
    """The n-th century or millennium, before our era or of it, in these words; with `after` the era is named."""
    names = ERAS[eras][0 if before else 1] if before or after else Text("", "")
    de, en = (f" {name.replace(' ', _NB)}" if name else "" for name in (names.de, names.en))
    return Text(f"{n}. {units.de}{de}", f"{n}{ordinal(n)} {units.en}{en}")


def ordinal(n: int) -> str:
    """What English writes behind a number in a row: 1st, 2nd, 3rd, 4th."""
    return "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
