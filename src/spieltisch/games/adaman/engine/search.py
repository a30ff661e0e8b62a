"""Search for the best end of a deal whose pile is known: by beam search, and exhaustively with proof.

Both look for a score of at least `goal[0]`, which rises to one more than the score of every end found. A search for a
win starts with the goal of all personalities. Below that goal, wins and losses both count.
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import borrowing, compiled, inlined, lowest, ones
from spieltisch.games.adaman.engine.bounds import (
    ALL,
    MEASURES,
    PLAIN,
    SETS,
    margins,
    margins_after,
    prices,
    remaining,
)
from spieltisch.games.adaman.engine.kernel import MOST, ROW, hanged, move, moves, stuck, sum_of
from spieltisch.games.adaman.engine.ways import reaches

CARDS = 45
_ROW_BITS = (1 << CARDS) - 1
PLACES = 4  # in the table in which a position may be
STEPS = 48  # more than a game has moves: each puts a card out of play


class Deal(NamedTuple):
    """A shuffled deck with precomputed arrays by the place in the pile."""

    pile: np.ndarray  # int64[n]: cards as bits, top first
    rest: np.ndarray  # int64[n + 1], from this place on: cards that pay
    people: np.ndarray  # int64[n + 1]: personalities
    excuse: np.ndarray  # int64[n + 1]: the Excuse
    reach: np.ndarray  # int16[n + 1, PLAIN + 1, MEASURES], see `reaches`
    shares: np.ndarray  # int16[3, cards, MEASURES], see `shares`


@compiled
def deal(w, shared, cards):
    """Return a deal of these cards, the top one first.

    `shared`: int16[3, cards, MEASURES]; `cards`: int64[n]. Returns Deal.
    """
    n = len(cards)
    pile = np.left_shift(np.int64(1), cards)
    rest, people, excuse = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    remaining(w, pile, rest, people, excuse)
    reach = np.zeros((n + 1, PLAIN + 1, MEASURES), np.int16)
    reaches(w, pile, shared, excuse, reach)
    return Deal(pile, rest, people, excuse, reach, shared)


@inlined
def ended(w, d, at, capital, held):
    """Return the score if the game is over, else -1.

    `d`: Deal; `at`, `capital`, `held`: int64. Returns int64.
    """
    if hanged(w, held):
        return 0
    if (capital | held) & w.excuse:
        return -1
    left = ((capital | held) & w.people) | d.people[at]
    if (left == 0 and at == len(d.pile)) or stuck(w, capital, held):
        return w.total - sum_of(w, left) + (0 if left else sum_of(w, held))
    return -1


@inlined
def hopeless(w, goal, margin):
    """Return whether these margins rule out every score of the goal.

    `goal`: int64; `margin`: int16[MEASURES]. Returns bool.
    """
    over = goal - w.total  # below 0: so much may stay behind
    if margin[ALL] < over:
        return True
    least = min(over, 0)
    found = np.int16(0)
    for s in range(MEASURES):
        found = np.int16(found | (margin[s] - least))  # narrow, so that many are done at once
    return found < 0


@inlined
def evaluate(w, held, margin):
    """Return how promising a position is: small margins and a full palace are bad.

    `held`: int64; `margin`: int16[MEASURES]. Returns int64.
    """
    least = margin[1]
    for s in range(2, SETS):
        least = min(least, margin[s])
    return margin[ALL] + least - 2 * ones(held & w.people)


# -- positions seen before ------------------------------------------------------------------------------------


@inlined
def seen_before(table, search, at, capital, held, note):
    """Return whether this search has visited the position; with `note`, mark it as visited.

    An entry of the table has a position and the search's number, so nothing has to be cleared between searches.
    Overwritten positions may be searched again, which only costs time.

    `table`: int64[2^n + PLACES, 2]; `search`: int64; `at`, `capital`, `held`: int64; `note`: bool. Returns bool.
    """
    one = capital | at << CARDS | (search & 0xFFF) << (CARDS + 6)
    two = held | search >> 12 << CARDS
    place = capital | at << CARDS  # whichever search it is, so that the same deal is searched in the same way
    mixed = place * -7046029254386353131 ^ (held * -4417276706812531889 + (place >> 20))
    mixed = (mixed ^ (mixed >> 29 & 0x7FFFFFFFF)) * -4658895280553007687
    first = (mixed ^ mixed >> 32) & (len(table) - PLACES - 1)
    free = -1
    for i in range(first, first + PLACES):
        if table[i, 0] == one and table[i, 1] == two:
            return True
        if free < 0 and (table[i, 1] >> CARDS != search >> 12 or table[i, 0] >> (CARDS + 6) != search & 0xFFF):
            free = i
    if note:
        if free < 0:
            free = first + (mixed >> 40 & 3)
        table[free, 0] = one
        table[free, 1] = two
    return False


# -- moves worth looking at ----------------------------------------------------------------------------------


class Workspace(NamedTuple):
    """Workspace, allocated once."""

    price: np.ndarray  # int64[64]
    margin: np.ndarray  # int16[MEASURES]
    after: np.ndarray  # int16[MEASURES]
    paid: np.ndarray  # int16[32, MEASURES], every set of resources: what it counts for
    sums: np.ndarray  # int64[32]
    sets: np.ndarray  # int64[32]
    least: np.ndarray  # int64[32]: the lowest rank of each
    targets: np.ndarray  # int64[MOST]
    payments: np.ndarray  # int64[MOST]
    moved: np.ndarray  # int16[MOST, MEASURES], the margins right after each move, before the refill


def workspace() -> Workspace:
    short, long = np.int16, np.int64
    return Workspace(
        np.zeros(64, long), np.zeros(MEASURES, short), np.zeros(MEASURES, short), np.zeros((32, MEASURES), short),
        np.zeros(32, long), np.zeros(32, long), np.zeros(32, long), np.zeros(MOST, long), np.zeros(MOST, long),
        np.zeros((MOST, MEASURES), short),
    )  # fmt: skip


@borrowing
def reachable(w, d, ws, goal, at, capital, held):
    """Compute prices and margins, and return whether the goal can still be reached.

    `d`: Deal; `ws`: Workspace, written; `goal`: int64; `at`, `capital`, `held`: int64. Returns bool.
    """
    pay = ~(w.people | w.excuse)
    people = ((capital | held) & w.people) | d.people[at]
    if goal >= w.total:
        prices(w, people, ((capital | held) & pay) | d.rest[at], ws.price)
    else:
        for card in range(len(w.ranks)):
            ws.price[card] = w.ranks[card]
    margins(w, d, at, capital, held, goal < w.total, ws.price, ws.margin)
    return not hopeless(w, goal, ws.margin)


@borrowing
def promising_moves(w, d, ws, goal, at, capital, held):
    """Write the moves after which the margins computed by `reachable` still suffice. Return how many.

    What a payment takes from a margin and what its target gives back is known without making the move: the price of a
    personality of S, or the rank of another card all of whose suits lie in S. Payments with a superfluous card are left
    out if the rest of the pile would come all the same without it: one more resource is never worse then.

    `d`: Deal; `ws`: Workspace, written; `goal`, `at`, `capital`, `held`: int64. Returns int64.
    """
    if (capital | held) & w.excuse:
        return moves(w, capital, held, ws.targets, ws.payments)
    size = 1
    ws.least[0] = 99
    rest = held & ~w.people
    while rest:
        card = rest & -rest
        rest ^= card
        number = lowest(card)
        for i in range(size):
            ws.sums[size + i] = ws.sums[i] + w.ranks[number]
            ws.sets[size + i] = ws.sets[i] | card
            ws.least[size + i] = min(ws.least[i], w.ranks[number])
            for s in range(MEASURES):
                ws.paid[size + i, s] = ws.paid[i, s] + d.shares[0, number, s]
        size *= 2
    count = 0
    rest = capital | (held & w.people)
    while rest:
        target = rest & -rest
        rest ^= target
        number = lowest(target)
        more = ws.price[number] - w.ranks[number] if target & w.people else 0
        for s in range(MEASURES):
            ws.after[s] = ws.margin[s] + d.shares[2, number, s]
        if more:
            for s in range(SETS):
                if d.shares[2, number, s]:
                    ws.after[s] += more
        needed = cards_for_the_rest(w, d, at, capital, held, target)
        strange = ~w.friends[number]
        for i in range(1, size):
            if ws.sets[i] & strange or ws.sums[i] < w.ranks[number]:
                continue
            if ws.sums[i] - ws.least[i] >= w.ranks[number] and ones(ws.sets[i]) > needed:
                continue
            for s in range(MEASURES):
                ws.moved[count, s] = ws.after[s] - ws.paid[i, s]
            if not hopeless(w, goal, ws.moved[count]):
                ws.targets[count] = target
                ws.payments[count] = ws.sets[i]
                count += 1
    return count


@borrowing
def cards_for_the_rest(w, d, at, capital, held, target):
    """Return the least number of cards to pay for the target so that the refill uses up the pile. While the Excuse is
    to come, this is unknown, and the number is larger than possible.

    `d`: Deal; `at`, `capital`, `held`, `target`: int64. Returns int64.
    """
    if d.excuse[at]:
        return ROW + 1
    first = at + ROW - ones(capital & ~target)  # from here on the pile comes to the resources
    if first >= len(d.pile):
        return 0
    places = ROW - ones(held & ~w.people) - (0 if target & w.people else 1)
    # a personality at the very end is turned up only where a place is free
    return ones(d.rest[first]) + (1 if d.pile[-1] & w.people else 0) - places


@borrowing
def margins_of(w, d, ws, i, goal, at, capital, held, at2, capital2, held2):
    """Compute the margins after the i-th of these moves, at the prices before it, into `ws.after`.

    `d`: Deal; `ws`: Workspace, written; all others int64.
    """
    if d.excuse[at] or (capital | held) & w.excuse:
        margins(w, d, at2, capital2, held2, goal < w.total, ws.price, ws.after)
    else:
        margins_after(w, d, ws.moved[i], at, capital, held, at2, capital2, held2, goal < w.total, ws.after)


@borrowing
def copy(values, places, here, there):
    """Copy one position over another. `values`: int64[n]; `places`: int64[n, 6]; `here`, `there`: int64."""
    values[there] = values[here]
    for i in range(6):
        places[there, i] = places[here, i]


@borrowing
def store(values, places, here, value, at, capital, held, before, target, payment):
    """Store a position at this place. `values`: int64[n]; `places`: int64[n, 6]; all others int64."""
    values[here] = value
    places[here, 0], places[here, 1], places[here, 2] = at, capital, held
    places[here, 3], places[here, 4], places[here, 5] = before, target, payment


# -- beam ----------------------------------------------------------------------------------------------------


class Beam(NamedTuple):
    """The most promising positions of every level, in a heap each, the least promising first."""

    count: np.ndarray  # int64[LEVELS]
    values: np.ndarray  # int64[LEVELS, width]
    places: np.ndarray  # int64[LEVELS, width, 6]: at, capital, held, place before, target, payment


LEVELS = 2 * CARDS


def beam(width: int) -> Beam:
    return Beam(np.zeros(LEVELS, np.int64), np.zeros((LEVELS, width), np.int64), np.zeros((LEVELS, width, 6), np.int64))


@borrowing
def beam_push(b, level, value, at, capital, held, before, target, payment):
    """Put a position on its level. On a full level it replaces the least promising one.

    `b`: Beam, written; all others int64.
    """
    values, places, i = b.values[level], b.places[level], b.count[level]
    width = len(values)
    if i < width:
        b.count[level] += 1
        while i and values[(i - 1) // 2] > value:
            up = (i - 1) // 2
            copy(values, places, up, i)
            i = up
    elif value > values[0]:
        i = 0
        while 2 * i + 1 < width:
            down = 2 * i + 1
            if down + 1 < width and values[down + 1] < values[down]:
                down += 1
            if values[down] >= value:
                break
            copy(values, places, down, i)
            i = down
    else:
        return
    store(values, places, i, value, at, capital, held, before, target, payment)


@borrowing
def beam_search(w, d, ws, b, table, search, start, goal, enough, line):
    """Search for ends that reach the goal, until one reaches `enough`, from the position `start` (at, capital, held).
    Write the best line found and return its length, or -1 if nothing was found.

    A level has the positions with equally many cards drawn and out of play. Every move leads to a later level.

    `d`: Deal; `ws`: Workspace; `b`: Beam; `table`: int64[places, 2]; `search`, `enough`: int64; `start`: three int64;
    `goal`: int64[1], raised; `line`: int64[STEPS, 2], written. Returns int64.
    """
    for level in range(LEVELS):
        b.count[level] = 0
    at, capital, held = start
    if ended(w, d, at, capital, held) >= 0:
        return -1
    width = b.values.shape[1]
    beam_push(b, 2 * at - ones(capital | held), 0, at, capital, held, -1, 0, 0)
    length = -1
    for level in range(LEVELS):
        for here in range(b.count[level]):
            at, capital, held = b.places[level, here, 0], b.places[level, here, 1], b.places[level, here, 2]
            if not reachable(w, d, ws, goal[0], at, capital, held):
                continue
            for i in range(promising_moves(w, d, ws, goal[0], at, capital, held)):
                target, payment = ws.targets[i], ws.payments[i]
                at2, capital2, held2 = move(w, d.pile, at, capital, held, target, payment)
                score = ended(w, d, at2, capital2, held2)
                if score >= 0:
                    if score >= goal[0]:
                        goal[0] = score + 1
                        length = trace_line(b, level * width + here, line)
                        line[length, 0], line[length, 1] = target, payment
                        length += 1
                        if score >= enough:
                            return length
                    continue
                if seen_before(table, search, at2, capital2, held2, True):
                    continue
                margins_of(w, d, ws, i, goal[0], at, capital, held, at2, capital2, held2)
                if not hopeless(w, goal[0], ws.after):
                    beam_push(
                        b, 2 * at2 - ones(capital2 | held2), evaluate(w, held2, ws.after),
                        at2, capital2, held2, level * width + here, target, payment,
                    )  # fmt: skip
    return length


@borrowing
def trace_line(b, place, line):
    """Write the moves that led to this place of the beam. Return how many.

    `b`: Beam; `place`: int64; `line`: int64[STEPS, 2], written. Returns int64.
    """
    width = b.values.shape[1]
    length = 0
    one = place
    while b.places[one // width, one % width, 3] >= 0:
        one = b.places[one // width, one % width, 3]
        length += 1
    for i in range(length - 1, -1, -1):
        line[i, 0] = b.places[place // width, place % width, 4]
        line[i, 1] = b.places[place // width, place % width, 5]
        place = b.places[place // width, place % width, 3]
    return length


# -- exhaustively --------------------------------------------------------------------------------------------


class Stack(NamedTuple):
    """Positions to visit, the last first, so that a search can be suspended and resumed."""

    size: np.ndarray  # int64[2]: how many; and how many have been looked at
    values: np.ndarray  # int64[n]
    places: np.ndarray  # int64[n, 6]: at, capital, held, how many moves led there, the last one's target and payment
    path: np.ndarray  # int64[STEPS, 2]: the moves that led to the position looked at


def stack() -> Stack:
    most = STEPS * MOST
    long = np.int64
    return Stack(np.zeros(2, long), np.zeros(most, long), np.zeros((most, 6), long), np.zeros((STEPS, 2), long))


@borrowing
def begin(w, d, t, start):
    """Push the start position, unless the game is over there.

    `d`: Deal; `t`: Stack, written; `start`: three int64.
    """
    at, capital, held = start
    t.size[0] = 0
    if ended(w, d, at, capital, held) < 0:
        push(t, 0, 0, at, capital, held, 0, 0, 0)


@borrowing
def push(t, first, value, at, capital, held, steps, target, payment):
    """Push a position, sorted by value among those from `first` on.

    `t`: Stack, written; all others int64.
    """
    i = t.size[0]
    t.size[0] += 1
    while i > first and t.values[i - 1] > value:
        copy(t.values, t.places, i - 1, i)
        i -= 1
    store(t.values, t.places, i, value, at, capital, held, steps, target, payment)


@borrowing
def depth_first(w, d, ws, t, table, search, goal, enough, nodes, line):
    """Visit this many positions of the stack. Write the best line found and return its length, or -1 if there is none.
    When the stack is empty, nothing else reaches the goal.

    `d`: Deal; `ws`: Workspace; `t`: Stack, written; `table`: int64[places, 2]; `search`, `enough`, `nodes`: int64;
    `goal`: int64[1], raised; `line`: int64[STEPS, 2], written. Returns int64.
    """
    length = -1
    while t.size[0] and nodes:
        t.size[0] -= 1
        top = t.size[0]
        at, capital, held, steps = t.places[top, 0], t.places[top, 1], t.places[top, 2], t.places[top, 3]
        if steps:
            t.path[steps - 1, 0], t.path[steps - 1, 1] = t.places[top, 4], t.places[top, 5]
        if seen_before(table, search, at, capital, held, True) or not reachable(w, d, ws, goal[0], at, capital, held):
            continue
        nodes -= 1
        t.size[1] += 1
        first = t.size[0]
        for i in range(promising_moves(w, d, ws, goal[0], at, capital, held)):
            target, payment = ws.targets[i], ws.payments[i]
            at2, capital2, held2 = move(w, d.pile, at, capital, held, target, payment)
            if hanged(w, held2):
                continue
            margins_of(w, d, ws, i, goal[0], at, capital, held, at2, capital2, held2)
            if hopeless(w, goal[0], ws.after) or seen_before(table, search, at2, capital2, held2, False):
                continue
            score = ended(w, d, at2, capital2, held2)
            if score < 0:
                push(t, first, evaluate(w, held2, ws.after), at2, capital2, held2, steps + 1, target, payment)
            elif score >= goal[0]:
                goal[0] = score + 1
                length = steps + 1
                for step in range(steps):
                    line[step, 0], line[step, 1] = t.path[step, 0], t.path[step, 1]
                line[steps, 0], line[steps, 1] = target, payment
                if score >= enough:
                    return length
    return length
