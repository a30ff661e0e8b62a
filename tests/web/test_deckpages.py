"""Decks made in the browser: from a sheet to a game, mended in place, private until shared, backs for their maker."""

import asyncio
import io
import json
import re
import sys
import time
import zipfile
from html import unescape

import openpyxl
import pytest

from decks.workbooks import xlsx
from matrix import many
from spieltisch.cli import decks as cli_decks
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.files import put
from spieltisch.decks.library import shipped
from spieltisch.decks.table import read_table
from spieltisch.decks.text import Text
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
    fields = dict(re.findall(r'<input[^>]* name="(work|deck|title|cell-2-1)"[^>]* value="([^"]*)"', page))
    return {name: unescape(text) for name, text in fields.items()}


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
        assert "uses this deck" not in (await ada.get(url)).text
        assert (await ada.post(f"{table.headers['location']}/start")).status_code == 303
        assert "uses this deck" in (await ada.get(url)).text
        assert (await ben.get(url)).status_code == 404


async def test_a_card_in_another_language_says_so(tmp_path):
    german = {"accept-language": "de"}
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada)
        assert '<p class="serif"><span lang="en">Something' in (await ada.get(url, headers=german)).text
        table = (await ada.post(f"{url}/play")).headers["location"]
        assert "Karten auf: Englisch" in (await ada.get(table, headers=german)).text
        for _ in range(3):
            await ada.post(f"{table}/chairs", data={"do": "bot"})
        await ada.post(f"{table}/start")
        assert '<span lang="en">Something' in (await ada.get(table, headers=german)).text
        assert '<span lang="en">Something' not in (await ada.get(table, headers={"accept-language": "en"})).text


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
        assert "2 lines need attention" in page
        assert "Line 4" in page
        assert "Line 5" in page
        assert "Line 2" not in page
        assert "do not write years BC with a minus" in page
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
        (b"Datum;Ereignis\n1903;Gr\x81\xdfe", "not in UTF-8"),
        (b"event;event2\n1903;x\n", "no column for the date"),
        (b"\xd0\xcf\x11\xe0" + b"0" * 100, "old Excel file"),
        (bomb, "more than 64 MB"),
        (lambda: sixty(10_001).encode(), "more than 10000 lines"),
        (b"date;event\n" + b"1903;" + b"x" * 3000, "a cell has 3000 characters"),
    ],
    ids=["empty", "latin-1", "columns", "xls", "bomb", "rows", "cell"],
)
async def test_what_is_no_sheet_is_refused_in_words(tmp_path, content, words):
    async with served(tmp_path) as site, site.browser() as ada:
        content = content() if callable(content) else content  # not made while all test processes collect
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
        assert "begins like a formula" in answer.text
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
        assert "is already in the deck" in again.text
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
            assert re.search(rf'href="{url}{path}"[^>]*>{re.escape(way.label)}</a>', page)
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
        assert answer.status_code == 200
        assert "new: 1, changed: 1, unchanged: 59, not in the newer spreadsheet: 0" in answer.text
        assert "<del>1700</del> → <ins>1650</ins>" in answer.text
        assert "60 cards" in (await ada.get(url)).text  # nothing has been changed yet
        answer = await ada.post("/decks", data=sheet_of(answer.text) | {"do": "take-0-0-"})
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
        assert 'class="evcard' not in (await ada.get("/decks/rom")).text
        for name in ("events", "firsts", "rom"):
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
        assert "cannot store more decks" in answer.text
        renewed = await ada.post("/decks", data={"title": "", "text": text, "deck": first.rpartition("/")[2]})
        assert renewed.status_code == 200  # a deck that is there may change


