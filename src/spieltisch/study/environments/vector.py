"""Gymnasium: many games side by side in one compiled environment.

from spieltisch.study.environments import vector
envs = vector.env("adaman", 1024, reward="progress")
envs = vector.env("hic-haec-hoc", 1024, mode="assisted", against="random")

Actions, observations, masks and rewards are those of `solitaire.env`, byte by byte.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, Protocol, Self, SupportsIndex

from spieltisch import extras, games, makers
from spieltisch.game import Invalid
from spieltisch.i18n import N_
from spieltisch.options import whole, whole_number
from spieltisch.study.environments.aec import Mask, found, not_open, seed_of, space
from spieltisch.study.environments.knowledge import NONE
from spieltisch.study.environments.setting import Narrowed, Setting, setting

with extras.needed("environments"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

ALL = (1 << 64) - 1
OPTIONS = frozenset({"orders", "reset_mask"})  # of a reset
Policy = Callable[[Mapping[str, np.ndarray]], np.ndarray]
"""Chooses the numbers of open actions, one for each row of what is seen: `observation` and `action_mask`."""
Seeds = SupportsIndex | Iterable[SupportsIndex | None] | None


class Games(Protocol):
    """What everybody can see of many games: arrays with a row for each, `seats` columns for `won` and `paid`."""

    shown: np.ndarray
    mask: np.ndarray
    seat: np.ndarray
    left: np.ndarray
    won: np.ndarray
    paid: np.ndarray
    rng: np.ndarray
    viewer: np.ndarray


class Batch(Protocol):
    """What a game's `engine.batch` provides."""

    @property
    def games(self) -> Games: ...
    @property
    def orders(self) -> np.ndarray: ...
    def deal(self, which: np.ndarray, orders: np.ndarray | None) -> int: ...
    def act(self, which: np.ndarray, numbers: np.ndarray) -> None: ...


def env(
    game: str | Setting,
    num_envs: int = 1,
    seats: int | None = None,
    *,
    mask: Mask = "observation",
    against: Literal["random"] | Policy | None = None,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    copy: bool = True,
    **given: Any,
) -> "Vector":
    """Return many games of a setting, or of a game by its name with the arguments of `setting`.

    `mask` says where the mask of open actions is. `against` plays all seats but one; without it, each step is that of
    the seat to act. With `copy=False` the next step overwrites the arrays of this one. Raises Invalid, with a
    correction.
    """
    chosen = found(game, seats, **given)
    return Vector(chosen, num_envs, mask=mask, against=against, autoreset_mode=autoreset_mode, copy=copy)


def compiled(game: str) -> None:
    """Compile what plays many games of this name at once, unless that is done."""
    folder = games.package(game).folder.name
    part = _part(game, folder)
    _compile(part, folder, setting(game, **part.GIVEN))


def _part(game: str, folder: str) -> ModuleType:
    """Return the game's `engine.batch`. Raises Invalid for a game without one, and if compiling is forbidden."""
    if folder not in makers.batches():
        raise Invalid('{game} cannot be played many at once: make_vec takes vectorization_mode="sync"', game=game)
    if os.environ.get(makers.CHOICE) == "plain":
        raise Invalid("many games at once have to be compiled, and {setting}=plain forbids it", setting=makers.CHOICE)
    with extras.needed("environments"):
        return import_module(f"spieltisch.games.{folder}.engine.batch")


def _compile(part: ModuleType, folder: str, played: Setting) -> None:
    makers.compile_batch(folder, lambda: _ask(_made(part, played, 1)))


def _made(part: ModuleType, played: Setting, many: int) -> Batch:
    return part.Batch(played.seats, played.options, played.deck, many, most=played.most, reward=played.reward)


def _ask(batch: Batch) -> None:
    """Call everything that is compiled."""
    kernel = _kernel()
    shown, which = batch.games, np.arange(1)
    kernel.draw_seats(shown.rng, which, 1, shown.viewer)
    batch.deal(which, None)
    numbers = kernel.choose(shown.mask, which, shown.rng)
    kernel.are_open(shown.mask, which, numbers)
    batch.act(which, numbers)


def _kernel() -> ModuleType:
    return import_module("spieltisch.study.environments.kernel")  # with numba, which takes a second


