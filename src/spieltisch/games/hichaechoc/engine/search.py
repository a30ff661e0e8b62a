"""Search for who does not see all, compiled: games played to their end in worlds that fit what is known.

Every game is played in a new world. The thinker's own turns grow a tree by what it would know then (its hand, the top
card, how many cards the others hold); at each of them the best option so far is tried most often (UCT over information
sets). Beyond the tree it plays by a rollout policy; the others play anything that fits, or now and then by it, too.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from spieltisch.compiled import below, compiled, lowest, ones
from spieltisch.dice import Dice
from spieltisch.games.hichaechoc.agreement import Table
from spieltisch.games.hichaechoc.engine import kernel
from spieltisch.games.hichaechoc.engine.kernel import (
    BOTTOM,
    CELLS,
    COVERED,
    DRAWN,
    END,
    JOKER,
    LAST,
    NOBODY,
    OUT,
    OVER,
    PASS,
    PILE,
    PLAYED,
    SEAT,
    STALL,
    TOP,
    Forms,
    Game,
)
from spieltisch.games.hichaechoc.imagine import unseen
from spieltisch.games.hichaechoc.news import Passed
from spieltisch.games.hichaechoc.state import GameView, Pass, Play, PlayJoker

GAMES = 2_000  # before a choice
CAREFUL = 20  # how often, of a hundred times, the others play by the rollout policy
EXPLORE = 0.6  # how gladly the tree tries what has done less well
LONG = 300  # turns after which a game counts as nobody's
STIFF = 1.2  # cards that could go on next, which one reading less of the card played outweighs
LAST_OF_ALL = -100.0  # the joker


class Known(NamedTuple):
    """What the thinker knows: a game without what it does not see, and how that may be filled in."""

    game: Game  # its hand, and the cards that everybody knows; the pile holds a joker known to lie there
    lying: np.ndarray  # int64[unseen]: forms that may lie anywhere
    missing: np.ndarray  # int64[seats], a seat: how many of its cards are not known
    lacks: np.ndarray  # int64[seats], a seat: the cells (as bits) of which it held none, the card just drawn apart
    drew: int  # the seat that has just drawn a card and passed, NOBODY if there is none


class Tree(NamedTuple):
    """Places for what the thinker may know at its turns, and how each action went there."""

    keys: np.ndarray  # int64[places], 0: free
    played: np.ndarray  # int32[places, PASS + 1]
    won: np.ndarray  # float32[places, PASS + 1]


def best(
    view: GameView, options: Sequence[Play | PlayJoker | Pass], table: Table, dice: Dice
) -> Play | PlayJoker | Pass:
    """The option with which most of the games are won."""
    actions = {number(option): option for option in options}
    size = 2 * GAMES
    tree = Tree(np.zeros(size, np.int64), np.zeros((size, PASS + 1), np.int32), np.zeros((size, PASS + 1), np.float32))
    bits = sum(1 << action for action in actions)
    forms = kernel.forms(table)
    found = search(forms, known(view, forms), view.seat, bits, tree, GAMES, CAREFUL, dice.below(1 << 62))
    return actions[int(found)]


def number(option: Play | PlayJoker | Pass) -> int:
    """An action as the kernel has it."""
    return option.reading if isinstance(option, Play) else JOKER if isinstance(option, PlayJoker) else PASS


def known(view: GameView, forms: Forms) -> Known:
    """What can be told from a view."""
    p, m, own = view.public, view.public.middle, view.own
    assert own is not None
    assert m.top is not None
    # Also where the others play on for the places, a world ends with the first who is out: that is what is to be won.
    g = kernel.game(len(p.hands), replace(p.terms.options, play_on=False))
    missing, lacks, drew = np.zeros(len(p.hands), np.int64), np.zeros(len(p.hands), np.int64), NOBODY
    top = CELLS + m.top if m.said is None else m.said
    for seat, held in enumerate(p.hands):
        cards = own.hand if seat == view.seat else p.known.hands[seat]
        missing[seat] = held - len(cards)
        for form in cards:
            g.counts[seat, form] += 1
            g.hands[seat] |= forms.cells[form]
        g.held[seat] = len(cards)
    for told in p.news:
        if isinstance(told, Passed):  # who passes held nothing that fits (strict, one may; but hardly anybody does)
            lacks[told.seat] = forms.on[top]
            if not p.stall.passes:
                drew = told.seat
    g.played[: len(m.played)] = m.played
    g.now[[PILE, PLAYED, TOP, LAST]] = p.known.bottom, len(m.played), top, m.top
    g.now[[COVERED, BOTTOM, SEAT, STALL, OUT]] = m.joker, p.known.bottom, view.seat, p.stall.passes, len(p.out)
    g.now[DRAWN] = NOBODY if own.drawn is None else own.drawn
    g.pile[0] = JOKER
    return Known(g, np.array(unseen(view), np.int64), missing, lacks, drew)


@compiled
def search(f, beliefs, me, options, tree, games, careful, seed):
    """The option played most often in so many games.

    `beliefs`: Known; `me`, `options` (bits), `games`, `careful`, `seed`: int64; `tree`: Tree, written. Returns int64.
    """
    rng = np.full(1, seed * 2 + 1, np.int64)
    n = len(beliefs.missing)
    w = Game(
        np.zeros((n, CELLS + 1), np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64),
        np.zeros(CELLS + 1, np.int64), np.zeros(CELLS + 1, np.int64), np.zeros(len(beliefs.game.now), np.int64),
    )  # fmt: skip
    path = np.zeros((LONG, 2), np.int64)
    for _ in range(games):
        sample_world(f, w, beliefs, rng, careful)
        length = play(f, w, me, options, tree, path, rng, careful)
        won = 0.5 if w.now[END] != OVER else 1.0 if w.now[SEAT] == me else 0.0
        for i in range(length):
            tree.played[path[i, 0], path[i, 1]] += 1
            tree.won[path[i, 0], path[i, 1]] += won
    root, found = path[0, 0], lowest(options)
    for action in range(PASS + 1):
        if options >> action & 1 and tree.played[root, action] > tree.played[root, found]:
            found = action
    return found


@compiled
def sample_world(f, w, beliefs, rng, careful):
    """A world that fits: the cards not known dealt to the hands evenly, the rest is the pile. Who held nothing that
    fits, holds nothing that fits; a fitting card just drawn may have been kept, as likely as anything else.

    `w`: Game, written; `beliefs`: Known, its `lying` shuffled; `rng`: int64[1]; `careful`: int64.
    """
    kernel.copy(w, beliefs.game)
    lying, left = beliefs.lying, len(beliefs.lying)
    for seat in range(len(beliefs.missing)):
        for i in range(beliefs.missing[seat]):
            at = below(rng, left)
            for _ in range(100):
                fits = ones(f.cells[lying[at]] & beliefs.lacks[seat])
                if not fits:
                    break
                drawn = beliefs.drew == seat and i == beliefs.missing[seat] - 1
                if drawn and below(rng, 100) >= careful and below(rng, fits + 1) == 0:
                    break
                at = below(rng, left)
            left -= 1
            lying[at], lying[left] = lying[left], lying[at]
            kernel.give(f, w, seat, lying[left])
    for i in range(left):
        w.pile[w.now[PILE] + i] = lying[i]
    w.now[PILE] += left


@compiled
def play(f, w, me, options, tree, path, rng, careful):
    """Plays a game to its end, at first by the tree, to which it adds a place; the places passed are in the path.
    Returns how many.

    `w`: Game, changed; `me`, `options` (bits), `careful`: int64; `tree`: Tree; `path`: int64[LONG, 2], written;
    `rng`: int64[1]. Returns int64.
    """
    length, growing = 0, True
    for _ in range(LONG):
        if w.now[END]:
            break
        bits = kernel.options(f, w) if length else options
        if w.now[SEAT] != me:
            careless = below(rng, 100) >= careful
            action = kernel.random_bit(rng, bits) if careless else rollout_policy(f, w, bits, rng)
        elif not growing or bits & (bits - 1) == 0:
            action = rollout_policy(f, w, bits, rng)
        else:
            place = find_slot(tree, information_key(w, me))
            action, growing = select_action(f, w, tree, place, bits, rng)
            path[length, 0], path[length, 1] = place, action
            length += 1
        kernel.act(f, w, action, rng)
    return length


@compiled
def select_action(f, w, tree, place, bits, rng):
    """What to try here: the option with the highest bound, or one not yet tried. And whether all have been.

    `w`: Game; `tree`: Tree; `place`, `bits`: int64; `rng`: int64[1]. Returns int64 and bool.
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
        return rollout_policy(f, w, new, rng), False
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


