"""Random playouts of Adaman a second on one core: through the contract, and in a plain program, in turns.

    PYTHONPATH=src python bench/adaman.py [SECONDS]

A playout is a whole game of the basic deck: set-up, shuffle, and for every move the view, all legal actions,
one of them at random, applied. The two take turns of half a second, so that both meet the same machine.
"""

import random
import sys
import time
from collections.abc import Callable

import plain_adaman

from spieltisch.dice import FastDice, throw
from spieltisch.game import see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import decktet


def playout(dice: FastDice, deck: rules.Deck) -> str:
    state = rules.setup(1, rules.Options(), deck)
    state = rules.resolve_chance(state, throw(dice, rules.pending_chance(state)))
    while rules.to_act(state.public):
        state = rules.apply(state, 0, dice.choice(rules.legal(see(state, 0))))
    return state.public.end


def run(play: Callable[[], object], seconds: float) -> tuple[int, float]:
    start, played = time.perf_counter(), 0
    while (spent := time.perf_counter() - start) < seconds:
        play()
        played += 1
    return played, spent


def main(seconds: float) -> None:
    dice, deck, chance = FastDice(1), decktet(), random.Random(1)
    sides = {
        "through the contract": lambda: playout(dice, deck),
        "plain program": lambda: plain_adaman.playout(chance),
    }
    played = dict.fromkeys(sides, 0)
    spent = dict.fromkeys(sides, 0.0)
    for _ in range(round(seconds)):
        for side, play in sides.items():
            n, time_taken = run(play, 0.5)
            played[side] += n
            spent[side] += time_taken
    for side in sides:
        print(f"{side:22} {played[side] / spent[side]:7.0f} random playouts a second")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