async def test_the_list_has_pages_and_ones_own_decks_stand_first(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        library = site.services.host.library
        mine = (await made(ada)).rpartition("/")[2]
        shared = library.path(mine).read_text("utf-8").replace("#private\n", "")
        for n in range(130):
            put(library.folder / f"club-{n:03}.csv", shared)
        shown = [
            re.findall(r'href="/decks/([\w-]+)"', (await ada.get(f"/decks{at}")).text)
            for at in ("", "?at=60", "?at=120")
        ]
        assert shown[0][0] == mine
        assert [len(page) for page in shown[:2]] == [60, 60]
        found = [name for page in shown for name in page]
        assert len(found) == len(set(found)) >= 133
        first, last = [(await ada.get(f"/decks{at}")).text for at in ("", "?at=99999")]
        assert 'href="/decks?at=60">Next decks' in first
        assert "Previous decks" not in first
        assert 'href="/decks?at=60">Previous decks' in last
        assert mine not in (await ben.get("/decks")).text
        for nonsense in ("?at=-1", "?at=x", "?at=1e9"):
            assert (await ada.get(f"/decks{nonsense}")).status_code == 200


async def test_while_a_deck_is_looked_over_everybody_else_goes_on(tmp_path):
    """Thousands of rows of the same few words, with tables in between that answer at once."""
    rows = "".join(
        f"{1000 + n % 1000};a{n % 7} b{n % 11} c{n % 13} d{n % 5} e{n % 3}\n" for n in range(many(4_000, 10_000))
    )
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        sheet = {"title": "T", "text": "date;event\n" + rows}
        form = {name: (None, value) for name, value in sheet.items()}
        loading = asyncio.create_task(ada.post("/decks", files=form, timeout=60))
        waits, all_ = [], time.monotonic()
        while not loading.done():
            begun = time.monotonic()
            assert (await ben.get("/health")).status_code == 200
            waits.append(time.monotonic() - begun)
            await asyncio.sleep(0.02)
        assert (await loading).status_code in {303, 422}
        all_ = time.monotonic() - all_  # on a busy machine everything takes that much longer
        assert sorted(waits)[len(waits) * 95 // 100] < max(0.5, all_ / 4)


async def test_anybody_looks_through_the_fronts_of_what_comes_along_and_nothing_else(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        for name in ("events", "firsts"):
            table = read_table(shipped()[name].read_text("utf-8"), ())
            seen = []
            for at in range(0, len(table.rows), 60):
                page = unescape((await ada.get(f"/decks/{name}?at={at}")).text)
                seen += re.findall(r'<div class="evcard [\w-]*">\s*<p class="serif">(.*?)</p>\s*</div>', page)
                words = {*re.findall(r"\w+", page)}
                here = [row for row in table.rows if row["en"] in seen[at:]]
                for row in here:
                    for secret in (row["comment_en"], row["comment_de"], row["source"], row["de"]):
                        assert not secret or secret in row["en"] or secret not in page
                    assert row["id"].isalnum()
                    assert row["id"] not in words
            assert seen == [row["en"] for row in table.rows]
        part = (await ada.get("/decks/events?series=kunst")).text
        assert part.count('class="evcard') == 60
        assert "series=kunst" in part
        assert "series=nonsense" not in (await ada.get("/decks/events?series=nonsense")).text


async def test_what_was_typed_is_kept_whatever_happens(tmp_path):
    async with served(tmp_path, most_decks=1) as site, site.browser() as ada:
        text = "date;event\n-44;A general is stabbed.\n1903;Two fly.\n1903;Two fly.\n"
        page = await ada.post("/decks", data={"title": "Rome & more", "text": text})
        assert page.text.count("Leave this line out") == 2
        fields = sheet_of(page.text) | {"cell-2-1": "A general is stabbed in the senate."}
        page = await ada.post("/decks", data=fields | {"do": "out-4"})
        assert 'value="Rome &amp; more"' in page.text
        assert "1 line is left out" in page.text
        assert "A general is stabbed in the senate.</textarea>" in page.text
        url = await made(ada)  # so that the server keeps no more
        refused = await ada.post("/decks", data=sheet_of(page.text) | {"do": "all", "cell-2-1": "A general falls."})
        assert "cannot store more decks" in refused.text
        assert "What you have typed is still here." in refused.text
        fields = sheet_of(refused.text)
        assert fields["cell-2-1"] == "A general falls."
        (site.services.host.library.folder / f"{url.rpartition('/')[2]}.csv").unlink()
        page = await ada.post("/decks", data=fields | {"do": "look"})
        assert "A general falls.</textarea>" in page.text
        assert "1 line is left out" in page.text
        for nonsense in ("", "out-99999-x", "set-2-77-x", "set", "meant-3", "back-9", "-", "take", "replace"):
            page = await ada.post("/decks", data=fields | {"do": nonsense})
            assert page.status_code == 422
            assert "1 line is left out" in page.text
        broken = await ada.post("/decks", data=fields | {"work": "{}"})
        assert broken.status_code == 422


async def test_a_file_that_cannot_be_read_as_a_table_comes_back_as_text(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        broken = 'Datum;Ereignis\n1903;"Zwei Brüder\n1904;"Ein" Fest\n'.encode("cp1252")
        page = await ada.post("/decks", files={"file": ("Klasse 9.csv", broken)}, data={"title": "Brüder"})
        assert page.status_code == 422
        assert "quotation marks do not match" in page.text
        assert "Zwei Brüder\n1904;" in unescape(page.text)
        assert 'value="Brüder"' in page.text


async def test_the_name_of_the_file_stays_the_title(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        page = await ada.post("/decks", files={"file": ("Klasse 9b.csv", b"Datum;Ereignis\n-44;Ein Mord.\n")})
        url = (await ada.post("/decks", data=sheet_of(page.text) | {"do": "all"})).headers["location"]
        assert "<h1>Klasse 9b</h1>" in (await ada.get(url)).text


async def test_how_a_file_was_read_is_said_before_it_is_taken(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        sheet = (
            "Klasse 9b\n\nNr.;Datum;Ereignis\n1;1903;Zwei Brüder fliegen.\n2;1848/49;Man streitet über Grundrechte.\n"
        )
        page = await ada.post("/decks", files={"file": ("a.csv", sheet.encode("cp1252"))})
        assert page.status_code == 200
        for said in ("such as “Brüder”", "not used: “Klasse 9b”", "not used: the column “Nr.”", "Make the deck"):
            assert said in page.text
        assert (await ada.post("/decks", data=sheet_of(page.text) | {"do": "look"})).status_code == 303


async def test_what_is_asked_of_a_card_is_asked_when_it_is_changed_too(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada)
        card = {"date": "1000–1500", "en": "A plague comes and goes."}
        page = await ada.post(f"{url}/card", data=card)
        assert page.status_code == 422
        assert "501 years" in page.text
        assert (await ada.post(f"{url}/card", data=card | {"meant": "1"})).status_code == 303
        page = await ada.post(f"{url}/card", data=card | {"date": "12/17/1903", "en": "Two brothers fly."})
        assert 'name="set-date" value="1903"' in page.text
        fixed = card | {"date": "12/17/1903", "en": "Two brothers fly.", "set-date": "1903"}
        assert (await ada.post(f"{url}/card", data=fixed)).status_code == 303


async def test_a_maker_chooses_what_the_eras_are_called(tmp_path):
    text = sixty() + "44 v. Chr.;Another thing entirely.\n"
    async with served(tmp_path) as site, site.browser("de") as ada:
        url = await made(ada, text)
        assert "44\u00a0v.\u00a0Chr.</b>" in (await ada.get(f"{url}?at=60")).text
        assert (await ada.post(f"{url}/eras", data={"eras": "v. u. Z."})).status_code == 303
        assert "44\u00a0v.\u00a0u.\u00a0Z.</b>" in (await ada.get(f"{url}?at=60")).text
        deck = site.services.host.library.deck(url.rpartition("/")[2], kind_of("events"))
        assert deck.cards[-1].date == Text("44\u00a0v.\u00a0u.\u00a0Z.", "44\u00a0BCE")
        assert (await ada.post(f"{url}/eras", data={"eras": "a. Chr. n."})).status_code == 422
        await ada.post(f"{url}/eras", data={"eras": ""})
        deck = site.services.host.library.deck(url.rpartition("/")[2], kind_of("events"))
        assert deck.cards[-1].date == Text("44\u00a0v.\u00a0Chr.", "44\u00a0BC")


@pytest.mark.parametrize("lang", ["de", "en"])
async def test_a_template_is_filled_in_and_becomes_a_deck(tmp_path, lang):
    async with served(tmp_path) as site, site.browser(lang) as ada:
        for form in ("csv", "xlsx"):
            template = await ada.get(f"/decks/template/{form}")
            assert f'spieltisch.{form}"' in template.headers["content-disposition"]
            answer = await ada.post("/decks", files={"file": (f"a.{form}", template.content)})
            assert answer.status_code == 303, answer.text[-2000:]
        book = openpyxl.load_workbook(io.BytesIO(template.content))
        assert book.active["A2"].number_format == "@"  # text: no days are made of what is typed
        assert book.active.column_dimensions["A"].width == 16
        assert (await ada.get("/decks/template/doc")).status_code == 404


def form_of(page, card):
    """What the form of a card sends, as it stands on the page."""
    head = rf'<form[^>]*/card">\s*<input type="hidden" name="id" value="{card}">'
    form = re.search(rf"{head}.*?</form>", page, re.DOTALL)[0]
    fields = re.findall(r'<input[^>]*\sname="([^"]+)"[^>]*\svalue="([^"]*)"', form)
    fields += re.findall(r'<textarea[^>]*\sname="([^"]+)"[^>]*>\n(.*?)</textarea>', form, re.DOTALL)
    return {name: unescape(text) for name, text in fields}


async def test_two_people_who_change_one_card_are_both_told(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await made(ada)
        ben.cookies.update(ada.cookies)
        page = (await ada.get(url)).text
        card = re.search(r'name="id"\s+value="(\w+)"', page)[1]
        before = form_of(page, card)
        assert (await ada.post(f"{url}/card", data=before | {"en": "Ada changes this text."})).status_code == 303
        late = await ben.post(f"{url}/card", data=before | {"en": "Ben changes it, too."})
        assert late.status_code == 422
        assert "has since been changed" in late.text
        assert all(text in late.text for text in ("Ada changes this text.", "Ben changes it, too."))
        assert "Ben changes it" not in (await ada.get(url)).text
        again = form_of(late.text, card)
        assert (await ben.post(f"{url}/card", data=again)).status_code == 303
        for browser in (ada, ben):
            page = (await browser.get(url)).text
            assert "Two people have changed this card" in page
            assert all(text in page for text in ("Ada changes this text.", "Ben changes it, too."))
        assert "Ada changes" not in (await ada.get(f"{url}/export/csv")).text
        await ada.post(f"{url}/settle", data={"id": card})
        page = (await ben.get(url)).text
        assert "Two people have changed" not in page
        assert "Ada changes" not in page


async def test_a_change_of_which_nobody_knows_what_was_seen_is_told_with_both_texts(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada)
        card = re.search(r'name="id"\s+value="(\w+)"', (await ada.get(url)).text)[1]
        for text in ("The first one changes it.", "The second one changes it."):
            assert (await ada.post(f"{url}/card", data={"id": card, "date": "1969", "en": text})).status_code == 303
        page = (await ada.get(url)).text
        assert "Before, it said" in page
        assert "The first one changes it." in page
        text = re.search(r'<form[^>]*/card">\s*<input type="hidden" name="id"[^>]*>\s*<input[^>]*name="seen"[^>]*>'
                         r'\s*<input type="hidden" name="settle".*?</form>', page, re.DOTALL)[0]  # fmt: skip
        back = {name: unescape(said) for name, said in re.findall(r'name="([^"]+)"\s+value="([^"]*)"', text)}
        assert (await ada.post(f"{url}/card", data=back)).status_code == 303
        page = (await ada.get(url)).text
        assert "The first one changes it." in page
        assert "The second one" not in page


async def test_a_card_that_was_taken_out_does_not_come_back(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada)
        page = (await ada.get(url)).text
        card = re.search(r'name="id"\s+value="(\w+)"', page)[1]
        await ada.post(f"{url}/remove", data={"id": card})
        late = await ada.post(f"{url}/card", data=form_of(page, card) | {"en": "Back from the dead."})
        assert late.status_code == 422
        assert "has since been removed" in late.text
        assert "Back from the dead." in late.text  # what was typed is not lost
        assert "59 cards" in (await ada.get(url)).text
        other = re.search(r'name="id"\s+value="(\w+)"', (await ada.get(url)).text)[1]
        old = form_of((await ada.get(url)).text, other)
        await ada.post(f"{url}/card", data=old | {"en": "It has just been changed."})
        late = await ada.post(f"{url}/remove", data={"id": other, "seen": old["seen"]})
        assert late.status_code == 422
        assert "It has just been changed." in late.text
        assert "59 cards" in (await ada.get(url)).text


async def test_the_key_is_shown_open_once_when_a_deck_is_made(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada)
        key = f"{url}/key#{site.services.deck_keys.key(url.rpartition('/')[2])}"
        page = (await ada.get(url)).text
        assert "Keep this address" in page
        assert page.count(key) > page.count(f'href="{key}"')
        assert "Keep this address" not in (await ada.get(url)).text


async def test_a_deck_is_renamed(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await made(ada)
        answer = await ada.post(f"{url}/title", data={"title_de": "Rom und so", "title_en": ""})
        assert answer.status_code == 303
        page = (await ada.get(url)).text
        assert "<h1>Rom und so</h1>" in page
        assert "Rome &amp; more" not in page
        assert (await ada.post(f"{url}/title", data={"title_de": " ", "title_en": ""})).status_code == 422


async def test_everybody_in_the_waiting_room_sees_which_deck_is_played(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await made(ada)
        table = (await ada.post(f"{url}/play")).headers["location"]
        for browser in (ada, ben):
            assert "On the table: the deck “Rome &amp; more”" in (await browser.get(table)).text


async def test_a_column_that_is_not_used_is_shown_before_a_deck_is_made(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        text = "Jahr;Wo;Ereignis\n1903;Kitty Hawk;Zwei Brüder fliegen.\n1969;Mond;Zwei hüpfen.\n"
        page = await ada.post("/decks", data={"title": "T", "text": text})
        assert (page.status_code, "not used: the column “Wo”" in page.text) == (200, True)
        assert not site.services.host.library.own()
        assert (await ada.post("/decks", data=sheet_of(page.text) | {"do": "look"})).status_code == 303


# -- firsts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["de", "en"])
async def test_a_template_for_firsts_becomes_a_deck(tmp_path, lang):
    async with served(tmp_path) as site, site.browser(lang) as ada:
        assert 'href="/decks/template/firsts-xlsx"' in (await ada.get("/decks")).text
        for form in ("csv", "xlsx"):
            template = await ada.get(f"/decks/template/firsts-{form}")
            assert f'spieltisch-firsts.{form}"' in template.headers["content-disposition"]
            sheet = {"file": (f"a.{form}", template.content)}
            answer = await ada.post("/decks", data={"kind": "firsts"}, files=sheet)
            assert answer.status_code == 303, answer.text[-2000:]
            cards = site.services.host.library.deck(
                answer.headers["location"].rpartition("/")[2], kind_of("firsts")
            ).cards
            assert [(card.year, card.field) for card in cards] == [(1903, "physics"), (1963, "space"), (None, "space")]


FIRSTS = (
    "Jahr;Wer;Deutsch;Land\n1903;Marie Curie;Erste Frau mit Nobelpreis;Frankreich\nJoker;;Erste Frau auf dem Mond;\n"
)


async def test_a_sheet_is_switched_to_firsts_and_each_missing_column_filled_in(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada:
        first = {"text": (None, FIRSTS), "kind": (None, "events"), "title": (None, "F")}
        answer = await ada.post("/decks", files=first)
        assert answer.status_code == 422
        assert "Das sind Premieren" in answer.text
        work = unescape(re.search(r'name="work" value="([^"]*)"', answer.text)[1])
        sent = {"work": (None, work), "title": (None, "F")}
        page = (await ada.post("/decks", files=sent | {"do": (None, "kind-0-0-firsts")})).text
        assert "Das sind Ereignisse" in page
        entry = re.compile(
            r'<label class="field">\s*([^<]*?)\s*<(?:textarea|input)\sclass="[^"]*"\sname="cell-3-(\d+)"'
        )
        places = dict(entry.findall(page))
        missing = ("Quelle", "Joker zuletzt geprüft")
        assert {*missing} <= {*places}
        work = unescape(re.search(r'name="work" value="([^"]*)"', page)[1])
        told = {2: ("Nobel", ""), 3: ("NASA", "2026-01-31")}
        cells = {
            f"cell-{line}-{places[name]}": (None, text)
            for line, texts in told.items()
            for name, text in zip(missing, texts, strict=True)
        }
        sent = {"work": (None, work), "title": (None, "F"), "do": (None, "look")}
        done = await ada.post("/decks", files=sent | cells)
        assert done.status_code == 303, done.text[-3000:]
        cards = site.services.host.library.deck(done.headers["location"].rpartition("/")[2], kind_of("firsts")).cards
        assert [(card.year, card.front["en"], card.source, card.checked) for card in cards] == [
            (1903, "Erste Frau mit Nobelpreis", "Nobel", ""),
            (None, "Erste Frau auf dem Mond", "NASA", "2026-01-31"),
        ]


async def test_cards_without_dates_are_mended_exported_printed_and_played(tmp_path, toys, monkeypatch):
    monkeypatch.setenv("SPIELTISCH_GAMES", str(toys["bazaar"].folder.parent))  # for processes of the server
    text = "Deutsch,Stand,Preis,Bemerkung,Farbe\nEine Tasse von 1900,Ton,drei,schön,rot\n"
    text += "Ein Topf,Ton,8,,\nEin Rad,,5,,\nEin Hut,,9,,\n"
    async with served(tmp_path) as site, site.browser("de") as ada:
        page = (await ada.get("/decks")).text
        assert "für Waren (CSV)" in page
        assert "A lamp" in (await ada.get("/decks/template/wares-csv")).text
        page = (await ada.post("/decks", data={"title": "Markt", "text": text})).text
        assert "der Preis ist keine Zahl" in page
        assert re.search(r'id="kind">\s*Waren', page)
        assert "Wie man Daten schreibt" not in page
        assert "Ton · 8" in page
        assert 'class="num">?' not in page
        again = {"work": sheet_of(page)["work"], "title": "Markt", "do": "look", "cell-2-2": "3"}
        answer = await ada.post("/decks", data=again)
        assert answer.status_code == 303, answer.text
        url = answer.headers["location"]
        page = (await ada.get(url)).text
        assert "Markttag" in page
        assert 'value="Ton"' in page
        assert f"{url}/lab" not in page
        found = {one: (await ada.get(f"{url}/export/{one}")).status_code for one in EXPORTS}
        offered = {one for one in EXPORTS if f"{url}/export/{one}" in page}
        assert offered == {one for one, status in found.items() if status == 200} == {"excel", "csv", "json"}
        assert (await ada.get(f"{url}/print/a4")).content.startswith(b"%PDF-")
        twice = await ada.post(f"{url}/card", data={"de": "Ein Rad", "price": "5"})
        assert twice.status_code == 422
        assert url.rpartition("/")[2] not in (await ada.get("/sure")).text
        table = (await ada.post(f"{url}/play")).headers["location"]
        await ada.post(f"{table}/start")
        played = await site.services.host.table(table.rpartition("/")[2])
        assert played.setup.stage == "playing"
        assert {one.front["de"] for one in played.deck.cards} >= {"Eine Tasse von 1900", "Ein Hut"}
