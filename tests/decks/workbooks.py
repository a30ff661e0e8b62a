"""Workbooks written by hand, so that they can hold what no program would write."""

import io
import zipfile
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def packed(parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        for name, part in parts.items():
            book.writestr(name, part)
    return file.getvalue()


def xlsx_of(sheet_data, *, before=""):
    """A workbook with this inside its only sheet's sheetData."""
    return packed({
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="rId1" Type="{OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="Karten" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="rId1" '
        f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<?xml version="1.0"?>{before}<worksheet xmlns="{MAIN}">'
        f"<sheetData>{sheet_data}</sheetData></worksheet>",
    })  # fmt: skip


def cell(value, at=""):
    name = f' r="{at}"' if at else ""
    if isinstance(value, str):
        return f'<c{name} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f"<c{name}><v>{value}</v></c>" if value is not None else ""


def xlsx(*rows):
    lines = (
        f'<row r="{n}">{"".join(cell(value, f"{chr(65 + at)}{n}") for at, value in enumerate(row))}</row>'
        for n, row in enumerate(rows, start=1)
    )
    return xlsx_of("".join(lines))


def ods_of(table):
    """A workbook with this inside its only table."""
    space = "urn:oasis:names:tc:opendocument:xmlns"
    return packed({
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "content.xml": f'<office:document-content xmlns:office="{space}:office:1.0" xmlns:table="{space}:table:1.0" '
        f'xmlns:text="{space}:text:1.0"><office:body><office:spreadsheet><table:table table:name="Karten">{table}'
        "</table:table></office:spreadsheet></office:body></office:document-content>",
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{space}:manifest:1.0">'
        '<manifest:file-entry manifest:full-path="/" manifest:media-type='
        '"application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>',
    })  # fmt: skip


def ods_cell(value):
    if value is None:
        return "<table:table-cell/>"
    shown = f"<text:p>{escape(str(value))}</text:p>"
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string">{shown}</table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}">{shown}</table:table-cell>'


def ods(*rows):
    lines = (f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows)
    return ods_of("".join(lines))
