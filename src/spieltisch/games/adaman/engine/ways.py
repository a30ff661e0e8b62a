"""An upper bound on what the pile can bring on the best way through it: `reaches`.

A way is a pair of numbers: the personalities in the palace and in the capital. A move for a card of the capital turns
the next card up there. Then as many cards become resources as were paid, one fewer if a card came from the capital; the
personalities between them go to the palace. Which cards pay, and for whom, is left open.

A way ends where the player cannot have what is needed: five resources, cards of the capital, and what is still to come
have to pay for the personalities in sight and those to come. Only the number of those in sight is known, so the
cheapest are assumed.
"""

import numpy as np

from spieltisch.compiled import borrowing, compiled, inlined, lowest
from spieltisch.games.adaman.engine.bounds import MEASURES, PLAIN, SETS, prices, way_of
from spieltisch.games.adaman.engine.kernel import ROW

NEVER = -10_000  # less than any margin, whatever is added


@compiled
def reaches(w, pile, shares, excuse, found):
    """found[at, way, measure]: the most that the pile can bring from the place `at` on; NEVER if nobody can win from
    there. found[at, PLAIN, measure]: everything in it.

    `pile`: int64[n]; `shares`: int16[3, cards, MEASURES]; `excuse`: int64[n + 1]; `found`:
    int16[n + 1, PLAIN + 1, MEASURES], zeros, written.
    """
    n = len(pile)
    saved, costs, need = savings(w, pile, shares)
    people = 0  # who comes before this place
    for i in range(n):
        people += 1 if pile[i] & w.people else 0
    brought = np.zeros(MEASURES, np.int16)
    for i in range(n, -1, -1):
        if i < n:
            people -= 1 if pile[i] & w.people else 0
            add(w, pile[i], shares[0], found[i, PLAIN])
            for s in range(MEASURES):
                found[i, PLAIN, s] += found[i + 1, PLAIN, s]
        for palace in range(min(ROW, people) + 1):
            for capital in range(min(ROW, people - palace) + 1):
                best = found[i, way_of(palace, capital)]
                if excuse[i]:
                    best[:] = found[i, PLAIN]
                    continue
                if i < n:
                    best[:] = NEVER
                    here = capital + 1 if pile[i] & w.people else capital  # after the capital's refill
                    if palace:  # somebody there is won
                        brought[:] = 0
                        draw(w, pile, shares, found, i, palace - 1, capital, 1, ROW, brought, best)
                    if capital:  # somebody here
                        brought[:] = 0
                        add(w, pile[i], shares[1], brought)
                        draw(w, pile, shares, found, i + 1, palace, here - 1, 1, ROW, brought, best)
                    if capital < ROW:  # another card, which is one of the resources from then on
                        brought[:] = 0
                        add(w, pile[i], shares[1], brought)
                        draw(w, pile, shares, found, i + 1, palace, here, 0, ROW - 1, brought, best)
                for s in range(MEASURES):
                    if need[i, s] + costs[i, palace + capital, s] > best[s] + saved[i, capital, s]:
                        best[:] = NEVER
                        break


@borrowing
def add(w, card, shares, found):
    """Add what a card brings. `card`: int64; `shares`: int16[cards, MEASURES]; `found`: int16[MEASURES], written."""
    if card & (w.people | w.excuse) == 0:
        number = lowest(card)
        for s in range(MEASURES):
            found[s] += shares[number, s]


@borrowing
def draw(w, pile, shares, found, at, palace, capital, least, most, brought, best):
    """Update `best[k]`, k = `least` … `most` resources turned up from the place `at` on: what was `brought` before,
    what they bring, and what the rest of the pile brings then.

    `pile`: int64[n]; `shares`: int16[3, cards, MEASURES]; `found`: as in `reaches`; `brought`, `best`: int16[MEASURES],
    written; all others int64.
    """
    drawn = 0
    while True:
        if drawn >= least or at == len(pile):
            rest = found[at, way_of(palace, capital)]
            for s in range(MEASURES):
                best[s] = max(best[s], np.int16(brought[s] + rest[s]))
        if drawn == most or at == len(pile):
            return
        while at < len(pile) and pile[at] & w.people:
            at, palace = at + 1, palace + 1
            if palace > ROW:
                return
        if at < len(pile):
            add(w, pile[at], shares[0], brought)
            at, drawn = at + 1, drawn + 1


@compiled
def savings(w, pile, shares):
    """Return what can be at hand, and what is still to be paid, when the pile has been drawn up to a place.

    `pile`: int64[n]; `shares`: int16[3, cards, MEASURES]. Returns, by place and measure, int64[n + 1, ROW + 1,
    MEASURES]: the most that five resources and the cards of a capital with this many personalities count for; int64[n +
    1, 2 * ROW + 1, MEASURES]: the least cost of this many of the personalities that have come; and int64[n + 1,
    MEASURES]: the cost of those to come.
    """
    n = len(pile)
    saved = np.zeros((n + 1, ROW + 1, MEASURES), np.int64)
    costs, need = np.zeros((n + 1, 2 * ROW + 1, MEASURES), np.int64), np.zeros((n + 1, MEASURES), np.int64)
    people, payers, price = np.int64(0), np.int64(0), np.zeros(64, np.int64)
    for i in range(n):
        people |= pile[i] & w.people
        payers |= pile[i] & ~(w.people | w.excuse)
    prices(w, people, payers, price)
    for i in range(n - 1, -1, -1):
        need[i] = need[i + 1]
        if pile[i] & w.people:
            number = lowest(pile[i])
            for s in range(MEASURES):
                need[i, s] += cost_of(shares[2, number], price[number], s)
    highest, across, inside = np.zeros(ROW, np.int64), np.zeros(ROW, np.int64), np.zeros(len(w.ranks), np.int64)
    for s in range(MEASURES):
        highest[:], across[:], came, within = 0, 0, 0, 0
        for i in range(n + 1):
            for capital in range(ROW + 1):
                saved[i, capital, s] = highest.sum() + across[: ROW - capital].sum()
            for many in range(came - within + 1, min(came, 2 * ROW) + 1):  # so many at least count by this measure
                costs[i, many, s] = costs[i, many - 1, s] + inside[many - 1 - (came - within)]
            for many in range(came + 1, 2 * ROW + 1):
                costs[i, many, s] = costs[i, many - 1, s]
            if i < n and pile[i] & w.people:
                number, came = lowest(pile[i]), came + 1
                if shares[2, number, s]:
                    insert_low(inside, within, cost_of(shares[2, number], price[number], s))
                    within += 1
            elif i < n and pile[i] & w.excuse == 0:
                number = lowest(pile[i])
                insert_high(highest, np.int64(shares[0, number, s]))
                insert_high(across, np.int64(shares[1, number, s]))
    return saved, costs, need


@inlined
def cost_of(shares, price, measure):
    """Return the least cost of a personality by this measure. `shares`: int16[MEASURES]; the others int64. Returns
    int64.
    """
    share = np.int64(shares[measure])
    return price if share and measure < SETS else share


@borrowing
def insert_high(values, value):
    """Insert a value among the highest ones, the highest first. `values`: int64[n], written; `value`: int64."""
    for i in range(len(values)):
        if value > values[i]:
            values[i], value = value, values[i]


@borrowing
def insert_low(values, size, value):
    """Insert a value among these, the lowest first. `values`: int64[n], written; `size`, `value`: int64."""
    i = size
    while i and values[i - 1] > value:
        values[i] = values[i - 1]
        i -= 1
    values[i] = value
