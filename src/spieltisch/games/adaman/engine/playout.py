"""Random games of Adaman, compiled: every legal action equally often, as the rules offer them."""

import numpy as np

from spieltisch.compiled import below, compiled, lowest
from spieltisch.games.adaman.engine.kernel import MOST, ROW, hanged, move, moves, refill

WON, LOST, HANGED = range(3)


@compiled
def options(w, capital, held, targets, payments, sums, sets):
    """As `moves`, and quicker: the sums of the resources are worked out once for all targets.

    `capital`, `held`: int64; `targets`, `payments`: int64[MOST], written; `sums`, `sets`: int64[1 << ROW], room to work
    in, their first entries 0. Returns int64.
    """
    if (capital | held) & w.excuse:
        return moves(w, capital, held, targets, payments)
    resources = held & ~w.people
    size = 1
    rest = resources
    while rest:
        card = rest & -rest
        rest ^= card
        for i in range(size):
            sums[size + i] = sums[i] + w.ranks[lowest(card)]
            sets[size + i] = sets[i] | card
        size *= 2
    count = 0
    rest = capital | (held & w.people)
    while rest:
        target = rest & -rest
        rest ^= target
        number = lowest(target)
        fitting, bit, others = 0, 1, resources
        while others:
            if others & -others & w.friends[number]:
                fitting |= bit
            bit <<= 1
            others &= others - 1
        paid = fitting
        while paid:
            if sums[paid] >= w.ranks[number]:
                targets[count] = target
                payments[count] = sets[paid]
                count += 1
            paid = (paid - 1) & fitting
    return count


@compiled
def play(w, pile, at, capital, held, rng, targets, payments, sums, sets):
    """Plays on at random to the end; which one it was.

    `pile`: int64[cards]; `at`, `capital`, `held`: int64; `rng`: int64[1]; the rest as for `options`. Returns WON,
    LOST or HANGED.
    """
    while True:
        if hanged(w, held):
            return HANGED
        if at == len(pile) and not (capital | held) & (w.people | w.excuse):
            return WON
        count = options(w, capital, held, targets, payments, sums, sets)
        if not count:
            left = (capital | held) & w.people
            for i in range(at, len(pile)):
                left |= pile[i] & w.people
            return LOST if left else WON
        i = below(rng, count)
        at, capital, held = move(w, pile, at, capital, held, targets[i], payments[i])


@compiled
def playouts(w, cards, games, seed):
    """Random games of random deals: how many were won, lost, hanged.

    `cards`, `games`, `seed`: int64. Returns int64[3].
    """
    rng = np.full(1, seed * 2 + 1, np.int64)
    targets, payments = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    sums, sets = np.zeros(1 << ROW, np.int64), np.zeros(1 << ROW, np.int64)
    found = np.zeros(3, np.int64)
    pile = np.left_shift(1, np.arange(cards))
    for _ in range(games):
        for i in range(cards - 1, 0, -1):
            j = below(rng, i + 1)
            pile[i], pile[j] = pile[j], pile[i]
        at, capital, held = refill(w, pile, 0, 0, 0)
        found[play(w, pile, at, capital, held, rng, targets, payments, sums, sets)] += 1
    return found
