"""The figures of a class's report: what was decided about each card, goal and pupil, in this lesson or in all.

Words and tables are made of them in `web.classroom.report`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.counts import Decided, LessonCount, Tally, added, share, together
from spieltisch.decks.exporting.objectives import Card, told
from spieltisch.decks.library import Library
from spieltisch.decks.text import Text, folded


class Figures(Struct, frozen=True):
    """How many claims were right, and how many errors went unnoticed (`passed`)."""

    right: int
    claims: int
    passed: int

    @property
    def share(self) -> tuple[float, float, float] | None:
        """The share that was right with its 95 % interval; None for too few claims."""
        return share(self.right, self.claims)


class Goal(Struct, frozen=True):
    """What was decided about the cards of a goal. `name` is "none" for cards without a goal, "gone" for cards whose
    deck or text is gone. `cards` are its tallies.
    """

    name: Text | Literal["none", "gone"]
    figures: Figures
    cards: tuple[Tally, ...]


class ClassReport(Struct, frozen=True):
    """What was decided in one lesson, or (`whole`) in all lessons of a class.

    While a game of the lesson runs, nothing is told of the lesson: the same cards may still lie hidden at a table.
    """

    room: Classroom
    count: LessonCount
    whole: bool
    tallies: tuple[Tally, ...]
    known: Mapping[str, Mapping[str, Card]]  # by deck and card

    @property
    def rows(self) -> Sequence[Decided]:
        """Every claim of this lesson."""
        return self.count.shown

    def card(self, deck: str, card: str) -> Card | None:
        """Return what is on a card; None if its deck is gone or no longer has it."""
        return self.known.get(deck, {}).get(card)

    @property
    def missed(self) -> list[Tally]:
        """The cards that the class did not know, worst first."""
        return sorted((one for one in self.tallies if one.missed), key=lambda one: (-one.missed, one.right, one.card))

    @property
    def all(self) -> Figures:
        """The figures of all cards together."""
        return _figures(self.tallies)

    @property
    def goals(self) -> list[Goal]:
        """The figures of each goal. A card with several goals counts for each."""
        found: dict[Text | Literal["none", "gone"], list[Tally]] = {}
        for tally in self.tallies:
            card = self.card(tally.deck, tally.card)
            names: Sequence[Text | Literal["none", "gone"]] = ["gone"] if card is None else card.goals or ["none"]
            for name in names:
                found.setdefault(name, []).append(tally)
        return [Goal(name, _figures(tallies), tuple(tallies)) for name, tallies in found.items()]

    @property
    def pupils(self) -> list[tuple[str, Figures]]:
        """The figures of each pupil of this lesson, by name."""
        found: dict[str, list[Decided]] = {}
        for row in self.rows:
            found.setdefault(row.name, []).append(row)
        return [(name, _figures(added((), found[name]))) for name in sorted(found, key=folded)]


def report(room: Classroom, count: LessonCount, library: Library, *, whole: bool) -> ClassReport:
    """Return the report of this lesson, or (`whole`) of all lessons."""
    rows = count.shown
    if whole:
        rows = [one for one in rows if not one.bot]
    slipped = () if whole and room.is_trial else room.slipped
    tallies = together(added(room.counts if whole else (), rows), slipped)
    ids: dict[str, list[str]] = {}
    for one in tallies:
        ids.setdefault(one.deck, []).append(one.card)
    return ClassReport(room, count, whole, tallies, {deck: told(library, deck, cards) for deck, cards in ids.items()})


def _figures(tallies: Iterable[Tally]) -> Figures:
    counted = [(one.right, one.claims, one.passed) for one in tallies]
    return Figures(*map(sum, zip(*counted, strict=True))) if counted else Figures(0, 0, 0)
