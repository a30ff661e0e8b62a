"""The open actions as numbers.

`Meant` uses the numbers that a game defines (`package.Learning`), each with one meaning for the whole game. `Numbering`
serves games that define none, and version 0 of the environments: each kind of action has a block of numbers, and its
actions are counted as the rules list them.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from spieltisch import extras
from spieltisch.game import GameView
from spieltisch.package import GameLearning

with extras.needed("environments"):
    import numpy as np

KEPT = 1024  # plans at most
ROOM = 1 << 22  # bytes of the masks that are kept, at most


class Plan:
    """What is open when actions with these numbers are listed. Many positions share one."""

    __slots__ = ("_listed", "_mask", "_numbers", "_offered", "_size")

    def __init__(self, listed: Sequence[int | None], offered: Sequence[int], size: int) -> None:
        """`listed` has the number of each action, None if it is not offered; `offered` has the others, out of `size`
        numbers.
        """
        self._listed, self._offered, self._size = listed, offered, size
        self._numbers: tuple[int, ...] | None = None
        self._mask: np.ndarray | None = None

    def mask(self) -> np.ndarray:
        """Return a new array with 1 for each number whose action is open, else 0."""
        if self._mask is None:
            mask = bytearray(self._size)
            for number in self._offered:
                mask[number] = 1
            self._mask = np.frombuffer(mask, np.int8)
        return self._mask.copy()

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the open numbers in ascending order."""
        if self._numbers is None:
            self._numbers = tuple(sorted(self._offered))
        return self._numbers

    def number(self, place: int) -> int | None:
        """Return the number of the action at this place of the list; None if it is not offered."""
        return self._listed[place]

    def place(self, number: int) -> int | None:
        """Return the place of the action with this number in the list; None if there is none."""
        try:
            return self._listed.index(number)
        except ValueError:
            return None


class Offer(Struct, frozen=True, eq=False):
    """The open actions, as the rules list them, and their numbers."""

    actions: Sequence[Any]
    plan: Plan

    def get(self, number: int) -> Any:
        """Return the action with this number; None if there is none."""
        place = self.plan.place(number)
        return None if place is None else self.actions[place]

    def number(self, action: Any) -> int | None:
        """Return the number of this action; None if it is not open."""
        return self.plan.number(self.actions.index(action)) if action in self.actions else None


class Meant:
    """Gives actions the numbers that the game defines."""

    def __init__(self, learning: GameLearning, size: int) -> None:
        """`size` is how many numbers there are."""
        self._numbers, self._size = learning.numbers, size
        self._plans: dict[tuple[int, ...], Plan] = {}
        self._most = min(KEPT, max(1, ROOM // size))
        self.nothing = Offer((), Plan((), (), size))

    def offered(self, view: GameView, legal: Sequence[Struct]) -> Offer:
        """Return the actions with their numbers."""
        numbers = tuple(self._numbers(view, legal))
        plan = self._plans.get(numbers)
        if plan is None:
            if len(self._plans) >= self._most:
                self._plans.clear()
            plan = self._plans[numbers] = Plan(numbers, numbers, self._size)
        return Offer(legal, plan)


class Numbering:
    """Numbers actions by their kinds."""

    def __init__(self, blocks: Mapping[type, tuple[int, int]], size: int, grouped: bool) -> None:
        """`blocks` has for each kind its first number and their count, out of `size` numbers. `grouped`: the rules
        promise to list actions of a kind together.
        """
        self._plans, self._runs = _Plans(blocks, size), _grouped if grouped else _runs
        self.nothing = Offer((), self._plans[()])
        self._kept: tuple[Sequence[Any], Offer] = (), self.nothing  # rules answer the same question with the same tuple

    def offered(self, view: GameView, legal: Sequence[Struct]) -> Offer:
        """Return the actions with their numbers. Those that do not fit into their block are not offered."""
        kept, found = self._kept
        if legal is kept:
            return found
        runs = self._runs(legal)
        if runs is None:
            order = {kind: place for place, kind in enumerate(dict.fromkeys(map(type, legal)))}
            return self.offered(view, sorted(legal, key=lambda action: order[type(action)]))
        found = Offer(legal, self._plans[runs])
        if type(legal) is tuple:
            self._kept = legal, found
        return found


class _Plans(dict[tuple[Any, ...], Plan]):
    """A cache of plans, by the sequence of kinds and how many actions each has."""

    def __init__(self, blocks: Mapping[type, tuple[int, int]], size: int) -> None:
        super().__init__()
        self._blocks, self._size = blocks, size

    def __missing__(self, runs: tuple[Any, ...]) -> Plan:
        if len(self) >= KEPT:
            self.clear()
        listed: list[int | None] = []
        for kind, n in zip(runs[::2], runs[1::2], strict=True):
            first, size = self._blocks[kind]
            listed += [first + i if i < size else None for i in range(n)]
        plan = self[runs] = Plan(listed, [number for number in listed if number is not None], self._size)
        return plan


def _runs(legal: Sequence[Struct]) -> tuple[Any, ...] | None:
    """Return the sequence of kinds and their counts: a kind, a count, a kind, … Return None if actions of a kind are
    not together.
    """
    kinds, runs = list(map(type, legal)), ()
    while kinds:
        kind = kinds[0]
        n = kinds.count(kind)
        kinds = kinds[n:]
        if kind in kinds:
            return None
        runs += (kind, n)
    return runs


def _grouped(legal: Sequence[Struct]) -> tuple[Any, ...]:
    """Return the same if the rules promise that they are together. Then not every action has to be looked at."""
    runs: tuple[Any, ...] = ()
    at, end = 0, len(legal)
    while at < end:
        kind, last = type(legal[at]), type(legal[-1])
        if kind is last:
            return (*runs, kind, end - at)
        if kind is type(legal[-2]):  # as one may draw, or doubt, besides all that one may play
            return (*runs, kind, end - at - 1, last, 1)
        n = bisect_left(legal, True, at, key=lambda action: type(action) is not kind) - at
        runs += (kind, n)
        at += n
    return runs
