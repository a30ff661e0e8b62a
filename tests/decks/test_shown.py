"""Visible cells are read; hidden ones are not, with a note; unlikely content raises a question."""

import datetime as dt
import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.workbooks import cell, ods_cell, ods_of, ods_row, packed, row, xlsx, xlsx_of
from spieltisch.decks.findings import errors
from spieltisch.decks.importing.number_formats import shown, shown_day, shown_text
from spieltisch.decks.importing.work import Press, as_text, from_file, from_form
from spieltisch.game import Invalid

CASES = Path(__file__).parent / "sheets" / "cases"
HEAD = ("Datum", "Ereignis")
FLIGHT = "Zwei Brüder fliegen."


def draft(content, lang="en"):
    return from_file(content if isinstance(content, bytes) else content.encode(), Press(lang=lang), "d", None, "T")


def dates(content):
    made = draft(content).deck
    return [one["date" if made.kind == "events" else "year"] for one in made.table.rows]


def events(content):
    return [one["de"] or one["en"] for one in draft(content).deck.table.rows]


def told(content):
    made = draft(content)
    seen = (str(one.wrong) for one in made.deck.found if one.rule in {"columns", "above"})
    return [*(one["en"].partition(" → ")[0] for one in made.work.told), *seen]


def asked(content):
    """The lines to look at, with suggested texts."""
    made = draft(content)
    wrong = (*errors([*made.deck.found]), *made.asked)
    return [(one.line, one.rule, [better["en"] for better in one.better]) for one in wrong]


def case(name):
    return (CASES / name).read_bytes()


# -- small failing sheets of others --------------------------------------------------------------------------


def test_cases_of_number_formats():
    assert dates(case("number-format.xlsx")) == ["753 v. Chr.", "1969"]
    assert dates(case("number-format.ods")) == [
        *("44 v. Chr.", "1969", "-0043-03-15", "1969-07-20", "1900 %", "um 1450", "20:15", "1.969,00 €"),
    ]
    assert asked(case("number-format.ods")) == [
        (4, "date", ["44 BC", "43 BC"]), (6, "date", []), (8, "date", []), (9, "date", []),
    ]  # fmt: skip


def test_cases_of_hidden_parts():
    assert events(case("hidden-sheet.xlsx")) == ["Zwei Menschen hüpfen herum.", "Jemand rennt allen davon."]
    assert told(case("hidden-sheet.xlsx")) == ["not read because it is hidden: the sheet “alt”"]
    for name in ("hidden-row.xlsx", "hidden-rows.ods"):
        assert events(case(name)) == ["Zwei Menschen hüpfen herum."]
    assert told(case("hidden-row.xlsx")) == ["not read because it is hidden: the row 3"]
    assert told(case("hidden-rows.ods")) == ["not read because they are hidden: the rows 3, 4"]


def test_cases_of_dates_in_several_columns():
    assert dates(case("era-in-its-own-column.csv")) == ["753 v. Chr.", "1969 n. Chr."]
    assert dates(case("end-in-its-own-column.csv")) == ["1914–1918", "1969"]
    assert told(case("end-in-its-own-column.csv")) == ["the dates combine the columns “Jahr”, “bis”"]


def test_cases_of_dates_that_get_a_suggestion():
    assert [better for *_, better in asked(case("between-two-years.csv"))] == [["1500–1510"], ["47–50"]]
    assert [better for *_, better in asked(case("era-without-its-last-dot.csv"))] == [
        *(["44 BC"], ["79 AD"], ["around 600 BC"], ["3rd c. BC"]),
    ]


def test_cases_of_signs_and_words():
    assert dates(case("invisible-sign-in-a-date.csv")) == ["1969", "1966", "44v. Chr."]
    assert draft(case("invisible-sign-in-a-date.csv")).good
    assert events(case("ods-words-glued.ods"))[1] == "Zwei Menschen hüpfen herum undfallen hin."


