"""Gymnasium: a game that is played alone as an environment.

from spieltisch.study.environments import solitaire
env = solitaire.env(name)  # of a game for one
"""

from functools import partial
from typing import Any

import numpy as np

from spieltisch import extras
from spieltisch.dice import FastDice, throw
from spieltisch.game import Invalid, see
from spieltisch.study.environments.aec import MODES, box, found, text
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.setting import Setting

with extras.needed():
    import gymnasium
    from gymnasium import spaces
    from gymnasium.envs.registration import EnvSpec


def env(game: str | Setting, *, render_mode: str | None = None, **given: Any) -> "Solitaire":
    """The environment of a game for one by its name, with what `setting` takes; or of a setting.

    Raises Invalid, saying what would be right, also for a game that cannot be played alone.
    """
    setting = found(game, **given)
    made = Solitaire(setting, render_mode)
    name = f"spieltisch/{setting.package.name}-v{setting.rules.version}"
    made.spec = EnvSpec(name, entry_point=partial(Solitaire, setting), kwargs={"render_mode": render_mode})
    return made


class Solitaire(gymnasium.Env):
    """A game that is played alone: 1 for a win, 0 for any other end; -1 for an action that is not open, which ends
    the game.
    """

    def __init__(self, setting: Setting, render_mode: str | None = None) -> None:
        if setting.seats != 1:
            raise Invalid("{game} has {n} players here, not one", game=setting.package.name, n=setting.seats)
        if render_mode is not None and render_mode not in MODES:
            raise Invalid("a game is shown as {modes}, not as {mode}", modes=" or ".join(MODES), mode=render_mode)
        self.setting, self.render_mode = setting, render_mode
        self.metadata = {"name": setting.package.name, "render_modes": list(MODES), "render_fps": 1}
        self.action_space = spaces.Discrete(setting.actions)
        mask = spaces.Box(0, 1, (setting.actions,), np.int8)
        self.observation_space = spaces.Dict({"observation": box(setting.layout.size), "action_mask": mask})

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, object]]:
        """Deal a new game. The same `seed` deals the same one, and the same ones after it."""
        super().reset(seed=seed, options=options)
        self._dice = FastDice(int(self.np_random.integers(1 << 62)))
        self._episode, self._picture = Episode(self.setting), self.setting.layout.picture()
        self._throw()
        return self._observation(), {}

    def _throw(self) -> None:
        while (due := self._episode.due()) is not None:
            self._episode.resolve(throw(self._dice, due))

    def _observation(self) -> dict[str, np.ndarray]:
        mask = self._episode.open().plan.mask()
        seen = self._picture.draw(see(self._episode.state, 0), self._episode.signals[0])
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | np.integer) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, object]]:
        """Observation, reward, whether the game is over, whether it is left, and why if it ended by an action that
        is not open.
        """
        done = self._episode.open().get(int(action))
        if done is None:
            said = {"illegal": f"action {action} is not open: see action_mask"}
            return self._observation(), -1.0, True, False, said
        self._episode.act(done)
        self._throw()
        over, left = self._episode.seat is None, self._episode.left
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._episode.returns()[0], over and not left, left, {}

    def render(self) -> str | None:
        """How the game stands: as text, or printed ("human")."""
        shown = text(self._episode)
        if self.render_mode == "human":
            print(shown)  # noqa: T201 - what was asked for
            return None
        return shown
