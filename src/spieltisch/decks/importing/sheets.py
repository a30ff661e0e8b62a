"""Read the bytes of a file or of pasted text into lines of cells. Nothing in a file is ever executed.

`text_tables` reads text, `xlsx` and `ods` read workbooks, and the sheet with the most dates is used. Visible cells are
read; hidden ones are reported, and so are formulas without a value and spreadsheet errors. Anything that is not a table
raises Invalid with the reason.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from spieltisch.decks.findings import Finding, message, quoted
from spieltisch.decks.importing.grids import put_away
from spieltisch.decks.importing.headings import LOOKED_AT, column_of, heading, meant, named
from spieltisch.decks.importing.lines import COLUMNS, Line, Numbered, Rows, Sheet, Typed, clean, is_date
from spieltisch.decks.importing.ods import PART, read_ods
from spieltisch.decks.importing.packages import no_workbook, unpacked
from spieltisch.decks.importing.text_tables import decoded, text_rows
from spieltisch.decks.importing.xlsx import is_xlsx, read_xlsx
from spieltisch.decks.lint.phrases import language
from spieltisch.decks.text import TAGS
from spieltisch.game import Invalid

BYTES = 5 * 1024 * 1024
ROWS = 10_000
_SHEETS = 20  # read of one workbook
_NO_NAMES = Finding(
    "note",
    "heading",
    message("no line names the columns: what reads as a date is the date, the rest is the event"),
    message("If that is wrong, name the columns in the first line."),
)
_MOSTLY, _SELDOM = 0.5, 0.2  # shares of dates in a column: from the first it is the date column, up to the second not
CELL = 2_000  # characters
_COUNTED = 500  # lines of a sheet in which dates are counted
_WRONG_VALUES = re.compile(r"#(?:REF!|NAME\?|VALUE!|DIV/0!|N/A|NUM!|NULL!|BEZUG!|WERT!|ZAHL!|NV)|Err:\d{3}")


def read_file(path: Path) -> Sheet:
    """The sheet in this file. Raises Invalid without opening a file that is too large."""
    _check_size(path.stat().st_size)
    return read_sheet(path.read_bytes())


def read_sheet(content: bytes) -> Sheet:
    """The sheet in these bytes. Raises Invalid with the reason if they are not a table."""
    _check_size(len(content))
    typed: list[Typed] = []
    if content.startswith(b"PK"):
        chosen, found = _with_dates(_read_workbook(content))
        rows, typed = chosen.rows, chosen.typed
    elif content.startswith(b"\xd0\xcf\x11\xe0"):
        raise Invalid("this is an old Excel file, or one with a password: save it as XLSX, ODS or CSV without one")
    else:
        text, found = decoded(content)
        rows = text_rows(text)
    lines = tuple(_lines(rows))
    hidden = next((one.wrong for one in found if one.rule == "hidden"), None)
    if hidden and len(lines) < 2:
        raise Invalid("the table has no cards; {hidden}", hidden=hidden)
    if not lines:
        raise Invalid("the file is empty")
    if named := _named(lines):
        first = next(at for at, line in enumerate(lines) if len(line.cells) > 1)
        lines, found = (*lines[:first], named, *lines[first:]), [*found, _NO_NAMES]
    return Sheet(lines, (*found, *wrong_values(lines)), tuple(typed))


def _read_workbook(content: bytes) -> list[Numbered]:
    """Return the sheets of an XLSX or ODS file, at least one of them visible. Raises Invalid if it is neither."""
    parts = unpacked(content)
    if is_xlsx(parts):
        sheets = read_xlsx(parts, _SHEETS)
    elif PART in parts:
        sheets = read_ods(parts, _SHEETS)
    else:
        no_workbook()
    if all(one.hidden for one in sheets):
        no_workbook()
    return sheets


def _with_dates(sheets: Sequence[Numbered]) -> tuple[Numbered, list[Finding]]:
    """The visible sheet with the most dates, and notes about the other sheets."""
    seen = [one for one in sheets if not one.hidden]
    hidden = [one.name for one in sheets if one.hidden]
    counted = [_dates(one.rows) for one in seen]
    chosen = seen[counted.index(max(counted))]
    single = message("not read because it is hidden: the sheet {names}", names=quoted(hidden))
    several = message("not read because they are hidden: the sheets {names}", names=quoted(hidden))
    found = [*chosen.found, *put_away(hidden, single, several)]
    if len(seen) > 1:
        others = [one.name for one, dates in zip(seen, counted, strict=True) if one is not chosen and dates > (0, 0)]
        said = message("only the sheet “{name}” of {n} is read: it has the dates", n=len(seen), name=chosen.name)
        more = message("There are dates in {names} too. Make a deck from each.", names=", ".join(others))
        found.append(Finding("note", "sheets", said, more if others else None))
    return chosen, found


def _dates(rows: Rows) -> tuple[int, int]:
    """Rank a sheet: whether it names a date column, then how many cells in it read as dates."""
    lines = [Line(number, tuple(map(clean, cells))) for number, cells in rows[:_COUNTED] if any(cells)]
    at = heading(lines)
    if at is None:
        return 0, 0
    column = meant(lines[at].cells).index("date")
    return 1, sum(len(line.cells) > column and is_date(line.cells[column]) for line in lines[at + 1 :])


def sheet_text(content: bytes) -> str:
    """The text of a file that is not a table, so that people can correct it; "" for anything but text."""
    try:
        return "" if content.startswith(b"PK") or len(content) > BYTES else decoded(content)[0]
    except Invalid:
        return ""


def _check_size(size: int) -> None:
    if size > BYTES:
        raise Invalid("the file has {n} MB, at most {most} are read", n=f"{size / 2**20:.1f}", most=BYTES // 2**20)


def _lines(rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[Line]:
    count = 0
    for number, cells in rows:
        width = len(cells)
        while width and not cells[width - 1].strip():
            width -= 1
        if not width:
            continue
        if width > COLUMNS:
            raise Invalid("line {line}: {n} cells, at most {most} are read", line=number, n=width, most=COLUMNS)
        line = [clean(cell) for cell in cells[:width]]
        count += not line[0].startswith("#")
        if count > ROWS + 1:  # the first line names the columns
            raise Invalid("the table has more than {n} lines", n=ROWS)
        if longest := next((cell for cell in line if len(cell) > CELL), ""):
            raise Invalid(
                "line {line}: a cell has {n} characters, at most {most} are read",
                line=number,
                n=len(longest),
                most=CELL,
            )
        yield Line(number, tuple(line))


def wrong_values(lines: Iterable[Line]) -> Iterator[Finding]:
    """Report each cell that shows a spreadsheet error, such as #REF!."""
    for line in lines:
        for cell in line.cells:
            if _WRONG_VALUES.fullmatch(cell):
                yield wrong_value(cell, line.number)


def wrong_value(cell: str, line: int) -> Finding:
    """The finding for a cell that shows a spreadsheet error."""
    return Finding(
        "error",
        "formula",
        message("{cell} is the error of a spreadsheet formula", cell=cell),
        message("Write the text itself."),
        line,
    )


def _named(lines: Sequence[Line]) -> Line | None:
    """Name two unnamed columns if exactly one of them has dates; otherwise None."""
    if any(column_of(cell) for line in lines[:LOOKED_AT] for cell in line.cells):
        return None
    rows = [line.cells for line in lines if len(line.cells) > 1]
    if not rows or any(len(cells) != 2 for cells in rows):
        return None
    dated = [sum(map(is_date, column)) for column in zip(*rows, strict=True)]
    first = max((0, 1), key=lambda at: dated[at])
    if not is_date(rows[0][first]):  # it may name the columns in unknown words
        return None
    if dated[first] < len(rows) * _MOSTLY or dated[1 - first] > len(rows) * _SELDOM:
        return None
    lang = language(" ".join(cells[1 - first] for cells in rows)) or TAGS[0]
    names = (named("date", lang), named("text", lang))
    return Line(0, names if first == 0 else names[::-1])
