"""Tables as people have them, in CSV, XLSX or ODS, read from bytes into lines of text. Nothing is ever run.

CSV is read in UTF-8 or UTF-16, else as German spreadsheets write it, in Windows-1252; its cells are parted by commas,
semicolons, tabs or pipes. Other tables in text and lists are read by `pasted`. Of a workbook the sheet with the dates
is read. What a person sees is read, what is hidden is named. What a cell cannot be (a formula, an error) is found and
named; what is no table at all is Invalid, with the reason.
"""

import contextlib
import csv
import io
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from spieltisch.decks.dates import read_date
from spieltisch.decks.findings import Finding, message, quoted
from spieltisch.decks.importing import pasted
from spieltisch.decks.importing.grids import put_away
from spieltisch.decks.importing.headings import LOOKED_AT, column_of, heading, meant
from spieltisch.decks.importing.lines import Line, Numbered, Rows, Sheet, Typed
from spieltisch.decks.importing.ods import PART, read_ods
from spieltisch.decks.importing.packages import no_workbook, unpacked
from spieltisch.decks.importing.xlsx import is_xlsx, read_xlsx
from spieltisch.decks.lint.phrases import language
from spieltisch.decks.lint.suggestions import is_calendar_day
from spieltisch.decks.text import composed
from spieltisch.game import Invalid

BYTES = 5 * 1024 * 1024
ROWS = 10_000
COLUMNS = 40
_SHEETS = 20  # that are looked at
_DELIMITERS = ",;\t|"
_MARK = re.compile(r"sep=([,;\t|])\r?\n", re.IGNORECASE)  # how Excel is told what parts the cells
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.MULTILINE)  # around what language models write
_NO_NAMES = Finding(
    "note",
    "heading",
    message("no line names the columns: what reads as a date is the date, the rest is the event"),
    message("If that is wrong, name the columns in the first line."),
)
_MOSTLY, _SELDOM = 0.5, 0.2  # of the cells of a column are dates: it is that of the dates, or another one
CELL = 2_000  # characters
_WORD = 40  # characters of a word that is shown
_COUNTED = 500  # lines of a sheet in which dates are counted
_SWALLOWED = 100  # lines of a cell that are looked at: a quotation mark left open swallows the very next rows
_WRONG_VALUES = re.compile(r"#(?:REF!|NAME\?|VALUE!|DIV/0!|N/A|NUM!|NULL!|BEZUG!|WERT!|ZAHL!|NV)|Err:\d{3}")


def read_file(path: Path) -> Sheet:
    """The sheet in this file, which is not even opened if it is too large."""
    _check_size(path.stat().st_size)
    return read_sheet(path.read_bytes())


def read_sheet(content: bytes) -> Sheet:
    """The sheet in these bytes; Invalid, with the reason, where they are none."""
    _check_size(len(content))
    typed: list[Typed] = []
    if content.startswith(b"PK"):
        chosen, found = _with_dates(_read_workbook(content))
        rows, typed = chosen.rows, chosen.typed
    elif content.startswith(b"\xd0\xcf\x11\xe0"):
        raise Invalid("this is an old Excel file, or one with a password: save it as XLSX, ODS or CSV without one")
    else:
        text, found = decoded(content)
        rows = _text_rows(text)
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
    """Of several sheets that can be seen the one with the most dates, and which one that is."""
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
    """Whether a line names a column for the dates, and how many of its cells can be read as one."""
    lines = [Line(number, tuple(map(clean, cells))) for number, cells in rows[:_COUNTED] if any(cells)]
    at = heading(lines)
    if at is None:
        return 0, 0
    column = meant(lines[at].cells).index("date")
    return 1, sum(len(line.cells) > column and is_date(line.cells[column]) for line in lines[at + 1 :])


def is_date(cell: str) -> bool:
    """Whether this can be read as a date, or is a day written in another order."""
    cell = visible(cell)
    try:
        read_date(cell)
    except Invalid:
        return is_calendar_day(cell)
    return True


