"""Learning what positions with a hidden pile are worth: by playing, and looking back at how it went.

Games of random deals are played by what has been learnt so far. After each one, from its last move to the first, the
worth of the table after a move is drawn towards what came of it: mostly the end of the game, to a part (1 - LAMBDA)
what the next position was thought to be worth (TD(λ) by the logistic loss, plain gradient descent).

The net begins with what the solver's bounds say: 63 of its hidden units are the margins of the sets of suits (see
`bounds`), which are sums over where the cards lie; a small margin is bad.

It is one net for all decks. What is gone counts no more, so a position is the same whichever cards its deck had once:
a deck is just where games begin, and those of the learning begin with any.
"""

from collections.abc import Iterator

import numpy as np

from spieltisch.compiled import below, compiled, shuffle, summing
from spieltisch.games.adaman.engine.bounds import SETS, shares
from spieltisch.games.adaman.engine.kernel import Worth, hanged, laid, move, refill
from spieltisch.games.adaman.engine.value import (
    UNITS,
    Value,
    best_move,
    chance,
    evaluate_moves,
    lowest,
    units,
    workspace,
)

LAMBDA = 0.8
STRAY = 100  # one move of so many is any move
SCALE = 10  # ranks to one of the units
RATES = (
    (0.01, 8, 20_000),
    (0.005, 8, 50_000),
    (0.002, 8, 50_000),
    (0.001, 6, 100_000),
    (0.0005, 4, 100_000),
    (0.0002, 4, 100_000),
)
"""The rate of learning, for so many parts of so many games."""

MOVES = 48  # more than a game has


def begin(w: Worth) -> Value:
    """A net that knows the margins."""
    dice, cards = np.random.default_rng(1), len(w.ranks)
    rows = dice.normal(0, 0.08, (3, cards, UNITS))
    bias, out = np.full(UNITS, 0.2), dice.normal(0, 0.1, UNITS)
    shown, besides, within = shares(w)[:, :, :SETS].astype(float)
    people = np.array([w.people >> card & 1 for card in range(cards)], bool)[:, None]
    sets = slice(0, SETS - 1)
    for place, share in enumerate((besides, shown, shown)):
        rows[place, :, sets] = np.where(people, within, -share)[:, 1:] / SCALE
    rows[:, :, sets] += dice.normal(0, 0.01, (SETS - 1, cards, 3)).T
    bias[sets], out[sets] = 0.8, -0.2
    short = np.float32
    return Value(rows.astype(short), bias.astype(short), out.astype(short), np.zeros(1, short))


def learn(w: Worth, basic: int, seed: int) -> Iterator[tuple[int, float, Value]]:
    """Learns, part by part: how many games have been played, the share won in this part, and the net, which goes on
    changing. Every deck has the first `basic` cards; which of the others, `any_deck` says.
    """
    value = begin(w)
    ws, rng, played = workspace(), np.full(1, seed * 2 + 1, np.int64), 0
    practise(w, basic, value, ws, 2, 0.001, rng)  # compiled
    for rate, parts, games in RATES:
        for _ in range(parts):
            won = practise(w, basic, value, ws, games, rate, rng)
            played += games
            yield played, won / games, value


@compiled
def practise(w, basic, value, ws, games, rate, rng):
    """Plays and learns; how many of the games were won.

    `basic`: int64, as for `any_deck`; `value`: Value, changed; `ws`: Workspace; `games`: int64; `rate`: float64;
    `rng`: int64[1]. Returns int64.
    """
    won = 0
    cards, path, worths = np.zeros(len(w.ranks), np.int64), np.zeros((MOVES, 3), np.int64), np.zeros(MOVES)
    for _ in range(games):
        pile = cards[: any_deck(w, basic, rng, cards)]
        shuffle(pile, 0, rng)
        length, end = play(w, value, ws, pile, path, worths, rng)
        won += end
        gone = float(end)
        for step in range(length - 1, -1, -1):
            if step < length - 1:
                gone = LAMBDA * gone + (1 - LAMBDA) * worths[step + 1]
            gradient_step(value, ws, path[step, 0], path[step, 1], path[step, 2], gone, rate)
    return won


@compiled
def any_deck(w, basic, rng, cards):
    """Writes the cards of a deck, as bits; returns how many. One deck in three has the basic cards alone; of the others
    every second one has the Excuse, and how many more personalities and how many other cards they have comes
    equally often from none to all.

    `basic`: int64, so many cards are in every deck; `rng`: int64[1]; `cards`: int64[n], written. Returns int64.
    """
    alone, people, others = below(rng, 3) == 0, below(rng, 101), below(rng, 101)
    count = 0
    for number in range(len(w.ranks)):
        card = 1 << number
        often = 50 if card == w.excuse else people if card & w.people else others
        if number < basic or (not alone and below(rng, 100) < often):
            cards[count] = card
            count += 1
    return count


@compiled
def play(w, value, ws, pile, path, worths, rng):
    """Plays a deal, writes the table after every move and its worth. How many moves; 1 if it was won.

    `ws`: Workspace; `pile`: int64[cards], bits; `path`: int64[MOVES, 3] and `worths`: float64[MOVES], written;
    `rng`: int64[1]. Returns two int64.
    """
    at, capital, held = refill(w, pile, 0, 0, 0)
    rest, length = 0, 0
    for i in range(at, len(pile)):
        rest |= pile[i]
    while True:
        if hanged(w, held):
            return length, 0
        if not (capital | held | rest) & w.people:
            return length, 1
        count = evaluate_moves(w, value, ws, capital, held, rest)
        if not count:
            return length, 0
        i = best_move(ws, count)
        if below(rng, STRAY) == 0:
            i = below(rng, count)
        target, payment = ws.targets[i], ws.payments[i]
        path[length, 0], path[length, 1] = laid(w, capital, held, target, payment)
        path[length, 2] = rest
        worths[length] = chance(ws.logits[i])
        length += 1
        before = at
        at, capital, held = move(w, pile, at, capital, held, target, payment)
        for j in range(before, at):
            rest &= ~pile[j]


@summing
def gradient_step(value, ws, capital, held, rest, gone, rate):
    """One step of gradient descent: this table is worth a little more or less.

    `value`: Value, changed; `ws`: Workspace; `capital`, `held`, `rest`: int64 bits; `gone`, `rate`: float64.
    """
    units(value, capital, held, rest, ws.hidden)
    found = value.end[0]
    for i in range(len(ws.hidden)):
        found += max(ws.hidden[i], np.float32(0)) * value.out[i]
    step = np.float32(rate * (gone - chance(found)))
    value.end[0] += step
    for i in range(len(ws.hidden)):
        if ws.hidden[i] > 0:
            ws.base[i] = step * value.out[i]
            value.out[i] += step * ws.hidden[i]
            value.bias[i] += ws.base[i]
        else:
            ws.base[i] = 0
    for place in range(3):
        cards = capital if place == 0 else held if place == 1 else rest
        while cards:
            row = value.rows[place, lowest(cards)]
            cards &= cards - 1
            for i in range(len(row)):
                row[i] += ws.base[i]