class Vector(VectorEnv):
    """Many games from one seat each, drawn anew for each game; without `against`, from the seat to act.

    An action that is not open ends its game with -1. Rewards are those of the seat that acted. With several seats and
    no `against`, the info has the `seat` to act and the `rewards` of all.
    """

    def __init__(
        self,
        setting: Setting,
        num_envs: int = 1,
        *,
        mask: Mask = "observation",
        against: Literal["random"] | Policy | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        n, game = setting.seats, setting.package.name
        if n == 1 and against is not None:
            raise Invalid("{game} is played alone here: leave out against", game=game)
        if not (against is None or against == "random" or callable(against)):
            raise Invalid('against is "random" or a function, not {against}', against=against)
        if setting.learning is None or setting.knowledge != NONE or setting.narrowed != Narrowed():
            raise Invalid('many games at once need version 1 and knowledge="none"')
        self.num_envs = many = whole_number(num_envs, N_("num_envs is a number of games, not {value}"))
        if many < 1:
            raise Invalid("num_envs is 1 or more, not {n}", n=many)
        folder = setting.package.folder.name
        part = _part(game, folder)
        self._batch = _made(part, setting, many)
        _compile(part, folder, setting)
        self.setting, self.mask, self.copy = setting, mask, copy
        self._against, self._all = against, n > 1 and against is None
        self._mode = _mode(autoreset_mode)
        self.metadata = {"name": game, "autoreset_mode": self._mode}
        self.single_action_space = spaces.Discrete(setting.actions)
        self.action_space = batch_space(self.single_action_space, many)
        self.single_observation_space = space(setting, mask)
        self.observation_space = batch_space(self.single_observation_space, many)
        self._each = np.arange(many)
        self._over = np.ones(many, np.bool_)  # dealt again with the next step
        self._before = np.zeros((many, n))  # what was paid before this step
        self._games.rng[:, 0] = [_start(int(one)) for one in np.random.SeedSequence().generate_state(many, np.uint64)]

    def __copy__(self) -> Self:
        return deepcopy(self)

    @property
    def _games(self) -> Games:
        return self._batch.games

    @property
    def orders(self) -> np.ndarray:
        """The order in which the deck's rows are dealt and drawn, for each game. Rows that were shuffled again are at
        the end.
        """
        return self._batch.orders

    # -- dealing ---------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:  # fmt: skip
        """Deal new games. The same `seed` gives the same sequence. Game i has the seed seed + i, or its own from a
        list.

        `options` may have `reset_mask`, which games to deal, and `orders`, the order of the deck's rows for each of
        them. Raises Invalid for others.
        """
        given, many = options or {}, self.num_envs
        if not isinstance(given, Mapping) or not given.keys() <= OPTIONS:
            raise Invalid(
                "a reset has the options {known}, not {given}", known=" and ".join(sorted(OPTIONS)), given=given
            )
        mask = given.get("reset_mask")
        asked = np.ones(many, np.bool_) if mask is None else np.asarray(mask)
        if asked.shape != (many,) or asked.dtype != np.bool_:
            raise Invalid("reset_mask has a bool for each of the {n} games", n=many)
        which = np.flatnonzero(asked)
        self._seed(seed)
        self._deal(which, self._ordered(given.get("orders"), len(which)))
        return self._observation(), self._info()

    def _seed(self, seed: Seeds) -> None:
        if seed is None:
            return
        if whole(seed) is None and isinstance(seed, Iterable) and not isinstance(seed, str | bytes):
            seeds = [seed_of(one) for one in seed]
        else:
            first = seed_of(seed) or 0
            super().reset(seed=first)
            seeds = [*range(first, first + self.num_envs)]
        if len(seeds) != self.num_envs:
            raise Invalid("give a seed for each of the {n} games, not {seeds}", n=self.num_envs, seeds=len(seeds))
        for i, one in enumerate(seeds):
            if one is not None:
                self._games.rng[i] = _start(one)

    def _ordered(self, orders: object, many: int) -> np.ndarray | None:
        if orders is None:
            return None
        found, cards = np.asarray(orders), self.orders.shape[1]
        if found.shape != (many, cards) or (np.sort(found) != np.arange(cards)).any():
            raise Invalid("orders has {n} rows, each the deck's rows 0 to {last} in some order", n=many, last=cards - 1)
        return found.astype(np.int64)

    def _deal(self, which: np.ndarray, orders: np.ndarray | None = None) -> None:
        shown, viewer = self._games, self._games.viewer
        if self._against is not None:
            _kernel().draw_seats(shown.rng, which, self.setting.seats, viewer)
        rest = which
        while len(rest):  # again where the others have ended a game before it was this seat's turn
            if dead := self._batch.deal(rest, orders):
                raise Invalid("{n} deals were over before anybody could act", n=dead)
            self._let_others(rest)
            rest = rest[shown.seat[rest] < 0]
            orders = None
        self._over[which] = False
        self._before[which] = shown.paid[which]

    def _let_others(self, which: np.ndarray) -> None:
        """Let the others act in these games until this seat is to act or the game is over."""
        if self._against is None:
            return
        shown = self._games
        while True:
            seat = shown.seat[which]
            which = which[(seat >= 0) & (seat != shown.viewer[which])]
            if not len(which):
                return
            self._batch.act(which, self._answers(which))

    def _answers(self, which: np.ndarray) -> np.ndarray:
        shown, kernel = self._games, _kernel()
        if not callable(self._against):
            return kernel.choose(shown.mask, which, shown.rng)
        numbers = np.asarray(self._against({"observation": shown.shown[which], "action_mask": shown.mask[which]}))
        numbers = numbers.astype(np.int64).reshape(len(which))
        closed = np.flatnonzero(~kernel.are_open(shown.mask, which, numbers))
        if len(closed):
            raise not_open(numbers[closed[0]], f"player_{shown.seat[which[closed[0]]]}")
        return numbers

    # -- playing ---------------------------------------------------------------------------------------------

    def step(
        self, actions: np.ndarray
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:  # fmt: skip
        """Return observations, rewards, which games are over, which were left, and the info. The info has `won` for
        games that are over, or the reason as `illegal` for an action that was not open.
        """
        shown, many, anew = self._games, self.num_envs, self._over
        numbers = np.asarray(actions)
        if numbers.shape != (many,) or numbers.dtype.kind not in "iu":
            raise Invalid("actions is an array of {n} whole numbers, one for each game", n=many)
        numbers = numbers.astype(np.int64)
        if self._mode is AutoresetMode.DISABLED and anew.any():
            raise Invalid("some games are over: reset them, with the option reset_mask")
        going = np.flatnonzero(~anew)
        if len(going) < many:
            self._deal(np.flatnonzero(anew))
        can = _kernel().are_open(shown.mask, going, numbers[going])
        illegal = np.zeros(many, np.bool_)
        illegal[going] = ~can
        going = going[can]
        acted = np.where(shown.viewer < 0, shown.seat, shown.viewer)  # whose step this is
        self._batch.act(going, numbers[going])
        self._let_others(going)
        gain = shown.paid - self._before
        self._before[:] = shown.paid
        rewards = np.where(illegal, -1.0, gain[self._each, acted])
        gain[illegal, acted[illegal]] = -1.0
        over = shown.seat < 0
        left = over & shown.left
        ended = over & ~left | illegal
        self._over = over = over | illegal
        more: dict[str, Any] = {}
        if over.any():
            self._tell(more, "won", (shown.won[self._each, acted] > 0) & over & ~illegal, over & ~illegal)
        if illegal.any():
            said = np.full(many, None, object)
            for i in np.flatnonzero(illegal):
                said[i] = f"action {numbers[i]} is not open: see action_mask"
            self._tell(more, "illegal", said, illegal)
        if self._mode is AutoresetMode.SAME_STEP and over.any():
            more = self._dealt_at_once(over, more)
        if self._all:
            self._tell(more, "rewards", gain)
        return self._observation(), rewards, ended, left, self._info(more)

    def _dealt_at_once(self, over: np.ndarray, more: dict[str, Any]) -> dict[str, Any]:
        """Deal anew what is over. The info then has the last observations and the last info."""
        which = np.flatnonzero(over)
        final = np.full(self.num_envs, None, object)
        for i in which:
            final[i] = self._seen(i)
        if self.mask == "info":
            self._tell(more, "action_mask", np.where(over[:, None], self._games.mask, np.int8(0)), over)
        self._deal(which)
        found: dict[str, Any] = {}
        self._tell(found, "final_obs", final, over)
        self._tell(found, "final_info", more, over)
        return found

    def _tell(self, info: dict[str, Any], name: str, told: Any, whom: np.ndarray | None = None) -> None:
        """Put values into an info as Gymnasium does: with a second array that says which games they are about."""
        info[name] = told
        info[f"_{name}"] = np.ones(self.num_envs, np.bool_) if whom is None else whom.copy()

    def _info(self, more: dict[str, Any] | None = None) -> dict[str, Any]:
        found, shown = {} if more is None else more, self._games
        if self.mask == "info":
            self._tell(found, "action_mask", shown.mask.copy() if self.copy else shown.mask)
        if self._all:
            self._tell(found, "seat", shown.seat.copy())
        return found

    def _observation(self) -> Any:
        shown, mask = self._games.shown, self._games.mask
        if self.mask == "info":
            return shown.copy() if self.copy else shown
        if self.copy:
            return {"observation": shown.copy(), "action_mask": mask.copy()}
        return {"observation": shown, "action_mask": mask}

    def _seen(self, i: int) -> Any:
        """Return what is seen of one game."""
        seen = self._games.shown[i].copy()
        return seen if self.mask == "info" else {"observation": seen, "action_mask": self._games.mask[i].copy()}

    def action_masks(self) -> np.ndarray:
        """Return for each game and number whether its action is open."""
        return self._games.mask.astype(bool)

    def random_actions(self) -> np.ndarray:
        """Return a random open action for each game; 0 where the game is over."""
        return _kernel().choose(self._games.mask, self._each, self._games.rng)


def _mode(given: AutoresetMode | str) -> AutoresetMode:
    """Return when games that are over are dealt again. Raises Invalid for anything else."""
    try:
        return AutoresetMode(given)
    except ValueError:
        known = ", ".join(mode.value for mode in AutoresetMode)
        raise Invalid("the autoreset_mode is {known}, not {mode}", known=known, mode=given) from None


def _start(seed: int) -> int:
    """Return the initial state of a game's dice, far from that of the next seed (splitmix64)."""
    x = (seed + 1) * 0x9E3779B97F4A7C15 & ALL
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB & ALL
    return (x ^ x >> 31) >> 1 | 1
