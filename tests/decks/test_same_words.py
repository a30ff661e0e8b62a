"""What counts as the same words, wherever words are compared: lines of moves, searches, doubles, names, tags."""

import subprocess
from pathlib import Path

import pytest

from spieltisch import notation
from spieltisch.decks.deck import Deck
from spieltisch.decks.importing.columns import taken_in
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import read_sheet
from spieltisch.decks.lint.cards import lint
from spieltisch.decks.text import folded
from spieltisch.game import Invalid
from spieltisch.table import names

FIND = Path(notation.__file__).parent / "web/core/static/find.js"
SAME = [
    ("Übung", "U\u0308bung"),
    ("STRASSE", "Straße"),
    ("it’s", "It's"),
    ("d\u02bcOr", "D`or"),
    ("ΟΔΥΣΣΕΎΣ", "οδυσσεύς"),
    ("Müller\u2011Lyer", "müller-lyer"),
    ("Kampf\u00adgenosse", "Kampfgenosse"),
    ("й", "и\u0306"),
]
BARE = [("hōrum", "horum"), ("HŌRUM", "horum"), ("für", "fur"), ("Dvořák", "dvorak"), ("naïve", "NAIVE"), ("ē", "e")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_words_are_the_same(one, other):
    assert folded(one) == folded(other)
    assert folded(folded(one)) == folded(one)


@pytest.mark.parametrize(("one", "other"), [*SAME, *BARE])
def test_without_marks_macrons_make_no_difference(one, other):
    assert folded(one, marks=False) == folded(other, marks=False)


@pytest.mark.parametrize(("one", "other"), [*BARE[:4], ("hos", "has"), ("it's", "its"), ("Maß", "Mas")])
def test_other_words_are_others(one, other):
    assert folded(one) != folded(other) or one.casefold() == other


def test_the_search_compares_as_everything_does():
    code = f"import {{folded}} from {str(FIND)!r}; for (const t of process.argv.slice(1)) console.log(folded(t).text)"
    words = [word for pair in (*SAME, *BARE) for word in pair]
    told = subprocess.run(
        ["node", "--input-type=module", "-e", code, *words], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    assert told[:-1] == [folded(one, marks=False) for one, _ in (*SAME, *BARE) for _ in "12"]


LINES = ["play hōrum as gen.pl.m", "play hīs as dat.pl.m", "play hic as nom.sg.m", "play l’œuvre", "draw"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("play horum as gen.pl.m", 0),
        ("Play HO\u0304RUM as gen.pl.m", 0),
        ("play his as dat.pl.m", 1),
        ("play l'Œuvre", 3),
        ("PLAY  hic  AS nom.sg.m", 2),
    ],
)
def test_a_line_is_meant_however_it_is_written(text, line):
    assert notation.meant(text, LINES) == LINES[line]


def test_a_line_that_may_be_two_is_asked():
    two = ["play hoc as abl.sg.m", "play hōc as abl.sg.m"]
    assert notation.meant(two[1], two) == two[1]
    assert notation.meant(two[0].upper(), two) == two[0]
    with pytest.raises(Invalid, match="could be any of these: play hōc, play hóc"):
        notation.meant("play hoc", ["play hōc", "play hóc"])
    with pytest.raises(Invalid, match=r"after “play horum as” comes gen\.pl\.m"):
        notation.meant("play horum as dat.pl.m", LINES)


@pytest.mark.parametrize(("one", "other"), [("Ein König’s Sohn geht.", "ein König's sohn geht."), *SAME[:3]])
def test_cards_of_the_same_words_are_one(one, other):
    sheet = taken_in(read_sheet(f"date;event\n1900;{one} fort\n1900;{other} fort\n".encode()), "events")
    table = renewed(sheet, "d").table
    assert [one.rule for one in lint(table, "events") if one.severity == "error"] == ["twice"]
    old = renewed(taken_in(read_sheet(f"date;event\n1900;{one} fort\n".encode())), "d").table
    new = renewed(taken_in(read_sheet(f"date;event\n1901;{other} fort\n".encode())), "d", old)
    assert (len(new.changed), len(new.new)) == (1, 0)
    assert Deck("d", "events", new.table).table.rows[0]["date"] == "1901"


@pytest.mark.parametrize(("one", "other"), [("O’Neil", "O'Neil"), ("Straßer", "STRASSER"), ("Zoë", "Zoe\u0308")])
def test_names_of_the_same_words_are_one(one, other):
    assert names.same(one, other)
    assert not names.same("Zoë", "Zoe")
