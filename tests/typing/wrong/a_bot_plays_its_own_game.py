"""A bot whose class names the types of a game plays that game: views and actions of another one are an error."""

from collections.abc import Sequence

from spieltisch import package
from spieltisch.dice import Dice
from spieltisch.games.adaman.rules import Action
from spieltisch.games.adaman.state import GameView, Own, Public
from spieltisch.games.trailblaze import state


class Stranger(package.Bot[Public, Own, Action, None, None]):
    def choose(  # error
        self, view: state.GameView, legal: Sequence[Action], dice: Dice, beliefs: None = None
    ) -> Action:
        return legal[0]


class Confused(package.Bot[Public, Own, Action, None, None]):
    def choose(  # error
        self, view: GameView, legal: Sequence[Action], dice: Dice, beliefs: None = None
    ) -> state.Action:
        return state.Keep()
