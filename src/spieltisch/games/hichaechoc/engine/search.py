"""The search of `plain.search`, compiled."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spieltisch.compiled import below, borrowing, compiled, lowest, ones, random_bit
from spieltisch.dice import Dice
from spieltisch.games.hichaechoc.agreement import Table
from spieltisch.games.hichaechoc.engine import kernel
from spieltisch.games.hichaechoc.engine.kernel import Game
from spieltisch.games.hichaechoc.plain import search as plain
from spieltisch.games.hichaechoc.plain.kernel import GOING, JOKER, OVER, PASS, Forms
from spieltisch.games.hichaechoc.plain.search import EXPLORE, GAMES, LAST_OF_ALL, LONG, NOBODY, STIFF, Option, number
from spieltisch.games.hichaechoc.state import GameView

__all__ = ["NOBODY", "best", "known", "number", "sample_world", "search"]

CAREFUL = 20  # how often, of a hundred times, the others play by the rollout policy


class Known(NamedTuple):
    """What the searching seat knows, as in `plain.search.Known`."""

    game: Game  # no card in the pile but a joker known to lie there
    lying: np.ndarray  # int64[unseen]: cards that may lie anywhere
    missing: np.ndarray  # int64[seats], a seat: how many of its cards are not known
    lacks: np.ndarray  # int64[seats], a seat: the cells (as bits) of which it held none, the card just drawn apart
    drew: int  # the seat that has just drawn a card and passed, NOBODY if there is none


class Tree(NamedTuple):
    """The information sets of the searching seat, and the results of each action there."""

    keys: np.ndarray  # int64[places], 0: free
    played: np.ndarray  # int32[places, PASS + 1]
    won: np.ndarray  # float32[places, PASS + 1]


def best(view: GameView, options: Sequence[Option], table: Table, dice: Dice) -> Option:
    """Return the option that wins most of the games."""
    actions = {number(option): option for option in options}
    size = 2 * GAMES
    tree = Tree(np.zeros(size, np.int64), np.zeros((size, PASS + 1), np.int32), np.zeros((size, PASS + 1), np.float32))
    bits = sum(1 << action for action in actions)
    forms = kernel.forms(table)
    found = search(forms, known(view, table), view.seat, bits, tree, GAMES, CAREFUL, dice.below(1 << 62))
    return actions[int(found)]


def known(view: GameView, table: Table) -> Known:
    """Return what a view tells."""
    one = plain.known(view, Forms(table), table)
    # Also where the others play on for the places, a world ends with the first who is out: that is what is to be won.
    game = Game(
        np.array(one.hands, np.int64), False, 0, one.bottom, one.played, one.lying, one.fitting, one.seat, one.drawn,
        one.passes, one.out, GOING,
    )  # fmt: skip
    return Known(game, *(np.array(part, np.int64) for part in (one.anywhere, one.missing, one.lacks)), one.drew)


@compiled
def search(f, beliefs, me, options, tree, games, careful, seed):
    """Return the option that was played most often in this many games.

    `beliefs`: Known; `me`, `options` (bits), `games`, `careful`, `seed`: int64; `tree`: Tree, written. Returns int64.
    """
    rng = np.full(1, seed * 2 + 1, np.int64)
    hands = np.zeros_like(beliefs.game.hands)
    path = np.zeros((LONG, 2), np.int64)
    for _ in range(games):
        world = sample_world(f, hands, beliefs, rng, careful)
        won, length = play(f, world, me, options, tree, path, rng, careful)
        for i in range(length):
            tree.played[path[i, 0], path[i, 1]] += 1
            tree.won[path[i, 0], path[i, 1]] += won
    root, found = path[0, 0], lowest(options)
    for action in range(PASS + 1):
        if options >> action & 1 and tree.played[root, action] > tree.played[root, found]:
            found = action
    return found


@compiled
def sample_world(f, hands, beliefs, rng, careful):
    """Return a world that fits. The unknown cards are dealt evenly to the hands, the rest is the pile. Seats known to
    hold nothing that fits hold nothing that fits; a fitting card just drawn may have been kept, as likely as anything
    else.

    `hands`: int64[seats], written, those of the world; `beliefs`: Known, its `lying` shuffled; `rng`: int64[1];
    `careful`: int64. Returns Game.
    """
    g = beliefs.game
    hands[:] = g.hands
    lying, left = beliefs.lying, len(beliefs.lying)
    for seat in range(len(beliefs.missing)):
        for i in range(beliefs.missing[seat]):
            at = below(rng, left)
            for _ in range(100):
                fits = ones(f.alike[lying[at]] & beliefs.lacks[seat])
                if not fits:
                    break
                drawn = beliefs.drew == seat and i == beliefs.missing[seat] - 1
                if drawn and below(rng, 100) >= careful and below(rng, fits + 1) == 0:
                    break
                at = below(rng, left)
            left -= 1
            lying[at], lying[left] = lying[left], lying[at]
            hands[seat] |= 1 << lying[left]
    pile = 0
    for i in range(left):
        pile |= 1 << lying[i]
    return Game(
        hands, g.play_on, pile, g.bottom, g.played, g.lying, g.fitting, g.seat, g.drawn, g.stall, g.out, g.end
    )  # fmt: skip


@borrowing
def play(f, g, me, options, tree, path, rng, careful):
    """Play a game to its end. The first actions follow the tree, which grows by one node; `path` gets the visited
    nodes. Return the value for the searching seat, and the number of nodes.

    `g`: Game, its hands changed; `me`, `options` (bits), `careful`: int64; `tree`: Tree; `path`: int64[LONG, 2],
    written; `rng`: int64[1]. Returns float64 and int64.
    """
    length, growing = 0, True
    for _ in range(LONG):
        bits = kernel.options(f, g) if length else options
        if g.seat != me:
            careless = below(rng, 100) >= careful
            action = random_bit(rng, bits) if careless else rollout_policy(f, g, bits, rng)
        elif not growing or bits & (bits - 1) == 0:
            action = rollout_policy(f, g, bits, rng)
        else:
            place = find_slot(tree, information_key(f, g))
            action, growing = select_action(f, g, tree, place, bits, rng)
            path[length, 0], path[length, 1] = place, action
            length += 1
        g = kernel.act(f, g, action, rng)
        if g.end != GOING:
            break
    return 0.5 if g.end != OVER else 1.0 if g.seat == me else 0.0, length


@borrowing
def select_action(f, g, tree, place, bits, rng):
    """Return the option with the highest bound, or one that was not tried yet, and whether all have been tried.

    `g`: Game; `tree`: Tree; `place`, `bits`: int64; `rng`: int64[1]. Returns int64 and bool.
    """
    new, total = 0, 0
    rest = bits
    while rest:
        action = lowest(rest)
        rest &= rest - 1
        total += tree.played[place, action]
        if not tree.played[place, action]:
            new |= 1 << action
    if new:
        return rollout_policy(f, g, new, rng), False
    found, highest, more = 0, -1.0, np.log(total)
    rest = bits
    while rest:
        action = lowest(rest)
        rest &= rest - 1
        played = tree.played[place, action]
        bound = tree.won[place, action] / played + EXPLORE * np.sqrt(more / played)
        if bound > highest:
            found, highest = action, bound
    return found, True


@borrowing
def rollout_policy(f, g, bits, rng):
    """Return the rollout policy's action: cards with few readings first, and such that the next ones fit them.

    `g`: Game; `bits`: int64, not 0; `rng`: int64[1]. Returns int64.
    """
    if bits & (bits - 1):
        bits &= ~(1 << PASS)
    found, highest = 0, -np.inf
    while bits:
        action = lowest(bits)
        bits &= bits - 1
        if action >= JOKER:
            value = LAST_OF_ALL
        else:
            value = bridges(f, g, action) - STIFF * ones(f.alike[action]) + below(rng, 1000) * 1e-4
        if value > highest:
            found, highest = action, value
    return found


@borrowing
def bridges(f, g, cell):
    """Return how many cards of the hand would fit this play.

    `g`: Game; `cell`: int64. Returns int64.
    """
    going, hand = kernel.readings(f, f.on[cell]), g.hands[g.seat]
    return ones(hand & going) - (f.alike[cell] & going != 0)


@borrowing
def information_key(f, g):
    """Return a number for what the seat to act knows.

    `g`: Game. Returns int64, odd.
    """
    hand = g.hands[g.seat]
    key = (g.fitting << 31 | kernel.readings(f, g.drawn)) + 1
    rest = kernel.readings(f, hand)
    while rest:
        same = f.alike[lowest(rest)]
        rest &= ~same
        key = (key * 1099511628211 + same) * 1099511628211 + ones(hand & same)
    for held in g.hands:
        key = key * 1099511628211 + ones(held)
    return (key ^ key >> 29) & 0x7FFFFFFFFFFFFFFF | 1


@borrowing
def find_slot(tree, key):
    """Return the place of this key. A new key gets a place.

    `tree`: Tree, written; `key`: int64, odd. Returns int64.
    """
    place = key % len(tree.keys)
    while tree.keys[place] and tree.keys[place] != key:
        place = (place + 1) % len(tree.keys)
    tree.keys[place] = key
    return place
