"""A sheet in work: whatever is typed and pressed, no line is lost, and none is taken that somebody left out."""

import csv
import datetime as dt
import io

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from decks.workbooks import cell, xlsx_of
from matrix import many
from spieltisch.decks.findings import errors
from spieltisch.decks.importing.work import Press, as_text, begun, from_file, from_form, resumed, worked
from spieltisch.game import Invalid

THIS_YEAR = dt.datetime.now(tz=dt.UTC).year
SHEET = "date;event\n1903;A flight.\n-44;A murder in the senate.\n1969;Two people on the moon.\n"


def rows(draft):
    return [(row.line, row["date"], row["en"] or row["de"]) for row in draft.deck.table.rows]


def press(draft, button="look", line=0, place=0, text="", **cells):
    """What comes of a press, by way of the browser."""
    typed = {(int(key[1]), int(key[3])): value for key, value in cells.items()}  # c3_0 is cell 0 of line 3
    return from_form(as_text(draft.work), Press(button, typed, line, place, text), "d", None, "T")


def first(text):
    return from_file(text.encode(), Press(), "d", None, "T")


def test_a_line_that_somebody_has_emptied_is_still_there():
    """Two presses, and the card was gone without a word."""
    draft = press(first(SHEET), c3_0="", c3_1="")
    for _ in range(3):
        assert rows(draft) == [(2, "1903", "A flight."), (3, "", ""), (4, "1969", "Two people on the moon.")]
        assert draft.bad == [3]
        draft = press(draft)
    assert not draft.good


def test_a_text_that_looks_like_a_line_about_the_deck_stays_a_card():
    draft = press(first("event;date\nA flight.;1903\nA murder.;x\n"), c3_0="#title", c3_1="1904")
    for _ in range(3):
        assert [text for _, _, text in rows(draft)] == ["A flight.", "#title"]
        draft = press(draft)


def test_names_of_columns_with_semicolons_in_them_are_read_again():
    draft = press(first("date,event,note (short; plain; good)\n1903,A flight.,x\n-44,A murder.,y\n"))
    assert [date for _, date, _ in rows(draft)] == ["1903", "-44"]


def test_a_line_is_left_out_and_taken_back():
    draft = press(first(SHEET), "out", 3)
    assert draft.good
    assert [line for line, *_ in rows(draft)] == [2, 4]
    draft = press(draft, "back", 3)
    assert draft.bad == [3]
    assert [date for _, date, _ in rows(draft)] == ["1903", "-44", "1969"]
    for line in (2, 3, 4):
        draft = press(draft, "out", line)
    assert not draft.good  # nothing is left, and all of it can be taken back
    assert draft.work.out == (2, 3, 4)
    assert [line for line, *_ in rows(press(draft, "back", 2))] == [2]


def test_what_is_typed_elsewhere_is_kept_by_every_button():
    for button, line, place, text in [("out", 3, 0, ""), ("set", 3, 0, "44 BC"), ("all", 0, 0, ""), ("look", 0, 0, "")]:
        draft = press(first(SHEET), button, line, place, text, c4_1="Three people on the moon.")
        assert rows(draft)[-1] == (4, "1969", "Three people on the moon.")


def test_a_suggestion_is_taken_and_all_of_them():
    text = SHEET + "1905-08;A ship sails.\n1903;A flight.\n1904;A flight.\n"
    text += '12/17/1903;"Tom &amp; Jerry <b>quarrel</b>."\n'
    draft = first(text)
    date = next(one for one in draft.deck.found if one.line == 5)
    assert [better["en"] for better in date.better] == ["1905–1908", "1905"]
    done = press(draft, "all")
    assert rows(done) == [
        (2, "1903", "A flight."),
        (3, "44 BC", "A murder in the senate."),
        (4, "1969", "Two people on the moon."),
        (5, "1905-08", "A ship sails."),  # two ways to mend it: nobody decides but a person
        (7, "1904", "A flight."),  # with another date: which one is right?
        (8, "1903", "Tom & Jerry quarrel."),
    ]
    assert done.work.out == (6,)  # a double, word for word
    assert done.bad == [5, 7]
    assert rows(press(done, "set", 5, 0, "1905"))[3][1] == "1905"


