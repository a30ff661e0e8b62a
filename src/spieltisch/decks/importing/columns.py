"""From a sheet that somebody has written to the table of a deck: which column means what, and which kind of deck.

A sheet with two columns is enough, the event and its date, named in either language. What the sheet has besides
is taken where it is known. Nothing is refused here but a sheet whose columns cannot be told; the rest is for lint.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from spieltisch.decks.dates import parse
from spieltisch.decks.deck import COLUMNS, DATE, Kind
from spieltisch.decks.findings import Finding, message
from spieltisch.decks.firsts import JOKER
from spieltisch.decks.importing.headings import BOTH, ENGLISH, LOOKED_AT, column_of, heading, plain
from spieltisch.decks.importing.lines import Line, Sheet
from spieltisch.decks.importing.sheets import is_date
from spieltisch.decks.table import Row, Table
from spieltisch.decks.text import folded
from spieltisch.decks.vocabulary import TAGS, meant, tags
from spieltisch.game import Invalid

ABOUT = ("title", "version", "series", "goal", "field", "region", "period", "about", "source", "authors", "licence")

_JOKERS = {JOKER, "zukunft", "future", "noch keine", "none yet", "–", "—"}


class Intake(Struct, frozen=True):
    """The table of a deck, the line of its sheet that names the columns, for each of these the column of the deck ("":
    not used), and what was found on the way.
    """

    kind: Kind
    table: Table
    header: Line
    columns: tuple[str, ...]
    found: tuple[Finding, ...] = ()

    @property
    def given(self) -> tuple[str, ...]:
        """The columns of the deck that the sheet has."""
        return tuple(column for column in self.columns if column)


def taken_in(sheet: Sheet, kind: Kind | None = None, *, empty: bool = False) -> Intake:
    """The sheet as the table of a deck, of this kind or of the one it seems to be; Invalid where its columns
    cannot be told, or which has no cards unless it may be `empty`.
    """
    about = {}
    lines: list[Line] = []
    at: int | None = None
    for line in sheet.lines:
        key = line.cells[0][1:].strip()
        if line.cells[0].startswith("#") and (not lines or (key in ABOUT and at is None)):
            about.setdefault(key, []).append(list(line.cells[1:]))
        else:
            lines.append(line)
            if at is None and len(lines) <= LOOKED_AT:
                at = heading(lines)
    if not lines:
        raise Invalid("the table has no line with the names of its columns")
    at = at or 0
    above, header, body = lines[:at], lines[at], lines[at + 1 :]
    if not (body or empty):
        raise Invalid("the table has no cards")
    kind = kind or _kind(header.cells, about)
    columns, found = _columns(header, kind)
    rows = [_row(line, columns, kind) for line in body]
    table = Table(about, _tagged(rows, about))
    too_long = list(_too_long(body, len(columns)))
    swapped = list(_swapped(table, kind, columns))
    found += (_above(line) for line in above)
    return Intake(kind, table, header, tuple(columns), (*sheet.found, *found, *too_long, *swapped))


def _kind(header: Sequence[str], about: dict[str, list[list[str]]]) -> Kind:
    names = {name.casefold() for name in header}
    if {"case", "number", "gender", "form"} <= names:
        return "forms"
    if {"suits", "kind", "value"} <= names:
        return "decktet"
    return "firsts" if "period" in about or {"who", "year"} <= names else "events"


def _columns(header: Line, kind: Kind) -> tuple[list[str], list[Finding]]:
    """For each column of the sheet that of the deck, "" where it is not used."""
    if kind in {"forms", "decktet"}:
        return [name.casefold() for name in header.cells], []
    names = list(header.cells)
    meant = [column_of(name) for name in names]
    meant = [_language(names, name) if one == "text" else one for name, one in zip(names, meant, strict=True)]
    languages = {"de", "en"} & {*meant}
    for index, one in enumerate(meant):
        if one == "comment":
            language = next(iter(languages)) if len(languages) == 1 else _language(names, names[index])
            meant[index] = f"comment_{language}"
        elif one == "date":
            meant[index] = DATE[kind]
        if meant[index] not in COLUMNS[kind]:
            meant[index] = ""
    for column in COLUMNS[kind]:
        if meant.count(column) > 1:
            both = [name for name, one in zip(names, meant, strict=True) if one == column]
            raise Invalid("two columns mean the same: {names}", names=", ".join(both))
    _check_columns(header, meant, kind)
    unused = [name for name, one in zip(names, meant, strict=True) if name and not one]
    wrong = message("not used: the columns {names}", names=", ".join(unused))
    return meant, [Finding("note", "columns", wrong, line=header.number)] if unused else []


def _language(names: Sequence[str], name: str) -> str:
    """The language of a word in the first line, of one that both have that of the word for the date."""
    words = {plain(one) for one in ([*names] if plain(name) in BOTH else [name])}
    return "en" if words & ENGLISH else "de"


def _check_columns(header: Line, meant: list[str], kind: Kind) -> None:
    no_date, no_text = DATE[kind] not in meant, not {"de", "en"} & {*meant}
    if not (no_date or no_text):
        return
    if no_date and no_text and any(is_date(cell) for cell in header.cells):
        raise Invalid(
            "line {line}: the first line names the columns, such as date and event; this one is a card already",
            line=header.number,
        )
    raise Invalid(
        "line {line}: no column {missing}; there are {names}",
        line=header.number,
        missing=message("for the date (date, year, Datum, Jahr)")
        if no_date
        else message("for the event (event, de, en, Ereignis)"),
        names=", ".join(header.cells),
    )


def _row(line: Line, columns: list[str], kind: Kind) -> Row:
    cells = dict.fromkeys(COLUMNS[kind], "")
    cells |= {column: cell for column, cell in zip(columns, line.cells, strict=False) if column}
    if kind == "firsts":
        cells["year"] = _year(cells["year"])
    return Row(line.number, cells)


def _year(cell: str) -> str:
    """The year of a first as its deck has it: a number, or that it is a joker."""
    if cell.casefold() in _JOKERS:
        return JOKER
    try:
        span = parse(cell)
    except Invalid:
        return cell
    return str(span.start) if span.start == span.end and span.start >= 1 else cell


def _tagged(rows: list[Row], about: dict[str, list[list[str]]]) -> list[Row]:
    """The rows with their tags as ids, where somebody wrote their names."""
    known = {column: meant(tags(Table(about, []), column)) for column in TAGS}
    return [
        Row(row.line, row.cells | {c: _tags(row[c], known[c]) for c in known if row.cells.get(c)})
        for row in rows
    ]  # fmt: skip


def _tags(cell: str, known: dict[str, str]) -> str:
    words = (word.strip() for word in re.split("[;,]", cell))
    return ";".join(known.get(folded(word), word) for word in words if word)


def _above(line: Line) -> Finding:
    said = " ".join(cell for cell in line.cells if cell)
    wrong = message("not used: “{words}”, which stands above the names of the columns", words=said[:60])
    return Finding("note", "above", wrong, line=line.number)


def _too_long(body: list[Line], width: int) -> Iterator[Finding]:
    for line in body:
        if len(line.cells) > width:
            wrong = message("{n} cells where the table has {m} columns", n=len(line.cells), m=width)
            right = message("A text with a comma or semicolon in it stands between quotation marks.")
            yield Finding("error", "cells", wrong, right, line.number)


def _swapped(table: Table, kind: Kind, given: Sequence[str]) -> Iterator[Finding]:
    """Whether dates stand where the events belong, and the other way round."""
    if kind not in DATE:
        return
    for column in ("de", "en"):
        wrong = [row for row in table.rows if is_date(row[column]) and not is_date(row[DATE[kind]])]
        if column in given and wrong and len(wrong) * 2 >= len(table.rows):
            yield Finding(
                "error",
                "swapped",
                message("dates stand in the column for the event, and events in that for the date"),
                message("Swap the names of these two columns in the first line."),
                wrong[0].line,
            )
            return
