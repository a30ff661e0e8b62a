"""What not everybody saw, for whoever looks back at a finished game: the hands, and the pile."""

from collections.abc import Sequence
from typing import Any

from spieltisch.games.hichaechoc.rooms import JOKER, World


def truth(state: World, says: Any) -> list[dict[str, Any]]:
    """Every hand, and the pile with the next card first."""
    forms = state.public.terms.forms

    def line(cards: Sequence[int]) -> str:
        return ", ".join(says._("Joker") if card == JOKER else forms[card] for card in cards)

    parts = [(says.name(seat), own.hand) for seat, own in enumerate(state.own)]
    parts.append((says._("The pile, next card first"), state.hidden.pile))
    return [{"title": title, "lines": [line(cards)]} for title, cards in parts if cards]
