"""Cards as they lie on the table: event side up in a hand or in the chain, or turned over by a doubt.

A card of which the date is not known has its number with it, so that it can be named in a move. A card that
was turned over has its date and no number: nothing ties it to a card that comes back after a reshuffle (§R6).
"""

from math import inf

from msgspec import Struct

from spieltisch.decks.dates import Span, certainly_later
from spieltisch.decks.text import Text
from spieltisch.games.annodomini.events import Event


class Card(Struct, frozen=True, gc=False):
    """A card, event side up. Its number is its row in the table's deck."""

    number: int
    front: Text


class Laid(Struct, frozen=True, gc=False):
    """A card of the chain and who laid it there (None: it came from the pile)."""

    card: Card
    by: int | None


class Shown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A card of a chain that has been turned over."""

    front: Text
    date: Text
    span: Span
    comment: Text
    source: str
    by: int | None
    corrected: str = ""  # the day of its last correction


class Reveal(Struct, frozen=True, gc=False):
    """A doubt and what it brought to light, earliest on top.

    `wrong` are the places of all pairs (above, below) that cannot be in this order (§R5); `at_once` says that
    the doubt came by itself, because somebody had laid a last card (§6).
    """

    doubter: int
    last: int
    at_once: bool
    rows: tuple[Shown, ...]
    wrong: tuple[tuple[int, int], ...]

    @property
    def correct(self) -> bool:
        """Years can be picked out of the spans that never decrease from top to bottom (§2)."""
        return not self.wrong


def show(event: Event, by: int | None) -> Shown:
    """The card, turned over."""
    return Shown(event.front, event.date, event.span, event.comment, event.source, by, event.corrected)


def wrong_pairs(spans: tuple[Span, ...]) -> tuple[tuple[int, int], ...]:
    """The places of every two cards of which the upper one is certainly the later."""
    return tuple(
        (above, below)
        for below in range(len(spans))
        for above in range(below)
        if certainly_later(spans[above], spans[below])
    )


def misplaced(spans: tuple[Span, ...]) -> tuple[int, ...]:
    """The places of the fewest cards that would have to move for the chain to be right: all but a longest row in which
    the years never decrease (§2).
    """
    # rows[n]: how early a row of n cards can end, and their places; each card takes its earliest year that is left
    rows: list[tuple[float, tuple[int, ...]]] = [(-inf, ())]
    for place, span in enumerate(spans):
        for n in range(len(rows) - 1, -1, -1):
            end, places = rows[n]
            if end > span.end:
                continue
            longer = (max(end, span.start), (*places, place))
            if n + 1 == len(rows):
                rows.append(longer)
            elif longer[0] < rows[n + 1][0]:
                rows[n + 1] = longer
    kept = rows[-1][1]
    return tuple(place for place in range(len(spans)) if place not in kept)
