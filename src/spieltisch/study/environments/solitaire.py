"""Gymnasium: a game from one seat, alone or against given players.

from spieltisch.study.environments import solitaire
env = solitaire.env(name)  # of a game for one
env = solitaire.env(name, 2, against="random")

Importing this module, `aec`, `spiel` or `vector` registers every game, so `gymnasium.make("spieltisch/NAME-v1")` is the
same. `vector` has many games in one environment.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from spieltisch import extras
from spieltisch.dice import FastDice
from spieltisch.game import Invalid, see
from spieltisch.study.environments.aec import (
    MODES,
    Forked,
    Mask,
    found,
    meaning,
    number_of,
    seed_of,
    shown,
    space,
    text,
)
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.registry import name
from spieltisch.study.environments.setting import Setting

with extras.needed("environments"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.envs.registration import EnvSpec

Policy = Callable[[Mapping[str, np.ndarray]], int]
"""Chooses the number of an open action from what a seat sees: `observation` and `action_mask`."""


def env(
    game: str | Setting,
    seats: int | None = None,
    *,
    mask: Mask = "observation",
    against: Literal["random"] | Policy | None = None,
    render_mode: str | None = None,
    **given: Any,
) -> "Solitaire":
    """Return the environment of a setting, or of a game by its name with the arguments of `setting`.

    `mask` says where the mask of open actions is, as in `aec.env`; `against` plays all other seats. Raises Invalid,
    with a correction.
    """
    setting = found(game, seats, **given)
    chosen: dict[str, Any] = {"render_mode": render_mode, "mask": mask, "against": against}
    made = Solitaire(setting, **chosen)
    made.spec = EnvSpec(name(setting.package.name, setting.version), partial(Solitaire, setting), kwargs=chosen)
    return made


class Solitaire(Forked, gymnasium.Env):
    """A game from one seat, drawn anew for each game. An action that is not open ends the game with -1."""

    def __init__(
        self,
        setting: Setting,
        render_mode: str | None = None,
        *,
        mask: Mask = "observation",
        against: Literal["random"] | Policy | None = None,
    ) -> None:
        n, game = setting.seats, setting.package.name
        if n > 1 and against is None:
            raise Invalid('{game} has {n} players here: say who the others are, as in against="random"', game=game, n=n)
        if n == 1 and against is not None:
            raise Invalid("{game} is played alone here: leave out against", game=game)
        if not (against is None or against == "random" or callable(against)):
            raise Invalid('against is "random" or a function, not {against}', against=against)
        self.setting, self.render_mode, self.mask = setting, shown(render_mode), mask
        self._against = against
        self.metadata = {"name": game, "render_modes": list(MODES), "render_fps": 1}
        self.action_space = spaces.Discrete(setting.actions)
        self.observation_space = space(setting, mask)

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Any, dict[str, object]]:
        """Deal a new game. The same `seed` gives the same sequence of games. Deals in which the seat cannot act are
        skipped.
        """
        super().reset(seed=seed_of(seed), options=options)
        self._dice = FastDice(int(self.np_random.integers(1 << 62)))
        seats = self.setting.seats
        self._seat = self._dice.below(seats) if seats > 1 else 0
        while True:
            self._episode, self._picture = Episode.dealt(self.setting, self._dice), self.setting.picture()
            self._let_others()
            if self._episode.seat is not None:
                break
        self._paid = self._episode.returns()[self._seat]
        return self._observation(), self._info()

    def _let_others(self) -> None:
        """Let the others act until this seat is to act or the game is over."""
        episode = self._episode
        while (seat := episode.seat) is not None and seat != self._seat:
            if callable(self._against):
                number = number_of(self._against(self._seen(seat)))
            else:
                number = self._dice.choice(episode.open().plan.numbers)
            episode.act(meaning(episode, number, f"player_{seat}"))
            episode.throw(self._dice)

    def _seen(self, seat: int) -> dict[str, np.ndarray]:
        """Return what a seat sees, and what is open if it is to act."""
        episode = self._episode
        drawn = self._picture.draw(see(episode.state, seat), episode.signals[seat])
        return {"observation": drawn, "action_mask": self._offered(seat)}

    def _offered(self, seat: int) -> np.ndarray:
        offer = self._episode.open() if seat == self._episode.seat else self.setting.numbered.nothing
        return offer.plan.mask()

    def _observation(self) -> Any:
        seen = self._seen(self._seat)
        return seen if self.mask == "observation" else seen["observation"]

    def _info(self, **more: object) -> dict[str, object]:
        return more if self.mask == "observation" else {"action_mask": self._offered(self._seat), **more}

    def step(self, action: int | np.integer) -> tuple[Any, float, bool, bool, dict[str, object]]:
        """Return the observation, the reward, whether the game is over, whether it was left, and the info. At the end
        the info has `won`, or the reason as `illegal` for an action that was not open.
        """
        number = number_of(action)
        done = self._episode.open().get(number)
        if done is None:
            said = f"action {number} is not open: see action_mask"
            return self._observation(), -1.0, True, False, self._info(illegal=said)
        self._episode.act(done)
        self._episode.throw(self._dice)
        self._let_others()
        over, left = self._episode.seat is None, self._episode.left
        if self.render_mode == "human":
            self.render()
        more: dict[str, object] = {"won": self._episode.wins()[self._seat] > 0} if over else {}
        before, self._paid = self._paid, self._episode.returns()[self._seat]
        return self._observation(), self._paid - before, over and not left, left, self._info(**more)

    def action(self, number: int) -> Any:
        """Return the rules' action that a number means now. Raises Illegal if it is not open."""
        return meaning(self._episode, number, f"player_{self._seat}")

    def action_masks(self) -> np.ndarray:
        """Return for each number whether its action is open, for masking policies."""
        return self._offered(self._seat).astype(bool)

    def render(self) -> str | None:
        """Return the state of the game as text, or print it ("human")."""
        shown = text(self._episode)
        if self.render_mode == "human":
            print(shown)  # noqa: T201 - what was asked for
            return None
        return shown
