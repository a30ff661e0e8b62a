"""A sensible player: it places where it believes the card to be, low down, and keeps to one pattern."""

import math
from collections.abc import Sequence
from typing import Any

from spieltisch.decks.firsts import Period
from spieltisch.dice import Dice
from spieltisch.game import View
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.moves import Bonus, Keep, Place, Replace, Swap, TakeBonus
from spieltisch.games.trailblaze.news import Front
from spieltisch.games.trailblaze.state import Belief, Own, Public

ROW = 1.5  # what a row or a column that one does not have yet is worth besides its points
COLUMN = 0.7
AGAIN = 0.6  # how much of its row a stone counts again by its pattern, about


def choose(view: View[Public, Own], legal: Sequence[Any], dice: Dice, knows: tuple[Belief, ...] | None) -> Any:
    """One of `legal`, by what is believed of the cards; without beliefs every column is as likely."""
    p, seat = view.public, view.seat
    assert seat is not None
    mine = [stone for stone in p.board if stone.seat == seat]
    match legal[0]:
        case Keep():
            return Swap() if _gain(p, seat, knows) > 0 else Keep()
        case TakeBonus():
            return TakeBonus()
        case Replace():
            return max(legal, key=lambda action: _liking(p, seat, action.pattern))
    card = p.cards[seat]
    assert card is not None
    odds = chances(card, p.periods, knows)
    patterns = {action.pattern for action in legal if isinstance(action, Place)}
    liked = max(patterns, key=lambda pattern: _liking(p, seat, pattern), default=None)

    def worth(action: Any) -> tuple[float, float]:
        if not isinstance(action, Place | Bonus):
            return (0.0, 0.0)
        return (odds[action.column] * _points(mine, action.row, action.column), dice.random())

    return max((a for a in legal if not isinstance(a, Place) or a.pattern == liked), key=worth)


def chances(card: Front, periods: Sequence[Period], knows: tuple[Belief, ...] | None) -> list[float]:
    """How likely each column is for an open card."""
    last = len(periods) - 1
    if card.joker:
        return [float(column == last) for column in range(last + 1)]
    if knows is None:
        return [1 / last] * last + [0.0]
    belief = knows[card.card]
    edges = [_below(period.start, belief) for period in periods[1:]]
    # the years before the first period are the first one's, those after the last but one hardly in the future
    odds = [upper - lower for lower, upper in zip([0.0, *edges[:-1]], edges, strict=True)]
    odds[-1] += 1 - edges[-1]
    return [*odds, 0.0]


def _below(year: int, belief: Belief) -> float:
    """How likely the card is from before this year."""
    return 1 / (1 + math.exp(min(max((belief.year + 0.5 - year) / belief.spread, -60), 60)))


def _gain(p: Public, seat: int, knows: tuple[Belief, ...] | None) -> float:
    """What swapping promises: a card that one is surer of; a second column too, if nobody has swapped yet."""
    card, middle = p.cards[seat], p.middle
    assert card is not None
    assert middle is not None
    keep = sorted(chances(card, p.periods, knows), reverse=True)
    swap = sorted(chances(middle, p.periods, knows), reverse=True)
    second = 0.8 * swap[1] if p.bonus is None else 0.0
    return swap[0] + second - keep[0]


def _points(mine: Sequence[Stone], row: int, column: int) -> float:
    """What a right stone there would be worth, about."""
    new_row = all(stone.row != row for stone in mine)
    new_column = all(stone.column != column for stone in mine)
    return row * (1 + AGAIN) + ROW * new_row + COLUMN * new_column


def _liking(p: Public, seat: int, pattern: int) -> float:
    """The pattern that already counts most, and of those the one of which most stones are left."""
    right = sum(stone.row + 10 for stone in p.board if stone.seat == seat and stone.pattern == pattern)
    return right * 100 + p.stones[seat][pattern - 1]
