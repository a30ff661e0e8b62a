"""The table of forms as numbers, and which readings agree.

A reading is a number from 0 to 29: a cell of the table of forms, row by row (`forms.CELLS`). A form is a number, too,
in an order that reveals nothing. A table of forms holds the number of the form in each cell. It is stored as bytes,
because bytes cache their hash and tables serve as keys. Several readings at once are the bits of a number: reading r is
1 << r.
"""

from collections.abc import Iterable
from functools import lru_cache

from spieltisch.games.hichaechoc.forms import CELLS

Table = bytes

READINGS = range(len(CELLS))
JOKER = len(CELLS)
"""The joker's number. Forms have lower ones."""


def agree(one: int, other: int) -> int:
    """The number of criteria (case, number, gender) in which two readings agree."""
    return sum(a == b for a, b in zip(CELLS[one], CELLS[other], strict=True))


BESIDE = tuple(tuple(other for other in READINGS if agree(one, other) == 2) for one in READINGS)
"""For every reading: the seven that agree with it in exactly two criteria."""


def readings(table: Table, form: int) -> tuple[int, ...]:
    """All readings of a written form."""
    return tuple(cell for cell in READINGS if table[cell] == form)


def as_bits(cells: Iterable[int]) -> int:
    """These readings as the bits of one number."""
    return sum(1 << cell for cell in cells)


BITS = tuple(1 << cell for cell in READINGS)
FITTING = tuple(as_bits(beside) for beside in BESIDE)
"""`BESIDE` as bits: for every reading, those that fit on it."""


def readings_of_all(table: Table) -> list[int]:
    """The readings of every form, as bits; none for unused numbers."""
    found = [0] * len(CELLS)
    for form, bit in zip(table, BITS, strict=True):
        found[form] |= bit
    return found


@lru_cache(1024)
def fitting_on_any(beneath: int) -> int:
    """The readings, as bits, that fit on at least one of these."""
    found = 0
    for bit, fitting in zip(BITS, FITTING, strict=True):
        if beneath & bit:
            found |= fitting
    return found
