"""Reads ODS workbooks as they look: OpenDocument 1.3 part 3."""

import re
from collections.abc import Mapping

from spieltisch.decks.importing.grids import Grid, require_short
from spieltisch.decks.importing.lines import Numbered
from spieltisch.decks.importing.number_formats import LATEST, number_of, shown_day, written
from spieltisch.decks.importing.packages import is_true, number, parse
from spieltisch.decks.text import raised

PART = "content.xml"
_STYLES = "styles.xml"
_CELLS = {"table-cell", "covered-table-cell"}
_ASIDE = {"annotation", "note-body", "ruby-text", "frame", "shapes", "tracked-changes", "forms", "dde-links"}
_DAY = re.compile(r"(-?\d{4,})-(\d\d)-(\d\d)(?:T.*)?")
_NUMBER = re.compile(r"[-−]?[\d.,'’ \u00a0\u202f]+")


def read_ods(parts: Mapping[str, bytes], most: int) -> list[Numbered]:
    """The sheets in order: the first `most` visible ones, and the names of the hidden ones."""
    reader = _Reader()
    for part in (_STYLES, PART):
        parse(parts.get(part, b""), reader.begins, reader.ends, reader.says)
    seen = [one for one in reader.grids if not one.hidden][:most]
    sheets = (one.sheet() for one in reader.grids if one.hidden or one in seen)
    return [Numbered(one.name, [], hidden=True) if one.hidden else one for one in sheets]


class _Reader:
    """Walks through the content and fills a grid for each sheet."""

    def __init__(self) -> None:
        self.grids: list[Grid] = []
        self._style = ""  # the style whose description is being read
        self._hidden_styles: set[str] = set()
        self._raised_styles: set[str] = set()
        self._aside = 0  # depth inside elements that are not a cell's text
        self._tables = 0
        self._row = self._column = 0
        self._rows = self._columns = 1  # repetitions of the row and the cell
        self._cell: Mapping[str, str] | None = None
        self._texts: list[str] = []
        self._spans: list[bool] = []

    def begins(self, name: str, own: Mapping[str, str]) -> None:
        if self._aside or name in _ASIDE:
            self._aside += 1
            return
        match name:
            case "style":
                self._style = own.get("name", "")
            case "table-properties" if own.get("display") == "false":
                self._hidden_styles.add(self._style)
            case "text-properties" if re.match(r"super|[1-9]", own.get("text-position", "")):
                self._raised_styles.add(self._style)
            case "table":
                self._table(own)
            case "table-column":
                self._a_column(own)
            case "table-row":
                self._a_row(own)
            case "table-cell" | "covered-table-cell":
                self._a_cell(own)
            case _ if self._cell is not None:
                self._in_cell(name, own)

    def ends(self, name: str) -> None:
        if self._aside:
            self._aside -= 1
        elif name == "table":
            self._tables -= 1
        elif name in _CELLS and self._cell is not None:
            self._put(name, self._cell)
            self._cell = None
        elif name in {"span", "note-citation"} and self._spans:
            self._spans.pop()

    def says(self, text: str) -> None:
        if self._cell is not None and self._texts and not self._aside:
            self._texts[-1] += raised(text) if any(self._spans) else text

    def _table(self, own: Mapping[str, str]) -> None:
        self._tables += 1
        if self._tables == 1:
            hidden = own.get("style-name") in self._hidden_styles
            self.grids.append(Grid(own.get("name", ""), hidden=hidden))
            self._row, self._rows = 0, 1
            self._column, self._columns = 0, 1

    def _a_column(self, own: Mapping[str, str]) -> None:
        self._column += self._columns
        self._columns = number(own.get("number-columns-repeated"), 1)
        if own.get("visibility", "visible") != "visible":
            self.grids[-1].hidden_columns |= {*range(self._column, self._column + min(self._columns, 200))}

    def _a_row(self, own: Mapping[str, str]) -> None:
        self._row += self._rows
        self._rows = number(own.get("number-rows-repeated"), 1)
        self._column, self._columns = 0, 1
        if own.get("visibility", "visible") != "visible":
            self.grids[-1].hidden_rows |= {*range(self._row, self._row + min(self._rows, 20_000))}

    def _a_cell(self, own: Mapping[str, str]) -> None:
        if not self.grids or self._tables != 1:
            return
        self._column += self._columns
        self._columns = number(own.get("number-columns-repeated"), 1)
        self._cell, self._texts, self._spans = own, [], []
        rows, columns = number(own.get("number-rows-spanned"), 1), number(own.get("number-columns-spanned"), 1)
        if rows > 1 or columns > 1:
            area = self._row, self._column, self._row + rows - 1, self._column + columns - 1
            self.grids[-1].merged.append(area)

    def _in_cell(self, name: str, own: Mapping[str, str]) -> None:
        match name:
            case "p" | "h":
                self._texts.append("")
            case "span":
                self._spans.append(own.get("style-name") in self._raised_styles)
            case "note-citation":
                self._spans.append(True)
            case "s" | "tab" | "line-break" if self._texts:
                self._texts[-1] += " "

    def _put(self, name: str, own: Mapping[str, str]) -> None:
        """Put the cell's text into the grid; nothing for a cell with a format only."""
        grid, text = self.grids[-1], " ".join(self._texts)
        require_short(text, self._row)
        if "value-type" not in own and not text.strip() and "formula" not in own:
            return
        shown = "" if name == "covered-table-cell" else self._shown(own, text)
        grid.put(self._row, self._column, shown, rows=self._rows, columns=self._columns)
        if "formula" in own:
            grid.formula(self._row, self._column)

    def _shown(self, own: Mapping[str, str], text: str) -> str:
        match own.get("value-type", ""):
            case "string":
                return text or own.get("string-value", "")
            case "float":
                return _number(own.get("value", ""), text)
            case "date" if day := _DAY.fullmatch(own.get("date-value", "")):
                date = tuple(map(int, day.groups()))
                if 0 < (typed := number_of(*date)) <= LATEST:
                    self.grids[-1].typed(self._row, self._column, typed)
                return shown_day(*date, " ".join(text.split()))
            case "boolean":
                return text or ("TRUE" if is_true(own.get("boolean-value")) else "FALSE")
            case _:
                return text or own.get("value", own.get("time-value", ""))


def _number(value: str, text: str) -> str:
    """A number as it looks; a plain one if only thousands separators or trailing zeros differ."""
    try:
        amount = float(value)
    except ValueError:
        return text or value
    if amount - amount:  # infinite or NaN
        return text
    if not text or (_NUMBER.fullmatch(text) and amount in _amounts(text)):
        return written(amount)
    return text


def _amounts(text: str) -> list[float]:
    """The possible values, with the point before the last digits or without."""
    plain = re.sub(r"['’ \u00a0\u202f]", "", text.replace("−", "-"))
    whole = re.sub(r"[.,]", "", plain)
    found = [float(whole)] if re.fullmatch(r"-?\d+", whole) else []
    before, sign, after = plain.rpartition("," if plain.rfind(",") > plain.rfind(".") else ".")
    if sign and re.fullmatch(r"-?[\d.,]*\d", before) and after.isdigit():
        found.append(float(f"{re.sub('[.,]', '', before)}.{after}"))
    return found
