"""The deal of the day: the same for everybody, and proven to be winnable with the basic deck.

`daily.txt` has a line a day, the date and the number of its deal; `spieltisch study adaman daily` makes it.
"""

import datetime as dt
import functools
from pathlib import Path


@functools.cache
def deals() -> dict[str, int]:
    """The numbers by date, as far as they have been worked out."""
    lines = (Path(__file__).parent / "daily.txt").read_text(encoding="utf-8").splitlines()
    return {date: int(number) for date, number in (line.split() for line in lines)}


def number(day: dt.date) -> int:
    """The number of this day's deal, 0 if it has none."""
    return deals().get(day.isoformat(), 0)


def proven(number: int) -> bool:
    """Whether the deal of this number is one of them, and so can be won."""
    return number in deals().values()
