"""Search for the best end of a deal whose pile is known: by beam, and exhaustively with proof.

Both look for a score of `goal[0]` at least, which rises with every end found (one more than its score). A search
for a win begins with the goal of all personalities; below that goal, wins and losses alike are looked for.
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import compiled, lowest, ones
from spieltisch.games.adaman.engine.bounds import ALL, PLAIN, SETS, margins, prices, reaches, remaining
from spieltisch.games.adaman.engine.kernel import MOST, Worth, hanged, move, moves, stuck, sum_of

CARDS = 45
_ROW_BITS = (1 << CARDS) - 1
STEPS = 48  # more than a game has moves: each puts a card out of play


class Deal(NamedTuple):
    """A shuffled deck and what is worked out of it beforehand; arrays by the place in the pile."""

    pile: np.ndarray  # cards as bits, top first
    rest: np.ndarray  # from this place on: cards that pay
    people: np.ndarray  # personalities
    excuse: np.ndarray  # the Excuse
    reach: np.ndarray  # see `reaches`
    shares: np.ndarray


def deal(worth: Worth, shared: np.ndarray, cards: np.ndarray) -> Deal:
    pile = np.left_shift(np.int64(1), np.asarray(cards, np.int64))
    rest, people, excuse = np.zeros((3, len(pile) + 1), np.int64)
    remaining(worth, pile, rest, people, excuse)
    reach = np.zeros((len(pile) + 1, PLAIN + 1, SETS), np.int16)
    reaches(worth, pile, shared, excuse, reach)
    return Deal(pile, rest, people, excuse, reach, shared)


@compiled
def ended(w, d, at, capital, held):
    """The score, if the game is over, else -1."""
    if hanged(w, held):
        return 0
    if (capital | held) & w.excuse:
        return -1
    left = ((capital | held) & w.people) | d.people[at]
    if (left == 0 and at == len(d.pile)) or stuck(w, capital, held):
        return w.total - sum_of(w, left) + (0 if left else sum_of(w, held))
    return -1


@compiled
def hopeless(w, goal, margin):
    """No score of the goal can be reached with these margins."""
    over = goal - w.total  # below 0: so much may stay behind
    if margin[ALL] < over:
        return True
    least = min(over, 0)
    found = 0
    for s in range(SETS):
        found |= margin[s] - least
    return found < 0


@compiled
def liking(w, held, margin):
    """How promising a position is: small margins and a full palace are bad."""
    least = margin[1]
    for s in range(2, SETS):
        least = min(least, margin[s])
    return margin[ALL] + least - 2 * ones(held & w.people)


# -- positions met before ------------------------------------------------------------------------------------


@compiled
def met(table, search, at, capital, held, note):
    """Whether this search has met the position; with `note` it has from now on.

    A place in the table holds a position and the search's number, so nothing has to be cleared between searches.
    What is overwritten may be searched again; that costs time only.
    """
    one = capital | at << CARDS | (search & 0xFFF) << (CARDS + 6)
    two = held | search >> 12 << CARDS
    mixed = one * -7046029254386353131 ^ (two * -4417276706812531889 + (one >> 20))
    mixed = (mixed ^ (mixed >> 29 & 0x7FFFFFFFF)) * -4658895280553007687
    first = ((mixed ^ mixed >> 32) & 0x7FFFFFFFFFFFFFFF) % (len(table) - 4)
    free = -1
    for i in range(first, first + 4):
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


class Desk(NamedTuple):
    """Room to work in, made once."""

    price: np.ndarray
    margin: np.ndarray
    after: np.ndarray
    paid: np.ndarray  # every set of resources: its ranks showing S
    sums: np.ndarray
    sets: np.ndarray
    targets: np.ndarray
    payments: np.ndarray


def desk() -> Desk:
    short, long = np.int16, np.int64
    return Desk(
        np.zeros(64, long), np.zeros(SETS, short), np.zeros(SETS, short), np.zeros((32, SETS), short),
        np.zeros(32, long), np.zeros(32, long), np.zeros(MOST, long), np.zeros(MOST, long),
    )  # fmt: skip


@compiled
def look(w, d, k, goal, at, capital, held):
    """Works out prices and margins; whether the goal can still be reached."""
    pay = ~(w.people | w.excuse)
    people = ((capital | held) & w.people) | d.people[at]
    if goal >= w.total:
        prices(w, people, ((capital | held) & pay) | d.rest[at], k.price)
    else:
        for card in range(len(w.ranks)):
            k.price[card] = w.ranks[card]
    margins(w, d, at, capital, held, goal < w.total, k.price, k.margin)
    return not hopeless(w, goal, k.margin)


@compiled
def fair_moves(w, d, k, goal, capital, held):
    """Writes the moves after which the margins that `look` has found can still do; returns how many.

    What a payment takes from a margin and what its target gives back is known without making the move: the price of
    a personality of S, the rank of another card all of whose suits lie in S.
    """
    if (capital | held) & w.excuse:
        return moves(w, capital, held, k.targets, k.payments)
    size = 1
    rest = held & ~w.people
    while rest:
        card = rest & -rest
        rest ^= card
        number = lowest(card)
        for i in range(size):
            k.sums[size + i] = k.sums[i] + w.ranks[number]
            k.sets[size + i] = k.sets[i] | card
            for s in range(SETS):
                k.paid[size + i, s] = k.paid[i, s] + d.shares[0, number, s]
        size *= 2
    over = goal - w.total
    least = min(over, 0)
    count = 0
    rest = capital | (held & w.people)
    while rest:
        target = rest & -rest
        rest ^= target
        number = lowest(target)
        more = k.price[number] - w.ranks[number] if target & w.people else 0
        for s in range(SETS):
            share = d.shares[2, number, s]
            k.after[s] = k.margin[s] + share + (more if share else 0) - least
        k.after[ALL] -= max(over, 0)
        strange = ~w.friends[number]
        for i in range(1, size):
            if k.sets[i] & strange or k.sums[i] < w.ranks[number]:
                continue
            short = 0
            for s in range(SETS):
                short |= k.after[s] - k.paid[i, s]
            if short >= 0:
                k.targets[count] = target
                k.payments[count] = k.sets[i]
                count += 1
    return count


@compiled
def copy(likes, places, here, there):
    likes[there] = likes[here]
    for i in range(6):
        places[there, i] = places[here, i]


@compiled
def put(likes, places, here, like, at, capital, held, before, target, payment):
    likes[here] = like
    places[here, 0], places[here, 1], places[here, 2] = at, capital, held
    places[here, 3], places[here, 4], places[here, 5] = before, target, payment


# -- beam ----------------------------------------------------------------------------------------------------


class Beam(NamedTuple):
    """The most liked positions of every level, a heap each, the least liked first."""

    count: np.ndarray  # a level
    likes: np.ndarray
    places: np.ndarray  # at, capital, held, place before, target, payment


LEVELS = 2 * CARDS


def beam(width: int) -> Beam:
    return Beam(np.zeros(LEVELS, np.int64), np.zeros((LEVELS, width), np.int64), np.zeros((LEVELS, width, 6), np.int64))


@compiled
def keep(b, level, like, at, capital, held, before, target, payment):
    """Puts a position on its level, in place of the least liked one where that is full."""
    likes, places, i = b.likes[level], b.places[level], b.count[level]
    width = len(likes)
    if i < width:
        b.count[level] += 1
        while i and likes[(i - 1) // 2] > like:
            up = (i - 1) // 2
            copy(likes, places, up, i)
            i = up
    elif like > likes[0]:
        i = 0
        while 2 * i + 1 < width:
            down = 2 * i + 1
            if down + 1 < width and likes[down + 1] < likes[down]:
                down += 1
            if likes[down] >= like:
                break
            copy(likes, places, down, i)
            i = down
    else:
        return
    put(likes, places, i, like, at, capital, held, before, target, payment)


@compiled
def by_beam(w, d, k, b, table, search, start, goal, enough, line):
    """Looks for ends of the goal at least, until one of `enough`, from the position `start` on (at, capital, held).
    Writes the best line found; returns its length, -1 if nothing was found.

    A level holds the positions with as many cards drawn and put out of play; every move leads to a later one.
    """
    for level in range(LEVELS):
        b.count[level] = 0
    at, capital, held = start
    if ended(w, d, at, capital, held) >= 0:
        return -1
    width = b.likes.shape[1]
    keep(b, 2 * at - ones(capital | held), 0, at, capital, held, -1, 0, 0)
    length = -1
    for level in range(LEVELS):
        for here in range(b.count[level]):
            at, capital, held = b.places[level, here, 0], b.places[level, here, 1], b.places[level, here, 2]
            if not look(w, d, k, goal[0], at, capital, held):
                continue
            for i in range(fair_moves(w, d, k, goal[0], capital, held)):
                target, payment = k.targets[i], k.payments[i]
                at2, capital2, held2 = move(w, d.pile, at, capital, held, target, payment)
                score = ended(w, d, at2, capital2, held2)
                if score >= 0:
                    if score >= goal[0]:
                        goal[0] = score + 1
                        length = traced(b, level * width + here, line)
                        line[length, 0], line[length, 1] = target, payment
                        length += 1
                        if score >= enough:
                            return length
                    continue
                if met(table, search, at2, capital2, held2, True):
                    continue
                margins(w, d, at2, capital2, held2, goal[0] < w.total, k.price, k.after)
                if not hopeless(w, goal[0], k.after):
                    keep(
                        b, 2 * at2 - ones(capital2 | held2), liking(w, held2, k.after),
                        at2, capital2, held2, level * width + here, target, payment,
                    )  # fmt: skip
    return length


@compiled
def traced(b, place, line):
    """Writes the moves that led to this place of the beam; returns how many."""
    width = b.likes.shape[1]
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
    """Positions to look at, the last first, so that a search can be laid aside and taken up again."""

    size: np.ndarray  # how many; and how many have been looked at
    likes: np.ndarray
    places: np.ndarray  # at, capital, held, how many moves led there, the last one's target and payment
    path: np.ndarray  # the moves that led to the position looked at


def stack() -> Stack:
    most = STEPS * MOST
    long = np.int64
    return Stack(np.zeros(2, long), np.zeros(most, long), np.zeros((most, 6), long), np.zeros((STEPS, 2), long))


@compiled
def begin(w, d, t, start):
    """Puts a position on the stack, unless the game is over there."""
    at, capital, held = start
    t.size[0] = 0
    if ended(w, d, at, capital, held) < 0:
        push(t, 0, 0, at, capital, held, 0, 0, 0)


@compiled
def push(t, first, like, at, capital, held, steps, target, payment):
    """Puts a position on the stack, among those from `first` on in the order of how they are liked."""
    i = t.size[0]
    t.size[0] += 1
    while i > first and t.likes[i - 1] > like:
        copy(t.likes, t.places, i - 1, i)
        i -= 1
    put(t.likes, t.places, i, like, at, capital, held, steps, target, payment)


@compiled
def in_depth(w, d, k, t, table, search, goal, enough, nodes, line):
    """Goes on with the stack for so many positions. Writes the best line found; returns its length, -1 if there is
    none. With the stack empty nothing reaches the goal that is left.
    """
    length = -1
    while t.size[0] and nodes:
        t.size[0] -= 1
        top = t.size[0]
        at, capital, held, steps = t.places[top, 0], t.places[top, 1], t.places[top, 2], t.places[top, 3]
        if steps:
            t.path[steps - 1, 0], t.path[steps - 1, 1] = t.places[top, 4], t.places[top, 5]
        if met(table, search, at, capital, held, True) or not look(w, d, k, goal[0], at, capital, held):
            continue
        nodes -= 1
        t.size[1] += 1
        first = t.size[0]
        for i in range(fair_moves(w, d, k, goal[0], capital, held)):
            target, payment = k.targets[i], k.payments[i]
            at2, capital2, held2 = move(w, d.pile, at, capital, held, target, payment)
            if hanged(w, held2):
                continue
            margins(w, d, at2, capital2, held2, goal[0] < w.total, k.price, k.after)
            if hopeless(w, goal[0], k.after) or met(table, search, at2, capital2, held2, False):
                continue
            score = ended(w, d, at2, capital2, held2)
            if score < 0:
                push(t, first, liking(w, held2, k.after), at2, capital2, held2, steps + 1, target, payment)
            elif score >= goal[0]:
                goal[0] = score + 1
                length = steps + 1
                for step in range(steps):
                    line[step, 0], line[step, 1] = t.path[step, 0], t.path[step, 1]
                line[steps, 0], line[steps, 1] = target, payment
                if score >= enough:
                    return length
    return length
