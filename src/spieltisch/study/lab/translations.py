"""Fronts whose two languages tell different things, as when one column of a sheet was sorted alone.

Pairs of words are learned from the shipped decks and the deck itself: words that occur on the same cards. Words that
begin alike are pairs anyway.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from spieltisch.decks.findings import Finding, message
from spieltisch.decks.lint.whole import named
from spieltisch.decks.table import TEXTS, Row
from spieltisch.decks.text import TAGS
from spieltisch.study.lab.corpus import Corpus, stems
from spieltisch.study.lab.found import found

_ENOUGH = 6  # words of each, before it says something that none of them meets its other
_TOGETHER = 0.25  # how often two words have to be together, of all their cards, to go with each other
_SAME = 4  # letters


def differing(rows: Sequence[Row], known: Corpus) -> Iterator[Finding]:
    """Yield the cards none of whose words has its pair in the other language."""
    for one, other in combinations(TAGS, 2):
        if any(row[TEXTS[one]] and row[TEXTS[other]] for row in rows):
            yield from _differing(rows, known, one, other)


def _differing(rows: Sequence[Row], known: Corpus, one: str, other: str) -> Iterator[Finding]:
    first, second = TEXTS[one], TEXTS[other]
    fronts = {(row[first], row[second]) for row in (*rows, *known.rows) if row[first] and row[second]}
    pairs = [(stems(mine), stems(theirs)) for mine, theirs in sorted(fronts)]
    ours = Counter(word for mine, _ in pairs for word in mine)
    others = Counter(word for _, theirs in pairs for word in theirs)
    both = Counter((word, its) for mine, theirs in pairs for word in mine for its in theirs)

    def go_together(word: str, its: str) -> bool:
        if word[:_SAME] == its[:_SAME]:
            return True
        apart = both[word, its] - 1  # on other cards than this one
        return apart > 1 and 2 * apart >= _TOGETHER * (ours[word] + others[its] - 2)

    for row in rows:
        mine, theirs = stems(row[first]), stems(row[second])
        enough = len(mine) >= _ENOUGH and len(theirs) >= _ENOUGH
        if enough and not any(go_together(word, its) for word in mine for its in theirs):
            wrong = message(
                "the texts in {one} and {other} seem to say different things", one=named(one), other=named(other)
            )
            yield found(row, "languages", wrong, message("Has one column slipped by a row?"))
