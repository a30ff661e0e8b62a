"""Reads XLSX workbooks as they look: ECMA-376 part 1, chapter 18."""

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

from spieltisch.decks.importing.grids import Grid, require_short
from spieltisch.decks.importing.lines import Numbered
from spieltisch.decks.importing.number_formats import BUILT_IN, GENERAL, LATEST, is_day, shown, shown_day, shown_text
from spieltisch.decks.importing.packages import is_true, no_workbook, number, parse
from spieltisch.decks.text import raised

_CODE = 255  # characters of a format; Excel's own limit
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # characters that XML cannot contain
_ISO_DAY = re.compile(r"(-?\d{4,})-(\d\d)-(\d\d)(?:T.*)?")
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,7})\$?(\d{1,9})")


def is_xlsx(parts: Mapping[str, bytes]) -> bool:
    return bool(_main(parts))


def read_xlsx(parts: Mapping[str, bytes], most: int) -> list[Numbered]:
    """The sheets in order: the first `most` visible ones, and the names of the hidden ones."""
    main = _main(parts)
    places = _relations(parts, main)
    book = _Book(parts, {kind: place for place, kind in places.values()})
    sheets: list[Numbered] = []
    for name, relation, is_hidden in _sheets(parts[main], book):
        if is_hidden:
            sheets.append(Numbered(name, [], hidden=True))
        elif sum(not one.hidden for one in sheets) < most:
            part = parts.get(places.get(relation, ("", ""))[0])
            if part is None:
                no_workbook()
            sheets.append(_SheetReader(name, book).read(part))
    return sheets


def _main(parts: Mapping[str, bytes]) -> str:
    """The part with the list of sheets."""
    if "xl/workbook.xml" in parts:
        return "xl/workbook.xml"
    found = (place for place, kind in _relations(parts, "").values() if kind == "officeDocument")
    return next((place for place in found if place in parts), "")


def _relations(parts: Mapping[str, bytes], of: str) -> dict[str, tuple[str, str]]:
    """The parts that this one refers to, with their kinds, by its ids for them."""
    folder = dirname(of)
    found: dict[str, tuple[str, str]] = {}

    def begins(name: str, own: Mapping[str, str]) -> None:
        if name == "Relationship":
            target = own.get("Target", "").replace("\\", "/").lower()
            place = target.lstrip("/") if target.startswith("/") else normpath(join(folder, target))
            found[own.get("Id", "")] = place, own.get("Type", "").rpartition("/")[2]

    parse(parts.get(join(folder, "_rels", f"{of.rpartition('/')[2]}.rels"), b""), begins)
    return found


class _Book:
    """What all sheets share: texts, formats, and the start of the calendar."""

    def __init__(self, parts: Mapping[str, bytes], kinds: Mapping[str, str]) -> None:
        self.from_1904 = False
        self.texts = _texts(parts.get(kinds.get("sharedStrings", "xl/sharedstrings.xml"), b""))
        self.formats = _formats(parts.get(kinds.get("styles", "xl/styles.xml"), b""))

    def format(self, style: str | None) -> str:
        at = number(style)
        return self.formats[at] if at < len(self.formats) else GENERAL


def _sheets(part: bytes, book: _Book) -> list[tuple[str, str, bool]]:
    """For each sheet: its name, its id in the relations, and whether it is hidden."""
    found = []

    def begins(name: str, own: Mapping[str, str]) -> None:
        if name == "workbookPr":
            book.from_1904 = is_true(own.get("date1904"))
        elif name == "sheet":
            found.append((own.get("name", ""), own.get("id", ""), own.get("state", "visible") != "visible"))

    parse(part, begins)
    return found


def _formats(part: bytes) -> list[str]:
    """The number formats of the cell styles, by the number of the style."""
    codes, styles = dict(BUILT_IN), []
    inside = False

    def begins(name: str, own: Mapping[str, str]) -> None:
        nonlocal inside
        if name == "cellXfs":
            inside = True
        elif name == "numFmt":
            codes[number(own.get("numFmtId"))] = own.get("formatCode", GENERAL)[:_CODE]
        elif name == "xf" and inside:
            styles.append(number(own.get("numFmtId")))

    def ends(name: str) -> None:
        nonlocal inside
        inside = inside and name != "cellXfs"

    parse(part, begins, ends)
    return [codes.get(one, GENERAL) for one in styles]


