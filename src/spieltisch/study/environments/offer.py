"""What is open, in numbers: each kind has a block of them, in which its actions are counted as the rules list them."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np


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


class Offer:
    """The actions that are open, as the rules list them, and their numbers."""

    __slots__ = ("_actions", "plan")

    def __init__(self, actions: Sequence[Any], plan: Plan) -> None:
        self._actions, self.plan = actions, plan

    def get(self, number: int) -> Any:
        """The action with this number; None if none has it."""
        place = self.plan.places.get(number)
        return None if place is None else self._actions[place]


class Numbering:
    """Gives actions their numbers."""

    def __init__(self, blocks: Mapping[type, tuple[int, int]], size: int, grouped: bool) -> None:
        """`blocks`: of each kind the first number and how many it has, of `size` in all; `grouped`: the rules promise
        to list those of a kind together.
        """
        self._blocks, self._size, self._grouped = blocks, size, grouped
        self._plan = lru_cache(1024)(self._planned)
        self.nothing = Offer((), self._plan(()))
        self._kept: tuple[Sequence[Any], Offer] = (), self.nothing  # rules answer the same question with the same tuple

    def offered(self, legal: Sequence[Any]) -> Offer:
        """The actions with their numbers; those that find no room in their block are not offered."""
        kept, found = self._kept
        if legal is kept:
            return found
        runs = _grouped(legal) if self._grouped else _runs(legal)
        if runs is None:
            order = {kind: place for place, kind in enumerate(dict.fromkeys(map(type, legal)))}
            return self.offered(sorted(legal, key=lambda action: order[type(action)]))
        found = Offer(legal, self._plan(runs))
        if type(legal) is tuple:
            self._kept = legal, found
        return found

    def _planned(self, runs: tuple[Any, ...]) -> Plan:
        places, at = {}, 0
        for kind, n in zip(runs[::2], runs[1::2], strict=True):
            first, size = self._blocks[kind]
            places |= {first + i: at + i for i in range(min(n, size))}
            at += n
        return Plan(places, self._size)


def _runs(legal: Sequence[Any]) -> tuple[Any, ...] | None:
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


def _grouped(legal: Sequence[Any]) -> tuple[Any, ...]:
    """The same where the rules promise that none do: then not every action has to be looked at."""
    runs: tuple[Any, ...] = ()
    at, end = 0, len(legal)
    while at < end:
        kind = type(legal[at])
        if kind is type(legal[-1]):
            n = end - at
        elif kind is type(legal[-2]):  # as one may draw, or doubt, besides all that one may play
            n = end - at - 1
        else:
            n = bisect_left(legal, True, at, key=lambda action: type(action) is not kind) - at
        runs += (kind, n)
        at += n
    return runs
