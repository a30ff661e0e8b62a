"""Actions a second through the contract, of a plain program beside it, and compiled: `python bench/hichaechoc.py`.

hic – haec – hoc, assisted, three players, random play, one core. All run in turns and by processor time, so
that a busy machine slows all alike; the medians are printed. Then the compiled rules are held against the rules for
a million random actions (the test of the suite, for longer; some ten minutes).
"""

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np
import plain_hichaechoc as plain

from spieltisch.decks.forms import named
from spieltisch.dice import FastDice, throw
from spieltisch.game import see
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.engine import kernel

SEATS = 3
SLICE = 0.5  # seconds
REPEATS = 9
AT_ONCE = 10_000  # compiled games between two looks at the clock
LOCKSTEP = 50_000  # actions for each of twenty ways to play


def contract() -> Callable[[], int]:
    """A game through the public contract: every turn sees a view, chooses from `legal`, and applies."""
    deck, options, dice = named("hic"), rules.Options(mode="assisted"), FastDice(1)
    start = rules.setup(SEATS, options, deck)

    def game() -> int:
        state, actions = start, 0
        while True:
            needed = rules.pending_chance(state)
            if needed is not None:
                state = rules.resolve_chance(state, throw(dice, needed))
            acting = rules.to_act(state.public)
            if not acting:
                return actions
            seat = acting[0]
            view = see(state, seat)
            state = rules.apply(state, seat, dice.choice(rules.legal(view)))
            actions += 1

    return game


def without_contract() -> Callable[[], int]:
    cards, dice = plain.Cards(list(named("hic").forms())), random.Random(1)
    return lambda: plain.play(cards, SEATS, dice)


def compiled() -> Callable[[], int]:
    terms = rules.setup(SEATS, rules.Options(mode="assisted"), named("hic")).public.terms
    forms, game, cards, seeds = kernel.forms(terms.table), kernel.game(SEATS), np.array(terms.cards), count(1)
    kernel.playouts(forms, game, cards, 5, 1, 0)  # compiled
    return lambda: kernel.playouts(forms, game, cards, 5, AT_ONCE, next(seeds))[0]


def rate(game: Callable[[], int]) -> float:
    actions, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < SLICE:
        actions += game()
    return actions / spent


def main() -> None:
    games = {"contract": contract(), "plain": without_contract(), "compiled": compiled()}
    rates: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(REPEATS):
        for name, game in games.items():
            rates[name].append(rate(game))
    for name, measured in rates.items():
        print(f"{name:10} {statistics.median(measured):10,.0f} actions a second (best {max(measured):,.0f})")
    ratios = [ours / theirs for ours, theirs in zip(rates["contract"], rates["plain"], strict=True)]
    print(f"{'ratio':10} {statistics.median(ratios):10.2f} of the contract to the plain program")
    test = Path(__file__).parents[1] / "tests" / "games" / "hichaechoc" / "test_kernel.py"
    more = os.environ | {"SPIELTISCH_LOCKSTEP": str(LOCKSTEP)}
    subprocess.run([sys.executable, "-m", "pytest", test, "--timeout", "3600"], env=more, check=True)


if __name__ == "__main__":
    main()
