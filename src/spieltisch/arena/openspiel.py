"""A bot of OpenSpiel's as a player. It gets a state that was imagined from the view of its seat and from what it is
told of what lies hidden, never the true one.
"""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct

from spieltisch import extras, games
from spieltisch.arena.contest import Contest
from spieltisch.arena.player import knowledge, simulations
from spieltisch.arena.seated import ForfeitError
from spieltisch.decks.carried import Carried, library_of
from spieltisch.decks.things import in_play
from spieltisch.dice import FastDice
from spieltisch.game import GameView, Result
from spieltisch.study.environments.knowledge import read

with extras.needed():
    import numpy as np
    import pyspiel  # ty: ignore[import-not-found] - a module in C++
    from open_spiel.python.algorithms import ismcts, mcts

    from spieltisch.study.environments import spiel
    from spieltisch.study.environments.episode import Episode
    from spieltisch.study.environments.setting import Setting

UCT = 2.0  # how much the search tries what it has seldom tried
AHEAD = 600  # actions after which a game that is played in mind is left


class Searcher:
    """OpenSpiel's player without judgement, or its information-set Monte Carlo tree search, on one seat."""

    def __init__(self, contest: Contest, seats: int, seat: int, command: str, seed: int, hidden: Struct) -> None:
        """`hidden` is the hidden part when the game begins: of it the bot is told as much as its command says."""
        known = knowledge(command)
        self._game = _game(contest.game, msgspec.json.encode(contest.top), seats, str(known), contest.deck)
        self._dice = FastDice(seed)
        self._told = self._game.setting.told(hidden, FastDice(f"{seed}/told"))
        games = simulations(command)
        if not games:
            self._bot = pyspiel.make_uniform_random_bot(seat, seed)
            return
        twister = np.random.RandomState(seed)
        self._bot = ismcts.ISMCTSBot(
            self._game, mcts.RandomRolloutEvaluator(1, twister), UCT, games,
            random_state=twister, use_observation_string=True, allow_inconsistent_action_sets=True,
        )  # fmt: skip
        self._bot.set_resampler(lambda state, player: state.resample_from_infostate(player, self._dice.random))

    def choose(self, view: GameView, legal: Sequence[Struct]) -> Struct:
        episode = Episode.seen(self._game.setting, view, self._dice, self._told)
        state = self._game.state_at(episode)
        if state.current_player() != view.seat:  # several may act at once, and OpenSpiel knows only the first of them
            return self._dice.choice(legal)
        action = episode.open().get(self._bot.step(state))
        if action not in legal:
            raise ForfeitError("OpenSpiel chose an illegal move")
        return action

    def end(self, result: Result | None) -> None:
        pass


@lru_cache(16)
def _game(name: str, top: bytes, seats: int, known: str, own: Carried | None) -> "spiel.SpielGame":
    """The game for OpenSpiel. To measure it takes a while, so it is kept for all deals."""
    package = games.package(name)
    options, deck = package.record.load(msgspec.json.decode(top), seats, library_of(own))
    return spiel.load(Setting(package, seats, options, in_play(deck), read(known), most=AHEAD))
