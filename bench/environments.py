"""Random play through all environments, beside the contract's own and one of OpenSpiel's own games in Python.

Each figure is per second of one core, and says what it counts:

- rules: actions by `legal`, a choice and `apply`; nothing is drawn
- PettingZoo: actions, each with its observation and mask
- SyncVectorEnv: steps of 16 of our Gymnasium environments, with observations, masks and a choice from each mask
- OpenSpiel, nodes: actions and outcomes of chance, nothing drawn; shuffles are drawn card by card, so most are chance
- OpenSpiel, drawn: actions alone, each with its observation tensor and mask, all chance done
- at once: steps of 1,024 games of `vector`, with observations, masks, choices and new deals; in arrays that are copied
  for each step, and in the same arrays each time. A step that only deals is not counted

Against others (SyncVectorEnv and `vector`), their random actions are made but not counted; "all seats" counts all.
"""

import random
import statistics
import sys
import time
from functools import partial

import numpy as np
import pyspiel
from gymnasium.vector import SyncVectorEnv
from open_spiel.python.games import liars_poker  # noqa: F401 - registers it

from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import see
from spieltisch.study.environments import aec, solitaire, spiel, vector
from spieltisch.study.environments.setting import setting

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
ONLY = sys.argv[2:]  # the beginnings of names
ROUNDS = 3
GAMES = {
    "anno-domini": {}, "trailblaze": {}, "hic-haec-hoc": {}, "hic-haec-hoc, open forms": {"mode": "assisted"},
    "adaman": {},
}  # fmt: skip
AT_ONCE = ("hic-haec-hoc, open forms", "adaman")
OWN = "python_liars_poker"  # it has hands, bids and a challenge, as our games of bluff have


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


def open_spiel(game, dice, draws):
    """A game through OpenSpiel; how many nodes, or where all is drawn how many actions."""
    state, n = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(dice.choice(state.chance_outcomes())[0])
            n += not draws
            continue
        if draws:
            state.observation_tensor()
            action = dice.choice(np.flatnonzero(state.legal_actions_mask()).tolist())
        else:
            action = dice.choice(state.legal_actions())
        state.apply_action(action)
        n += 1
    return n


class Steps:
    """Steps of a vector environment, which go on from one call to the next; how many games acted."""

    def __init__(self, envs, chosen):
        self.envs, self.chosen = envs, chosen
        self.seen, _ = envs.reset(seed=1)
        self.over = np.zeros(envs.num_envs, bool)

    def __call__(self):
        acting = self.envs.num_envs - self.over.sum()
        self.seen, _, ended, left, _ = self.envs.step(self.chosen(self))
        self.over = ended | left
        return acting


def one_by_one(dice, steps):
    """An open action for each game from its mask, 0 where none is open."""
    return np.array([dice.choice(np.flatnonzero(mask).tolist() or [0]) for mask in steps.seen["action_mask"]])


def at_once(steps):
    return steps.envs.random_actions()


def rate(play):
    """How many a second."""
    n, begin = 0, time.process_time()
    while (took := time.process_time() - begin) < SECONDS / ROUNDS:
        n += play()
    return n / took


def plays(name, given, dice):
    """What is measured of a game: what it counts, and what plays."""
    played = setting(name.partition(",")[0], **given)
    against = {} if played.seats == 1 else {"against": "random"}
    game = spiel.load(played)
    yield "rules", partial(contract, played, dice)
    yield "PettingZoo", partial(petting_zoo, aec.env(played), dice)
    yield (
        "SyncVectorEnv",
        Steps(SyncVectorEnv([partial(solitaire.env, played, **against)] * 16), partial(one_by_one, dice)),
    )
    yield "OpenSpiel, nodes", partial(open_spiel, game, dice, False)
    yield "OpenSpiel, drawn", partial(open_spiel, game, dice, True)
    if name in AT_ONCE:
        yield "at once, copied", Steps(vector.env(played, 1024, **against), at_once)
        yield "at once, the same arrays", Steps(vector.env(played, 1024, copy=False, **against), at_once)
        if against:
            yield "at once, all seats, copied", Steps(vector.env(played, 1024), at_once)


def main():
    dice = FastDice(1)
    random.seed(1)
    own = pyspiel.load_game(OWN)
    shown = {OWN: [("nodes", partial(open_spiel, own, dice, False)), ("drawn", partial(open_spiel, own, dice, True))]}
    shown |= {name: plays(name, given, dice) for name, given in GAMES.items()}
    for name, found in shown.items():
        if ONLY and not name.startswith(tuple(ONLY)):
            continue
        for counts, play in found:
            print(f"{name}: {counts} {statistics.median(rate(play) for _ in range(ROUNDS)):,.0f}", flush=True)


if __name__ == "__main__":
    main()
