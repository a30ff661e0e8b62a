"""Daily deals: for every date, its first number with a deal that is proven winnable."""

import datetime as dt
from collections.abc import Iterator

from spieltisch.dice import numbered_pile
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.engine.solver import Solver


def deals(first: dt.date, days: int, seconds: float = 1.0) -> Iterator[tuple[dt.date, int]]:
    """Dates and numbers: the date's digits and one more digit, counted up to the first deal proven winnable."""
    deck = decktet()
    solver = Solver(deck)
    for day in (first + dt.timedelta(n) for n in range(days)):
        number = int(f"{day:%Y%m%d}0")
        while not solver.solve(numbered_pile("adaman", number, len(deck.cards)), seconds, best=False).winnable:
            number += 1
        yield day, number
