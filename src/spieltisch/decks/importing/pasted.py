"""Tables in texts that are no CSV: in Markdown, as databases print them, in wikitext, and lists of “1969 – event”.

Marks that a reader never sees (fences, bold, links) are taken off. A line that does not fit stays a line of the table,
so that it is asked about.
"""

import re
from collections.abc import Callable, Sequence

from spieltisch.decks.importing.lines import Rows

_FENCE = re.compile(r"[`~]{3,}[\w+-]*")
_RULE = re.compile(r"[\s|:+=_*─-]*")  # a line under the names of the columns, or between parts
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_LINK = re.compile(r"\[([^\[\]()]{1,200})\]\([^()\s]{1,500}\)")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]{1,200}\|)?([^\[\]|]{1,200})\]\]")
_REFERENCE = re.compile(r"<ref[^<>]{0,200}/>|<ref[^<>]{0,200}>[^<]{0,1000}</ref>", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]*(?:[-*+•–▪◦]|\(?\d{1,3}[.)])[ \t]+")
_PARTED = re.compile(r"[ \t]*(?::|->|→|\t|=)[ \t]*|[ \t]+[-–—|][ \t]+")
_LOOKED_AT = 60  # characters of a line in which its date ends
_ENOUGH = 0.5  # of the lines are items, then it is a list

IsDate = Callable[[str], bool]


def rows_of(text: str, is_date: IsDate) -> Rows | None:
    """The rows with the numbers of their lines; None where the text is none of these."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    lines = [(number, line) for number, line in lines if not _FENCE.fullmatch(line.strip())]
    bare = [line.strip() for _, line in lines]
    if any(line.startswith("{|") for line in bare):
        return _wiki(lines)
    if sum(line.startswith("|") for line in bare) >= max(2, len(bare) * _ENOUGH) or _has_rule(bare):
        return [(number, _piped(line)) for number, line in lines if not _is_rule(line)]
    return _listed([(number, line) for number, line in lines if not _is_rule(line)], is_date)


# -- tables --------------------------------------------------------------------------------------------------


def _is_rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None


def _has_rule(lines: Sequence[str]) -> bool:
    """Whether a line under one with pipes parts the names of the columns from the rest."""
    pairs = zip(lines, lines[1:], strict=False)
    return any("|" in above and _is_rule(line) and "--" in line and set("|+") & {*line} for above, line in pairs)


def _piped(line: str) -> list[str]:
    cells = line.strip().replace("\\|", "\0").removeprefix("|").removesuffix("|").split("|")
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
    inside = False
    for number, line in lines:
        line = line.strip()  # noqa: PLW2901 - blanks mean nothing here
        if line.startswith("{|"):
            inside = True
        elif line.startswith("|}"):
            inside = False
        elif not inside or line.startswith("|+"):
            rows.append((number, [_shown(line.removeprefix("|+"))]))
        elif line.startswith("|-"):
            rows.append((number, []))
        elif line[0] in "!|":
            if not rows or (len(rows[-1][1]) == 1 and not rows[-1][1][0]):
                rows.append((number, []))
            cells = re.split(r"\|\||!!", line[1:]) if line[0] == "!" else line[1:].split("||")
            rows[-1] = (rows[-1][0] if rows[-1][1] else number, [*rows[-1][1], *map(_shown, cells)])
        elif rows and rows[-1][1]:
            rows[-1][1][-1] += f" {_shown(line)}"
    return rows


def _shown(cell: str) -> str:
    """A cell of wikitext as the page shows it."""
    attributes, bar, rest = cell.partition("|")
    if bar and "=" in attributes and "[[" not in attributes and "{{" not in attributes:
        cell = rest
    cell = _BREAK.sub(" ", _REFERENCE.sub("", cell))
    return _WIKI_LINK.sub(r"\1", cell).replace("'''", "").replace("''", "").strip()


# -- lists ---------------------------------------------------------------------------------------------------


def _listed(lines: Sequence[tuple[int, str]], is_date: IsDate) -> Rows | None:
    items = [(number, _item(line, is_date)) for number, line in lines]
    found = sum(item is not None for _, item in items)
    if found < 2 or found < len(lines) * _ENOUGH:
        return None
    first = next(at for at, (_, item) in enumerate(items) if item is not None)
    rows: Rows = []
    for at, ((number, item), (_, line)) in enumerate(zip(items, lines, strict=True)):
        rows.append((number, [*item] if item else [line.strip()] if at < first else ["", line.strip()]))
    return rows


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
