"""The rules of Matches (a game of Nim): in turn, each takes one to three matches; whoever takes the last one loses."""

from typing import Annotated

from msgspec import Meta, Struct

from spieltisch.dice import Dice
from spieltisch.game import Illegal, Invalid, Outcome, Pick, Result, State, View
from spieltisch.i18n import N_, Translator

name = "matches"
version = 1
seats = range(2, 3)

MOST = 3


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    matches: Annotated[int, Meta(ge=5, le=21)] = 11
    last_wins: bool = False


class Deck(Struct, frozen=True):
    """There are no cards."""

    cards: tuple[()] = ()


DECK = Deck()


class Take(Struct, frozen=True, tag=True):
    n: int

    def __str__(self) -> str:
        return f"take {self.n}"


Action = Take


class Began(Struct, frozen=True, tag=True):
    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} begins."), N_("You begin."))


class Took(Struct, frozen=True, tag=True):
    seat: int
    n: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        if self.seat == tr.me:
            return tr.ngettext("You take {n} match.", "You take {n} matches.", self.n).format(n=self.n)
        words = tr.ngettext("{name} takes {n} match.", "{name} takes {n} matches.", self.n)
        return words.format(name=tr.name(self.seat), n=self.n)


News = Began | Took


class Public(Struct, frozen=True):
    options: Options
    left: int
    turn: int | None = None
    news: tuple[News, ...] = ()


class Own(Struct, frozen=True):
    """Nothing, since everything is open."""


class Hidden(Struct, frozen=True):
    """Nothing, since everything is open."""


GameState = State[Public, Own, Hidden]
GameView = View[Public, Own]


def setup(seats: int, options: Options, deck: Deck) -> GameState:
    if seats != 2:
        raise Invalid("Matches is for two players, not for {n}", n=seats)
    return State(Public(options, options.matches), (Own(), Own()), Hidden())


def pending_chance(state: GameState) -> Pick | None:
    """Draw the seat that begins."""
    return Pick(2) if state.public.turn is None else None


def resolve_chance(state: GameState, outcome: Outcome) -> GameState:
    assert isinstance(outcome, int)
    p = state.public
    return State(Public(p.options, p.left, outcome, (Began(outcome),)), state.own, state.hidden)


def to_act(public: Public) -> tuple[int, ...]:
    return () if public.turn is None or not public.left else (public.turn,)


def legal(view: GameView) -> tuple[Action, ...]:
    if view.seat is None or view.seat not in to_act(view.public):
        return ()
    return tuple(Take(n) for n in range(1, min(MOST, view.public.left) + 1))


def apply(state: GameState, seat: int, action: Action) -> GameState:
    p = state.public
    if seat not in to_act(p):
        raise Illegal("It is not your turn.")
    if not 1 <= action.n <= min(MOST, p.left):
        raise Illegal("Take one to three of the matches that are left.")
    return State(Public(p.options, p.left - action.n, 1 - seat, (Took(seat, action.n),)), state.own, state.hidden)


def result(public: Public) -> Result | None:
    if public.left or public.turn is None:
        return None
    winner = 1 - public.turn if public.options.last_wins else public.turn  # the other seat took the last one
    return Result(((winner,), (1 - winner,)), None, "last-match")


def imagine(view: GameView, dice: Dice, beliefs: object = None) -> GameState:
    return State(view.public, (Own(), Own()), Hidden())
