"""Near-duplicates in this deck or among shipped cards, and cards of one thing.

The lint finds texts that share more than half of their words. Here rare words count more and all languages count, so
rephrased texts are found as well.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from spieltisch.decks.base_kind import kind_of, plainest
from spieltisch.decks.dates import Span
from spieltisch.decks.deck import span_of
from spieltisch.decks.findings import Finding, message
from spieltisch.decks.table import TEXTS, Row
from spieltisch.decks.things import groups
from spieltisch.study.lab.corpus import Corpus, stems
from spieltisch.study.lab.found import found, place
from spieltisch.study.lab.languages import LAB, Names

ALIKE = 0.42  # of two cards whatever their dates, and
ALIKE_FIRSTS = 0.6  # of two firsts of one woman, and
ALIKE_NEAR = 0.32  # of two whose years meet, or nearly
NEAR = 2  # years
SHARED = 3  # words: one name and a word tell of one person, not of one event
_OFTEN = 60  # cards with a word after which it no longer brings two together
_FEW = 3  # cards of one name


def alike(rows: Sequence[Row], kind: str, known: Corpus) -> Iterator[Finding]:
    """Yield cards that say nearly what another card, or a shipped one, says. Copies of shipped cards are ignored."""
    others = [row for row in known.rows if kind == plainest().name]
    taken = {number for row in rows if (number := known.knows(row)) is not None}
    others = [row for number, row in enumerate(others) if number not in taken]
    everyone = [*rows, *others]
    best: dict[int, tuple[float, int]] = {}
    for first, second, near in pairs(everyone, kind, len(rows)):
        own = second < len(rows)
        if own and _apart(rows[first], rows[second], kind, known):
            continue
        for mine, other in ((first, second), (second, first)) if own else ((first, second),):
            best[mine] = max(best.get(mine, (0.0, 0)), (near, other))
    for mine, (_, other) in sorted(best.items()):
        row, said = everyone[mine], everyone[other].named
        if other < len(rows):
            wrong = message("says the same as {card}: “{words}”", card=place(everyone[other]), words=said)
            yield found(row, "alike", wrong, message("Remove one of them, or say what makes them different."))
        else:
            wrong = message("says the same as a shipped card: “{words}”", words=said)
            yield found(row, "shipped", wrong, message("Leave it out if you mix both decks."))


def pairs(rows: Sequence[Row], kind: str, own: int) -> Iterator[tuple[int, int, float]]:
    """Return pairs of rows that say nearly the same, and their likeness from 0 to 1.

    The first `own` rows are of this deck, the others are shipped events. At least one of a pair is its own.
    """
    spans = [span_of(row, kind if number < own else plainest().name) for number, row in enumerate(rows)]
    for (first, second), near in _nearness(rows, own).items():
        meet = _meet(spans[first], spans[second])
        least = ALIKE_FIRSTS if kind_of(kind).strict else ALIKE_NEAR if meet else ALIKE
        if near >= least and _shared(rows[first], rows[second]) >= (2 if meet and second >= own else SHARED):
            yield first, second, near


def _apart(one: Row, other: Row, kind: str, known: Corpus) -> bool:
    """Return whether two cards are known to differ: firsts of two women with similar fronts, or two cards of the
    shipped deck, which were compared before.
    """
    if kind_of(kind).strict:
        return one["who"] != other["who"]
    return known.knows(one) is not None and known.knows(other) is not None


def _shared(one: Row, other: Row) -> float:
    """Return how many words both have in the language with the most; infinite if one text has no other words."""
    pairs = [(stems(one[column]), stems(other[column])) for column in TEXTS.values()]
    return max(math.inf if mine and (mine <= yours or yours <= mine) else len(mine & yours) for mine, yours in pairs)


def _meet(one: Span | None, other: Span | None) -> bool:
    return one is not None and other is not None and one.start - NEAR <= other.end and other.start - NEAR <= one.end


def _nearness(rows: Sequence[Row], own: int) -> Mapping[tuple[int, int], float]:
    """Return the likeness of two cards that share a rare word, from 0 to 1: the mean over the languages that both have.
    The first is one of the `own` cards.
    """
    total: dict[tuple[int, int], float] = defaultdict(float)
    columns = [column for column in TEXTS.values() if any(row[column] for row in rows)]
    spoken = [[bool(row[column]) for row in rows] for column in columns]
    for column in columns:
        sets = [stems(row[column]) for row in rows]
        often = Counter(stem for one in sets for stem in one)
        weights = [{stem: math.log(1 + len(rows) / often[stem]) for stem in one} for one in sets]
        size = [math.sqrt(sum(weight * weight for weight in one.values())) or 1.0 for one in weights]
        where: dict[str, list[int]] = defaultdict(list)
        for number, one in enumerate(sets):
            for stem in one:
                where[stem].append(number)
        for stem, numbers in where.items():
            if len(numbers) <= _OFTEN:
                ours = [number for number in numbers if number < own]
                for at, second in enumerate(numbers):
                    for first in ours[:at]:
                        part = weights[first][stem] * weights[second][stem] / (size[first] * size[second])
                        total[first, second] += part
    return {
        (first, second): near / max(1, sum(one[first] and one[second] for one in spoken))
        for (first, second), near in total.items()
    }


def things(rows: Sequence[Row], kind: str, known: Corpus) -> Iterator[Finding]:
    """Yield cards of one thing that are not marked so: two fronts with one rare name that is no place."""
    if kind != plainest().name:
        return
    marked = {
        number: group
        for group, numbers in enumerate(groups([plainest().things(row, "") for row in rows]))
        for number in numbers
    }
    where: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for name in names_of(row):
            where[name].append(number)
    for name, numbers in sorted(where.items()):
        if not 2 <= len(numbers) <= _FEW or known.plain(name.casefold()):
            continue
        for number in numbers:
            row = rows[number]
            other = next(one for one in numbers if one != number)
            same = number in marked and marked[number] == marked.get(other)
            if not same and not _apart(row, rows[other], kind, known):
                wrong = message(
                    "is about {name}, like {card}: seeing both gives more away", name=name, card=place(rows[other])
                )
                right = message(
                    "Write “{name}” in the column “thing” of both: then a table gets only one of them.", name=name
                )
                yield found(row, "thing", wrong, right)


def names_of(row: Row) -> set[str]:
    """Return the names on a front, in the first of its languages that shows names."""
    told = ((row[TEXTS[tag]], lab.names) for tag, lab in LAB.items() if lab.names and row[TEXTS[tag]])
    return next((names(text, how) for text, how in told if how), set())


def names(text: str, how: Names) -> set[str]:
    """Return the names in a text that are no places: a capital within a sentence without a preposition before it."""
    said = set()
    before_places, articles, others = ({*words.split()} for words in (how.before_places, how.articles, how.others))
    for one in re.finditer(r"(?<![.!?:“”\"«][ \u00a0])(?<!^)\b[A-ZÀ-Ý][\w’-]+(?: [A-ZÀ-Ý][\w’-]+)*", text):
        before = [word for word in re.findall(r"[\w’-]+", text[: one.start()])[-2:] if word.lower() not in articles]
        if not before or before[-1].lower() not in before_places:
            said.add(one[0].removesuffix(how.possessive).split()[-1])
    return {name for name in said if len(name) > 3 and name not in others}
