"""Decks made in the browser: from a sheet to a game, mended in place, private until shared, backs for their maker."""

import asyncio
import io
import json
import re
import sys
import time
import zipfile
from html import unescape

import pytest

from decks.workbooks import xlsx
from spieltisch.cli import decks as cli_decks
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.library import put
from web.site import SECRET, served
from web.test_deckchoice import sheet as deck_file
from web.test_deckchoice import w

pytestmark = pytest.mark.anyio

OUT = [f"/export/{name}" for name in EXPORTS]  # below a deck's address: its backs, for who has its key


def sixty(n=60):
    rows = (f"{1700 + i};Something {w(i)} happens to somebody {w(i * 7 + 1)}.\n" for i in range(n))
    return "date;event\n" + "".join(rows)


def sheet_of(page):
    """What the form that mends a sheet brings back of it."""
    text = re.search(r'<textarea name="sheet" hidden>\n(.*?)</textarea>', page, re.DOTALL)[1]
    return {"title": "T", "deck": "", "sheet": unescape(text)}


async def made(browser, text=None, **fields):
    answer = await browser.post("/decks", data={"title": "Rome & more", "text": text or sixty()} | fields)
    assert answer.status_code == 303, answer.text[-3000:]
    return answer.headers["location"]


async def test_sixty_events_are_played_at_once(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await made(ada)
        assert re.fullmatch("/decks/rome-more-[2-9a-z]{6}", url)
        page = (await ada.get(url)).text
        assert "Rome &amp; more" in page
        assert "60 cards" in page
        assert page.count('class="evcard') == 60
        table = await ada.post(f"{url}/play")
        assert table.status_code == 303
        setup = (await site.services.host.table(table.headers["location"].rpartition("/")[2])).setup
        assert setup.top == {"options": {}, "deck": url.rpartition("/")[2]}
        for _ in range(3):
            await ada.post(f"{table.headers['location']}/chairs", data={"do": "bot"})
        assert "plays with this deck" not in (await ada.get(url)).text
        assert (await ada.post(f"{table.headers['location']}/start")).status_code == 303
        assert "plays with this deck" in (await ada.get(url)).text
        assert (await ben.get(url)).status_code == 404


async def test_who_knows_a_deck_is_told_so_wherever_it_is_played(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await made(ada)
        table = (await ada.post(f"{url}/play")).headers["location"]
        assert "You know this deck" in (await ada.get(table)).text
        assert "You know this deck" not in (await ben.get(table)).text
        await ada.post(f"{url}/share")
        table = (await ben.post("/tables", data={"game": "anno-domini", "name": "Ben"})).headers["location"]
        assert "You know this deck" not in (await ada.get(table)).text
        await ben.post(f"{table}/options", data={"deck": url.rpartition("/")[2], "cards_per_player": "9"})
        assert "You know this deck" not in (await ben.get(table)).text
        assert "You know this deck" in (await ada.get(table)).text
        assert (await ada.post(f"{table}/sit", data={"name": "Ada"})).status_code == 303
        assert "You know this deck" in (await ada.get(table)).text


async def test_a_small_deck_has_fewer_cards_for_each(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada, sixty(20))
        table = (await ada.post(f"{url}/play")).headers["location"]
        top = (await site.services.host.table(table.rpartition("/")[2])).setup.top
        assert top["options"] == {"cards_per_player": 4}
        url = await made(ada, sixty(5))
        refused = await ada.post(f"{url}/play", headers={"accept-language": "de"})
        assert refused.status_code == 422
        assert "mindestens 6 Karten (1 pro Person), hier sind es 5" in refused.text


async def test_bad_lines_are_named_and_mended_in_place(tmp_path):
    bad = "date;event\n44 BC;A general is stabbed.\n\n-44;<script>alert(1)</script>A poet sings.\n1903?;Two fly.\n"
    async with served(tmp_path) as site, site.browser() as ada:
        answer = await ada.post("/decks", data={"title": "T", "text": bad})
        page = answer.text
        assert answer.status_code == 422
        assert not [*(tmp_path / "decks").glob("*")]  # nothing is kept by halves
        assert "2 lines have to be mended" in page
        assert "Line 4" in page
        assert "Line 5" in page
        assert "Line 2" not in page
        assert "years before our era are not written with a minus" in page
        assert "<script>alert" not in page
        assert "44\u00a0BC" in page  # what is right, and what was read of the good one
        fields = sheet_of(page) | {"cell-4-0": "44 BC", "cell-4-1": "A poet sings.", "cell-5-0": "um 1903"}
        answer = await ada.post("/decks", data=fields)
        assert answer.status_code == 303, answer.text[-2000:]
        saved = (tmp_path / "decks" / f"{answer.headers['location'].rpartition('/')[2]}.csv").read_text()
        assert "um 1903,Two" in saved.replace(",,", ",")
        assert "script" not in saved


def bomb():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/workbook.xml", b"<a>" + b" " * 70_000_000)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Paste a table"),
        ("Datum;Ereignis\n1903;Größe".encode("latin-1"), "not in UTF-8"),
        (b"event;event2\n1903;x\n", "no column for the date"),
        (b"\xd0\xcf\x11\xe0" + b"0" * 100, "old Excel file"),
        (bomb(), "more than 64 MB"),
        (sixty(10_001).encode(), "more than 10000 lines"),
        (b"date;event\n" + b"1903;" + b"x" * 3000, "a cell has 3000 characters"),
    ],
    ids=["empty", "latin-1", "columns", "xls", "bomb", "rows", "cell"],
)
async def test_what_is_no_sheet_is_refused_in_words(tmp_path, content, words):
    async with served(tmp_path) as site, site.browser() as ada:
        answer = await ada.post("/decks", files={"file": ("a.csv", content)}, data={"title": "T"})
        assert answer.status_code == 422
        assert words in answer.text
        assert not (tmp_path / "decks").exists()


