"""Decks of forms: what is shipped is right, and what is no table of forms is refused."""

import json
from pathlib import Path

import pytest

from spieltisch.decks import forms
from spieltisch.game import Unreadable

FACTS = Path(__file__).parent.parent / "facts" / "hic.jsonl"


def test_hic_is_as_the_grammars_have_it():
    facts = [json.loads(line) for line in FACTS.read_text("utf-8").splitlines()]
    assert len(facts) == 30
    assert all(fact["sources"] >= 2 and fact["with_lengths"] >= 2 for fact in facts)
    written = {(fact["case"], fact["number"], fact["gender"]): fact["form"] for fact in facts}
    assert {card.cell: card.form for card in forms.named("hic").cards} == written


def test_forms_stand_row_by_row_singular_left_of_plural():
    rows = forms.named("hic").forms()
    assert rows[:6] == ("hic", "haec", "hoc", "hī", "hae", "haec")
    assert rows[24:] == ("hōc", "hāc", "hōc", "hīs", "hīs", "hīs")


def test_every_shipped_deck_can_be_read_and_has_a_title():
    assert all(deck.title.de and deck.title.en and deck.id == name for name, deck in forms.shipped().items())


def test_an_unknown_paradigm_is_refused():
    with pytest.raises(Unreadable, match="no paradigm nemo, only hic"):
        forms.named("nemo")


@pytest.mark.parametrize(
    ("form", "why"), [("joker", "extra card"), ("", "empty"), (" hic", "blanks"), ("hi\u0304", "NFC")]
)
def test_what_is_no_form_is_refused(form, why):
    with pytest.raises(Unreadable, match=why):
        forms.paradigm("mine", [form, *["hic"] * 29])


def table(rows):
    return "case,number,gender,form\n" + "".join(f"{'.'.join(cell).replace('.', ',')},hic\n" for cell in rows)


def test_the_rows_of_a_table_may_stand_in_any_order():
    assert forms.read_paradigm("mine", table(reversed(forms.CELLS))).forms() == ("hic",) * 30


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (forms.CELLS[1:], "has no nom.sg.m"),
        ((*forms.CELLS, ("nom", "sg", "m")), "line 32: nom.sg.m stands there twice"),
        ((("voc", "sg", "m"), *forms.CELLS), "line 2: there is no cell voc.sg.m"),
    ],
)
def test_what_is_no_table_of_forms_is_refused(rows, why):
    with pytest.raises(Unreadable, match=why):
        forms.read_paradigm("mine", table(rows))
