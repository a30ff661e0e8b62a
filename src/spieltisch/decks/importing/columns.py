"""From a sheet to the table of a deck: the meaning of each column, and the kind of deck.

Two columns are enough, the event and its date, named in any language. Other known columns are used. Only a sheet whose
columns cannot be recognized is refused; lint checks the rest.
"""

import logging
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from spieltisch.decks.base_kind import DeckKind, kind_of, kinds, plainest
from spieltisch.decks.findings import Finding, message, quoted
from spieltisch.decks.importing import headings
from spieltisch.decks.importing.headings import LOOKED_AT, PARTS, heading, language_of, likeliest
from spieltisch.decks.importing.lines import Line, Sheet, is_date, visible
from spieltisch.decks.importing.partial import put_together
from spieltisch.decks.table import COMMENTS, TEXTS, Row, Table
from spieltisch.decks.text import TAGS, folded, same
from spieltisch.decks.vocabulary import TAGS as TAGGED
from spieltisch.decks.vocabulary import meant, tags
from spieltisch.game import HasCards, Invalid
from spieltisch.i18n import N_

log = logging.getLogger(__name__)

ABOUT = ("title", "version", "series", "goal", "field", "region", "period", "about", "source", "authors", "licence")


class Intake(Struct, frozen=True):
    """The table of a deck, its sheet's line of column names, the use of each column (a column of the deck, a part of
    the date, or "": unused), and findings.
    """

    kind: str
    table: Table
    header: Line
    columns: tuple[str, ...]
    found: tuple[Finding, ...] = ()

    @property
    def given(self) -> tuple[str, ...]:
        """The columns of the deck that the sheet has."""
        parts = _parts(kind_of(self.kind))
        return tuple(column for column in self.columns if column and column not in parts)

    @property
    def parts(self) -> tuple[int, ...]:
        """The indexes of the cells with parts of the date, besides the year."""
        parts = _parts(kind_of(self.kind))
        return tuple(at for at, column in enumerate(self.columns) if column in parts)


def taken_in(sheet: Sheet, kind: str | None = None, *, empty: bool = False) -> Intake:
    """Turn a sheet into the table of a deck, of this kind or of the likeliest one. Raises Invalid if its columns cannot
    be recognized, or if it has no cards and may not be `empty`.
    """
    about = {}
    lines: list[Line] = []
    at: int | None = None
    for line in sheet.lines:
        key = line.cells[0][1:].strip()
        if (
            line.cells[0].startswith("#")
            and _is_about(line, key)
            and (not lines or (_key(key) in ABOUT and at is None))
        ):
            about.setdefault(key, []).append(list(line.cells[1:]))
        else:
            lines.append(line)
            if (at is None and len(lines) <= LOOKED_AT) or at == len(lines) - 2:  # a second line may name them better
                at = heading(lines)
    if not lines:
        raise Invalid("the table has no line with the names of its columns")
    if at is None:
        at = likeliest(lines) if (kind_of(kind) if kind else _kind(lines[0].cells, about)).date else 0
    above, header, body = lines[:at], lines[at], lines[at + 1 :]
    if not (body or empty):
        raise Invalid("the table has no cards")
    of = kind_of(kind) if kind else _kind(header.cells, about)
    columns, found = _columns(header, of)
    rows = [_row(line, columns, of) for line in body]
    table = Table(about, _tagged(rows, about))
    too_long = list(_too_long(body, len(columns)))
    swapped = list(_swapped(table, of, columns))
    found += (_above(line) for line in above)
    found += _typed(sheet, body, columns, of)
    return Intake(of.name, table, header, tuple(columns), (*sheet.found, *found, *too_long, *swapped))


def _is_about(line: Line, key: str) -> bool:
    """Whether a line that begins with # is about the deck: neither a title nor a column of numbers."""
    return _key(key) in ABOUT or re.fullmatch(r"#[\w-]+", line.cells[0]) is not None


