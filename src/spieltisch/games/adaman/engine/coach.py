"""The coach, compiled (see `coaching`). The value net (`value`) selects moves, the judge (`judge`) estimates the chance
to win. Playouts follow the move that the judge prefers among those few.

    for advice in coach().advise(view.public, FastDice(seed)): …    # the best move first
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spieltisch.compiled import compiled, ones, seeded, shuffle
from spieltisch.dice import Dice
from spieltisch.games.adaman import coaching
from spieltisch.games.adaman.coaching import AHEAD, BELIEF, COMPARED, FEW, Move, Rows, likely
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.engine import judge, value
from spieltisch.games.adaman.engine.judge import Nets, refine
from spieltisch.games.adaman.engine.kernel import hanged, move, refill, worth
from spieltisch.games.adaman.engine.value import (
    CAPITAL,
    HELD,
    PILE,
    UNITS,
    best_move,
    chance,
    change,
    evaluate_from,
    evaluate_moves,
    units,
)

MOVES = 48  # more than a game has
KNOWN = 1 << 11  # places for positions
PARTS = 20  # of the games begun to try moves out


class Known(NamedTuple):
    """A cache of positions in started games and their results.

    The key of a position is its path: the number of the position before it (of the move, at first), the capital, what
    is held, and the pile. So cached results are identical to the last digit. Each position has one slot, and replaces
    what was there.
    """

    ways: np.ndarray  # int64[KNOWN, 4]
    numbers: np.ndarray  # int64[KNOWN]
    hidden: np.ndarray  # float32[KNOWN, UNITS]: the value's
    moves: np.ndarray  # int64[KNOWN, 2]: the best one; no payment where there is none
    last: np.ndarray  # int64[1]: the last number that was given


def known() -> Known:
    long = np.int64
    return Known(
        np.zeros((KNOWN, 4), long), np.zeros(KNOWN, long), np.zeros((KNOWN, UNITS), np.float32),
        np.zeros((KNOWN, 2), long), np.zeros(1, long),
    )  # fmt: skip


class Coach(coaching.Coach):
    """See `coaching.Coach`. 600 games take some 4 ms: ten thousand deals take five minutes on two cores."""

    games, quick, looked, tried = 3_000, 600, 3_000, 1_300

    def __init__(self) -> None:
        super().__init__()
        self.worth = worth(self.deck)
        self.nets = Nets(value.read(), judge.read())
        self.workspace = (judge.workspace(), known()), np.zeros((COMPARED, 2), np.int64), np.zeros(COMPARED)
        self.play(self.deck, range(len(self.deck.cards)), 1, 1)  # all is compiled now, not on somebody's time

    def compare(self, rows: Rows, games: int, dice: Dice) -> list[tuple[Move, float]]:
        work, moves, chances = self.workspace
        count = compare(self.worth, self.nets, *work, *rows, games, BELIEF, seeded(dice), moves, chances)
        return [((int(moves[i, 0]), int(moves[i, 1])), float(chances[i])) for i in range(count)]

    def begin(self, rows: Rows, moves: Sequence[Move], games: int, dice: Dice) -> list[list[float]]:
        rng, tried, each = seeded(dice), np.array(moves), max(1, games // PARTS)
        work = self.workspace[0]
        return [
            chances_of(self.worth, self.nets, *work, *rows, each, rng, tried).tolist() for _ in range(min(PARTS, games))
        ]

    def play(self, deck: Deck, cards: Sequence[int], games: int, seed: int) -> tuple[bool, list[float]]:
        work, moves, chances = self.workspace
        own, said, rng = self.numbers(deck), np.zeros(MOVES), np.full(1, 2 * seed + 1)
        pile = np.left_shift(1, np.array([own[card] for card in cards]))
        won, choices = play(self.worth, self.nets, *work, pile, games, rng, moves, chances, said)
        return won, [likely(chance) for chance in said[:choices].tolist()]


coach = Coach.of_thread


@compiled
def compare(w, nets, work, known, capital, held, rest, games, belief, rng, found, chances):
    """Write the compared moves with their chances, the best first. Return how many.

    `work`: Workspace; `known`: Known; `capital`, `held`, `rest`: int64 bits; `games`: int64; `belief`: int64, so
    many games the judge's own word counts as; `rng`: int64[1]; `found`: int64[COMPARED, 2] and `chances`:
    float64[COMPARED], written. Returns int64.
    """
    count = evaluate_moves(w, nets.value, work.ws, capital, held, rest)
    count = refine(w, nets.judge, work, capital, held, rest, count, COMPARED)
    likeliest(work.ws, count, found, chances)
    won, begun = belief * chances[:count], np.full(count, float(belief))
    ways = new_ways(known, count)
    pile = cards_of(rest)
    left, rounds = count, 0
    while games and 1 << rounds < count:
        rounds += 1
    for _ in range(rounds):
        more = max(1, games // (rounds * left))
        go_on(w, nets, work, known, ways, capital, held, pile, found[:left], more, rng, won)
        begun[:left] += more
        for newest in range(1, left):
            i = newest
            while i and won[i] * begun[i - 1] > won[i - 1] * begun[i]:
                swap(won, i)
                swap(begun, i)
                swap(ways, i)
                swap(found[:, 0], i)
                swap(found[:, 1], i)
                i -= 1
        left = (left + 1) // 2
    for i in range(count):
        if begun[i]:
            chances[i] = won[i] / begun[i]
    return count


@compiled
def chances_of(w, nets, work, known, capital, held, rest, games, rng, moves):
    """Return the chances of these moves, in their order.

    `work`: Workspace; `known`: Known; `capital`, `held`, `rest`: int64 bits; `games`: int64; `rng`: int64[1]; `moves`:
    int64[n, 2]. Returns float64[n].
    """
    won = np.zeros(len(moves))
    ways = new_ways(known, len(moves))
    go_on(w, nets, work, known, ways, capital, held, cards_of(rest), moves, games, rng, won)
    return won / games


@compiled
def new_ways(known, count):
    """Return path numbers for this many moves. `known`: Known, written; `count`: int64. Returns int64[count]."""
    first = known.last[0] + 1
    known.last[0] += count
    return np.arange(first, first + count)


@compiled
def cards_of(rest):
    """Return the cards of a set one by one. `rest`: int64 bits. Returns int64[cards], bits."""
    pile = np.zeros(ones(rest), np.int64)
    for i in range(len(pile)):
        pile[i] = rest & -rest
        rest &= rest - 1
    return pile


@compiled
def go_on(w, nets, work, known, ways, capital, held, pile, moves, games, rng, won):
    """Play on after each of the moves in this many piles, the same for all. Add the chances to win to `won`.

    `ways`: int64[n], the numbers of the moves for `known`; `pile`: int64[cards], shuffled in place; `moves`: int64[n,
    2]; `won`: float64[n]; `rng`: int64[1]; the rest int64.
    """
    rest = 0
    for card in pile:
        rest |= card
    units(nets.value, capital, held, rest, work.ws.before)
    for _ in range(games):
        shuffle(pile, 0, rng)
        for i in range(len(moves)):
            won[i] += after(w, nets, work, known, ways[i], pile, capital, held, rest, moves[i, 0], moves[i, 1])


@compiled
def swap(row, i):
    """Swap a place of the row with the one before. `row`: any[n]; `i`: int64, at least 1."""
    row[i], row[i - 1] = row[i - 1], row[i]


@compiled
def likeliest(ws, count, found, chances):
    """Write the moves in the workspace, those with the highest logits first.

    `ws`: Workspace, written; `count`: int64, at most COMPARED; `found`: int64[COMPARED, 2] and `chances`:
    float64[COMPARED], written.
    """
    for i in range(count):
        best = best_move(ws, count)
        found[i, 0], found[i, 1], chances[i] = ws.targets[best], ws.payments[best], chance(ws.logits[best])
        ws.logits[best] = -np.inf


@compiled
def after(w, nets, work, known, way, pile, capital, held, rest, target, payment):
    """Return how likely the game is to be won after this move if the pile lies like this.

    `work`: Workspace, with the value's hidden units of the position as those before; `known`: Known, written; `way`:
    int64, the number of the move; `pile`: int64[cards], bits; `rest`: its cards; `capital`, `held`, `target`,
    `payment`: int64. Returns float64.
    """
    at, value, ws = 0, nets.value, work.ws
    hidden, before = ws.hidden, ws.before
    for step in range(AHEAD + 1):
        first, in_capital, in_hand = at, capital, held
        at, capital, held = move(w, pile, at, capital, held, target, payment)
        if hanged(w, held):
            return 0.0
        drawn = 0
        for i in range(first, at):
            drawn |= pile[i]
        rest ^= drawn
        if not (capital | held | rest) & w.people:
            return 1.0
        place = placed(way, capital, held, rest)
        was = known.ways[place]
        if step < AHEAD and was[0] == way and was[1] == capital and was[2] == held and was[3] == rest:
            target, payment = known.moves[place, 0], known.moves[place, 1]
            if not payment:
                return 0.0
            way, before = known.numbers[place], known.hidden[place]
            continue
        for i in range(UNITS):
            hidden[i] = before[i]
        change(value, CAPITAL, in_capital & ~capital, capital & ~in_capital, hidden)
        change(value, HELD, in_hand & ~held, held & ~in_hand, hidden)
        change(value, PILE, drawn, 0, hidden)
        count = evaluate_from(w, value, ws, capital, held)
        best = best_move(ws, refine(w, nets.judge, work, capital, held, rest, count, FEW)) if count else 0
        if step == AHEAD:  # positions so late are too many to come again
            return chance(ws.logits[best]) if count else 0.0
        target, payment = (ws.targets[best], ws.payments[best]) if count else (0, 0)
        was[0], was[1], was[2], was[3] = way, capital, held, rest
        known.last[0] += 1
        way = known.last[0]
        known.numbers[place] = way
        known.moves[place, 0], known.moves[place, 1] = target, payment
        before = known.hidden[place]
        for i in range(UNITS):
            before[i] = hidden[i]
        if not payment:
            return 0.0
    return 0.0


@compiled
def placed(way, capital, held, rest):
    """Return the slot of a position in the cache. All int64. Returns int64."""
    mixed = way * 0x2545F4914F6CDD1D ^ capital * 0x369DEA0F31A53F85 ^ held * 0x27BB2EE687B0B0FD ^ rest
    mixed ^= mixed >> 29
    mixed *= 0x369DEA0F31A53F85
    return mixed >> 32 & (KNOWN - 1)


@compiled
def play(w, nets, work, known, pile, games, rng, found, chances, said):
    """Play a deal as the coach advises. Return whether it is won, and the number of choices; `said` gets their chances.

    `known`: Known; `pile`: int64[cards], bits; `games`: int64; `rng`: int64[1]; `found`: int64[COMPARED, 2];
    `chances`: float64[COMPARED]; `said`: float64[MOVES], written. Returns bool and int64.
    """
    at, capital, held = refill(w, pile, 0, 0, 0)
    choices = 0
    while not hanged(w, held):
        rest = 0
        for i in range(at, len(pile)):
            rest |= pile[i]
        if not (capital | held | rest) & w.people:
            return True, choices
        if not compare(w, nets, work, known, capital, held, rest, games, BELIEF, rng, found, chances):
            return False, choices
        said[choices] = chances[0]
        choices += 1
        at, capital, held = move(w, pile, at, capital, held, found[0, 0], found[0, 1])
    return False, choices
