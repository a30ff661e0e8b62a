"""The contract between a game and everything around it: six words and a handful of functions.

A *seat* is a chair, numbered from 0. A *state* is everything, in three parts: `public` (anyone may know), `own[i]`
(what seat i also knows) and `hidden` (what nobody knows). A *view* is `public` plus one's own part; no filter makes it
that somebody could forget to call. An *action* is a frozen value. A *game* is a module with the functions of `Game`.
The *log* (options, deck, actions, outcomes) is the truth.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar, overload

import msgspec
from msgspec import Struct

from spieltisch.brief import Brief

T = TypeVar("T")


class HasNews(Protocol):
    """The public part of every game."""

    __struct_fields__: ClassVar[tuple[str, ...]]

    @property
    def news(self) -> tuple[Struct, ...]:
        """What the last step told everybody."""
        ...


class HasCards(Protocol):
    """Every deck."""

    @property
    def cards(self) -> Sequence[object]:
        """The cards; a card's number is its index here."""
        ...


# The types of a game. States and views never change, so those of a particular game are also those of any game.
P_co = TypeVar("P_co", bound=HasNews, covariant=True)  # the public part
O_co = TypeVar("O_co", bound=Struct, covariant=True)  # a seat's own part
H_co = TypeVar("H_co", bound=Struct, covariant=True)  # the hidden part
P = TypeVar("P", bound=HasNews)  # the same, for functions that both take and return them
O = TypeVar("O", bound=Struct)  # noqa: E741 - the letter the architecture uses for a seat's own part
H = TypeVar("H", bound=Struct)
X = TypeVar("X", bound=Struct)  # the options
D = TypeVar("D", bound=HasCards)  # the deck
A = TypeVar("A", bound=Struct)  # the union of actions
K_contra = TypeVar("K_contra", contravariant=True)  # what `imagine` may learn of the hidden part


class State(Brief, Generic[P_co, O_co, H_co], frozen=True, gc=False):
    """Everything at one moment. `own` has one part for each seat; `hidden` has cards, never dice or a seed."""

    public: P_co
    own: tuple[O_co, ...]
    hidden: H_co


class View(Brief, Generic[P_co, O_co], frozen=True, gc=False):
    """What one seat may know. A spectator has no seat and no own part."""

    seat: int | None
    public: P_co
    own: O_co | None


GameState = State[HasNews, Struct, Struct]
"""A state of any game."""
GameView = View[HasNews, Struct]
"""A view of any game."""


def see(state: State[P, O, H], seat: int | None) -> View[P, O]:
    """The view of a seat (None: a spectator). Written once, for all games."""
    return View(seat, state.public, None if seat is None else state.own[seat])


def own_news(view: GameView) -> tuple[Struct, ...]:
    """What the last step told the view's seat alone; empty where the game keeps no such news."""
    return getattr(view.own, "news", ())


class Shuffle(Struct, frozen=True, tag="shuffle"):
    """A shuffle of these items is due; its outcome is a tuple of them, the top of the pile first.

    `items` has a fixed order: the deck's at the set-up, that of the discards at a reshuffle.
    """

    items: tuple[int, ...]


class Pick(Struct, frozen=True, tag="pick"):
    """A number from 0 to n - 1 is due; its outcome is that number."""

    n: int


PendingChance = Shuffle | Pick
Outcome = tuple[int, ...] | int
Step = tuple[PendingChance, Outcome] | tuple[int, Struct]  # (due, outcome), or (seat, action)


class Result(Struct, frozen=True):
    """How a game ended.

    `ranking` has the places from 1 on, each with its seats in ascending order (None: no ranking), `scores` a number for
    each seat or None, and `end` the name of the reason in the record format.
    """

    ranking: tuple[tuple[int, ...], ...] | None
    scores: tuple[int, ...] | None
    end: str


class Refused(Exception):  # noqa: N818 - the three errors are named for what they say
    """A refusal with its reason: `text` is a message for translation, `values` fill its braces."""

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(text, values)
        self.text = text
        self.values = values

    def __str__(self) -> str:
        return self.text.format_map(self.values) if self.values else self.text

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), **self.values), (self.text,)  # for unpickling in another process


class Illegal(Refused):
    """The action breaks a rule in this state, or the seat is not to act."""


class Stale(Refused):
    """The answer belongs to a question that is no longer open."""


