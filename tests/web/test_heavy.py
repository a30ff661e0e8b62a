"""Work on decks runs beside the server, in turn, and its seconds count against the caller."""

import asyncio
import time

import pytest

from spieltisch.bounded import Worker
from spieltisch.decks import library, selection
from spieltisch.decks.importing import sheets
from spieltisch.decks.library import Answer, Library, shipped
from spieltisch.table.store import sqlite
from spieltisch.web.core.http import queues
from spieltisch.web.core.http.problems import Busy
from spieltisch.web.core.http.queues import OneAtATime
from web.site import playing, refused, served
from web.test_class_seats import browsers
from web.test_classes import lesson

pytestmark = pytest.mark.anyio

SHEET = "date,de,en\n" + "".join(f"{1000 + n},Ereignis {n},Event {n}\n" for n in range(60))


@pytest.fixture
def reads_nothing(monkeypatch):
    """Whatever reads a deck in the server's own process fails."""

    def read(*_given, **_more):
        raise AssertionError("a deck is read in the server's process")

    for module, names in {
        library: ("_table", "_read", "_entry"), sheets: ("read_file", "read_sheet", "decoded"), selection: ("filters",),
    }.items():  # fmt: skip
        for name in names:
            monkeypatch.setattr(module, name, read)
    monkeypatch.setattr("spieltisch.decks.check.read_file", read)
    monkeypatch.setattr("spieltisch.decks.check.for_play", read)


async def test_pages_of_decks_are_made_by_a_worker(tmp_path, reads_nothing):
    async with served(tmp_path, beside=True) as site, site.browser() as ada:
        made = await ada.post("/decks", files={"text": (None, SHEET), "title": (None, "Mine")})
        assert made.status_code == 303, refused(made.text)
        mine = made.headers["location"]
        for page in ("/", "/decks", "/decks/events", "/decks/firsts?at=60", "/credits", "/class/new", mine):
            assert (await ada.get(page)).status_code == 200, page
        for form in ("csv", "anki", "json"):
            assert (await ada.get(f"{mine}/export/{form}")).status_code == 200
        for to, fields in {
            "eras": {"eras": "v. u. Z."},
            "share": {},
            "card": {"date": "1999", "de": "A", "en": "B"},
        }.items():
            answer = await ada.post(f"{mine}/{to}", data={**fields, "meant": "1"})
            assert answer.status_code == 303, refused(answer.text)
        assert "Event 59" in (await ada.get(mine)).text
        table = (await ada.post(f"{mine}/play")).headers["location"]
        assert (await ada.get(table)).status_code == 200
        answer = await ada.post("/decks", files={"file": ("t.csv", b"a" * 20_000 + b"\x80\n")})
        assert answer.status_code == 422
        assert "a" * 1000 in answer.text  # what was sent is there to be mended


async def test_games_and_lessons_are_begun_with_a_worker(tmp_path, reads_nothing):
    async with served(tmp_path, beside=True) as site, site.browser() as ada, site.browser() as ben:
        url = (await ada.post("/tables", data={"game": "anno-domini"})).headers["location"]
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)
            assert (await line.do("options", [["series", "welt"], ["filter-level", "1"]]))["ok"]
        assert (await ada.post(f"{url}/chairs", data={"do": "bot"})).status_code == 303
        assert (await ada.post(f"{url}/start")).status_code == 303
        assert (await site.services.host.table(url.rpartition("/")[2])).seq
        await playing(site, ada, ben, game="trailblaze")
        async with browsers(site, 4) as pupils:
            room = await lesson(site, ada, pupils, game="anno-domini")
            assert (await ada.get(f"{room}/report")).status_code == 200
            assert (await ada.get(f"{room}/edit")).status_code == 200


