"""A task: where a card belongs among others, which of several things is right of it, or what is best at a moment."""

import datetime as dt
import random
from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from spieltisch.decks.dates import Span, certainly_later

DAY = "day/"  # before the day of a puzzle of the day, instead of a card
CHAIN = 3  # cards that lie there already


class Task(Struct, frozen=True, omit_defaults=True):
    """A card and where it may go. `kind` chain: `shown` are the ids of the cards that lie there, the earliest first,
    and answers are how many stand before the new one; period: `shown` lie on the board, and answers are columns;
    reading: `shown` are the readings; best: `card` is a moment of a game, `shown` is what one could do there, and
    `worth` is how much each of these is. `right` are all answers that are right, of `choices` many.
    """

    kind: Literal["chain", "period", "reading", "best"]
    deck: str
    card: str
    shown: tuple[str, ...]
    choices: int
    right: tuple[int, ...]
    worth: tuple[float, ...] = ()

    def beside(self, answer: int) -> int:
        """What to hold the best choice against: the answer, or where that is the best one, the second best."""
        best = self.right[0]
        if answer != best:
            return answer
        return max((n for n in range(self.choices) if n != best), key=self.worth.__getitem__)


class Lying(Struct, frozen=True):
    """A card beside a task: what stands on it, a figure, and signs of the sprite. `said`: all of it in words, where
    signs tell something.
    """

    text: str
    figure: str = ""
    signs: tuple[str, ...] = ()
    latin: bool = False
    said: str = ""


class Scene(Struct, frozen=True):
    """What lies around a task, row by row, each with its title; for a moment of a game also what is `asked`, and the
    choices in words.
    """

    rows: tuple[tuple[str, tuple[Lying, ...]], ...]
    asks: str = ""
    choices: tuple[str, ...] = ()


def day_of(card: str) -> dt.date | None:
    """The day whose puzzle is asked for (`day/2026-11-28`); None for a card."""
    try:
        return dt.date.fromisoformat(card.removeprefix(DAY)) if card.startswith(DAY) else None
    except ValueError:
        return None


class Dated(Protocol):
    """What decides where a card may lie."""

    @property
    def span(self) -> Span: ...

    @property
    def things(self) -> Sequence[str]: ...


class DatedCard(Dated, Protocol):
    """What a card has that is laid in a chain."""

    @property
    def id(self) -> str: ...

    @property
    def goals(self) -> Sequence[str]: ...


def chain(cards: Sequence[DatedCard], deck: str, name: str, dice: random.Random) -> Task | None:
    """The task to put a card among others, of the same goal if there are enough. Nobody can doubt the order of any two
    of them.
    """
    card = next((card for card in cards if card.id == name), None)
    if card is None:
        return None
    others = [other for other in cards if other.id != card.id]
    dice.shuffle(others)
    others.sort(key=lambda other: not {*other.goals} & {*card.goals})
    laid = [card]
    for other in others:
        if all(apart(other, there) for there in laid):
            laid.append(other)
        if len(laid) > CHAIN:
            break
    if len(laid) <= CHAIN:
        return None
    laid.sort(key=lambda there: there.span.start)
    right = laid.index(card)
    shown = tuple(there.id for there in laid if there is not card)
    return Task("chain", deck, name, shown, CHAIN + 1, (right,))


def apart(a: Dated, b: Dated) -> bool:
    """Whether nobody can doubt the order of two cards, which are not about one thing."""
    later = certainly_later(a.span, b.span) or certainly_later(b.span, a.span)
    return later and not {*a.things} & {*b.things}
