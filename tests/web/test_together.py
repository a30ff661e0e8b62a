"""Looking back together: one leads, all see the same moment, and what somebody tries is marked as a fork."""

import asyncio
import contextlib
import json
import re
from html import unescape

import pytest
import websockets

from clock import Clock
from spieltisch.dice import FastDice
from spieltisch.game import see
from spieltisch.web.core.http.actions import encode
from spieltisch.web.core.presence import REQUEST
from web.site import finished, playing, served

pytestmark = pytest.mark.anyio
GAMES = ["anno-domini", "hic-haec-hoc", "trailblaze"]


async def over(site, ada, ben, *, game="hic-haec-hoc"):
    """A game that Ada opened and that is over: its address, its table, all its moments."""
    url, table = await playing(site, ada, ben, game=game)
    await finished(site, table, FastDice(game))
    return url, table, await site.services.host.replay(table.id)


class Page:
    """What a page of the look back has heard."""

    def __init__(self, ws):
        self._ws = ws

    async def hear(self):
        async with asyncio.timeout(30):
            return json.loads(await self._ws.recv())

    async def until(self, *words):
        while True:
            message = await self.hear()
            text = unescape(message.get("html") or message["goto"])
            if all(word in text for word in words):
                return text


@contextlib.asynccontextmanager
async def following(site, url, client, *, screen="", lang="en"):
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    address = f"{site.origin}{url}/together/live".replace("http", "ws")
    async with websockets.connect(address, additional_headers={"cookie": cookies}, origin=site.origin) as ws:
        await ws.send(json.dumps({"lang": lang, "screen": screen}))
        yield Page(ws)


async def do(client, url, what, **more):
    """Do it, as a form does; the status."""
    return (await client.post(f"{url}/together", data={"do": what, **more})).status_code


def said(html):
    """The step that a page shows."""
    return re.search(r'(?s)id="said".*?<b class="num"[^>]*>([^<]*)</b>', html)[1]


