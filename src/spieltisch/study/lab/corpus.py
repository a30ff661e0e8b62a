"""The words of cards, and the times for which the shipped decks use them.

A word is known by its first letters, which matches its other forms and many compounds. The times of words are learned
from the shipped events and their comments. Each card spreads its date over the logarithm of its age, since old dates
are less exact. A card is never compared with itself.
"""

import functools
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from spieltisch.decks.base_kind import plainest
from spieltisch.decks.dates import Span
from spieltisch.decks.deck import span_of
from spieltisch.decks.lint.alike import words
from spieltisch.decks.table import COMMENTS, TEXTS, Row, read_table
from spieltisch.decks.text import TAGS, Text, text_of
from spieltisch.game import Invalid
from spieltisch.study.lab.languages import LAB, Names

TODAY = 2046  # a little later than the latest card, so that no age is 0
LETTERS = 6  # by which a word is known
COMMON = 80  # cards with a word after which it says nothing of a time any more
_LEAST, _STEP, _STEPS = 2.9, 0.12, 52  # the logarithms of ages, from eighteen years to nine thousand
_BLUR = 0.3
_TRUST = 2.0  # cards that a word has to be on before it outweighs what holds for all
_PLACE = r"([A-ZÀ-Ý][\w’-]{3,}(?: [A-ZÀ-Ý][\w’-]{3,})?)"
_HALF = 0.5  # words of a card hang together: each counts for half


class Likely(Struct, frozen=True):
    """When other cards use the words of a card.

    `against` is the logarithm of how much more likely that time is than the card's own date. `words` contribute most to
    it.
    """

    year: int
    against: float
    words: Text


def stems(text: str) -> frozenset[str]:
    """Return the significant words of a text, each by its first letters."""
    return frozenset(word[:LETTERS] for word in words(text) if len(word) > 2 and not word.isdigit())


def tokens(row: Row) -> frozenset[str]:
    """Return the words of a card's front and comment, separately by language."""
    texts = ((tag, f"{row[TEXTS[tag]]} {row[COMMENTS[tag]]}") for tag in TAGS)
    return frozenset(f"{tag}:{stem}" for tag, text in texts for stem in stems(text))


def _of(tag: str, tokens: Iterable[str]) -> list[str]:
    """Return the words of these tokens in this language."""
    return [one.removeprefix(f"{tag}:") for one in tokens if one.startswith(f"{tag}:")]


def _plain_words(rows: Sequence[Row], tag: str, names: Names) -> set[str]:
    """Return common words of texts in this language, and places."""
    text, comment = TEXTS[tag], COMMENTS[tag]
    found = {word for row in rows for word in re.findall(r"\b[a-z][\w’-]+", row[text])}
    places = (re.findall(names.place + _PLACE, f"{row[text]} {row[comment]}") for row in rows)
    return found | {
        name.removesuffix(names.possessive).casefold() for each in places for name in " ".join(each).split()
    }


class Corpus:
    """The shipped events and what their words tell."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = [row for row in rows if span_of(row, plainest().name)]
        fronts = [row.text().by_language.values() for row in self.rows]
        self.front = {front: number for number, each in enumerate(fronts) for front in each}
        self._tokens = [tokens(row) for row in self.rows]
        self._cards: dict[str, list[int]] = {}
        for number, said in enumerate(self._tokens):
            for one in said:
                self._cards.setdefault(one, []).append(number)
        self._curves = [_curve(_middle(row)) for row in self.rows]
        whole = [sum(column) for column in zip(*self._curves, strict=True)]
        self._prior = [one / sum(whole) for one in whole]
        self._kept: dict[str, list[float]] = {}
        self.often = Counter(stem for row in self.rows for column in TEXTS.values() for stem in stems(row[column]))
        self._lower: set[str] = set()
        for tag, lab in LAB.items():
            if lab.names:
                self._lower |= _plain_words(self.rows, tag, lab.names)

    def knows(self, row: Row) -> int | None:
        """Return the number of the card with this front; None if there is none."""
        return next((self.front[front] for front in row.text().by_language.values() if front in self.front), None)

    def plain(self, word: str) -> bool:
        """Return whether cards use this as a common word or a place, so that it is no rare name."""
        return word in self._lower

    def has_all(self, text: str) -> bool:
        """Return whether cards have every word of a text."""
        return all(self.often[stem] for stem in stems(text))

    def told(self, text: str) -> float:
        """Return the information of a text in nats: rare words count more."""
        cards = max(2, len(self.rows))
        return sum(math.log(cards / max(1, self.often[stem])) for stem in stems(text))

    def likely(self, row: Row, span: Span) -> Likely:
        """Return when the words of this card are used."""
        own = self.knows(row)
        odds = [0.0] * _STEPS
        speak: list[tuple[list[float], str]] = []
        for one in sorted(tokens(row)):
            told = self._told(one, own)
            if told:
                odds = [before + more for before, more in zip(odds, told, strict=True)]
                speak.append((told, one))
        best = max(range(_STEPS), key=lambda step: odds[step])
        first, last = sorted((_step(span.end), _step(span.start)))
        here = max(odds[max(0, first - 2) : last + 3])
        at = min(range(first, last + 1), key=lambda step: abs(step - best))
        loud = sorted(speak, key=lambda one: one[0][at] - one[0][best])
        said = [word for told, word in loud if told[best] > told[at]]
        loudest = text_of({tag: ", ".join(f"{word}…" for word in _of(tag, said)[:3]) for tag in TAGS})
        return Likely(round(TODAY - math.exp(_LEAST + _STEP * best)), odds[best] - here, loudest)

    def _told(self, token: str, own: int | None) -> list[float]:
        """Return what a word says about each step of time, as a logarithm; nothing if it is on no other card, or on
        many.
        """
        numbers = self._cards.get(token, [])
        if own is None or own not in numbers:
            if token not in self._kept:
                self._kept[token] = self._speaks(numbers)
            return self._kept[token]
        return self._speaks([number for number in numbers if number != own])

    def _speaks(self, numbers: list[int]) -> list[float]:
        if not 1 <= len(numbers) <= COMMON:
            return []
        expected = [_TRUST * prior for prior in self._prior]
        curve = map(sum, zip(expected, *map(self._curves.__getitem__, numbers), strict=True))
        many = len(numbers) + _TRUST
        return [_HALF * math.log(part / many / prior) for part, prior in zip(curve, self._prior, strict=True)]


def _middle(row: Row) -> float:
    span = span_of(row, plainest().name)
    assert span is not None
    return _age((span.start + span.end) / 2)


def _age(year: float) -> float:
    return math.log(max(1.0, TODAY - year))


def _step(year: float) -> int:
    return min(_STEPS - 1, max(0, round((_age(year) - _LEAST) / _STEP)))


def _curve(age: float) -> list[float]:
    """Return how near each step lies to an age. The steps add up to 1."""
    near = [math.exp(-(((_LEAST + _STEP * step - age) / _BLUR) ** 2) / 2) for step in range(_STEPS)]
    return [one / sum(near) for one in near]


@functools.cache
def corpus() -> Corpus:
    """Return the corpus of the shipped events."""
    try:
        rows = read_table(plainest().shipped()[0].read_text("utf-8"), ()).rows
    except Invalid:  # whoever edits the shipped deck looks at it with its own lint first
        rows = []
    return Corpus(rows)
