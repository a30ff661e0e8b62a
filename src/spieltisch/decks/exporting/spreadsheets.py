"""Tables for spreadsheets in any language, as CSV and as an ODS workbook, without formulas."""

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from spieltisch.decks.lint.phrases import is_formula

Cell = str | int | float | None
Rows = Sequence[Sequence[Cell]]

ODS = "application/vnd.oasis.opendocument.spreadsheet"
_SPACE = "urn:oasis:names:tc:opendocument:xmlns"
_HEAD = (
    f'<office:document-content xmlns:office="{_SPACE}:office:1.0" xmlns:table="{_SPACE}:table:1.0"'
    f' xmlns:text="{_SPACE}:text:1.0" office:version="1.3"><office:body><office:spreadsheet>'
)
_TAIL = "</office:spreadsheet></office:body></office:document-content>"
_MANIFEST = (
    f'<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="{_SPACE}:manifest:1.0"'
    f' manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="{ODS}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
)
_THEN = (1980, 1, 1, 0, 0, 0)  # the date in the archive, so that equal tables make equal files


def as_csv(rows: Rows) -> str:
    """CSV that spreadsheets open directly. A cell that looks like a formula gets an apostrophe in front."""
    return as_own_csv([_harmless(cell) for cell in row] for row in rows)


def as_own_csv(rows: Iterable[Sequence[Cell]]) -> str:
    """The same for our own texts, unchanged: semicolons and a UTF-8 mark."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows(rows)
    return f"\ufeff{text.getvalue()}"


def _harmless(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and is_formula(cell) else cell


def as_ods(sheets: Mapping[str, Rows]) -> bytes:
    """A workbook with these sheets by name. Texts stay texts, numbers stay numbers."""
    body = "".join(_sheet(name, rows) for name, rows in sheets.items())
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as book:
        for name, part in {
            "mimetype": ODS,  # uncompressed and first, where programs look for the file's type
            "content.xml": f'<?xml version="1.0" encoding="UTF-8"?>{_HEAD}{body}{_TAIL}',
            "META-INF/manifest.xml": _MANIFEST,
        }.items():
            how = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            book.writestr(zipfile.ZipInfo(name, _THEN), part, how)
    return file.getvalue()


def _sheet(name: str, rows: Rows) -> str:
    lines = "".join(f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>" for row in rows)
    return f"<table:table table:name={quoteattr(name)}>{lines}</table:table>"


def _cell(cell: Cell) -> str:
    if cell is None or cell == "":
        return "<table:table-cell/>"
    if isinstance(cell, str):
        text = "".join(sign for sign in cell if sign >= " " or sign in "\t\n")  # XML cannot contain the others
        return f'<table:table-cell office:value-type="string"><text:p>{escape(text)}</text:p></table:table-cell>'
    return (
        f'<table:table-cell office:value-type="float" office:value="{cell}"><text:p>{cell}</text:p></table:table-cell>'
    )
