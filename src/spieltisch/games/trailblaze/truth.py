"""What nobody saw, for whoever looks back at a finished game: the years, and the deck."""

from spieltisch.games.trailblaze.state import Table
from spieltisch.i18n import Translator
from spieltisch.protocols import Section

NEXT = 6  # cards of the deck


def truth(state: Table, tr: Translator) -> list[Section]:
    """The cards of the round and the next ones of the deck, each with its year."""
    p, backs, lang = state.public, state.hidden.cards, tr.lang

    def line(card: int, whose: str = "") -> str:
        year = tr._("not yet") if backs[card].year is None else str(backs[card].year)
        return f"{whose}{year}: {backs[card].front[lang]}"

    held = [line(front.card, f"{tr.name(seat)} – ") for seat, front in enumerate(p.cards) if front]
    middle = [] if p.middle is None else [line(p.middle.card, f"{tr._('Middle')} – ")]
    parts = [
        (tr._("The cards of this round"), held + middle),
        (tr._("Next in the deck"), [line(card) for card in state.hidden.deck[:NEXT]]),
    ]
    return [Section(title, lines) for title, lines in parts if lines]
