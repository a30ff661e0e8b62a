"""A deck as one table that people can edit: CSV in UTF-8, as every spreadsheet reads and writes it.

Lines whose first cell begins with `#` tell about the deck (`#title,Weltgeschichte,World history`); the first
other line names the columns, each line after it is a card.

What stands on cards has a column for each language: `text_it`, `comment_it`. The texts of the first languages are also
called by their tags alone, and so they are written: `de`, `en`. In lines about the deck, these languages stand beside
each other; every other one has a line of its own: `#title_it,Storia universale`, `#series_it,rom,Roma antica`.
"""

import csv
import hashlib
import io
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from spieltisch.decks.text import ALWAYS, TAGS, Text, same, text_of
from spieltisch.game import Invalid
from spieltisch.languages import LANGUAGES

_FEW = 60  # characters by which a card is named
CORRECTED = "corrected"
"""The column of a deck with the day on which a card was corrected last."""
ERRATA = "erratum"
"""The lines of a deck's file with its corrections, each with the cells of a line in a file of corrections."""
TEXTS: Mapping[str, str] = {tag: LANGUAGES[tag].column or f"text_{tag}" for tag in TAGS}
"""The columns of the texts on the fronts, by language."""
COMMENTS: Mapping[str, str] = {tag: f"comment_{tag}" for tag in TAGS}
"""The columns of the comments, by language."""
WORDS = frozenset({*TEXTS.values(), *COMMENTS.values()})
"""The columns whose cells are in a language."""
ADDED = frozenset(column for columns in (TEXTS, COMMENTS) for tag, column in columns.items() if tag not in ALWAYS)
"""Those of them that decks have not had from the beginning, and may lack."""
_SAME = {f"text_{tag}": column for tag, column in TEXTS.items()}
AMENDS = "amends"
"""The line of a deck's file that names the hash of the shipped deck of which it is a corrected copy."""


class Row(Struct, frozen=True):
    """A card's line: its number in the file and its cells by column, blanks around them taken off. Empty is what stands
    in a column that the table does not have.
    """

    line: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def text(self, columns: Mapping[str, str] = TEXTS) -> Text:
        """What stands in `TEXTS`, or in `COMMENTS`, in all languages."""
        cells = self.cells
        return text_of({tag: cells.get(column, "") for tag, column in columns.items()})

    def told(self, lang: str, columns: Mapping[str, str] = TEXTS) -> str:
        """What a reader of this language is told, in another one if it is missing there: see `Text`."""
        return self.cells.get(columns.get(lang, ""), "") or self.text(columns)[lang]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that its front is in."""
        return tuple(tag for tag, column in TEXTS.items() if self.cells.get(column))

    @property
    def named(self) -> str:
        """The card in a few words."""
        text = next((self[column] for column in TEXTS.values() if self[column]), self["id"])
        return text if len(text) <= _FEW else f"{text[: _FEW - 1]}…"


class Table(Struct, frozen=True):
    """A deck's table: what it tells about itself (`about["title"]` is a list of lines' cells) and its rows."""

    about: dict[str, list[list[str]]]
    rows: list[Row]

    def title(self, otherwise: str) -> Text:
        """What the deck is called, in the languages in which it says so."""
        said = next((cells for cells in self.about.get("title", []) if any(cells)), [])
        others = {tag: cells[0] for tag, cells in self._others("title") if cells[0]}
        return _named(said, others) if any(said) or others else same(otherwise)

    def named(self, key: str) -> dict[str, Text]:
        """The names in lines such as `#series,rom,Rom,Rome`, by their first cell. It is itself the name if there is
        none.
        """
        said = {cells[0]: cells[1:] for cells in self.about.get(key, []) if cells}
        others: dict[str, dict[str, str]] = {one: {} for one in said}
        for tag, cells in self._others(key):
            others.setdefault(cells[0], {})[tag] = "".join(cells[1:2])
        found = {one: _named(said.get(one, []), own) for one, own in others.items()}
        return {one: name if name.languages else same(one) for one, name in found.items()}

    def lines(self, key: str) -> list[Text]:
        """The lines of this name, such as `#source,…`: the first in all languages, then the second one."""
        lines = [[cells[0], *[cells[-1]] * len(ALWAYS)] for cells in self.about.get(key, []) if cells]
        others = {tag: [cells[0] for one, cells in self._others(key) if one == tag] for tag in TAGS}
        number = max([len(lines), *map(len, others.values())])
        return [
            _named([*lines, *[[]] * number][at], {tag: said[at] for tag, said in others.items() if at < len(said)})
            for at in range(number)
        ]

    def _others(self, key: str) -> Iterator[tuple[str, list[str]]]:
        """The lines of this name that are in one language, such as `#source_it,…`."""
        for tag in TAGS:
            yield from ((tag, cells) for cells in self.about.get(f"{key}_{tag}", []) if cells)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that some card is in."""
        return tuple(tag for tag, column in TEXTS.items() if any(row.cells.get(column) for row in self.rows))

    @property
    def needed(self) -> tuple[str, ...]:
        """The languages that each card should be in. Others fall back card by card."""
        return tuple(one for one in self.languages if one in ALWAYS) or self.languages

    def said(self, key: str) -> str:
        """What the lines of this name say, such as who wrote the deck, as one text."""
        return "; ".join(", ".join(cells) for cells in self.about.get(key, []))