async def test_a_table_opens_however_long_the_worker_takes(tmp_path, monkeypatch):
    """A process that starts while others use the machine needs longer than any move may wait for the database."""
    do = Worker.do

    async def slowly(*given, **more):
        await asyncio.sleep(2.5)
        return await do(*given, **more)

    monkeypatch.setattr(Worker, "do", slowly)
    async with served(tmp_path, beside=True) as site, site.browser() as ada:
        answer = await ada.post("/play", data={"game": "anno-domini"})
        assert answer.status_code == 303, refused(answer.text)
        assert (await site.services.host.table(answer.headers["location"].rpartition("/")[2])).seq


async def test_a_table_opens_on_a_slow_disk(tmp_path, monkeypatch):
    """Four writes, one after the other, on a disk that takes a second for each while others use it."""
    commit = sqlite._commit

    def slowly(*given):
        time.sleep(1.3)
        return commit(*given)

    async with served(tmp_path) as site, site.browser() as ada:
        monkeypatch.setattr(sqlite, "_commit", slowly)
        answer = await ada.post("/play", data={"game": "adaman"})
        assert answer.status_code == 303, refused(answer.text)


async def test_a_print_is_made_in_a_process_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr("spieltisch.paper.pdf.typeset", None)
    async with served(tmp_path) as site, site.browser() as ada:
        made = await ada.get("/decks/hic/print/a4")
        assert made.content.startswith(b"%PDF")


async def test_answers_are_kept_while_the_file_is_the_same(tmp_path):
    asked = []

    async def reader(_folder, questions, *, slow):
        asked.extend(one.question for one in questions)
        return [Answer(one.question(plain, one.names, *one.given), size=1) for one in questions]

    plain = Library(tmp_path)
    own = Library(tmp_path, reader=reader)  # ty: ignore[invalid-argument-type]
    (tmp_path / "mine.csv").write_text(shipped()["events"].read_text("utf-8"), "utf-8")
    for _ in range(3):
        found = await own.reading(lambda: selection.selection(own, "events", ("mine",)))
    assert len(asked) == 1
    (tmp_path / "mine.csv").write_text(shipped()["events"].read_text("utf-8") + "\n", "utf-8")
    again = await own.reading(lambda: selection.selection(own, "events", ("mine",)))
    assert (len(asked), again) == (2, found)


async def test_kept_answers_have_a_bound_in_bytes(tmp_path, monkeypatch):
    async def reader(_folder, questions, *, slow):
        return [Answer(one.given[0], size=10) for one in questions]

    monkeypatch.setattr(library, "KEPT", 100)
    own = Library(tmp_path, reader=reader)  # ty: ignore[invalid-argument-type]
    for n in range(50):
        assert await own.answer(selection.selection, ("events",), n) == n
    assert own._size == 100
    assert len(own._kept) == 10


async def test_whoever_waits_too_long_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(queues, "PATIENCE", 0.05)
    turns = OneAtATime(at_once=1, waiting=3)
    async with turns.turn("a"):
        with pytest.raises(Busy):
            async with turns.turn("b"):
                pass
    async with turns.turn("b"):
        pass
    assert not turns._lines._locks


async def test_an_address_pays_for_the_seconds_it_uses(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada:
        limits = site.services.limits
        limits._clock = lambda: 0.0
        before = limits._left_now("work", "127.0.0.1")[0]
        assert (await ada.post("/decks", files={"text": (None, SHEET)})).status_code == 303
        assert limits._left_now("work", "127.0.0.1")[0] < before - 0.02
        limits.charge("work", "127.0.0.1", 1_000.0)
        assert (await ada.post("/decks", files={"text": (None, SHEET)})).status_code == 429


async def test_one_address_has_one_thing_done_at_a_time():
    turns, here, most = OneAtATime(at_once=5, waiting=9), 0, 0

    async def one():
        nonlocal here, most
        async with turns.turn("a"):
            here += 1
            most = max(most, here)
            await asyncio.sleep(0.01)
            here -= 1

    await asyncio.gather(*(one() for _ in range(5)))
    assert most == 1
