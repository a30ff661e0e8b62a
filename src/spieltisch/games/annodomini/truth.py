"""What nobody saw, for whoever looks back at a finished game: the dates, and the pile."""

from spieltisch.decks.events import Event
from spieltisch.games.annodomini.rooms import Table
from spieltisch.i18n import Translator
from spieltisch.protocols import Section

NEXT = 8  # cards of the pile


def truth(state: Table, tr: Translator) -> list[Section]:
    """The chain, every hand and the next cards of the pile, each card with its date."""
    p, cards, lang = state.public, state.hidden.cards, tr.lang

    def line(card: Event) -> str:
        return f"{card.date[lang]}: {card.front[lang]}"

    parts = [(tr._("The chain"), [laid.card.number for laid in p.chain])]
    parts += [(tr.name(seat), [card.number for card in hand]) for seat, hand in enumerate(p.hands)]
    parts.append((tr._("Next on the pile"), list(state.hidden.pile[:NEXT])))
    return [Section(title, [line(cards[n]) for n in numbers]) for title, numbers in parts if numbers]
