"""A slip: a few tasks on the pupils' phones about cards that the class has missed, at the end of a lesson or to begin
the next one; or about any cards of its deck, as a quick round without tables. It is played, not filled in: a card is
put into a chain, a first into its period, a form is declared.

What a pupil answers goes with the names; the class's counts by card stay.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from spieltisch.classroom.counts import Tally
from spieltisch.decks import forms
from spieltisch.decks.dates import certainly_later
from spieltisch.decks.events import Event
from spieltisch.decks.firsts import Firsts
from spieltisch.decks.forms import CELLS
from spieltisch.decks.library import Library
from spieltisch.game import Invalid

Kind = Literal["exit", "warm-up", "quick"]
TASKS: dict[Kind, int] = {"exit": 3, "warm-up": 8, "quick": 8}  # two minutes, five minutes
CHAIN = 3  # cards that lie there already
READINGS = 4  # to choose from


class Task(Struct, frozen=True):
    """A card and where it may go. `kind` chain: `shown` are the ids of the cards that lie there, the earliest first,
    and answers are how many stand before the new one; period: answers are columns; reading: `shown` are the readings.
    `right` are all answers that are right, of `choices` many.
    """

    kind: Literal["chain", "period", "reading"]
    deck: str
    card: str
    shown: tuple[str, ...]
    choices: int
    right: tuple[int, ...]


class Slip(Struct, frozen=True):
    """A slip that is open: every pupil answers its tasks one by one."""

    kind: Kind
    tasks: tuple[Task, ...]


def slip(library: Library, cards: Iterable[Tally], kind: Kind, dice: random.Random) -> Slip | None:
    """A slip about these cards, those first that stand first; None where nothing can be asked."""
    found: list[Task] = []
    for one in cards:
        if (task := _task(library, one, dice)) is not None:
            found.append(task)
        if len(found) == TASKS[kind]:
            break
    return Slip(kind, tuple(found)) if found else None


def answered(tasks: Sequence[Task], answers: Iterable[Sequence[int]]) -> Iterator[Tally]:
    """What came of the tasks, one count for each answer of each pupil."""
    for own in answers:
        for task, answer in zip(tasks, own, strict=False):
            right = answer in task.right
            yield Tally(task.deck, task.card, right=int(right), wrong=int(not right))


def guesses(tasks: Sequence[Task], sureness: float, dice: random.Random) -> tuple[int, ...]:
    """What a bot answers: to each task what is right with this probability, else something wrong."""
    return tuple(_guess(task, dice.random() < sureness, dice) for task in tasks)


def _guess(task: Task, knows: bool, dice: random.Random) -> int:
    return dice.choice([n for n in range(task.choices) if (n in task.right) == knows])


def _task(library: Library, one: Tally, dice: random.Random) -> Task | None:
    if one.deck in forms.shipped():
        return _reading(one, dice)
    try:
        entry = library.entry(one.deck)
        if entry is not None and entry.kind == "firsts":
            return _period(library.firsts(one.deck), one)
        return None if entry is None else _chain(library.one_of_events(one.deck).cards, one, dice)
    except Invalid:
        return None  # the deck is gone


def _reading(one: Tally, dice: random.Random) -> Task | None:
    written = dict(zip(CELLS, forms.named(one.deck).forms(), strict=True))
    right = [cell for cell, form in written.items() if form == one.card]
    if not right:
        return None
    near = [cell for cell, form in written.items() if form != one.card]
    dice.shuffle(near)
    chosen = dice.choice(right)
    near.sort(key=lambda cell: sum(a != b for a, b in zip(cell, chosen, strict=True)))  # those that tempt
    shown = [chosen, *near[: READINGS - 1]]
    dice.shuffle(shown)
    return Task(
        "reading", one.deck, one.card, tuple(".".join(cell) for cell in shown), READINGS, (shown.index(chosen),)
    )


def _period(deck: Firsts, one: Tally) -> Task | None:
    card = next((card for card in deck.cards if card.id == one.card), None)
    if card is None:
        return None
    year = card.year
    if year is None:
        right = len(deck.periods) - 1
    else:
        right = max(n for n, period in enumerate(deck.periods) if period.start <= year)
    return Task("period", one.deck, one.card, (), len(deck.periods), (right,))


def _chain(cards: Sequence[Event], one: Tally, dice: random.Random) -> Task | None:
    """Other cards of the same goal, if there are enough; nobody can doubt the order of any two of them."""
    card = next((card for card in cards if card.id == one.card), None)
    if card is None:
        return None
    others = [other for other in cards if other.id != card.id]
    dice.shuffle(others)
    others.sort(key=lambda other: not {*other.goals} & {*card.goals})
    laid = [card]
    for other in others:
        if all(_apart(other, there) for there in laid):
            laid.append(other)
        if len(laid) > CHAIN:
            break
    if len(laid) <= CHAIN:
        return None
    laid.sort(key=lambda there: there.span.start)
    right = laid.index(card)
    shown = tuple(there.id for there in laid if there is not card)
    return Task("chain", one.deck, one.card, shown, CHAIN + 1, (right,))


def _apart(a: Event, b: Event) -> bool:
    later = certainly_later(a.span, b.span) or certainly_later(b.span, a.span)
    return later and not {*a.things} & {*b.things}
