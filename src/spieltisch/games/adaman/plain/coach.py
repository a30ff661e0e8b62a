"""The coach in plain Python: the nets and the search of `engine.coach`, with fewer playouts."""

import heapq
import math
from collections.abc import Sequence

from msgspec import Struct

from spieltisch.dice import Dice, FastDice
from spieltisch.games.adaman import coaching
from spieltisch.games.adaman.coaching import AHEAD, BELIEF, COMPARED, FEW, JUDGE, VALUE, Move, Rows, likely
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.plain.kernel import Kernel, numbers
from spieltisch.games.adaman.plain.nets import Judge, Value

KEPT = 20_000  # positions with a cached best move


class _Tried(Struct):
    """A move with the sum of its playouts' win probabilities, and their number."""

    move: Move
    won: float
    begun: int

    @property
    def chance(self) -> float:
        return self.won / self.begun


class Coach(coaching.Coach):
    """See `coaching.Coach`."""

    games, quick, looked, tried = 600, 300, 60, 30

    def __init__(self) -> None:
        super().__init__()
        self.kernel = Kernel(self.deck)
        self.value, self.judge = Value(VALUE), Judge(JUDGE)
        self._best: dict[Rows, tuple[float, Move] | None] = {}

    def compare(self, rows: Rows, games: int, dice: Dice) -> list[tuple[Move, float]]:
        self._begin(rows)
        tried = [_Tried(move, BELIEF * chance(logit), BELIEF) for logit, move in self.judged(rows, COMPARED)]
        pile, left = [1 << card for card in numbers(rows[2])], len(tried)
        rounds = (left - 1).bit_length() if games and left else 0
        for _ in range(rounds):
            for _ in range(max(1, games // (rounds * left))):
                order = dice.shuffle(pile)
                for one in tried[:left]:
                    one.won += self.after(rows, order, one.move)
                    one.begun += 1
            tried[:left] = sorted(tried[:left], key=lambda one: -one.chance)
            left = (left + 1) // 2
        return [(one.move, one.chance) for one in tried]

    def begin(self, rows: Rows, moves: Sequence[Move], games: int, dice: Dice) -> list[list[float]]:
        self._begin(rows)
        pile, found = [1 << card for card in numbers(rows[2])], []
        for _ in range(games):
            order = dice.shuffle(pile)
            found.append([self.after(rows, order, move) for move in moves])
        return found

    def play(self, deck: Deck, cards: Sequence[int], games: int, seed: int) -> tuple[bool, list[float]]:
        kernel, own, dice, said = self.kernel, self.numbers(deck), FastDice(seed), []
        pile = [1 << own[card] for card in cards]
        at, capital, held = kernel.refill(pile, 0, 0, 0)
        while not kernel.hanged(held):
            rest = sum(pile[at:])
            if not (capital | held | rest) & kernel.people:
                return True, said
            found = self.compare((capital, held, rest), games, dice)
            if not found:
                return False, said
            move, chance = found[0]
            said.append(likely(chance))
            at, capital, held = kernel.move(pile, at, capital, held, move)
        return False, said

    def after(self, rows: Rows, pile: Sequence[int], move: Move) -> float:
        """The win probability after this move with this pile."""
        kernel, (capital, held, rest), at = self.kernel, rows, 0
        for step in range(AHEAD + 1):
            first = at
            at, capital, held = kernel.move(pile, at, capital, held, move)
            if kernel.hanged(held):
                return 0.0
            rest ^= sum(pile[first:at])
            if not (capital | held | rest) & kernel.people:
                return 1.0
            here = capital, held, rest
            best = self._best[here] if here in self._best else self.best(here)
            if best is None:
                return 0.0
            if step == AHEAD:
                return chance(best[0])
            move = best[1]
        raise AssertionError

    def best(self, rows: Rows) -> tuple[float, Move] | None:
        """The judge's best move and its logit; None without a move."""
        found = self._best[rows] = max(self.judged(rows, FEW), default=None)
        return found

    def judged(self, rows: Rows, most: int) -> list[tuple[float, Move]]:
        """The moves with the highest values and the judge's logits, best first."""
        (capital, held, _), kernel, people = rows, self.kernel, self.kernel.people
        moves = [(move, kernel.laid(capital, held, *move)) for move in kernel.moves(capital, held)]
        if len(moves) > most:
            net, here = self.value, self.value.units(*rows)
            logits = net.logits([net.changed(here, capital, held, *laid) for _, laid in moves])
            moves = [moves[i] for i in heapq.nlargest(most, range(len(moves)), key=logits.__getitem__)]
        net, here, found = self.judge, self.judge.units(*rows), []
        for move, (one, other) in moves:
            payable = kernel.payable(one | other & people, other & ~people)
            found.append((net.logit(net.changed(here, capital, held, one, other), payable), move))
        return sorted(found, reverse=True)

    def _begin(self, rows: Rows) -> None:
        if len(self._best) > KEPT:
            self._best.clear()
        self.value.begin(*rows)
        self.judge.begin(*rows)


coach = Coach.of_thread


def chance(logit: float) -> float:
    """The win probability of a move with this logit."""
    return 1 / (1 + math.exp(-logit))
