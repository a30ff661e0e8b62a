"""Random play through PettingZoo and OpenSpiel, beside the contract's own and OpenSpiel's own Python games.

The contract's: `legal`, a choice, `apply`, chance resolved, as the environments have it to do. OpenSpiel's own: Liar's
poker in Python, which has hands, bids and a challenge, as our games of bluff have, and longer games than Kuhn poker.
"""

import random
import statistics
import sys
import time

import numpy as np
import pyspiel
from open_spiel.python.games import liars_poker  # noqa: F401 - registers it

from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import see
from spieltisch.study.environments import aec, spiel
from spieltisch.study.environments.setting import setting

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
ROUNDS = 3
GAMES = ("anno-domini", "trailblaze", "hic-haec-hoc", "adaman")
OWN = "python_liars_poker"


def contract(played, dice):
    """A game by the rules alone; how many actions."""
    rules, state = played.rules, played.rules.setup(played.seats, played.options, played.deck)
    n = 0
    thrown = lambda due: throw(dice, due)  # noqa: E731
    while n < played.most:
        state, _ = resolve(rules, state, thrown)
        acting = rules.to_act(state.public)
        if not acting:
            break
        state = rules.apply(state, acting[0], dice.choice(rules.legal(see(state, acting[0]))))
        n += 1
    return n


def petting_zoo(env, dice):
    """A game through PettingZoo, every observation drawn; how many actions."""
    n = 0
    env.reset()
    for _ in env.agent_iter():
        seen, _, ended, left, _ = env.last()
        if ended or left:
            env.step(None)
        else:
            env.step(dice.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            n += 1
    return n


def open_spiel(game, dice):
    """A game through OpenSpiel; how many actions and chance steps, each one a node."""
    state, n = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(dice.choice(outcomes)[0])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
        n += 1
    return n


def rate(play):
    """Steps a second."""
    n, begin = 0, time.process_time()
    while (took := time.process_time() - begin) < SECONDS / ROUNDS:
        n += play()
    return n / took


def main():
    dice = FastDice(1)
    random.seed(1)
    own = pyspiel.load_game(OWN)
    for name in GAMES:
        played = setting(name)
        env, game = aec.env(played), spiel.load(played)
        plays = {
            "contract": lambda played=played: contract(played, dice),
            "PettingZoo": lambda env=env: petting_zoo(env, dice),
            "OpenSpiel": lambda game=game: open_spiel(game, dice),
            OWN: lambda: open_spiel(own, dice),
        }
        rates = {way: statistics.median(rate(play) for _ in range(ROUNDS)) for way, play in plays.items()}
        print(
            f"{name}: contract {rates['contract']:,.0f} actions/s, PettingZoo {rates['PettingZoo']:,.0f}"
            f" ({rates['PettingZoo'] / rates['contract']:.2f} of it); OpenSpiel {rates['OpenSpiel']:,.0f} nodes/s,"
            f" {OWN} {rates[OWN]:,.0f} ({rates['OpenSpiel'] / rates[OWN]:.2f} of it)",
            flush=True,
        )


if __name__ == "__main__":
    main()
