"""What not everybody saw, for whoever looks back at a finished game: the hands, and the pile."""

from collections.abc import Sequence

from spieltisch.games.hichaechoc.rooms import JOKER, World
from spieltisch.i18n import Translator
from spieltisch.protocols import Section


def truth(state: World, tr: Translator) -> list[Section]:
    """Every hand, and the pile with the next card first."""
    forms = state.public.terms.forms

    def line(cards: Sequence[int]) -> str:
        return ", ".join(tr._("Joker") if card == JOKER else forms[card] for card in cards)

    parts = [(tr.name(seat), own.hand) for seat, own in enumerate(state.own)]
    parts.append((tr._("The pile, next card first"), state.hidden.pile))
    return [Section(title, [line(cards)]) for title, cards in parts if cards]
