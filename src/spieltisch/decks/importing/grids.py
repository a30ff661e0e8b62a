"""A sheet of a workbook as people see it: hidden parts are left out and reported, merged cells count for all their
rows.
"""

from collections.abc import Iterable, Iterator, Sequence

from spieltisch.decks.findings import Finding, Message, message
from spieltisch.decks.importing.lines import Numbered, Rows, Typed
from spieltisch.game import Invalid

_ROWS, _COLUMNS, _CELL = 10_100, 100, 4_000  # limits of reading; `sheets` has those of a deck
_FORMULAS_NAMED = 20
_PLACES_NAMED = 12
_MERGED = 400_000  # cells under merged ones that are examined

Area = tuple[int, int, int, int]  # top, left, bottom, right


class Grid:
    """The cells of a sheet during reading. Rows and columns are counted from 1."""

    def __init__(self, name: str, *, hidden: bool = False) -> None:
        self.name = name
        self.hidden = hidden
        self.hidden_rows: set[int] = set()
        self.hidden_columns: set[int] = set()
        self.merged: list[Area] = []
        self._rows: dict[int, dict[int, str]] = {}
        self._formulas: dict[tuple[int, int], str] = {}
        self._typed: dict[tuple[int, int], tuple[str, int]] = {}

    def put(self, row: int, column: int, text: str, *, rows: int = 1, columns: int = 1) -> None:
        """Set the text of a cell and of the repetitions to its right and below. Raises Invalid if they are too far
        away.
        """
        if row + rows - 1 > _ROWS:
            raise Invalid("the table has more than {n} lines", n=_ROWS)
        if column + columns - 1 > _COLUMNS:
            raise Invalid("the table has more than {n} columns", n=_COLUMNS)
        require_short(text, row)
        for number in range(row, row + rows):
            self._rows.setdefault(number, {}).update(dict.fromkeys(range(column, column + columns), text))

    def formula(self, row: int, column: int) -> None:
        """Note a formula, or its error, in this cell."""
        self._formulas[row, column] = f"{letters(column)}{row}"

    def typed(self, row: int, column: int, year: int) -> None:
        """Note that somebody may have typed this year into a date cell, which then shows another day."""
        self._typed[row, column] = f"{letters(column)}{row}", year

    def sheet(self) -> Numbered:
        """The visible part of the sheet."""
        self._merge()
        filled = {column for cells in self._rows.values() for column, text in cells.items() if text}
        columns = [one for one in range(1, max(filled, default=0) + 1) if one not in self.hidden_columns]
        place = {column: at for at, column in enumerate(columns)}
        rows: Rows = [
            (number, [self._rows[number].get(column, "") for column in columns])
            for number in sorted(self._rows)
            if number not in self.hidden_rows
        ]

        def seen(at: tuple[int, int]) -> bool:
            return at[0] not in self.hidden_rows and at[1] in place

        formulas = [_formula(at[0], name) for at, name in self._formulas.items() if seen(at)]
        typed = [Typed(at[0], place[at[1]], *said) for at, said in self._typed.items() if seen(at)]
        found = [*formulas[:_FORMULAS_NAMED], *self._put_away(filled)]
        return Numbered(self.name, rows, found, typed, self.hidden)

    def _merge(self) -> None:
        """Copy the upper left cell of a merged area into all its rows with other content. Cells under the area are
        invisible.
        """
        left = _MERGED
        for top, first, bottom, last in self.merged:
            text = self._rows.get(top, {}).get(first, "")
            for number in range(top, min(bottom, _ROWS) + 1):
                cells = self._rows.get(number, {})
                left -= 1 + len(cells)
                if left < 0:
                    raise Invalid("the workbook has too many merged cells: split them")
                own = any(said and not first <= column <= last for column, said in cells.items())
                for column in [one for one in cells if first <= one <= last]:
                    del cells[column]
                if text and (own or number == top):
                    cells[first] = text

    def _put_away(self, filled: set[int]) -> Iterator[Finding]:
        rows = [str(one) for one in sorted(self.hidden_rows) if any(self._rows.get(one, {}).values())]
        columns = [letters(one) for one in sorted(self.hidden_columns & filled)]
        yield from put_away(
            rows,
            message("not read because it is hidden: the row {names}", names=listed(rows)),
            message("not read because they are hidden: the rows {names}", names=listed(rows)),
        )
        yield from put_away(
            columns,
            message("not read because it is hidden: the column {names}", names=listed(columns)),
            message("not read because they are hidden: the columns {names}", names=listed(columns)),
        )


def require_short(text: str, row: int) -> None:
    """Raise Invalid if this is too long for a cell."""
    if len(text) > _CELL:
        raise Invalid("line {line}: a cell has more than {n} characters", line=row, n=_CELL)


def put_away(hidden: Sequence[str], single: Message, several: Message) -> Iterator[Finding]:
    """Report hidden parts that were not read, with the message for one or for several."""
    if hidden:
        right = message("Show it in the spreadsheet if it belongs to the deck.")
        yield Finding("note", "hidden", single if len(hidden) == 1 else several, right)


def listed(names: Iterable[str]) -> str:
    """The first few names, and a sign if there are more."""
    first = [*names]
    return ", ".join(first[:_PLACES_NAMED]) + (" …" if len(first) > _PLACES_NAMED else "")


def letters(column: int) -> str:
    """The name of a column in spreadsheets: A, B, … AA."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def _formula(line: int, cell: str) -> Finding:
    wrong, right = message("{cell} is a formula", cell=cell), message("Copy the cells and paste them as values.")
    return Finding("error", "formula", wrong, right, line)
