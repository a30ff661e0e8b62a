"""CFR+ on a whole tree, and the exploitability of a pair of strategies.

Tammelin, Burch, Johanson & Bowling (2015): Solving heads-up limit Texas hold'em. Regrets are at least 0, the seats are
updated in turn, and the t-th strategy has weight t.
"""

from collections.abc import Callable

from msgspec import Struct

from spieltisch import extras
from spieltisch.study.environments.tree import END, Tree

with extras.needed("environments"):
    import numpy as np

Strategy = np.ndarray
"""Of a seat: for each row (a key and an action) and each signal how likely it is chosen."""


EACH = 20  # rounds after which one looks how far off the strategies are


class Solution(Struct):
    """Strategies by seat, the mean winnings of seat 0, the exploitability (as OpenSpiel defines it: the mean gain of a
    best response over the seats), and the number of rounds.
    """

    strategies: list[Strategy]
    value: float
    exploitability: float
    rounds: int


class _Sums:
    """For a seat and a level: sums values of the nodes below, by the rows that lead to them."""

    def __init__(self, rows: np.ndarray) -> None:
        self.order = np.argsort(rows, kind="stable")
        self.rows, self.first = np.unique(rows[self.order], return_index=True)

    def add(self, into: np.ndarray, values: np.ndarray) -> None:
        if len(self.rows):
            into[self.rows] += np.add.reduceat(values[self.order], self.first, axis=0)


Progress = Callable[[int, float], None]
Choose = Callable[[_Sums, np.ndarray], Strategy]


