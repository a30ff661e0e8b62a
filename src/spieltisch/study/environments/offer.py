"""What is open, in numbers: each kind has a block of them, in which its actions are counted as the rules list them."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

KEPT = 1024  # plans at most


class Plan:
    """What is open where so many actions of these kinds are listed, whichever they are: `numbers`, ascending, and at
    which place of the list each stands (`places`). Many a position has the same.
    """

    __slots__ = ("mask", "numbers", "places")

    def __init__(self, places: dict[int, int], size: int) -> None:
        """Of `size` numbers that there are."""
        self.places, self.numbers = places, tuple(sorted(places))
        mask = np.zeros(size, np.int8)
        mask[list(places)] = 1
        self.mask: Callable[[], np.ndarray] = mask.copy
        """For each number 1 if its action is open, else 0; a new array."""


class Offer(Struct, frozen=True, eq=False):
    """The actions that are open, as the rules list them, and their numbers."""

    actions: Sequence[Any]
    plan: Plan

    def get(self, number: int) -> Any:
        """The action with this number; None if none has it."""
        place = self.plan.places.get(number)
        return None if place is None else self.actions[place]


class Numbering:
    """Gives actions their numbers."""

    def __init__(self, blocks: Mapping[type, tuple[int, int]], size: int, grouped: bool) -> None:
        """`blocks`: of each kind the first number and how many it has, of `size` in all; `grouped`: the rules promise
        to list those of a kind together.
        """
        self._plans, self._runs = _Plans(blocks, size), _grouped if grouped else _runs
        self.nothing = Offer((), self._plans[()])
        self._kept: tuple[Sequence[Any], Offer] = (), self.nothing  # rules answer the same question with the same tuple

    def offered(self, legal: Sequence[Struct]) -> Offer:
        """The actions with their numbers; those that find no room in their block are not offered."""
        kept, found = self._kept
        if legal is kept:
            return found
        runs = self._runs(legal)
        if runs is None:
            order = {kind: place for place, kind in enumerate(dict.fromkeys(map(type, legal)))}
            return self.offered(sorted(legal, key=lambda action: order[type(action)]))
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
        places, at = {}, 0
        for kind, n in zip(runs[::2], runs[1::2], strict=True):
            first, size = self._blocks[kind]
            places |= {first + i: at + i for i in range(min(n, size))}
            at += n
        plan = self[runs] = Plan(places, self._size)
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