async def test_a_file_of_50_megabytes_is_refused_with_its_size(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada:
        start = time.monotonic()
        answer = await ada.post("/decks", files={"file": ("a.csv", b"x" * 50 * 2**20)})
        assert answer.status_code == 422
        assert "50.0 MB" in answer.text
        assert "5 MB" in answer.text
        assert time.monotonic() - start < 30


async def test_a_workbook_with_a_formula_is_mended_and_never_computed(tmp_path):
    book = xlsx(["date", "event"], [1903, "Two brothers fly."], [1904, "=1+1"])
    async with served(tmp_path) as site, site.browser() as ada:
        answer = await ada.post("/decks", files={"file": ("a.xlsx", book)})
        assert answer.status_code == 422
        assert "Line 3" in answer.text
        assert "begins as a formula does" in answer.text
        fields = sheet_of(answer.text) | {"cell-3-1": "A king falls."}
        url = (await ada.post("/decks", data=fields)).headers["location"]
        out = (await ada.get(f"{url}/export/excel")).text
        assert "A king falls." in out


async def test_cards_are_changed_added_and_taken_out(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada)
        card = re.search(r'name="id"\s+value="(\w+)"', (await ada.get(url)).text)[1]
        good = {"id": card, "date": "um 1820", "de": "", "en": "Something quite other occurs here."}
        assert (await ada.post(f"{url}/card", data=good)).headers["location"].endswith(f"#card-{card}")
        page = (await ada.get(url)).text
        assert "1815–1825" in page
        assert "Something quite other" in page
        refused = await ada.post(f"{url}/card", data=good | {"date": "sometime"})
        assert refused.status_code == 422
        assert "has not been changed" in refused.text
        assert "sometime" not in (await ada.get(url)).text
        new = {"date": "1999", "en": "An entirely new thing appears."}
        assert (await ada.post(f"{url}/card", data=new)).status_code == 303
        assert "61 cards" in (await ada.get(url)).text
        again = await ada.post(f"{url}/card", data=new)
        assert "stands in the deck already" in again.text
        await ada.post(f"{url}/remove", data={"id": card})
        page = (await ada.get(url)).text
        assert "60 cards" in page
        assert "Something quite other" not in page
        whole = json.loads((await ada.get(f"{url}/export/json")).text)
        assert len(whole["cards"]) == 60
        assert "private" not in whole["about"]


async def test_a_maker_saves_a_deck_in_every_way(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada)
        page = (await ada.get(url)).text
        for path, way in zip(OUT, EXPORTS.values(), strict=True):
            assert f'href="{url}{path}">{way.label}</a>' in page
            answer = await ada.get(url + path)
            assert answer.headers["content-type"] in {way.media, f"{way.media}; charset=utf-8"}
            assert f'{url.rpartition("/")[2]}.{way.ending}"' in answer.headers["content-disposition"]
            assert answer.content
        assert (await ada.get(f"{url}/export/stone")).status_code == 404


async def test_a_newer_table_renews_the_deck(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as eve:
        url = await made(ada)
        name = url.rpartition("/")[2]
        newer = sixty().replace("1700;", "1650;") + "1999;An entirely new thing appears.\n"
        answer = await ada.post("/decks", data={"deck": name, "text": newer})
        assert answer.headers["location"] == url
        page = (await ada.get(url)).text
        assert "61 cards" in page
        assert "yours, private" in page
        assert (await eve.post("/decks", data={"deck": name, "text": newer})).status_code == 404
        assert (await ada.post("/decks", data={"deck": "events", "text": newer})).status_code == 422


async def test_a_deck_is_its_makers_until_it_is_shared(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as eve:
        url = await made(ada)
        name = url.rpartition("/")[2]
        link = re.search(r"/key#([\w-]{22})", (await ada.get(url)).text)[1]
        for path in ("", *OUT):
            assert (await eve.get(url + path)).status_code == 404
        assert (await eve.post(f"{url}/play")).status_code == 404
        assert name not in (await eve.get("/decks")).text
        table = (await eve.post("/tables", data={"game": "anno-domini"})).headers["location"]
        assert name not in (await eve.get(table)).text
        await eve.post(f"{table}/options", data={"deck": name, "cards_per_player": "9"})
        assert (await site.services.host.table(table.rpartition("/")[2])).setup.top["deck"] == "events"
        assert (await eve.post(f"{url}/key", data={"token": link[:-1] + "x"})).status_code == 403
        await ada.post(f"{url}/share")
        page = await eve.get(url)
        assert page.status_code == 200
        assert "happens to somebody" not in page.text  # no front, no back
        assert "1703" not in page.text
        for to in ("card", "remove", "unshare", "delete"):
            assert (await eve.post(f"{url}/{to}", data={"id": "x"})).status_code == 403
        assert [(await eve.get(url + path)).status_code for path in OUT] == [403] * len(OUT)
        assert name in (await eve.get(table)).text
        assert (await eve.post(f"{url}/key", data={"token": link})).status_code == 303
        assert "Something" in (await eve.get(url)).text
        assert (await eve.post(f"{url}/delete")).status_code == 303
        assert (await ada.get(url)).status_code == 404


async def test_backs_of_what_comes_along_are_the_hosts(tmp_path, capsys):
    (tmp_path / "secret").write_bytes(SECRET)
    put(tmp_path / "decks" / "rom.csv", deck_file())
    assert cli_decks.app(["link", "events", "--data", str(tmp_path)], result_action="return_value") == 0
    link = capsys.readouterr().out.strip()
    assert cli_decks.app(["link", "nowhere", "--data", str(tmp_path)], result_action="return_value") == 1
    async with served(tmp_path) as site, site.browser() as ada:
        assert "spieltisch deck link events" in (await ada.get("/decks/events")).text
        for name in ("events", "firsts", "rom"):
            page = (await ada.get(f"/decks/{name}")).text
            assert 'class="evcard' not in page
            for path in OUT:
                assert (await ada.get(f"/decks/{name}{path}")).status_code == 403
        address, _, key = link.partition("#")
        assert (await ada.get(address.removeprefix("http://localhost:8000"))).status_code == 200
        assert (await ada.post("/decks/events/key", data={"token": key})).status_code == 303
        assert (await ada.get("/decks/events?at=120")).text.count('class="evcard') == 60
        assert (await ada.post("/decks/events/card", data={"id": "x"})).status_code == 422
    for name in ("decktet", "hic", "nowhere", "a b"):
        async with served(tmp_path) as site, site.browser() as ada:
            assert (await ada.get(f"/decks/{name}")).status_code == 404


async def test_a_server_without_the_typesetter_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, "spieltisch.paper.pdf", raising=False)
    async with served(tmp_path) as site, site.browser() as ada:
        refused = await ada.get("/decks/hic/print/a4")
    assert refused.status_code == 422
    assert "pip install &#x27;spieltisch[print]&#x27;" in refused.text


async def test_on_paper_too_backs_are_the_makers(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as eve:
        url = await made(ada, sixty(9))
        paper = await ada.get(f"{url}/print/letter")
        assert paper.headers["content-type"] == "application/pdf"
        assert paper.content.startswith(b"%PDF-")
        assert (await eve.get(f"{url}/print/a4")).status_code == 404
        assert (await ada.get("/decks/events/print/a4")).status_code == 403
        assert (await eve.get("/decks/hic/print/a4")).content.startswith(b"%PDF-")  # nothing is hidden on its backs
        assert (await ada.get(f"{url}/print/a5")).status_code == 404


async def test_a_server_keeps_so_many_decks_and_looks_them_over_one_by_one(tmp_path):
    async with served(tmp_path, most_decks=2) as site, site.browser() as ada:
        text = sixty()
        first = await made(ada, text)
        await made(ada, text)
        answer = await ada.post("/decks", data={"title": "T", "text": text})
        assert answer.status_code == 422
        assert "keeps no more decks" in answer.text
        renewed = await ada.post("/decks", data={"title": "", "text": text, "deck": first.rpartition("/")[2]})
        assert renewed.status_code == 303  # a deck that is there may change


async def test_while_a_deck_is_looked_over_everybody_else_goes_on(tmp_path):
    """Ten thousand rows of the same few words, with tables in between that answer at once."""
    rows = "".join(f"{1000 + n % 1000};a{n % 7} b{n % 11} c{n % 13} d{n % 5} e{n % 3}\n" for n in range(10_000))
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        sheet = {"title": "T", "text": "date;event\n" + rows}
        loading = asyncio.create_task(ada.post("/decks", data=sheet, timeout=60))
        waits = []
        while not loading.done():
            begun = time.monotonic()
            assert (await ben.get("/health")).status_code == 200
            waits.append(time.monotonic() - begun)
            await asyncio.sleep(0.02)
        assert (await loading).status_code in {303, 422}
        assert sorted(waits)[len(waits) * 95 // 100] < 0.5
