"""The solver, compiled (see `solving`)."""

import math
import time
from collections.abc import Sequence

import numpy as np

from spieltisch.games.adaman import solving
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.engine.bounds import shares
from spieltisch.games.adaman.engine.kernel import refill, worth
from spieltisch.games.adaman.engine.search import (
    PLACES,
    STEPS,
    Deal,
    beam,
    beam_search,
    begin,
    deal,
    depth_first,
    ended,
    stack,
    workspace,
)
from spieltisch.games.adaman.solving import ALWAYS, Start

SLICE = 20_000  # positions between two looks at the clock


class Solver(solving.Solver):
    """See `solving.Solver`. `memory` is the number of remembered positions, as a power of two."""

    widths, early = (1, 5, 30, 1000), 10
    for_deal, for_moment, for_game = 10.0, 3.0, math.inf

    def __init__(self, deck: Deck, memory: int = 20) -> None:
        self.worth = worth(deck)
        self.total, self.excuse = self.worth.total, self.worth.excuse
        self.shares = shares(self.worth)
        self.table = np.zeros(((1 << memory) + PLACES, 2), np.int64)
        self.workspace, self.stack = workspace(), stack()
        self.beams = [beam(width) for width in self.widths]
        self.searches = 0  # so far: each has a number, by which its positions are known
        search = self.search(range(len(deck.cards)), math.inf, None)  # all is compiled now, not on somebody's time
        search.beam_search(0, ALWAYS)
        search.depth_first(ALWAYS)

    def search(self, cards: Sequence[int], seconds: float, start: Start | None) -> "Search":
        return Search(self, deal(self.worth, self.shares, np.asarray(cards, np.int64)), seconds, start)


class Search:
    """See `solving.Search`."""

    def __init__(self, solver: Solver, dealt: Deal, seconds: float, start: Start | None = None) -> None:
        self.solver, self.deal = solver, dealt
        self.until = time.thread_time() + seconds
        self.start = refill(solver.worth, self.deal.pile, 0, 0, 0) if start is None else start
        score = ended(solver.worth, self.deal, *self.start)
        self.over = None if score < 0 else score
        self.score, self.line = -1, np.zeros((0, 2), np.int64)
        self.exhausted = False
        self._goal, self._found = np.zeros(1, np.int64), np.zeros((STEPS, 2), np.int64)
        self._depth = (0, -1)  # the search that lies on the stack: its number and its goal
        solver.stack.size[:] = 0

    @property
    def positions(self) -> int:
        return int(self.solver.stack.size[1])

    def beam_search(self, width: int, goal: int, enough: int = ALWAYS) -> None:
        of = self.solver
        if self._done(enough):
            return
        of.searches += 1
        self._goal[0] = goal
        self._note(
            beam_search(
                of.worth, self.deal, of.workspace, of.beams[width], of.table, of.searches, self.start, self._goal,
                enough, self._found,
            )
        )  # fmt: skip

    def depth_first(self, goal: int, enough: int = ALWAYS, slices: int = ALWAYS) -> None:
        """Search exhaustively, from where the search for this goal stopped."""
        of = self.solver
        if self._done(enough):
            return
        if goal != self._depth[1]:
            of.searches += 1
            self._depth = (of.searches, goal)
            begin(of.worth, self.deal, of.stack, self.start)
        self._goal[0] = max(goal, self.score + 1)
        while not self._done(enough) and slices:
            slices -= 1
            self._note(
                depth_first(
                    of.worth, self.deal, of.workspace, of.stack, of.table, self._depth[0], self._goal, enough,
                    SLICE, self._found,
                )
            )  # fmt: skip
            self.exhausted = not of.stack.size[0]

    def _done(self, enough: int) -> bool:
        return self.exhausted or self.score >= enough or time.thread_time() > self.until

    def _note(self, length: int) -> None:
        if length >= 0:
            self.score, self.line = int(self._goal[0]) - 1, self._found[:length].copy()


solver = Solver.of
