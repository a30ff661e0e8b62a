"""Actions a second through the contract, and of a plain program beside it: `python bench/hichaechoc.py`.

hic – haec – hoc, assisted, three players, random play, one core. Both run in turns and by processor time, so
that a busy machine slows both alike; the medians are printed.
"""

import random
import statistics
import time
from collections.abc import Callable

import plain_hichaechoc as plain

from spieltisch.decks.forms import named
from spieltisch.dice import Quick, throw
from spieltisch.game import see
from spieltisch.games.hichaechoc import rules

SEATS = 3
SLICE = 0.5  # seconds
REPEATS = 9


def contract() -> Callable[[], int]:
    """A game through the public contract: every turn sees a view, chooses from `legal`, and applies."""
    deck, options, dice = named("hic"), rules.Options(mode="assisted"), Quick(1)
    start = rules.setup(SEATS, options, deck)

    def game() -> int:
        state, actions = start, 0
        while True:
            needed = rules.due(state)
            if needed is not None:
                state = rules.settle(state, throw(dice, needed))
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


def rate(game: Callable[[], int]) -> float:
    actions, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < SLICE:
        actions += game()
    return actions / spent


def main() -> None:
    games = {"contract": contract(), "plain": without_contract()}
    rates: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(REPEATS):
        for name, game in games.items():
            rates[name].append(rate(game))
    for name, measured in rates.items():
        print(f"{name:10} {statistics.median(measured):9,.0f} actions a second (best {max(measured):,.0f})")
    ratios = [ours / theirs for ours, theirs in zip(rates["contract"], rates["plain"], strict=True)]
    print(f"{'ratio':10} {statistics.median(ratios):9.2f}")


if __name__ == "__main__":
    main()
