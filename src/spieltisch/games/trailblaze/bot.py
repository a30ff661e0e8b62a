"""A bot that estimates what a card, a field and a pattern add to its final score."""

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from spieltisch import package
from spieltisch.decks.dates import Span
from spieltisch.decks.text import Text
from spieltisch.dice import Dice
from spieltisch.games.trailblaze.beliefs import LEVELS, TODAY
from spieltisch.games.trailblaze.board import rows_for
from spieltisch.games.trailblaze.firsts import Period
from spieltisch.games.trailblaze.news import Front
from spieltisch.games.trailblaze.state import (
    Action,
    Belief,
    Bonus,
    GameView,
    Keep,
    Own,
    Place,
    Public,
    Replace,
    Swap,
    TakeBonus,
)

ROW = 2.0  # bonus value of the first right stone in a row: all six rows score five
COLUMN = 1.0  # the same for a column
AGAIN = 0.1  # average share of its row that a stone scores again by its pattern
LATER = 3.2  # rough points that each remaining stone adds to its pattern


class Thought(Struct, frozen=True):
    """The reason for a stone: the believed years of its card, and the probability of its column."""

    round: int
    seat: int
    years: Span
    period: Text
    chance: float


class Bot(package.Bot[Public, Own, Action, tuple[Belief, ...], Thought]):
    """Estimates what a card, a field and a pattern add to its final score."""

    levels = LEVELS

    def choose(
        self, view: GameView, legal: Sequence[Action], dice: Dice, beliefs: tuple[Belief, ...] | None = None
    ) -> Any:
        """Return one of `legal` by the beliefs; without beliefs, every column is equally likely."""
        p, seat = view.public, view.seat
        assert seat is not None
        match legal[0]:
            case Keep():
                return Swap() if _gain(p, seat, beliefs) > 0 else Keep()
            case TakeBonus():
                return TakeBonus()
            case Replace():
                row = p.placed[0].row
                return max(legal, key=lambda action: _with_pattern(p, seat, action.pattern, 1.0, row))
        card = p.cards[seat]
        assert card is not None
        odds = chances(card, p.periods, beliefs)

        def worth(action: Action) -> tuple[float, float]:
            if not isinstance(action, Place | Bonus):
                return (0.0, 0.0)
            chance = odds[action.column]
            promised = chance * _points(p, seat, action.row, action.column)
            if isinstance(action, Place):
                promised += _with_pattern(p, seat, action.pattern, chance, action.row)
            return (promised, dice.random())

        return max(legal, key=worth)

    def explain(self, view: GameView, action: Action, beliefs: tuple[Belief, ...] | None) -> Thought | None:
        """The bot's reasons, to be shown after the game; None if there is little to tell."""
        p, seat = view.public, view.seat
        assert seat is not None
        card = p.cards[seat]
        if not isinstance(action, Place) or beliefs is None or card is None or card.joker:
            return None
        belief = beliefs[card.card]
        off = round(belief.spread)
        years = Span(belief.year - off, min(belief.year + off, TODAY))
        chance = chances(card, p.periods, beliefs)[action.column]
        return Thought(p.round, seat, years, p.periods[action.column].name, chance)


def chances(card: Front, periods: Sequence[Period], beliefs: tuple[Belief, ...] | None) -> list[float]:
    """The probability of each column for an open card."""
    last = len(periods) - 1
    if card.joker:
        return [float(column == last) for column in range(last + 1)]
    if beliefs is None:
        return [1 / last] * last + [0.0]
    belief = beliefs[card.card]
    edges = [_below(period.start, belief) for period in periods[1:]]
    # years before the first period belong to it; later ones rarely mean the future
    odds = [upper - lower for lower, upper in zip([0.0, *edges[:-1]], edges, strict=True)]
    odds[-1] += 1 - edges[-1]
    return [*odds, 0.0]


def _below(year: int, belief: Belief) -> float:
    """The probability that the card is from before this year."""
    return 1 / (1 + math.exp(min(max((belief.year + 0.5 - year) / belief.spread, -60), 60)))


def _gain(p: Public, seat: int, beliefs: tuple[Belief, ...] | None) -> float:
    """The expected gain from the middle card over the own card, with the bonus stone if nobody has swapped."""
    card, middle = p.cards[seat], p.middle
    assert card is not None
    assert middle is not None
    first, second = _promises(p, seat, middle, beliefs)[:2]
    return first + (second if p.bonus is None else 0.0) - _promises(p, seat, card, beliefs)[0]


def _promises(p: Public, seat: int, card: Front, beliefs: tuple[Belief, ...] | None) -> list[float]:
    """The expected points of a stone on the best field of each column, best column first."""
    odds = chances(card, p.periods, beliefs)
    best = (
        max((_points(p, seat, row, column) for row in rows_for(p.board, column, p.round)), default=0.0)
        for column in range(len(p.periods))
    )
    return sorted((chance * points for chance, points in zip(odds, best, strict=True)), reverse=True)


def _points(p: Public, seat: int, row: int, column: int) -> float:
    """The rough value of a right stone there, whatever its pattern."""
    mine = [stone for stone in p.board if stone.seat == seat]
    new_row = all(stone.row != row for stone in mine)
    new_column = all(stone.column != column for stone in mine)
    return row * (1 + AGAIN) + ROW * new_row + COLUMN * new_column


def _with_pattern(p: Public, seat: int, pattern: int, chance: float, row: int) -> float:
    """The most that a pattern can still score if a stone of it goes there. Sure and high rows share a pattern; the
    others use patterns that hardly score any more.
    """
    promise = []
    for number, left in enumerate(p.stones[seat], start=1):
        right = sum(stone.row for stone in p.board if stone.seat == seat and stone.pattern == number)
        promise.append(right + LATER * left + (chance * row - LATER) * (number == pattern))
    return max(promise)