class _Rich:
    """Joins the runs of a text, for shared texts and texts in cells."""

    def __init__(self) -> None:
        self.text = ""
        self._raised = self._inside = self._aloud = False

    def begins(self, name: str, own: Mapping[str, str]) -> None:
        match name:
            case "si" | "is":
                self.text = ""
            case "r":
                self._raised = False
            case "vertAlign":
                self._raised = own.get("val") == "superscript"
            case "rPh":  # a reading aid, at most shown above the text
                self._aloud = True
            case "t":
                self._inside = not self._aloud

    def ends(self, name: str) -> None:
        match name:
            case "t":
                self._inside = False
            case "r":
                self._raised = False
            case "rPh":
                self._aloud = False

    def says(self, text: str) -> None:
        if self._inside:
            self.text += raised(text) if self._raised else text


def _texts(part: bytes) -> list[str]:
    texts: list[str] = []
    rich = _Rich()

    def ends(name: str) -> None:
        rich.ends(name)
        if name == "si":
            texts.append(_unescaped(rich.text))

    parse(part, rich.begins, ends, rich.says)
    return texts


class _SheetReader:
    """Walks through the part of a sheet and fills its grid."""

    def __init__(self, name: str, book: _Book) -> None:
        self._grid = Grid(name)
        self._book = book
        self._rich = _Rich()
        self._row = self._column = 0
        self._cell: Mapping[str, str] | None = None
        self._value: str | None = None
        self._inside = False

    def read(self, part: bytes) -> Numbered:
        parse(part, self._begins, self._ends, self._says)
        return self._grid.sheet()

    def _begins(self, name: str, own: Mapping[str, str]) -> None:
        match name:
            case "col":
                if is_true(own.get("hidden")) or own.get("width") == "0":
                    first = number(own.get("min"))
                    self._grid.hidden_columns |= {*range(first, min(number(own.get("max")), first + 200) + 1)}
            case "row":
                self._row = number(own.get("r"), self._row + 1)
                self._column = 0
                if is_true(own.get("hidden")) or own.get("ht") == "0":
                    self._grid.hidden_rows.add(self._row)
            case "c":
                place = _REFERENCE.fullmatch(own.get("r", ""))
                self._column = _column(place[1]) if place else self._column + 1
                self._cell, self._value, self._rich.text = own, None, ""
            case "v" if self._cell is not None:
                self._value, self._inside = "", True
            case "f" if self._cell is not None:  # lists of choices also have formulas
                self._grid.put(self._row, self._column, "")
                self._grid.formula(self._row, self._column)
            case "mergeCell":
                ends = [_REFERENCE.fullmatch(one) for one in own.get("ref", "").split(":")]
                if len(ends) == 2 and ends[0] and ends[1]:
                    (top, left), (bottom, right) = ((int(one[2]), _column(one[1])) for one in ends if one)
                    self._grid.merged.append((top, left, bottom, right))
            case _:
                self._rich.begins(name, own)

    def _ends(self, name: str) -> None:
        if name == "v":
            self._inside = False
        elif name == "c" and self._cell is not None:
            self._put(self._cell)
            self._cell = None
        else:
            self._rich.ends(name)

    def _says(self, text: str) -> None:
        if self._inside:
            self._value = (self._value or "") + text
        else:
            self._rich.says(text)

    def _put(self, own: Mapping[str, str]) -> None:
        """Put the cell's text into the grid; nothing for a cell with a format only."""
        kind, code = own.get("t", "n"), self._book.format(own.get("s"))
        if kind == "e":
            self._grid.formula(self._row, self._column)
        require_short(self._rich.text, self._row)
        require_short(self._value or "", self._row)
        if kind == "inlineStr" or self._value is None:
            text = shown_text(_unescaped(self._rich.text), code) if self._rich.text else ""
        else:
            text = self._shown(self._value.strip(), kind, code)
        if text or self._value:
            self._grid.put(self._row, self._column, text)

    def _shown(self, value: str, kind: str, code: str) -> str:
        match kind:
            case "s":
                at = number(value, len(self._book.texts))
                return shown_text(self._book.texts[at], code) if at < len(self._book.texts) else ""
            case "str":
                return shown_text(_unescaped(value), code)
            case "b":
                return "TRUE" if value == "1" else "FALSE"
            case "d" if day := _ISO_DAY.fullmatch(value):
                return shown_day(*map(int, day.groups()), "")
            case "n":
                return self._number(value, code)
            case _:
                return value

    def _number(self, value: str, code: str) -> str:
        try:
            amount = float(value)
        except ValueError:
            return value
        if amount - amount:  # infinite or NaN
            return value
        if is_day(code) and amount == int(amount) and 0 < amount <= LATEST and not self._book.from_1904:
            self._grid.typed(self._row, self._column, int(amount))
        return shown(amount, code, from_1904=self._book.from_1904)


def _column(letters: str) -> int:
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - 64
    return column


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