def test_a_heading_that_is_not_known_is_named_by_its_own_line():
    with pytest.raises(Invalid, match=r"line 3: there is no column for the event .*, only Nr\., Jahr, Was geschah\?"):
        draft(case("heading-error-names-the-title.xlsx"))


# -- number formats ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (753, '0" v. Chr."', "753 v. Chr."), (753, r"0\ \v\.\ \C\h\r\.", "753 v. Chr."), (1450, '"um "0', "um 1450"),
        (79, '0" AD"', "79 AD"), (-44, '0" n. Chr.";0" v. Chr."', "44 v. Chr."), (44, '[<100]0" BC";0', "44 BC"),
        (1969, '[<100]0" BC";0', "1969"), (1969, "#,##0", "1969"), (1969, "0.00", "1969"), (1903.5, "0.0", "1903.5"),
        (19, "0%", "1900%"), (1969, '#,##0.00 "€"', "1969 €"), (1969, "[$€-407] 0", "€ 1969"),
        (3, '0". Jh."', "3. Jh."),
        (-44, "0", "-44"), (0, "0;-0;", ""), (1848, '"ca. "General', "ca. 1848"), (1969, "@", "1969"),
        (19141918, "0000–0000", "1914–1918"), (1969, "[Red]0", "1969"), (1969, '_-0_-;-0_-', "1969"), (1969, ";;;", ""),
        (5, "0000", "0005"), (1.5e300, "0", "1.5e+300"), (1969000, "0,", "1969"), (-44, "0;[Red]0", "-44"),
    ],
)  # fmt: skip
def test_a_number_is_read_as_its_format_shows_it(value, code, text):
    assert shown(value, code) == text


@pytest.mark.parametrize(
    ("serial", "code", "text"),
    [
        (25404, "dd.mm.yyyy", "1969-07-20"), (25404, "m/d/yy", "1969-07-20"), (25404, "yyyy", "1969"),
        (25404, "[$-407]d. mmmm yyyy", "1969-07-20"), (25404, "mmm-yy", "July 1969"), (25404, "mm/yyyy", "July 1969"),
        (25404, 'yyyy" v. Chr."', "1969 v. Chr."), (25404, '"um "yyyy', "um 1969"),
        (25404.85, "dd.mm.yyyy hh:mm", "1969-07-20"),
        (25404, "d. mmmm", "20. July"), (0.84375, "hh:mm", "20:15"), (-17740, "dd.mm.yyyy", "1851-06-05"),
        (-17740.0, "yyyy", "1851"), (1, "dd.mm.yyyy", "1900-01-01"), (-693_000, "yyyy-mm-dd", "0002-08-17"),
        (25404, 'd" de "mmmm" de "yyyy', "1969-07-20"), (25404, "dddd, d. mmmm yyyy", "1969-07-20"),
    ],
)  # fmt: skip
def test_a_day_is_read_as_its_format_shows_it(serial, code, text):
    assert shown(serial, code) == text


def test_days_counted_from_1904_and_formats_of_texts():
    assert shown(25404 - 1462, "yyyy-mm-dd", from_1904=True) == "1969-07-20"
    assert shown_text("44", '@" v. Chr."') == "44 v. Chr."
    assert shown_text("44", "0") == "44"
    assert shown_day(-43, 3, 15, "15.03.-0043") == "-0043-03-15"


def test_formats_change_what_cells_of_xlsx_say():
    formats = ['0" v. Chr."', "dd.mm.yyyy", "yyyy"]
    rows = row(1, *HEAD) + row(2, (753, 1), FLIGHT) + row(3, (-17740, 2), "Zwei.") + row(4, (25404, 3), "Drei.")
    assert dates(xlsx_of(rows, formats=formats)) == ["753 v. Chr.", "1851-06-05", "1969"]
    early = xlsx_of(rows, formats=formats, about='<workbookPr date1904="1"/>')
    assert dates(early)[2] == "1973"


