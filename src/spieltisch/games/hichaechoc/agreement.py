"""The table of forms as numbers, and what agrees with what.

A reading is a number from 0 to 29: a cell of the table of forms, row by row (`decks.forms.CELLS`). A form is
a number too, in an order that tells nothing. A table of forms holds in each cell the number of the form
written there; it is kept as bytes, because bytes remember their hash and tables are looked up by it.
"""

from spieltisch.decks.forms import CELLS

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


def fitting(table: Table, form: int, beneath: tuple[int, ...]) -> tuple[int, ...]:
    """The readings of a form that agree in exactly two criteria with one of those beneath it."""
    return tuple(cell for cell in readings(table, form) if any(cell in BESIDE[under] for under in beneath))
