"""Decks that were made in the browser go when nobody has used them for long; others stay."""

import pytest

from spieltisch.decks.uses import DAY
from web.site import served
from web.test_heavy import SHEET

pytestmark = pytest.mark.anyio


async def made(client):
    answer = await client.post("/decks", files={"text": (None, SHEET), "title": (None, "Mine")})
    return answer.headers["location"]


async def test_a_deck_that_nobody_uses_goes_after_its_days(tmp_path):
    now = [20_000.0 * DAY]
    async with served(tmp_path, clock=lambda: now[0]) as site, site.browser() as ada, site.browser() as ben:
        forgotten, opened, played, running = [await made(ada) for _ in range(4)]
        by_hand = tmp_path / "decks" / "by-hand.csv"
        by_hand.write_text((tmp_path / forgotten[1:]).with_suffix(".csv").read_text("utf-8"), "utf-8")
        for one in (played, running):
            await ada.post(f"{one}/share")
        table = (await ben.post(f"{running}/play")).headers["location"]
        for do in ("bot", "bot", "bot"):
            await ben.post(f"{table}/chairs", data={"do": do})
        await ben.post(f"{table}/start")
        now[0] += 25 * DAY
        assert "deleted after" in (await ada.get(opened)).text
        await ben.post(f"{played}/play")
        now[0] += 10 * DAY
        await site.services.forget_decks()
        assert (await ada.get(forgotten)).status_code == 404
        for one in (opened, played, running):
            assert (await ada.get(one)).status_code == 200, one
        assert by_hand.is_file()


async def test_an_address_makes_so_many_decks_and_no_more(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada:
        site.services.limits._clock = lambda: 0.0
        site.services.limits.charge("kept", "127.0.0.1", 199)
        assert (await ada.post("/decks", files={"text": (None, SHEET)})).status_code == 303
        assert (await ada.post("/decks", files={"text": (None, SHEET)})).status_code == 429
