"""The daily deals. `daily.txt` has a line for each day with its date and deal number, written by `spieltisch study
adaman daily`. All of them are proven winnable with the basic deck.
"""

import functools
from datetime import date
from pathlib import Path

from spieltisch import package
from spieltisch.game import Result
from spieltisch.games.adaman.news import ENDS
from spieltisch.games.adaman.rules import score
from spieltisch.games.adaman.state import Public
from spieltisch.i18n import N_, Translator


@functools.cache
def deals() -> dict[str, int]:
    """Deal numbers by date, for all days computed so far."""
    lines = (Path(__file__).parent / "daily.txt").read_text(encoding="utf-8").splitlines()
    return {day: int(number) for day, number in (line.split() for line in lines)}


@functools.cache
def _days() -> dict[int, str]:
    return {number: day for day, number in deals().items()}


class Daily(package.Daily):
    """A numbered deal of the basic deck."""

    pitch = N_("One deal, and it can be won: that is proven.")

    def said(self, public: Public, result: Result, seat: int, tr: Translator, *, helped: bool) -> str:  # noqa: ARG002
        """How it ended, the points, and whether there was help."""
        assert public.end is not None
        title, points = tr._(ENDS[public.end][0]), score(public)
        word = tr.ngettext("point", "points", points)
        said = [f"{title} {points} {word}."]
        if helped:
            said.append(tr._("With help."))
        return " ".join(said)

    def middle(self, figure: int, tr: Translator) -> str:
        """Points."""
        return tr.ngettext("median {n} point", "median {n} points", figure).format(n=figure)

    def number(self, day: date) -> int:
        """The deal number of the day; 0 if it has none."""
        return deals().get(day.isoformat(), 0)

    def day(self, number: int) -> date | None:
        """The day whose deal this is."""
        found = _days().get(number)
        return None if found is None else date.fromisoformat(found)
