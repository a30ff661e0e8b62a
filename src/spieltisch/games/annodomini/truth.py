"""What nobody saw, for whoever looks back at a finished game: the dates, and the pile."""

from typing import Any

from spieltisch.decks.events import Event
from spieltisch.games.annodomini.rooms import Table

NEXT = 8  # cards of the pile


def truth(state: Table, says: Any) -> list[dict[str, Any]]:
    """The chain, every hand and the next cards of the pile, each card with its date."""
    p, cards, lang = state.public, state.hidden.cards, says.lang

    def line(card: Event) -> str:
        return f"{card.date[lang]}: {card.front[lang]}"

    parts = [(says._("The chain"), [laid.card.number for laid in p.chain])]
    parts += [(says.name(seat), [card.number for card in hand]) for seat, hand in enumerate(p.hands)]
    parts.append((says._("Next on the pile"), list(state.hidden.pile[:NEXT])))
    return [{"title": title, "lines": [line(cards[n]) for n in numbers]} for title, numbers in parts if numbers]