@pytest.mark.parametrize(
    ("attributes", "text", "date"),
    [
        ({"value_type": "float", "value": "44"}, "44 v. Chr.", "44 v. Chr."),
        ({"value_type": "float", "value": "1969"}, "1.969", "1969"),
        ({"value_type": "float", "value": "1969"}, "1969,00", "1969"),
        ({"value_type": "float", "value": "1450"}, "ca. 1450", "ca. 1450"),
        ({"value_type": "float", "value": "-44"}, "-44", "-44"),
        ({"value_type": "date", "date_value": "1851-06-05"}, "05.06.51", "1851-06-05"),
        ({"value_type": "date", "date_value": "1851-06-05"}, "Juni 1851", "Juni 1851"),
        ({"value_type": "date", "date_value": "1851-06-05"}, "1851 v. Chr.", "1851 v. Chr."),
        ({"value_type": "date", "date_value": "1851-06-05"}, "5 juin 1851", "1851-06-05"),
    ],
)
def test_cells_of_ods_say_what_they_show(attributes, text, date):
    table = ods_row(*HEAD) + ods_row(ods_cell(None, text, **attributes), FLIGHT)
    assert dates(ods_of(table)) == [date]


def test_a_year_typed_into_a_date_cell_is_asked_about():
    content = xlsx_of(row(1, *HEAD) + row(2, (1969, 1), FLIGHT) + row(3, (25404, 1), "Zwei."), formats=["dd.mm.yyyy"])
    assert asked(content) == [(2, "typed-year", ["1969"])]
    made = draft(content)
    assert from_form(as_text(made.work), Press("meant", line=2), "d", None, "T").good
    assert not from_form(as_text(made.work), Press("look", {(2, 0): "1905-05-22"}), "d", None, "T").good
    assert not from_form(
        as_text(made.work), Press("all"), "d", None, "T"
    ).good  # a real day, or a year: nobody can tell
    mended = from_form(as_text(made.work), Press("set", line=2, text="1969"), "d", None, "T")
    assert (mended.good, mended.deck.table.rows[0]["date"]) == (True, "1969")
    of_ods = ods_row(*HEAD) + ods_row(ods_cell(None, "22.05.05", value_type="date", date_value="1905-05-22"), FLIGHT)
    assert asked(ods_of(of_ods)) == [(2, "typed-year", ["1969"])]


# -- what stands in a cell -----------------------------------------------------------------------------------

SUPER = '<rPr><vertAlign val="superscript"/></rPr>'


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (f"<r><t>1969</t></r><r>{SUPER}<t>1</t></r>", "1969¹"),
        (f"<r><t>1</t></r><r>{SUPER}<t>st</t></r><r><t> century</t></r>", "1st century"),
        (f"<r><t>20</t></r><r>{SUPER}<t>th</t></r><r><t> c.</t></r>", "20th c."),
        ('<t>1969</t><rPh sb="0" eb="1"><t>ichi</t></rPh>', "1969"),
        ("<t>1969_x000D_</t>", "1969"),
        ("<r><t>19</t></r><r><t>69</t></r>", "1969"),
    ],
)
def test_runs_of_a_text_in_xlsx(runs, text):
    shared = xlsx_of(row(1, *HEAD) + f'<row r="2"><c t="s"><v>0</v></c>{cell(FLIGHT)}</row>', texts=f"<si>{runs}</si>")
    inline = xlsx_of(row(1, *HEAD) + f'<row r="2"><c t="inlineStr"><is>{runs}</is></c>{cell(FLIGHT)}</row>')
    assert dates(shared) == dates(inline) == [text]


@pytest.mark.parametrize("date", ["1969¹", "1969[1]", "1969*", "1969 [Anm. 2]", "1969⁾"])
def test_the_mark_of_a_footnote_is_no_digit_of_the_year(date):
    assert asked(f"Datum;Ereignis\n{date};{FLIGHT}\n") == [(2, "date", ["1969"])]