def _key(key: str) -> str:
    """The key without the language behind it: `title` for `title_it`."""
    name, _, lang = key.rpartition("_")
    return name if lang in TAGS else key


def _kind(header: Sequence[str], about: dict[str, list[list[str]]]) -> DeckKind[HasCards]:
    """The likeliest kind for a sheet with these columns; the plainest without a sign of another. A kind that cannot
    look at them is passed over and logged.
    """
    meant = {*headings.meant(header)}
    for kind in kinds().values():
        try:
            if kind.is_headed(header, meant, about):
                return kind
        except Exception:
            log.exception("decks of the kind %s do not know their columns", kind.name)
    return plainest()


def _parts(kind: DeckKind[HasCards]) -> tuple[str, ...]:
    """The parts of a date that may have columns of their own. A column of the kind with this name is no part."""
    return tuple(one for one in PARTS if one not in kind.columns) if kind.date else ()


def _columns(header: Line, kind: DeckKind[HasCards]) -> tuple[list[str], list[Finding]]:
    """For each column of the sheet that of the deck, "" for an unused one."""
    names, parts = list(header.cells), _parts(kind)
    meant = _meant(names, kind)
    told = []
    if kind.date:
        unknown = [at for at, (name, one) in enumerate(zip(names, meant, strict=True)) if name and not one]
        if not kind.strict and len(unknown) == 1 and "date" in meant and {"text", *TEXTS.values()}.isdisjoint(meant):
            meant[unknown[0]] = TEXTS[language_of("", names)]
            wrong = message("the column “{name}” is read as the event", name=names[unknown[0]])
            told.append(Finding("note", "columns", wrong, line=header.number))
        meant = [kind.date if one == "date" else one for one in meant]
    for at, one in enumerate(meant):
        if one == "text" and one not in kind.columns:
            meant[at] = TEXTS[language_of(names[at], names)]
    languages = [lang for lang, column in TEXTS.items() if column in meant]
    for at, one in enumerate(meant):
        if one == "comment" and one not in kind.columns:
            meant[at] = COMMENTS[languages[0] if len(languages) == 1 else language_of(names[at], names)]
    meant = [one if one in (*kind.columns, *parts) else "" for one in meant]
    for column in (*kind.columns, *parts):
        if meant.count(column) > 1:
            both = [name for name, one in zip(names, meant, strict=True) if one == column]
            raise Invalid("two columns mean the same: {names}", names=", ".join(both))
    if kind.date:
        _check_columns(header, meant, kind)
    return meant, [*told, *_used(header, meant, (kind.date, *parts) if kind.date else ())]


def _meant(names: Sequence[str], kind: DeckKind[HasCards]) -> list[str]:
    """The meaning of each column name. The words of a kind without dates come first, because it lists all of them;
    those of a dated one only name what no other kind has.
    """
    common, own = headings.meant(names), [_own(name, kind) for name in names]
    first, then = (common, own) if kind.date else (own, common)
    return [one or other for one, other in zip(first, then, strict=True)]


def _own(name: str, kind: DeckKind[HasCards]) -> str:
    """The column of this name by the kind's own words; "" without one."""
    column = kind.column_of(name)
    return column if column in (kind.words if kind.date else kind.columns) else ""


def _used(header: Line, meant: list[str], dates: Sequence[str]) -> Iterator[Finding]:
    """Report unused columns, and columns that are joined to dates."""
    unused = [name for name, one in zip(header.cells, meant, strict=True) if name and not one]
    if unused:
        single = len(unused) == 1
        wrong = message(
            N_("not used: the column {names}") if single else N_("not used: the columns {names}"),
            names=quoted(unused),
        )
        yield Finding("note", "columns", wrong, line=header.number)
    parts = [name for name, one in zip(header.cells, meant, strict=True) if one in dates]
    if len(parts) > 1:
        wrong = message("the dates combine the columns {names}", names=quoted(parts))
        yield Finding("note", "columns", wrong, line=header.number)


