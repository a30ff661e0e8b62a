"""Whose games these are and where the cards come from: on the page, in NOTICE and beside the decks, all the same."""

import html
import re
from pathlib import Path

import pytest

from spieltisch import games
from spieltisch.cli.app import app
from spieltisch.decks import table
from spieltisch.decks.check import open_deck
from spieltisch.decks.exporting.credits import credits_of, document
from spieltisch.decks.files import put
from spieltisch.decks.library import shipped
from web.site import served
from web.test_deckchoice import sheet

NOTICE = (Path(__file__).parents[2] / "NOTICE").read_text("utf-8")


def plain(text):
    """The words of a page or a file, one blank between them."""
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", text)).split())


@pytest.mark.anyio
async def test_the_page_says_what_the_notice_says_in_both_languages(tmp_path):
    async with served(tmp_path) as site, site.browser("en") as ada, site.browser("de") as ben:
        page, seite = (await ada.get("/credits")).text, (await ben.get("/credits")).text
        said = plain(page)
        credited, _, licences = plain(NOTICE).partition(" Licences. ")
        for licence, shown in (("Apache License 2.0", "Apache Licence 2.0"), ("CC-BY-SA-4.0", "CC BY-SA 4.0")):
            assert licence in licences
            assert shown in said
        for paragraph in credited.partition("authors ")[2].split(" - "):
            game, _, credit = paragraph.partition(": ")
            if credit:
                credit, _, rest = credit.partition(" Facts (years")
                assert game in said
                assert credit in said
                if rest:
                    assert f"Facts (years{rest}" in said
            else:
                assert paragraph in said
        for deck in map(open_deck, shipped().values()):
            one = credits_of(deck)
            assert one.title["en"] in said
            assert one.title["de"] in plain(seite)
            if one.facts:
                assert f"von {one.cards} Karten" in plain(seite)
        assert "Von Urs Hostettler" in plain(seite)
        assert 'href="/credits"' in (await ada.get("/")).text
        answer = await ada.post("/play", data={"game": games.package("adaman").name})
        waiting = await ada.post("/tables", data={"game": games.package("trailblaze").name})
        for table in (answer, waiting):
            assert 'href="/credits"' in (await ada.get(table.headers["location"])).text


def test_the_sources_beside_the_decks_are_those_of_the_tables(capsys):
    kept = Path(table.__file__).with_name("SOURCES.md").read_text("utf-8")
    assert kept == document(map(open_deck, shipped().values())), "run: spieltisch deck sources > …/SOURCES.md"
    with pytest.raises(SystemExit):
        app(["deck", "sources"])
    assert capsys.readouterr().out == kept


def test_a_book_counts_as_a_source_and_a_card_without_one_does_not(tmp_path):
    text = (
        sheet(3).replace(",,,,,,,,\n", ",,,Plinius,,,,,\n", 1).replace(",,,,,,,,\n", ",,,https://a.example/x,,,,,\n", 1)
    )
    put(tmp_path / "rom.csv", text)
    one = credits_of(open_deck(tmp_path / "rom.csv"))
    assert one.sites == (("Plinius", 1), ("a.example", 1))
    assert (one.cards, one.facts, one.read, one.licence) == (3, 0, 0, "")