def test_the_mark_of_a_footnote_in_a_text_is_named():
    for text in ("Zwei hüpfen.[1]", "Zwei hüpfen¹.", "Zwei hüpfen.²", "Zwei hüpfen[12]."):
        found = [one for one in draft(f"Jahr;Ereignis\n1969;{text}\n").deck.found if one.rule == "footnote"]
        assert [one.better[0]["de"] for one in found] == ["Zwei hüpfen."]
    made = draft("Jahr;Ereignis\n1969;Auf 20 km² und 3 m³ hüpfen zwei.\n").deck
    assert not [one for one in made.found if one.rule == "footnote"]


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<text:p>Zwei<text:tab/>hüpfen<text:line-break/>herum.</text:p>", "Zwei hüpfen herum."),
        ("<text:p>Zwei hüpfen</text:p><text:p/><text:p>herum.</text:p>", "Zwei hüpfen herum."),
        ("<text:p>Zwei<text:s text:c='3'/>hüpfen.</text:p>", "Zwei hüpfen."),
        ('<text:p>Zwei m<text:span text:style-name="T1">2</text:span> Land.</text:p>', "Zwei m² Land."),
        ("<office:annotation><text:p>stimmt das?</text:p></office:annotation><text:p>Zwei.</text:p>", "Zwei."),
        ('<text:p><text:a>Zwei</text:a> hüpfen.</text:p>', "Zwei hüpfen."),
    ],
)  # fmt: skip
def test_the_inside_of_a_cell_in_ods(inside, text):
    style = '<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>'
    table = f'<table:table-cell office:value-type="string">{inside}</table:table-cell>'
    assert events(ods_of(ods_row(*HEAD) + ods_row(1969, table), styles=style)) == [text]


@pytest.mark.parametrize("between", ["\n", "\r\n", "\t", "\u2028", "\x0b", "\n\n"])
def test_lines_and_paragraphs_in_a_cell_part_words(between):
    assert events(f'Datum;Ereignis\n1969;"Zwei{between}hüpfen."\n') == ["Zwei hüpfen."]


@pytest.mark.parametrize("sign", ["\u200e", "\u202a", "\u200b", "\u00ad", "\u2060", "\ufeff", "\u2066"])
def test_a_sign_that_nobody_sees_does_not_change_a_date(sign):
    assert dates(f"Datum;Ereignis\n19{sign}69{sign};{FLIGHT}\n") == ["1969"]


def test_letters_of_two_signs_are_read_as_one():
    text = "Jahr;A\u0308ra;Ereignis\n753;v. Chr.;Zwei Bru\u0308der.\n"
    assert (dates(text), events(text)) == (["753 v. Chr."], ["Zwei Brüder."])


# -- what was put away, and what is merged -------------------------------------------------------------------


def test_hidden_columns_rows_and_sheets_of_xlsx():
    rows = (
        row(1, "Alt", *HEAD) + row(2, "1900", 1969, FLIGHT) + row(3, "1", 1896, "Weg.", hidden="1") + row(4, "", 1, "")
    )
    column = '<cols><col min="1" max="1" hidden="1"/></cols>|'
    content = xlsx_of(rows, around=column, sheets=[("alt", "veryHidden", row(1, *HEAD) + row(2, 1, "x") * 5)])
    assert events(content)[0] == FLIGHT
    assert told(content) == [
        "not read because it is hidden: the row 3", "not read because it is hidden: the column A",
        "not read because it is hidden: the sheet “alt”",
    ]  # fmt: skip


def test_hidden_columns_rows_and_sheets_of_ods():
    head = '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
    rows = ods_row(*HEAD, "Notiz") + ods_row(1969, FLIGHT, "weg") + ods_row(1, "x", more=' table:visibility="filter"')
    style = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    old = f'<table:table table:name="alt" table:style-name="ta2">{(ods_row(*HEAD) + ods_row(1, "x")) * 3}</table:table>'
    content = ods_of(head + rows, styles=style, more=old)
    assert events(content) == [FLIGHT]
    assert told(content) == [
        "not read because it is hidden: the row 3", "not read because it is hidden: the column C",
        "not read because it is hidden: the sheet “alt”",
    ]  # fmt: skip


