"""Bazaar: each player takes the ware on top. The dearest wins."""

from typing import ClassVar

from msgspec import Struct
from spieltisch.games.bazaar.cards import Wares

from spieltisch.decks.text import Text
from spieltisch.dice import Dice
from spieltisch.game import Illegal, Invalid, PendingChance, Result, Shuffle, State, View

name = "bazaar"
version = 1
seats = range(1, 5)


class Options(Struct, frozen=True):
    pass


Deck = Wares


class Take(Struct, frozen=True, tag=True):
    pass


Action = Take


class Took(Struct, frozen=True, tag=True):
    seat: int
    front: Text
    price: int


class Public(Struct, frozen=True):
    seats: int
    cards: int
    top: Text | None = None
    took: tuple[Took, ...] = ()
    news: tuple[Took, ...] = ()


class Own(Struct, frozen=True):
    news: ClassVar[tuple[()]] = ()


class Hidden(Struct, frozen=True):
    cards: tuple[tuple[Text, int], ...]
    pile: tuple[int, ...] = ()


GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]


def setup(seats: int, options: Options, deck: Wares) -> GameState:
    if len(deck.cards) < seats:
        raise Invalid("the deck has {n} cards, {least} are needed", n=len(deck.cards), least=seats)
    cards = tuple((card.front, card.price) for card in deck.cards)
    return State(Public(seats, len(cards)), (Own(),) * seats, Hidden(cards))


def pending_chance(state: GameState) -> PendingChance | None:
    return None if state.hidden.pile or state.public.took else Shuffle(tuple(range(state.public.cards)))


def resolve_chance(state: GameState, outcome: tuple[int, ...]) -> GameState:
    return _dealt(state, outcome[: state.public.seats], (), ())


def to_act(public: Public) -> tuple[int, ...]:
    return () if public.top is None else (len(public.took),)


def legal(view: GameView) -> tuple[Action, ...]:
    return (Take(),) if view.seat in to_act(view.public) else ()


def apply(state: GameState, seat: int, action: Action) -> GameState:
    if seat not in to_act(state.public):
        raise Illegal("It is not your turn.")
    took = Took(seat, *state.hidden.cards[state.hidden.pile[0]])
    return _dealt(state, state.hidden.pile[1:], (*state.public.took, took), (took,))


def _dealt(state: GameState, pile: tuple[int, ...], took: tuple[Took, ...], news: tuple[Took, ...]) -> GameState:
    p, hidden = state.public, state.hidden
    top = hidden.cards[pile[0]][0] if pile else None
    return State(Public(p.seats, p.cards, top, took, news), state.own, Hidden(hidden.cards, pile))


def result(public: Public) -> Result | None:
    if len(public.took) < public.seats:
        return None
    prices = tuple(one.price for one in public.took)
    places = sorted({*prices}, reverse=True)
    ranking = tuple(tuple(seat for seat, own in enumerate(prices) if own == place) for place in places)
    return Result(ranking, prices, "sold")


def imagine(view: GameView, dice: Dice, beliefs: object = None) -> GameState:
    p = view.public
    cards = ((p.top or Text("", ""), dice.below(9)),) * p.cards
    return State(p, (Own(),) * p.seats, Hidden(cards, tuple(range(p.seats - len(p.took))) if p.top else ()))
