"""Teach a program Adaman, or hic - haec - hoc against a random player, with masked PPO. Three minutes of one core.

    pip install 'spieltisch[environments]' sb3-contrib
    python examples/learn.py adaman
    python examples/learn.py hic-haec-hoc

It prints the share of wins in the last 1,000 games every ten seconds, then that of the trained policy in new games.
Seconds are those of the processor, so a busy machine takes longer.
"""

import sys
import time
from collections import deque

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

from spieltisch.study.environments import solitaire

gymnasium.register_envs(solitaire)  # that it is imported does it

SETTINGS = {
    "adaman": {"reward": "progress"},
    "hic-haec-hoc": {"seats": 2, "against": "random", "knowledge": "noise/0.1"},
}
GAMES = 32  # side by side


class Wins(BaseCallback):
    """Counts wins, and stops when the time is up."""

    def __init__(self, seconds):
        super().__init__()
        self.last, self.games = deque(maxlen=1000), 0
        self.begin = self.told = time.process_time()
        self.end = self.begin + seconds

    def _on_step(self):
        for info in self.locals["infos"]:
            if "won" in info:
                self.last.append(info["won"])
                self.games += 1
        now = time.process_time()
        if now - self.told >= 10:
            self.told = now
            self.say()
        return now < self.end

    def say(self):
        share = 100 * sum(self.last) / max(1, len(self.last))
        print(
            f"{time.process_time() - self.begin:4.0f} s, {self.num_timesteps:,} steps, {self.games:,} games: "
            f"{share:.1f} % of the last {len(self.last):,} won",
            flush=True,
        )


def make(name):
    return gymnasium.make(f"spieltisch/{name}-v1", mask="info", disable_env_checker=True, **SETTINGS[name])


def measured(model, name, games):
    """The share of wins in new games."""
    env, won = make(name), 0
    for seed in range(games):
        seen, info = env.reset(seed=10_000 + seed)
        over = left = False
        while not (over or left):
            number, _ = model.predict(seen, action_masks=info["action_mask"].astype(bool))
            seen, _, over, left, info = env.step(number)
        won += info["won"]
    return won / games


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "adaman"
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 180
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(lambda: make(name), n_envs=GAMES, seed=1),
        n_steps=64,
        batch_size=256,
        n_epochs=4,
        learning_rate=7e-4,
        gamma=1.0,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [128, 128]},
        seed=1,
    )
    wins = Wins(seconds)
    model.learn(10**9, callback=wins)
    wins.say()
    games = 500
    print(f"trained: {100 * measured(model, name, games):.1f} % of {games} new games won")


if __name__ == "__main__":
    main()
