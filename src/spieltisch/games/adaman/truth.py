"""What nobody saw, for whoever looks back at a finished game: the pile."""

from typing import Any

from spieltisch.game import State
from spieltisch.games.adaman.rules import Hidden, Own, Public


def truth(state: State[Public, Own, Hidden], says: Any) -> list[dict[str, Any]]:
    """The pile, with the next card first."""
    pile = [state.public.deck.cards[card] for card in state.hidden.pile]
    lines = [f"{card.name[says.lang]} {card.value or ''}".strip() for card in pile]
    return [{"title": says._("The pile, next card first"), "lines": lines}] if lines else []
