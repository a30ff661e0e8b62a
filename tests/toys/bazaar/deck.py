"""The kind of decks that Bazaar brings: wares with a stall and a price, without a date."""

from collections.abc import Sequence

from spieltisch.games.bazaar.cards import COLUMNS, OPTIONAL, Wares, read_wares

from spieltisch.decks.base_kind import DeckKind, Found
from spieltisch.decks.findings import message
from spieltisch.decks.table import Row


class Kind(DeckKind[Wares]):
    name = "wares"
    columns = COLUMNS
    optional = OPTIONAL
    words = {"stall": "stall stand", "price": "price preis"}
    heads = frozenset({"stall", "price"})
    labels = {"stall": "Stall", "day": "Market day", "price": "Price"}
    counted = ("stall", "day")
    chosen = True
    label = "Wares"
    this = "These are wares"
    blanks = {"csv": "for wares (CSV)"}
    widths = (30, 20, 8)

    def example(self, lang: str) -> Sequence[Sequence[str]]:
        return (("en", "stall", "price"), ("A lamp", "Lights", "7"))

    def read(self, text: str, name: str) -> Wares:
        return read_wares(text, name)

    def front(self, row: Row) -> Found:
        if not row["price"].isdecimal():
            yield "error", "price", message("the price is no number"), message("Write it in digits."), "price"
