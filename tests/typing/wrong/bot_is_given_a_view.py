"""A bot chooses by a view: one that wants a state is none."""

from collections.abc import Sequence
from typing import Any

from spieltisch.defaults import DefaultBot
from spieltisch.dice import Dice
from spieltisch.game import State
from spieltisch.protocols import Bot


class Peeks(DefaultBot):
    def choose(self, view: State[Any, Any, Any], legal: Sequence[Any], dice: Dice, beliefs: Any = None) -> Any:  # error
        return legal[0]


bot: Bot = Peeks()  # error
