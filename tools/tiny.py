"""Prints the equilibria of the tiny games for docs/answers/tiny.md: python tools/tiny.py GAME

Each line is a row of the page's tables. It solves each game several times, which takes some minutes.
"""

import sys
import time

import numpy as np

from spieltisch.study.environments import tiny
from spieltisch.study.environments.equilibrium import Solver, refusing
from spieltisch.study.environments.setting import setting
from spieltisch.study.environments.sizes import measure
from spieltisch.study.environments.tree import walk

LEAST = 0.0005  # exploitability


def solved(tree, allowed=None):
    solver = Solver(tree, allowed)
    return solver, solver.solve(LEAST, 4000)


def said(action):
    return str(action).partition(" ")[0]


def first_choices(tree, seat):
    """The first level in which this seat acts, and its nodes."""
    levels = enumerate(tree.levels)
    return next((number, np.flatnonzero(level.kind == seat)) for number, level in levels if (level.kind == seat).any())


def leads(tree, number, word, seat):
    """For each node of a level: the node below after this choice of a seat, -1 without one."""
    under = tree.levels[number + 1]
    found = np.full(len(tree.levels[number].kind), -1)
    for node, (row, above) in enumerate(zip(under.row, under.above, strict=True)):
        if row >= 0 and tree.levels[number].kind[above] == seat and said(tree.rows[seat][row]) == word:
            found[above] = node
    return found


def settled(tree, number, nodes):
    """What seat 0 wins at the only end below each of these nodes."""
    found = []
    for below in nodes:
        node, at = below, number
        while tree.levels[at].below[node]:
            node, at = tree.levels[at].first[node], at + 1
        found.append(tree.levels[at].won[node])
    return np.array(found)


def honest(tree):
    """What seat 0 may choose if its first lay keeps the row as likely right as possible, by what it was told. Its later
    choices are free.
    """
    number, nodes = first_choices(tree, 0)
    level, under = tree.levels[number], tree.levels[number + 1]
    doubted = leads(tree, number + 1, "doubt", 1)
    allowed = refusing(tree, 0, lambda _: False)
    right = np.zeros(allowed.shape)
    for node in nodes:
        for child in range(level.first[node], level.first[node] + level.below[node]):
            won = settled(tree, number + 2, [doubted[child]])[0]
            right[under.row[child]] += (won > 0) * level.chance[node] * tree.signals[0][level.world[node]]
    for key in np.unique(level.key[nodes]):
        rows = slice(tree.starts[0][key], tree.starts[0][key + 1])
        allowed[rows] = right[rows] >= right[rows].max(axis=0) - 1e-12
    return allowed


def anno_domini():
    print(
        "sigma: information sets; seat 0 wins; exploitability; seat 1 / seat 0 loses by never doubting; by never"
        " bluffing in its first lay; bluffs there; first turn doubted; doubted when held wrong for <25, 25-50, 50-75, >75 %"
    )
    for sigma in (0.0, 0.5, 1.0, None):
        begin = time.perf_counter()
        tree = walk(tiny.anno_domini(sigma))
        solver, found = solved(tree)
        doubts = lambda action: said(action) == "doubt"  # noqa: E731
        never = [solved(tree, {seat: refusing(tree, seat, doubts)})[1].value for seat in (0, 1)]
        plain = honest(tree)
        truly = solved(tree, {0: plain})[1].value
        number, nodes = first_choices(tree, 1)
        level = tree.levels[number]
        reach = solver._reach(0, found.strategies[0])[number]
        likely = level.chance[:, None] * (reach * tree.signals[0][level.world]).sum(axis=1)[:, None]
        likely = likely * tree.signals[1][level.world]  # of each node with each signal of seat 1
        doubted = leads(tree, number, "doubt", 1)
        wrong = settled(tree, number + 1, doubted[nodes]) < 0
        keys, doubt_rows = level.key[nodes], tree.levels[number + 1].row[doubted[nodes]]
        held, freq, weight = [], [], []
        for key in np.unique(keys):
            mine = keys == key
            mass = likely[nodes[mine]].sum(axis=0)
            lies = likely[nodes[mine]][wrong[mine]].sum(axis=0)
            some = mass > 1e-9
            held += (lies[some] / mass[some]).tolist()
            freq += found.strategies[1][doubt_rows[mine][0]][some].tolist()
            weight += mass[some].tolist()
        held, freq, weight = map(np.array, (held, freq, weight))
        bins = [(held >= low) & (held < high) for low, high in ((0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.01))]
        shares = [f"{(freq * weight)[b].sum() / weight[b].sum():.2f}" if weight[b].sum() > 1e-6 else "-" for b in bins]
        zero, _ = first_choices(tree, 0)
        moves = tree.levels[zero + 1]
        start = tree.levels[zero]
        bluffs = sum(
            (start.chance[above] * tree.signals[0][start.world[above]] * found.strategies[0][row] * ~plain[row]).sum()
            for row, above in zip(moves.row, moves.above, strict=True)
        )
        print(
            f"{sigma}: {tree.information_sets()}; {found.value:+z.3f}; {found.exploitability:.5f}; {never[1] - found.value:.3f}"
            f" / {found.value - never[0]:.3f}; {found.value - truly:.3f}; {bluffs:.2f}; {(freq * weight).sum():.2f};"
            f" {', '.join(shares)} ({time.perf_counter() - begin:.0f} s)",
            flush=True,
        )


