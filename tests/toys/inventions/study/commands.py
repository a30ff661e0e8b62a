"""The commands `spieltisch study inventions …`."""

from cyclopts import App

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library

app = App(name="inventions", help="Inventions: what its decks are like.")


@app.command
def early(deck: str = "inventions") -> int:
    """Print how many cards of a deck are from before 1900."""
    cards = Library().deck(deck, kind_of("inventions")).cards
    print(f"{sum(card.year < 1900 for card in cards)} of {len(cards)}")
    return 0
