"""Sheets as people have them: how they are read, and the messages for broken ones."""

import contextlib
import datetime as dt
import io
import time
import zipfile

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.workbooks import cell, ods, ods_cell, ods_of, packed, xlsx, xlsx_of
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.check import looked_at
from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import errors
from spieltisch.decks.importing.columns import taken_in
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import BYTES, CELL, ROWS, read_file, read_sheet
from spieltisch.decks.library import shipped
from spieltisch.decks.table import read_table
from spieltisch.game import Invalid

MINIMAL = [["Datum", "Ereignis"], [1903, "Zwei Brüder fliegen."], ["44 v. Chr.", "Ein Feldherr wird erstochen."]]
CSV = "Datum;Ereignis\n1903;Zwei Brüder fliegen.\n44 v. Chr.;Ein Feldherr wird erstochen.\n"


def lines(content):
    return [line.cells for line in read_sheet(content).lines]


def deck(content, kind=None):
    """What importing this sheet would make."""
    sheet = taken_in(read_sheet(content if isinstance(content, bytes) else content.encode()), kind)
    return looked_at(Deck("d", sheet.kind, renewed(sheet, "d").table), sheet)


def wrong(content, kind=None):
    return [(one.line, one.rule, str(one.wrong), str(one.right or "")) for one in errors([*deck(content, kind).found])]


def noted(content):
    made = deck(content)
    assert not errors([*made.found])
    return [(one.line, str(one.wrong)) for one in made.found if one.rule == "day"]


def refused(content):
    with pytest.raises(Invalid) as refusal:
        deck(content)
    return str(refusal.value)