def test_where_all_is_hidden_that_is_said():
    rows = row(1, *HEAD) + row(2, 1969, FLIGHT, hidden="1")
    with pytest.raises(Invalid, match="the table has no cards; not read because it is hidden: the row 2"):
        draft(xlsx_of(rows))
    with pytest.raises(Invalid, match="hidden: the rows 1, 2"):
        draft(xlsx_of(rows.replace('r="1"', 'r="1" hidden="1"')))


def test_what_a_filter_of_a_program_hides_is_not_read():
    book = openpyxl.Workbook()
    for one in (HEAD, (1969, FLIGHT), (1896, "Weg.")):
        book.active.append(one)
    book.active.auto_filter.ref = "A1:B3"
    book.active.row_dimensions[3].hidden = True
    file = io.BytesIO()
    book.save(file)
    assert events(file.getvalue()) == [FLIGHT]


def test_a_year_merged_over_several_rows_holds_for_all_of_them():
    merged = "|<mergeCells><mergeCell ref='A2:A3'/><mergeCell ref='A5:B6'/></mergeCells>"
    rows = row(1, *HEAD) + row(2, 1969, "Eins.") + row(3, None, "Zwei.") + row(5, "Fußnote") + row(6, 7, "verdeckt")
    content = xlsx_of(rows, around=merged)
    assert list(zip(dates(content), events(content), strict=True))[:2] == [("1969", "Eins."), ("1969", "Zwei.")]
    assert [line for line, *_ in asked(content)] == [5, 5]
    spanned = '<table:table-cell table:number-rows-spanned="2" office:value-type="float" office:value="1969"/>'
    covered = "<table:covered-table-cell><text:p>7</text:p></table:covered-table-cell>"
    table = ods_row(*HEAD) + ods_row(spanned, "Eins.") + ods_row(covered, "Zwei.")
    assert dates(ods_of(table)) == ["1969", "1969"]


def test_packages_as_other_programs_write_them():
    content = xlsx(HEAD, (1969, FLIGHT))
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    assert events(packed({name.replace("/", "\\"): part for name, part in parts.items()})) == [FLIGHT]
    assert events(packed({name.upper(): part for name, part in parts.items()})) == [FLIGHT]
    other = {name.replace("workbook", "book"): part for name, part in parts.items()}
    other["_rels/.rels"] = other["_rels/.rels"].replace(b"xl/workbook", b"/xl/book")
    assert events(packed(other)) == [FLIGHT]


# -- headings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Jahr;Ära;Ereignis\n44;v. Chr.;Mord.\n", "44 v. Chr."), ("Year;Era;Event\n44;BC;Murder.\n", "44 BC"),
        ("year;BC/AD;event\n44;BC;Murder.\n", "44 BC"),
        ("Jahr;v.Chr./n.Chr.;Ereignis\n79;n. Chr.;Berg.\n", "79 n. Chr."),
        ("von;bis;Ereignis\n1914;1918;Krieg.\n", "1914–1918"),
        ("Start Year;End Year;Event\n1914;1918;War.\n", "1914–1918"),
        ("Beginn;Ende;Ereignis\n28.7.1914;11.11.1918;Krieg.\n", "1914–1918"),
        ("from;to;event\n1969;1969;Moon.\n", "1969"),
        ("von;bis;Ära;Ereignis\n44;27;v. Chr.;Krieg.\n", "44–27 v. Chr."),
        ("Jahr;Ära;bis;Ära;Ereignis\n44;v. Chr.;14;n. Chr.;Krieg.\n", "44 v. Chr.–14 n. Chr."),
        ("Tag;Monat;Jahr;Ereignis\n20;7;1969;Mond.\n", "20 July 1969"),
        ("day,month,year,event\n,May,1949,End.\n", "May 1949"),
        ("Tag;Jahr;Ereignis\n20. Juli;1969;Mond.\n", "20. Juli 1969"),
        ("Jahr;Ära;Ereignis\n44 v. Chr.;v. Chr.;Mord.\n", "44 v. Chr."),
        ("Jahr;Ära;Ereignis\n3. Jh.;v. Chr.;Maß.\n", "3. Jh. v. Chr."),
    ],
)  # fmt: skip
def test_a_date_may_stand_in_several_columns(text, date):
    assert dates(text) == [date]
    assert draft(text).good


