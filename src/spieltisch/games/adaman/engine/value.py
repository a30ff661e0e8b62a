"""The value net: how likely a position of Adaman with a hidden pile is to be won, learned by playing (`learn`).

It judges the table right after a move, before anything is turned up: which cards lie in the capital, which in the
palace or the resources, and which are still in the pile. The net has one hidden layer and an input for each card's
place. So a move changes few inputs, and the payments of a position share their sums.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spieltisch.compiled import compiled, deposit, lowest, nth, summing
from spieltisch.games.adaman.coaching import VALUE
from spieltisch.games.adaman.engine.kernel import MOST, ROW
from spieltisch.games.adaman.engine.playout import HAVE, paying, sums

CAPITAL, HELD, PILE = range(3)
UNITS = 96  # hidden; known when it is compiled, so that loops over them run in whole registers
FIRST = tuple(have & ~sum(1 << n for n in range(32) if n & (1 << first) - 1) for first, have in enumerate(HAVE))
"""The subsets of five resources (see `playout`) of which the n-th resource is the first."""


class Value(NamedTuple):
    """The net: chance = 1 / (1 + exp(-(end + Σ max(0, hidden) · out))), hidden = bias + Σ rows[place, card]."""

    rows: np.ndarray  # float32[3, cards, UNITS]: a place, a card, a hidden unit
    bias: np.ndarray  # float32[UNITS]
    out: np.ndarray  # float32[UNITS]
    end: np.ndarray  # float32[1]


class Workspace(NamedTuple):
    """Workspace: hidden units of starts, of a position and of a target, and the moves with their values."""

    before: np.ndarray  # float32[UNITS]
    hidden: np.ndarray  # float32[UNITS]
    base: np.ndarray  # float32[UNITS]
    paid: np.ndarray  # float32[1 << ROW, UNITS]: what paying with a set of resources changes
    paying: np.ndarray  # int64[2 * ROW]: of each card that may be won, which sets pay for it
    targets: np.ndarray  # int64[MOST]
    payments: np.ndarray  # int64[MOST]
    logits: np.ndarray  # float32[MOST]


def workspace() -> Workspace:
    short, long = np.float32, np.int64
    return Workspace(
        np.zeros(UNITS, short), np.zeros(UNITS, short), np.zeros(UNITS, short),
        np.zeros((1 << ROW, UNITS), short), np.zeros(2 * ROW, long),
        np.zeros(MOST, long), np.zeros(MOST, long), np.zeros(MOST, short),
    )  # fmt: skip


def read(file: Path = VALUE) -> Value:
    """Return the net in this file."""
    return Value(*parts(file, Value._fields))


def parts(file: Path, names: Iterable[str]) -> Iterator[np.ndarray]:
    """Return the parts of a net of any kind in this file, each float32."""
    with np.load(file) as kept:
        yield from (kept[name].astype(np.float32) for name in names)


def write(net: Mapping[str, np.ndarray], file: Path) -> None:
    """Write the parts (arrays) of a net of any kind by their names, in half precision, which is enough."""
    np.savez_compressed(file, allow_pickle=False, **{name: part.astype(np.float16) for name, part in net.items()})


@compiled
def chance(logit):
    """Return the chance to win of a move with this logit.

    `logit`: float32 or float64. Returns float64.
    """
    return 1 / (1 + np.exp(-logit))


@summing
def units(value, capital, held, rest, hidden):
    """Compute the hidden units for these cards.

    `capital`, `held`, `rest`: int64 bits; `hidden`: float32[UNITS], written.
    """
    for i in range(UNITS):
        hidden[i] = value.bias[i]
    for place in range(3):
        cards = capital if place == CAPITAL else held if place == HELD else rest
        while cards:
            row = value.rows[place, lowest(cards)]
            cards &= cards - 1
            for i in range(UNITS):
                hidden[i] += row[i]


@summing
def logit(value, hidden, change):
    """Return the net's output for these units with this change.

    `hidden`, `change`: float32[UNITS]. Returns float32.
    """
    found = value.end[0]
    for i in range(UNITS):
        found += max(hidden[i] + change[i], np.float32(0)) * value.out[i]
    return found


@summing
def change(value, place, gone, come, hidden):
    """Update the hidden units when cards leave a place and others come there.

    `place`: int64; `gone`, `come`: int64 bits; `hidden`: float32[UNITS], written.
    """
    while gone:
        row = value.rows[place, lowest(gone)]
        gone &= gone - 1
        for i in range(UNITS):
            hidden[i] -= row[i]
    while come:
        row = value.rows[place, lowest(come)]
        come &= come - 1
        for i in range(UNITS):
            hidden[i] += row[i]


@compiled
def evaluate_moves(w, value, ws, capital, held, rest):
    """Write every move and its logit. Return how many.

    `ws`: Workspace, written; `capital`, `held`, `rest`: int64 bits. Returns int64.
    """
    units(value, capital, held, rest, ws.hidden)
    return evaluate_from(w, value, ws, capital, held)


@summing
def evaluate_from(w, value, ws, capital, held):
    """Do the same with hidden units that are already computed.

    `ws`: Workspace, written except for its hidden units; `capital`, `held`: int64 bits. Returns int64.
    """
    if (capital | held) & w.excuse:
        return evaluate_excuse(w, value, ws, capital, held)
    resources = held & ~w.people
    reached = sums(w, resources)
    used, n, targets = 0, 0, capital | (held & w.people)
    while targets:
        ws.paying[n] = paying(w, lowest(targets), resources, reached)
        used |= ws.paying[n]
        targets &= targets - 1
        n += 1
    if not used:
        return 0
    for first in range(ROW):  # what pays is worked out from the same without its first card
        used |= (used & FIRST[first]) >> (1 << first)
    used &= ~1
    while used:
        subset = lowest(used)
        used &= used - 1
        less, row = subset & (subset - 1), value.rows[HELD, nth(resources, lowest(subset))]
        for i in range(UNITS):
            ws.paid[subset, i] = ws.paid[less, i] - row[i]
    count, n, targets = 0, 0, capital | (held & w.people)
    while targets:
        number, target = lowest(targets), targets & -targets
        targets ^= target
        payments = ws.paying[n]
        n += 1
        if not payments:
            continue
        left = value.rows[CAPITAL if capital & target else HELD, number]
        come = value.rows[HELD, number]
        kept = np.float32(0 if target & w.people else 1)
        for i in range(UNITS):
            ws.base[i] = ws.hidden[i] - left[i] + kept * come[i]
        while payments:
            subset = lowest(payments)
            payments &= payments - 1
            ws.targets[count], ws.payments[count] = target, deposit(subset, resources)
            ws.logits[count] = logit(value, ws.base, ws.paid[subset])
            count += 1
    return count


@summing
def evaluate_excuse(w, value, ws, capital, held):
    """Do the same while the Excuse waits: it goes, and one card changes its row.

    `ws`: Workspace, written except for its hidden units; `capital`, `held`: int64 bits. Returns int64.
    """
    excuse = lowest(w.excuse)
    row, here, there = capital, CAPITAL, HELD
    if capital & w.excuse:
        row, here, there = held & ~w.people, HELD, CAPITAL
    gone = value.rows[there, excuse]
    count = 0
    while row:
        left, come = value.rows[here, lowest(row)], value.rows[there, lowest(row)]
        for i in range(UNITS):
            ws.base[i] = come[i] - left[i] - gone[i]
        ws.targets[count], ws.payments[count] = w.excuse, row & -row
        ws.logits[count] = logit(value, ws.hidden, ws.base)
        row &= row - 1
        count += 1
    return count


@compiled
def best_move(ws, count):
    """Return the move with the highest logit.

    `ws`: Workspace; `count`: int64, at least 1. Returns int64.
    """
    found = 0
    for i in range(1, count):
        if ws.logits[i] > ws.logits[found]:
            found = i
    return found
