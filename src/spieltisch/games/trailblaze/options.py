"""What a table can choose before a game of Trailblaze. `page` names the choices for people."""

from typing import Literal

from msgspec import Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """`stays`: the middle card is dealt once, and whatever lies there stays from round to round."""

    middle_card: Literal["fresh", "stays"] = "fresh"
    patterns: Literal[1, 2, 3, 4, 6, 12] = 4
