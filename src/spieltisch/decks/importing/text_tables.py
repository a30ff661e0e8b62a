"""Tables in text: CSV with commas, semicolons, tabs or pipes, Markdown, wikitext, tables that databases print, and
lists such as “1969 – event”.

Text is UTF-8 or UTF-16, otherwise Windows-1252, as German spreadsheets write it. Invisible markup (bold, links) is
removed. A line that does not fit stays in the table, so that people are asked about it.
"""

import contextlib
import csv
import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from spieltisch.decks.findings import Finding, message
from spieltisch.decks.importing.headings import heading
from spieltisch.decks.importing.lines import COLUMNS, Line, Rows, clean, is_date
from spieltisch.game import Invalid

_DELIMITERS = ",;\t|"
_MARK = re.compile(r"sep=([,;\t|])\r?\n", re.IGNORECASE)  # Excel's own line that names the delimiter
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.MULTILINE)  # language models put them around tables
_WORD = 40  # characters of a word that a message shows
_SWALLOWED = 100  # lines of a cell that are searched: an open quotation mark swallows the very next rows
_RULE = re.compile(r"[\s|:+=_*─-]*")  # a line under the column names, or between groups of rows
_DRAWN = re.compile(r"^[ \t]*[-:+]{2}[-:+ \t]*[|+]", re.MULTILINE)  # the rule under the column names
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_LINK = re.compile(r"\[([^\[\]()]{1,200})\]\([^()\s]{1,500}\)")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]{1,200}\|)?([^\[\]|]{1,200})\]\]")
_REFERENCE = re.compile(r"<ref[^<>]{0,200}/>|<ref[^<>]{0,200}>[^<]{0,1000}</ref>", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]*(?:[-*+•–▪◦]|\(?\d{1,3}[.)])[ \t]+")
_PARTED = re.compile(r"[ \t]*(?::|->|→|\t|=)[ \t]*|[ \t]+[-–—|][ \t]+")
_LOOKED_AT = 60  # characters of a line within which its date must end
_MOST = 10_100  # lines; longer texts are no lists, since decks are shorter
_ENOUGH = 0.5  # the share of lines with a date that makes a text a list


