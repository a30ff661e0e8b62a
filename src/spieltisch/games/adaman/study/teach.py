"""Teaching the judge (`engine.judge`) what the coach finds out by thinking.

The coach plays random deals of all decks (`learn.any_deck`), with the judge as it is. Of each move that it compared it
has then found how likely the game is to be won with it, by playing on in sampled piles: that is what the judge ought
to have said at once of the table after the move. For the move made the end of the game counts, too. The judge is
drawn towards it by the logistic loss, plain gradient descent, in some passes over all of these tables, and then the
coach plays with a better judge.
"""

from collections.abc import Iterator

import numpy as np

from spieltisch.compiled import below, compiled, shuffle, summing
from spieltisch.games.adaman.engine import judge as judging
from spieltisch.games.adaman.engine.coach import COMPARED, Known, compare, known
from spieltisch.games.adaman.engine.judge import INNER, PAYABLE, UNITS, Judge, Nets, Workspace, add, lay, logit, payable
from spieltisch.games.adaman.engine.kernel import Worth, hanged, laid, move, refill
from spieltisch.games.adaman.engine.value import CAPITAL, HELD, PILE, Value, chance, lowest
from spieltisch.games.adaman.study.learn import MOVES, any_deck

ROUNDS = (
    (132_500, 120, (0.01, 0.0037, 0.0014, 0.0005)),
    (7_500, 100, (0.002, 0.0009, 0.0004)),
)
"""Games played, games begun for each choice of them, and the rates of learning, one a pass."""

PART = 2_500  # games
END = 0.2  # what the end of a game counts, beside what was found
STRAY = 20  # one move of so many is any of those compared


def begin(net: Value) -> Judge:
    """A judge that says about the same as the value."""
    dice, short = np.random.default_rng(3), np.float32
    cards, known = net.rows.shape[1:]
    rows = dice.normal(0, 0.08, (4, cards, UNITS))
    rows[:PAYABLE, :, :known], rows[PAYABLE] = net.rows, 0
    bias, out = np.full(UNITS, 0.2), dice.normal(0, 0.02, UNITS)
    bias[:known], out[:known] = net.bias, net.out
    between, inner_out = dice.normal(0, 0.1, (INNER, UNITS)), np.where(np.arange(INNER) % 2, 0.02, -0.02)
    return Judge(*(part.astype(short) for part in (rows, bias, out, between, np.zeros(INNER), inner_out, net.end)))


