"""The deck of Adaman: the Decktet."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from spieltisch.assets import colours
from spieltisch.decks import deck as decks
from spieltisch.decks.base_kind import DeckKind
from spieltisch.decks.exporting.asked import Asked
from spieltisch.decks.findings import Finding
from spieltisch.decks.table import ADDED, Row, Table
from spieltisch.decks.tasks import Scene, Task
from spieltisch.game import Invalid
from spieltisch.games.adaman import art, decktet, payments
from spieltisch.games.adaman.decktet import Card, Deck, read_cards
from spieltisch.i18n import N_, Translator


class Kind(DeckKind[Deck]):
    """Decks with the Decktet's suits and types."""

    name = "decktet"
    columns = decktet.COLUMNS
    optional = ADDED
    words = {column: column for column in decktet.COLUMNS}
    heads = frozenset({"suits", "kind", "value"})
    counted = ("kind", "suits")
    accent = "ada"
    puzzle = N_("What do you pay?")
    puzzle_deck = "decktet"

    def read(self, text: str, name: str) -> Deck:
        return Deck(name, read_cards(text))

    def questions(self, deck: decks.Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
        raise Invalid("there is nothing to ask about the cards of the Decktet")

    def lint(self, table: Table) -> list[Finding]:
        return []  # its cards have names instead of texts

    def task(self, deck: Deck, name: str, card: str, dice: random.Random) -> Task | None:
        """The payment of the day. The analysis makes tasks from people's own games."""
        return payments.task(card, dice)

    def scene(self, deck: Deck, task: Task, tr: Translator) -> Scene | None:
        return payments.scene(task, tr)

    def why(self, deck: Deck, task: Task, answer: int, tr: Translator) -> str:
        return payments.why(task, answer, tr)

    def sheets(self, deck: decks.Deck, lang: str, tr: Translator) -> dict[str, object]:
        faces = [_face(card, lang) for card in read_cards(deck.text())]
        ink = colours()["ink"]
        suits = {suit: colours()[suit.removeprefix("suit-")] for face in faces for suit in face["suits"]}
        signs = (name for face in faces for name in (*face["types"], face["rank"]) if name.startswith("rank-"))
        return {"cards": faces, "drawn": {**suits, **dict.fromkeys(signs, ink)}}


def _face(card: Card, lang: str) -> dict[str, Any]:
    rank = {"number": str(card.value), "ace": "A"}.get(card.kind, f"rank-{card.kind}")
    types = [f"rank-{name}" for name in ("person", "event", "place") if getattr(card, name)]
    suits = [f"suit-{suit}" for suit in card.suits]
    return {"text": card.name[lang], "rank": rank, "suits": suits, "types": types, "art": art.art(card)}
