"""Uses `spieltisch.study.environments` under a strict type checker."""

import copy

import numpy as np

from spieltisch.study.environments import aec, solitaire
from spieltisch.study.environments.setting import Setting, setting


def alone(seed: int) -> float:
    """What random play is paid in a game of Adaman."""
    env = solitaire.env("adaman", reward="progress", mask="info")
    env.reset(seed=seed)
    dice, paid, over, left = np.random.default_rng(seed), 0.0, False, False
    while not (over or left):
        numbers = np.flatnonzero(env.action_masks())
        _, reward, over, left, _ = env.step(int(dice.choice(numbers)))
        paid += reward
    return paid


def together(played: Setting) -> list[str]:
    """Whom the first open actions let act."""
    env, found = aec.env(played, mask="info"), list[str]()
    env.reset(seed=1)
    for agent in env.agent_iter(10):
        found.append(agent)
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    return [*found, *copy.copy(env).agents]


print(alone(1), together(setting("trailblaze", 3, knowledge="noise/50")).count("player_1"))
