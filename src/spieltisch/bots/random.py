"""The player without judgement: any legal action, each equally often."""

from collections.abc import Sequence
from typing import Any

from spieltisch.dice import Dice
from spieltisch.game import View


def choose(view: View[Any, Any], legal: Sequence[Any], dice: Dice, knows: Any = None) -> Any:  # noqa: ARG001
    """One of the legal actions."""
    return dice.choice(legal)
