"""What a position of Adaman with a hidden pile is worth: how likely it is to be won, as learnt by playing (`learn`).

What is judged is the table right after a move, before anything is turned up: which cards lie in the capital, which
with the palace and the resources, which are still in the pile. A net with one layer of hidden units takes each card's
place as one input, so a move changes few of them, and the payments of a position share their sums.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from spieltisch.compiled import compiled, lowest, summing
from spieltisch.games.adaman.engine.kernel import MOST, ROW

LEARNT = Path(__file__).with_name("value.npz")
"""What `spieltisch study adaman learn` has learnt, for the basic deck."""

CAPITAL, HELD, PILE = range(3)


class Value(NamedTuple):
    """The net: chance = 1 / (1 + exp(-(end + Σ max(0, hidden) · out))), hidden = bias + Σ rows[place, card]."""

    rows: np.ndarray  # float32[3, cards, units]: a place, a card, a hidden unit
    bias: np.ndarray  # float32[units]
    out: np.ndarray  # float32[units]
    end: np.ndarray  # float32[1]


class Workspace(NamedTuple):
    """Room to work in: hidden units before and for a target, sets of resources, and the moves with their worth."""

    hidden: np.ndarray  # float32[units]
    base: np.ndarray  # float32[units]
    paid: np.ndarray  # float32[1 << ROW, units]: what paying with a set of resources changes
    sums: np.ndarray  # int64[1 << ROW]
    sets: np.ndarray  # int64[1 << ROW]
    targets: np.ndarray  # int64[MOST]
    payments: np.ndarray  # int64[MOST]
    logits: np.ndarray  # float32[MOST]


def workspace(value: Value) -> Workspace:
    units, short, long = len(value.bias), np.float32, np.int64
    return Workspace(
        np.zeros(units, short), np.zeros(units, short), np.zeros((1 << ROW, units), short),
        np.zeros(1 << ROW, long), np.zeros(1 << ROW, long),
        np.zeros(MOST, long), np.zeros(MOST, long), np.zeros(MOST, short),
    )  # fmt: skip


def read(file: Path = LEARNT) -> Value:
    """The net in this file."""
    with np.load(file) as kept:
        return Value(*(kept[name].astype(np.float32) for name in Value._fields))


def write(value: Value, file: Path) -> None:
    """Keeps a net, with half the digits, which is enough."""
    np.savez_compressed(file, **{name: part.astype(np.float16) for name, part in value._asdict().items()})


@compiled
def chance(logit):
    """Of winning, for a move with this logit.

    `logit`: float32 or float64. Returns float64.
    """
    return 1 / (1 + np.exp(-logit))


@summing
def units(value, capital, held, rest, hidden):
    """Works out the hidden units for cards lying like this.

    `capital`, `held`, `rest`: int64 bits; `hidden`: float32[units], written.
    """
    for i in range(len(hidden)):
        hidden[i] = value.bias[i]
    for place in range(3):
        cards = capital if place == CAPITAL else held if place == HELD else rest
        while cards:
            row = value.rows[place, lowest(cards)]
            cards &= cards - 1
            for i in range(len(hidden)):
                hidden[i] += row[i]


@summing
def logit(value, hidden, change):
    """What these units, changed like this, make of it.

    `hidden`, `change`: float32[units]. Returns float32.
    """
    found = value.end[0]
    for i in range(len(hidden)):
        found += max(hidden[i] + change[i], np.float32(0)) * value.out[i]
    return found


@summing
def evaluate_moves(w, value, ws, capital, held, rest):
    """Writes every move (of a deck without the Excuse) and its logit; returns how many there are.

    `ws`: Workspace, written; `capital`, `held`, `rest`: int64 bits. Returns int64.
    """
    units(value, capital, held, rest, ws.hidden)
    size = 1
    cards = held & ~w.people
    while cards:
        number = lowest(cards)
        cards &= cards - 1
        row = value.rows[HELD, number]
        for j in range(size):
            ws.sums[size + j] = ws.sums[j] + w.ranks[number]
            ws.sets[size + j] = ws.sets[j] | 1 << number
            for i in range(len(row)):
                ws.paid[size + j, i] = ws.paid[j, i] - row[i]
        size *= 2
    count = 0
    targets = capital | (held & w.people)
    while targets:
        target = targets & -targets
        targets ^= target
        number = lowest(target)
        left = value.rows[CAPITAL if capital & target else HELD, number]
        come = value.rows[HELD, number]
        kept = np.float32(0 if target & w.people else 1)
        for i in range(len(left)):
            ws.base[i] = ws.hidden[i] - left[i] + kept * come[i]
        strange = ~w.friends[number]
        for j in range(1, size):
            if not ws.sets[j] & strange and ws.sums[j] >= w.ranks[number]:
                ws.targets[count], ws.payments[count] = target, ws.sets[j]
                ws.logits[count] = logit(value, ws.base, ws.paid[j])
                count += 1
    return count


@compiled
def best_move(ws, count):
    """The move with the highest logit.

    `ws`: Workspace; `count`: int64, at least 1. Returns int64.
    """
    found = 0
    for i in range(1, count):
        if ws.logits[i] > ws.logits[found]:
            found = i
    return found
