"""The state of a game of Anno Domini, and its actions. A card is its row in the deck."""

from typing import Literal

from msgspec import Struct

from spieltisch.brief import Brief
from spieltisch.game import State, View
from spieltisch.games.annodomini.cards import Card, Laid, Reveal
from spieltisch.games.annodomini.events import Event, Events
from spieltisch.games.annodomini.news import News
from spieltisch.games.annodomini.options import Options
from spieltisch.package import ClassGame, FinishedGame

Deck = Events
Numbers = tuple[int, ...]
End = Literal["out-of-cards", "pile-empty", "rounds"]


class Penalty(Struct, frozen=True, gc=False):
    """Cards still to be drawn before the next round starts."""

    seat: int
    left: int


class Public(Brief, frozen=True, gc=False):
    """The table. Before the deal, `round` is 0 and all cards are the pile.

    `turn` is the seat to act or to start the round; `last` is who placed last in this round. While `penalty` is set,
    one round is over and the next has not begun. `paid` cards have been drawn since the last doubt.
    """

    options: Options
    hands: tuple[tuple[Card, ...], ...]
    pile: int
    top: Card | None = None
    set_aside: int = 0
    round: int = 0
    turn: int = 0
    chain: tuple[Laid, ...] = ()
    turned: tuple[Card, ...] = ()  # for an opening with the last card (§5)
    last: int | None = None
    penalty: Penalty | None = None
    paid: int = 0
    revealed: Reveal | None = None
    end: End | None = None
    news: tuple[News, ...] = ()


class Own(Brief, frozen=True, gc=False):
    """Empty: no player knows more than the others, even about their own cards."""


class Hidden(Brief, frozen=True, gc=False):
    """The cards with their backs; the pile, top first; the cards set aside, oldest first."""

    cards: tuple[Event, ...]
    pile: Numbers
    set_aside: Numbers = ()


class Place(Struct, frozen=True, gc=False, tag=True):
    """Lay a card from the hand, with `at` cards of the chain above it."""

    card: int
    at: int

    def __str__(self) -> str:
        return f"place #{self.card} at {self.at}"


class Doubt(Struct, frozen=True, gc=False, tag=True):
    """Doubt the chain: it is turned over."""

    def __str__(self) -> str:
        return "doubt"


class Open(Struct, frozen=True, gc=False, tag=True):
    """Lay the turned-up cards and the last card in this order, earliest first."""

    cards: Numbers

    def __str__(self) -> str:
        return " ".join(["open", *(f"#{card}" for card in self.cards)])


Action = Place | Doubt | Open
GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]
Finished = FinishedGame[Public, Own, Hidden, News]
InClass = ClassGame[Public, Own, Hidden, News]
