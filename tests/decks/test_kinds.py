"""Kinds of decks as sentences name them: refusals say which games' decks would do, also those of a foreign game."""

import os
import subprocess
import sys

import pytest

from spieltisch.cli.decks import app
from spieltisch.decks.base_kind import kind_of, kinds
from spieltisch.decks.check import looked_at, open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.exporting import terminal
from spieltisch.decks.exporting.stats import stats
from spieltisch.decks.findings import say, say_sentence
from spieltisch.decks.importing.columns import taken_in
from spieltisch.decks.importing.sheets import read_sheet
from spieltisch.decks.importing.work import Press, from_file
from spieltisch.decks.library import Library
from spieltisch.game import Invalid

FORMS = b"case,number,gender,form\nnom,sg,m,hic\n"


def test_anki_refuses_with_the_games_whose_cards_it_takes(toys):
    deck = open_deck(Library().path("hic"))
    with pytest.raises(Invalid) as refused:
        kind_of("forms").note(deck, deck.table.rows[0], "en")
    assert say_sentence(refused.value, "de") == "Mit Anki lernst du nur Decks für Anno Domini, Inventions, Trailblaze."


def test_a_sheet_of_forms_is_refused_with_the_games_whose_decks_are_made(toys):
    with pytest.raises(Invalid) as refused:
        from_file(FORMS, Press(), "mine", None, "Mine")
    assert (
        say_sentence(refused.value, "en") == "Only decks for Anno Domini, Bazaar, Inventions, Trailblaze are made here."
    )


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "There is no deck nosuch."), ("de", "Es gibt kein Deck nosuch.")]
)
def test_a_refusal_becomes_a_sentence(lang, sentence):
    with pytest.raises(Invalid) as refused:
        Library().path("nosuch")
    assert say_sentence(refused.value, lang) == sentence


def test_a_name_at_the_beginning_of_a_refusal_keeps_its_case():
    refused = Invalid("{name} is a deck of another kind", name="mine")
    assert say_sentence(refused, "de") == "mine ist ein Deck anderer Art"


def sheet(columns):
    """A sheet with these columns and a card."""
    return read_sheet("\n".join([",".join(columns), ",".join("1" for _ in columns)]).encode())


def test_a_column_without_a_use_is_named_whatever_the_kind(toys):
    for name, kind in kinds().items():
        found = taken_in(sheet([*kind.columns, "Zzz"]), name).found
        assert [say(one.wrong, "en") for one in found if one.rule == "columns"] == ["not used: the column “Zzz”"], name


def test_a_kind_that_fails_at_a_sheet_leaves_it_to_others(toys, monkeypatch, caplog):
    def fails(*_given):
        raise KeyError("stall")

    monkeypatch.setattr(type(kind_of("wares")), "is_headed", fails)
    assert taken_in(sheet(["Ereignis", "Datum"])).kind == "events"
    assert "decks of the kind wares" in caplog.text


def test_two_columns_that_mean_the_same_are_refused_whatever_the_kind(toys):
    for name, kind in kinds().items():
        with pytest.raises(Invalid, match=f"mean the same: {kind.columns[-1]}, {kind.columns[-1].upper()}"):
            taken_in(sheet([*kind.columns, kind.columns[-1].upper()]), name)


def test_columns_without_dates_are_called_as_people_call_them(toys):
    found = taken_in(sheet(["Deutsch", "Stand", "Tag", "Preis", "Bemerkung"]))
    assert (found.kind, found.given) == ("wares", ("de", "stall", "day", "price", "comment_de"))


def test_every_column_of_a_sheet_without_dates_reaches_the_deck(toys, tmp_path, capsys):
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    before.write_text("en,stall,day,price,comment\nA cup,clay,Monday,3,blue\n")
    assert app(["import", str(before), "--to", str(after)], result_action="return_value") == 0, capsys.readouterr()
    row = open_deck(after).table.rows[0]
    assert [row[one] for one in ("en", "stall", "day", "price", "comment_en")] == [
        "A cup",
        "clay",
        "Monday",
        "3",
        "blue",
    ]


def test_counts_are_called_by_the_labels_of_their_columns(toys):
    deck = open_deck(Library().path("wares"))
    said = [*terminal.counts(deck, stats(deck.table, deck.kind), "de")]
    assert said == ["wares: Karten: 5", "  Stand: cloth (2), lights (2), – (1)", "  Markttag: – (5)"]


@pytest.mark.parametrize(("name", "needed"), [("wares", "price"), ("inventions", "inventor")])
def test_a_deck_may_lack_what_its_kind_calls_optional(toys, name, needed):
    kind, deck = kind_of(name), open_deck(Library().path(name))
    assert not {*deck.columns} & kind.optional
    assert len(kind.read(deck.text(), name).cards) == len(deck.table.rows)
    with pytest.raises(Invalid, match=f"the columns {needed} are missing"):
        kind.read(deck.text().replace(f",{needed}", ",other"), name)


def test_cards_without_dates_are_looked_at_too(toys):
    rows = [
        "id,en,stall,price",
        "a,A cup of 1900,clay,3",
        "b,A cup of 1900,clay,4",
        "c,<b>A jug</b>,,5",
        "d,,,5",
        "e,A pot,,x",
    ]
    sheet = taken_in(read_sheet("\n".join(rows).encode()))
    found = {(one.line, one.rule, one.drop) for one in looked_at(Deck("x", sheet.kind, sheet.table), sheet).found}
    assert found >= {(3, "twice", False), (4, "markup", False), (5, "text", False), (6, "price", False)}
    assert "tells" not in {rule for _, rule, _ in found}  # a year gives nothing away


def test_a_deck_of_any_kind_can_be_imported_by_the_command(toys, tmp_path):
    (tmp_path / "cups.csv").write_text("en,price\nA cup,3\n")  # not enough to tell the kind
    command = ["deck", "import", "cups.csv", "--kind", "wares", "--to", "out.csv"]
    surroundings = os.environ | {"SPIELTISCH_GAMES": str(toys["bazaar"].folder.parent)}
    ran = subprocess.run([sys.executable, "-m", "spieltisch", *command], env=surroundings, cwd=tmp_path, check=False)
    assert ran.returncode == 0
    assert open_deck(tmp_path / "out.csv").kind == "wares"


def test_a_deck_without_ids_is_imported_twice_and_nothing_is_doubled(tmp_path, capsys):
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    before.write_bytes(Library().path("hic").read_bytes())
    for fate in ("new: 30, changed: 0, unchanged: 0", "new: 0, changed: 0, unchanged: 30"):
        assert app(["import", str(before), "--to", str(after), "--language", "en"], result_action="return_value") == 0
        assert fate in capsys.readouterr().out
    assert open_deck(after).table.rows == open_deck(before).table.rows
