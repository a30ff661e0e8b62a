"""PettingZoo: every game as an environment in which agents act one after the other (AEC).

from spieltisch.study.environments import aec
env = aec.env("hic-haec-hoc", seats=3, knowledge="noise/0.1")
"""

import random
from typing import Any, Literal

import numpy as np

from spieltisch import extras
from spieltisch.dice import FastDice, throw
from spieltisch.game import Illegal, Invalid, see
from spieltisch.package import plain_fields
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.setting import Setting, setting

with extras.needed():
    from gymnasium import spaces
    from pettingzoo import AECEnv

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
MODES = ("ansi", "human")
NOT_OPEN = "action {n} is not open to {agent}: see its action_mask"


def env(
    game: str | Setting,
    seats: int | None = None,
    *,
    mask: Literal["observation", "info"] = "observation",
    render_mode: str | None = None,
    **given: Any,
) -> "Environment":
    """The environment of a game by its name, with what `setting` takes; or of a setting.

    `mask` says where the mask of open actions is found: in the observation, which is a dict of `observation` and
    `action_mask` then, or in the info, and the observation is an array. Raises Invalid, saying what would be right.
    """
    return Environment(found(game, seats, **given), mask, render_mode)


def found(game: str | Setting, seats: int | None = None, **given: Any) -> Setting:
    """The setting of a game by its name and what else is given; or the setting itself. Raises Invalid."""
    if isinstance(game, str):
        return setting(game, seats, **given)
    if seats is not None or given:
        raise Invalid("a setting is complete: pass nothing else with it")
    return game


def box(size: int) -> "spaces.Box":
    """The space of observations of so many numbers."""
    return spaces.Box(LOWEST, HIGHEST, (size,), np.int32)


def text(episode: Episode) -> str:
    """How a game stands, as somebody who only looks on sees it."""
    setting = episode.setting
    seat = episode.seat
    head = f"{setting}, {episode.actions} actions: " + ("over" if seat is None else f"player_{seat} to act")
    tr = setting.package.translator("en", [f"player_{seat}" for seat in range(setting.seats)])
    public = see(episode.state, None).public
    told = {tr._(name.replace("_", " ").capitalize()) for name, _, _ in setting.layout.public}  # what may change
    return "\n".join([head, *(f"  {name}: {value}" for name, value in plain_fields(public, tr) if name in told)])


class Environment(AECEnv[str, object, "int | np.integer | None"]):
    """A game in which agents act one after the other. Of several who may act at the same time the first seat does."""

    def __init__(self, setting: Setting, mask: str = "observation", render_mode: str | None = None) -> None:
        super().__init__()
        if mask not in ("observation", "info"):
            raise Invalid("the mask is in the observation or in the info, not in {mask}", mask=mask)
        if render_mode is not None and render_mode not in MODES:
            raise Invalid("a game is shown as {modes}, not as {mode}", modes=" or ".join(MODES), mode=render_mode)
        self.setting, self.render_mode, self.mask = setting, render_mode, mask
        self.metadata = {"name": f"{setting.package.name}_v{setting.rules.version}", "render_modes": list(MODES)}
        self.possible_agents = [f"player_{seat}" for seat in range(setting.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        view: spaces.Space[Any] = box(setting.layout.size)
        if mask == "observation":
            view = spaces.Dict({"observation": view, "action_mask": spaces.Box(0, 1, (setting.actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, view)
        # each agent has spaces of its own, which are seeded one by one
        self.action_spaces = {agent: spaces.Discrete(setting.actions) for agent in self.possible_agents}
        self._dice = FastDice(random.SystemRandom().getrandbits(64))
        self._picture = setting.layout.picture()

    def observation_space(self, agent: str) -> "spaces.Space[Any]":
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Space[Any]":
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:  # noqa: ARG002
        """Deal a new game. The same `seed` deals the same one, and the same ones after it."""
        if seed is not None:
            self._dice = FastDice(seed)
        self._episode = Episode(self.setting)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def _go_on(self) -> None:
        """Throw what is due; then somebody is to act, or the game is over for all."""
        episode = self._episode
        if episode.seat is None:
            while (due := episode.due()) is not None:
                episode.resolve(throw(self._dice, due))
        seat = episode.seat
        if seat is not None:
            self.agent_selection = agent = self.possible_agents[seat]
            if self.mask == "info":
                self.infos[agent] = {"action_mask": episode.open().plan.mask()}
            return
        over = self.truncations if episode.left else self.terminations
        for agent, won in zip(self.possible_agents, episode.returns(), strict=True):
            self.rewards[agent] = won
            over[agent] = True
        self._accumulate_rewards()

    def observe(self, agent: str) -> Any:
        """What an agent may know; the mask says what is open to it now, nothing if it is not to act."""
        episode, seat = self._episode, self._seats[agent]
        acts = seat == episode.seat
        view = episode.view if acts else see(episode.state, seat)
        seen = self._picture.draw(view, episode.signals[seat])
        if self.mask == "info":
            return seen
        offer = episode.open() if acts else self.setting.numbered.nothing
        return {"observation": seen, "action_mask": offer.plan.mask()}

    def step(self, action: int | np.integer | None) -> None:
        """Let the selected agent act. Illegal, with the reason, for an action that is not open."""
        episode, agent = self._episode, self.agent_selection
        if episode.seat is None:  # the game is over for all
            self._was_dead_step(action)
            return
        done = None if action is None else episode.open().get(int(action))
        if done is None:
            raise Illegal(NOT_OPEN, n=action, agent=agent)
        if self.mask == "info":
            self.infos[agent] = {}
        episode.act(done)
        seat = episode.seat
        if seat is None or self.mask == "info":
            self._go_on()
        else:  # as nearly always, without a call
            self.agent_selection = self.possible_agents[seat]
        if self.render_mode == "human":
            self.render()

    def action(self, number: int) -> Any:
        """The action that a number means to the selected agent now, as the rules know it. Illegal if it is not open."""
        found = self._episode.open().get(number)
        if found is None:
            raise Illegal(
                "action {n} is not open to {agent}: see its action_mask", n=number, agent=self.agent_selection
            )
        return found

    def render(self) -> str | None:
        """How the game stands for those who look on: as text, or printed ("human")."""
        shown = text(self._episode)
        if self.render_mode == "human":
            print(shown)  # noqa: T201 - what was asked for
            return None
        return shown

    def close(self) -> None:
        """Nothing is held open."""