def _named(said: Sequence[str], others: Mapping[str, str]) -> Text:
    """The text that says this in `ALWAYS`, and in other languages what they have. Where one of `ALWAYS` says nothing,
    the other one speaks for it: nobody has told in which language a single name is.
    """
    cells = [*said, *[""] * len(ALWAYS)][: len(ALWAYS)]
    only = next(filter(None, cells), "")
    return text_of({tag: cell or only for tag, cell in zip(ALWAYS, cells, strict=True)} | dict(others))


def titled(about: Mapping[str, list[list[str]]], title: Text) -> dict[str, list[list[str]]]:
    """The lines about a deck, with this title instead of its own."""
    others = {f"title_{tag}": tag for tag in TAGS}
    lines = {key: cells for key, cells in about.items() if key not in others} | {
        "title": [[title[tag] for tag in ALWAYS]]
    }
    said = title.by_language
    return lines | {key: [[said[tag]]] for key, tag in others.items() if tag in said and tag not in ALWAYS}


def read_table(text: str, columns: tuple[str, ...], optional: Collection[str] = ()) -> Table:
    """The table in this CSV text. `columns` have to be there, in any order, except `optional` ones; others are kept.

    Invalid, naming the line, where a column is missing or a line has too many or too few cells.
    """
    about: dict[str, list[list[str]]] = {}
    rows: list[Row] = []
    header: list[str] | None = None
    for line, cells in _lines(text):
        if cells[0].startswith("#"):
            about.setdefault(cells[0][1:].strip(), []).append(cells[1:])
        elif header is None:
            header = [_SAME.get(cell, cell) for cell in cells]
            missing = [column for column in columns if column not in header and column not in optional]
            if missing:
                raise Invalid("line {line}: the columns {missing} are missing", line=line, missing=", ".join(missing))
        elif len(cells) != len(header):
            raise Invalid(
                "line {line}: {n} cells, but the table has {m} columns", line=line, n=len(cells), m=len(header)
            )
        else:
            rows.append(Row(line, dict(zip(header, cells, strict=True))))
    if header is None:
        raise Invalid("the table has no line with the names of its columns")
    return Table(about, rows)


def write_table(table: Table, columns: Sequence[str]) -> str:
    """The CSV text of a table, from which it is read again."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    for key, said in table.about.items():
        lines.writerows([f"#{key}", *cells] for cells in said)
    lines.writerow(columns)
    lines.writerows([row[column] for column in columns] for row in table.rows)
    return text.getvalue()


def is_same(one: Row, other: Row) -> bool:
    """Whether the same stands on two cards."""
    return one.cells == other.cells or _filled(one) == _filled(other)


def _filled(row: Row) -> dict[str, str]:
    return {column: text for column, text in row.cells.items() if text}


def hash_of(table: Table) -> str:
    """Return the SHA-256 of what stands on the cards, whatever the order of rows and columns."""
    cards = sorted(sorted(_said(row).items()) for row in table.rows)
    return hashlib.sha256(msgspec.json.encode(cards)).hexdigest()


def _said(row: Row) -> dict[str, str]:
    return {column: text for column, text in row.cells.items() if text and column != CORRECTED}


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                if stripped[0].startswith("#"):
                    while stripped[-1] == "":
                        stripped.pop()
                yield reader.line_num, stripped
    except csv.Error as error:
        raise Invalid("line {line}: {reason}", line=reader.line_num, reason=error) from None
