"""How a record writes a game of Bazaar: with the cards in it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from spieltisch.games.bazaar.cards import Ware, Wares
from spieltisch.games.bazaar.rules import Options

from spieltisch import package
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.game import read
from spieltisch.options import read_options


class Record(package.Record):
    keys = frozenset({"rows", "deck", "cards"})
    default = {"options": {}, "deck": "wares"}

    def load(self, top: Mapping[str, Any], seats: int, library: Library | None = None) -> tuple[Options, Wares]:
        options = read_options(top["options"], Options)
        if "cards" in top:
            return options, Wares("", tuple(read(top["cards"], list[Ware])))
        return options, (library or Library()).deck(read(top["deck"], str), kind_of("wares"))

    def dump(self, options: Options, deck: Wares) -> dict[str, Any]:
        return super().dump(options, deck) | {"cards": msgspec.to_builtins(deck.cards)}
