"""Random games of Adaman, compiled. Every legal action is equally likely.

At most five resources have 32 subsets, and a number of 32 bits is a set of them: bit `s` is the subset that has the
n-th resource if bit n of `s` is set. So the payments for a card are computed for all subsets at once, without listing
any.
"""

import numpy as np

from spieltisch.compiled import below, compiled, deposit, extract, inlined, lowest, nth, ones, random_bit
from spieltisch.games.adaman.engine.kernel import ROW, hanged, move, refill

WON, LOST, HANGED = range(3)
HAVE = (0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000)  # the subsets that have the n-th resource
ALL = 0xFFFFFFFF
WITHIN = np.array(
    [sum(1 << one for one in range(32) if not one & ~whole) for whole in range(32)]
)  # subsets of a subset


@inlined
def added(rank, have, s0, s1, s2, s3):
    """Add a rank to the sums of the subsets that have its card, bit by bit: see `sums`.

    `rank`: int64, up to 15; `have`: int64, those subsets; `s0` to `s3`: int64, subsets by the bits of their sums.
    Returns these anew, and the subsets with a carry.
    """
    a0, a1, a2, a3 = have & -(rank & 1), have & -(rank >> 1 & 1), have & -(rank >> 2 & 1), have & -(rank >> 3)
    c1 = s0 & a0
    c2 = s1 & a1 | c1 & (s1 ^ a1)
    c3 = s2 & a2 | c2 & (s2 ^ a2)
    c4 = s3 & a3 | c3 & (s3 ^ a3)
    return s0 ^ a0, s1 ^ a1 ^ c1, s2 ^ a2 ^ c2, s3 ^ a3 ^ c3, c4


@inlined
def sums(w, resources):
    """Return bitsets of subsets by their sums: the first has the subsets whose sum has bit 0, and so on. The fifth has
    those that reach 16, more than any rank.

    `resources`: int64 bits. Returns five int64.
    """
    s0, s1, s2, s3, s4, n = 0, 0, 0, 0, 0, 0
    while resources:
        s0, s1, s2, s3, c4 = added(w.ranks[lowest(resources)], HAVE[n], s0, s1, s2, s3)
        resources &= resources - 1
        n += 1
        s4 |= c4
    return s0, s1, s2, s3, s4


@inlined
def paying(w, target, resources, reached):
    """Return the subsets that pay for the card: each card shares a suit with it, and together they reach its rank.

    `target`: int64, its number; `resources`: int64 bits; `reached`: five int64, their `sums`. Returns int64.
    """
    s0, s1, s2, s3, s4 = reached
    rank, friends = w.ranks[target], w.friends[target]
    r0, r1, r2, r3 = (rank & 1) - 1, (rank >> 1 & 1) - 1, (rank >> 2 & 1) - 1, (rank >> 3) - 1  # all bits where 0
    enough = ALL  # by the bits of the rank, from the lowest: the sum is not less
    enough = s0 & enough | r0 & (s0 | enough)
    enough = s1 & enough | r1 & (s1 | enough)
    enough = s2 & enough | r2 & (s2 | enough)
    enough = s3 & enough | r3 & (s3 | enough) | s4
    return enough & WITHIN[extract(friends, resources)]


@inlined
def options(w, capital, held, sets):
    """Return the number of moves if no Excuse waits. For each card that can be won, from the lowest on, write the
    subsets of the resources that pay for it.

    `capital`, `held`: int64; `sets`: int64[2 * ROW], written. Returns int64.
    """
    resources = held & ~w.people
    reached = sums(w, resources)
    count, n = 0, 0
    rest = capital | (held & w.people)
    while rest:
        sets[n] = paying(w, lowest(rest), resources, reached)
        count += ones(sets[n])
        rest &= rest - 1
        n += 1
    return count


@inlined
def play(w, pile, at, capital, held, rng, sets):
    """Play at random to the end, and return which end it was.

    `pile`: int64[cards]; `at`, `capital`, `held`: int64; `rng`: int64[1]; `sets` as for `options`. Returns WON,
    LOST or HANGED.
    """
    while True:
        if hanged(w, held):
            return HANGED
        if at == len(pile) and not (capital | held) & (w.people | w.excuse):
            return WON
        resources = held & ~w.people
        if (capital | held) & w.excuse:
            row = resources if capital & w.excuse else capital
            at, capital, held = move(w, pile, at, capital, held, w.excuse, 1 << random_bit(rng, row))
            continue
        count = options(w, capital, held, sets)
        if not count:
            left = (capital | held) & w.people
            for i in range(at, len(pile)):
                left |= pile[i] & w.people
            return LOST if left else WON
        i, n = below(rng, count), 0
        rest = capital | (held & w.people)
        while i >= ones(sets[n]):
            i -= ones(sets[n])
            rest &= rest - 1
            n += 1
        at, capital, held = move(w, pile, at, capital, held, rest & -rest, deposit(nth(sets[n], i), resources))


@compiled
def playouts(w, cards, games, seed):
    """Play random games of random deals, and return how many were won, lost and hanged.

    `cards`, `games`, `seed`: int64. Returns int64[3].
    """
    rng = np.full(1, seed * 2 + 1, np.int64)
    sets = np.zeros(2 * ROW, np.int64)
    found = np.zeros(3, np.int64)
    pile = np.left_shift(1, np.arange(cards))
    for _ in range(games):
        for i in range(cards - 1, 0, -1):
            j = below(rng, i + 1)
            pile[i], pile[j] = pile[j], pile[i]
        at, capital, held = refill(w, pile, 0, 0, 0)
        found[play(w, pile, at, capital, held, rng, sets)] += 1
    return found
