"""What fronts give away and what they leave open: named times, recurring events, unfinished texts.

The lint already finds texts that name their own year, century or ruler's number.
"""

import functools
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from spieltisch.decks.dates import Span, years
from spieltisch.decks.findings import Finding, message
from spieltisch.decks.table import TEXTS, Row
from spieltisch.study.lab.corpus import LETTERS, Corpus, stems
from spieltisch.study.lab.found import found
from spieltisch.study.lab.languages import ERAS, LAB, Era, any_of, pattern

_SETTING = {tag: f"{lab.setting}{lab.between}".replace("\n", "") for tag, lab in LAB.items() if lab.setting}
_INSIDE = any_of(f"(?:{lab.inside})\\b" for lab in LAB.values() if lab.inside)
_RELATIVE = {tag: pattern(lab.relative) for tag, lab in LAB.items()}
_AGAIN = any_of(lab.again for lab in LAB.values())
_UNFINISHED = any_of(
    (lab.unfinished for lab in LAB.values()),
    r"\?\?|\.\.\.$|…$|\bTODO\b|\bFIXME\b|\bTBD\b|\bLorem ipsum\b|\bx{3,}\b|\basdf\w*|\bblah?\s*blah?\b|^test\b|\w\?\w",
    r"\[[^\]]*\]$",
)
_SMALL = {tag: frozenset(lab.small_words.split()) for tag, lab in LAB.items()}
_ENDS = re.compile(r"[.!?…:;”“\"’')\]»«–。！？」』।؟]$")
# Scripts that put no blanks between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]")
_FEW = 8  # words in which an event that comes again and again can hardly be told from the others
_LITTLE = 14.5  # what a front says, in nats, below which it says too little
_NARROW = 0.7  # of its age: a longer time tells little
_LONG = 300  # years


class Named(Struct, frozen=True):
    """A time or a thing, and its names in each language."""

    span: Span
    words: dict[str, re.Pattern[str]]


@functools.cache
def eras(kind: str) -> tuple[Named, ...]:
    """Return the eras of this kind: `setting` or `thing`."""
    return tuple(Named(era.span, dict(_words(name, era))) for name, era in ERAS.items() if era.kind == kind)


def _words(name: str, era: Era) -> Iterator[tuple[str, re.Pattern[str]]]:
    for tag, lab in LAB.items():
        said = lab.eras.get(name, "").replace("\n", "")
        before = rf"{_SETTING[tag]}(?: |(?<=[’']))" if era.kind == "setting" and tag in _SETTING else ""  # dell’Impero
        if said and (before or era.kind == "thing"):
            yield tag, re.compile(rf"\b{before}(?P<said>{said})(?!\w)")


def settings(row: Row) -> Iterator[Finding]:
    """Yield times that a front names, and years counted from something else."""
    for lang in LAB:
        text = row[TEXTS[lang]]
        for era in eras("setting"):
            if lang in era.words and (said := era.words[lang].search(text)) and _narrow(era.span, said[0]):
                wrong = message("“{words}” gives away the date: {years}", words=said["said"], years=years(era.span))
                yield found(row, "era-named", wrong, message("Describe it without naming the time."))
                return
        if said := _RELATIVE[lang].search(text):
            wrong = message("“{words}…” counts from an event that has a date of its own", words=said[0].strip())
            yield found(row, "era-named", wrong, message("Describe it without naming the time."))
            return


def _narrow(span: Span, words: str) -> bool:
    """Return whether a time tells something. A long one does so only if the event happens in it, not if it comes from
    it.
    """
    inside = _INSIDE.match(words)
    if span.end - span.start > _LONG and not inside:
        return False
    return span.end - span.start <= max(60, _NARROW * (2026 - span.start))


def vague(row: Row, known: Corpus) -> Iterator[Finding]:
    """Yield fronts that fit many events: few words, all of them on shipped cards, too; or recurring events."""
    texts = [row[column] for column in TEXTS.values() if row[column]]
    if not texts or any(_UNFINISHED.search(text) for text in texts):
        return
    for text in texts:
        if (said := _AGAIN.search(text)) and len(text.split()) <= _FEW:
            wrong = message("“{words}” happens again and again: which one is meant?", words=said[0])
            yield found(row, "vague", wrong, message("Add something that only this event had."))
            return
    common = all(map(known.has_all, texts)) and not _name(row, known)
    if common and max(map(known.told, texts)) < _LITTLE:
        wrong = message("the front fits many events: it hardly says anything specific")
        yield found(row, "vague", wrong, message("Add something that only this event had."))


def _name(row: Row, known: Corpus) -> bool:
    """Return whether a front names somebody or something: a capital within a sentence. In languages with capitals for
    nouns it is a word without an article that no shipped card has.
    """
    for tag, lab in LAB.items():
        if lab.names and row[TEXTS[tag]]:
            return bool(re.search(r"(?<![.!?:«][ \u00a0])(?<!^)(?<![“\"«])\b[A-ZÀ-Ý][^\W\d_]{2,}", row[TEXTS[tag]]))
    for tag, lab in LAB.items():
        for before, word in re.findall(r"(?:(\w+) )?\b([A-ZÄÖÜ][^\W\d_]{3,})", row[TEXTS[tag]]) if lab.articles else ():
            if before.lower() not in lab.articles.split() and not known.often[word.casefold()[:LETTERS]]:
                return True
    return False


def unfinished(row: Row, ended: Sequence[str]) -> Iterator[Finding]:
    """Yield unfinished fronts. `ended` are the languages in which this deck ends its sentences."""
    for lang, column in TEXTS.items():
        text = row[column]
        if not text:
            continue
        last = (re.findall(r"\w+", text) or [""])[-1]
        wrong = None
        if said := _UNFINISHED.search(text):
            wrong = message("“{words}”: this text is not finished", words=said[0])
        elif len(stems(text)) < 2 and len(text.split()) < 3 and not _UNSPACED.search(text):
            wrong = message("“{words}” is not a sentence", words=text)
        elif (last.casefold() in _SMALL.get(lang, ()) and not _ENDS.search(text)) or text.endswith((",", "-")):
            wrong = message("the text breaks off: “…{words}”", words=text[-25:])
        elif not _ENDS.search(text) and lang in ended:
            wrong = message("the text ends without a full stop, unlike the others: “…{words}”", words=text[-25:])
        elif len(text) > 15 and text.isupper():
            wrong = message("the text is in capitals")
        if wrong is not None:
            yield found(row, "unfinished", wrong, message("Finish the text."))
            return


def sentences(rows: Sequence[Row]) -> list[str]:
    """Return the languages in which nearly all fronts end like sentences."""
    ended = []
    for lang, column in TEXTS.items():
        texts = [row[column] for row in rows if row[column]]
        if texts and sum(bool(_ENDS.search(text)) for text in texts) >= 0.85 * len(texts):
            ended.append(lang)
    return ended
