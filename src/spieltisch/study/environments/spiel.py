"""OpenSpiel: every game as a sequential game with explicit chance, for its algorithms.

    from spieltisch.study.environments import spiel
    game = spiel.load(name, 2, knowledge="noise/50")

Importing this module registers every game, so `pyspiel.load_game("spieltisch_NAME(knowledge=noise/50)")` is the same. A
shuffle is drawn card by card; equal items are one outcome.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, get_args
from uuid import uuid4

import msgspec

from spieltisch import extras, games
from spieltisch.dice import FastDice
from spieltisch.game import Pick, Shuffle, see
from spieltisch.notation import line
from spieltisch.package import GameLearning, Package
from spieltisch.study.environments.aec import found, not_open
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.expressions import FOLDED, fold
from spieltisch.study.environments.knowledge import NONE
from spieltisch.study.environments.setting import LEAVE, Reward, Setting, setting

with extras.needed("environments"):
    import numpy as np
    import pyspiel  # ty: ignore[import-not-found] - a module in C++

PREFIX = "spieltisch_"
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)  # numbers are crossed over quicker
OUTCOMES = 64  # of a chance step, at least: as many steps an error may have, and more than any other has but a shuffle


def load(game: str | Setting, seats: int | None = None, **given: Any) -> "SpielGame":
    """Return the game of a setting, or of a game by its name with the arguments of `setting`.

    In this process OpenSpiel can load it again by its name, and so restore a serialized state. Raises Invalid, with a
    correction.
    """
    return _registered(found(game, seats, **given))()


class SpielGame(pyspiel.Game):
    """A game for OpenSpiel. Each player stakes 1 and the winners take all, so it is zero-sum. Alone, a win is 1."""

    def __init__(self, setting: Setting, kind: Any, parameters: Mapping[str, object] | None = None) -> None:
        n = setting.seats
        info = pyspiel.GameInfo(
            num_distinct_actions=setting.actions,
            max_chance_outcomes=max(OUTCOMES, len(setting.deck.cards) + 1),
            num_players=n,
            min_utility=0.0 if n == 1 else -1.0,
            max_utility=1.0 if n == 1 else n - 1.0,
            utility_sum=None if n == 1 else 0.0,
            max_game_length=setting.most,
        )
        super().__init__(kind, info, dict(parameters or {}))
        self.setting = setting

    def __reduce__(self) -> Any:
        given = self.get_parameters()  # of a game that OpenSpiel has loaded by its name
        return (_named, (self.get_type().short_name, given)) if given else (load, (self.setting,))

    def new_initial_state(self, *_: object) -> "SpielState":
        return SpielState(self)

    def state_at(self, episode: Episode) -> "SpielState":
        """Return a state in the middle of a game, where somebody is to act. It has no history."""
        state = SpielState(self)
        state.episode = episode
        state._left = ()  # noqa: SLF001 - its own state
        state._settle()  # noqa: SLF001
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        return Observer(self.setting, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SpielState(pyspiel.State):
    """A state for OpenSpiel."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.episode = Episode(game.setting, remembers=True)
        self._drawn: tuple[int, ...] = ()  # of a shuffle that is going on
        self._left: tuple[int, ...] = ()  # what is left in it, ascending
        self._alike = False  # whether some of it is alike
        self._paid = self.episode.returns()  # before the last step, where steps are paid
        self._settle()

    def __copy__(self) -> "SpielState":
        return self.clone()

    def __deepcopy__(self, memo: object) -> "SpielState":
        return self.clone()

    def __reduce__(self) -> Any:
        return _played, (self.get_game(), self.serialize())

    def _settle(self) -> None:
        """Find out what chance has to decide, or who is to act. A shuffle of equal items needs no outcome."""
        self._seat: int | None = None
        self._due = due = self.episode.due()
        while isinstance(due, Shuffle):
            self._left = left = tuple(sorted(due.items))
            self._alike = len(set(left)) < len(left)
            if left and left[0] != left[-1]:
                return
            self.episode.resolve(due.items)
            self._due = due = self.episode.due()
        if due is None:
            self._seat = self.episode.seat

    def _draw(self, item: int) -> None:
        """Draw the next item of a shuffle. If only equal items are left, draw them all."""
        left = self._left
        at = bisect_left(left, item)
        if at == len(left) or left[at] != item:
            raise ValueError(f"{item} is not left to draw: see chance_outcomes")
        self._drawn += (item,)
        self._left = left = left[:at] + left[at + 1 :]
        if left[0] == left[-1]:
            self.episode.resolve(self._drawn + left)
            self._drawn = self._left = ()
            self._settle()

    def current_player(self) -> int:
        if self._due is not None:
            return CHANCE
        return TERMINAL if self._seat is None else self._seat

    def is_chance_node(self) -> bool:
        return self._due is not None  # as it would be found out by way of C++

    def is_terminal(self) -> bool:
        return self._due is None and self._seat is None

    def _legal_actions(self, player: int) -> Sequence[int]:
        if self._due is not None or player != self._seat:
            return []
        return self.episode.open().plan.numbers

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes: for a shuffle the next items, for a pick its numbers."""
        assert self._due is not None
        if isinstance(self._due, Pick):
            return [(number, 1 / self._due.n) for number in range(self._due.n)]
        all_ = len(self._left)
        if self._alike:
            return [(item, n / all_) for item, n in Counter(self._left).items()]
        return list(zip(self._left, repeat(1 / all_)))

    def _apply_action(self, action: int) -> None:
        if self.episode.setting.reward == "progress":
            self._paid = self.episode.returns()
        if self._due is None:
            self.episode.act(self.episode.open().get(action))
            self._settle()
        elif isinstance(self._due, Pick):
            self.episode.resolve(action)
            self._settle()
        else:
            self._draw(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"{'pick' if isinstance(self._due, Pick) else 'draw'} {action}"
        found = self.episode.open().get(action) if player == self.episode.seat else None
        return f"action {action}" if found is None else line(found)

    def returns(self) -> list[float]:
        return list(self.episode.returns())

    def rewards(self) -> list[float]:
        return [now - before for now, before in zip(self.episode.returns(), self._paid, strict=True)]

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "SpielState":
        """Return a state that looks the same to a player. The rules' `imagine` makes up the rest, trusting the player's
        signals. The new state can be played on; its history is that of this state.
        """
        other = self.clone()
        other.episode = self.episode.imagined(player_id, FastDice(int(probability_sampler() * (1 << 53))))
        return other

    # -- structs, which OpenSpiel gives out as JSON: `to_struct` and so on -----------------------------------

    def _to_struct(self) -> dict[str, Any]:
        """Return the whole state, with the hidden part and the signals of each seat."""
        episode = self.episode
        found = {"current_player": self.current_player(), "told": msgspec.to_builtins(episode.signals)}
        if episode.state is None:
            return found
        layout = episode.setting.layout
        public, own = _fields(episode.state.public, layout.public), [_fields(o, layout.own) for o in episode.state.own]
        return found | {"public": public, "own": own, "hidden": msgspec.to_builtins(episode.state.hidden)}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        """Return what a seat sees, with its signals."""
        episode = self.episode
        found = {"player": player, "current_player": self.current_player()}
        if episode.state is None:
            return found
        view, layout = see(episode.state, player), episode.setting.layout
        told = msgspec.to_builtins(episode.signals[player])
        return found | {
            "public": _fields(view.public, layout.public), "own": _fields(view.own, layout.own), "told": told,
        }  # fmt: skip

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        """Return the rules' action, or what chance draws or picks."""
        if player == CHANCE:
            return {"pick" if isinstance(self._due, Pick) else "draw": action}
        found = self.episode.open().get(action) if player == self._seat else None
        if found is None:
            raise not_open(action, f"player {player}")
        return msgspec.to_builtins(found)

    def _struct_to_actions(self, struct: Mapping[str, Any]) -> list[int]:
        """Return the number of an action; -1, which is never open, if this one is not."""
        if self._due is not None:
            return list(struct.values())
        try:
            action = msgspec.convert(struct, self.episode.setting.rules.Action)
        except msgspec.ValidationError as wrong:
            raise ValueError(str(wrong)) from None
        number = self.episode.open().number(action)
        return [-1 if number is None else number]

    def __str__(self) -> str:
        return " ".join([self.episode.setting.package.name, *map(str, self.history())])