def test_an_era_that_may_hold_for_one_year_or_both_is_asked_about():
    text = "Jahr;Ära;bis;Ereignis\n44;v. Chr.;14;Ein Krieg.\n"
    assert asked(text) == [(2, "date", ["44–14 BC", "44 BC–14 AD"])]
    done = from_form(as_text(draft(text).work), Press("set", line=2, text="44–14 v. Chr."), "d", None, "T")
    assert (done.good, done.deck.table.rows[0]["date"]) == (True, "44–14 v. Chr.")  # the other cells are emptied


@pytest.mark.parametrize("end", ["heute", "ca. 1918", "1910"])
def test_an_end_that_cannot_be_meant_is_asked_about(end):
    assert [line for line, *_ in asked(f"Jahr;bis;Ereignis\n1914;{end};Ein Krieg.\n")] == [2]


def test_firsts_are_known_by_german_headings():
    made = draft("Jahr;Wer;Deutsch;English;Quelle;Land;Geprüft am\n1903;Ada;Eine Frau siegt.;A woman wins.;Q1;Polen;\n")
    assert (made.deck.kind, made.good) == ("firsts", True)
    assert made.deck.table.rows[0]["country"] == "Polen"
    assert draft("Jahr;Wer;Was\n1903;Zwei Brüder;Sie fliegen.\n").deck.kind == "events"


def test_words_that_may_mean_something_else_give_way():
    row = draft("Jahr;Ereignis;Kommentar;Notiz;von;bis\n1969;Zwei hüpfen.;Mond.;x;Ada;y\n").deck.table.rows[0]
    assert (row["date"], row["comment_de"]) == ("1969", "Mond.")
    assert told("Jahr;Ereignis;Kommentar;Notiz;von\n1969;Zwei hüpfen.;Mond.;x;Ada\n") == [
        "not used: the columns “Notiz”, “von”"
    ]
    row = draft("Year,Title,Description\n1969,Two hop.,On the moon.\n").deck.table.rows[0]
    assert (row["en"], row["comment_en"]) == ("Two hop.", "On the moon.")
    assert events("Jahr;Beschreibung\n1969;Zwei hüpfen.\n") == ["Zwei hüpfen."]


def test_the_one_column_that_is_not_known_is_the_event():
    assert events("Jahr;Was geschah?\n1969;Zwei hüpfen.\n") == ["Zwei hüpfen."]
    assert told("Year;What happened?;Source\n1969;Two hop.;x\n") == ["the column “What happened?” is read as the event"]
    with pytest.raises(Invalid, match="no column for the event"):
        draft("Jahr;Was geschah?;Wo genau?\n1969;Zwei hüpfen.;x\n")


def test_a_second_line_of_headings_names_the_columns_better():
    text = "Jahr;Ereignis;\nJahr;Deutsch;Englisch\n1969;Zwei hüpfen.;Two hop.\n"
    assert dates(text) == ["1969"]


# -- tables in text ------------------------------------------------------------------------------------------

TWO = [("44 v. Chr.", "Ein Feldherr fällt, mitten im Senat."), ("1969", "Zwei hüpfen; weit weg.")]