def sheet_text(content: bytes) -> str:
    """The text of a file that could not be read as a table, so that it can be mended; "" where it is none."""
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
        if count > ROWS + 1:  # one names the columns
            raise Invalid("the table has more than {n} lines", n=ROWS)
        if longest := next((cell for cell in line if len(cell) > CELL), ""):
            raise Invalid(
                "line {line}: a cell has {n} characters, at most {most} are read",
                line=number,
                n=len(longest),
                most=CELL,
            )
        yield Line(number, tuple(line))


def clean(cell: str) -> str:
    """The text of a cell, with single blanks."""
    return re.sub(r"[ \t\r\n\f\v\x85\u2028\u2029]+", " ", composed(cell).replace("\ufeff", "")).strip()


def visible(cell: str) -> str:
    """The text without signs that nobody sees, for dates: marks of direction, soft hyphens, blanks of no width."""
    if cell.isascii():
        return cell
    return "".join(sign for sign in cell if unicodedata.category(sign) != "Cf")


def wrong_values(lines: Iterable[Line]) -> Iterator[Finding]:
    """Cells in which a spreadsheet shows that it could not compute something."""
    for line in lines:
        for cell in line.cells:
            if _WRONG_VALUES.fullmatch(cell):
                yield wrong_value(cell, line.number)


def wrong_value(cell: str, line: int) -> Finding:
    """A cell in which a spreadsheet shows that it could not compute something."""
    return Finding(
        "error",
        "formula",
        message("{cell} is the error of a spreadsheet formula", cell=cell),
        message("Write the text itself."),
        line,
    )


def decoded(content: bytes) -> tuple[str, list[Finding]]:
    """The text of a file, and how it was read where that is not certain; Invalid where it is none."""
    found = []
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in content:
        encoding = _without_mark(content)
    else:
        encoding = "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        text = _of_windows(content, encoding, error.start)
        wrong = message(
            "the file is not in UTF-8: it was read as a German spreadsheet writes it, such as “{words}”",
            words=_foreign_word(text) or "–",
        )
        found.append(Finding("note", "encoding", wrong, message("Is that right?")))
    if re.match(r"\s*<(?:!doctype|html|\?xml|table)", text, re.IGNORECASE) or text.startswith(("%PDF", "{\\rtf")):
        raise Invalid("this is not a table: save it as CSV, XLSX or ODS")
    if "\0" in text:
        raise Invalid("this is not a table: save it as CSV, XLSX or ODS")
    return text, found


def _without_mark(content: bytes) -> str:
    """Which UTF-16 this is, told by the empty halves of its plain letters; Invalid where it is none."""
    high, low = content[::2], content[1::2]
    if b"\0" not in high or b"\0" not in low:
        encoding = "utf-16-le" if b"\0" in low else "utf-16-be"
        with contextlib.suppress(UnicodeDecodeError):
            if not re.search(r"[\x00-\x08\x0e-\x1f]", content.decode(encoding)):
                return encoding
    raise Invalid("this is not a table: save it as CSV, XLSX or ODS")


