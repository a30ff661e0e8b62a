"""The engine's results, in classes that the server reads without loading the engine."""

from typing import TypedDict

from msgspec import Struct

Written = TypedDict("Written", {"control": str, "with": list[str], "excuse": str}, total=False)
"""A move as in records: the card won with those paid for it, or the card that moves for the Excuse."""


class Look(Struct, frozen=True):
    """The analysis of one move of a finished game. Actions are written as in records.

    `winnable`: whether somebody who knew the pile could still win before the move; None if undecided in time. `chance`:
    the coach's win probability (0 to 1) after the move, before new cards turn up, from the player's knowledge. `best`:
    the best of the compared moves; `best_chance` is the chance before the move and never below `chance`. `error` is the
    uncertainty of their difference, `spread` that of `chance` (95 % intervals).
    """

    action: Written
    winnable: bool | None
    chance: float
    best: Written
    best_chance: float
    error: float
    spread: float
