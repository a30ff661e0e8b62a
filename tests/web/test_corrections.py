"""Corrections of a deck in the browser: taken in by the host, told on its page and, after the reveal, at tables."""

import html
import json

import pytest
from msgspec.structs import replace

from spieltisch.decks.check import open_deck
from spieltisch.decks.errata import errata, taken_in
from spieltisch.decks.files import put
from spieltisch.decks.table import Row
from web.site import served
from web.test_deckchoice import sheet
from web.test_reports import revealed

pytestmark = pytest.mark.anyio
DAY = "2031-05-06"
CORRECTED = {"en": "Corrected on 6 May 2031", "de": "Berichtigt am 6. Mai 2031"}


def corrections(folder):
    """A deck in this folder, and a file that corrects a front and every date, each by a year."""
    put(folder / "decks" / "rom.csv", sheet(30))
    deck = open_deck(folder / "decks" / "rom.csv")
    source = "https://example.org/rom"
    cells = [row.cells | {"date": str(int(row["date"]) + 1), "source": source} for row in deck.table.rows]
    cells[0] |= {"en": "Event mended.", "de": "Ereignis geheilt."}
    new = replace(deck, table=replace(deck.table, rows=[Row(0, one) for one in cells]))
    return errata(deck, new, DAY).text().encode()


async def take(host, content):
    return await host.post("/host/errata", files={"file": ("e.csv", content, "text/csv")})


async def test_the_host_takes_corrections_in_and_the_deck_page_tells_them(tmp_path, monkeypatch):
    content = corrections(tmp_path)
    async with served(tmp_path) as site, site.browser("en") as host, site.browser("de") as wirt:
        assert (await take(host, content)).status_code == 403
        for one in (host, wirt):
            one.cookies.set("spieltisch_host", site.services.deck_keys.host_key())
        assert "Berichtigungen eines Decks" in (await wirt.get("/host")).text
        beside, within = [], site.services.heavy.within

        async def heard(seconds, work, *given, **more):
            beside.append(work)
            return await within(seconds, work, *given, **more)

        monkeypatch.setattr(site.services.heavy, "within", heard)
        for nothing in (b"", b"\xff", b"a,b\n1,2\n"):
            assert 400 <= (await take(host, nothing)).status_code < 500
        done = await take(host, content)
        assert (done.status_code, beside[-1]) == (200, taken_in)  # in a process beside the server
        assert "rom: 30 cards corrected" in done.text
        again = await take(wirt, content)
        assert again.status_code == 422
        assert "rom hat diese Berichtigungen schon" in html.unescape(again.text)

        old = {"en": "Event aaa", "de": "Ereignis aaa"}
        new = {"en": "Event mended.", "de": "Ereignis geheilt."}
        async with site.browser("en") as ada, site.browser("de") as ben:
            for stranger, one, lang in ((ada, host, "en"), (ben, wirt, "de")):
                page = (await stranger.get("/decks/rom")).text
                assert CORRECTED[lang] in page
                assert f"<del>{old[lang]}</del> <ins>{new[lang]}</ins>" in page
                assert "1701" not in page  # who has no key sees no back
                page = (await one.get("/decks/rom")).text
                assert "<del>1700</del> <ins>1701</ins>" in page
                assert "example.org" in page


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_a_corrected_card_says_so_at_a_table_once_it_is_turned_over(tmp_path, lang):
    content = corrections(tmp_path)
    put(tmp_path / "decks" / "rom.csv", taken_in(tmp_path / "decks", content).text)
    async with served(tmp_path) as site, site.browser(lang) as ada:
        url, page = await revealed(ada)
        rows = (await ada.get(url, headers={"accept": "application/json"})).json()["view"]["public"]
        assert page.count(CORRECTED[lang]) == len(rows["revealed"]["rows"])
        covered = json.dumps({key: said for key, said in rows.items() if key not in {"revealed", "news", "turned"}})
        assert DAY not in covered  # no card says so before