def by_program(rows, change=None):
    """The rows as a program writes them."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if change:
        change(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


# -- what is read --------------------------------------------------------------------------------------------

READ = [("Datum", "Ereignis"), ("1903", "Zwei Brüder fliegen."), ("44 v. Chr.", "Ein Feldherr wird erstochen.")]


@pytest.mark.parametrize(
    "content",
    [
        CSV.encode(),
        CSV.encode("utf-8-sig"),
        CSV.encode("utf-16"),
        CSV.encode("utf-16-le"),
        CSV.encode("utf-16-be"),
        CSV.replace("\n", "\r\n").encode(),
        CSV.replace(";", ",").encode(),
        CSV.replace(";", "\t").encode(),
        ("\n\n" + CSV + "\n;;\n").encode(),
        CSV.replace("Brüder", "Bru\u0308der").encode(),
        CSV.replace("Zwei Brüder fliegen.", '" Zwei\n  Brüder fliegen. "').encode(),
        xlsx(*MINIMAL),
        ods(*MINIMAL),
        by_program(MINIMAL),
    ],
    ids=[
        "utf-8",
        "mark",
        "utf-16",
        "little",
        "big",
        "crlf",
        "commas",
        "tabs",
        "blank",
        "nfd",
        "quoted",
        "xlsx",
        "ods",
        "program",
    ],
)
def test_one_sheet_in_many_forms(content):
    assert lines(content) == READ


def test_lines_are_counted_as_the_program_counts_that_shows_them():
    assert [line.number for line in read_sheet(b'a,b\n\n1,"x\ny"\n2,z\n').lines] == [1, 3, 5]
    rows = [["Datum", "Ereignis"], [None, None], [1903, "Zwei fliegen."]]
    assert [line.number for line in read_sheet(xlsx(*rows)).lines] == [1, 3]
    assert [line.number for line in read_sheet(ods(*rows)).lines] == [1, 3]


@pytest.mark.parametrize("name", ["events", "firsts"])
def test_a_shipped_deck_is_taken_in_as_it_is(name):
    sheet = taken_in(read_file(shipped()[name]))
    table = read_table(shipped()[name].read_text("utf-8"), ())
    assert sheet.table.about == table.about
    assert [row.cells for row in sheet.table.rows] == [
        {column: row[column] for column in kind_of(sheet.kind).columns} for row in table.rows
    ]
    assert sheet.kind == name


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("Datum,Ereignis", {"date", "de"}),
        ("date,event", {"date", "en"}),
        ("Jahr,Text,Kommentar,Quelle", {"date", "de", "comment_de", "source"}),
        ("Year,Text,Comment,Link", {"date", "en", "comment_en", "source"}),
        ("Wann,Deutsch,Englisch,Kommentar (de),Comment (en)", {"date", "de", "en", "comment_de", "comment_en"}),
        ("Datum,Ereignis,Event,Kommentar,Comment", {"date", "de", "en", "comment_de", "comment_en"}),
        ("date,de,comment", {"date", "de", "comment_de"}),
        ("DATUM , ereignis,Stufe,Gebiet,Gegend,Reihe", {"date", "de", "level", "field", "region", "series"}),
        ("Jahr,Ereignis,Lernziel", {"date", "de", "goal"}),
        ("Nr.,Datum,Ereignis", {"date", "de"}),
    ],
)
def test_headers_in_either_language(header, columns):
    sheet = taken_in(read_sheet(header.encode() + b"\n1903,x,y,z,a\n"))
    assert {column for column in sheet.given if column} == columns


def test_a_sheet_of_two_columns_makes_a_deck():
    made = deck(CSV)
    assert errors([*made.found]) == []
    assert [row["de"] for row in made.table.rows] == [row[1] for row in READ[1:]]
    assert len({row["id"] for row in made.table.rows}) == 2


def test_tags_may_be_named_in_words():
    row = deck("Datum;Ereignis;Gebiet;Gegend\n1903;Zwei fliegen.;Technik, sport;Nordamerika\n").table.rows[0]
    assert (row["field"], row["region"]) == ("technology;sport", "north-america")


def test_an_event_may_begin_with_a_hash():
    made = deck("#title;Netz;Net\nEreignis;Datum\n#MeToo geht um die Welt.;2017\n")
    assert [row["de"] for row in made.table.rows] == ["#MeToo geht um die Welt."]
    assert made.table.about["title"] == [["Netz", "Net"]]


def test_firsts_are_told_by_their_columns_or_on_request():
    text = "Jahr;de;en;who;Quelle\n1903 n.Chr.;Erste Frau;First woman;Ada;Q1\n"
    assert deck(text, "firsts").table.rows[0]["year"] == "1903"
    assert deck(text.replace("Jahr", "year")).kind == "firsts"
    assert wrong(text.replace("1903 n.Chr.", "1903–1905"), "firsts")[0][1] == "date"
    assert deck(text.replace("1903 n.Chr.", "Zukunft"), "firsts").table.rows[0]["year"] == "joker"


# -- broken files: each ends in a sentence -------------------------------------------------------------------


def test_wrong_encoding():
    assert refused(CSV.replace("ü", "\x81").encode("latin-1")).startswith(
        "line 2: the file is not in UTF-8 (after “1903;Zwei Br”)"
    )
    assert refused(b"Datum\0;Ereignis\0\0") == "this is not a table: save it as CSV, XLSX or ODS"
    assert refused(CSV.encode("utf-16")[:-1]).startswith("line")
    assert ("signs", "letters were misread: “ei BrÃ¼der f”", "Write: Zwei Brüder fliegen.") in [
        one[1:] for one in wrong(CSV.encode().decode("latin-1"))
    ]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_windows_letters_are_read_as_german_spreadsheets_write_them(ends):
    text = CSV.replace("Zwei Brüder", "„Zwei“ Brüder – süß, 3 €,").replace("\n", ends)
    made = deck(text.encode("cp1252"))
    assert made.table.rows[0]["de"] == "„Zwei“ Brüder – süß, 3 €, fliegen."
    said = [str(one.wrong) for one in made.found if one.rule == "encoding"]
    assert said == ["the file is not in UTF-8: it was read as a German spreadsheet writes it, such as “Brüder”"]
    assert not [one for one in deck(text).found if one.rule == "encoding"]


def test_lines_above_the_names_of_the_columns_are_told():
    made = deck("Geschichte 9b;;Stand: Mai\n\nDatum;Ereignis\n1903;Zwei fliegen.\n")
    assert [row["de"] for row in made.table.rows] == ["Zwei fliegen."]
    assert [(one.line, str(one.wrong)) for one in made.found if one.rule == "above"] == [
        (1, "not used: “Geschichte 9b Stand: Mai” above the names of the columns")
    ]


def test_a_row_that_looks_like_a_line_about_the_deck_is_a_card_all_the_same():
    made = deck("Ereignis;Datum\n#title heißt ein Bild.;1903\n#title;1904\n")
    assert [row["de"] for row in made.table.rows] == ["#title heißt ein Bild.", "#title"]


def test_an_open_quotation_mark_swallows_no_rows():
    """Two cards stood inside a third one's text, without a word."""
    text = 'Datum;Ereignis\n1903;"Ein Flug.\n1904;Ein Fest.\n1905;Ein Mord."\n1969;Der Mond.\n'
    assert refused(text).startswith("line 2: the quotation marks do not match")
    kept = deck('date,event\n1903,"A flight,\nwith friends, and a landing"\n').table.rows
    assert [row["en"] for row in kept] == ["A flight, with friends, and a landing"]


