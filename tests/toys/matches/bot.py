"""Two levels: the beginner takes any number, the expert leaves a number from which every move loses."""

from collections.abc import Sequence
from types import MappingProxyType

from spieltisch.games.matches.rules import MOST, GameView, Options, Take

from spieltisch import package
from spieltisch.dice import Dice

LEVELS = {"beginner": "Beginner", "expert": "Expert"}


class Bot(package.Bot):
    """Plays at the level in its beliefs."""

    levels = MappingProxyType(LEVELS)

    def choose(self, view: GameView, legal: Sequence[Take], dice: Dice, beliefs: str | None = None) -> Take:
        p = view.public
        good = [action for action in legal if is_lost(p.left - action.n, p.options)]
        return dice.choice(good if good and beliefs != "beginner" else legal)


def is_lost(left: int, options: Options) -> bool:
    """Whether the seat that takes from this many loses against perfect play."""
    return left % (MOST + 1) == (0 if options.last_wins else 1)
