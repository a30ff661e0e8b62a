"""An upper bound on the final score of a position, proven by counting ranks.

Take any set S of suits. A personality whose suits all lie in S can be paid only with cards that show a suit of S. Their
ranks come from three places: the resources, the pile, and cards of the capital. A card of the capital costs as much as
it brings. So it brings something for S only if it also shows a suit outside S, by which other cards can pay for it. The
sum of these ranks, less the cost of the personalities of S, is the **margin** of S. No move increases it: what is paid
is removed, and what is gained was counted before. So:

- A deal can be won only while no margin is negative. (These are all cuts of the flow from cards to personalities, card
  by card of the capital. As a flow, with cards split at will, nothing stronger can be said.)
- In a won game the remaining resources are at most the margin of all suits: score ≤ all personalities + margin.
- If the margin of S is -d, personalities with ranks worth at least d stay behind: score ≤ all personalities - d.

There are three refinements. A personality costs the least sum, not below its rank, of fitting cards that can still
become resources. (Only the proof that a deal cannot be won uses this, since a personality that stays behind would save
more than its rank.) Not everything in the pile becomes resources: see `ways`. And whatever pays for a card of rank r
still does so if each card counts for at most T, and the card itself, too. With five high cards and seven personalities
to come there are enough ranks, but not enough cards. So there is a margin for every T. Together with the sets of suits
these are the **measures**.

The Excuse moves one card between the rows for nothing. While it is to come, the pile counts in full, and the highest
card of the capital is added.
"""

import numpy as np

from spieltisch.compiled import borrowing, inlined, lowest, ones
from spieltisch.games.adaman.engine.kernel import ROW, Worth

SETS = 64  # of six suits
MEASURES = SETS + 16  # of which the last ones count nothing: so many are done at once
ALL = 63
PLACES = ROW + 1  # for none to five personalities
PLAIN = PLACES * PLACES


def shares(worth: Worth) -> np.ndarray:
    """Return what a card counts for, by every measure: when it pays; when it pays from the capital, less its own cost
    there; and what a personality costs.

    The first 64 measures are sets of suits, and the values are ranks: of cards that show a suit of the set, of cards
    that also show another one, and of personalities with no other suit. By each later measure a card counts for at most
    1, 2, … 9. Returns int16[3, cards, MEASURES].
    """
    sets = np.arange(SETS)
    found = np.zeros((3, len(worth.ranks), MEASURES), np.int16)
    for card, (rank, suits) in enumerate(zip(worth.ranks, worth.suits, strict=True)):
        shown, within = (suits & sets) != 0, (suits & ~sets) == 0
        found[0, card, :SETS] = rank * shown
        found[1, card, :SETS] = rank * (shown & ~within)
        found[2, card, :SETS] = rank * within
        found[0, card, SETS : SETS + 9] = found[2, card, SETS : SETS + 9] = np.minimum(rank, range(1, 10))
    return found


@borrowing
def remaining(w, pile, rest, people, excuse):
    """Write what is left in the pile from every place on: cards that pay, personalities, the Excuse.

    `pile`: int64[n]; `rest`, `people`, `excuse`: int64[n + 1], zeros, written.
    """
    for i in range(len(pile) - 1, -1, -1):
        card = pile[i]
        rest[i], people[i], excuse[i] = rest[i + 1], people[i + 1], excuse[i + 1]
        if card == w.excuse:
            excuse[i] = card
        elif card & w.people:
            people[i] |= card
        else:
            rest[i] |= card


@inlined
def way_of(palace, capital):
    """Return the number of the ways on from a position with this many personalities in the palace and the capital.

    `palace`, `capital`: int64, up to ROW. Returns int64.
    """
    return palace * PLACES + capital


@inlined
def way_from(w, plain, capital, held):
    """Return the number of the ways on from this position; PLAIN if asked, and while the Excuse waits.

    `plain`: bool; `capital`, `held`: int64. Returns int64.
    """
    if plain or (capital | held) & w.excuse:
        return PLAIN
    return way_of(ones(held & w.people), ones(capital & w.people))


@borrowing
def prices(w, people, payers, price):
    """Write the least cost of each of these personalities; 1000 if nothing can pay for it.

    `people`, `payers`: int64 bits; `price`: int64[64], written at the numbers of `people`.
    """
    while people:
        number = lowest(people)
        people &= people - 1
        fitting = payers & w.friends[number]
        sums = 1  # bit n: some of the cards make up n; at most 32 matter, as no card counts more than 10
        while fitting:
            sums |= sums << w.ranks[lowest(fitting)]
            sums &= 0xFFFFFFFF
            if sums >> w.ranks[number] & 1:
                break
            fitting &= fitting - 1
        enough = sums >> w.ranks[number]
        price[number] = w.ranks[number] + lowest(enough) if enough else 1000


@borrowing
def margins(w, d, at, capital, held, plain, price, found):
    """Write the margin by every measure, with the personalities at these prices. `plain`: the whole pile counts.

    `d`: Deal; `at`, `capital`, `held`: int64; `plain`: bool; `price`: int64[64]; `found`: int16[MEASURES], written.
    """
    reach = d.reach[at, way_from(w, plain, capital, held)]
    for s in range(MEASURES):
        found[s] = reach[s]
    rest = held & ~(w.people | w.excuse)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        for s in range(MEASURES):
            found[s] += d.shares[0, card, s]
    rest = capital & ~(w.people | w.excuse)
    highest = 0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        highest = max(highest, w.ranks[card])
        for s in range(MEASURES):
            found[s] += d.shares[1, card, s]
    if (held & w.excuse) | d.excuse[at]:
        for s in range(1, MEASURES):
            found[s] += highest
    people = ((capital | held) & w.people) | d.people[at]
    while people:
        card = lowest(people)
        people &= people - 1
        more = price[card] - w.ranks[card]
        for s in range(MEASURES):
            found[s] -= d.shares[2, card, s]
        if more:
            for s in range(SETS):
                if d.shares[2, card, s]:
                    found[s] -= more


@borrowing
def margins_after(w, d, moved, at, capital, held, at2, capital2, held2, plain, found):
    """Write the margins of the position after a move and its refill, incrementally. The cards turned up enter their
    row, and the pile counts from there. The Excuse must neither wait nor be left in the pile.

    `d`: Deal; `moved`: int16[MEASURES], the margins right after the move; `at`, `capital`, `held`: int64, before it;
    `at2`, `capital2`, `held2`: int64, after the refill; `plain`: bool; `found`: int16[MEASURES], written.
    """
    before = d.reach[at, way_from(w, plain, capital, held)]
    after = d.reach[at2, way_from(w, plain, capital2, held2)]
    for s in range(MEASURES):
        found[s] = moved[s] + after[s] - before[s]
    for i in range(at, at2):
        if not d.pile[i] & w.people:
            share = d.shares[1 if d.pile[i] & capital2 else 0, lowest(d.pile[i])]
            for s in range(MEASURES):
                found[s] += share[s]