async def test_all_pages_show_the_moment_that_the_leader_chose(tmp_path):
    async with (
        served(tmp_path) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
    ):
        url, _, replay = await over(site, ada, ben)
        assert (await ben.get(f"{url}/together")).headers["location"] == url  # nobody looks back yet
        async with site.line(url, ben) as phone, site.line(url, eve, screen=True) as screen:
            assert await do(ada, url, "begin") == 303
            assert (await phone.until(lambda m: "goto" in m))["goto"] == f"{url}/together"
            assert (await screen.until(lambda m: "goto" in m))["goto"] == f"{url}/together/screen"
        n = len(replay)
        async with (
            following(site, url, ada) as hers,
            following(site, url, ben, lang="de") as his,
            following(site, url, eve, screen="big") as all_,
        ):
            for step in (2, n // 2, n):
                assert await do(ada, url, "step", step=str(step)) == 303
                await hers.until(f"Step {step} of {n}", 'id="end"')
                assert 'name="step"' not in await his.until(f"Schritt {step} von {n}", "Ada führt durch den Rückblick.")
                html = await all_.until(f"Step {step} of {n}", "Ada leads the look back.")
                assert not re.search("<(a|button|input|form)[ >]", re.sub('<form id="move".*?</form>', "", html))
            # what the page itself shows is the same, and one of a newcomer
            assert said((await eve.get(f"{url}/together")).text) == f"Step {n} of {n}"
            assert await do(ada, url, "end") == 303
            for page, to in ((hers, url), (his, url), (all_, f"{url}/screen")):
                assert await page.until(to) == to


async def test_only_the_leader_steps_and_others_take_over_when_they_have_gone(tmp_path):
    clock = Clock()
    async with (
        served(tmp_path, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
    ):
        url, table, replay = await over(site, ada, ben)
        await ada.get(url)
        assert await do(ben, url, "begin") == 403  # Ada is here
        assert await do(eve, url, "begin") == 403
        assert await do(ben, url, "step", step="2") == 409  # nobody looks back
        assert await do(ada, url, "begin") == 303
        assert 'href="' + url + '/together"' in (await ben.get(url)).text
        for who, what in ((ben, "step"), (eve, "step"), (ben, "end"), (ben, "lead"), (eve, "whatif"), (eve, "eyes")):
            assert await do(who, url, what, step="2") == 403, what
        for wrong in ("0", str(len(replay) + 1), "x", "-1", ""):
            assert await do(ada, url, "step", step=wrong) == 422
        assert await do(ada, url, "dance") == 422
        assert table.setup.look.step == 1
        clock.time += REQUEST + 1
        assert 'id="takelead"' in (await ben.get(f"{url}/together")).text
        assert await do(eve, url, "lead") == 403
        assert await do(ben, url, "lead") == 303
        assert await do(ben, url, "step", step="3") == 303
        assert table.setup.look.step == 3
        assert await do(ada, url, "step", step="4") == 403
        # the next game ends it for all
        assert (await ben.post(f"{url}/rematch")).status_code == 303
        assert (await ada.get(f"{url}/together")).headers["location"] == url


@pytest.mark.parametrize("game", GAMES)
async def test_a_fork_is_another_game_from_that_moment(tmp_path, game):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben, site.browser() as eve:
        url, table, replay = await over(site, ada, ben, game=game)
        before, log = len(replay), await site.services.host.store.log(table.id)
        await do(ada, url, "begin")
        step = max(2, before // 3)
        await do(ada, url, "step", step=str(step))
        then = [see(replay.at(step).state, seat) for seat in (None, 0, 1)]
        assert await do(ben, url, "whatif") == 303
        dice = FastDice(5)
        for tried in range(4):
            now = replay.what_if(step, table.setup.look.tried)
            assert len(table.setup.look.tried) == tried
            if not now.to_act:
                break
            seat = now.to_act[0]
            action = dice.choice(now.legal(seat))
            who = (ada, ben)[tried % 2]
            page = (await who.get(f"{url}/together")).text
            assert ("Was wäre, wenn?" if who is ben else "What if?") in page
            assert 'form="move"' in page
            assert f'action="{url}/together/move"' in page
            seen = (await eve.get(f"{url}/together")).text
            assert "This did not happen." in seen
            assert 'form="move"' not in seen  # who has no seat looks on
            assert "What if?" in (await eve.get(f"{url}/together/screen")).text
            fields = {"question": str(now.question(seat)), "action": encode(action)}
            assert (await eve.post(f"{url}/together/move", data=fields)).status_code == 403
            assert (await who.post(f"{url}/together/move", data=fields)).status_code == 303
            assert not re.search(">(You|Du)<", page)  # everybody sees it
            saved = re.search('href="([^"]*/record)"', page)[1]
            assert (await who.get(saved)).status_code == 200
            # the same once more is an answer to another question
            assert (await who.post(f"{url}/together/move", data=fields)).status_code in {409, 422}
        made = len(table.setup.look.tried)
        assert made
        await do(ben, url, "undo")
        assert len(table.setup.look.tried) == made - 1
        await do(ada, url, "back")
        assert table.setup.look.tried is None
        assert "What if?</b>" not in (await ben.get(f"{url}/together")).text
        assert [see(replay.at(step).state, seat) for seat in (None, 0, 1)] == then
        # the game itself is as it was
        assert await site.services.host.store.log(table.id) == log
        assert (len(await site.services.host.replay(table.id)), table.result is not None) == (before, True)


async def test_what_was_played_tried_again_comes_to_the_same(tmp_path):
    """Chance decides in a fork as it did in the game."""
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        _, table, replay = await over(site, ada, ben, game="anno-domini")
        actions = [json.loads(encode(entry.action)) for entry in replay.entries[1:]]
        first = [replay.entries[step].seat == replay.at(step).to_act[0] for step in range(1, len(replay))]
        n = first.index(False) if False in first else len(first)
        assert n > 5
        for step in (1, 3):
            again = replay.what_if(step, actions[step - 1 : n])
            assert again.view(None) == replay.at(n + 1).view(None)
            assert [again.view(seat) for seat in (0, 1)] == [replay.at(n + 1).view(seat) for seat in (0, 1)]
        assert table.result is not None


async def test_a_move_against_the_rules_is_refused_in_words(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.program() as program:
        url, table, replay = await over(site, ada, ben, game="anno-domini")
        await do(ada, url, "begin")
        await do(ada, url, "step", step="2")
        await do(ada, url, "whatif")
        now = replay.what_if(2, ())
        program.cookies = ada.cookies
        wrong = {"question": str(now.question(now.to_act[0])), "action": '{"type":"Place","card":9999,"position":0}'}
        answer = await program.post(f"{url}/together/move", data=wrong, headers={"origin": site.origin})
        assert answer.status_code == 422
        assert answer.json()["detail"]
        assert table.setup.look.tried == ()


async def test_there_is_nothing_to_look_back_at_before_the_end(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben)
        assert await do(ada, url, "begin") == 422
        assert table.setup.look is None
        assert 'id="together"' not in (await ada.get(url)).text
