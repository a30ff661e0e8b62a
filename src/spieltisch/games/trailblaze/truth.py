"""What nobody saw, for whoever looks back at a finished game: the years, and the deck."""

from typing import Any

from spieltisch.games.trailblaze.state import Table

NEXT = 6  # cards of the deck


def truth(state: Table, says: Any) -> list[dict[str, Any]]:
    """The cards of the round and the next ones of the deck, each with its year."""
    p, backs, lang = state.public, state.hidden.cards, says.lang

    def line(card: int, whose: str = "") -> str:
        year = says._("not yet") if backs[card].year is None else str(backs[card].year)
        return f"{whose}{year}: {backs[card].front[lang]}"

    held = [line(front.card, f"{says.name(seat)} – ") for seat, front in enumerate(p.cards) if front]
    middle = [] if p.middle is None else [line(p.middle.card, f"{says._('Middle')} – ")]
    parts = [
        (says._("The cards of this round"), held + middle),
        (says._("Next in the deck"), [line(card) for card in state.hidden.deck[:NEXT]]),
    ]
    return [{"title": title, "lines": lines} for title, lines in parts if lines]
