"""What the engine says of moves, in classes that the server reads without loading the engine."""

from typing import TypedDict

from msgspec import Struct

Written = TypedDict("Written", {"control": str, "with": list[str], "excuse": str}, total=False)
"""A move as records write it: the card that is won and those paid for it, or the card that moves for the Excuse."""


class Look(Struct, frozen=True):
    """A move of a finished game, and what can be said of it. Actions are in the words of records.

    `winnable`: whether the game could still be won before the move, the order of the pile known; None: not decided
    in time. `chance`: how likely (0 to 1) it was to be won with the move, before new cards are turned up, by what the
    player knew, as the coach says. `best`: the move with the best chance, as far as any was compared; its chance is the
    one before the move, and never below `chance`. `error`: by how much the difference of both may be off; `spread`: by
    how much `chance` may (95 % intervals).
    """

    action: Written
    winnable: bool | None
    chance: float
    best: Written
    best_chance: float
    error: float
    spread: float