def test_the_sheet_with_the_dates_is_found_in_a_workbook():
    def before(book):
        book.create_sheet("Noten", 0).append(["Name", 1, 2, 1903])
        book.create_sheet("Ende").append(["=1+1"])

    for more in (None, ["Datum", "Ereignis"]):
        content = by_program(MINIMAL, before)
        if more:
            book = openpyxl.load_workbook(io.BytesIO(content))
            for row in (more, [1812, "Ein Brand."]):
                book["Ende"].append(row)
            file = io.BytesIO()
            book.save(file)
            content = file.getvalue()
        made = deck(content)
        assert [row["date"] for row in made.table.rows] == ["1903", "44 v. Chr."]
        assert not errors([*made.found])  # the formula is on another sheet
        said = [(str(one.wrong), str(one.right or "")) for one in made.found if one.rule == "sheets"]
        also = "There are dates in Ende too. Make a deck from each." if more else ""
        assert said == [("only the sheet “Sheet” of 3 is read: it has the dates", also)]


def test_formulas_are_named_on_the_sheet_that_is_read():
    def before(book):
        book.create_sheet("Noten", 0).append(["=1+1"])

    made = deck(by_program([*MINIMAL, [1905, "=1+1"]], before))
    assert [(one.line, str(one.wrong)) for one in errors([*made.found]) if "is a formula" in str(one.wrong)] == [
        (4, "B4 is a formula")
    ]
    table = ods_of(
        f"<table:table-row>{ods_cell('Datum')}{ods_cell('Ereignis')}</table:table-row><table:table-row>"
        f"{ods_cell(1903)}{ods_cell('Ein Flug.')}</table:table-row></table:table>"
        '<table:table table:name="Zahlen"><table:table-row><table:table-cell table:formula="of:=1" '
        'office:value-type="float" office:value="1"/></table:table-row>'
    )
    assert wrong(table) == []


def test_swapped_columns():
    found = wrong("Ereignis;Datum\n1903;Zwei Brüder fliegen.\n44 v. Chr.;Ein Feldherr wird erstochen.\n")
    assert [(line, rule) for line, rule, *_ in found] == [(2, "swapped")]
    assert found[0][3] == "Swap the names of these two columns in the first line."


@pytest.mark.parametrize(
    "content",
    [CSV.replace("44 v. Chr.", "-44"), CSV.replace("44 v. Chr.", "−44"), xlsx(MINIMAL[0], MINIMAL[1], [-44, "Mord."])],
)
def test_years_before_our_era_with_a_minus(content):
    line, rule, said, right = wrong(content)[0]
    assert (line, rule, right) == (3, "date", "Write: 44\u00a0BC")
    assert "do not write years BC with a minus" in said


def test_days_where_years_belong():
    day = dt.datetime(1905, 3, 17)  # noqa: DTZ001 - a spreadsheet knows no time zone
    said = (2, "1905-03-17: only the year counts on cards, 1905")
    assert noted(by_program([MINIMAL[0], [day, "Ein Flug."]])) == [said]
    assert noted("date,event\n17.3.1905,A flight.\n") == [(2, "17.3.1905: only the year counts on cards, 1905")]
    assert wrong("date,event\n3/17/1905,A flight.\n")[0][3] == "Write: 1905"
    table = ods_of(
        f"<table:table-row>{ods_cell('Datum')}{ods_cell('Ereignis')}</table:table-row><table:table-row>"
        '<table:table-cell office:value-type="date" office:date-value="1905-03-17"/>'
        f"{ods_cell('Ein Flug.')}</table:table-row>"
    )
    assert noted(table) == [said]