class Solver:
    """Plays a tree against itself. `allowed[seat]` says which choices a seat may make, by row and signal."""

    def __init__(self, tree: Tree, allowed: dict[int, np.ndarray] | None = None) -> None:
        self.tree, self.seats = tree, range(tree.seats)
        self.allowed = [
            (allowed or {}).get(seat, np.ones((len(tree.rows[seat]), tree.signals[seat].shape[1]), bool))
            for seat in self.seats
        ]
        self._keys = [np.repeat(np.arange(len(s) - 1), np.diff(s)) for s in tree.starts]
        self._moves = [
            [
                np.flatnonzero(levels[0].kind[levels[1].above] == seat)
                for levels in zip(tree.levels, tree.levels[1:], strict=False)
            ]
            for seat in self.seats
        ]
        self._sums = [
            [_Sums(level.row[moves]) for level, moves in zip(tree.levels[1:], self._moves[seat], strict=True)]
            for seat in self.seats
        ]
        self._where = [self._representatives(seat) for seat in self.seats]

    def _representatives(self, seat: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return by level a seat's keys and one node of each. The seat's own choices are the same at all nodes of a
        key.
        """
        return [
            (keys, np.flatnonzero(level.kind == seat)[first])
            for level in self.tree.levels
            for keys, first in [np.unique(level.key[level.kind == seat], return_index=True)]
        ]

    def _normal(self, weights: np.ndarray, seat: int) -> Strategy:
        """Return choices in proportion to their weights; without any weight, all allowed ones equally."""
        starts, keys, allowed = self.tree.starts[seat][:-1], self._keys[seat], self.allowed[seat]
        if not len(keys):
            return weights
        weights = np.where(allowed, weights, 0.0)
        total = np.add.reduceat(weights, starts, axis=0)[keys]
        even = allowed / np.add.reduceat(allowed.astype(float), starts, axis=0)[keys]
        return np.where(total > 0, weights / np.where(total > 0, total, 1.0), even)

    def uniform(self) -> list[Strategy]:
        """Return strategies that choose each allowed choice equally often."""
        return [self._normal(np.zeros(self.allowed[seat].shape), seat) for seat in self.seats]

    def _reach(self, seat: int, strategy: Strategy) -> list[np.ndarray]:
        """Return by level how likely a seat's own choices lead to each node, for each of its signals."""
        levels = self.tree.levels
        found = [np.ones((1, strategy.shape[1]))]
        for number, level in enumerate(levels[1:]):
            reach = found[-1][level.above]
            moves = self._moves[seat][number]
            reach[moves] *= strategy[level.row[moves]]
            found.append(reach)
        return found

    def _ends(self, seat: int, strategies: list[Strategy]) -> list[np.ndarray]:
        """Return by level what a seat wins at the ends with each of its signals, times the probability of everything
        but its own choices.
        """
        sign, other, tree = 1.0 if seat == 0 else -1.0, 1 - seat, self.tree
        reach = self._reach(other, strategies[other]) if len(strategies) > 1 else None
        found = []
        for number, level in enumerate(tree.levels):
            likely = np.where(level.kind == END, sign * level.won * level.chance, 0.0)
            if reach is not None:
                likely *= (reach[number] * tree.signals[other][level.world]).sum(axis=1)
            found.append(likely[:, None] * tree.signals[seat][level.world])
        return found

    def _passed(self, seat: int, strategies: list[Strategy], choose: Choose) -> np.ndarray:
        """Return what a seat wins with each signal, times its probability. At each level `choose` picks the strategy
        from the values of the choices.
        """
        tree = self.tree
        values = self._ends(seat, strategies)
        for number in range(len(tree.levels) - 2, -1, -1):
            level, under, moves = tree.levels[number], tree.levels[number + 1], self._moves[seat][number]
            below, rows = values[number + 1], tree.levels[number + 1].row[moves]
            strategy = choose(self._sums[seat][number], below[moves])
            below = below.copy()
            below[moves] *= strategy[rows]
            inner = np.flatnonzero(level.below)
            values[number][inner] += np.add.reduceat(below, level.first[inner], axis=0)
            assert len(under.row) == len(below)
        return values[0][0]

    def _regrets(self, seat: int, strategies: list[Strategy]) -> np.ndarray:
        """Return how much better each choice of a seat would have been than its strategy."""
        worth, strategy = np.zeros_like(strategies[seat]), strategies[seat]

        def choose(sums: _Sums, below: np.ndarray) -> Strategy:
            sums.add(worth, below)
            return strategy

        self._passed(seat, strategies, choose)
        if not len(worth):
            return worth
        average = np.add.reduceat(worth * strategy, self.tree.starts[seat][:-1], axis=0)[self._keys[seat]]
        return worth - average

    def best_response(self, seat: int, strategies: list[Strategy]) -> float:
        """Return the most that a seat can win on average against the other's strategy."""
        starts, keys, allowed = self.tree.starts[seat], self._keys[seat], self.allowed[seat]

        def choose(sums: _Sums, below: np.ndarray) -> Strategy:
            worth = np.zeros(allowed.shape)
            sums.add(worth, below)
            if not len(keys):
                return worth
            worth = np.where(allowed, worth, -np.inf)
            best = worth == np.maximum.reduceat(worth, starts[:-1], axis=0)[keys]
            counted = np.add.accumulate(best, axis=0)
            before = np.concatenate([np.zeros((1, best.shape[1]), int), counted])[starts[:-1]][keys]
            return (best & (counted - before == 1)).astype(float)  # the first of the best

        return float(self._passed(seat, strategies, choose).sum())

    def value(self, strategies: list[Strategy]) -> float:
        """Return the mean winnings of seat 0."""
        return float(self._passed(0, strategies, lambda _, __: strategies[0]).sum())

    def exploitability(self, strategies: list[Strategy]) -> float:
        """Return how much a seat could gain by a best response, on average over the seats."""
        won = self.value(strategies)
        gains = [self.best_response(seat, strategies) - (won if seat == 0 else -won) for seat in self.seats]
        return sum(gains) / len(gains)

    def solve(
        self, least: float = 0.001, most: int = 2000, progress: Callable[[int, float], None] | None = None
    ) -> Solution:
        """Return strategies with an exploitability below `least`, or the best after `most` rounds."""
        regrets = [np.zeros(allowed.shape) for allowed in self.allowed]
        strategies = self.uniform()
        sums = [np.zeros(allowed.shape) for allowed in self.allowed]
        found, off, number = strategies, np.inf, 0
        while number < most and off >= least:
            number += 1
            for seat in self.seats:
                regrets[seat] = np.maximum(regrets[seat] + self._regrets(seat, strategies), 0.0)
                strategies[seat] = self._normal(regrets[seat], seat)
                reach = self._reach(seat, strategies[seat])
                for (keys, nodes), reached in zip(self._where[seat], reach, strict=True):
                    rows = np.flatnonzero(np.isin(self._keys[seat], keys))
                    at = nodes[np.searchsorted(keys, self._keys[seat][rows])]
                    sums[seat][rows] += number * reached[at] * strategies[seat][rows]
            if number % EACH == 0 or number == most:
                found = [self._normal(total, seat) for seat, total in enumerate(sums)]
                off = self.exploitability(found)
                if progress is not None:
                    progress(number, off)
        return Solution(found, self.value(found), off, number)


def refusing(tree: Tree, seat: int, refuses: Callable[[Struct], bool]) -> np.ndarray:
    """Return the mask of choices that avoid what `refuses` is true of, wherever a seat has another choice."""
    kept = np.array([not refuses(action) for action in tree.rows[seat]], bool)
    starts = tree.starts[seat]
    some = np.add.reduceat(kept, starts[:-1])[np.repeat(np.arange(len(starts) - 1), np.diff(starts))] > 0
    return np.repeat((kept | ~some)[:, None], tree.signals[seat].shape[1], axis=1)
