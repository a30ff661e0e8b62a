"""The rules of assisted play, compiled: for search and for millions of random games (§ as in the README).

A card has the number of the cell that it was made for, the joker has 30. Sets of cards and of readings are the bits of
a number. Every cell holds one form, so a play is its cell: the form and its reading in one. `options` gives as bits
what can be done: a cell, the joker (bit 30), DRAW, PASS.

In compiled functions `f` is the table's Forms and `g` a Game. Their docstrings give dtype[shape].
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import below, compiled, inlined, random_bit
from spieltisch.games.hichaechoc.agreement import FITTING, Table, fitting_on_any, readings_of_all
from spieltisch.games.hichaechoc.plain.kernel import BLOCKED, CELLS, DRAW, GOING, JOKER, OVER, PASS

CARDS = CELLS + 1
BYTE = 256


class Forms(NamedTuple):
    """A table of forms."""

    alike: np.ndarray  # int64[31], a card: the cells of its form, which are the cards written like it, too
    on: np.ndarray  # int64[62], a top: the cells that go on it, and the joker. A card not declared is CARDS + it
    bytewise: np.ndarray  # int64[1024], a byte of a set of cards: what they have in `alike`


def forms(table: Table) -> Forms:
    """Return the forms of a table. Compute them once."""
    cells = readings_of_all(table)
    alike = [*(cells[form] for form in table), 1 << JOKER]
    on = [fitting | 1 << JOKER for fitting in (*FITTING, 0, *map(fitting_on_any, alike))]
    bytewise = np.zeros((4, BYTE), np.int64)
    for card, same in enumerate(alike):
        bytewise[card // 8, np.arange(BYTE) >> card % 8 & 1 == 1] |= same
    return Forms(np.array(alike), np.array(on), bytewise.ravel())


class Game(NamedTuple):
    """The state of a game. Every change makes a new one, but the hands change in place."""

    hands: np.ndarray  # int64[seats], a seat: its cards
    play_on: bool  # for the places
    pile: int  # its cards, to be drawn from at random
    bottom: int  # the joker, if it is known to lie under them
    played: int  # cards put away
    lying: int  # the card on top, and the joker if it covers that
    fitting: int  # the cells that go on it, and the joker
    seat: int
    drawn: int  # the card just drawn, 0 if there is none
    stall: int  # passes in a row without a card drawn
    out: int  # how many seats got rid of their cards
    end: int  # GOING, OVER or BLOCKED


@inlined
def readings(f, cards):
    """Return the cells of all forms of these cards. `cards`: int64. Returns int64."""
    return (
        f.bytewise[cards & 255]
        | f.bytewise[BYTE + (cards >> 8 & 255)]
        | f.bytewise[2 * BYTE + (cards >> 16 & 255)]
        | f.bytewise[3 * BYTE + (cards >> 24)]
    )


@inlined
def deal(f, hands, play_on, order, each):
    """§1 and §13: return a new game with the cards in this order, the first one dealt first. The rest is the pile.

    `hands`: int64[seats], written; `play_on`: bool; `order`: int64[cards]; `each`: int64. Returns Game.
    """
    seats = len(hands)
    rest, at = (1 << len(order)) - 1, 0
    hands[:] = 0
    for _ in range(each):
        for seat in range(seats):
            hands[seat] |= 1 << order[at]
            rest ^= 1 << order[at]
            at += 1
    bottom = 0
    if order[at] == JOKER:
        bottom = 1 << JOKER
        rest ^= bottom
        at += 1
    top = order[at]
    return Game(hands, play_on, rest ^ 1 << top, bottom, 0, 1 << top, f.on[CARDS + top], 0, 0, 0, 0, GOING)


@inlined
def options(f, g):
    """Return the options of the seat to act, as bits (§3 to §5, §8, §9, §14).

    Returns int64.
    """
    if g.drawn:
        return readings(f, g.drawn) & g.fitting | 1 << PASS
    plays = readings(f, g.hands[g.seat]) & g.fitting
    if plays:
        return plays
    return 1 << DRAW if g.pile | g.bottom | g.played else 1 << PASS


@inlined
def after(hands, seat):
    """Return the next seat that still holds cards. `hands`: int64[seats]; `seat`: int64. Returns int64."""
    while True:
        seat += 1
        if seat == len(hands):
            seat = 0
        if hands[seat]:
            return seat


@inlined
def play(f, g, cell):
    """§2, §7, §13, §15: lay a card with the form of this cell, declared as it, or the joker.

    `cell`: int64. Returns Game.
    """
    seat = g.seat
    written_so = g.hands[seat] & f.alike[cell]
    card = written_so & -written_so
    g.hands[seat] ^= card
    if cell == JOKER:
        played, lying, fitting = g.played, g.lying | card, g.fitting
    else:
        played, lying, fitting = g.played | g.lying, card, f.on[cell]
    out, end = g.out, GOING
    if not g.hands[seat]:
        out += 1
        if not g.play_on or out == len(g.hands) - 1:
            end = OVER
    if end == GOING:
        seat = after(g.hands, seat)
    return Game(g.hands, g.play_on, g.pile, g.bottom, played, lying, fitting, seat, 0, 0, out, end)


@inlined
def stock(g):
    """§9, §13: return the cards that can be drawn from, the cards then below them, and the cards still put away. Below
    the pile come the joker, then the played cards.

    Returns int64, int64 and int64.
    """
    pile, bottom, played = g.pile, g.bottom, g.played
    if not pile:
        if bottom:
            pile, bottom = bottom, 0
        else:
            pile, played = played, 0
    return pile, bottom, played  # one return only: with three, the playouts take twice as long


@inlined
def draw(g, card):
    """§4: move this card of the stock to the hand.

    `card`: int64, its number. Returns Game.
    """
    pile, bottom, played = stock(g)
    drawn = 1 << card
    g.hands[g.seat] |= drawn
    return Game(
        g.hands, g.play_on, pile ^ drawn, bottom, played, g.lying, g.fitting, g.seat, drawn, 0, g.out, GOING
    )  # fmt: skip


@inlined
def skip(g):
    """§4, §17: end a turn without a play.

    Returns Game.
    """
    seat, stall, end = g.seat, g.stall, GOING
    if not g.drawn:
        stall += 1
        if stall == len(g.hands) - g.out:
            end = BLOCKED
    if end == GOING:
        seat = after(g.hands, seat)
    return Game(g.hands, g.play_on, g.pile, g.bottom, g.played, g.lying, g.fitting, seat, 0, stall, g.out, end)


@inlined
def act(f, g, action, rng):
    """Take one of the options. `rng` decides what is drawn.

    `action`: int64; `rng`: int64[1]. Returns Game.
    """
    if action == PASS:
        return skip(g)
    if action == DRAW:
        return draw(g, random_bit(rng, stock(g)[0]))
    return play(f, g, action)


@compiled
def playouts(f, seats, joker, play_on, each, games, seed):
    """Play random games of random deals. Return the number of actions in all, and how often each seat got rid of its
    cards first (if nobody plays on) or nobody did.

    `joker`, `play_on`: bool; `seats`, `each`, `games`, `seed`: int64. Returns int64 and int64[seats + 1].
    """
    rng = np.full(1, seed * 2 + 1, np.int64)
    order, hands = np.arange(CELLS + joker), np.zeros(seats, np.int64)
    out = np.zeros(seats + 1, np.int64)
    actions = 0
    for _ in range(games):
        for i in range(seats * each + 2):  # as many as may be looked at: the others are drawn at random anyway
            j = i + below(rng, len(order) - i)
            order[i], order[j] = order[j], order[i]
        g = deal(f, hands, play_on, order, each)
        while g.end == GOING:
            g = act(f, g, random_bit(rng, options(f, g)), rng)
            actions += 1
        out[g.seat if g.end == OVER else seats] += 1
    return actions, out
