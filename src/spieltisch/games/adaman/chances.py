"""What the engine says of moves, in classes that the server reads without loading the engine."""

from typing import Any

from msgspec import Struct


class Chance(Struct, frozen=True):
    """Of the piles that could lie there by what the player knew, the share in which the game is won after a move.

    The coach says one number, low and high alike. Of a deck that it does not know there are bounds: `low`, played on by
    a rule of thumb, and `high`, by who knows the pile; what a player can reach lies between them.
    """

    low: float
    high: float

    @property
    def middle(self) -> float:
        """The middle of the bounds."""
        return (self.low + self.high) / 2


class Look(Struct, frozen=True):
    """A move of a finished game, and what can be said of it. Actions are in the words of records.

    `winnable`: whether the game could still be won before the move, the order of the pile known; None: not decided
    in time. `coached`: the chances are the coach's. `best`: the move with the best chance, as far as any was compared.
    """

    action: dict[str, Any]
    winnable: bool | None
    coached: bool
    chance: Chance
    best: dict[str, Any]
    best_chance: Chance
