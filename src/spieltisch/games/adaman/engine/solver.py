"""Solving a deal of Adaman whose pile is known: can it be won, and what is the best score?

    solver = Solver(deck)
    found = solver.solve(cards)      # the shuffle, top first: numbers of the deck's cards

What is said is exact: a win is shown by its line, a loss and a best score are proven by exhaustive search. What is
not decided within the time is None.
"""

import math
import time
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from spieltisch.decks.decktet import Deck
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
from spieltisch.games.adaman.state import Action, Control, Excuse

WIDTHS = (1, 5, 30, 1000)  # of beams
SLICE = 20_000  # positions between two looks at the clock
EARLY = 10  # slices of exhaustive search before the widest beam
ALWAYS = 1 << 30

Start = tuple[int, int, int]  # a position: cards drawn, the capital, palace and resources (`kernel`)


class Solution(Struct, frozen=True):
    """`best` is the highest score that any play reaches; `line` plays to the best end that was found."""

    winnable: bool | None
    best: int | None
    line: tuple[Action, ...]
    score: int | None = None  # what the line comes to
    positions: int = 0  # looked at one by one, beams not counted


class Solver:
    """Solves one deal after the other. `memory`: so many positions are remembered, as a power of two."""

    def __init__(self, deck: Deck, memory: int = 20) -> None:
        self.worth = worth(deck)
        self.shares = shares(self.worth)
        self.table = np.zeros(((1 << memory) + PLACES, 2), np.int64)
        self.workspace, self.stack = workspace(), stack()
        self.beams = [beam(width) for width in WIDTHS]
        self.searches = 0  # so far: each has a number, by which its positions are known
        search = _Search(
            self, self._deal(range(len(deck.cards))), math.inf
        )  # all is compiled now, not on somebody's time
        search.beam_search(0, ALWAYS)
        search.depth_first(ALWAYS)

    def solve(
        self, cards: Sequence[int], seconds: float = 10.0, *, best: bool = True, start: Start | None = None
    ) -> Solution:
        """`seconds`: of the processor. `best`: look for the best score, too, in what is left of them. `start`: not from
        the deal but from this position of it.
        """
        search = _Search(self, self._deal(cards), seconds, start)
        if search.over is not None:
            return Solution(search.over >= self.worth.total, search.over, (), search.over)
        win = self.worth.total  # who has won over everybody has won
        *narrow, widest = range(len(WIDTHS))
        for width in narrow:
            search.beam_search(width, win, win)
        search.depth_first(win, win, EARLY)
        search.beam_search(widest, win, win)
        search.depth_first(win, win)
        winnable = True if search.score >= win else False if search.exhausted else None
        if best and winnable is not None:
            search.exhausted = False
            for width in range(len(WIDTHS)):
                search.beam_search(width, search.score + 1)
            search.depth_first(search.score + 1)
        proven = best and winnable is not None and search.exhausted
        return Solution(
            winnable,
            search.score if proven else None,
            tuple(self._action(int(target), int(payment)) for target, payment in search.line),
            search.score if len(search.line) else None,
            int(self.stack.size[1]),
        )

    def _deal(self, cards: Sequence[int]) -> Deal:
        return deal(self.worth, self.shares, np.asarray(cards, np.int64))

    def _action(self, target: int, payment: int) -> Action:
        cards = tuple(card for card in range(len(self.worth.ranks)) if payment >> card & 1)
        return Excuse(cards[0]) if target == self.worth.excuse else Control(target.bit_length() - 1, cards)


class _Search:
    """One deal being solved: the best end found so far, and whether nothing better can be left."""

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
        """Searches exhaustively; goes on where the search for this goal was left."""
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
