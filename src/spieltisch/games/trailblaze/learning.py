"""How programs learn Trailblaze: what the numbers of an action and of a view mean."""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from spieltisch import package
from spieltisch.games.trailblaze.board import ROWS, Stone
from spieltisch.games.trailblaze.firsts import Firsts
from spieltisch.games.trailblaze.rules import STONES, scores
from spieltisch.games.trailblaze.state import (
    Action,
    Bonus,
    GameView,
    Keep,
    LeaveBonus,
    NoBonus,
    Options,
    Own,
    Place,
    Public,
    Replace,
    Skip,
    Swap,
    TakeBonus,
)
from spieltisch.package import Block

PHASES = ("swap", "take", "place", "bonus", "replace")
ALONE = (Keep, Swap, TakeBonus, LeaveBonus, Skip, NoBonus)
POINTS = 100  # so many or more count as 1


class Learning(package.Learning[Options, Firsts, Public, Own, Action]):
    """A pattern and a field. Seats are counted clockwise from one's own."""

    def __init__(self, seats: int, options: Options, deck: Firsts, told: int) -> None:
        self._seats, self._patterns, self._cards = seats, options.patterns, len(deck.cards)
        self._columns = columns = len(deck.periods)
        self._starts = [period.start for period in deck.periods]
        self._told = told > 0
        fields, k = len(ROWS) * columns, options.patterns
        self.actions = (
            Block("alone", len(ALONE), "keep, swap, take the bonus stone, leave it, place nothing, no bonus stone"),
            Block("place", k * fields, f"a stone of the pattern n // {fields} on the field n % {fields}, counted row "
                  "by row from the top left"),
            Block("bonus", fields, "the bonus stone on the field n"),
            Block("replace", k, "a stone of the pattern n for the bonus stone"),
        )  # fmt: skip
        each = "seat by seat, one's own first: "
        self.fields = (
            Block("phase", len(PHASES), f"what is to be done: {', '.join(PHASES)}"),
            Block("round", len(ROWS), "how many rows are open: one, two, …"),
            Block("turn", seats, "who is to act, one's own seat first"),
            Block("starter", seats, "who began the round"),
            Block("bonus", seats, "who holds the bonus stone"),
            Block("right", seats * fields, f"{each}the fields with a right stone"),
            Block("placed", seats * fields, f"{each}the fields with a stone of this round"),
            Block("patterns", seats * k, f"{each}how many of the stones of each pattern lie right"),
            Block("left", seats * k, f"{each}how many of the stones of each pattern are left"),
            Block("points", seats, f"{each}the points, 1 for {POINTS} or more"),
            Block("deck", 1, "how much of the deck is left"),
            Block("fronts", (seats + 2) * 2, f"{each}the card, then the middle card, then the top one of the deck: "
                  "whether one lies there, whether it is a joker"),
            *[Block("told", (seats + 2) * (1 + columns), "for the same cards whether one was told the year, and the "
                    "column of that year", own=True)] * self._told,
        )  # fmt: skip

    def numbers(self, view: GameView, legal: Sequence[Action]) -> Sequence[int]:
        columns, fields = self._columns, len(ROWS) * self._columns
        place = len(ALONE)
        bonus = place + self._patterns * fields
        found = []
        for action in legal:
            if isinstance(action, Place):
                found.append(place + (action.pattern - 1) * fields + (action.row - 1) * columns + action.column)
            elif isinstance(action, Bonus):
                found.append(bonus + (action.row - 1) * columns + action.column)
            elif isinstance(action, Replace):
                found.append(bonus + fields + action.pattern - 1)
            else:
                found.append(ALONE.index(type(action)))
        return found

    def draw(self, view: GameView, told: tuple[int | None, ...], into: "array[float]") -> None:
        p, seats, me = view.public, self._seats, view.seat or 0
        fields, k, most = len(ROWS) * self._columns, self._patterns, STONES // self._patterns
        if p.phase in PHASES:
            into[PHASES.index(p.phase)] = 1.0
        at = len(PHASES)
        if p.round:
            into[at + min(p.round, len(ROWS)) - 1] = 1.0
        at += len(ROWS)
        for who in (p.turn, p.starter, p.bonus):
            if who is not None:
                into[at + (who - me) % seats] = 1.0
            at += seats
        for stones in (p.board, p.placed):
            self._lay(stones, me, at, into)
            at += seats * fields
        lying = Counter((stone.seat, stone.pattern) for stone in p.board if stone.pattern is not None)
        for (seat, pattern), many in lying.items():
            into[at + (seat - me) % seats * k + (pattern or 1) - 1] = many / most
        at += seats * k
        for seat, left in enumerate(p.stones):
            for n, one in enumerate(left):
                into[at + (seat - me) % seats * k + n] = one / most
        at += seats * k
        for seat, parts in enumerate(scores(p)):
            into[at + (seat - me) % seats] = min(1.0, parts.total / POINTS)
        at += seats
        into[at] = p.deck / self._cards
        at += 1
        fronts = (*p.cards[me:], *p.cards[:me], p.middle, p.top)
        for n, front in enumerate(fronts):
            if front is not None:
                into[at + 2 * n] = 1.0
                into[at + 2 * n + 1] = front.joker
        at += 2 * len(fronts)
        for n, front in enumerate(fronts if told else ()):
            if front is not None and (year := told[front.card]) is not None:
                into[at + n * (1 + self._columns)] = 1.0
                into[at + n * (1 + self._columns) + 1 + self._column(year, front.joker)] = 1.0

    def _lay(self, stones: Iterable[Stone], me: int, at: int, into: "array[float]") -> None:
        fields = len(ROWS) * self._columns
        for stone in stones:
            field = (stone.row - 1) * self._columns + stone.column
            into[at + (stone.seat - me) % self._seats * fields + field] = 1.0

    def _column(self, year: int, joker: bool) -> int:
        """The column of a year; before the first period it is the first one."""
        return self._columns - 1 if joker else max(0, bisect_right(self._starts, year) - 1)
