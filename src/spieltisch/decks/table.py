"""A deck as one table that people can edit: CSV in UTF-8, as every spreadsheet reads and writes it.

Lines whose first cell begins with `#` tell about the deck (`#title,Weltgeschichte,World history`); the first
other line names the columns, each line after it is a card.
"""

import csv
import hashlib
import io
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from spieltisch.decks.text import Text
from spieltisch.game import Invalid

_FEW = 60  # characters by which a card is named
CORRECTED = "corrected"
"""The column of a deck with the day on which a card was corrected last."""
ERRATA = "erratum"
"""The lines of a deck's file with its corrections, each with the cells of a line in a file of corrections."""
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

    def told(self, lang: str, prefix: str = "") -> str:
        """The text of the columns `de` and `en`, or `comment_de` and so on: the other language where one is missing."""
        return self[f"{prefix}{lang}"] or self[f"{prefix}{'en' if lang == 'de' else 'de'}"]

    @property
    def named(self) -> str:
        """The card in a few words."""
        text = self["de"] or self["en"] or self["id"]
        return text if len(text) <= _FEW else f"{text[: _FEW - 1]}…"


class Table(Struct, frozen=True):
    """A deck's table: what it tells about itself (`about["title"]` is a list of lines' cells) and its rows."""

    about: dict[str, list[list[str]]]
    rows: list[Row]

    def title(self, otherwise: str) -> Text:
        """What the deck is called, in one language or in both."""
        de, en = [*next((cells for cells in self.about.get("title", []) if any(cells)), [otherwise]), ""][:2]
        return Text(de or en, en or de)

    def said(self, key: str) -> str:
        """What the lines of this name say, such as who wrote the deck, as one text."""
        return "; ".join(", ".join(cells) for cells in self.about.get(key, []))


def read_table(text: str, columns: tuple[str, ...]) -> Table:
    """The table in this CSV text. `columns` have to be there, in any order; others are kept.

    Invalid, naming the line, where a column is missing or a line has too many or too few cells.
    """
    about: dict[str, list[list[str]]] = {}
    rows: list[Row] = []
    header: list[str] | None = None
    for line, cells in _lines(text):
        if cells[0].startswith("#"):
            about.setdefault(cells[0][1:].strip(), []).append(cells[1:])
        elif header is None:
            header = cells
            missing = [column for column in columns if column not in header]
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
