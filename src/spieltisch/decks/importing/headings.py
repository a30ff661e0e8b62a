"""The line of a sheet with the column names, in any language: finding it, and the meaning of its words.

Besides the columns of decks, parts of a date may have columns of their own: the era, the end of a span (and its era),
the month and the day. A language's words are in its `headings.toml`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from spieltisch.decks.table import COMMENTS, TEXTS
from spieltisch.decks.text import TAGS
from spieltisch.languages import DEFAULT, LANGUAGES, data
from spieltisch.languages.patterns import Usable, require_fields

LOOKED_AT = 10  # lines that may name the columns
PARTS = ("era", "end", "end_era", "month", "day")
"""The parts of a date that may have columns of their own, besides the year."""


class _Line(Protocol):
    @property
    def cells(self) -> Sequence[str]: ...


class Headings(Usable, frozen=True, forbid_unknown_fields=True):
    """How people name columns in a language. Words after | count only if no column has a better name. `kinds` has the
    columns, and what stands there, that only one kind of decks knows.
    """

    columns: Mapping[str, str]
    described: str = ""
    years: str = ""
    within: tuple[str, ...] = ()
    languages: Mapping[str, str] = {}
    kinds: Mapping[str, Mapping[str, str]] = {}

    def require_usable(self) -> None:
        require_fields(self.within, "")

    def strong(self, column: str) -> list[str]:
        return self.columns.get(column, "").partition("|")[0].split()

    def weak(self, column: str) -> list[str]:
        return self.columns.get(column, "").partition("|")[2].split()


def plain(name: str) -> str:
    """The word in lower case, without spaces and punctuation."""
    return re.sub(r"[\W_]", "", name.casefold())


_HEADINGS = data("headings.toml", Headings)
_LABEL = "label"
_DESCRIBED = {plain(word) for one in _HEADINGS.values() for word in one.described.split()}
_YEARS = {plain(word) for one in _HEADINGS.values() for word in one.years.split()}
_COLUMN: dict[str, str] = {}
_WEAK: set[str] = set()
_SPOKEN: dict[str, set[str]] = {}  # the languages that have a word
for _lang, _one in _HEADINGS.items():
    for _column in _one.columns:
        for _word in map(plain, (*_one.strong(_column), *_one.weak(_column))):
            _COLUMN.setdefault(_word, _column)
            _SPOKEN.setdefault(_word, set()).add(_lang)
        _WEAK |= {*map(plain, _one.weak(_column))}


def _in_language(lang: str) -> Iterator[tuple[str, str]]:
    """Words for the columns of texts and comments in a language."""
    own = LANGUAGES[lang]
    names = [own.name, own.english, *(one.languages[lang] for one in _HEADINGS.values() if lang in one.languages)]
    for name in (lang, *names):
        yield name, TEXTS[lang]
        for column, columns in (("text", TEXTS), ("comment", COMMENTS)):
            for one in _HEADINGS.values():
                yield from ((word + name, columns[lang]) for word in (*one.strong(column), *one.weak(column)))
    for one in _HEADINGS.values():
        for way in one.within:
            for name in names:
                _WEAK.add(plain(way.format(name)))
                yield way.format(name), TEXTS[lang]


for _lang in TAGS:
    for _word, _column in _in_language(_lang):
        _COLUMN.setdefault(plain(_word), _column)
_TEXTS = ("text", *TEXTS.values())


def of_kind(kind: str, column: str) -> set[str]:
    """The words by which any language names this column of a kind, or what stands there."""
    return {plain(word) for one in _HEADINGS.values() for word in one.kinds.get(kind, {}).get(column, "").split()}


def language_of(name: str, names: Sequence[str]) -> str:
    """The language of a column name. Where several languages have the word, the date's name decides, then the others;
    in the end the default.
    """
    left = _SPOKEN.get(plain(name), {*_HEADINGS})
    for other in sorted(names, key=lambda one: column_of(one) not in {"date", "begin"}):
        left = left & _SPOKEN.get(plain(other), left) or left
    return DEFAULT if DEFAULT in left else min(left, key=TAGS.index)


def named(column: str, lang: str) -> str:
    """How this language names a column; as decks do if it does not say."""
    return next(iter(_HEADINGS[lang].strong(column)), column) if lang in _HEADINGS else column


def column_of(name: str) -> str:
    """The column that a name means, "" for an unknown one."""
    return _COLUMN.get(plain(name), "")


def meant(names: Sequence[str]) -> list[str]:
    """The meaning of each column name: a column, a part of the date, or "" for neither.

    A description is a comment if another column has the event. A month needs a year.
    """
    words = [plain(name) for name in names]
    columns = _labelled([_COLUMN.get(word, "") for word in words], words)
    if any(one in _TEXTS and word not in _DESCRIBED for one, word in zip(columns, words, strict=True)):
        columns = ["comment" if word in _DESCRIBED else one for one, word in zip(columns, words, strict=True)]
    if "begin" in columns and "date" in columns:  # someone's lifetime, or the author of an idea
        columns = ["" if one in {"begin", "end"} else one for one in columns]
    columns = ["date" if one == "begin" else one for one in columns]
    if "end" in columns and columns.count("era") == 2:
        columns[len(columns) - 1 - columns[::-1].index("era")] = "end_era"
    if _YEARS.isdisjoint(words):
        columns = ["" if one in {"month", "day"} else one for one in columns]
    return _without_weak(columns, words)


def _labelled(columns: list[str], words: Sequence[str]) -> list[str]:
    """Resolve duplicates in Wikidata's exports: `event` is an address, `eventLabel` its name."""
    for at, word in enumerate(words):
        if word and f"{word}{_LABEL}" in words:
            label = words.index(f"{word}{_LABEL}")
            is_event = columns[at] in {"", "text", "source"}
            columns[label] = "text" if is_event else columns[at]
            columns[at] = "source" if is_event else ""
    return columns


def _is_weak(word: str, words: Sequence[str]) -> bool:
    return word in _WEAK | _DESCRIBED or word.endswith(_LABEL) or f"{word}{_LABEL}" in words


def _without_weak(columns: list[str], words: Sequence[str]) -> list[str]:
    """The columns; of several names for the same one, only the best count."""
    kept: list[str] = []
    texts = {*_TEXTS}
    for at, (one, word) in enumerate(zip(columns, words, strict=True)):
        same = texts if one in texts else {one}
        others = [other for place, other in enumerate(words) if place != at and columns[place] in same and one]
        better = any(not _is_weak(other, words) for other in others)
        weak = one and _is_weak(word, words) and (better or bool(same & {*kept}))
        kept.append("" if weak else one)
    return kept


def heading(lines: Sequence[_Line]) -> int | None:
    """The index of the first line that names a date column and an event column; if several such lines follow each
    other, of the last. None if the first lines have none.
    """
    named = [_names(line) for line in lines[: LOOKED_AT + 1]]
    at = next((at for at, one in enumerate(named[:LOOKED_AT]) if one), None)
    while at is not None and at + 1 < len(named) and named[at + 1]:
        at += 1
    return at


def likeliest(lines: Sequence[_Line]) -> int:
    """The likeliest line of column names if none is complete: of the lines that name a date or an event, the one with
    most known words, else the first line.
    """
    known = [{*meant(line.cells)} - {""} for line in lines[:LOOKED_AT]]
    counted = [0 if columns.isdisjoint({"date", *_TEXTS}) else len(columns) for columns in known]
    return counted.index(max(counted))


def _names(line: _Line) -> bool:
    columns = {*meant(line.cells)}
    return "date" in columns and not columns.isdisjoint(_TEXTS)
