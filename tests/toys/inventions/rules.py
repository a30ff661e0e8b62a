"""Inventions: players say of their top card whether the invention is from before 1900. Most right answers win."""

from typing import ClassVar

from msgspec import Struct
from spieltisch.games.inventions.cards import Inventions

from spieltisch.decks.text import Text
from spieltisch.dice import Dice
from spieltisch.game import Illegal, Invalid, PendingChance, Result, Shuffle, State, View

name = "inventions"
version = 1
seats = range(1, 5)
YEAR = 1900


class Options(Struct, frozen=True):
    cards: int = 3  # for each player


Deck = Inventions


class Say(Struct, frozen=True, tag=True):
    early: bool


Action = Say


class Said(Struct, frozen=True, tag=True):
    seat: int
    front: Text
    year: int
    right: bool


class Public(Struct, frozen=True):
    options: Options
    seats: int
    cards: int
    top: Text | None = None
    said: tuple[Said, ...] = ()
    news: tuple[Said, ...] = ()


class Own(Struct, frozen=True):
    news: ClassVar[tuple[()]] = ()


class Hidden(Struct, frozen=True):
    cards: tuple[tuple[Text, int], ...]
    pile: tuple[int, ...] = ()


GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]


def setup(seats: int, options: Options, deck: Inventions) -> GameState:
    if len(deck.cards) < seats * options.cards:
        raise Invalid("the deck has {n} cards, {least} are needed", n=len(deck.cards), least=seats * options.cards)
    cards = tuple((card.front, card.year) for card in deck.cards)
    return State(Public(options, seats, len(cards)), (Own(),) * seats, Hidden(cards))


def pending_chance(state: GameState) -> PendingChance | None:
    return None if state.hidden.pile or state.public.said else Shuffle(tuple(range(state.public.cards)))


def resolve_chance(state: GameState, outcome: tuple[int, ...]) -> GameState:
    pile = outcome[: state.public.seats * state.public.options.cards]
    return _dealt(state, pile, (), ())


def to_act(public: Public) -> tuple[int, ...]:
    return () if public.top is None else (len(public.said) % public.seats,)


def legal(view: GameView) -> tuple[Action, ...]:
    return (Say(early=True), Say(early=False)) if view.seat in to_act(view.public) else ()


def apply(state: GameState, seat: int, action: Action) -> GameState:
    if seat not in to_act(state.public):
        raise Illegal("It is not your turn.")
    front, year = state.hidden.cards[state.hidden.pile[0]]
    told = Said(seat, front, year, (year < YEAR) == action.early)
    return _dealt(state, state.hidden.pile[1:], (*state.public.said, told), (told,))


def _dealt(state: GameState, pile: tuple[int, ...], said: tuple[Said, ...], news: tuple[Said, ...]) -> GameState:
    p, hidden = state.public, state.hidden
    top = hidden.cards[pile[0]][0] if pile else None
    return State(Public(p.options, p.seats, p.cards, top, said, news), state.own, Hidden(hidden.cards, pile))


def result(public: Public) -> Result | None:
    if len(public.said) < public.seats * public.options.cards:
        return None
    points = tuple(sum(one.right for one in public.said if one.seat == seat) for seat in range(public.seats))
    places = sorted({*points}, reverse=True)
    ranking = tuple(tuple(seat for seat, own in enumerate(points) if own == place) for place in places)
    return Result(ranking, points, "played")


def imagine(view: GameView, dice: Dice, beliefs: object = None) -> GameState:
    p = view.public
    left = p.seats * p.options.cards - len(p.said)
    cards = ((p.top or Text("", ""), YEAR - 1 + dice.below(2)),) * p.cards
    return State(p, (Own(),) * p.seats, Hidden(cards, tuple(range(left)) if p.top else ()))
