"""The solver of deals with a known pile, made by `engine.solver` (compiled) or `plain.solver`.

    solver = Solver(deck)
    found = solver.solve(cards)      # the shuffle, top first: numbers of the deck's cards

Answers are exact. A win comes with its line; a loss and a best score are proven by exhaustive search. None means
undecided in time.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, Self

from msgspec import Struct

from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.state import Action, Control, Excuse

ALWAYS = 1 << 30

Start = tuple[int, int, int]  # a position: cards drawn, the capital, palace and resources (`engine.kernel`)


class Solution(Struct, frozen=True):
    """`best` is the highest score that any play reaches; `line` plays to the best end that was found."""

    winnable: bool | None
    best: int | None
    line: tuple[Action, ...]
    score: int | None = None  # the line's score
    positions: int = 0  # visited by exhaustive search, not by beams


class Search(Protocol):
    """One deal being solved: the best end so far (-1: none), and whether nothing better is left.

    `over` is the score if the game is over already. Both searches look for a score of at least `goal`, until they find
    one of `enough`. Exhaustive search continues where the search for the same goal stopped.
    """

    over: int | None
    score: int
    exhausted: bool

    @property
    def line(self) -> Any:
        """A sequence of moves, each with its target and payment as bits."""
        ...

    @property
    def positions(self) -> int: ...

    def beam_search(self, width: int, goal: int, enough: int = ALWAYS) -> None: ...

    def depth_first(self, goal: int, enough: int = ALWAYS, slices: int = ALWAYS) -> None: ...


class Solver(ABC):
    """Solves deals of one deck, whose personalities have ranks worth `total`.

    `widths` are the beam widths; `early` slices of exhaustive search come before the widest beam. Limits in processor
    seconds: `for_deal` for a deal by its number, `for_moment` for a moment of a finished game, `for_game` for all
    moments of a game.
    """

    widths: tuple[int, ...]
    early: int
    for_deal: float
    for_moment: float
    for_game: float
    total: int
    excuse: int
    _kept: ClassVar[threading.local]  # one for each maker

    def __init_subclass__(cls) -> None:
        cls._kept = threading.local()

    @abstractmethod
    def __init__(self, deck: Deck) -> None: ...

    @classmethod
    def of(cls, deck: Deck) -> Self:
        """The calling thread's solver of this deck. A thread caches only its last one, as it may need much memory."""
        last = getattr(cls._kept, "last", None)
        if last is None or last[0] != deck:
            cls._kept.last = last = None  # frees its memory first
            cls._kept.last = last = deck, cls(deck)
        return last[1]

    @abstractmethod
    def search(self, cards: Sequence[int], seconds: float, start: Start | None) -> Search:
        """A search of this deal, not yet begun."""

    def solve(
        self, cards: Sequence[int], seconds: float = 10.0, *, best: bool = True, start: Start | None = None
    ) -> Solution:
        """Solve a deal within processor `seconds`. With `best`, use the rest of them to look for the best score.
        `start`: a position of the deal to start from.
        """
        search = self.search(cards, seconds, start)
        if search.over is not None:
            return Solution(search.over >= self.total, search.over, (), search.over)
        win = self.total  # winning everybody over wins
        *narrow, widest = range(len(self.widths))
        for width in narrow:
            search.beam_search(width, win, win)
        search.depth_first(win, win, self.early)
        search.beam_search(widest, win, win)
        search.depth_first(win, win)
        winnable = True if search.score >= win else False if search.exhausted else None
        if best and winnable is not None:
            search.exhausted = False
            for width in range(len(self.widths)):
                search.beam_search(width, search.score + 1)
            search.depth_first(search.score + 1)
        proven = best and winnable is not None and search.exhausted
        return Solution(
            winnable,
            search.score if proven else None,
            tuple(self._action(int(target), int(payment)) for target, payment in search.line),
            search.score if len(search.line) else None,
            search.positions,
        )

    def _action(self, target: int, payment: int) -> Action:
        cards = tuple(card for card in range(payment.bit_length()) if payment >> card & 1)
        return Excuse(cards[0]) if target == self.excuse else Control(target.bit_length() - 1, cards)
