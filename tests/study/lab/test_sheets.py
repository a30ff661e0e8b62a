"""Sheets as people bring them: what the lab says first is right, and little else is said.

They are written in the manner of chronicles, lessons and clubs; a few lines are wrong as they are in such sheets.
"""

from pathlib import Path

import pytest

from spieltisch.decks.check import checked
from spieltisch.decks.table import Row
from spieltisch.study.lab import telling
from spieltisch.study.lab.corpus import corpus
from spieltisch.study.lab.found import place
from spieltisch.study.lab.page import middle
from spieltisch.study.lab.report import examine

SHEETS = sorted((Path(__file__).parent / "sheets").glob("*.csv"))
RIGHT = {  # by line, what somebody who knows the matter would say, too
    "club": {15: "era-named"},
    "family": {18: "era-named"},
    "japan": dict.fromkeys(range(2, 14), "unprinted"),
    "music": {16: "unfinished", 17: "unfinished", 8: "shipped"},
    "nature": {4: "shipped"},
    "parish": {19: "vague", 20: "unfinished"},
    "rome": {4: "shipped", 8: "shipped", 10: "shipped", 17: "shipped"},
    "school": {17: "date-doubtful", 16: "era-named"},
    "science": {16: "vague", 5: "shipped", 14: "shipped"},
    "women": {7: "shipped", 9: "shipped", 13: "shipped"},
}


def test_the_first_findings_of_ten_sheets_are_right():
    assert [one.stem for one in SHEETS] == sorted(RIGHT)
    told = {one.stem: examine(checked(one), games=1) for one in SHEETS}
    right = {
        name: all(RIGHT[name].get(one.line) == one.findings[0].rule for one in report.changes[:3])
        for name, report in told.items()
    }
    assert sum(right.values()) >= 9, right
    for name, lines in RIGHT.items():  # and nothing that is wrong is overlooked
        assert {*lines} <= {one.line for one in told[name].changes}, name
    others = [one for name, report in told.items() for one in report.changes if one.line not in RIGHT[name]]
    assert len(others) <= 2, [(one.line, one.front["de"], one.findings[0].rule) for one in others]


def card(de, **more):
    return Row(1, {"id": "k1", "date": "1900", "de": de, "en": "", "source": "s", **more})


@pytest.mark.parametrize(
    "front",
    [
        "Der Landesherr führt in der Grafschaft die Reformation ein",
        "Soldaten quartieren sich im Pfarrhaus ein",
        "Der Zug hält am neuen Bahnhof an",
        "Die Schülerin gibt ihr Heft nicht ab",
        "Die Post stellt die Zustellung am Sonntag ein",
        "東京で大きな大会が開かれる",
        "กรุงเทพเป็นเมืองหลวง",
        "בעיר נפתח בית ספר חדש",
    ],
)
def test_a_whole_sentence_is_not_cut(front):
    assert list(telling.unfinished(card(front), [])) == []


@pytest.mark.parametrize(
    "front",
    ["In Paris stürmen Leute ein Gefängnis und", "Die Franzosen nehmen die", "EIN KÖNIG STIRBT IN PARIS"],
)
def test_a_cut_text_is_still_found(front):
    assert [one.rule for one in telling.unfinished(card(front), [])] == ["unfinished"]


def test_a_text_without_its_full_stop_is_told_so():
    (found,) = telling.unfinished(card("Die Post stellt den Dienst ein"), ["de"])
    assert str(found.wrong).startswith("the text ends without a full stop")


@pytest.mark.parametrize("front", ["Die Turnhalle wird eingeweiht.", "Ein Schaf hat keinen Vater."])
def test_few_words_may_say_enough(front):
    assert list(telling.vague(card(front), corpus())) == []


def test_cards_are_named_by_their_words():
    assert str(place(Row(0, card("Ein König stirbt.").cells))) == "the card “Ein König stirbt.”"
    report = examine(checked(SHEETS[0]), games=1)
    shown = middle(report, "en", {})
    assert "potato field" in shown
    assert not any(one.card in shown for one in report.changes)
