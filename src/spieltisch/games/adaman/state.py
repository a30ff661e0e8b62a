"""The state of a game of Adaman, and its actions. A card is a number: its row in the deck."""

from typing import Literal

from msgspec import Struct

from spieltisch.brief import Brief
from spieltisch.game import State, View
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.news import News
from spieltisch.package import FinishedGame

ROW = 5  # places in the capital and the resources, and the most that the palace holds

Cards = tuple[int, ...]


class Worth(Brief, frozen=True):
    """The deck's cards by number: rank, suits as bits, whether it is a personality."""

    ranks: Cards
    suits: Cards
    people: tuple[bool, ...]
    excuse: int  # the Excuse's number; -1 if the deck lacks it


class Public(Brief, frozen=True, gc=False):
    """The table. In rows and heaps, the latest card lies at the right end.

    While the Excuse lies in the capital or among the resources, `excuse` says where the card that moves for it comes
    from.
    """

    deck: Deck
    worth: Worth
    pile: int  # number of cards; before the deal, all of them
    capital: Cards = ()
    palace: Cards = ()
    resources: Cards = ()
    personalities: Cards = ()  # won over
    discarded: Cards = ()
    excuse: Literal["resource", "capital"] | None = None
    end: Literal["won", "lost", "hanged"] | None = None
    news: tuple[News, ...] = ()


class Own(Brief, frozen=True, gc=False):
    """Empty: the player knows nothing beyond the public part."""


class Hidden(Brief, frozen=True, gc=False):
    pile: Cards  # top first


class Control(Struct, frozen=True, gc=False, tag=True):
    """Win the target by discarding these resources. `legal` lists them as they lie."""

    target: int
    payment: Cards

    def __str__(self) -> str:
        return " ".join([f"control #{self.target} with", *(f"#{card}" for card in self.payment)])


class Excuse(Struct, frozen=True, gc=False, tag=True):
    """Move this card in place of the Excuse."""

    card: int

    def __str__(self) -> str:
        return f"excuse #{self.card}"


Action = Control | Excuse

GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]
Finished = FinishedGame[Public, Own, Hidden, News]
