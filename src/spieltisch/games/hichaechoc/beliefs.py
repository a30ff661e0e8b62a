"""A bot's level and, for a strict table, its own memory of the forms."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from spieltisch import package
from spieltisch.dice import Dice
from spieltisch.games.hichaechoc.agreement import Table
from spieltisch.games.hichaechoc.forms import CELLS, Paradigm
from spieltisch.games.hichaechoc.state import Hidden
from spieltisch.i18n import N_

LEVELS = {"discipula": N_("Pupil"), "magister": N_("Teacher"), "grammaticus": N_("Grammarian")}
SLIPS = {"discipula": 0.6, "magister": 0.15, "grammaticus": 0.0}  # probability of each classical confusion

CONFUSED = ({"dat", "abl"}, {"nom", "acc"}, {"gen", "dat"}, {"m", "n"}, {"m", "f"})
"""Cases and genders that are easily confused, all else equal."""


class Mind(Struct, frozen=True):
    """A level of play, and the table of forms as the bot remembers it; None if it lies open."""

    level: str
    table: Table | None


def differ(one: int, other: int) -> set[str]:
    """The values in which two cells differ."""
    return {*CELLS[one]} ^ {*CELLS[other]}


PAIRS = tuple(combinations(range(len(CELLS)), 2))
MISTAKEN = tuple(
    tuple(other for other in range(len(CELLS)) if differ(cell, other) in CONFUSED) for cell in range(len(CELLS))
)
"""For every cell: those that are easily mistaken for it."""


class Beliefs(package.Beliefs[Paradigm, Hidden, Mind, Sequence[int | None]]):
    """A level of play and, for a strict table, the table of forms with a few cells mixed up."""

    def form(self, hidden: Hidden, dice: Dice, level: str) -> Mind:
        """The table of forms with a few cells mixed up, once per bot."""
        if hidden.table is None:
            return Mind(level, None)
        table = bytearray(hidden.table)
        for pair in CONFUSED:
            if dice.random() < SLIPS[level]:
                one, other = dice.choice([cells for cells in PAIRS if differ(*cells) == pair])
                table[one], table[other] = table[other], table[one]
        return Mind(level, bytes(table))

    def secrets(self, hidden: Hidden, /) -> tuple[int, ...]:
        """The form of every cell; nothing if the table of forms lies open."""
        return tuple(hidden.table or ())

    def told(self, secrets: tuple[int, ...], which: int, sigma: float, chance: float) -> int:
        """Each cell gets the form of an easily confused one with probability `sigma`."""
        if chance >= sigma:
            return secrets[which]
        others = MISTAKEN[which]
        return secrets[others[int(chance / sigma * len(others))]]

    def guessed(self, told: int, sigma: float, chance: float) -> int | None:
        return None if chance < sigma else told

    def trusting(self, secrets: Sequence[int | None]) -> Sequence[int | None]:
        return tuple(secrets)

    def compared(self, deck: Paradigm, hidden: Hidden, beliefs: Mind, /) -> Iterator[tuple[str, str, str, None]]:
        if hidden.table is None or beliefs.table is None:
            return
        forms = deck.forms()
        for cell, true, believed in zip(CELLS, hidden.table, beliefs.table, strict=True):
            yield ".".join(cell), forms[hidden.table.index(true)], forms[hidden.table.index(believed)], None
