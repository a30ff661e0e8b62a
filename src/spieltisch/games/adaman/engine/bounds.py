"""What can still be reached: an upper bound on the final score of a position, proven by counting ranks.

Take any set S of suits. A personality whose suits all lie in S can only be paid with cards that show a suit of S.
Such ranks come from three places only: the resources, the pile, and cards of the capital, for which one has to pay
as much as they bring; so that one of them brings something for S only if it shows a suit outside S, too, by which
it can be paid with other cards. The sum of these ranks, less what the personalities of S cost, is the **margin**
of S. No move makes it larger: what is paid is taken away, and what is gained has been counted before. So:

- A deal can only be won while no margin is negative. (These are all the cuts of the flow from cards to
  personalities, card by card of the capital: as a flow, cards split at will, nothing more could be said.)
- In a won game the resources left are at most the margin of all suits: score ≤ all personalities + margin.
- Where the margin of S is -d, personalities of ranks worth d at least stay behind: score ≤ all personalities - d.

Three refinements. What a personality costs is the least sum that some cards which fit it and can still come to the
resources make up and that is no less than its rank (used only to prove that a deal cannot be won: a personality
that stays behind would save more than its rank). Of the pile not everything comes to the resources: see `ways`. And
whatever pays for a card of rank r does so, too, where each card counts for T at most, and the card for r or T: whoever
has five high cards and seven personalities to come has enough ranks, but not enough cards. So there is a margin for
every T; with the sets of suits these are the **measures**.

The Excuse moves one card between the rows for nothing. While it is to come the pile counts in full, and the highest
card of the capital comes on top.
"""

import numpy as np

from spieltisch.compiled import compiled, inlined, lowest, ones
from spieltisch.games.adaman.engine.kernel import ROW, Worth

SETS = 64  # of six suits
MEASURES = SETS + 16  # of which the last ones count nothing: so many are done at once
ALL = 63
PLACES = ROW + 1  # for none to five personalities
PLAIN = PLACES * PLACES


def shares(worth: Worth) -> np.ndarray:
    """What a card counts for, by every measure: where it pays; where it pays from the capital, less what it costs
    there; what a personality costs.

    The first 64 measures are sets of suits: there it is the card's rank, where it shows one of them; where it shows
    others besides; where all that it shows is among them. By the next ones each card counts for 1, 2, … 9 at most.
    Returns int16[3, cards, MEASURES].
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


@compiled
def remaining(w, pile, rest, people, excuse):
    """What is left in the pile from every place on: cards that pay, personalities, the Excuse.

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
    """The number of the ways on from a position with so many personalities in the palace and in the capital.

    `palace`, `capital`: int64, up to ROW. Returns int64.
    """
    return palace * PLACES + capital


@inlined
def way_from(w, plain, capital, held):
    """The number of the ways on from this position; PLAIN if asked, and while the Excuse waits.

    `plain`: bool; `capital`, `held`: int64. Returns int64.
    """
    if plain or (capital | held) & w.excuse:
        return PLAIN
    return way_of(ones(held & w.people), ones(capital & w.people))


@compiled
def prices(w, people, payers, price):
    """What every one of these personalities costs at least; 1000 where nothing can pay.

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


@compiled
def margins(w, d, at, capital, held, plain, price, found):
    """Writes the margin by every measure, the personalities at these prices; `plain`: all of the pile counts.

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


@compiled
def margins_after(w, d, moved, at, capital, held, at2, capital2, held2, plain, found):
    """Writes the same of the position after a move and its refill, by less work: what the refill turned up comes into
    its row, and the pile brings what it can from there. The Excuse neither waits nor is to come.

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
