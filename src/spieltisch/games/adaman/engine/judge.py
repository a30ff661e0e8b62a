"""The judge: how likely a table of Adaman with a hidden pile is to be won, more exactly than by `value`.

It is a net with two hidden layers. Its inputs are the place of each card, and which cards in sight can be paid for. A
move takes it ten times as long as `value`, so it judges the few that `value` prefers. It was trained on results of the
coach's playouts (`spieltisch.games.adaman.study.teach`).
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from spieltisch.compiled import inlined, lowest, summing
from spieltisch.games.adaman.coaching import JUDGE
from spieltisch.games.adaman.engine import value
from spieltisch.games.adaman.engine.kernel import laid, sum_of
from spieltisch.games.adaman.engine.value import CAPITAL, HELD, PILE, Value, Workspace

PAYABLE = 3  # beside the places of `value`
UNITS, INNER = 128, 32  # hidden, of the first and the second layer; known when it is compiled


class Judge(NamedTuple):
    """The net, where a⁺ is max(0, a): hidden = bias + Σ rows[place, card], inner = inner_bias + between · hidden⁺,
    chance = 1 / (1 + exp(-(end + out · hidden⁺ + inner_out · inner⁺))).
    """

    rows: np.ndarray  # float32[4, cards, UNITS]: a place, or that it can be paid for; a card; a hidden unit
    bias: np.ndarray  # float32[UNITS]
    out: np.ndarray  # float32[UNITS]
    between: np.ndarray  # float32[INNER, UNITS]
    inner_bias: np.ndarray  # float32[INNER]
    inner_out: np.ndarray  # float32[INNER]
    end: np.ndarray  # float32[1]


class Nets(NamedTuple):
    """The trained nets: the value net selects moves, the judge compares them."""

    value: Value
    judge: Judge


class Workspace(NamedTuple):
    """Workspace: that of the value net with its moves, and the judge's units."""

    ws: Workspace
    before: np.ndarray  # float32[UNITS]: the first layer of a position
    hidden: np.ndarray  # float32[UNITS]: that of the table after a move
    inner: np.ndarray  # float32[INNER]


def workspace() -> Workspace:
    return Workspace(value.workspace(), *(np.zeros(size, np.float32) for size in (UNITS, UNITS, INNER)))


def read(file: Path = JUDGE) -> Judge:
    """Return the net in this file."""
    return Judge(*value.parts(file, Judge._fields))


@inlined
def payable(w, capital, held):
    """Return the cards of the capital and the palace that the resources can pay for.

    `capital`, `held`: int64 bits. Returns int64 bits.
    """
    resources = held & ~w.people
    rest, found = (capital | (held & w.people)) & ~w.excuse, 0
    while rest:
        number = lowest(rest)
        if sum_of(w, resources & w.friends[number]) >= w.ranks[number]:
            found |= rest & -rest
        rest &= rest - 1
    return found


@summing
def add(judge, place, cards, hidden):
    """Add the contribution of these cards at this place to the first layer.

    `place`: int64; `cards`: int64 bits; `hidden`: float32[UNITS], changed.
    """
    while cards:
        row = judge.rows[place, lowest(cards)]
        cards &= cards - 1
        for i in range(UNITS):
            hidden[i] += row[i]


@summing
def lay(judge, capital, held, rest, hidden):
    """Write the first layer for these cards, without the inputs for what can be paid for.

    `capital`, `held`, `rest`: int64 bits; `hidden`: float32[UNITS], written.
    """
    for i in range(UNITS):
        hidden[i] = judge.bias[i]
    add(judge, CAPITAL, capital, hidden)
    add(judge, HELD, held, hidden)
    add(judge, PILE, rest, hidden)


@summing
def lay_anew(judge, place, before, after, hidden):
    """Update the first layer when other cards lie at a place.

    `place`: int64; `before`, `after`: int64 bits; `hidden`: float32[UNITS], changed.
    """
    gone = before & ~after
    while gone:
        row = judge.rows[place, lowest(gone)]
        gone &= gone - 1
        for i in range(UNITS):
            hidden[i] -= row[i]
    add(judge, place, after & ~before, hidden)


@summing
def logit(judge, hidden, inner):
    """Return the net's output for its first layer.

    `hidden`: float32[UNITS], of which what is negative becomes 0; `inner`: float32[INNER], written. Returns float32.
    """
    found = judge.end[0]
    for i in range(UNITS):
        hidden[i] = max(hidden[i], np.float32(0))
        found += hidden[i] * judge.out[i]
    for j in range(0, INNER, 4):  # four at a time, which is twice as quick
        a, b, c, d = judge.between[j], judge.between[j + 1], judge.between[j + 2], judge.between[j + 3]
        s, t, u, v = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
        for i in range(UNITS):
            s += hidden[i] * a[i]
            t += hidden[i] * b[i]
            u += hidden[i] * c[i]
            v += hidden[i] * d[i]
        inner[j], inner[j + 1], inner[j + 2], inner[j + 3] = s, t, u, v
    for j in range(INNER):
        inner[j] += judge.inner_bias[j]
        found += max(inner[j], np.float32(0)) * judge.inner_out[j]
    return found


@summing
def refine(w, judge, work, capital, held, rest, count, most):
    """Judge the moves in the workspace that have the highest logits, and write them first. Return how many.

    `work`: Workspace, written; `capital`, `held`, `rest`: int64 bits; `count`, `most`: int64. Returns int64.
    """
    ws = work.ws
    most = min(most, count)
    lay(judge, capital, held, rest, work.before)
    for n in range(most):
        best = n
        for i in range(n + 1, count):
            if ws.logits[i] > ws.logits[best]:
                best = i
        target, payment = ws.targets[best], ws.payments[best]
        ws.targets[best], ws.payments[best], ws.logits[best] = ws.targets[n], ws.payments[n], ws.logits[n]
        after_capital, after_held = laid(w, capital, held, target, payment)
        for i in range(UNITS):
            work.hidden[i] = work.before[i]
        lay_anew(judge, CAPITAL, capital, after_capital, work.hidden)
        lay_anew(judge, HELD, held, after_held, work.hidden)
        add(judge, PAYABLE, payable(w, after_capital, after_held), work.hidden)
        ws.targets[n], ws.payments[n], ws.logits[n] = target, payment, logit(judge, work.hidden, work.inner)
    return most
