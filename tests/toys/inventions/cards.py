"""Decks of inventions, as the game takes them."""

from msgspec import Struct

from spieltisch.decks.choosing import Choosable
from spieltisch.decks.table import read_table
from spieltisch.decks.text import Text
from spieltisch.game import Invalid

COLUMNS = ("id", "year", "de", "en", "inventor", "comment_de", "comment_en", "source")
OPTIONAL = frozenset({"comment_de", "comment_en"})  # a deck is written without them if no card has a comment


class Invention(Struct, frozen=True):
    id: str
    front: Text
    year: int
    inventor: str
    things: tuple[str, ...] = ()


class Inventions(Choosable, frozen=True):
    id: str
    cards: tuple[Invention, ...]
    title: Text = Text("", "")


def read_inventions(text: str, name: str) -> Inventions:
    table = read_table(text, COLUMNS, OPTIONAL)
    cards = []
    for row in table.rows:
        if not row["year"].isdecimal():
            raise Invalid("line {line}: the year is no number", line=row.line)
        front = Text(row.told("de"), row.told("en"))
        cards.append(Invention(row["id"], front, int(row["year"]), row["inventor"], (row["inventor"],)))
    return Inventions(name, tuple(cards), table.title(name))