def _foreign_word(text: str) -> str:
    """The first word with a letter that ASCII does not have, of at most `_WORD` characters; "" if there is none."""
    letter = re.search(r"[^\W\d_a-zA-Z]", text)
    if letter is None:
        return ""
    # Found letter first and widened then: `\w*` before it would start anew at each character.
    before = re.search(r"\w*\Z", text[max(0, letter.start() - _WORD // 2) : letter.start()])
    after = re.match(r"\w*", text[letter.start() : letter.start() + _WORD // 2])
    return (before[0] if before else "") + (after[0] if after else "")


def _of_windows(content: bytes, encoding: str, start: int) -> str:
    """The text in Windows-1252; Invalid where that cannot be, either."""
    try:
        if not encoding.startswith("utf-16"):
            return content.decode("cp1252")
    except UnicodeDecodeError:
        pass
    before = content[:start]
    raise Invalid(
        "line {line}: the file is not in UTF-8 (after “{words}”): save it as “CSV UTF-8”, or as XLSX or ODS",
        line=before.count(b"\n") + 1,
        words=before.decode("utf-8", "replace").rpartition("\n")[2][-20:],
    )


def _text_rows(text: str) -> Iterable[tuple[int, list[str]]]:
    """The rows of a text, however it is written."""
    text = _FENCE.sub("", text)
    if mark := _MARK.match(text):
        return _csv(text[mark.end() :], mark[1], 0, 2)
    if (rows := pasted.wiki_table(text)) is not None:
        return rows
    delimiter, width = _parted(text)
    rows = pasted.piped_table(text) if delimiter == "|" else None if width else pasted.listed(text, is_date)
    return _csv(text, delimiter, width, 1) if rows is None else rows


def _csv(text: str, delimiter: str, width: int, line: int) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV text, whose first line has this number."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    before = line
    try:
        for cells in reader:
            if width and any(_swallowed(cell, delimiter, width) for cell in cells):
                _misquoted(line, delimiter)
            yield line, cells
            line = reader.line_num + before
    except csv.Error:
        _misquoted(line, delimiter)


def _parted(text: str) -> tuple[str, int]:
    """What parts the cells, and how many the line has that names the columns: the sign at which these names are found
    among the first lines. Where they are not found (0), the sign that parts dates from the rest in most lines, or else
    the one of which the first line has most.
    """
    lines = (line for line in text.splitlines() if line.strip() and not re.match(r'[ "]*#\w', line))
    first = list(itertools.islice(lines, 10)) or [""]
    for delimiter in _DELIMITERS:
        parted = [Line(0, tuple(cell.strip(' "') for cell in line.split(delimiter, COLUMNS))) for line in first]
        if (at := heading(parted)) is not None:
            return delimiter, len(parted[at].cells)
    with_dates = {sign: sum(_has_date(line, sign) for line in first) for sign in _DELIMITERS}
    return max(_DELIMITERS, key=lambda sign: (with_dates[sign], first[0].count(sign))), 0


def _has_date(line: str, delimiter: str) -> bool:
    cells = [cell.strip(' "') for cell in line.split(delimiter, COLUMNS)]
    return len(cells) > 1 and any(map(is_date, cells))


def _named(lines: Sequence[Line]) -> Line | None:
    """The names of two columns that have none, where one of them has dates and the other one has not."""
    if any(column_of(cell) for line in lines[:LOOKED_AT] for cell in line.cells):
        return None
    rows = [line.cells for line in lines if len(line.cells) > 1]
    if not rows or any(len(cells) != 2 for cells in rows):
        return None
    dated = [sum(map(is_date, column)) for column in zip(*rows, strict=True)]
    first = max((0, 1), key=lambda at: dated[at])
    if not is_date(rows[0][first]):  # it may name the columns in words that nobody knows
        return None
    if dated[first] < len(rows) * _MOSTLY or dated[1 - first] > len(rows) * _SELDOM:
        return None
    english = language(" ".join(cells[1 - first] for cells in rows)) == "en"
    names = ("date", "event") if english else ("Datum", "Ereignis")
    return Line(0, names if first == 0 else names[::-1])


def _misquoted(line: int, delimiter: str) -> NoReturn:
    raise Invalid(
        "line {line}: the quotation marks do not match: put a cell with {delimiter} between two of them,"
        " and double those in its text",
        line=line,
        delimiter=repr(delimiter),
    ) from None


def _swallowed(cell: str, delimiter: str, width: int) -> bool:
    """Whether there are whole rows inside this cell, since a quotation mark was left open."""
    rows = (row.split(delimiter) for row in cell.splitlines()[1:_SWALLOWED])
    return any(len(row) == width and any(is_date(clean(one)) for one in row) for row in rows)
