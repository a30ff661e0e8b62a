"""A slip: a few tasks on the pupils' phones about cards that the class has missed, at the end of a lesson or the start
of the next one; or about any cards of its deck, as a quick round without tables. The tasks are played: put a card into
a chain or a first into its period, or declare a form.

Pupils' answers are deleted with their names; the class's counts by card stay.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from spieltisch.classroom.counts import Tally
from spieltisch.decks.library import Library
from spieltisch.decks.tasks import Task
from spieltisch.game import Invalid

Kind = Literal["exit", "warm-up", "quick"]
TASKS: dict[Kind, int] = {"exit": 3, "warm-up": 8, "quick": 8}  # two minutes, five minutes


class Slip(Struct, frozen=True):
    """An open slip; every pupil answers its tasks one by one."""

    kind: Kind
    tasks: tuple[Task, ...]


def slip(library: Library, cards: Iterable[Tally], kind: Kind, dice: random.Random) -> Slip | None:
    """A slip about these cards, in this order of preference; None if nothing can be asked."""
    found: list[Task] = []
    for one in cards:
        if (task := _task(library, one, dice)) is not None:
            found.append(task)
        if len(found) == TASKS[kind]:
            break
    return Slip(kind, tuple(found)) if found else None


def answered(tasks: Sequence[Task], answers: Iterable[Sequence[int]]) -> Iterator[Tally]:
    """The results of the tasks: one count for each answer of each pupil."""
    for own in answers:
        for task, answer in zip(tasks, own, strict=False):
            right = answer in task.right
            yield Tally(task.deck, task.card, right=int(right), wrong=int(not right))


def guesses(tasks: Sequence[Task], sureness: float, dice: random.Random) -> tuple[int, ...]:
    """A bot's answers: each is right with this probability."""
    return tuple(_guess(task, dice.random() < sureness, dice) for task in tasks)


def _guess(task: Task, knows: bool, dice: random.Random) -> int:
    return dice.choice([n for n in range(task.choices) if (n in task.right) == knows])


def _task(library: Library, one: Tally, dice: random.Random) -> Task | None:
    try:
        found = library.read(one.deck)
    except (Invalid, ValueError):
        return None  # the deck is gone, or damaged
    return None if found is None else found[0].task(found[1], one.deck, one.card, dice)
