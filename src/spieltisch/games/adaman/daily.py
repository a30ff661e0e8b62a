"""The deals of the day. `daily.txt` has a line a day, the date and the number of its deal, as `spieltisch study adaman
daily` makes it. All of these are proven to be winnable with the basic deck.
"""

import functools
from datetime import date
from pathlib import Path

from spieltisch import package
from spieltisch.i18n import N_, Translator


@functools.cache
def deals() -> dict[str, int]:
    """The numbers by date, as far as they have been worked out."""
    lines = (Path(__file__).parent / "daily.txt").read_text(encoding="utf-8").splitlines()
    return {day: int(number) for day, number in (line.split() for line in lines)}


@functools.cache
def _days() -> dict[int, str]:
    return {number: day for day, number in deals().items()}


class Daily(package.Daily):
    """A numbered deal of the basic deck."""

    pitch = N_("One deal, and it can be won: that is proven.")

    def middle(self, figure: int, tr: Translator) -> str:
        """Points."""
        return tr.ngettext("median {n} point", "median {n} points", figure).format(n=figure)

    def number(self, day: date) -> int:
        """The number of this day's deal, 0 if it has none."""
        return deals().get(day.isoformat(), 0)

    def day(self, number: int) -> date | None:
        """The day whose deal this is."""
        found = _days().get(number)
        return None if found is None else date.fromisoformat(found)
