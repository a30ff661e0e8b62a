"""A bot chooses from a view; one that wants a state is an error."""

from collections.abc import Sequence
from typing import Any

from spieltisch import package
from spieltisch.dice import Dice
from spieltisch.game import State


class Peeks(package.Bot):
    def choose(self, view: State[Any, Any, Any], legal: Sequence[Any], dice: Dice, beliefs: Any = None) -> Any:  # error
        return legal[0]