def _check_columns(header: Line, meant: list[str], kind: DeckKind[HasCards]) -> None:
    """Raise Invalid if a sheet of cards with dates has no column for the date or for the event."""
    no_date, no_text = kind.date not in meant, {*TEXTS.values()}.isdisjoint(meant)
    if not (no_date or no_text):
        return
    if no_date and no_text and any(is_date(cell) for cell in header.cells):
        raise Invalid(
            "line {line}: the first line must name the columns, such as date and event; this one is already a card",
            line=header.number,
        )
    raise Invalid(
        "line {line}: there is no column {missing}, only {names}",
        line=header.number,
        missing=message("for the date (date, year, Datum, Jahr)")
        if no_date
        else message("for the event (event, de, en, Ereignis)"),
        names=", ".join(header.cells),
    )


def _row(line: Line, columns: list[str], kind: DeckKind[HasCards]) -> Row:
    cells = dict.fromkeys(kind.columns, "")
    given = {column: cell for column, cell in zip(columns, line.cells, strict=False) if column}
    if kind.date:
        parts = {part: visible(given.pop(part, "")) for part in _parts(kind)}
        parts |= {"date": visible(given.get(kind.date, "")), "era_last": "yes" if _era_last(columns) else ""}
        given[kind.date] = kind.written(put_together(parts))
    cells |= given
    return Row(line.number, cells)


def _era_last(columns: list[str]) -> bool:
    """Whether the era follows the end year, and so applies to both years."""
    return "era" in columns and "end" in columns and columns.index("era") > columns.index("end")


def _tagged(rows: list[Row], about: dict[str, list[list[str]]]) -> list[Row]:
    """The rows with their tags as ids, if they had names."""
    known = {column: meant(tags(Table(about, []), column)) for column in TAGGED}
    return [
        Row(row.line, row.cells | {c: _tags(row[c], known[c]) for c in known if row.cells.get(c)})
        for row in rows
    ]  # fmt: skip


def _tags(cell: str, known: dict[str, str]) -> str:
    words = (word.strip() for word in re.split("[;,]", cell))
    return ";".join(known.get(folded(word), word) for word in words if word)


def _above(line: Line) -> Finding:
    said = " ".join(cell for cell in line.cells if cell)
    wrong = message("not used: “{words}” above the names of the columns", words=said[:60])
    return Finding("note", "above", wrong, line=line.number)


def _typed(sheet: Sheet, body: list[Line], columns: list[str], kind: DeckKind[HasCards]) -> Iterator[Finding]:
    """Report date cells in the first years of the 20th century: a year typed into a date cell looks like that."""
    there = {line.number: line.cells for line in body}
    date = columns.index(kind.date) if kind.date else -1
    for one in sheet.typed:
        if one.place == date and (day := one.of(there)):
            wrong = message(
                "{cell} is a date cell that shows {day}: was the year {year} typed into it?",
                cell=one.cell,
                day=day,
                year=one.year,
            )
            right, better = message("Write: {date}", date=str(one.year)), (same(str(one.year)),)
            yield Finding("warning", "typed-year", wrong, right, one.line, column=kind.date, better=better)


def _too_long(body: list[Line], width: int) -> Iterator[Finding]:
    for line in body:
        if len(line.cells) > width:
            wrong = message("{n} cells, but the table has {m} columns", n=len(line.cells), m=width)
            right = message("Put text with a comma or semicolon in quotation marks.")
            yield Finding("error", "cells", wrong, right, line.number)


def _swapped(table: Table, kind: DeckKind[HasCards], given: Sequence[str]) -> Iterator[Finding]:
    """Report a table whose dates and events are in each other's column."""
    if not kind.date:
        return
    for column in TEXTS.values():
        wrong = [row for row in table.rows if is_date(row[column]) and not is_date(row[kind.date])]
        if column in given and wrong and len(wrong) * 2 >= len(table.rows):
            yield Finding(
                "error",
                "swapped",
                message("the event column has the dates, and the date column has the events"),
                message("Swap the names of these two columns in the first line."),
                wrong[0].line,
            )
            return
