"""How a record writes a game of Inventions: with the cards in it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from spieltisch.games.inventions.cards import Invention, Inventions
from spieltisch.games.inventions.rules import Options

from spieltisch import package
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.game import read
from spieltisch.options import read_options


class Record(package.Record):
    keys = frozenset({"rows", "deck", "cards"})
    default = {"options": {}, "deck": "inventions"}

    def load(self, top: Mapping[str, Any], seats: int, library: Library | None = None) -> tuple[Options, Inventions]:
        options = read_options(top["options"], Options)
        if "cards" in top:
            return options, Inventions("", tuple(read(top["cards"], list[Invention])))
        return options, (library or Library()).deck(read(top["deck"], str), kind_of("inventions"))

    def top_with(self, deck: str, cards: int) -> dict[str, Any]:
        each = max(1, min(Options().cards, cards // 4))
        return {"options": {} if each == Options().cards else {"cards": each}, "deck": deck}

    def dump(self, options: Options, deck: Inventions) -> dict[str, Any]:
        return super().dump(options, deck) | {"cards": msgspec.to_builtins(deck.cards)}