class Invalid(Refused):
    """Input (options, a deck, a record, a form) does not have the required shape."""


class Faulty(Refused):
    """The rules of a game do what no game may do. Players cannot mend it; whoever writes the game can."""


class Dice(Protocol):
    """The chance that search, bots and `imagine` may use."""

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1, each equally often."""
        ...

    def random(self) -> float:
        """A number in [0, 1)."""
        ...

    def shuffle(self, items: Iterable[T], /) -> tuple[T, ...]:
        """The items in a random order, each equally likely."""
        ...

    def choice(self, items: Sequence[T], /) -> T:
        """One of the items, each equally likely."""
        ...


class Game(Protocol[X, D, P, O, H, A, K_contra]):
    """The functions of a game's `rules` module: pure functions on frozen values, without any state of their own.

    The signatures guard the secrets: turn order and result take only `public`, `legal` and `imagine` only a view. While
    a chance outcome is pending, `to_act` is empty. If none is pending and `to_act` is empty, the game is over and
    `result` is not None.
    """

    @property
    def name(self) -> str:
        """The game's name in records: lower case with hyphens."""
        ...

    @property
    def version(self) -> int:
        """Raised when the same log would lead to another game."""
        ...

    @property
    def seats(self) -> range:
        """How many can play."""
        ...

    @property
    def Options(self) -> type[X]:  # noqa: N802 - a type
        """A frozen Struct with a default for every option, validated by its annotations."""
        ...

    @property
    def Deck(self) -> type[D]:  # noqa: N802 - a type
        """A frozen Struct with `cards`, a tuple; a card's number is its row there."""
        ...

    @property
    def Public(self) -> type[P]:  # noqa: N802 - a type
        """What anyone may know; has `news`, a tuple of records of what the last step told everybody."""
        ...

    @property
    def Own(self) -> type[O]:  # noqa: N802 - a type
        """What a seat knows besides."""
        ...

    @property
    def Action(self) -> object:  # noqa: N802 - a type
        """A union of frozen, tagged Structs."""
        ...

    def setup(self, seats: int, options: X, deck: D) -> State[P, O, H]:
        """The state before anything is dealt. Invalid, with the reason, where seats, options and deck do not go
        together.
        """
        ...

    def pending_chance(self, state: State[P, O, H], /) -> PendingChance | None:
        """The chance outcome that the game needs now."""
        ...

    def resolve_chance(self, state: State[P, O, H], outcome: Outcome, /) -> State[P, O, H]:
        """The state after this outcome of `pending_chance`, which the caller has thrown or checked (`dice.check`)."""
        ...

    def to_act(self, public: P, /) -> Sequence[int]:
        """The seats to act, ascending; several: any of them may be first."""
        ...

    def legal(self, view: View[P, O], /) -> Sequence[A]:
        """The actions open to the view's seat, a few hundred at most; empty if it is not to act."""
        ...

    def apply(self, state: State[P, O, H], seat: int, action: A, /) -> State[P, O, H]:
        """The state after the action; Illegal, with the reason, where it is not one of `legal`."""
        ...

    def result(self, public: P, /) -> Result | None:
        """How the game ended, None while it has not."""
        ...

    def imagine(self, view: View[P, O], dice: Dice, beliefs: K_contra | None = None) -> State[P, O, H]:
        """A world that fits the view: `see` of it is the view, and the game can be played on in it.

        Unseen cards are dealt uniformly to the unseen places. `beliefs` is what a thinker brings along (a table
        of forms, a belief per card).
        """
        ...


Rules = Game[Struct, HasCards, HasNews, Struct, Struct, Struct, object]
"""The rules of any game. Their values are given back to the game from which they came."""


def aliased(deck: D, order: Sequence[int]) -> D:
    """The deck with its rows in another order, so that a card's number tells nothing about the card."""
    cards = deck.cards
    return msgspec.structs.replace(deck, cards=tuple([cards[i] for i in order]))  # ty: ignore[invalid-argument-type] - a Struct


@overload
def read(raw: object, shape: type[T]) -> T: ...
@overload
def read(raw: object, shape: Any) -> Any: ...
def read(raw: object, shape: Any) -> Any:
    """`raw` (from JSON) as a value of the type `shape`; Invalid, saying where and why, if it is not one."""
    try:
        return msgspec.convert(raw, shape)
    except msgspec.ValidationError as error:
        raise Invalid("{reason}", reason=str(error)) from None
