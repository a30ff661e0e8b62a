"""The table of forms as numbers, and what agrees with what.

A reading is a number from 0 to 29: a cell of the table of forms, row by row (`forms.CELLS`). A form is
a number too, in an order that tells nothing. A table of forms holds in each cell the number of the form
written there; it is kept as bytes, because bytes remember their hash and tables are looked up by it. Several
readings at once are the bits of a number: reading r is 1 << r.
"""

from collections.abc import Iterable
from functools import lru_cache

from spieltisch.games.hichaechoc.forms import CELLS

Table = bytes

READINGS = range(len(CELLS))


def agree(one: int, other: int) -> int:
    """In how many of case, number and gender two readings agree."""
    return sum(a == b for a, b in zip(CELLS[one], CELLS[other], strict=True))


BESIDE = tuple(tuple(other for other in READINGS if agree(one, other) == 2) for one in READINGS)
"""For every reading those that agree with it in exactly two criteria: seven of them."""


def readings(table: Table, form: int) -> tuple[int, ...]:
    """All readings that a written form has."""
    return tuple(cell for cell in READINGS if table[cell] == form)


def as_bits(cells: Iterable[int]) -> int:
    """These readings as the bits of one number."""
    return sum(1 << cell for cell in cells)


BITS = tuple(1 << cell for cell in READINGS)
FITTING = tuple(as_bits(beside) for beside in BESIDE)
"""`BESIDE` as bits: for every reading those that fit on it."""


def readings_of_all(table: Table) -> list[int]:
    """The readings of every form, as bits; none for the numbers that no form has."""
    found = [0] * len(CELLS)
    for form, bit in zip(table, BITS, strict=True):
        found[form] |= bit
    return found


@lru_cache(1024)
def fitting_on_any(beneath: int) -> int:
    """The readings that fit on at least one of these, as bits like them."""
    found = 0
    for bit, fitting in zip(BITS, FITTING, strict=True):
        if beneath & bit:
            found |= fitting
    return found
