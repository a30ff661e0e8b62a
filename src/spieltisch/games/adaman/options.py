"""What a table can choose before a game of Adaman. `page` names the choices for people."""

from msgspec import Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """`extra`: the ids of the pawns and courts, and `excuse`, that are added to the basic deck (§6)."""

    extra: tuple[str, ...] = ()
