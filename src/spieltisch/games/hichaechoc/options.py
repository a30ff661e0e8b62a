"""What a table can choose before a game of hic – haec – hoc. `page` names the choices for people."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    mode: Literal["strict", "assisted"] = "strict"
    joker: bool = False
    play_on: bool = False
    contest_price: Annotated[int, Meta(ge=0, le=1)] = 0
    cards_per_player: Annotated[int, Meta(ge=3, le=7)] = 5
