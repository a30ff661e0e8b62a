"""What is open, in numbers.

`Meant` gives the numbers that a game itself says (`package.Learning`): each means one thing for the whole game.
`Numbering` does for a game that says none, and for the environments' version 0: each kind of action has a block of
numbers, in which its actions are counted as the rules list them.
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
    """What is open where actions with these numbers are listed. Many a position has the same."""

    __slots__ = ("_listed", "_mask", "_numbers", "_offered", "_size")

    def __init__(self, listed: Sequence[int | None], offered: Sequence[int], size: int) -> None:
        """`listed`: the number of each action, None for one that is not offered; `offered`: those that are, of `size`
        that there are.
        """
        self._listed, self._offered, self._size = listed, offered, size
        self._numbers: tuple[int, ...] | None = None
        self._mask: np.ndarray | None = None

    def mask(self) -> np.ndarray:
        """For each number 1 if its action is open, else 0; a new array."""
        if self._mask is None:
            mask = bytearray(self._size)
            for number in self._offered:
                mask[number] = 1
            self._mask = np.frombuffer(mask, np.int8)
        return self._mask.copy()

    @property
    def numbers(self) -> tuple[int, ...]:
        """What is open, ascending."""
        if self._numbers is None:
            self._numbers = tuple(sorted(self._offered))
        return self._numbers

    def number(self, place: int) -> int | None:
        """The number of the action that is listed there; None if it is not offered."""
        return self._listed[place]

    def place(self, number: int) -> int | None:
        """Where the action with this number is listed; None if none has it."""
        try:
            return self._listed.index(number)
        except ValueError:
            return None


class Offer(Struct, frozen=True, eq=False):
    """The actions that are open, as the rules list them, and their numbers."""

    actions: Sequence[Any]
    plan: Plan

    def get(self, number: int) -> Any:
        """The action with this number; None if none has it."""
        place = self.plan.place(number)
        return None if place is None else self.actions[place]

    def number(self, action: Any) -> int | None:
        """The number of this action; None if it is not open."""
        return self.plan.number(self.actions.index(action)) if action in self.actions else None


class Meant:
    """Gives actions the numbers that the game says."""

    def __init__(self, learning: GameLearning, size: int) -> None:
        """Of `size` numbers that there are."""
        self._numbers, self._size = learning.numbers, size
        self._plans: dict[tuple[int, ...], Plan] = {}
        self._most = min(KEPT, max(1, ROOM // size))
        self.nothing = Offer((), Plan((), (), size))

    def offered(self, view: GameView, legal: Sequence[Struct]) -> Offer:
        """The actions with their numbers."""
        numbers = tuple(self._numbers(view, legal))
        plan = self._plans.get(numbers)
        if plan is None:
            if len(self._plans) >= self._most:
                self._plans.clear()
            plan = self._plans[numbers] = Plan(numbers, numbers, self._size)
        return Offer(legal, plan)


class Numbering:
    """Gives actions numbers by their kinds."""

    def __init__(self, blocks: Mapping[type, tuple[int, int]], size: int, grouped: bool) -> None:
        """`blocks`: of each kind the first number and how many it has, of `size` in all; `grouped`: the rules promise
        to list those of a kind together.
        """
        self._plans, self._runs = _Plans(blocks, size), _grouped if grouped else _runs
        self.nothing = Offer((), self._plans[()])
        self._kept: tuple[Sequence[Any], Offer] = (), self.nothing  # rules answer the same question with the same tuple

    def offered(self, view: GameView, legal: Sequence[Struct]) -> Offer:
        """The actions with their numbers; those that find no room in their block are not offered."""
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
    """The plans by the kinds of actions in their order, each with how many there are of it."""

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
    """The kinds of these actions in their order, each with how many there are of it: a kind, a number, a kind, …
    None where others stand between those of a kind.
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
    """The same where the rules promise that none do: then not every action has to be looked at."""
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
