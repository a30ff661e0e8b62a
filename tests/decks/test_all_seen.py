"""Sheets of all kinds, made by chance: each row that is seen is a card that says what it shows, or is asked about."""

import csv
import io
import zipfile
from html import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from decks.workbooks import ods_of, packed, xlsx_of
from matrix import many
from spieltisch.decks.dates import read_date
from spieltisch.decks.findings import errors
from spieltisch.decks.importing.work import Press, as_text, from_file, from_form
from spieltisch.game import Invalid

HEADS = [
    ("Datum", "Ereignis"), ("Jahr", "Was"), ("date", "event"), ("Year", "Event"), ("Wann", "Text"), ("Zeit", "Karte"),
    ("Jahreszahl", "Geschehen"), ("dates", "events"), ("Datierung", "Deutsch"), ("when", "English"),
]  # fmt: skip
ERAS = {
    "v. Chr.": True, "BC": True, "v.u.Z.": True, "BCE": True, "v. Chr": True, "vuZ": True, "B.C.": True,
    "n. Chr.": False, "AD": False, "CE": False, "n. Chr": False, "": False,
}  # fmt: skip
FORMS = ["{}", "um {}", "ca. {}", "nach {}", "before {}", "around {}"]
CELLS = ["x", "1903.5", "", "heute", "1900er", "12.5.49", "Summe"]
WORDS = ["Flug", "Mord", "Fest", "Krieg", "Brand", "Fund", "Sturz", "Bau", "Wahl", "Pakt", "Sieg", "Raub"]
WEAR = ["{}", " {} ", "{}\u200b", "\u200e{}", "{}\n"]


class Shown(Struct, frozen=True):
    """A row as a person sees it: its date and its event; `value` and `code` make a number of the date in a workbook.
    `years` are those that the date means, None where it cannot be read.
    """

    date: str
    event: str
    years: tuple[int, int] | None
    value: float | None = None
    code: str = ""
    hidden: bool = False


class Made(Struct, frozen=True):
    """A file, and which of its lines (by number) show what."""

    content: bytes
    lines: dict[int, Shown]
    form: str


def years_of(date):
    try:
        span = read_date(date).span
    except Invalid:
        return None
    return span.start, span.end


@st.composite
def rows(draw):
    """What a row shows. Numbers may be written by a format that adds the rest."""
    n = draw(st.integers(0, 10**6))
    event = f"{draw(st.sampled_from(WORDS))} im Ort X{''.join(chr(97 + int(digit)) for digit in str(n))}."
    hidden = draw(st.booleans()) and draw(st.booleans())
    if draw(st.integers(0, 5)) == 0:
        date = draw(st.sampled_from(CELLS))
        return Shown(date, event, years_of(date), hidden=hidden)
    year, form, era = draw(st.integers(1, 1990)), draw(st.sampled_from(FORMS)), draw(st.sampled_from([*ERAS]))
    date = f"{form.format(year)} {era}".strip()
    if draw(st.booleans()):
        code = f'"{form.format("§")}'.replace("§", '"0"') + (f' {era}"' if era else '"')
        return Shown(date, event, years_of(date), year, code, hidden)
    return Shown(date, event, years_of(date), hidden=hidden)


def xml(text):
    return escape(text).replace("\n", "&#10;")


def as_csv(head, shown, sign, encoding, above):
    file = io.StringIO()
    csv.writer(file, delimiter=sign, lineterminator="\n").writerows(
        [*([line] for line in above), head, *((one.date, one.event) for one in shown)]
    )
    return file.getvalue().encode(encoding)


def as_pipes(head, shown, above, *, ruled):
    lines = [*above, f"| {' | '.join(head)} |", *(["|---|---|"] if ruled else [])]
    return "\n".join([*lines, *(f"| {one.date} | {one.event} |" for one in shown)]).encode()


def as_wiki(head, shown):
    lines = ['{| class="wikitable"', f"! {' !! '.join(head)}"]
    for one in shown:
        lines += ["|-", f"| {one.date} || {one.event}"]
    return "\n".join([*lines, "|}"]).encode()


def as_xlsx(head, shown, above, hidden_sheet, *, backslashes):
    codes = [*dict.fromkeys(one.code for one in shown if one.code)]
    text = '<c t="inlineStr"><is><t xml:space="preserve">{}</t></is></c>'
    lines = [f'<row r="{n}">{text.format(line)}</row>' for n, line in enumerate(above, 1)]
    lines.append(f'<row r="{len(above) + 1}">{"".join(text.format(one) for one in head)}</row>')
    for n, one in enumerate(shown, len(above) + 2):
        date = text.format(xml(one.date)) if one.value is None else (
            f'<c s="{codes.index(one.code) + 1}"><v>{one.value}</v></c>'
        )  # fmt: skip
        hidden = ' hidden="1"' if one.hidden else ""
        lines.append(f'<row r="{n}"{hidden}>{date}{text.format(xml(one.event))}</row>')
    old = "".join(f"<row>{text.format(a)}{text.format(b)}</row>" for a, b in (head, *[("1903", "Verborgen.")] * 9))
    content = xlsx_of("".join(lines), formats=codes, sheets=[("alt", "hidden", old)] if hidden_sheet else ())
    return repacked(content) if backslashes else content


