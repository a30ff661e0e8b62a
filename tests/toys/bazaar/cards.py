"""Decks of wares, as the game takes them."""

from msgspec import Struct

from spieltisch.decks.choosing import Choosable
from spieltisch.decks.table import read_table
from spieltisch.decks.text import Text
from spieltisch.game import Invalid

COLUMNS = ("id", "de", "en", "stall", "day", "price", "comment_de", "comment_en", "source")
OPTIONAL = frozenset({"day", "comment_de", "comment_en", "source"})


class Ware(Struct, frozen=True):
    id: str
    front: Text
    price: int
    things: tuple[str, ...] = ()


class Wares(Choosable, frozen=True):
    id: str
    cards: tuple[Ware, ...]
    title: Text = Text("", "")


def read_wares(text: str, name: str) -> Wares:
    table = read_table(text, COLUMNS, OPTIONAL)
    cards = []
    for row in table.rows:
        if not row["price"].isdecimal():
            raise Invalid("line {line}: the price is no number", line=row.line)
        cards.append(Ware(row["id"], row.text(), int(row["price"])))
    return Wares(name, tuple(cards), table.title(name))