def test_a_day_that_a_spreadsheet_may_have_made_is_asked_about():
    """Typing 5.6 into a cell without the format “text” makes a day of this year."""
    day = dt.datetime(dt.datetime.now(tz=dt.UTC).year, 6, 5)  # noqa: DTZ001 - a spreadsheet knows no time zone
    made = deck(by_program([MINIMAL[0], [day, "Ein Flug."]]))
    assert [one.rule for one in made.found if one.severity == "warning" and one.line] == ["new-day"]


def test_numbers_with_points():
    assert wrong("date;event\n1.903;A flight.\n")[0][3] == "Write: 1903"
    assert wrong(xlsx(MINIMAL[0], [1903.5, "Ein Flug."]))[0][1] == "date"


def test_formulas_are_named_and_not_run():
    found = wrong(by_program([*MINIMAL, ["=1900+3", '=HYPERLINK("http://example.org")']]))
    assert [(line, said) for line, rule, said, _ in found if rule == "formula"] == [
        (4, "A4 is a formula"),
        (4, "B4 is a formula"),
    ]
    computed = (
        f'<row r="1">{cell("Datum")}{cell("Ereignis")}</row>'
        f'<row r="2"><c r="A2"><f>1900+3</f><v>1903</v></c>{cell("Ein Flug.")}</row>'
    )
    assert wrong(xlsx_of(computed)) == [(2, "formula", "A2 is a formula", "Copy the cells and paste them as values.")]
    table = ods_of(
        f"<table:table-row>{ods_cell('Datum')}{ods_cell('Ereignis')}</table:table-row><table:table-row>"
        '<table:table-cell table:formula="of:=1900+3" office:value-type="float" office:value="1903"/>'
        f"{ods_cell('Ein Flug.')}</table:table-row>"
    )
    assert wrong(table) == [(2, "formula", "A2 is a formula", "Copy the cells and paste them as values.")]
    assert wrong("date,event\n1903,=cmd|' /C calc'!A0\n")[0][1] == "formula"
    assert wrong("date,event,comment\n1903,A flight.,@SUM(1)\n")[0][1] == "formula"


def test_formulas_that_failed():
    assert wrong("date,event\n1903,#NAME?\n")[0][:2] == (2, "formula")
    failed = (
        f'<row r="1">{cell("Datum")}{cell("Ereignis")}</row>'
        f'<row r="2">{cell(1903)}<c r="B2" t="e"><v>#REF!</v></c></row>'
    )
    assert (2, "formula") in [one[:2] for one in wrong(xlsx_of(failed))]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Ein <b>Flug</b> gelingt.", "Write: Ein Flug gelingt."),
        ("Ein Flug<script>alert(1)</script> gelingt.", "Write: Ein Flug gelingt."),
        ("<img src=x onerror=alert(1)>", "Leave it out."),
        ("Tom &amp; Jerry streiten.", "Write: Tom & Jerry streiten."),
        ("</td><h1>Flug", "Write: Flug"),
    ],
)
def test_html_and_script(text, right):
    for content in (
        f"Datum\tEreignis\n1903\t{text}\n",
        xlsx(MINIMAL[0], ["1903", text]),
        ods(MINIMAL[0], ["1903", text]),
    ):
        assert [one[1::2] for one in wrong(content)] == [("markup", right)]


def test_a_file_of_50_mb(tmp_path):
    file = tmp_path / "big.csv"
    with file.open("wb") as big:
        big.truncate(50 * 2**20)
    with pytest.raises(Invalid, match=r"the file has 50\.0 MB, at most 5 are read"):
        read_file(file)
    with pytest.raises(Invalid, match="the file has"):
        read_sheet(b" " * (BYTES + 1))


def rows_of(n):
    return "Datum;Ereignis\n" + "".join(f"{i % 2000 + 1};Im Ort {word(i)} geschieht etwas.\n" for i in range(n))


def word(n):
    letters = ""
    while n:
        n, rest = divmod(n, 25)
        letters += chr(97 + rest)
    return f"X{letters}"


