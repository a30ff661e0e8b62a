"""What a table can choose before a game of Anno Domini. `page` names the choices for people."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """`fewer_cards` are pairs (seat, cards), by seat; `max_rounds` 0 stands for no limit."""

    cards_per_player: Annotated[int, Meta(ge=1, le=15)] = 9
    fewer_cards: tuple[tuple[int, int], ...] = ()
    doubter_penalty: Annotated[int, Meta(ge=0, le=5)] = 2
    last_player_penalty: Annotated[int, Meta(ge=1, le=5)] = 3
    max_rounds: Annotated[int, Meta(ge=0, le=100)] = 0
