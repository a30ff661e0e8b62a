"""The Decktet: 36 cards of six suits, most with two suits each, and nine optional ones."""

import functools
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from spieltisch.brief import Brief
from spieltisch.decks.table import TEXTS, WORDS, Row, read_table
from spieltisch.decks.text import Text
from spieltisch.game import Invalid, read
from spieltisch.i18n import Translator

Suit = Literal["moon", "sun", "wave", "leaf", "wyrm", "knot"]
Kind = Literal["ace", "number", "crown", "pawn", "court", "excuse"]

SUITS: tuple[Suit, ...] = ("moon", "sun", "wave", "leaf", "wyrm", "knot")
COLUMNS = ("id", *TEXTS.values(), "kind", "value", "suits", "types")
EXTRA: tuple[Kind, ...] = ("pawn", "court", "excuse")  # kinds outside the basic deck


class Card(Struct, frozen=True):
    """One card. `value` is its rank as a number: an ace 1, a crown, pawn or court 10, the Excuse none (0)."""

    id: str
    name: Text
    kind: Kind
    value: int
    suits: tuple[Suit, ...]
    person: bool
    event: bool
    place: bool


class Deck(Brief, frozen=True):
    """The cards that are in play."""

    id: str
    cards: tuple[Card, ...]


@functools.cache
def cards() -> tuple[Card, ...]:
    """All 45 cards in table order: aces, 2 to 9, crowns, pawns, courts, the Excuse."""
    return read_cards((Path(__file__).parent / "decks" / "decktet.csv").read_text("utf-8"))


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards in this CSV text."""
    return tuple(_card(row) for row in read_table(text, tuple(one for one in COLUMNS if one not in WORDS)).rows)


def _card(row: Row) -> Card:
    types = row["types"].split()
    return Card(
        id=row["id"], name=row.text(), kind=read(row["kind"], Kind), value=int(row["value"]),
        suits=read(row["suits"].split(), tuple[Suit, ...]),
        person="person" in types, event="event" in types, place="place" in types,
    )  # fmt: skip


def extras() -> tuple[str, ...]:
    """The ids of the nine cards that may be added to the basic deck."""
    return tuple(card.id for card in cards() if card.kind in EXTRA)


def decktet(extra: Collection[str] = ()) -> Deck:
    """The basic deck of 36 cards with these added."""
    for name in extra:
        if name not in extras():
            raise Invalid(
                "{name} is not one of the cards that can be added: {names}",
                name=name,
                names=", ".join(extras()),
            )
    return Deck("decktet", tuple(card for card in cards() if card.kind not in EXTRA or card.id in extra))


def paid_with(cards: Iterable[Card], tr: Translator) -> str:
    """A payment in words: "Origin 2 and Ace of Moons"."""
    return in_a_row([card.name[tr.lang] + (f" {card.value}" if card.kind != "ace" else "") for card in cards], tr)


def in_a_row(words: Sequence[str], tr: Translator) -> str:
    """A list in words: "Moons, Suns and Waves"."""
    *some, last = words
    return tr._("{some} and {last}").format(some=", ".join(some), last=last) if some else last
