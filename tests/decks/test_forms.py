"""Decks of forms: the shipped ones are right, and other tables are refused."""

import json
import re
from pathlib import Path

import pytest

from spieltisch.decks.table import read_table
from spieltisch.game import Invalid
from spieltisch.games.hichaechoc import forms

FACTS = Path(__file__).parent.parent / "facts"
PARADIGMS = ("aliqui", "hic", "idem", "ille", "ipse", "is", "iste", "qui", "quis")


def facts(name):
    return [json.loads(line) for line in (FACTS / f"{name}.jsonl").read_text("utf-8").splitlines()]


def test_these_paradigms_are_shipped():
    assert tuple(sorted(forms.shipped())) == PARADIGMS


@pytest.mark.parametrize("name", PARADIGMS)
def test_a_paradigm_is_as_the_grammars_have_it(name):
    assert len(facts(name)) == 30
    assert all(fact["sources"] >= 2 for fact in facts(name))
    written = {(fact["case"], fact["number"], fact["gender"]): fact["form"] for fact in facts(name)}
    assert {card.cell: card.form for card in forms.named(name).cards} == written


def test_the_lengths_of_hic_are_backed_by_two_grammars():
    assert all(fact["with_lengths"] >= 2 for fact in facts("hic"))


@pytest.mark.parametrize("name", PARADIGMS)
def test_a_deck_notes_the_other_forms_of_the_grammars(name):
    about = read_table((forms.FOLDER / f"{name}.csv").read_text("utf-8"), ("form",)).about
    assert {len(about[key][0]) for key in ("title", "about")} == {2}
    assert len(about["version"]) == 1
    german, english = (" ".join(note) for note in zip(*about.get("note", [("", "")]), strict=True))
    for variant in {variant for fact in facts(name) for variant in fact.get("variants", ())}:
        assert re.search(rf"\b{variant}\b", german), variant
        assert re.search(rf"\b{variant}\b", english), variant


@pytest.mark.parametrize(
    ("name", "cell", "form"),
    [
        ("ille", ("gen", "sg", "f"), "illīus"),
        ("iste", ("nom", "sg", "n"), "istud"),
        ("ipse", ("acc", "sg", "n"), "ipsum"),
        ("is", ("nom", "pl", "m"), "iī"),
        ("is", ("dat", "sg", "n"), "eī"),
        ("idem", ("nom", "sg", "m"), "īdem"),
        ("idem", ("nom", "sg", "n"), "idem"),
        ("idem", ("gen", "pl", "f"), "eārundem"),
        ("qui", ("dat", "sg", "m"), "cui"),
        ("quis", ("abl", "sg", "f"), "quā"),
        ("aliqui", ("nom", "sg", "f"), "aliqua"),
        ("aliqui", ("nom", "pl", "n"), "aliqua"),
    ],
)
def test_what_a_class_stumbles_over(name, cell, form):
    assert {card.cell: card.form for card in forms.named(name).cards}[cell] == form


def test_forms_stand_row_by_row_singular_left_of_plural():
    rows = forms.named("hic").forms()
    assert rows[:6] == ("hic", "haec", "hoc", "hī", "hae", "haec")
    assert rows[24:] == ("hōc", "hāc", "hōc", "hīs", "hīs", "hīs")


def test_every_shipped_deck_can_be_read_and_has_a_title():
    assert all(deck.title["de"] and deck.title["en"] and deck.id == name for name, deck in forms.shipped().items())


def test_an_unknown_paradigm_is_refused():
    with pytest.raises(Invalid, match="no paradigm nemo, only aliqui, hic, idem"):
        forms.named("nemo")


@pytest.mark.parametrize(
    ("form", "why"), [("joker", "extra card"), ("", "empty"), (" hic", "spaces"), ("hi\u0304", "NFC")]
)
def test_what_is_no_form_is_refused(form, why):
    with pytest.raises(Invalid, match=why):
        forms.paradigm("mine", [form, *["hic"] * 29])


def table(rows):
    return "case,number,gender,form\n" + "".join(f"{'.'.join(cell).replace('.', ',')},hic\n" for cell in rows)


def test_the_rows_of_a_table_may_stand_in_any_order():
    assert forms.read_paradigm("mine", table(reversed(forms.CELLS))).forms() == ("hic",) * 30


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (forms.CELLS[1:], "lacks nom.sg.m"),
        ((*forms.CELLS, ("nom", "sg", "m")), "line 32: nom.sg.m is there twice"),
        ((("voc", "sg", "m"), *forms.CELLS), "line 2: there is no cell voc.sg.m"),
    ],
)
def test_what_is_no_table_of_forms_is_refused(rows, why):
    with pytest.raises(Invalid, match=why):
        forms.read_paradigm("mine", table(rows))
