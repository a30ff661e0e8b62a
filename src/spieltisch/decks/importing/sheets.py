"""Tables as people have them, in CSV, XLSX or ODS, read from bytes into lines of text. Nothing is ever run.

CSV is read in UTF-8 (or UTF-16 with its mark), its cells parted by commas, semicolons or tabs. What a cell
cannot be (a formula, an error) is found and named; what is no table at all is Invalid, with the reason.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from spieltisch.decks.findings import Finding, message
from spieltisch.game import Invalid

BYTES = 5 * 1024 * 1024
ROWS = 10_000
COLUMNS = 40
CELL = 2_000  # characters
_WRONG_VALUES = re.compile(r"#(?:REF!|NAME\?|VALUE!|DIV/0!|N/A|NUM!|NULL!|BEZUG!|WERT!|ZAHL!|NV)|Err:\d{3}")


class Line(Struct, frozen=True):
    """A line of a sheet: its number, counted as the program counts that shows it, and what stands in its cells."""

    number: int
    cells: tuple[str, ...]


class Sheet(Struct, frozen=True):
    """The lines in which something stands, and what was found wrong with cells."""

    lines: tuple[Line, ...]
    found: tuple[Finding, ...] = ()


def read_file(path: Path) -> Sheet:
    """The sheet in this file, which is not even opened if it is too large."""
    _check_size(path.stat().st_size)
    return read_sheet(path.read_bytes())


def read_sheet(content: bytes) -> Sheet:
    """The sheet in these bytes; Invalid, with the reason, where they are none."""
    _check_size(len(content))
    if content.startswith(b"PK"):
        from spieltisch.decks.importing.workbooks import read_workbook  # noqa: PLC0415 - CSV needs no library

        rows, found = read_workbook(content)
    elif content.startswith(b"\xd0\xcf\x11\xe0"):
        raise Invalid("this is an old Excel file, or one with a password: save it as XLSX, ODS or CSV without one")
    else:
        rows, found = _csv(_decoded(content)), []
    lines = tuple(_lines(rows))
    if not lines:
        raise Invalid("the file is empty")
    return Sheet(lines, (*found, *_wrong_values(lines)))


def _check_size(size: int) -> None:
    if size > BYTES:
        raise Invalid("the file has {n} MB, at most {most} are read", n=f"{size / 2**20:.1f}", most=BYTES // 2**20)


def _lines(rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[Line]:
    count = 0
    for number, cells in rows:
        clean = [_clean(cell) for cell in cells]
        while clean and not clean[-1]:
            clean.pop()
        if not clean:
            continue
        count += not clean[0].startswith("#")
        if count > ROWS + 1:  # one names the columns
            raise Invalid("the table has more than {n} lines", n=ROWS)
        if len(clean) > COLUMNS:
            raise Invalid("line {line}: {n} cells, at most {most} are read", line=number, n=len(clean), most=COLUMNS)
        if longest := next((cell for cell in clean if len(cell) > CELL), ""):
            raise Invalid(
                "line {line}: a cell has {n} characters, at most {most} are read",
                line=number,
                n=len(longest),
                most=CELL,
            )
        yield Line(number, tuple(clean))


def _clean(cell: str) -> str:
    return re.sub(r"[ \t\r\n\f\v]+", " ", unicodedata.normalize("NFC", cell)).strip()


def _wrong_values(lines: Iterable[Line]) -> Iterator[Finding]:
    for line in lines:
        for cell in line.cells:
            if _WRONG_VALUES.fullmatch(cell):
                yield wrong_value(cell, line.number)


def wrong_value(cell: str, line: int) -> Finding:
    """A cell in which a spreadsheet shows that it could not compute something."""
    return Finding(
        "error",
        "formula",
        message("{cell} is what a spreadsheet shows when a formula fails", cell=cell),
        message("Write the text itself."),
        line,
    )


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in content:
        raise Invalid("this is not a table: save it as CSV, XLSX or ODS")
    else:
        encoding = "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        before = content[: error.start]
        raise Invalid(
            "line {line}: the file is not in UTF-8 (after “{words}”): save it as “CSV UTF-8”, or as XLSX or ODS",
            line=before.count(b"\n") + 1,
            words=before.decode("utf-8", "replace").rpartition("\n")[2][-20:],
        ) from None
    if re.match(r"\s*<(?:!doctype|html|\?xml|table)", text, re.IGNORECASE) or text.startswith(("%PDF", "{\\rtf")):
        raise Invalid("this is not a table: save it as CSV, XLSX or ODS")
    if "\0" in text:
        raise Invalid("this is not a table: save it as CSV, XLSX or ODS")
    return text


def _csv(text: str) -> Iterator[tuple[int, list[str]]]:
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip(' "').startswith("#")), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error:
        raise Invalid(
            "line {line}: the quotation marks do not fit: a cell with {delimiter} in it stands between two of them, "
            "and those in its text are doubled",
            line=line,
            delimiter=repr(delimiter),
        ) from None
