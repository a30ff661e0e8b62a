"""Workbooks (XLSX, ODS) from anywhere: unpacked and looked through within limits, before they are read.

A packed file can hold far more than its size tells, and a single cell far outside can claim a huge sheet. So the
parts are unpacked here, measured, and handed to the reader as they were measured. Formulas are named, not run.
"""

import datetime as dt
import io
import re
import zipfile
import zlib
from typing import Any
from xml.parsers import expat

from msgspec import Struct
from python_calamine import CalamineError, CalamineWorkbook

from spieltisch.decks.findings import Finding, message
from spieltisch.decks.importing.lines import Numbered
from spieltisch.game import Invalid

UNPACKED = 64 * 1024 * 1024
_PARTS = 500
_SHEETS = 20  # that are looked at
_ROWS, _COLUMNS, _CELL = 10_100, 100, 4_000  # what is read at all; `sheets` tells what a deck may have
_ELEMENTS = 1_500_000  # of a part: 10,000 rows of 40 cells with their values have fewer
_FORMULAS_NAMED = 20
_XML = (".xml", ".rels")
_CELLS = {"c", "table-cell", "covered-table-cell", "si"}


class _Marked(Struct, frozen=True):
    """A cell with a formula in it, or with the error that one left."""

    line: int
    name: str


def read_workbook(content: bytes) -> list[Numbered]:
    """The first sheets, at least one; Invalid where this is no workbook."""
    parts = _unpacked(content)
    marked = _looked_through(parts)
    try:
        with CalamineWorkbook.from_filelike(_packed(parts)) as book:
            names = book.sheet_names[:_SHEETS]
            read = [book.get_sheet_by_index(at).to_python(skip_empty_area=False) for at in range(len(names))]
    except (CalamineError, OSError, ValueError, IndexError):
        raise Invalid("this is not a workbook that can be read: save it as XLSX, ODS or CSV") from None
    if not read:
        raise Invalid("this is not a workbook that can be read: save it as XLSX, ODS or CSV")
    return [
        Numbered(
            name,
            [(number, [_written(cell) for cell in cells]) for number, cells in enumerate(rows, start=1)],
            [_formula(one) for one in marked.get(at, [])],
        )
        for at, (name, rows) in enumerate(zip(names, read, strict=True))
    ]


def _formula(one: _Marked) -> Finding:
    wrong, right = message("{cell} is a formula", cell=one.name), message("Copy the cells and paste them as values.")
    return Finding("error", "formula", wrong, right, one.line)


