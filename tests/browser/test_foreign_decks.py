"""A fifth game in a folder outside the package brings a kind of decks and studies."""

import os
import sqlite3
import subprocess
import sys
import zipfile

import pytest

from browser.play import Person, add_bots, start, write_name

SHEET = "Jahr;Deutsch;Erfinderin;Quelle\n1886;Eine Maschine spült Geschirr.;Josephine Cochrane;Buch\n"
SHEET += "1908;Papier hält Kaffeesatz zurück.;;Buch\n1952;Etwas übersetzt Programme.;Grace Hopper;Buch\n"
SHEET += "1966;Eine Faser ist stärker als Stahl.;Stephanie Kwolek;Buch\n"


@pytest.fixture(autouse=True)
def _with_the_toy(toys, monkeypatch):
    monkeypatch.setenv("SPIELTISCH_GAMES", str(toys["inventions"].folder.parent))  # for processes of the server


async def fetched(page, link):
    """What a link of a page sends, with the reader's cookies."""
    answer = await page.context.request.get(await link.get_attribute("href"), headers={"Accept-Language": "de"})
    assert answer.ok, answer.status
    return await answer.body()


async def test_a_sheet_of_a_foreign_kind_is_made_printed_and_played(site, visit, tmp_path):
    async with visit(site.origin, lang="de") as page:
        await page.goto("/decks")
        template = await fetched(page, page.get_by_role("link", name="für Erfindungen (CSV)"))
        assert "Josephine Cochrane" in template.decode()
        await page.get_by_label("Titel").fill("Erfunden")
        await page.get_by_label("Tabelle", exact=True).fill(SHEET)
        await page.get_by_role("button", name="Durchsehen", exact=True).click()
        await page.get_by_text("niemand hat es erfunden").first.wait_for()  # its own lint
        assert (await page.locator("#kind").text_content()).startswith("Erfindungen")
        page.watch.complaints.clear()  # of the status that says that something has to be mended
        await page.get_by_label("Erfinderin").fill("Melitta Bentz")
        await page.get_by_role("button", name="Noch einmal durchsehen").click()
        await page.get_by_role("heading", name="Erfunden").wait_for()
        name = page.url.rpartition("/")[2].partition("?")[0]
        first = page.locator("article").filter(has_text="Geschirr")
        await first.locator("summary").click()
        assert await first.get_by_label("Wer es erfand").input_value() == "Josephine Cochrane"

        package = tmp_path / "deck.apkg"
        package.write_bytes(await fetched(page, page.locator("a[href$='/export/anki']")))
        zipfile.ZipFile(package).extract("collection.anki2", tmp_path)
        with sqlite3.connect(tmp_path / "collection.anki2") as base:
            backs = [fields.split("\x1f")[2] for (fields,) in base.execute("select flds from notes order by id")]
        assert sorted(backs) == ["Grace Hopper", "Josephine Cochrane", "Melitta Bentz", "Stephanie Kwolek"]
        moodle = (await fetched(page, page.locator("a[href$='/export/moodle']"))).decode()
        assert "Wer hat es erfunden?" in moodle
        assert "Melitta Bentz" in moodle
        assert (await fetched(page, page.locator("a[href*='/print/a4']").first)).startswith(b"%PDF-")

        await page.get_by_role("button", name="Damit spielen").click()
        await page.wait_for_url("**/t/*")
        me = Person(page, touch=False)
        await write_name(me, "Ada")
        assert await page.locator(".opts [name=deck]:checked").input_value() == name
        await add_bots(me, 1, 2)
        await start(me)
        table = await site.services.host.table(page.url.rpartition("/")[2])
        assert {one.front["de"] for one in table.deck.cards} >= {"Etwas übersetzt Programme."}
        while await me.waits() != "over":
            await me.page.get_by_role("button", name="Vor 1900").wait_for()
            me.asked = await me.question()
            await me.send("button[form=move]")
        assert table.result.end == "played"


def test_what_is_found_out_about_a_foreign_game_is_printed(toys):
    surroundings = {**os.environ, "SPIELTISCH_GAMES": str(toys["inventions"].folder.parent), "LANG": "C"}

    def told(*words):
        command = [sys.executable, "-m", "spieltisch", *words]
        return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True).stdout

    assert told("study", "inventions", "early") == "2 of 6\n"
    assert "how often is a guess right?" in told("study", "answer", "guessing", "--games", "5")
    assert told("deck", "check", "inventions").startswith("inventions: cards: 6, errors: 0")
