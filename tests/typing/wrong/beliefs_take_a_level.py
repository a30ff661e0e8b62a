"""Beliefs are formed for a level of play."""

from typing import Any

from spieltisch import package
from spieltisch.dice import Dice


class OneForAll(package.Beliefs):
    def form(self, hidden: Any, dice: Dice) -> Any:  # error
        return None
