"""What a file is read into: lines of text, with their numbers in the file."""

from collections.abc import Mapping

from msgspec import Struct

from spieltisch.decks.findings import Finding

Rows = list[tuple[int, list[str]]]


class Line(Struct, frozen=True):
    """A line of a sheet: its number, counted as the program counts that shows it, and what stands in its cells."""

    number: int
    cells: tuple[str, ...]


class Typed(Struct, frozen=True):
    """A date cell that may show a day only because somebody typed a year into it: line, place, name, and that year."""

    line: int
    place: int
    cell: str
    year: int

    def of(self, cells: Mapping[int, tuple[str, ...]]) -> str:
        """What stands there in these lines; "" where nothing does."""
        here = cells.get(self.line, ())
        return here[self.place] if 0 <= self.place < len(here) else ""


class Numbered(Struct, frozen=True):
    """A sheet of a workbook: its name, its rows with their numbers, what was found in it, and whether it is hidden."""

    name: str
    rows: Rows
    found: list[Finding] = []
    typed: list[Typed] = []
    hidden: bool = False


class Sheet(Struct, frozen=True):
    """The lines in which something stands, and what was found: wrong cells, and how the file was read."""

    lines: tuple[Line, ...]
    found: tuple[Finding, ...] = ()
    typed: tuple[Typed, ...] = ()
