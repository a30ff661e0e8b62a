"""Decks made in the browser go after long disuse; others stay."""

import pytest

from clock import Clock
from spieltisch.classroom.classrooms import TAUGHT
from spieltisch.decks.uses import DAY
from web.site import served
from web.test_heavy import SHEET

pytestmark = pytest.mark.anyio


async def made(client):
    answer = await client.post("/decks", files={"text": (None, SHEET), "title": (None, "Mine")})
    return answer.headers["location"]


async def test_a_deck_that_nobody_uses_goes_after_its_days(tmp_path):
    clock = Clock(20_000.0 * DAY)
    async with served(tmp_path, clock=clock) as site, site.browser() as ada, site.browser() as ben:
        forgotten, opened, played, running = [await made(ada) for _ in range(4)]
        by_hand = tmp_path / "decks" / "by-hand.csv"
        by_hand.write_text((tmp_path / forgotten[1:]).with_suffix(".csv").read_text("utf-8"), "utf-8")
        for one in (played, running):
            await ada.post(f"{one}/share")
        table = (await ben.post(f"{running}/play")).headers["location"]
        for do in ("bot", "bot", "bot"):
            await ben.post(f"{table}/chairs", data={"do": do})
        await ben.post(f"{table}/start")
        clock.time += 25 * DAY
        assert "deleted after" in (await ada.get(opened)).text
        await ben.post(f"{played}/play")
        clock.time += 10 * DAY
        await site.services.forget_decks()
        assert (await ada.get(forgotten)).status_code == 404
        for one in (opened, played, running):
            assert (await ada.get(one)).status_code == 200, one
        assert by_hand.is_file()


async def test_a_played_deck_is_kept_as_long_as_a_taught_class(tmp_path):
    clock = Clock(20_000.0 * DAY)
    async with served(tmp_path, clock=clock) as site, site.browser() as ada:
        deck = await made(ada)
        table = (await ada.post(f"{deck}/play")).headers["location"]
        for _ in range(3):
            await ada.post(f"{table}/chairs", data={"do": "bot"})
        await ada.post(f"{table}/start")
        await ada.post(f"{table}/delete")
        for later, status in ((TAUGHT - 1, 200), (2, 404)):
            clock.time += later * DAY
            await site.services.forget_decks()
            assert (await ada.get(f"{deck}/export/csv")).status_code == status


async def test_a_deck_in_the_plan_of_a_class_is_kept_for_it(tmp_path):
    clock = Clock(20_000.0 * DAY)
    async with served(tmp_path, clock=clock) as site, site.browser() as ada:
        deck = await made(ada)
        name = deck.rpartition("/")[2]
        await ada.post(f"{deck}/share")
        clock.time += 25 * DAY
        plan = {"game": "anno-domini", "size": "4", "minutes": "30", "anno-domini:deck": name, "strips": "0"}
        room = await ada.post("/class/new", data=plan)
        assert room.status_code == 303
        for _ in range(3):
            clock.time += 25 * DAY
            await site.services.forget_decks()
            assert (tmp_path / "decks" / f"{name}.csv").is_file()
            assert (await ada.get(room.headers["location"])).status_code == 200
        clock.time += 40 * DAY
        await site.services.forget_decks()
        assert not (tmp_path / "decks" / f"{name}.csv").exists()


async def test_a_deck_is_shown_though_its_use_cannot_be_noted(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.browser() as ada:
        deck = await made(ada)
        (tmp_path / "decks" / "uses.json").unlink()
        (tmp_path / "decks" / "uses.json").mkdir()
        assert (await ada.post(f"{deck}/play")).status_code == 303


async def test_an_address_makes_so_many_decks_and_no_more(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada, site.browser() as host:
        site.services.limits._clock = lambda: 0.0
        site.services.limits.charge("decks", "127.0.0.1", 199)
        assert (await ada.post("/decks", files={"text": (None, SHEET)})).status_code == 303
        refused = await ada.post("/decks", files={"text": (None, SHEET)})
        assert refused.status_code == 429
        assert "Try again tomorrow" in refused.text
        assert SHEET.splitlines()[-1].split(";")[0] in refused.text
        await host.post("/host", data={"token": site.services.deck_keys.host_key()})
        assert (await host.post("/decks", files={"text": (None, SHEET)})).status_code == 303