@compiled
def rollout_policy(f, w, bits, rng):
    """The rollout policy: cards with few readings first, and such that the next ones go on them.

    `w`: Game; `bits`: int64, not 0; `rng`: int64[1]. Returns int64.
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
            value = bridges(f, w, action) - STIFF * ones(f.cells[f.table[action]]) + below(rng, 1000) * 1e-4
        if value > highest:
            found, highest = action, value
    return found


@compiled
def bridges(f, w, cell):
    """How many cards of the hand would go on this play.

    `w`: Game; `cell`: int64. Returns int64.
    """
    counts = w.counts[w.now[SEAT]]
    count = 0
    rest = f.on[cell] & w.hands[w.now[SEAT]]
    while rest:
        form = f.table[lowest(rest)]
        rest &= ~f.cells[form]
        count += counts[form] - (form == f.table[cell])
    return count


@compiled
def information_key(w, me):
    """A number for what the thinker knows at its turn.

    `w`: Game; `me`: int64. Returns int64, odd.
    """
    key = w.now[TOP] * 64 + w.now[DRAWN] + 1
    for form in range(CELLS + 1):
        key = key * 1099511628211 + w.counts[me, form]
    for held in w.held:
        key = key * 1099511628211 + held
    return (key ^ key >> 29) & 0x7FFFFFFFFFFFFFFF | 1


@compiled
def find_slot(tree, key):
    """The place of this key, from now on if it had none.

    `tree`: Tree, written; `key`: int64, odd. Returns int64.
    """
    place = key % len(tree.keys)
    while tree.keys[place] and tree.keys[place] != key:
        place = (place + 1) % len(tree.keys)
    tree.keys[place] = key
    return place
