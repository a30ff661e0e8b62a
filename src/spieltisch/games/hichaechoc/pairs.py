"""Puzzle: two cards to shed in two moves. Which one first, and as what? A search of all ways has proven it.

The middle holds a card with its declared reading. The player holds two cards and lays one after the other. There are at
least two possible first moves, and exactly one lets the second card follow.
"""

import random
from collections.abc import Iterator

from msgspec import Struct

from spieltisch.decks.tasks import Lying, Scene, Task, day_of
from spieltisch.games.hichaechoc import wording
from spieltisch.games.hichaechoc.agreement import BESIDE, Table, readings
from spieltisch.games.hichaechoc.forms import CELLS, Paradigm
from spieltisch.i18n import Translator

CHOICES = 4
LEAST = 2  # possible first moves
TRIES = 10_000


class Pair(Struct, frozen=True):
    """A puzzle. Forms are numbers. `ways` are all possible first moves (card of the hand, reading)."""

    forms: tuple[str, ...]
    table: Table
    middle: int
    said: int
    hand: tuple[int, int]
    ways: tuple[tuple[int, int], ...]

    def next(self, card: int, reading: int) -> tuple[int, ...]:
        """The readings with which the other card can follow."""
        other = self.hand[1 - card]
        return tuple(one for one in BESIDE[reading] if one in readings(self.table, other))

    def tempting(self) -> list[tuple[int, int]]:
        """Choices to offer: all readings of the cards, and all readings that fit on the middle."""
        return [
            (card, reading)
            for card, form in enumerate(self.hand)
            for reading in sorted({*readings(self.table, form), *BESIDE[self.said]})
        ]


def pair(deck: Paradigm, card: str) -> Pair | None:
    """The puzzle of a day (`day/2026-11-28`); None for any other card."""
    if day_of(card) is None:
        return None
    dice = random.Random(f"pairs/{card}")  # noqa: S311 - no secret
    forms = tuple(dict.fromkeys(deck.forms()))
    table = bytes(forms.index(form) for form in deck.forms())
    for _ in range(TRIES):
        said, *hand = dice.sample(range(len(CELLS)), 3)
        one, other = table[hand[0]], table[hand[1]]
        found = Pair(forms, table, table[said], said, (one, other), tuple(_ways(table, said, (one, other))))
        best = [way for way in found.ways if found.next(*way)]
        if len({found.middle, one, other}) == 3 and len(best) == 1 and len(found.ways) >= LEAST:
            return found
    return None


def _ways(table: Table, said: int, hand: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for card, form in enumerate(hand):
        yield from ((card, reading) for reading in BESIDE[said] if reading in readings(table, form))


def task(deck: Paradigm, name: str, card: str, dice: random.Random) -> Task | None:
    """The puzzle as a task: which card to lay first."""
    found = pair(deck, card)
    if found is None:
        return None
    best = next(way for way in found.ways if found.next(*way))
    others = [way for way in found.ways if way != best]
    dice.shuffle(others)
    for way in dice.sample(tempting := found.tempting(), len(tempting)):
        others += [way] if way not in found.ways else []
    shown = [best, *others[: CHOICES - 1]]
    dice.shuffle(shown)
    worth = tuple(float(way == best) for way in shown)
    return Task("best", name, card, tuple(f"{n}.{r}" for n, r in shown), len(shown), (shown.index(best),), worth)


def scene(deck: Paradigm, task: Task, tr: Translator) -> Scene | None:
    """The middle and the hand."""
    found = pair(deck, task.card)
    if found is None:
        return None
    middle = Lying(tr.labelled(found.forms[found.middle], wording.reading(found.said, tr)))
    hand = tuple(Lying(found.forms[card], latin=True) for card in found.hand)
    return Scene(
        ((tr._("In the middle"), (middle,)), (tr._("Your hand"), hand)),
        tr._("You lay both cards, one after the other. Which one first, and as what?"),
        tuple(_words(found, *_way(one), tr) for one in task.shown),
    )


def why(deck: Paradigm, task: Task, tr: Translator) -> str:
    """What follows the best move; nothing follows any other."""
    found = pair(deck, task.card)
    if found is None:
        return ""
    card, reading = _way(task.shown[task.right[0]])
    then = wording.reading(found.next(card, reading)[0], tr)
    others = len(found.ways) - 1
    words = tr.ngettext(
        "Then {form} follows as {reading}. There is one other way to begin, and after it the second card fits nowhere.",
        "Then {form} follows as {reading}. There are {n} other ways to begin, and after each the second card fits "
        "nowhere.",
        others,
    )
    return words.format(form=found.forms[found.hand[1 - card]], reading=then, n=others)


def _way(shown: str) -> tuple[int, int]:
    card, _, reading = shown.partition(".")
    return int(card), int(reading)


def _words(found: Pair, card: int, reading: int, tr: Translator) -> str:
    return tr._("{form} as {reading}").format(form=found.forms[found.hand[card]], reading=wording.reading(reading, tr))
