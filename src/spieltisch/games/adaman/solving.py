"""The solver of deals whose pile is known, whoever makes it: `engine.solver`, compiled, or `plain.solver`.

    solver = Solver(deck)
    found = solver.solve(cards)      # the shuffle, top first: numbers of the deck's cards

What is said is exact: a win is shown by its line, a loss and a best score are proven by exhaustive search. What is
not decided within the time is None.
"""

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
    score: int | None = None  # what the line comes to
    positions: int = 0  # looked at one by one, beams not counted


class Search(Protocol):
    """One deal being solved: the best end found so far (-1: none), and whether nothing better can be left.

    `over` is the score where the game is over already. Both ways to search look for a score of `goal` at least, until
    one of `enough` is found. Searching exhaustively goes on where the search for the same goal was left.
    """

    over: int | None
    score: int
    exhausted: bool

    @property
    def line(self) -> Any:
        """Target and payment of each move, as bits; a sequence."""
        ...

    @property
    def positions(self) -> int: ...

    def beam_search(self, width: int, goal: int, enough: int = ALWAYS) -> None: ...

    def depth_first(self, goal: int, enough: int = ALWAYS, slices: int = ALWAYS) -> None: ...


class Solver(ABC):
    """Solves one deal after the other, of a deck with personalities of ranks worth `total`.

    `widths` are the beams'; `early` slices of exhaustive search come before the widest one. Of the processor's seconds
    a deal that is asked for by its number may take `for_deal`, a moment of a finished game `for_moment`, all moments of
    a game `for_game`.
    """

    widths: tuple[int, ...]
    early: int
    for_deal: float
    for_moment: float
    for_game: float
    total: int
    excuse: int
    _last: ClassVar[tuple[Deck, Self] | None] = None  # of each maker

    @abstractmethod
    def __init__(self, deck: Deck) -> None: ...

    @classmethod
    def of(cls, deck: Deck) -> Self:
        """The solver of this deck. Only the last one is kept, for it may take much room."""
        if cls._last is None or cls._last[0] != deck:
            cls._last = None  # before the next one is made
            cls._last = deck, cls(deck)
        return cls._last[1]

    @abstractmethod
    def search(self, cards: Sequence[int], seconds: float, start: Start | None) -> Search:
        """A deal to be solved, not yet begun."""

    def solve(
        self, cards: Sequence[int], seconds: float = 10.0, *, best: bool = True, start: Start | None = None
    ) -> Solution:
        """`seconds`: of the processor. `best`: look for the best score, too, in what is left of them. `start`: not from
        the deal but from this position of it.
        """
        search = self.search(cards, seconds, start)
        if search.over is not None:
            return Solution(search.over >= self.total, search.over, (), search.over)
        win = self.total  # who has won over everybody has won
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
