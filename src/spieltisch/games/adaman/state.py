"""What there is to know in a game of Adaman, its options and its actions. A card is a number: its row in the deck."""

from typing import Literal

from msgspec import Struct

from spieltisch.game import State, View
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.news import News
from spieltisch.package import FinishedGame

ROW = 5  # so many cards make up the capital and the resources, and so many bear the palace

Cards = tuple[int, ...]


class Worth(Struct, frozen=True):
    """What counts of the deck's cards, by number: rank, suits as bits, whether it is a personality."""

    ranks: Cards
    suits: Cards
    people: tuple[bool, ...]
    excuse: int  # the Excuse's number, -1 where it is not in the deck


class Public(Struct, frozen=True, gc=False):
    """The table. In rows and heaps what came last lies at the right end.

    While the Excuse lies in the capital or among the resources, `excuse` says from where a card has to be
    moved for it.
    """

    deck: Deck
    worth: Worth
    pile: int  # how many cards; all of them: nothing has been dealt
    capital: Cards = ()
    palace: Cards = ()
    resources: Cards = ()
    personalities: Cards = ()  # won over
    discarded: Cards = ()
    excuse: Literal["resource", "capital"] | None = None
    end: Literal["won", "lost", "hanged"] | None = None
    news: tuple[News, ...] = ()


class Own(Struct, frozen=True, gc=False):
    """Nothing: the player knows what everybody knows."""


class Hidden(Struct, frozen=True, gc=False):
    pile: Cards  # top first


class Control(Struct, frozen=True, gc=False, tag=True):
    """Win the target for a payment of resources, discarded as named (`legal` names them as they lie)."""

    target: int
    payment: Cards

    def __str__(self) -> str:
        return " ".join([f"control #{self.target} with", *(f"#{card}" for card in self.payment)])


class Excuse(Struct, frozen=True, gc=False, tag=True):
    """Move this card in the place of the Excuse."""

    card: int

    def __str__(self) -> str:
        return f"excuse #{self.card}"


Action = Control | Excuse

GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]
Finished = FinishedGame[Public, Own, Hidden, News]