@pytest.mark.parametrize(
    "text",
    [
        "| Datum | Ereignis |\n|:---|---:|\n| **44 v. Chr.** | Ein Feldherr fällt, mitten im Senat. |\n| 1969 "
        "| Zwei hüpfen; "
        "weit weg. |\n",
        "```markdown\n| Datum | Ereignis |\n|---|---|\n| 44 v. Chr. | Ein Feldherr fällt, mitten im Senat. |\n"
        "| 1969 | Zwei hüpfen;<br>weit weg. |\n```\n",
        "Datum | Ereignis\n--- | ---\n44 v. Chr. | Ein Feldherr fällt, mitten im Senat.\n1969 | Zwei hüpfen; "
        "weit weg.\n",
        "+---+---+\n| Datum | Ereignis |\n+---+---+\n| 44 v. Chr. | Ein Feldherr fällt, mitten im Senat. |\n"
        "| 1969 | Zwei hüpfen; weit weg. |\n+---+---+\n",
        '{| class="wikitable"\n|+ Zeiten\n! Jahr !! Ereignis\n|-\n| 44 v. Chr. || Ein [[Cäsar|Feldherr]] '
        'fällt, mitten im Senat.\n'
        "|-\n| style='x' | 1969\n| Zwei hüpfen; weit weg.<ref>S. 3</ref>\n|}\n",
        "44 v. Chr. – Ein Feldherr fällt, mitten im Senat.\n1969 – Zwei hüpfen; weit weg.\n",
        "# Zeiten\n\n- **44 v. Chr.**: Ein Feldherr fällt, mitten im Senat.\n- **1969**: Zwei hüpfen; weit weg.\n",
        "1. 44 v. Chr. - Ein Feldherr fällt, mitten im Senat.\n2. 1969 - Zwei hüpfen; weit weg.\n",
        "44 v. Chr.\tEin Feldherr fällt, mitten im Senat.\n1969\tZwei hüpfen; weit weg.\n",
        'sep=;\r\nDatum;Ereignis\r\n44 v. Chr.;Ein Feldherr fällt, mitten im Senat.\r\n1969;"Zwei hüpfen; '
        'weit weg."\r\n',
        '44 v. Chr.;Ein Feldherr fällt, mitten im Senat.\n1969;"Zwei hüpfen; weit weg."\n',
        'Datum|Ereignis\n44 v. Chr.|"Ein Feldherr fällt, mitten im Senat."\n1969|Zwei hüpfen; weit weg.\n',
        '```csv\nDatum,Ereignis\n44 v. Chr.,"Ein Feldherr fällt, mitten im Senat."\n1969,Zwei hüpfen; weit weg.\n```\n',
    ],
    ids=["markdown", "fenced", "bare", "drawn", "wiki", "list", "bullets", "numbers", "tabs", "sep", "no", "|", "csv"],
)  # fmt: skip
def test_tables_of_programs_wikis_and_language_models(text):
    for content in (text.encode(), text.encode("utf-16"), text.encode("utf-16-le"), text.encode("utf-16-be")):
        assert list(zip(dates(content), events(content), strict=True)) == TWO
    assert draft(text).good


def test_a_line_of_a_list_that_does_not_fit_is_asked_about():
    text = "1969 – Zwei hüpfen.\nHier fehlt das Jahr.\n1896: Einer rennt.\n"
    assert [line for line, *_ in asked(text)] == [2]
    assert told(text) == ["no line names the columns: what reads as a date is the date, the rest is the event"]


def test_exports_of_wikidata():
    text = (
        "item,itemLabel,date\nhttp://www.wikidata.org/entity/Q1,Two people hop over the moon,1969-07-20T00:00:00Z\n"
        "http://www.wikidata.org/entity/Q2,A general is stabbed,-0043-03-15T00:00:00Z\n"
    )
    assert asked(text) == [(3, "date", ["44 BC", "43 BC"])]
    assert not from_form(as_text(draft(text).work), Press("all"), "d", None, "T").good
    for heads in ("event,eventLabel,date", "battle,battleLabel,date", "item,itemLabel,pointInTime"):
        first = draft(text.replace("item,itemLabel,date", heads)).deck.table.rows[0]
        assert (first["en"], first["source"]) == ("Two people hop over the moon", "http://www.wikidata.org/entity/Q1")
    text = text.replace("date\n", "date,place,placeLabel\n").replace(
        "Z\n", "Z,http://www.wikidata.org/entity/Q3,Moon\n"
    )
    first = draft(text).deck.table.rows[0]
    assert (first["en"], first["source"]) == ("Two people hop over the moon", "http://www.wikidata.org/entity/Q1")


# -- dates that cannot be meant ------------------------------------------------------------------------------

