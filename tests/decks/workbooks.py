"""Workbooks written by hand, with content that no program would write."""

import io
import zipfile
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


QUOTED = {'"': "&quot;"}


def packed(parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        for name, part in parts.items():
            book.writestr(name, part)
    return file.getvalue()


def xlsx_of(sheet_data, *, before="", around="", formats=(), texts="", sheets=(), about=""):
    """A workbook with this content in its first sheet's sheetData. `around` (before | after) surrounds the sheetData,
    `formats` are those of styles 1, 2 …, `texts` the shared texts, `sheets` further sheets as (name, state, sheetData).
    """
    front, _, behind = around.partition("|")
    each = [("Karten", "visible", sheet_data), *sheets]
    named = "".join(
        f'<sheet name="{name}" sheetId="{n}" state="{state}" r:id="rId{n}"/>'
        for n, (name, state, _) in enumerate(each, start=1)
    )
    codes = "".join(
        f'<numFmt numFmtId="{n}" formatCode="{escape(code, QUOTED)}"/>' for n, code in enumerate(formats, 164)
    )
    styles = "".join(f'<xf numFmtId="{n}"/>' for n in (0, *range(164, 164 + len(formats))))
    relations = "".join(
        f'<Relationship Id="rId{n}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(each) + 1)
    )
    return packed({
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="rId1" Type="{OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{about}<sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">{relations}</Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><numFmts>{codes}</numFmts><cellXfs>{styles}</cellXfs>'
        "</styleSheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{texts}</sst>',
    } | {
        f"xl/worksheets/sheet{n}.xml": f'<?xml version="1.0"?>{before}<worksheet xmlns="{MAIN}">'
        f"{front if n == 1 else ''}<sheetData>{data}</sheetData>{behind if n == 1 else ''}</worksheet>"
        for n, (_, _, data) in enumerate(each, start=1)
    })  # fmt: skip


def cell(value, at="", style=0):
    name = f' r="{at}"' if at else ""
    name += f' s="{style}"' if style else ""
    if isinstance(value, str):
        return f'<c{name} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f"<c{name}><v>{value}</v></c>" if value is not None else ""


def row(n, *cells, **more):
    """A row of these cells: values, (value, style), or XML."""
    said = "".join(f' {key}="{value}"' for key, value in more.items())
    made = (
        one if isinstance(one, str) and one.startswith("<c ") else cell(one[0], style=one[1]) if isinstance(one, tuple)
        else cell(one) if one is not None else "<c/>"
        for one in cells
    )  # fmt: skip
    return f'<row r="{n}"{said}>{"".join(made)}</row>'


def xlsx(*rows):
    lines = (
        f'<row r="{n}">{"".join(cell(value, f"{chr(65 + at)}{n}") for at, value in enumerate(row))}</row>'
        for n, row in enumerate(rows, start=1)
    )
    return xlsx_of("".join(lines))


def ods_of(table, *, styles="", more=""):
    """A workbook with this content in its first table; `styles` are its automatic ones, `more` follows the table."""
    space = "urn:oasis:names:tc:opendocument:xmlns"
    return packed({
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "content.xml": f'<office:document-content xmlns:office="{space}:office:1.0" xmlns:table="{space}:table:1.0" '
        f'xmlns:text="{space}:text:1.0" xmlns:style="{space}:style:1.0"><office:automatic-styles>{styles}'
        '</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="Karten">'
        f"{table}</table:table>{more}</office:spreadsheet></office:body></office:document-content>",
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{space}:manifest:1.0">'
        '<manifest:file-entry manifest:full-path="/" manifest:media-type='
        '"application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>',
    })  # fmt: skip


def ods_cell(value, shown=None, /, **more):
    """A cell with this value that shows `shown`; `more` are its attributes, such as date_value."""
    if value is None and not more:
        return "<table:table-cell/>"
    shown = f"<text:p>{escape(str(value if shown is None else shown))}</text:p>"
    if more:
        said = "".join(f' office:{key.replace("_", "-")}="{text}"' for key, text in more.items())
        return f"<table:table-cell{said}>{shown}</table:table-cell>"
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string">{shown}</table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}">{shown}</table:table-cell>'


def ods_row(*cells, more=""):
    """A row of these cells: values or XML."""
    made = (one if isinstance(one, str) and one.startswith("<") else ods_cell(one) for one in cells)
    return f"<table:table-row{more}>{''.join(made)}</table:table-row>"


def ods(*rows):
    lines = (f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows)
    return ods_of("".join(lines))
