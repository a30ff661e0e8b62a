"""The rules of assisted play, compiled: for search and for random games by the million (§ as in the README).

A game is a few arrays. The cells of the table of forms are bits; as every cell holds one form, a play is its cell: the
form and its reading in one. `options` says as bits what can be done: a cell, the joker (bit 30), DRAW, PASS.

Of compiled functions `f` is the table's Forms and `g` a Game. Their docstrings say dtype[shape].
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import below, compiled, lowest, ones
from spieltisch.games.hichaechoc.agreement import FITTING, READINGS, Table, fitting_on_any, readings_of_all
from spieltisch.games.hichaechoc.state import Options

CELLS = len(READINGS)
JOKER = CELLS  # as a form, as a cell, and as its bit
DRAW, PASS = 31, 32
NOBODY = -1
PILE, PLAYED, TOP, LAST, COVERED, BOTTOM, SEAT, DRAWN, STALL, OUT, END, PLAY_ON = range(12)  # places in `now`
FACTS = 12
OPTIONS = PLAY_ON  # the first of the facts that are agreed: `game` sets them, `deal` leaves them
GOING, OVER, BLOCKED = range(3)  # at END


class Forms(NamedTuple):
    """A table of forms. What lies on top is a cell, or CELLS + its form if it was not declared."""

    table: np.ndarray  # int64[31], a cell: the form that is written there; the joker in its own
    cells: np.ndarray  # int64[31], a form: its cells as bits
    on: np.ndarray  # int64[60], a top: the cells that go on it, and the joker


def forms(table: Table) -> Forms:
    """Worked out once a table."""
    cells = readings_of_all(table)
    on = [fitting | 1 << JOKER for fitting in (*FITTING, *map(fitting_on_any, cells))]
    return Forms(np.array([*table, JOKER]), np.array([*cells, 1 << JOKER]), np.array(on))


class Game(NamedTuple):
    """What lies where."""

    counts: np.ndarray  # int64[seats, 31], a seat and form: how many of its cards
    hands: np.ndarray  # int64[seats], a seat: the cells of its forms, as bits
    held: np.ndarray  # int64[seats], a seat: how many cards
    pile: np.ndarray  # int64[31]: forms, the next card last
    played: np.ndarray  # int64[31]: forms put away, in any order
    now: np.ndarray  # int64[FACTS]: the facts named above


def game(seats: int, options: Options) -> Game:
    """Room for a game with these options, to be dealt."""
    cards = CELLS + 1
    g = Game(
        np.zeros((seats, cards), np.int64), np.zeros(seats, np.int64), np.zeros(seats, np.int64),
        np.zeros(cards, np.int64), np.zeros(cards, np.int64), np.zeros(FACTS, np.int64),
    )  # fmt: skip
    g.now[PLAY_ON] = options.play_on
    return g


@compiled
def copy(g, other):
    """Makes `g` the same game as the other one.

    `g`: Game, written; `other`: Game.
    """
    for seat in range(len(g.hands)):
        g.hands[seat], g.held[seat] = other.hands[seat], other.held[seat]
        g.counts[seat] = other.counts[seat]
    for i in range(other.now[PILE]):
        g.pile[i] = other.pile[i]
    for i in range(other.now[PLAYED]):
        g.played[i] = other.played[i]
    for i in range(FACTS):
        g.now[i] = other.now[i]


@compiled
def give(f, g, seat, form):
    """A card comes to a hand.

    `g`: Game, changed; `seat`, `form`: int64.
    """
    g.counts[seat, form] += 1
    g.held[seat] += 1
    g.hands[seat] |= f.cells[form]


@compiled
def deal(f, g, cards, each):
    """§1 and §13: a new game with these cards, the first one dealt first.

    `g`: Game, written; `cards`: int64[cards], forms; `each`: int64.
    """
    n, now = len(g.hands), g.now
    g.counts[:], g.hands[:], g.held[:], now[:OPTIONS] = 0, 0, 0, 0
    for i in range(n * each):
        give(f, g, i % n, cards[i])
    first, rest = n * each, len(cards) - n * each - 1
    if cards[first] == JOKER:
        now[BOTTOM] = 1
        first += 1
    for i in range(rest - now[BOTTOM]):
        g.pile[rest - 1 - i] = cards[first + 1 + i]
    if now[BOTTOM]:
        g.pile[0] = JOKER
    now[PILE], now[LAST], now[TOP], now[DRAWN] = rest, cards[first], CELLS + cards[first], NOBODY


@compiled
def options(f, g):
    """What whoever is to act can do, as bits (§3 to §5, §8, §9, §14).

    Returns int64.
    """
    now = g.now
    if now[DRAWN] != NOBODY:
        return (f.cells[now[DRAWN]] & f.on[now[TOP]]) | 1 << PASS
    fitting = g.hands[now[SEAT]] & f.on[now[TOP]]
    if fitting:
        return fitting
    return 1 << DRAW if now[PILE] + now[PLAYED] else 1 << PASS


@compiled
def next_turn(g):
    """The turn of the next seat that still holds cards.

    `g`: Game, changed.
    """
    now = g.now
    now[DRAWN] = NOBODY
    seat = now[SEAT]
    while True:
        seat += 1
        if seat == len(g.hands):
            seat = 0
        if g.held[seat]:
            break
    now[SEAT] = seat


@compiled
def play(f, g, cell):
    """§2, §7, §13, §15: lays the form of this cell, declared as it, or the joker.

    `g`: Game, changed; `cell`: int64.
    """
    now, form = g.now, f.table[cell]
    seat = now[SEAT]
    g.counts[seat, form] -= 1
    g.held[seat] -= 1
    if not g.counts[seat, form]:
        g.hands[seat] &= ~f.cells[form]
    if form == JOKER:
        now[COVERED] = 1
    else:
        g.played[now[PLAYED]] = now[LAST]
        now[PLAYED] += 1
        if now[COVERED]:
            g.played[now[PLAYED]] = JOKER
            now[PLAYED] += 1
            now[COVERED] = 0
        now[LAST], now[TOP] = form, cell
    now[STALL] = 0
    if not g.held[seat]:
        now[OUT] += 1
        if not now[PLAY_ON] or now[OUT] == len(g.hands) - 1:
            now[END] = OVER
            return
    next_turn(g)


@compiled
def turn_over(g):
    """§9: the played cards become the pile, to be shuffled or drawn from at random. Whether that was due.

    `g`: Game, changed. Returns bool.
    """
    now = g.now
    if now[PILE]:
        return False
    for i in range(now[PLAYED]):
        g.pile[i] = g.played[i]
    now[PILE], now[PLAYED] = now[PLAYED], 0
    return True


@compiled
def draw(f, g, place):
    """§4: the card at this place of the pile comes to the hand, the last one of the pile into its place.

    `g`: Game, changed; `place`: int64.
    """
    now = g.now
    now[PILE] -= 1
    card = g.pile[place]
    g.pile[place] = g.pile[now[PILE]]
    if now[PILE] == 0:
        now[BOTTOM] = 0
    give(f, g, now[SEAT], card)
    now[DRAWN], now[STALL] = card, 0


@compiled
def skip(g):
    """§4, §17: a turn without a play.

    `g`: Game, changed.
    """
    now = g.now
    if now[DRAWN] == NOBODY:
        now[STALL] += 1
        if now[STALL] == len(g.hands) - now[OUT]:
            now[END] = BLOCKED
            return
    next_turn(g)


@compiled
def act(f, g, action, rng):
    """Does one of the options; what is drawn, rng decides (but the joker at the bottom comes last).

    `g`: Game, changed; `action`: int64; `rng`: int64[1].
    """
    if action == PASS:
        skip(g)
    elif action == DRAW:
        turn_over(g)
        fixed = g.now[BOTTOM]
        left = g.now[PILE] - fixed
        draw(f, g, fixed + below(rng, left) if left else 0)
    else:
        play(f, g, action)


@compiled
def random_bit(rng, bits):
    """One of the bits set, each equally often; its number.

    `rng`: int64[1]; `bits`: int64, not 0. Returns int64.
    """
    for _ in range(below(rng, ones(bits))):
        bits &= bits - 1
    return lowest(bits)


@compiled
def playout(f, g, rng):
    """Plays on at random to the end; how many actions that took.

    `g`: Game, changed; `rng`: int64[1]. Returns int64.
    """
    actions = 0
    while not g.now[END]:
        act(f, g, random_bit(rng, options(f, g)), rng)
        actions += 1
    return actions


@compiled
def playouts(f, g, cards, each, games, seed):
    """Random games of random deals: how many actions in all; and how often each seat got rid of its cards first
    (where nobody plays on).

    `g`: Game, changed; `cards`: int64[cards], shuffled in place; `each`, `games`, `seed`: int64. Returns int64 and
    int64[seats + 1].
    """
    rng = np.full(1, seed * 2 + 1, np.int64)
    out = np.zeros(len(g.hands) + 1, np.int64)
    actions = 0
    for _ in range(games):
        shuffle(cards, rng)
        deal(f, g, cards, each)
        actions += playout(f, g, rng)
        out[g.now[SEAT] if g.now[END] == OVER else len(g.hands)] += 1
    return actions, out


@compiled
def shuffle(cards, rng):
    """The cards in an order, each equally often. `cards`: int64[n], shuffled in place; `rng`: int64[1]."""
    for i in range(len(cards) - 1, 0, -1):
        j = below(rng, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
