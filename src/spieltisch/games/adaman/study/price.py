"""What a move of Adaman costs who does not know the pile: compiled.

In some of the orders in which the cards not seen may lie, who knows the order could win before the move, and cannot any
more after it. The share of these orders is the price of the move; here it is found in piles drawn at random.
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import borrowing, compiled, shuffle
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.engine.bounds import shares
from spieltisch.games.adaman.engine.kernel import MOST, Worth, hanged, move, worth
from spieltisch.games.adaman.engine.search import (
    PLACES,
    STEPS,
    Beam,
    Stack,
    Workspace,
    beam,
    beam_search,
    begin,
    deal,
    depth_first,
    ended,
    stack,
    workspace,
)

MEMORY = 18  # so many positions are remembered, as a power of two
WIDTHS = (1, 30)  # of beams
POSITIONS = (300, 10_000)  # looked at exhaustively after each of them; no clock decides, so it is the same everywhere
LOST, WON, UNDECIDED, NOT_ASKED = range(4)


class PriceWorkspace(NamedTuple):
    """What is worked out of a deck, and room to work in, made once."""

    worth: Worth
    shares: np.ndarray  # int16[3, cards, MEASURES], see `bounds`
    ws: Workspace
    beams: tuple[Beam, ...]
    stack: Stack
    table: np.ndarray  # int64[places, 2]: positions seen before
    searches: np.ndarray  # int64[1]: so far; each has a number, by which its positions are known
    goal: np.ndarray  # int64[1]
    line: np.ndarray  # int64[STEPS, 2]
    targets: np.ndarray  # int64[MOST]
    payments: np.ndarray  # int64[MOST]


def workspace_of(deck: Deck) -> PriceWorkspace:
    own, long = worth(deck), np.int64
    return PriceWorkspace(
        own, shares(own), workspace(), tuple(beam(width) for width in WIDTHS), stack(),
        np.zeros(((1 << MEMORY) + PLACES, 2), long), np.zeros(1, long), np.zeros(1, long),
        np.zeros((STEPS, 2), long), np.zeros(MOST, long), np.zeros(MOST, long),
    )  # fmt: skip


@compiled
def piles_of(cards, at, count, rng):
    """So many piles that agree with a deal in the cards seen; the others lie in any order.

    `cards`: int64[n], the deal; `at`, `count`: int64; `rng`: int64[1]. Returns int8[count, n].
    """
    piles = np.zeros((count, len(cards)), np.int8)
    for pile in piles:
        pile[:] = cards
        shuffle(pile, at, rng)
    return piles


@borrowing
def decide(work, d, at, capital, held):
    """Whether who knows the pile wins from here on.

    `work`: PriceWorkspace, written; `d`: Deal; `at`, `capital`, `held`: int64. Returns WON or LOST, both proven, or
    UNDECIDED.
    """
    w, win, start = work.worth, work.worth.total, (at, capital, held)
    if hanged(w, held):
        return LOST
    score = ended(w, d, at, capital, held)
    if score >= 0:
        return WON if score >= win else LOST
    work.goal[0] = win
    for i in range(len(POSITIONS)):
        work.searches[0] += 2
        beam, number = work.beams[i], work.searches[0]
        if beam_search(w, d, work.ws, beam, work.table, number - 1, start, work.goal, win, work.line) >= 0:
            return WON
        begin(w, d, work.stack, start)
        most = POSITIONS[i]
        if depth_first(w, d, work.ws, work.stack, work.table, number, work.goal, win, most, work.line) >= 0:
            return WON
        if not work.stack.size[0]:
            return LOST
    return UNDECIDED


@compiled
def thrown_away(work, piles, before, at, capital, held, target, payment):
    """In how many of these piles the position is won, and lost after the move. What is not decided counts for the move.

    `work`: PriceWorkspace, written; `piles`: int8[count, n]; `before`: int8[count], what is known of the position in
    each of them, NOT_ASKED at first, written; all others int64. Returns int64.
    """
    count = 0
    for i in range(len(piles)):
        d = deal(work.worth, work.shares, piles[i].astype(np.int64))
        if before[i] == NOT_ASKED:
            before[i] = decide(work, d, at, capital, held)
        if before[i] == WON:
            at2, capital2, held2 = move(work.worth, d.pile, at, capital, held, target, payment)
            count += decide(work, d, at2, capital2, held2) == LOST
    return count
