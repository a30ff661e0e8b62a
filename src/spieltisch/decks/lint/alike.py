"""Texts that say nearly the same: more than half of the words that one of two has, both have."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from spieltisch.decks.lint.words import said
from spieltisch.decks.text import folded

MORE_THAN = 0.5
COMPARED = 200  # rows with which one is compared at most
_COMMON = said("common")


def words(text: str) -> frozenset[str]:
    """The words of a text that say something; all, if only small ones stand there."""
    found = frozenset(re.findall(r"\w+", folded(text)))
    return found - _COMMON or found


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """How many of all their words both have, from 0 to 1."""
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def alike(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The rows of texts that are nearly one before them, each with the first such; no two of the others are alike.

    Two sets that share more than half of all their words share one of the rarest words of each, so that only
    texts with such a word are compared. Each row is compared with `COMPARED` others, those with its rarest words first:
    in a table of ten thousand rows made of the same few words, all pairs would take minutes.
    """
    sets = [words(text) for text in texts]
    often = Counter(word for one in sets for word in one)
    rows: dict[str, list[int]] = {}  # without those that have been found to be alike
    for row, one in enumerate(sets):
        ordered = sorted(one, key=lambda word: (often[word], word))
        rarest = ordered[: len(one) - int(MORE_THAN * len(one))]
        near = sorted({*islice(chain.from_iterable(rows.get(word, ()) for word in rarest), COMPARED)})
        first = next((before for before in near if likeness(one, sets[before]) > MORE_THAN), None)
        if first is not None:
            yield row, first
            continue
        for word in rarest:
            rows.setdefault(word, []).append(row)
