"""The solver in plain Python: the bounds and order of `engine.search`, with narrower beams. Its answers are as exact;
it decides less in the same time.
"""

import time
from collections.abc import Sequence
from heapq import heappush, heapreplace
from typing import NamedTuple

from spieltisch.games.adaman import solving
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.plain.bounds import ALL, EACH, FIELD, HIGH, MEASURES, VECTORS, Bounds, Shares, promise
from spieltisch.games.adaman.plain.kernel import ROW, Kernel, Move, Start, numbers
from spieltisch.games.adaman.solving import ALWAYS

SLICE = 50  # positions between checks of the clock
SEEN = 1_000_000  # positions in the transposition table


class Position(NamedTuple):
    """A position, its score for the search order, and how it was reached: the last move and the position before."""

    value: int
    number: int  # unique, so that comparisons stop here
    at: int
    capital: int
    held: int
    before: "Position | None"
    move: Move | None


class Solver(solving.Solver):
    """See `solving.Solver`."""

    widths, early = (1, 5, 30), 20
    for_deal, for_moment, for_game = 1.0, 0.1, 0.5

    def __init__(self, deck: Deck) -> None:
        self.kernel = Kernel(deck)
        self.shares = Shares(self.kernel)
        self.total, self.excuse = self.kernel.total, self.kernel.excuse

    def search(self, cards: Sequence[int], seconds: float, start: Start | None) -> "Search":
        return Search(self, [1 << card for card in cards], seconds, start)


