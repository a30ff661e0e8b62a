"""Cards that are wrong: said after a reveal, kept for the host without a name, looked at, done with."""

import asyncio
import html
import re
import sqlite3
from contextlib import closing

import pytest

from spieltisch.cli.app import app
from spieltisch.decks import inbox as inboxes
from spieltisch.decks.files import Files, put
from spieltisch.decks.inbox import Inbox, Report
from web.site import served
from web.test_deckchoice import sheet

pytestmark = pytest.mark.anyio
GAME = "anno-domini"


async def revealed(ada, deck="rom"):
    """The page of a table after its first reveal: bots play, and Ada doubts when she can."""
    url = (await ada.post("/tables", data={"game": GAME, "name": "Ada"})).headers["location"]
    await ada.post(
        f"{url}/options", data={"deck": deck, "cards_per_player": "5"}
    )  # so that the game goes on after the first doubt
    await ada.post(f"{url}/chairs", data={"do": "bot"})
    await ada.post(f"{url}/start")
    for _ in range(60):
        seen = (await ada.get(url, headers={"accept": "application/json"})).json()
        if seen["view"]["public"]["revealed"]:
            return url, (await ada.get(url)).text
        legal = seen["legal"]
        if not legal:
            seq = seen["seq"]
            await ada.get(f"{url}?after={seq}", headers={"accept": "application/json"})
            continue
        doubt = next((one for one in legal if one["type"] == "Doubt"), legal[0])
        await ada.post(f"{url}/move", json={"question": seen["question"], "action": doubt})
    raise AssertionError("nothing was revealed")


async def test_the_inbox_counts_and_keeps_what_was_said(tmp_path):
    inbox = Inbox(tmp_path, Files())
    assert inbox.all() == []
    assert not await inbox.done(1)
    await inbox.put("rom", "c1", "", 1.0)
    await inbox.put("rom", "c2", "  it was\n 1492 ", 2.0)
    await inbox.put("rom", "c2", "x" * 300, 3.0)
    second, first = inbox.all()
    assert second == Report(2, "rom", "c2", 2, 2.0, 3.0, ("x" * 200, "it was 1492"))
    assert first.times == 1
    for n in range(30):
        await inbox.put("rom", "c1", f"no. {n}", 4.0 + n)
    assert len(inbox.all()[0].words) == 20
    assert inbox.all()[0].words[0] == "no. 29"
    assert await inbox.done(2)
    assert not await inbox.done(2)
    assert [one.card for one in inbox.all()] == ["c1"]
    await inbox.put("rom", "c2", "", 50.0)
    assert inbox.all()[1].times == 1  # anew
    assert inbox.all()[1].words == ()


async def test_what_is_said_is_kept_of_some_cards_only(tmp_path, monkeypatch):
    monkeypatch.setattr(inboxes, "_ALL_WORDS", 3)
    inbox = Inbox(tmp_path, Files())
    for n in range(4):
        await inbox.put("rom", f"c{n}", f"no. {n}", float(n))
    assert {one.card: one.words for one in inbox.all()} == {
        "c0": (), "c1": ("no. 1",), "c2": ("no. 2",), "c3": ("no. 3",),
    }  # fmt: skip


async def test_of_many_who_report_at_once_each_is_counted(tmp_path):
    inboxes_ = [Inbox(tmp_path, Files()) for _ in range(4)]
    await asyncio.gather(*(inboxes_[n % 4].put("rom", "c1", f"no. {n}", float(n)) for n in range(12)))
    assert [(one.times, len(one.words)) for one in inboxes_[0].all()] == [(12, 12)]


async def test_reports_of_a_former_version_go_on(tmp_path):
    with closing(sqlite3.connect(tmp_path / "reports.sqlite")) as db:
        db.execute("create table report (id integer primary key, deck, card, times, first, last)")
        db.execute("create table words (report, at, said)")
        db.execute("insert into report values (7, 'rom', 'c1', 3, 1.0, 5.0)")
        db.executemany("insert into words values (7, ?, ?)", [(1.0, "older"), (5.0, "newer")])
        db.commit()
    for _ in range(2):  # the second time there is nothing to do
        inboxes.take_over(tmp_path)
    inbox = Inbox(tmp_path, Files())
    assert inbox.all() == [Report(7, "rom", "c1", 3, 1.0, 5.0, ("newer", "older"))]
    assert [path.name for path in tmp_path.iterdir()] == ["reports.json"]
    await inbox.put("rom", "c2", "", 6.0)
    assert inbox.all()[1].id == 8