def decoded(content: bytes) -> tuple[str, list[Finding]]:
    """The text of a file, and notes if its encoding was guessed. Raises Invalid for anything but text."""
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
    """The byte order of UTF-16, guessed from the zero bytes of its ASCII letters. Raises Invalid for anything else."""
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
    # Find the letter first, then widen: a leading `\w*` would be retried at each character.
    before = re.search(r"\w*\Z", text[max(0, letter.start() - _WORD // 2) : letter.start()])
    after = re.match(r"\w*", text[letter.start() : letter.start() + _WORD // 2])
    return (before[0] if before else "") + (after[0] if after else "")


def _of_windows(content: bytes, encoding: str, start: int) -> str:
    """The text in Windows-1252. Raises Invalid if it cannot be that either."""
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


def text_rows(text: str) -> Iterable[tuple[int, list[str]]]:
    """The rows of a text in any of the formats, each with its line number."""
    text = _FENCE.sub("", text)
    if mark := _MARK.match(text):
        return _csv(text[mark.end() :], mark[1], 0, 2)
    if (rows := _wiki_table(text)) is not None:
        return rows
    delimiter, width = _parted(text)
    rows = _piped_table(text) if delimiter == "|" else None if width else _listed(text)
    return _csv(text, delimiter, width, 1) if rows is None else rows


# -- CSV -----------------------------------------------------------------------------------------------------


def _csv(text: str, delimiter: str, width: int, line: int) -> Iterator[tuple[int, list[str]]]:
    """The rows of CSV. `line` is the number of its first line, `width` the number of named columns (0: unknown)."""
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
    """The delimiter, and the number of named columns.

    It is the delimiter that shows a line of column names among the first lines. Without such a line (0), it is the one
    that separates a date in most lines, then the most frequent one in the first line.
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


def _misquoted(line: int, delimiter: str) -> NoReturn:
    raise Invalid(
        "line {line}: the quotation marks do not match: put a cell with {delimiter} between two of them,"
        " and double those in its text",
        line=line,
        delimiter=repr(delimiter),
    ) from None


def _swallowed(cell: str, delimiter: str, width: int) -> bool:
    """Whether an open quotation mark has made this cell swallow whole rows."""
    rows = (row.split(delimiter) for row in cell.splitlines()[1:_SWALLOWED])
    return any(len(row) == width and any(is_date(clean(one)) for one in row) for row in rows)


# -- Markdown, wikitext, drawn tables ------------------------------------------------------------------------


def _piped_table(text: str) -> Rows | None:
    """The rows of a drawn table with pipes between the cells; None without rules or outer pipes, as in CSV."""
    lines = [(number, line.strip()) for number, line in _lines(text)]
    first = next((line for _, line in lines if "|" in line), "")  # it shows whether lines have outer pipes
    if not (first.startswith("|") or _DRAWN.search(text)):
        return None
    before, behind = ("|" if framed else "" for framed in (first.startswith("|"), first.endswith("|")))
    return [(number, _piped(line.removeprefix(before).removesuffix(behind))) for number, line in lines]


def _wiki_table(text: str) -> Rows | None:
    """The rows of a table in wikitext; None if there is none."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    return _wiki(lines) if any(line.startswith("{|") for _, line in lines) else None


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that are neither empty nor a rule."""
    return [(n, line) for n, line in enumerate(text.splitlines(), start=1) if not _RULE.fullmatch(line)]


def _piped(line: str) -> list[str]:
    cells = line.replace("\\|", "\0").split("|")
    return [_plain(cell.replace("\0", "|")) for cell in cells]


def _plain(text: str) -> str:
    """The text as Markdown shows it."""
    text = _LINK.sub(r"\1", _BREAK.sub(" ", text.strip()))
    for mark in ("**", "__", "`"):
        if text.count(mark) >= 2:
            text = text.replace(mark, "")
    return text


def _wiki(lines: Sequence[tuple[int, str]]) -> Rows:
    rows: Rows = []
    inside = in_row = False
    for number, line in lines:
        if line.startswith(("{|", "|}")):
            inside, in_row = line.startswith("{|"), False
        elif line.startswith("|-"):
            in_row = False
        elif not inside or line.startswith("|+"):
            rows.append((number, [_shown(line.removeprefix("|+"))]))
            in_row = False
        elif line[0] in "!|":
            cells = [*map(_shown, re.split(r"\|\||!!", line[1:]) if line[0] == "!" else line[1:].split("||"))]
            if in_row:
                rows[-1][1].extend(cells)
            else:
                rows.append((number, cells))
            in_row = True
        elif in_row:
            rows[-1][1][-1] += f" {_shown(line)}"
        else:
            rows.append((number, [_shown(line)]))
    return rows


def _shown(cell: str) -> str:
    """The text that a wiki page shows for this cell."""
    attributes, bar, rest = cell.partition("|")
    if bar and "=" in attributes and "[[" not in attributes and "{{" not in attributes:
        cell = rest
    cell = _BREAK.sub(" ", _REFERENCE.sub("", cell))
    return _WIKI_LINK.sub(r"\1", cell).replace("'''", "").replace("''", "").strip()


# -- lists ---------------------------------------------------------------------------------------------------


def _listed(text: str) -> Rows | None:
    """The rows of a list in which most lines begin with a date; None for any other text."""
    lines = _lines(text)
    if len(lines) > _MOST:
        return None
    items = [_item(line) for _, line in lines]
    found = sum(item is not None for item in items)
    if found < 2 or found < len(lines) * _ENOUGH:
        return None
    first = next(at for at, item in enumerate(items) if item)
    return [
        (number, [*item] if item else [line.strip()] if at < first else ["", line.strip()])
        for at, ((number, line), item) in enumerate(zip(lines, items, strict=True))
    ]


def _item(line: str) -> tuple[str, str] | None:
    """The date and the event of a line. The date is the longest beginning that reads as one."""
    whole = _plain(line)
    bullet = _BULLET.match(whole)
    for text in (whole, whole[bullet.end() :] if bullet else ""):
        ends = [found.span() for found in _PARTED.finditer(text[:_LOOKED_AT])]
        for start, end in reversed(ends):
            if start and text[end:].strip() and is_date(text[:start].strip("* ")):
                return text[:start].strip("* "), text[end:].strip()
    return None