def hic_haec_hoc():
    print(
        "sigma, price: information sets; seat 0 wins; exploitability; seat 1 loses by never contesting; first play contested,"
        " contested without reason, false"
    )
    for sigma in (0.0, 0.1, 0.2, None):
        for price in (0, 1):
            begin = time.perf_counter()
            tree = walk(tiny.hic_haec_hoc(sigma, price))
            solver, found = solved(tree)
            contests = lambda action: said(action) == "contest"  # noqa: E731
            never = solved(tree, {1: refusing(tree, 1, contests)})[1].value
            number, nodes = first_choices(tree, 1)
            level, under = tree.levels[number], tree.levels[number + 1]
            asked = leads(tree, number, "contest", 1)
            nodes = nodes[asked[nodes] >= 0]
            reach = solver._reach(0, found.strategies[0])[number]
            likely = level.chance * (reach * tree.signals[0][level.world]).sum(axis=1)
            rows = under.row[asked[nodes]]
            freq = (found.strategies[1][rows] * tree.signals[1][level.world[nodes]]).sum(axis=1)
            action = [tree.rows[0][row] for row in level.row[nodes]]
            # form 0 is masculine in the first world, feminine in the other
            worlds = sorted({*level.world.tolist()})
            false = []
            for node, play in zip(nodes, action, strict=True):
                is_masculine = (play.form == 0) == (level.world[node] == worlds[0])
                false.append((play.reading == 0) != is_masculine)
            false = np.array(false)
            print(
                f"{sigma}, {price}: {tree.information_sets()}; {found.value:+z.3f}; {found.exploitability:.5f};"
                f" {never - found.value:.3f}; {(freq * likely[nodes]).sum():.2f}, {(freq * likely[nodes])[~false].sum():.2f},"
                f" {likely[nodes][false].sum():.2f} ({time.perf_counter() - begin:.0f} s)",
                flush=True,
            )


def trailblaze():
    print(
        "sigma: information sets; seat 0 wins; exploitability; seat 0 / 1 loses without swaps; without the bonus stone"
    )
    for sigma in (0.0, 1.0, None):
        begin = time.perf_counter()
        tree = walk(tiny.trailblaze(sigma))
        _, found = solved(tree)
        worth = []
        for word in ("swap", "bonus"):
            kept = [
                solved(tree, {seat: refusing(tree, seat, lambda a, w=word: said(a) == w)})[1].value for seat in (0, 1)
            ]
            worth.append(f"{found.value - kept[0]:.3f} / {kept[1] - found.value:.3f}")
        print(
            f"{sigma}: {tree.information_sets()}; {found.value:+z.3f}; {found.exploitability:.5f}; {'; '.join(worth)}"
            f" ({time.perf_counter() - begin:.0f} s)",
            flush=True,
        )


def adaman():
    tree = walk(tiny.adaman())
    solver, found = solved(tree)
    print(
        f"{tree.information_sets()} information sets; wins {found.value:.3f}, at random {solver.value(solver.uniform()):.3f}"
    )


def sizes():
    print("of the whole games with two seats, 200 random games, seed 1")
    for name in ("anno-domini", "trailblaze", "hic-haec-hoc", "adaman"):
        print(f"{name}: {measure(setting(name), 200, 1)}", flush=True)


PARTS = {
    "anno-domini": anno_domini, "hic-haec-hoc": hic_haec_hoc, "trailblaze": trailblaze, "adaman": adaman, "sizes": sizes,
}  # fmt: skip

if __name__ == "__main__":
    wrong = [name for name in sys.argv[1:] if name not in PARTS]
    if wrong:
        sys.exit(f"there is no part {wrong[0]}, only {', '.join(PARTS)}")
    for name in sys.argv[1:] or PARTS:
        print(f"== {name}")
        PARTS[name]()
