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

Two refinements. What a personality costs is the least sum that some cards which fit it and can still come to the
resources make up and that is no less than its rank (used only to prove that a deal cannot be won: a personality
that stays behind would save more than its rank). And of the pile not everything comes to the resources: a move for
a card of the capital turns the next card up in the capital, after it at most five come to the resources, and only
the palace's personalities can be won without such a card. `reaches` adds up the best of all such ways, without
regard to what the moves cost.

The Excuse moves one card between the rows for nothing. While it is to come the pile counts in full, and the highest
card of the capital comes on top.
"""

import numpy as np

from spieltisch.compiled import compiled, lowest, ones
from spieltisch.games.adaman.engine.kernel import ROW, Worth

SETS = 64  # of six suits
ALL = 63
PLAIN = ROW + 1
NEVER = -10_000


def shares(worth: Worth) -> np.ndarray:
    """A card's rank, for every set of suits: where it shows one of them; where it shows others besides; where all
    that it shows is among them.
    """
    sets = np.arange(SETS)
    found = np.zeros((3, len(worth.ranks), SETS), np.int16)
    for card, (rank, suits) in enumerate(zip(worth.ranks, worth.suits, strict=True)):
        shown, within = (suits & sets) != 0, (suits & ~sets) == 0
        found[0, card] = rank * shown
        found[1, card] = rank * (shown & ~within)
        found[2, card] = rank * within
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


@compiled
def reaches(w, pile, shares, excuse, found):
    """found[at, p, S]: the most ranks showing S that the pile can bring, from the place `at` on and with p people
    in the palace; NEVER where the sixth would come there in any case. found[at, PLAIN, S]: all that it holds.

    `pile`: int64[n]; `shares`: int16[3, cards, SETS]; `excuse`: int64[n + 1]; `found`: int16[n + 1, PLAIN + 1, SETS],
    zeros, written.
    """
    brought = np.zeros(SETS, np.int16)
    for i in range(len(pile) - 1, -1, -1):
        card = lowest(pile[i])
        pays = 0 if pile[i] & (w.people | w.excuse) else 1
        for s in range(SETS):
            found[i, PLAIN, s] = found[i + 1, PLAIN, s] + shares[0, card, s] * pays
        for p in range(ROW + 1):
            for s in range(SETS):
                found[i, p, s] = found[i, PLAIN, s] if excuse[i] else NEVER
            for capital in range(2):
                if excuse[i] or (not capital and p == 0):
                    continue
                for s in range(SETS):
                    brought[s] = shares[1, card, s] * pays * capital
                palace, k, drawn, open_ = p - 1 + capital, i + capital, 0, not capital
                while True:  # at most five come to the resources, and people before them to the palace
                    if not open_:
                        for s in range(SETS):
                            found[i, p, s] = max(found[i, p, s], brought[s] + found[k, palace, s])
                    if drawn == ROW or k == len(pile):
                        break
                    open_ = pile[k] & w.people != 0 and k + 1 < len(pile)
                    if pile[k] & w.people:
                        palace += 1
                        if palace > ROW:
                            break
                    else:
                        drawn += 1
                        other = lowest(pile[k])
                        for s in range(SETS):
                            brought[s] += shares[0, other, s]
                    k += 1


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
    """Writes the margin of every set of suits, the personalities at these prices; `plain`: all of the pile counts.

    `d`: Deal; `at`, `capital`, `held`: int64; `plain`: bool; `price`: int64[64]; `found`: int16[SETS], written.
    """
    reach = d.reach[at, PLAIN if plain or (capital | held) & w.excuse else ones(held & w.people)]
    for s in range(SETS):
        found[s] = reach[s]
    rest = held & ~(w.people | w.excuse)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        for s in range(SETS):
            found[s] += d.shares[0, card, s]
    rest = capital & ~(w.people | w.excuse)
    highest = 0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        highest = max(highest, w.ranks[card])
        for s in range(SETS):
            found[s] += d.shares[1, card, s]
    if (held & w.excuse) | d.excuse[at]:
        for s in range(1, SETS):
            found[s] += highest
    people = ((capital | held) & w.people) | d.people[at]
    while people:
        card = lowest(people)
        people &= people - 1
        more = price[card] - w.ranks[card]
        for s in range(SETS):
            found[s] -= d.shares[2, card, s]
        if more:
            for s in range(SETS):
                if d.shares[2, card, s]:
                    found[s] -= more


@compiled
def margins_after(w, d, moved, at, held, at2, capital2, held2, plain, found):
    """Writes the same of the position after a move and its refill, by less work: what the refill turned up comes into
    its row, and the pile brings what it can from there. The Excuse neither waits nor is to come.

    `d`: Deal; `moved`: int16[SETS], the margins right after the move; `at`, `held`: int64, before it; `at2`,
    `capital2`, `held2`: int64, after the refill; `plain`: bool; `found`: int16[SETS], written.
    """
    before = d.reach[at, PLAIN if plain else ones(held & w.people)]
    after = d.reach[at2, PLAIN if plain else ones(held2 & w.people)]
    for s in range(SETS):
        found[s] = moved[s] + after[s] - before[s]
    for i in range(at, at2):
        if not d.pile[i] & w.people:
            share = d.shares[1 if d.pile[i] & capital2 else 0, lowest(d.pile[i])]
            for s in range(SETS):
                found[s] += share[s]
