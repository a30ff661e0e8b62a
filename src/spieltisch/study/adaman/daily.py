"""Deals of the day: for every date the first of its numbers whose deal is proven to be winnable."""

import datetime as dt
from collections.abc import Iterator

from spieltisch.decks.decktet import decktet
from spieltisch.dice import Sealed, numbered
from spieltisch.game import Shuffle
from spieltisch.record import alias_order
from spieltisch.study.adaman.solver import Solver


def laid_out(number: int, cards: int) -> tuple[int, ...]:
    """The pile of a numbered deal as a table lays it out, in the deck's own numbers, top first."""
    seed = numbered("adaman", number)
    order, rows = alias_order(seed, cards), Sealed(seed, "deal").throw(Shuffle(tuple(range(cards))), 0)
    assert isinstance(rows, tuple)
    return tuple(order[row] for row in rows)


def deals(first: dt.date, days: int, seconds: float = 1.0) -> Iterator[tuple[dt.date, int]]:
    """Dates and numbers: the date's digits and one more, counted up until a deal is proven to be winnable."""
    deck = decktet()
    solver = Solver(deck)
    for day in (first + dt.timedelta(n) for n in range(days)):
        number = int(f"{day:%Y%m%d}0")
        while not solver.solve(laid_out(number, len(deck.cards)), seconds, best=False).winnable:
            number += 1
        yield day, number
