"""Drawings and colours stand in one place, and all of them can be read."""

import re
from pathlib import Path

import pytest

from spieltisch import assets
from spieltisch.games.adaman.decktet import cards

SRC = Path(assets.__file__).parents[1]


def test_every_colour_of_the_palette_is_read():
    text = assets.PALETTE.read_text("utf-8")
    assert {*assets.colours()} == {*re.findall(r"--([\w-]+):", text)}
    assert len(assets.colours()) >= 35


def test_colours_stand_in_the_palette_alone():
    known = {colour.upper() for colour in re.findall("#[0-9A-Fa-f]{6}", assets.PALETTE.read_text("utf-8"))}
    for file in sorted(SRC.rglob("*")):
        if file in (assets.PALETTE, *SRC.glob("games/*/templates/lid.html")):  # lids are pictures, dark in either theme
            continue
        if file.suffix in {".py", ".css", ".html", ".typ", ".js"}:
            found = {colour.upper() for colour in re.findall("#[0-9A-Fa-f]{6}\\b", file.read_text("utf-8"))}
            assert not found & known, file


@pytest.mark.parametrize("sheet", ["sprite", "motifs", "decktet"])
def test_every_drawing_of_a_sheet_has_a_name_and_something_in_it(sheet):
    text = (assets.FOLDER / f"{sheet}.svg").read_text("utf-8")
    drawn = assets.drawings(sheet)
    assert len(drawn) == len(re.findall("<symbol|<defs", text)) > 40
    for name, one in drawn.items():
        assert name
        assert one.content.startswith("<")
        assert "xmlns" not in one.content
        assert one.box or name == "clips"


def test_faces_use_the_colours_of_their_suits_and_no_other():
    for card in cards():
        content = assets.drawings("decktet")[card.id].content
        assert "#" not in re.sub(r'url\(#clip-\w+\)|href="#suit-\w+"', "", content), card.id
        used = {name.lower()[0] for name in re.findall(r'class="(a|b|c|A6?|B[6t]?)"', content)}
        assert used <= {*"abc"[: max(1, len(card.suits))]}, card.id


def test_a_colour_is_thinned_with_its_ground():
    assert assets.mixed("#000000", "#FFFFFF", 0.2) == "#CCCCCC"
    assert assets.mixed("#17211E", "#FFFEFB", 1) == "#17211E"
