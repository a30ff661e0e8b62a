"""Actions a second through the contract, of a plain program beside it, and compiled: `python bench/hichaechoc.py`.

hic – haec – hoc, assisted, three players, random play, one core, as tables and `simulate` deal it: every game has
its set-up and a freshly shuffled deck of its own. Only the deck as shipped is loaded once, as a table finds it
loaded too; the plain program works out once what fits on what. `dealt on` is the same without the set-up: all games
begin with one state before the deal, so what a game works out once is worked out only once in all. `library` is the
same through `spieltisch.new`, which deals with the dice of tables.

`compiled` are the random games of the kernel: each is dealt anew, each action chosen from all that are legal.

All run in turns and by processor time, so that a busy machine slows all alike; the medians are printed. Then the
compiled rules and the plain program run in turns with every paradigm, and with all that makes a game long: five
players, the joker, play for the places. Last, the compiled rules are held against the rules for a million random
actions (the test of the suite, for longer; some ten minutes).
"""

import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from itertools import count
from pathlib import Path

import plain_hichaechoc as plain

import spieltisch
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import aliased, see
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.engine import kernel
from spieltisch.games.hichaechoc.forms import named, shipped

Game = Callable[[], int]
"""Plays a game, or some, to the end; how many actions that took."""

SEATS = 3
SLICE = 0.5  # seconds
REPEATS = 9
SHORT = 0.2  # seconds, for each of the paradigms
AT_ONCE = 10_000  # compiled games between two looks at the clock
LOCKSTEP = 50_000  # actions for each of twenty ways to play


def contract() -> Game:
    """A game through the public contract, from the set-up to the result."""
    deck, dice = named("hic"), FastDice(1)

    def game() -> int:
        order = dice.shuffle(range(len(deck.cards)))
        return play(rules.setup(SEATS, rules.Options(mode="assisted"), aliased(deck, order)), dice)

    return game


def library() -> Game:
    """A game through the library, as its page shows it."""
    dice, seeds = random.Random(1), count(1)

    def game() -> int:
        match, actions = spieltisch.new("hic-haec-hoc", seats=SEATS, seed=next(seeds), mode="assisted"), 0
        while not match.over:
            match.play(dice.choice(match.legal))
            actions += 1
        return actions

    return game


def dealt_on() -> Game:
    """The same, but each game begins with the same state before the deal."""
    start, dice = rules.setup(SEATS, rules.Options(mode="assisted"), named("hic")), FastDice(1)
    return lambda: play(start, dice)


def play(state: rules.GameState, dice: FastDice) -> int:
    """A game to its end: every turn sees a view, chooses from `legal`, and applies. How many actions it took."""
    actions, thrown = 0, partial(throw, dice)
    while True:
        state, _ = resolve(rules, state, thrown)
        acting = rules.to_act(state.public)
        if not acting:
            assert rules.result(state.public) is not None
            return actions
        seat = acting[0]
        view = see(state, seat)
        state = rules.apply(state, seat, dice.choice(rules.legal(view)))
        actions += 1


def without_contract(paradigm: str = "hic") -> Game:
    cards, dice = plain.Cards(list(named(paradigm).forms())), random.Random(1)
    return lambda: plain.play(cards, SEATS, dice)


def compiled(paradigm: str = "hic", seats: int = SEATS, joker: bool = False, play_on: bool = False) -> Game:
    table = rules.setup(SEATS, rules.Options(mode="assisted"), named(paradigm)).public.terms.table
    assert table is not None
    forms, seeds = kernel.forms(table), count(1)
    kernel.playouts(forms, seats, joker, play_on, 5, 1, 0)  # compiled
    return lambda: kernel.playouts(forms, seats, joker, play_on, 5, AT_ONCE, next(seeds))[0]


def rate(game: Game, seconds: float) -> float:
    actions, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        actions += game()
    return actions / spent


def in_turns(games: dict[str, Game], seconds: float) -> dict[str, list[float]]:
    """Actions a second, again and again."""
    rates: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(REPEATS):
        for name, game in games.items():
            rates[name].append(rate(game, seconds))
    return rates


def ratio(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(one / other for one, other in zip(ours, theirs, strict=True))


def machine() -> str:
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text("utf-8").splitlines() if cpu.exists() else []
    model = next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), platform.machine())
    return f"{model}, {os.cpu_count()} cores, CPython {platform.python_version()}, numba {version('numba')}"


def main() -> None:
    games = {
        "contract": contract(), "plain": without_contract(), "library": library(), "dealt on": dealt_on(),
        "compiled": compiled(),
    }  # fmt: skip
    print(machine())
    rates = in_turns(games, SLICE)
    for name, measured in rates.items():
        print(f"{name:10} {statistics.median(measured):10,.0f} actions a second (best {max(measured):,.0f})")
    for name in ("contract", "library", "dealt on", "compiled"):
        print(f"{'ratio':10} {ratio(rates[name], rates['plain']):10.2f} of the plain program's: {name}")
    for paradigm in shipped():
        rates = in_turns(
            {
                "plain": without_contract(paradigm),
                "compiled": compiled(paradigm),
                "long": compiled(paradigm, 5, joker=True, play_on=True),
            },
            SHORT,
        )
        print(
            f"{paradigm:10} compiled {statistics.median(rates['compiled']):10,.0f} actions a second, "
            f"{ratio(rates['compiled'], rates['plain']):4.0f} times the plain program; five with joker and play-on "
            f"{statistics.median(rates['long']):10,.0f}"
        )
    test = Path(__file__).parents[1] / "tests" / "games" / "hichaechoc" / "test_kernel.py"
    more = os.environ | {"SPIELTISCH_LOCKSTEP": str(LOCKSTEP)}
    subprocess.run([sys.executable, "-m", "pytest", test, "--timeout", "3600"], env=more, check=True)


if __name__ == "__main__":
    main()