class Search:
    """See `solving.Search`."""

    def __init__(self, of: Solver, pile: Sequence[int], seconds: float, start: Start | None) -> None:
        self._until = time.thread_time() + seconds
        self._kernel, self._shares, self._total = of.kernel, of.shares, of.total
        self._pile, self._widths = pile, of.widths
        self._start = of.kernel.refill(pile, 0, 0, 0) if start is None else start
        self._bounds = Bounds(of.shares, pile)
        self.over = self._ended(*self._start)
        self.score, self.exhausted, self.positions = -1, False, 0
        self.line: list[Move] = []
        self._stack: list[Position] = []
        self._seen: set[Start] = set()
        self._goal = -1  # goal of the search on the stack
        self._count = 0

    def beam_search(self, width: int, goal: int, enough: int = ALWAYS) -> None:
        if self._done(enough):
            return
        seen, most = set[Start](), self._widths[width]
        levels: dict[int, list[Position]] = {_level(*self._start): [self._position(0, *self._start, None, None)]}
        while levels:
            for position in levels.pop(min(levels)):
                for value, start, move, score in self._after(position, goal):
                    if score is not None:
                        goal = self._note(score, position, move)
                        if score >= enough:
                            return
                    elif start not in seen:
                        seen.add(start)
                        level = levels.setdefault(_level(*start), [])
                        found = self._position(value, *start, position, move)
                        if len(level) < most:
                            heappush(level, found)
                        elif value > level[0].value:
                            heapreplace(level, found)
            if time.thread_time() > self._until:
                return

    def depth_first(self, goal: int, enough: int = ALWAYS, slices: int = ALWAYS) -> None:
        if self._done(enough):
            return
        if goal != self._goal:
            self._goal, self._seen = goal, set()
            self._stack = [self._position(0, *self._start, None, None)]
        goal = max(goal, self.score + 1)
        while slices and not self._done(enough):
            slices -= 1
            for _ in range(SLICE):
                if not self._stack:
                    self.exhausted = True
                    return
                position = self._stack.pop()
                start = position[2:5]
                if start in self._seen:
                    continue
                if len(self._seen) < SEEN:
                    self._seen.add(start)
                after, found = self._after(position, goal), []
                self.positions += bool(after)
                for value, start, move, score in after:
                    if score is not None:
                        goal = self._note(score, position, move)
                        if score >= enough:
                            return
                    elif start not in self._seen:
                        found.append(self._position(value, *start, position, move))
                self._stack += sorted(found)

    def _done(self, enough: int) -> bool:
        return self.exhausted or self.score >= enough or time.thread_time() > self._until

    def _position(
        self, value: int, at: int, capital: int, held: int, before: Position | None, move: Move | None
    ) -> Position:
        self._count += 1
        return Position(value, -self._count, at, capital, held, before, move)

    def _note(self, score: int, position: Position, move: Move) -> int:
        """Note an end better than all before, and set the next goal."""
        line, one = [move], position
        while one.before is not None:
            assert one.move is not None
            line.append(one.move)
            one = one.before
        self.score, self.line = score, line[::-1]
        return score + 1

    def _ended(self, at: int, capital: int, held: int) -> int | None:
        """The score if the game is over."""
        kernel = self._kernel
        if kernel.hanged(held):
            return 0
        if (capital | held) & kernel.excuse:
            return None
        left = ((capital | held) & kernel.people) | self._bounds.people[at]
        if (left or at < len(self._pile)) and not kernel.stuck(capital, held):
            return None
        return self._total - kernel.sums[left] + (0 if left else kernel.sums[held])

    def _after(self, position: Position, goal: int) -> list[tuple[int, Start, Move, int | None]]:
        """Later positions from which the goal may be reached: their promise, the moves that lead there, and the score
        if the game is over.
        """
        kernel, shares, bounds = self._kernel, self._shares, self._bounds
        _, _, at, capital, held, *_ = position
        plain = goal < self._total
        too_little = self._too_little(goal)
        margin = self._margin(at, capital, held, plain=plain) + too_little
        if margin & HIGH != HIGH:
            return []
        waits = (capital | held) & kernel.excuse or bounds.excuse[at]
        brought, found = bounds.at(at, capital, held, plain=plain), []
        resources = held & ~kernel.people
        payers = (capital | held) & ~(kernel.people | kernel.excuse) | bounds.rest[at]
        if (capital | held) & kernel.excuse:
            moves = [(move, 0) for move in kernel.moves(capital, held)]
        else:
            moves = []
            targets = kernel.payable(capital | held & kernel.people, resources)
            for target in numbers(targets):
                bit, rank = 1 << target, kernel.ranks[target]
                price = rank if plain or not bit & kernel.people else shares.price(target, payers)
                moved = margin + shares.cost(target, price)
                needed = self._needed(at, capital, held, bit)
                for paid in kernel.payments(target, resources):
                    after = moved - shares.paying[paid]
                    if after & HIGH != HIGH:
                        continue
                    if paid.bit_count() > needed and kernel.spares(paid, rank):
                        continue
                    moves.append(((bit, paid), after))
        for move, moved in moves:
            start = kernel.move(self._pile, at, capital, held, move)
            at2, capital2, held2 = start
            if kernel.hanged(held2):
                score = 0
            else:
                if waits:
                    after = self._margin(at2, capital2, held2, plain=plain) + too_little
                else:
                    after = moved + bounds.at(at2, capital2, held2, plain=plain) - brought
                    for card in self._pile[at:at2]:
                        after += shares.turned[card] if card & capital2 else shares.paying[card]
                if after & HIGH != HIGH:
                    continue
                score = self._ended(*start)
            if score is None:
                value = promise(after - too_little) - 2 * (held2 & kernel.people).bit_count()
                found.append((value, start, move, None))
            elif score >= goal:
                found.append((0, start, move, score))
                goal = score + 1
        return found

    def _too_little(self, goal: int) -> int:
        """The number to add to margins so that a top bit is missing if no score of the goal can be reached."""
        over = goal - self._total  # below 0: the ranks that may stay behind
        least = min(over, 0)
        return HIGH - VECTORS.pack([least] * MEASURES) - (over - least << FIELD * ALL)

    def _margin(self, at: int, capital: int, held: int, *, plain: bool) -> int:
        """The margins by every measure, with personalities at the prices that the remaining cards allow. With `plain`:
        at their ranks, and the whole pile counts.
        """
        kernel, shares, bounds = self._kernel, self._shares, self._bounds
        found = bounds.at(at, capital, held, plain=plain) + shares.paying[held] + shares.turned[capital]
        if held & kernel.excuse or bounds.excuse[at]:
            found += max([kernel.ranks[card] for card in numbers(capital & ~kernel.people)], default=0) * EACH
        payers = (capital | held) & ~(kernel.people | kernel.excuse) | bounds.rest[at]
        for person in numbers((capital | held) & kernel.people | bounds.people[at]):
            found -= shares.cost(person, kernel.ranks[person] if plain else shares.price(person, payers))
        return found

    def _needed(self, at: int, capital: int, held: int, target: int) -> int:
        """The least number of cards to pay for the target so that the refill uses up the pile. More than there are
        while the Excuse is still to come, because nothing is known then.
        """
        bounds, people = self._bounds, self._kernel.people
        if bounds.excuse[at]:
            return ROW + 1
        first = at + ROW - (capital & ~target).bit_count()  # from here on the pile fills the resources
        if first >= len(self._pile):
            return 0
        places = ROW - (held & ~people).bit_count() - (not target & people)
        # a personality at the very end turns up only if a place is free
        return bounds.rest[first].bit_count() + (self._pile[-1] & people > 0) - places


def _level(at: int, capital: int, held: int) -> int:
    """Cards drawn plus cards out of play. Every move leads to a later level."""
    return 2 * at - (capital | held).bit_count()


solver = Solver.of