def teach(w: Worth, basic: int, net: Value, seed: int) -> Iterator[tuple[int, float, Judge]]:
    """Teaches, part by part: how many games have been played, the share won in the last part, and the judge, which goes
    on changing. `net` names the moves; `basic` as for `any_deck`.
    """
    nets, work, came = Nets(net, begin(net)), judging.workspace(), known()
    rng, dice, played = np.full(1, seed * 2 + 1, np.int64), np.random.default_rng(seed), 0
    for games, begun, rates in ROUNDS:
        parts, won = [], 0.0
        for _ in range(games // PART):
            tables, chances, wins = lessons(w, basic, nets, work, came, PART, begun, rng)
            parts.append((tables, chances))
            played, won = played + PART, wins / PART
            yield played, won, nets.judge
        tables, chances = (np.concatenate(kind) for kind in zip(*parts, strict=True))
        for rate in rates:
            learn(w, nets.judge, work, tables, chances, dice.permutation(len(tables)), rate)
        yield played, won, nets.judge


def lessons(
    w: Worth, basic: int, nets: Nets, work: Workspace, came: Known, games: int, begun: int, rng: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """Games played: every table that was compared, int64[n, 3], its chances, float32[n], and how many were won."""
    most = games * MOVES * COMPARED
    tables, chances = np.zeros((most, 3), np.int64), np.zeros(most, np.float32)
    count, won = play_games(w, basic, nets, work, came, games, begun, rng, tables, chances)
    return tables[:count].copy(), chances[:count].copy(), won


@compiled
def play_games(w, basic, nets, work, came, games, begun, rng, tables, chances):
    """Plays and writes what was found; how many tables and how many wins.

    `basic`, `games`, `begun`: int64; `nets`: Nets; `work`: Workspace; `came`: Known; `rng`: int64[1]; `tables`:
    int64[n, 3] and `chances`: float32[n], written. Returns two int64.
    """
    cards, found, said = np.zeros(len(w.ranks), np.int64), np.zeros((COMPARED, 2), np.int64), np.zeros(COMPARED)
    made, count, won = np.zeros(MOVES, np.int64), 0, 0
    for _ in range(games):
        pile = cards[: any_deck(w, basic, rng, cards)]
        shuffle(pile, 0, rng)
        at, capital, held = refill(w, pile, 0, 0, 0)
        length, end = 0, 0
        while not hanged(w, held):
            rest = 0
            for i in range(at, len(pile)):
                rest |= pile[i]
            if not (capital | held | rest) & w.people:
                end = 1
                break
            compared = compare(w, nets, work, came, capital, held, rest, begun, 0, rng, found, said)
            if not compared:
                break
            for i in range(compared):
                tables[count + i, 0], tables[count + i, 1] = laid(w, capital, held, found[i, 0], found[i, 1])
                tables[count + i, 2], chances[count + i] = rest, said[i]
            i = below(rng, compared) if below(rng, STRAY) == 0 else 0
            made[length] = count + i
            length += 1
            count += compared
            at, capital, held = move(w, pile, at, capital, held, found[i, 0], found[i, 1])
        for table in made[:length]:
            chances[table] += END * (end - chances[table])
        won += end
    return count, won


@compiled
def learn(w, judge, work, tables, chances, order, rate):
    """One pass over the tables in this order.

    `judge`: Judge, changed; `work`: Workspace; `tables`: int64[n, 3]; `chances`: float32[n]; `order`: int64[n]; `rate`:
    float64.
    """
    for n in order:
        gradient_step(w, judge, work, tables[n, 0], tables[n, 1], tables[n, 2], chances[n], rate)


@summing
def gradient_step(w, judge, work, capital, held, rest, likely, rate):
    """One step of gradient descent: this table is worth a little more or less.

    `judge`: Judge, changed; `work`: Workspace, written; `capital`, `held`, `rest`: int64 bits; `likely`, `rate`:
    float64.
    """
    hidden, back, inner = work.hidden, work.before, work.inner
    paid = payable(w, capital, held)
    lay(judge, capital, held, rest, hidden)
    add(judge, PAYABLE, paid, hidden)
    step = np.float32(rate * (likely - chance(logit(judge, hidden, inner))))
    judge.end[0] += step
    for i in range(UNITS):
        back[i] = step * judge.out[i]
        judge.out[i] += step * hidden[i]
    for j in range(INNER):
        if inner[j] > 0:
            change, row = step * judge.inner_out[j], judge.between[j]
            judge.inner_out[j] += step * inner[j]
            judge.inner_bias[j] += change
            for i in range(UNITS):
                back[i] += change * row[i]
                row[i] += change * hidden[i]
    for i in range(UNITS):
        if hidden[i] <= 0:
            back[i] = 0
        judge.bias[i] += back[i]
    spread(judge, CAPITAL, capital, back)
    spread(judge, HELD, held, back)
    spread(judge, PILE, rest, back)
    spread(judge, PAYABLE, paid, back)


@summing
def spread(judge, place, cards, change):
    """Changes the rows of these cards at this place.

    `judge`: Judge, changed; `place`: int64; `cards`: int64 bits; `change`: float32[UNITS].
    """
    while cards:
        row = judge.rows[place, lowest(cards)]
        cards &= cards - 1
        for i in range(UNITS):
            row[i] += change[i]