async def test_a_revealed_card_is_reported_and_the_host_finds_it(tmp_path):
    put(tmp_path / "decks" / "rom.csv", sheet(30))
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as host:
        url, page = await revealed(ada)
        front = html.unescape(re.search(r'name="card"\s+value="([^"]+)"', page)[1])
        form = {"card": front, "words": "<b>1492</b>"}
        answer = await ada.post(f"{url}/report", data=form)
        assert re.search(r'role="status"\s+id="noted">Thank you', answer.text)  # and not as a refusal
        assert answer.text.count("Thank you") == 1 + page.count("Thank you")
        answer = await ada.post(f"{url}/report", data=form, headers={"accept": "application/json"})
        assert answer.status_code == 200
        for wrong in ({"card": "No such card"}, {"card": front, "words": "x" * 201}, {}):
            refused = await ada.post(f"{url}/report", data=wrong, headers={"accept": "application/json"})
            assert refused.status_code in {400, 422}
        (one,) = site.services.inbox.all()
        assert (one.deck, one.times, one.words) == ("rom", 2, ("<b>1492</b>", "<b>1492</b>"))

        shut = await host.get("/host")
        assert front not in shut.text
        assert (await host.post("/host", data={"token": "wrong"})).status_code == 403
        assert (await host.post("/host/done", data={"report": one.id})).status_code == 403
        assert (await host.get("/decks/rom")).text.count("evcard") == 0
        await host.post("/host", data={"token": "#" + site.services.deck_keys.host_key()})
        page = (await host.get("/host")).text
        assert "reported 2 times" in page
        assert front in html.unescape(page)
        assert "&lt;b&gt;1492" in page
        assert "Running games use these decks: rom" in page
        link = html.unescape(re.search(r'href="(/decks/rom\?at=[^"]+)"', page)[1])
        assert f'id="{link.partition("#")[2]}"' in (await host.get(link.partition("#")[0])).text
        assert "Reported cards" in (await host.get("/decks")).text
        assert "Reported cards" not in (await ada.get("/decks")).text
        await host.post("/host/done", data={"report": one.id})
        assert "Nothing has been reported." in (await host.get("/host")).text


async def test_a_card_that_was_mended_meanwhile_is_not_there_any_more(tmp_path):
    put(tmp_path / "decks" / "rom.csv", sheet(30))
    async with served(tmp_path) as site, site.browser() as ada:
        url, page = await revealed(ada)
        front = html.unescape(re.search(r'name="card"\s+value="([^"]+)"', page)[1])
        await ada.post(f"{url}/report", data={"card": front})
        put(tmp_path / "decks" / "rom.csv", sheet(30).replace("Event ", "Occurrence ").replace("c1,", "d1,"))
        assert "fixed" in (await ada.post(f"{url}/report", data={"card": front})).text
        (tmp_path / "decks" / "rom.csv").unlink()
        assert "fixed" in (await ada.post(f"{url}/report", data={"card": front})).text
        ada.cookies.set("spieltisch_host", site.services.deck_keys.host_key())
        assert "This card is no longer in the deck." in (await ada.get("/host")).text


async def test_reports_are_rare(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada:
        url, page = await revealed(ada, "events")
        front = html.unescape(re.search(r'name="card"\s+value="([^"]+)"', page)[1])
        codes = [(await ada.post(f"{url}/report", data={"card": front})).status_code for _ in range(14)]
        assert codes[:10] == [200] * 10
        assert 429 in codes[10:]
        assert site.services.inbox.all()[0].times == codes.count(200)


def test_the_command_lists_and_ends_reports(tmp_path, capsys):
    put(tmp_path / "decks" / "rom.csv", sheet(30))
    inbox = Inbox(tmp_path / "decks", Files())
    asyncio.run(inbox.put("rom", "c3", "off by\x1b[31m a year", 1.0))
    asyncio.run(inbox.put("events", "e0001", "", 1.0))

    def run(*words):
        with pytest.raises(SystemExit) as left:
            app(["deck", "reports", "--data", str(tmp_path), "--language", "de", *words])
        return left.value.code, capsys.readouterr()

    code, told = run()
    assert code == 0
    assert "1: rom c3 · 1× · 1970-01-01" in told.out
    assert "1703: Ereignis aad" in told.out
    assert "Q205747/launched" in told.out  # of a shipped card its source and its fact
    assert "\x1b" not in told.out
    code, told = run("--done", "1", "--done", "7")
    assert code == 1
    assert "eine Meldung 7 gibt es nicht" in told.err
    assert "rom" not in told.out
    assert run("--done", "2")[1].out == "Nichts ist gemeldet.\n"
