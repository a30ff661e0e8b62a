"""What the players do."""

from msgspec import Struct


class Keep(Struct, frozen=True, tag=True, gc=False):
    pass


class Swap(Struct, frozen=True, tag=True, gc=False):
    pass


class TakeBonus(Struct, frozen=True, tag=True, gc=False):
    pass


class LeaveBonus(Struct, frozen=True, tag=True, gc=False):
    pass


class Place(Struct, frozen=True, tag=True, gc=False):
    pattern: int
    row: int
    column: int


class Skip(Struct, frozen=True, tag=True, gc=False):
    """No column is possible: every field of the board is occupied."""


class Bonus(Struct, frozen=True, tag=True, gc=False):
    row: int
    column: int


class NoBonus(Struct, frozen=True, tag=True, gc=False):
    pass


class Replace(Struct, frozen=True, tag=True, gc=False):
    pattern: int


Action = Keep | Swap | TakeBonus | LeaveBonus | Place | Skip | Bonus | NoBonus | Replace
