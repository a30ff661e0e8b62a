"""Tables in texts that are no CSV: in Markdown, as databases print them, in wikitext, and lists of “1969 – event”.

Marks that a reader never sees (bold, links) are taken off. A line that does not fit stays a line of the table,
so that it is asked about.
"""

import re
from collections.abc import Callable, Sequence

from spieltisch.decks.importing.lines import Rows

_RULE = re.compile(r"[\s|:+=_*─-]*")  # a line under the names of the columns, or between parts
_DRAWN = re.compile(r"^[ \t]*[-:+]{2}[-:+ \t]*[|+]", re.MULTILINE)  # a rule under the names
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_LINK = re.compile(r"\[([^\[\]()]{1,200})\]\([^()\s]{1,500}\)")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]{1,200}\|)?([^\[\]|]{1,200})\]\]")
_REFERENCE = re.compile(r"<ref[^<>]{0,200}/>|<ref[^<>]{0,200}>[^<]{0,1000}</ref>", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]*(?:[-*+•–▪◦]|\(?\d{1,3}[.)])[ \t]+")
_PARTED = re.compile(r"[ \t]*(?::|->|→|\t|=)[ \t]*|[ \t]+[-–—|][ \t]+")
_LOOKED_AT = 60  # characters of a line in which its date ends
_MOST = 10_100  # lines that are looked at; a deck has fewer
_ENOUGH = 0.5  # of the lines are items, then it is a list

IsDate = Callable[[str], bool]


def piped_table(text: str) -> Rows | None:
    """The rows of a drawn table whose cells are parted by pipes, with the numbers of their lines; None where only pipes
    make it one, as in CSV.
    """
    lines = [(number, line.strip()) for number, line in _lines(text)]
    first = next((line for _, line in lines if "|" in line), "")  # it shows whether pipes stand around the lines, too
    if not (first.startswith("|") or _DRAWN.search(text)):
        return None
    before, behind = ("|" if framed else "" for framed in (first.startswith("|"), first.endswith("|")))
    return [(number, _piped(line.removeprefix(before).removesuffix(behind))) for number, line in lines]


def wiki_table(text: str) -> Rows | None:
    """The rows of a table in wikitext; None where there is none."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    return _wiki(lines) if any(line.startswith("{|") for _, line in lines) else None


def listed(text: str, is_date: IsDate) -> Rows | None:
    """The rows of a list in which most lines begin with a date; None where the text is none."""
    lines = _lines(text)
    if len(lines) > _MOST:
        return None
    items = [_item(line, is_date) for _, line in lines]
    found = sum(item is not None for item in items)
    if found < 2 or found < len(lines) * _ENOUGH:
        return None
    first = next(at for at, item in enumerate(items) if item)
    return [
        (number, [*item] if item else [line.strip()] if at < first else ["", line.strip()])
        for at, ((number, line), item) in enumerate(zip(lines, items, strict=True))
    ]


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines in which something stands, without rules."""
    return [(n, line) for n, line in enumerate(text.splitlines(), start=1) if not _RULE.fullmatch(line)]


# -- tables --------------------------------------------------------------------------------------------------


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
    """A cell of wikitext as the page shows it."""
    attributes, bar, rest = cell.partition("|")
    if bar and "=" in attributes and "[[" not in attributes and "{{" not in attributes:
        cell = rest
    cell = _BREAK.sub(" ", _REFERENCE.sub("", cell))
    return _WIKI_LINK.sub(r"\1", cell).replace("'''", "").replace("''", "").strip()


# -- lists ---------------------------------------------------------------------------------------------------


def _item(line: str, is_date: IsDate) -> tuple[str, str] | None:
    """The date and the event of a line in a list, the longest text as date that can be read as one."""
    whole = _plain(line)
    bullet = _BULLET.match(whole)
    for text in (whole, whole[bullet.end() :] if bullet else ""):
        ends = [found.span() for found in _PARTED.finditer(text[:_LOOKED_AT])]
        for start, end in reversed(ends):
            if start and text[end:].strip() and is_date(text[:start].strip("* ")):
                return text[:start].strip("* "), text[end:].strip()
    return None
