"""The best score of a small deal by exhaustive search without bounds, to test the solver."""

from collections.abc import Sequence

import numpy as np

from spieltisch.compiled import compiled
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.engine import kernel

DEEPEST = 48  # moves


def best_score(deck: Deck, cards: Sequence[int], start: tuple[int, int, int] | None = None) -> int:
    """Return the best score from a deal or a position, for decks of at most some twenty cards."""
    worth = kernel.worth(deck)
    pile = np.left_shift(np.int64(1), np.array(cards))
    people = np.array([sum(int(card) & worth.people for card in pile[i:]) for i in range(len(pile) + 1)])
    known = np.zeros((1 << 15, 4), np.int64)
    targets, payments = np.zeros((2, DEEPEST, kernel.MOST), np.int64)
    at, capital, held = kernel.refill(worth, pile, 0, 0, 0) if start is None else start
    return plain(worth, pile, people, at, capital, held, known, targets, payments, 0)


@compiled
def plain(w, pile, people, at, capital, held, known, targets, payments, depth):
    """Return the best score from here on, by trying everything.

    `pile`: int64[n]; `people`: int64[n + 1]; `at`, `capital`, `held`: int64; `known`: int64[places, 4]; `targets`,
    `payments`:
    int64[DEEPEST, MOST]; `depth`: int64. Returns int64.
    """
    if kernel.hanged(w, held):
        return 0
    left = ((capital | held) & w.people) | people[at]
    if not (capital | held) & w.excuse:
        if at == len(pile) and left == 0:
            return w.total + kernel.sum_of(w, held)
        if kernel.stuck(w, capital, held):
            return w.total - kernel.sum_of(w, left) + (kernel.sum_of(w, held) if left == 0 else 0)
    i = ((capital * 1_000_003 ^ held) * 1_000_003 ^ at) % len(known)
    if known[i, 0] == capital and known[i, 1] == held and known[i, 2] == at:
        return known[i, 3]
    best = 0
    for move in range(kernel.moves(w, capital, held, targets[depth], payments[depth])):
        after = kernel.move(w, pile, at, capital, held, targets[depth, move], payments[depth, move])
        score = plain(w, pile, people, after[0], after[1], after[2], known, targets, payments, depth + 1)
        best = max(best, score)
    known[i, 0], known[i, 1], known[i, 2], known[i, 3] = capital, held, at, best
    return best