def repacked(content):
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        return packed({name.replace("/", "\\"): book.read(name) for name in book.namelist()})


def as_ods(head, shown, above):
    text = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    lines = [f"<table:table-row>{text.format(line)}</table:table-row>" for line in above]
    lines.append(f"<table:table-row>{''.join(text.format(one) for one in head)}</table:table-row>")
    for one in shown:
        date = text.format(xml(one.date).replace("&#10;", "<text:line-break/>")) if one.value is None else (
            f'<table:table-cell office:value-type="float" office:value="{one.value}"><text:p>{xml(one.date)}</text:p>'
            "</table:table-cell>"
        )  # fmt: skip
        hidden = ' table:visibility="filter"' if one.hidden else ""
        lines.append(f"<table:table-row{hidden}>{date}{text.format(xml(one.event))}</table:table-row>")
    return ods_of("".join(lines))


@st.composite
def sheets(draw):
    """A sheet in one of the forms, with rows that differ."""
    form = draw(st.sampled_from(["csv", "csv", "pipes", "wiki", "list", "xlsx", "xlsx", "ods", "ods"]))
    head = draw(st.sampled_from(HEADS))
    shown = draw(st.lists(rows(), min_size=1, max_size=6, unique_by=lambda one: one.event))
    above = draw(st.sampled_from([(), ("Zeitstrahl 7b",)]))
    first = len(above) + 2
    if form in {"xlsx", "ods"}:
        worn = draw(st.sampled_from(WEAR))
        shown = [one if one.value is not None or not one.date else worn_by(one, worn) for one in shown]
        if form == "ods":
            content = as_ods(head, shown, above)
        else:
            content = as_xlsx(head, shown, above, draw(st.booleans()), backslashes=draw(st.booleans()))
    elif form == "csv":
        encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]))
        content = as_csv(head, shown, draw(st.sampled_from(",;\t|")), encoding, above)
    elif form == "pipes":
        ruled = draw(st.booleans())
        content, first = as_pipes(head, shown, above, ruled=ruled), first + ruled
    elif form == "wiki":
        content = as_wiki(head, shown)
    else:
        shown = [one for one in shown if one.years] or [Shown("1903", "Flug im Ort Xa.", (1903, 1903))]
        shown += [Shown("1904", "Fest im Ort Xyyyy.", (1904, 1904))] * (len(shown) < 2)
        content = "\n".join(f"{one.date} – {one.event}" for one in shown).encode()
    step = {"wiki": lambda at: 4 + 2 * at, "list": lambda at: 1 + at}.get(form, lambda at: first + at)
    return Made(content, {step(at): one for at, one in enumerate(shown)}, form)


def worn_by(one, wear):
    return Shown(wear.format(one.date), one.event, one.years, hidden=one.hidden)


def look(made, data):
    """The law for one sheet: nothing is lost, nothing invisible gets in, and cards say what the sheet shows."""
    put_away = {line for line, one in made.lines.items() if one.hidden and made.form in {"xlsx", "ods"}}
    seen = made.lines.keys() - put_away
    if not seen:
        return
    draft = from_file(made.content, Press(), "d", None, "T")
    out = data.draw(st.sets(st.sampled_from(sorted(seen)), max_size=2))
    for line in out:
        draft = from_form(as_text(draft.work), Press("out", line=line), "d", None, "T")
    asked = {one.line for one in (*errors([*draft.deck.found]), *draft.asked) if one.line}
    kept = {row.line: row for row in draft.deck.table.rows if row.line not in asked}
    assert sorted([*kept, *out, *asked]) == sorted(seen)  # each is one of these, and none is two
    for line, row in kept.items():
        shown = made.lines[line]
        assert (row["de"] or row["en"]) == shown.event
        assert years_of(row["date"]) == shown.years
    for line in asked & {*made.lines}:
        assert (draft_text(draft, line)) == made.lines[line].event
    assert ("hidden" in " ".join(one["en"] for one in draft.work.told)) >= bool(put_away)


def draft_text(draft, line):
    row = next(row for row in draft.deck.table.rows if row.line == line)
    return row["de"] or row["en"]


@settings(max_examples=many(20, 60), derandomize=True, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(sheets(), st.data())
def test_each_row_that_is_seen_is_a_card_or_asked_about(made, data):
    look(made, data)


@pytest.mark.whole
@settings(max_examples=2_000, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(sheets(), st.data())
def test_two_thousand_sheets_lose_no_row_that_is_seen(made, data):
    look(made, data)
