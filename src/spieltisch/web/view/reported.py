"""The cards that people reported, as the host sees them. Asked in another process: see `decks.library`."""

from collections.abc import Sequence
from typing import Any

from spieltisch.decks.check import open_deck
from spieltisch.decks.library import Library
from spieltisch.web.view.cards import preview

Place = tuple[int, dict[str, Any], str]  # a card's row in the deck, what is on it, the fact that it names


def cards_reported(library: Library, names: Sequence[str], ids: Sequence[str], lang: str) -> dict[str, Place]:
    """Return those of these cards that the deck still has, by their ids."""
    deck = open_deck(library.path(names[0]))
    rows = {row["id"]: (at, row) for at, row in enumerate(deck.table.rows)}
    return {
        one: (rows[one][0], preview(rows[one][1], deck.kind, lang), rows[one][1].cells.get("fact", ""))
        for one in ids
        if one in rows
    }
