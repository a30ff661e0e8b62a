"""The deck lab in the browser: for holders of the deck's key, in a process of its own, or a reason why not."""

import asyncio
import re
import subprocess
import sys
import time
from html import unescape

import pytest

from spieltisch.web.decks import laboratory
from web.site import served
from web.test_deckpages import made

pytestmark = pytest.mark.anyio

SHEET = "date;event\n" + "".join(
    f"{year};{text}\n"
    for year, text in (
        ("1916", "During the First World War a country puts its clocks forward for the first time."),
        ("1066", "A king dies."),
        ("1873", "In Vienna a world fair opens, and eight days later the stock exchange crashes."),
        ("1911", "Somebody steals a painting and keeps it under his bed in Paris for two years."),
        ("1783", "A sheep, a duck and a cockerel fly over Versailles and land in a wood."),
        ("1626", "A warship as tall as a church sinks in the harbour on its first trip."),
        ("1453", "After fifty days a city with a triple wall falls to a sultan of twenty-one."),
        ("79 AD", "Under ash and stones two towns below a mountain disappear within a day."),
    )
)


async def looked(browser, address, seconds=90, seen=None):
    """The lab's page as soon as it is done; `seen` gets the per cent that were shown before."""
    until = time.monotonic() + seconds
    while (answer := await browser.get(address)).status_code == 202:
        done = re.search(r'<progress id="done" max="100" value="(\d+)">', answer.text)[1]
        assert f">{done} %<" in answer.text.replace("\u00a0", " ")
        assert '<noscript><meta http-equiv="refresh"' in answer.text
        if seen is not None:
            seen.append(int(done))
        assert time.monotonic() < until
        await asyncio.sleep(0.1)
    return answer


@pytest.mark.slow
async def test_a_deck_is_examined_and_it_is_said_what_to_change(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser("de") as cem:
        url = await made(ada, SHEET)
        assert f'href="{url}/lab"' in (await ada.get(url)).text
        before = await ada.get(f"{url}/lab")
        assert before.status_code == 200
        assert "Examine 8 cards" in before.text
        assert (await ben.get(f"{url}/lab")).status_code == 404  # a private deck of somebody else
        assert (await ben.post(f"{url}/lab")).status_code == 404
        assert (await ada.post(f"{url}/lab")).headers["location"] == f"{url}/lab"
        shown = []
        page = await looked(ada, f"{url}/lab", seen=shown)
        assert shown == sorted(shown)  # it grows with the work: how far it is heard, tests/study/lab
        assert page.status_code == 200
        assert "http-equiv" not in page.text
        assert "remove what names the time: 1 card" in page.text
        assert "“First World War” gives away the date: 1914–1918" in page.text
        assert "the front fits many events" in page.text
        assert page.text.count("<svg viewBox") >= 6  # three levels, each with seats and lengths
        card = re.search(rf'<a href="({url}\?at=0#card-[\w-]+)">', unescape(page.text))[1]
        assert f'id="{card.partition("#")[2]}"' in (await ada.get(card.partition("#")[0])).text
        key = site.services.deck_keys.key(url.rpartition("/")[2])
        await cem.post(f"{url}/key", data={"token": key})
        german = await cem.get(f"{url}/lab")  # found once, told in both languages
        assert "„First World War“ verrät, wann es war: 1914–1918" in german.text
        assert "Was du zuerst ändern solltest" in german.text
        await ada.post(f"{url}/share")
        assert (await ben.get(f"{url}/lab")).status_code == 403  # shared, but not ben's
        assert "Examine 8 cards" in (await ada.get(f"{url}/lab")).text  # the file has changed


async def test_where_the_lab_has_nothing_to_say_it_says_why(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada, "\n".join(line for line in SHEET.splitlines()[:6] if not line.startswith("1066")))
        await ada.post(f"{url}/lab")
        page = await looked(ada, f"{url}/lab")
        assert page.status_code == 422
        assert "The lab needs at least 8 cards, not 4." in page.text
        assert "Examine 4 cards" in page.text
        monkeypatch.setattr(laboratory, "PATIENCE", 0.05)
        await ada.post(f"{url}/lab")
        page = await looked(ada, f"{url}/lab")
        assert page.status_code == 422
        assert "The lab took too long for this deck" in page.text


async def test_shipped_decks_are_the_hosts_and_other_kinds_have_no_lab(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as host:
        assert (await ada.get("/decks/firsts/lab")).status_code == 403
        assert (await ada.post("/decks/firsts/lab")).status_code == 403
        await host.post("/host", data={"token": "#" + site.services.deck_keys.host_key()})
        assert re.search(r"Examine \d+ cards", (await host.get("/decks/firsts/lab")).text)
        assert (await host.get("/decks/nothing/lab")).status_code == 404


def test_what_serves_tables_does_not_import_the_lab():
    """It is found by its name, in the process that examines a deck."""
    code = "import sys, spieltisch.web.app; print([one for one in sys.modules if one.startswith('spieltisch.study')])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
