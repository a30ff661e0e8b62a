"""The lines and cells of a file, before anything is known of a deck."""

import re
import unicodedata
from collections.abc import Mapping

from msgspec import Struct

from spieltisch.decks.dates import read_date
from spieltisch.decks.findings import Finding
from spieltisch.decks.lint.suggestions import is_calendar_day
from spieltisch.decks.text import composed
from spieltisch.game import Invalid

COLUMNS = 40  # at most in one line

Rows = list[tuple[int, list[str]]]


class Line(Struct, frozen=True):
    """A line of a sheet: its number, as the program that shows it counts, and its cells."""

    number: int
    cells: tuple[str, ...]


class Typed(Struct, frozen=True):
    """A date cell that may be a plain year which the spreadsheet took for a day: line, column, cell name, that year."""

    line: int
    place: int
    cell: str
    year: int

    def of(self, cells: Mapping[int, tuple[str, ...]]) -> str:
        """The text of this cell in these lines; "" if it is empty or absent."""
        here = cells.get(self.line, ())
        return here[self.place] if 0 <= self.place < len(here) else ""


class Numbered(Struct, frozen=True):
    """A sheet of a workbook, with what was found while reading it."""

    name: str
    rows: Rows
    found: list[Finding] = []
    typed: list[Typed] = []
    hidden: bool = False


class Sheet(Struct, frozen=True):
    """All lines that are not empty, and findings: wrong cells, and how the file was read."""

    lines: tuple[Line, ...]
    found: tuple[Finding, ...] = ()
    typed: tuple[Typed, ...] = ()


def clean(cell: str) -> str:
    """The text of a cell, with single spaces."""
    return re.sub(r"[ \t\r\n\f\v\x85\u2028\u2029]+", " ", composed(cell).replace("\ufeff", "")).strip()


def visible(cell: str) -> str:
    """The text without invisible characters (direction marks, soft hyphens, zero-width spaces), to read a date."""
    if cell.isascii():
        return cell
    return "".join(sign for sign in cell if unicodedata.category(sign) != "Cf")


def is_date(cell: str) -> bool:
    """Whether this reads as a date, or as a day in another order, such as 12/17/1903."""
    cell = visible(cell)
    try:
        read_date(cell)
    except Invalid:
        return is_calendar_day(cell)
    return True