@pytest.mark.slow
def test_ten_thousand_rows_are_read_and_more_are_not():
    start = time.process_time()  # however busy the machine is
    assert len(deck(rows_of(ROWS)).table.rows) == ROWS
    assert time.process_time() - start < 60
    assert refused(rows_of(ROWS + 1)) == "the table has more than 10000 lines"


def test_workbooks_of_too_many_rows():
    rows = "".join(f'<row r="{n}">{cell(n)}</row>' for n in range(1, ROWS + 200))
    assert "lines" in refused(xlsx_of(rows))
    repeated = f'<table:table-row table:number-rows-repeated="20000">{ods_cell(1)}</table:table-row>'
    assert "lines" in refused(ods_of(repeated))


@pytest.mark.parametrize(
    "content",
    [
        xlsx_of(f"<row r='1'>{cell(1, 'A1')}</row><row r='1048576'>{cell(1, 'XFD1048576')}</row>"),
        xlsx_of(f"<row r='1'>{cell(1, 'ZZ1')}</row>"),
        ods_of('<table:table-row><table:table-cell table:number-columns-repeated="16384" office:value-type="float" '
               'office:value="1"/></table:table-row>'),
        xlsx_of(cell("x" * (CELL * 3))),
        ods(["x" * (CELL * 3)]),
        xlsx(["Datum", "Ereignis"], [1903, "x" * (CELL + 1)]),
        ("date,event\n1903," + "x" * (CELL + 1)).encode(),
        ("date,event\n1903,x" + ",x" * 50).encode(),
    ],
    ids=["far-cell", "far-column", "repeated", "long-xlsx", "long-ods", "long-cell", "long-csv", "wide-csv"],
)  # fmt: skip
def test_sheets_that_claim_too_much(content):
    assert refused(content)


def test_empty_cells_far_away_do_not_matter():
    """A format that somebody gave to a whole column."""
    assert lines(xlsx_of(f'<row r="1">{cell("a", "A1")}</row><row r="1048576"><c r="XFD1048576" s="1"/></row>')) == [
        ("a",)
    ]
    far = '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    rows = (
        f'<table:table-row>{ods_cell("a")}</table:table-row><table:table-row table:number-rows-repeated="1048000">{far}'
    )
    assert lines(ods_of(rows)) == [("a",)]


def test_a_packed_file_that_unpacks_without_end():
    parts = {"xl/workbook.xml": "<a/>", "xl/media.xml": b"<a>" + b" " * (80 * 2**20) + b"</a>"}
    bomb = packed(parts)
    assert len(bomb) < BYTES
    assert "unpacked the workbook has more than" in refused(bomb)


def test_a_packed_file_that_lies_about_its_size():
    honest = bytearray(packed({"content.xml": b"<a>" + b" " * 1000 + b"</a>", "mimetype": "x"}))
    lying = bytes(honest).replace((1007).to_bytes(4, "little"), (3).to_bytes(4, "little"))
    assert lying != honest
    assert "this workbook cannot be read" in refused(lying)


def test_entities_that_grow_without_end():
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    doctype = f'<!DOCTYPE worksheet [<!ENTITY a0 "ha">{laughs}]>'
    assert "this workbook cannot be read" in refused(xlsx_of("<row><c><v>&a9;</v></c></row>", before=doctype))


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\n\n", b"\xef\xbb\xbf", b"%PDF-1.7 \n", b"<!doctype html><table><tr><td>1903", b"\x89PNG\0\0",
        b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        packed({"word/document.xml": "<a/>"}), packed({"content.xml": "<a"}),
        packed({"xl/workbook.xml": "<workbook/>"}), xlsx(*MINIMAL)[:-40],
        xlsx_of("<row>"),
        b'date,event\n1903,"A flight.\n', b'date,event\n1903,"A "flight".\n', b"date,event\n1903,\"x\"y\n",
        b"#title,A,B\n",
    ],
)  # fmt: skip
def test_what_is_no_table(content):
    assert refused(content)


