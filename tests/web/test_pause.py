"""A pause: everybody sees it, and no player, bot or clock moves; then the game continues."""

import asyncio
import time

import pytest

from spieltisch.web.core.http.actions import encode
from spieltisch.web.core.presence import RELOAD
from web.site import code, playing, refused, served

pytestmark = pytest.mark.anyio


async def test_in_a_pause_nobody_moves_and_everybody_sees_why(tmp_path):
    later = 0.0
    async with (
        served(tmp_path, pause=lambda: 0.05, clock=lambda: time.time() + later) as site,
        site.browser() as ada,
        site.browser("de") as ben,
        site.browser() as eve,
    ):
        url, table = await playing(site, ada, ben, bots=1)
        move = {"question": str(table.question(0)), "action": encode(table.legal(0)[-1])}
        async with site.line(url, ben) as line, site.line(url, eve, screen=True) as screen, site.line(url, ada) as own:
            for one in (line, screen, own):
                await one.until(lambda m: "html" in m)
            assert own.page["turn"]
            assert (await ben.post(f"{url}/pause")).status_code == 403
            assert (await ada.post(f"{url}/pause")).status_code == 303
            assert (await line.until(lambda m: "html" in m))["say"] == "Das Spiel macht Pause."
            assert "The game is paused." in (await screen.until(lambda m: "html" in m))["html"]
            page = await own.until(lambda m: "html" in m)
            assert not page["turn"]
            assert move["action"].partition('"form"')[0] not in page["html"]
            # a move that is on its way is refused in words and changes nothing
            assert (await own.do("move", list(move.items())))["error"] == "The game is paused."
            assert refused((await ada.post(f"{url}/move", data=move)).text) == "The game is paused."
            async with site.program() as program:
                seen = (await program.get(url.replace("/t/", "/api/tables/"))).json()
                assert (seen["paused"], seen["to_act"]) == (True, [])
            # Ada is here, so she says when it goes on
            assert not (await line.do("resume", []))["ok"]
            assert (await ada.post(f"{url}/resume")).status_code == 303
            assert (await line.until(lambda m: "html" in m))["say"] == "Das Spiel geht weiter."
            page = await own.until(lambda m: "html" in m)
            assert page["turn"]
            assert (await own.do("move", list(move.items())))["ok"]
            await ada.post(f"{url}/pause")
            # the same answer once more is not a new one
            assert (await own.do("move", list(move.items())))["ok"]
        # Ada has gone in the pause: whoever sits here goes on
        async with asyncio.timeout(60):
            while not (await ben.post(f"{url}/resume")).is_redirect:  # the server hears soon that her page is closed
                later += RELOAD
        assert not table.setup.paused


async def test_bots_and_clocks_rest_in_a_pause(tmp_path):
    async with served(tmp_path, pause=lambda: 0.05) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben, bots=1)
        await ada.post(f"{url}/chairs", data={"seat": "0", "do": "bot"})
        await ben.post(f"{url}/chairs", data={"seat": "1", "do": "bot"})
        await ada.post(f"{url}/pause")
        seq = table.seq
        assert table.turns == ()
        await asyncio.sleep(0.2)
        assert (await site.services.host.table(code(url))).seq == seq
        await ada.post(f"{url}/resume")
        assert table.turns
        with site.services.host.hub.listen(table.id) as news:
            while table.seq == seq:
                await asyncio.wait_for(news.wait(), 60)


async def test_there_is_no_pause_where_there_is_no_game_for_several(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        assert refused((await ada.post(f"{url}/pause")).text) == "There is nothing to pause."
        url = (await ada.post("/tables", data={"game": "trailblaze"})).headers["location"]
        assert (await ada.post(f"{url}/pause")).status_code == 422