NOW = dt.datetime.now(tz=dt.UTC).year


@pytest.mark.parametrize(
    ("date", "better"),
    [
        ("nach 1990", f"1991–{NOW}"),
        ("after 2000", f"2001–{NOW}"),
        (f"um {NOW}", str(NOW)),
        (f"1990–{NOW + 5}", f"1990–{NOW}"),
        (f"around {NOW - 2}", str(NOW - 2)),
    ],
)
def test_years_after_this_one_are_asked_about(date, better):
    text = f"Datum;Ereignis\n{date};{FLIGHT}\n"
    assert asked(text) == [(2, "future", [better])]
    assert from_form(as_text(draft(text).work), Press("meant", line=2), "d", None, "T").good


@pytest.mark.parametrize("date", ["21. Jh.", "2020er", str(NOW), f"um {NOW - 10}", f"1990–{NOW}", "nach 300"])
def test_years_that_can_be_meant_are_not_asked_about(date):
    assert asked(f"Datum;Ereignis\n{date};{FLIGHT}\n") == []


def among(date, years=(1145, 1450, 1789, 1815, 1848, 1903, 2003)):
    lines = "".join(f"{year};Im Ort X{chr(97 + n)} geschieht etwas.\n" for n, year in enumerate(years))
    return asked(f"Datum;Ereignis\n{date};{FLIGHT}\n{lines}")


def test_a_lone_year_far_from_all_others_is_asked_about():
    [(line, rule, better)] = among("48")
    assert (line, rule, better[0]) == (2, "alone", "1848")
    assert among("199", (1900, 1914, 1933, 1945, 1989))[0][:2] == (2, "alone")
    assert among("1069", (1900, 1914, 1933, 1945, 1989))[0][2][0] == "1969"
    assert among("48 n. Chr.") == among("44 v. Chr.") == []  # whoever writes the era means it
    assert among("753") == among("1050") == among("48", (79, 1145, 1450, 1789)) == []
    assert among("48", (1914, 1918)) == []  # too few to tell


@pytest.mark.parametrize(
    ("date", "better"),
    [
        ("zwischen 44 und 27 v. Chr.", ["44–27 BC"]), ("between 300 and 200 BCE", ["300–200 BC"]),
        ("von 1914 bis 1918", ["1914–1918"]), ("from 14 to 37 AD", ["14–37 AD"]), ("zw. 1500 u. 1510", ["1500–1510"]),
        ("between c. 1500 and c. 1510", ["1500–1510"]), ("zwischen 50 und 47", ["47–50", "50–47 BC"]),
        ("zwischen dem 3. und 4. Jh.", ["201–400"]), ("20.7.1969 bis 24.7.1969", ["1969"]),
        ("44 v.Chr", ["44 BC"]), ("44 vuZ", ["44 BC"]), ("44 B.C", ["44 BC"]), ("79 A.D", ["79 AD"]),
        ("79 n. u. Z", ["79 AD"]), ("-0043-03-15T00:00:00Z", ["44 BC", "43 BC"]), ("0000-01-01", ["1 BC"]),
        ("１９６９", ["1969"]),
    ],
)  # fmt: skip
def test_what_may_have_been_meant_is_suggested(date, better):
    assert asked(f"date;event\n{date};A flight.\n") == [(2, "date", better)]


@given(
    st.sampled_from(
        ["{a}–{b}", "zwischen {a} und {b}", "{a} v. Chr. bis {b}", "{a}/{b}", "-{a:04}-01-01", "{a}-{c:02}"]
    ),
    st.integers(1, 1500),
    st.integers(1, 1500),
)
def test_all_suggestions_never_write_what_can_be_read_in_two_ways(form, a, b):
    text = f"Datum;Ereignis\n{form.format(a=a, b=b, c=b % 100)};{FLIGHT}\n"
    made = draft(text)
    taken = from_form(as_text(made.work), Press("all"), "d", None, "T").work
    if taken != made.work:
        assert [len(better) for *_, better in asked(text)] == [1]
