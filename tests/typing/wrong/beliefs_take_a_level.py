"""Beliefs are formed for a level of play."""

from typing import Any

from spieltisch.defaults import DefaultBeliefs
from spieltisch.dice import Dice
from spieltisch.protocols import Beliefs


class OneForAll(DefaultBeliefs):
    def form(self, hidden: Any, dice: Dice) -> Any:  # error
        return None


beliefs: Beliefs = OneForAll()  # error
