"""Cards on the table: event side up in a hand or the chain, or turned over by a doubt.

A card with an unknown date carries its number, so that moves can name it. A card that was turned over has its date but
no number: nothing links it to a card that returns after a reshuffle (§R6).
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
    """A card in the chain, and who laid it there (None: it came from the pile)."""

    card: Card
    by: int | None


class Shown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A card in a chain that was turned over."""

    front: Text
    date: Text
    span: Span
    comment: Text
    source: str
    by: int | None
    corrected: str = ""  # day of its last correction


class Reveal(Struct, frozen=True, gc=False):
    """A doubt and its outcome, earliest card on top.

    `wrong` are the places of all pairs (above, below) that cannot be in this order (§R5). `at_once`: the doubt came by
    itself, after a last card (§6).
    """

    doubter: int
    last: int
    at_once: bool
    rows: tuple[Shown, ...]
    wrong: tuple[tuple[int, int], ...]

    @property
    def correct(self) -> bool:
        """Whether one year of each span can be picked so that they never decrease from top to bottom (§2)."""
        return not self.wrong


def show(event: Event, by: int | None) -> Shown:
    """The card, turned over."""
    return Shown(event.front, event.date, event.span, event.comment, event.source, by, event.corrected)


def wrong_pairs(spans: tuple[Span, ...]) -> tuple[tuple[int, int], ...]:
    """The places of all pairs of cards with the upper one certainly later."""
    return tuple(
        (above, below)
        for below in range(len(spans))
        for above in range(below)
        if certainly_later(spans[above], spans[below])
    )


def misplaced(spans: tuple[Span, ...]) -> tuple[int, ...]:
    """The places of the fewest cards to move for a right chain: all but a longest run with years that never decrease
    (§2).
    """
    # rows[n]: the earliest end of a run of n cards, and their places; each card takes its earliest possible year
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