def test_suggestions_are_in_the_language_of_who_presses():
    draft = worked(begun(SHEET.encode()), Press("all", lang="de"), "d")
    assert rows(draft)[1][1] == "44 v. u. Z."


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("1000–1500;A plague comes and goes.", "long-span"),
        ("149-46 BC;A city is taken at last.", "cut-short"),
        (f"5.6.{THIS_YEAR};A match ends in a draw.", "new-day"),
    ],
)
def test_what_is_probably_a_slip_is_asked_and_neither_refused_nor_taken(line, rule):
    draft = first(SHEET.replace("-44", "44 BC") + line + "\n")
    assert [(one.line, one.rule) for one in draft.asked] == [(5, rule)]
    assert not errors([*draft.deck.found])
    assert not draft.good
    assert press(draft, "meant", 5).good
    assert press(draft, "out", 5).good
    assert not press(draft).good  # to press something else is no answer


def test_an_answer_holds_for_what_was_asked():
    draft = press(first("date;event\n1000–1500;A plague comes.\n1903;A flight.\n"), "meant", 2)
    assert draft.good
    assert not press(draft, c2_0="1000–1600").good


def test_formulas_are_said_until_somebody_has_seen_the_line():
    content = xlsx_of(
        f'<row r="1">{cell("date")}{cell("event")}</row>'
        f'<row r="2"><c r="A2"><f>1900+3</f><v>1903</v></c>{cell("A flight.")}</row>'
        f'<row r="3">{cell("-44")}{cell("A murder.")}</row>'
    )
    draft = from_file(content, Press(), "d", None, "T")
    assert draft.bad == [2, 3]
    assert press(draft, "out", 3).bad == [2]
    assert press(draft, "out", 3, c2_0="1903").good


def test_a_cell_that_is_too_long_is_kept_and_named():
    draft = press(first(SHEET), c3_1="x" * 3000)
    assert draft.bad == [3]
    assert rows(draft)[1][2] == "x" * 3000


def test_a_cell_too_many_is_emptied_at_once():
    draft = first("date,event\n1903,A flight, and a landing\n1904,A ship\n")
    assert draft.bad == [2]
    assert press(draft, c2_1="A flight, and a landing", c2_2="").good


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"lines": [{"number": 1, "cells": []}]}', '{"lines": 3}', "null",
     '{"lines": [{"number": 1, "cells": ["a"]}, {"number": 1, "cells": ["b"]}]}',
     '{"lines": [{"number": 1, "cells": [' + ",".join(['"a"'] * 41) + "]}]}"],
)  # fmt: skip
def test_what_no_browser_of_ours_has_sent_is_refused(text):
    with pytest.raises(Invalid):
        resumed(text)


# -- the law -------------------------------------------------------------------------------------------------

cells_of = st.sampled_from([
    "", "1903", "-44", "1848/49", "1905-08", "vor 1500", "1000–1800", "x", "#title", "#", "A flight.", "A murder.",
    "Two people on the moon.", "Two people on the moon again.", "<b>bold</b>", "=1+1", "a;b,c", 'say "so"', "MÃ¼ller",
    "x" * 2100, " ", "Datum", f"5.6.{THIS_YEAR}",
])  # fmt: skip
short = cells_of.filter(lambda text: len(text) < 2000)
sheets = st.lists(st.tuples(short, short), min_size=1, max_size=7)
presses = st.lists(
    st.tuples(
        st.sampled_from(["look", "all", "set", "out", "back", "meant"]),
        st.integers(0, 9),
        st.integers(0, 2),
        cells_of,
        st.dictionaries(st.tuples(st.integers(0, 9), st.integers(0, 3)), cells_of, max_size=2),
    ),
    max_size=6,
)


@settings(max_examples=many(40, 150))
@given(sheets, presses)
def test_lines_in_are_cards_kept_and_lines_left_out(table, pressed):
    assume(any(cell.strip() for line in table for cell in line))
    file = io.StringIO()
    csv.writer(file, delimiter=";").writerows([("date", "event"), *table])
    draft = first(file.getvalue())
    lines = {line.number for line in draft.work.lines[1:]}
    text = {line.number: line.cells for line in draft.work.lines}
    for button, line, place, given_text, cells in pressed:
        typed = {at: said for at, said in cells.items() if at[0] in lines}
        if line not in lines and not (line == 0 and button in {"look", "all", "out"}):
            continue
        draft = from_form(as_text(draft.work), Press(button, typed, line, place, given_text), "d", None, "T")
        kept = [row.line for row in draft.deck.table.rows]
        assert sorted([*kept, *draft.work.out]) == sorted(lines)
        text = {line.number: line.cells for line in draft.work.lines}
        for (number, at), said in typed.items():  # what was typed stands there, unless a button put another text there
            if (button, line, place) != ("set", number, at) and button != "all":
                assert (*text[number], *[""] * 4)[at] == " ".join(said.split())
    if draft.good:
        assert len(draft.deck.table.rows) == len(lines) - len(draft.work.out)