class Observer:
    """Encodes what a player sees: now or, with perfect recall, since the beginning."""

    def __init__(self, setting: Setting, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations take no parameters such as {params}")
        self._kind, self._setting = kind, setting
        self._learning = None if kind.perfect_recall else setting.learning
        self._size = setting.memory if kind.perfect_recall else setting.size
        self.tensor = np.zeros(self._size, np.float32)
        self.dict = {"observation": self.tensor}
        if self._learning is not None:
            self._picture = setting.picture()
            self.dict, at = {}, 0
            for block in self._learning.fields:
                self.dict[block.name] = self.tensor[at : at + block.size]
                at += block.size

    def _numbers(self, state: SpielState, player: int) -> list[int]:
        episode, kind = state.episode, self._kind
        private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if episode.state is None:
            return [1 + player] if private else [0]
        if kind.perfect_recall:
            return episode.memory(player)
        view = see(episode.state, player if private else None)
        drawn = self._setting.layout.picture().draw(view, episode.signals[player] if private else ())
        if not kind.public_info:
            drawn[1 : self._setting.layout.first_own] = 0
        return drawn.tolist()

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the observation into `tensor`. Integers that are too large, and numbers beyond its end, are folded."""
        if self._learning is not None:
            self._draw(self._learning, state.episode, player)
            return
        numbers = [n if -FOLDED < n < FOLDED else fold(str(n).encode()) for n in self._numbers(state, player)]
        if len(numbers) > self._size:
            numbers[self._size - 1 :] = [fold(repr(numbers[self._size - 1 :]).encode())]
        self.tensor[: len(numbers)] = numbers
        self.tensor[len(numbers) :] = 0

    def _draw(self, learning: GameLearning, episode: Episode, player: int) -> None:
        """Return the game's numbers: what all see, what only the player sees, or both."""
        self.tensor[:] = 0.0
        if episode.state is None:
            return
        private = self._kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        view = see(episode.state, player if private else None)
        self.tensor[:] = self._picture.draw(view, episode.signals[player] if private else ())
        if not self._kind.public_info:
            for block in learning.fields:
                if not block.own:
                    self.dict[block.name][:] = 0.0

    def string_from(self, state: SpielState, player: int) -> str:
        """Return everything seen as text, in integers, nothing folded."""
        return " ".join(map(str, self._numbers(state, player)))


def _fields(part: Any, fields: Iterable[tuple[str, Any, Any]]) -> dict[str, Any]:
    """Return what may change in a view's part, in words and numbers: neither the deck nor the options."""
    return {name: msgspec.to_builtins(getattr(part, name)) for name, _, _ in fields}


def _named(name: str, given: Mapping[str, object]) -> SpielGame:
    """Unpickle a game that has a name."""
    return pyspiel.load_game(name, given)


def _played(game: SpielGame, text: str) -> SpielState:
    """Unpickle a state."""
    return game.deserialize_state(text)


# -- what OpenSpiel loads by name ---------------------------------------------------------------------------------


def game_type(
    package: Package, name: str, parameters: Mapping[str, object] | None = None, reward: Reward = "win"
) -> Any:
    """Return the facts that OpenSpiel needs about a game before it is made."""
    models = pyspiel.GameType.RewardModel
    able = package.rules.seats
    alone = able[-1] == 1
    return pyspiel.GameType(
        short_name=PREFIX + name.replace("-", "_"),
        long_name=f"{package.name} (Spieltisch)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if alone else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=models.REWARDS if reward == "progress" else models.TERMINAL,
        max_num_players=able[-1],
        min_num_players=able[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(parameters or {}),
    )


@lru_cache(256)
def _registered(setting: Setting) -> Callable[[], SpielGame]:
    """Return a factory for the game of a setting, registered with OpenSpiel under a name of its own."""
    kind = game_type(setting.package, f"{setting.package.name}_{uuid4().hex[:12]}", reward=setting.reward)

    class Registered(SpielGame):
        def __init__(self, params: Mapping[str, object] | None = None) -> None:
            super().__init__(setting, kind, params)

    pyspiel.register_game(kind, Registered)
    return Registered


def register(package: Package) -> None:
    """Register a game with OpenSpiel: its seats, its simple options, cards, knowledge and the longest game."""
    options = {
        field.name: field.default
        for field in msgspec.structs.fields(package.rules.Options)
        if isinstance(field.default, str | int)
    }
    defaults = {
        **options, "players": package.rules.seats[0], "deck": "", "cards": 0, "knowledge": str(NONE), "most": LEAVE,
        "version": package.learning.version, "reward": "win",
    }  # fmt: skip
    kinds = {reward: game_type(package, package.name, defaults, reward) for reward in get_args(Reward)}

    @lru_cache(8)
    def settled(**given: Any) -> Setting:
        seats, deck, cards = given.pop("players"), given.pop("deck") or None, given.pop("cards") or None
        return setting(package.name, seats, deck=deck, cards=cards, **given)

    class Registered(SpielGame):  # a class: OpenSpiel lets go of it after Python has ended, which no function survives
        def __init__(self, params: Mapping[str, object] | None = None) -> None:
            given = {**defaults, **(params or {})}
            found = settled(**given)
            super().__init__(found, kinds[found.reward], given)

    pyspiel.register_game(kinds["win"], Registered)


for _package in games.packages().values():
    register(_package)
