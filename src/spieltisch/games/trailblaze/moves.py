"""What the players do."""

from msgspec import Struct


class Keep(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "keep"


class Swap(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "swap"


class TakeBonus(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "take bonus"


class LeaveBonus(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "leave bonus"


class Place(Struct, frozen=True, tag=True, gc=False):
    pattern: int
    row: int
    column: int

    def __str__(self) -> str:
        return f"place p{self.pattern} row {self.row} column {self.column}"


class Skip(Struct, frozen=True, tag=True, gc=False):
    """No column is possible: every field of the board is occupied."""

    def __str__(self) -> str:
        return "place nothing"


class Bonus(Struct, frozen=True, tag=True, gc=False):
    row: int
    column: int

    def __str__(self) -> str:
        return f"bonus row {self.row} column {self.column}"


class NoBonus(Struct, frozen=True, tag=True, gc=False):
    def __str__(self) -> str:
        return "no bonus"


class Replace(Struct, frozen=True, tag=True, gc=False):
    pattern: int

    def __str__(self) -> str:
        return f"replace p{self.pattern}"


Action = Keep | Swap | TakeBonus | LeaveBonus | Place | Skip | Bonus | NoBonus | Replace
