"""Deals of the day: for every date the first of its numbers whose deal is proven to be winnable."""

import datetime as dt
from collections.abc import Iterator

from spieltisch.dice import numbered_pile
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.engine.solver import Solver


def deals(first: dt.date, days: int, seconds: float = 1.0) -> Iterator[tuple[dt.date, int]]:
    """Dates and numbers: the date's digits and one more, counted up until a deal is proven to be winnable."""
    deck = decktet()
    solver = Solver(deck)
    for day in (first + dt.timedelta(n) for n in range(days)):
        number = int(f"{day:%Y%m%d}0")
        while not solver.solve(numbered_pile("adaman", number, len(deck.cards)), seconds, best=False).winnable:
            number += 1
        yield day, number
