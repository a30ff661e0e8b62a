"""PettingZoo: every game as an environment in which agents act one after the other (AEC).

from spieltisch.study.environments import aec
env = aec.env("hic-haec-hoc", seats=3, knowledge="noise/0.1")
"""

import random
from copy import deepcopy
from typing import Any, Literal, Self, get_args

from spieltisch import extras
from spieltisch.dice import FastDice
from spieltisch.game import Illegal, Invalid, see
from spieltisch.i18n import N_
from spieltisch.languages import DEFAULT
from spieltisch.options import whole_number
from spieltisch.package import plain_fields
from spieltisch.study.environments import registry
from spieltisch.study.environments.encoding import Picture, Sketch
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.setting import Setting, setting

with extras.needed("environments"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from pettingzoo import AECEnv

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
MODES = ("ansi", "human")
DEALT = frozenset({"_episode", "_seat", "agent_selection"})  # attributes of an environment after `reset`
Mask = Literal["observation", "info"]
"""Where the mask of open actions is found."""

registry.register()  # here, because all adapters import this module


def env(
    game: str | Setting,
    seats: int | None = None,
    *,
    mask: Mask = "observation",
    render_mode: str | None = None,
    **given: Any,
) -> "Environment":
    """Return the environment of a setting, or of a game by its name with the arguments of `setting`.

    `mask` says where the mask of open actions is: in the observation, which is then a dict of `observation` and
    `action_mask`, or in the info. Raises Invalid, with a correction.
    """
    return Environment(found(game, seats, **given), mask, render_mode)


def found(game: str | Setting, seats: int | None = None, **given: Any) -> Setting:
    """Return the setting itself, or that of a game by its name with these arguments. Raises Invalid."""
    if not isinstance(game, Setting):
        return setting(game, seats, **given)
    if seats is not None or given:
        raise Invalid("a setting is complete: pass nothing else with it")
    return game


def space(setting: Setting, mask: Mask) -> "spaces.Space[Any]":
    """Return the observation space of a setting, with or without the mask of open actions. Raises Invalid."""
    if mask not in get_args(Mask):
        raise Invalid("the mask is in the observation or in the info, not in {mask}", mask=mask)
    view = (
        spaces.Box(LOWEST, HIGHEST, (setting.size,), np.int32)
        if setting.learning is None
        else spaces.Box(0.0, 1.0, (setting.size,), np.float32)
    )
    if mask == "info":
        return view
    return spaces.Dict({"observation": view, "action_mask": spaces.Box(0, 1, (setting.actions,), np.int8)})


def shown(mode: str | None) -> str | None:
    """Return the render mode. Raises Invalid for an unknown one."""
    if mode is not None and mode not in MODES:
        raise Invalid("a game is shown as {modes}, not as {mode}", modes=" or ".join(MODES), mode=mode)
    return mode


def number_of(action: object) -> int:
    """Return an action's number, also one of NumPy's. Raises Invalid for anything else."""
    return action if type(action) is int else whole_number(action, N_("an action is a whole number, not {value}"))


def seed_of(seed: object) -> int | None:
    """Return a seed, also one of NumPy's. Raises Invalid for anything but None and a whole number from 0 on."""
    if seed is None:
        return None
    found = whole_number(seed, N_("a seed is a whole number, not {value}"))
    if found < 0:
        raise Invalid("a seed is 0 or more, not {seed}", seed=found)
    return found


def meaning(episode: Episode, number: int, who: str) -> Any:
    """Return the action that a number means to the seat to act. Raises Illegal if it is not open."""
    found = episode.open().get(number)
    if found is None:
        raise not_open(number, who)
    return found


def not_open(number: object, who: str) -> Illegal:
    return Illegal("action {n} is not open to {agent}: see its action_mask", n=number, agent=who)


def text(episode: Episode) -> str:
    """Return the state of a game as a spectator sees it."""
    setting = episode.setting
    seat = episode.seat
    head = f"{setting}, {episode.actions} actions: " + ("over" if seat is None else f"player_{seat} to act")
    tr = setting.package.translator(DEFAULT, [f"player_{seat}" for seat in range(setting.seats)])
    public = see(episode.state, None).public
    told = {tr._(name.replace("_", " ").capitalize()) for name, _, _ in setting.layout.public}  # what may change
    return "\n".join([head, *(f"  {name}: {value}" for name, value in plain_fields(public, tr) if name in told)])


class UndealtError(ResetNeeded, AttributeError):
    """Something was asked of an environment before its first game."""


class Forked:
    """An environment whose copy is independent, like a pickled one. The copy draws its views anew."""

    setting: Setting
    _picture: Picture | Sketch

    def __getattr__(self, name: str) -> Any:
        """Raise UndealtError for what the first game brings."""
        if name in DEALT:
            raise UndealtError("call reset first: no game has been dealt yet")
        return object.__getattribute__(self, name)  # which says that there is none

    def __copy__(self) -> Self:
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_picture"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._picture = self.setting.picture()


class Environment(Forked, AECEnv[str, object, "int | np.integer | None"]):
    """A game in which agents act one after the other. If several may act at once, the first seat does."""

    def __init__(self, setting: Setting, mask: Mask = "observation", render_mode: str | None = None) -> None:
        super().__init__()
        self.setting, self.render_mode, self.mask = setting, shown(render_mode), mask
        self.metadata = {"name": f"{setting.package.name}_v{setting.version}", "render_modes": list(MODES)}
        self.possible_agents = [f"player_{seat}" for seat in range(setting.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = dict.fromkeys(self.possible_agents, space(setting, mask))
        # each agent has spaces of its own, which are seeded one by one
        self.action_spaces = {agent: spaces.Discrete(setting.actions) for agent in self.possible_agents}
        self._dice = FastDice(random.SystemRandom().getrandbits(64))
        self._picture = setting.picture()
        self._each_step = mask == "info" or setting.reward == "progress"  # there is more to do than to let act

    def observation_space(self, agent: str) -> "spaces.Space[Any]":
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Space[Any]":
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:  # noqa: ARG002
        """Deal a new game. The same `seed` gives the same sequence of games. Deals over at once are skipped."""
        if (found := seed_of(seed)) is not None:
            self._dice = FastDice(found)
        self._episode = Episode.dealt(self.setting, self._dice)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._paid = self._episode.returns()
        self._go_on()

    def _go_on(self) -> None:
        """Resolve chance until somebody is to act or the game is over for all."""
        episode = self._episode
        if episode.seat is None:
            episode.throw(self._dice)
        seat = episode.seat
        if seat is None or self.setting.reward == "progress":
            self._pay()
        if seat is not None:
            self.agent_selection = agent = self.possible_agents[seat]
            if self.mask == "info":
                self.infos[agent] = {"action_mask": episode.open().plan.mask()}
            return
        over = self.truncations if episode.left else self.terminations
        over.update(dict.fromkeys(self.possible_agents, True))

    def _pay(self) -> None:
        """Pay the rewards since the last payment."""
        before, self._paid = self._paid, self._episode.returns()
        for agent, had, now in zip(self.possible_agents, before, self._paid, strict=True):
            self.rewards[agent] = now - had
        self._accumulate_rewards()

    def observe(self, agent: str) -> Any:
        """Return what an agent may know. The mask is empty unless the agent is to act."""
        episode, seat = self._episode, self._seats[agent]
        acts = seat == episode.seat
        view = episode.view if acts else see(episode.state, seat)
        seen = self._picture.draw(view, episode.signals[seat])
        if self.mask == "info":
            return seen
        offer = episode.open() if acts else self.setting.numbered.nothing
        return {"observation": seen, "action_mask": offer.plan.mask()}

    def step(self, action: int | np.integer | None) -> None:
        """Let the selected agent act. Raises Illegal, with the reason, for an action that is not open."""
        episode, agent = self._episode, self.agent_selection
        if episode.seat is None:  # the game is over for all
            self._was_dead_step(action)
            return
        done = None if action is None else episode.open().get(number_of(action))
        if done is None:
            raise not_open(action, agent)
        if self._each_step:
            self.infos[agent], self._cumulative_rewards[agent] = {}, 0.0
        episode.act(done)
        seat = episode.seat
        if seat is None or self._each_step:
            self._go_on()
        else:  # as nearly always, without a call
            self.agent_selection = self.possible_agents[seat]
        if self.render_mode == "human":
            self.render()

    def action(self, number: int) -> Any:
        """Return the rules' action that a number means to the selected agent now. Raises Illegal if it is not open."""
        return meaning(self._episode, number, self.agent_selection)

    def action_masks(self) -> np.ndarray:
        """Return for each number whether its action is open to the selected agent, for masking policies."""
        return self._episode.open().plan.mask().astype(bool)

    def render(self) -> str | None:
        """Return the state of the game as a spectator sees it, or print it ("human")."""
        shown = text(self._episode)
        if self.render_mode == "human":
            print(shown)  # noqa: T201 - what was asked for
            return None
        return shown

    def close(self) -> None:
        """Do nothing: no resources are held."""
