"""What nobody saw, for whoever looks back at a finished game: the pile."""

from spieltisch.game import State
from spieltisch.games.adaman.rules import Hidden, Own, Public
from spieltisch.i18n import Translator
from spieltisch.protocols import Section


def truth(state: State[Public, Own, Hidden], tr: Translator) -> list[Section]:
    """The pile, with the next card first."""
    pile = [state.public.deck.cards[card] for card in state.hidden.pile]
    lines = [f"{card.name[tr.lang]} {card.value or ''}".strip() for card in pile]
    return [Section(tr._("The pile, next card first"), lines)] if lines else []