def test_protected_workbooks():
    file = io.BytesIO(xlsx(*MINIMAL))
    with zipfile.ZipFile(file) as book:
        entry = book.getinfo("xl/workbook.xml")
    content = bytearray(file.getvalue())
    content[entry.header_offset + 6] |= 1  # the flag that says a part is encrypted
    directory = content.rindex(b"PK\x01\x02", 0, content.index(b"xl/workbook.xml", content.index(b"PK\x01\x02")))
    content[directory + 8] |= 1
    assert "this workbook cannot be read" in refused(bytes(content))


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("Datum,Quelle", "line 1: there is no column for the event"),
        ("Ereignis,Quelle", "line 1: there is no column for the date"),
        ("1903,Ein Flug gelingt.", "line 1: the first line must name the columns"),
        ("Datum,Jahr,Ereignis", "two columns mean the same: Datum, Jahr"),
        ("Datum,Ereignis,de", "two columns mean the same: Ereignis, de"),
        ("Datum,Ereignis,Bild,Bild", ""),
    ],
)
def test_columns_that_cannot_be_told(header, reason):
    content = f"{header}\n1903,x,y,z\n1904,a,b,c\n"
    if reason:
        assert refused(content).startswith(reason)
    else:
        assert [str(one.wrong) for one in deck(content).found if one.rule == "columns"] == [
            "not used: the columns “Bild”, “Bild”"
        ]


def test_a_line_with_too_many_cells():
    assert wrong("date,event\n1903,A flight, and a landing\n")[0][:3] == (
        2,
        "cells",
        "3 cells, but the table has 2 columns",
    )


def test_every_bad_line_is_named():
    found = wrong("date,event\n1903,A flight.\nx,A murder.\n,A song.\n1900er,A film.\n-3,A ship sails.\n")
    assert [line for line, *_ in found] == [3, 4, 5, 6]


# -- laws ----------------------------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(' ,;"'), max_size=12).map(
    lambda text: " ".join(text.split())
)
tables = st.lists(st.lists(texts, min_size=2, max_size=4), min_size=1, max_size=5)


@given(tables)
@pytest.mark.slow
def test_workbooks_of_all_kinds_are_read_alike(rows):
    wanted = [tuple(row) for row in rows]
    for content in (xlsx(*rows), ods(*rows)):
        try:
            read = [tuple(line.cells) for line in read_sheet(content).lines]
        except Invalid:
            read = []
        normal = [tuple(line.cells) for line in read_sheet(xlsx(*wanted)).lines] if read else []
        assert read == normal


@given(st.binary(max_size=300))
def test_any_bytes_are_a_sheet_or_refused(content):
    with contextlib.suppress(Invalid):
        deck(content)


BOOKS = [xlsx(*MINIMAL), ods(*MINIMAL), by_program(MINIMAL)]


@given(st.sampled_from(BOOKS), st.data())
def test_any_damage_is_refused_or_survived(content, data):
    damaged = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(Invalid):
        deck(bytes(damaged))


@given(st.sampled_from(BOOKS), st.data())
def test_any_damage_inside_is_refused_or_survived(content, data):
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        parts = {name: bytearray(book.read(name)) for name in book.namelist()}
    for _ in range(data.draw(st.integers(1, 3))):
        part = parts[data.draw(st.sampled_from(sorted(parts)))]
        at = data.draw(st.integers(0, len(part)))
        part[at : at + data.draw(st.integers(0, 3))] = data.draw(
            st.sampled_from(
                [b"<", b'"', b"", b"9", b"99999999", b"-1", b"A1", b"XFD", b"rId9", b"&#0;", b"e308", b' t="s"']
            )
        )
    with contextlib.suppress(Invalid):
        deck(packed({name: bytes(part) for name, part in parts.items()}))


xml = st.lists(
    st.sampled_from([
        "<row>", "</row>", "<c>", '<c t="s">', '<c t="e">', '<c r="B2">', '<c r="ZZZZZZZZ9">', '<c t="d">', "</c>",
        "<v>", "</v>", "<f>", "</f>", "<is>", "</is>", "<t>", "</t>", "1", "x", "-5", "1e400", "<row r='0'>",
        "<row r='99999999999'>",
    ]),
    max_size=12,
)  # fmt: skip


@given(xml)
def test_any_inside_of_a_sheet_is_refused_or_survived(tags):
    with contextlib.suppress(Invalid):
        deck(xlsx_of("".join(tags)))
