"""An empty table for a new deck, for spreadsheets: the column names and some example cards.

In the workbook, the date column has the format “text”, because a spreadsheet would turn typed dates into days. It is
written by hand, in five small parts, since our reader of workbooks cannot write.
"""

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.exporting.spreadsheets import as_own_csv

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PLAIN = 'numFmtId="0" fontId="0" fillId="0" borderId="0"'
TEXT = 49  # the number of the format “text”


def as_csv(lang: str, kind: str) -> bytes:
    """The table as CSV that spreadsheets open directly: semicolons and a UTF-8 mark."""
    return as_own_csv(kind_of(kind).example(lang)).encode()


def as_workbook(lang: str, kind: str) -> bytes:
    """The table as XLSX."""
    columns = "".join(
        f'<col min="{n}" max="{n}" width="{width}" customWidth="1" style="1"/>'
        for n, width in enumerate(kind_of(kind).widths, start=1)
    )
    rows = "".join(f'<row r="{n}">{_cells(n, row)}</row>' for n, row in enumerate(kind_of(kind).example(lang), start=1))
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
        "_rels/.rels": _relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="Spieltisch" '
        'sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")),
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><fonts count="1"><font><sz val="11"/>'
        '<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>'
        '<patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/>'
        f'<diagonal/></border></borders><cellStyleXfs count="1"><xf {_PLAIN}/></cellStyleXfs><cellXfs count="2"><xf '
        f'{_PLAIN} xfId="0"/><xf {_PLAIN.replace("0", str(TEXT), 1)} xfId="0" applyNumberFormat="1"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><cols>{columns}</cols><sheetData>{rows}</sheetData>'
        "</worksheet>",
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, part in parts.items():
            packed.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{part}')
    return file.getvalue()


def _cells(row: int, texts: Sequence[str]) -> str:
    return "".join(
        f'<c r="{"ABCDEFGHI"[at]}{row}" s="1" t="inlineStr"><is><t>{escape(text)}</t></is></c>'
        for at, text in enumerate(texts)
        if text
    )


def _relations(*targets: tuple[str, str]) -> str:
    each = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'