def _unpacked(content: bytes) -> dict[str, bytes]:
    parts: dict[str, bytes] = {}
    left = UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = [one for one in packed.infolist() if one.filename == "mimetype" or one.filename.endswith(_XML)]
            if len(entries) > _PARTS:
                raise Invalid("the workbook has more than {n} parts", n=_PARTS)
            for entry in entries:
                with packed.open(entry) as part:
                    parts[entry.filename] = part.read(left + 1)
                left -= len(parts[entry.filename])
                if left < 0:
                    raise Invalid("unpacked the workbook has more than {n} MB", n=UNPACKED // 2**20)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        raise Invalid("this is not a workbook that can be read: save it as XLSX, ODS or CSV") from None
    if "xl/workbook.xml" not in parts and "content.xml" not in parts:
        raise Invalid("this is not a workbook that can be read: save it as XLSX, ODS or CSV")
    return parts


def _packed(parts: dict[str, bytes]) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, part in parts.items():
            packed.writestr(name, part)
    file.seek(0)
    return file


def _looked_through(parts: dict[str, bytes]) -> dict[int, list[_Marked]]:
    """The cells of each sheet that hold formulas; Invalid where a part is larger than what is read."""
    sheets = _sheets(parts)
    marked: dict[int, list[_Marked]] = {}
    for name, part in parts.items():
        if name.endswith(".xml"):
            look = _Look()
            look.through(part)
            if name == "content.xml":  # in ODS all sheets lie in one part
                marked = look.marked
            elif name in sheets:
                marked[sheets.index(name)] = look.marked.get(0, [])
    return marked


def _sheets(parts: dict[str, bytes]) -> list[str]:
    """Where the sheets of an XLSX file lie, in their order."""
    sheets: list[str] = []
    places: dict[str, str] = {}

    def begins(name: str, attributes: dict[str, str]) -> None:
        own = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        if _local(name) == "sheet":
            sheets.append(next((value for key, value in attributes.items() if key.endswith(":id")), ""))
        elif _local(name) == "Relationship":
            places[own.get("Id", "")] = own.get("Target", "")

    for part in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"):
        _parse(parts.get(part, b""), begins)
    found = [places.get(sheet, "") for sheet in sheets]
    return [place.lstrip("/") if place.startswith(("/xl/", "xl/")) else f"xl/{place}" for place in found]


class _Look:
    """Goes through a part of a workbook, counts its rows, columns and characters, and notes formulas."""

    def __init__(self) -> None:
        self.marked: dict[int, list[_Marked]] = {}
        self._tables = 0
        self._row = self._column = 0
        self._rows = self._columns = 1  # how often the row and the cell stand there
        self._name = ""
        self._failed = False
        self._inside = False
        self._characters = 0
        self._elements = 0

    def through(self, part: bytes) -> None:
        _parse(part, self._begins, self._ends, self._says)

    def _begins(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > _ELEMENTS:
            raise Invalid("the workbook has too many cells, most of them empty: copy what is filled to a new one")
        own = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        match _local(name):
            case "table":
                self._tables += 1
                self._row, self._rows = 0, 1
            case "row" | "table-row":
                self._row = _number(own.get("r"), self._row + self._rows)
                self._rows = _number(own.get("number-rows-repeated"), 1)
                self._column, self._columns = 0, 1
            case "c" | "table-cell" | "covered-table-cell":
                self._cell(own)
            case "si":
                self._inside, self._characters = True, 0
            case "v" | "is" | "p":
                self._filled()
                if self._failed:
                    self._mark()
            case "f":
                self._filled()
                self._mark()

    def _ends(self, name: str) -> None:
        if _local(name) in _CELLS:
            self._inside = False

    def _says(self, text: str) -> None:
        if self._inside:
            self._characters += len(text)
            if self._characters > _CELL:
                raise Invalid("line {line}: a cell has more than {n} characters", line=self._row, n=_CELL)

    def _cell(self, own: dict[str, str]) -> None:
        self._inside, self._characters = True, 0
        self._failed = own.get("t") == "e"
        letters = re.match("[A-Z]*", own.get("r", ""))
        after = self._column + self._columns
        self._column = _column(letters[0]) if letters and letters[0] else after
        self._columns = _number(own.get("number-columns-repeated"), 1)
        self._name = own.get("r", f"{_letters(self._column)}{self._row}")
        if "value-type" in own:
            self._filled()
        if "formula" in own:
            self._mark()

    def _mark(self) -> None:
        mark, marked = _Marked(self._row, self._name), self.marked.setdefault(max(0, self._tables - 1), [])
        if len(marked) < _FORMULAS_NAMED and mark not in marked:
            marked.append(mark)

    def _filled(self) -> None:
        if self._row + self._rows - 1 > _ROWS:
            raise Invalid("the table has more than {n} lines", n=_ROWS)
        if self._column + self._columns - 1 > _COLUMNS:
            raise Invalid("the table has more than {n} columns", n=_COLUMNS)


def _parse(part: bytes, begins: Any, ends: Any = None, tr: Any = None) -> None:
    parser = expat.ParserCreate()
    parser.StartElementHandler = begins
    parser.EndElementHandler = ends
    parser.CharacterDataHandler = tr
    parser.StartDoctypeDeclHandler = _no_doctype
    if part:
        try:
            parser.Parse(part, True)
        except (expat.ExpatError, UnicodeError):
            raise Invalid("this is not a workbook that can be read: save it as XLSX, ODS or CSV") from None


def _no_doctype(*_: object) -> None:
    raise Invalid("this is not a workbook that can be read: save it as XLSX, ODS or CSV")


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else otherwise


def _column(letters: str) -> int:
    number = 0
    for letter in letters[:7]:
        number = number * 26 + ord(letter) - 64
    return number


def _letters(column: int) -> str:
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def _written(cell: object) -> str:
    """What a cell shows, as text: whole numbers without a point, days as 1903-12-17."""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else str(cell)
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return cell.date().isoformat()
    return str(cell)
