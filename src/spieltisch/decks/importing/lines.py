"""What a file is read into: lines of text, with their numbers in the file."""

from msgspec import Struct

from spieltisch.decks.findings import Finding

Rows = list[tuple[int, list[str]]]


class Line(Struct, frozen=True):
    """A line of a sheet: its number, counted as the program counts that shows it, and what stands in its cells."""

    number: int
    cells: tuple[str, ...]


class Numbered(Struct, frozen=True):
    """A sheet of a workbook: its name, its rows with their numbers, and what was found in it."""

    name: str
    rows: Rows
    found: list[Finding] = []


class Sheet(Struct, frozen=True):
    """The lines in which something stands, and what was found: wrong cells, and how the file was read."""

    lines: tuple[Line, ...]
    found: tuple[Finding, ...] = ()
