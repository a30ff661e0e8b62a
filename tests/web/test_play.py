"""Whole games by forms alone, by socket, by JSON. Refusals say why and lose nothing."""

import asyncio
import random
import re

import pytest

from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.web.core.http.actions import encode
from web.site import fields as fill
from web.site import finished, form, forms, refused, served

pytestmark = pytest.mark.anyio
GAMES = sorted(games.packages())
LONGEST = 3000  # requests of one game


async def opened(site, browser, game, to="/play"):
    answer = await browser.post(to, data={"game": game})
    assert answer.status_code == 303, answer.text[-2000:]
    return answer.headers["location"].removeprefix(site.services.base)


async def rest(site, url):
    """Wait until it is a person's turn or the game is over."""
    table = await site.services.host.table(url.rpartition("/")[2])
    async with asyncio.timeout(60):
        while table.result is None and not any(  # noqa: ASYNC110 - as a person looks
            table.setup.chairs[seat].kind == "person" for seat in table.to_act
        ):
            await asyncio.sleep(0.001)
    return table


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_game_by_forms_without_javascript(game, tmp_path):
    dice = random.Random(game)
    async with served(tmp_path) as site, site.browser() as browser:
        url = await opened(site, browser, game)
        refusals = row = 0
        for _ in range(LONGEST):
            table = await rest(site, url)
            if table.result is not None:
                break
            page = (await browser.get(url)).text
            sent = fill(form(page, "/move"), dice)
            if row > 2:  # enough guessing: what a button of the page might have said
                sent = [("question", str(table.question(0))), ("action", encode(dice.choice(table.legal(0))))]
            answer = await browser.post(f"{url}/move", data=_several(sent))
            assert answer.status_code in {200, 303, 409, 422}, answer.text[-500:]
            if answer.status_code != 303:
                assert 'id="noted"' in answer.text if answer.status_code == 200 else refused(answer.text)
                refusals += 1
                row += 1
            else:
                row = 0
        else:
            pytest.fail(f"not over after {LONGEST} moves")
        assert table.result is not None
        assert refusals < LONGEST
        page = (await browser.get(url)).text
        assert any(one["action"].endswith("/rematch") for one in forms(page))
        record = await browser.get(f"{url}/record")
        if games.package(game).record is not None:
            assert record.status_code == 200
            assert record.json()["game"] == game


def _several(pairs):
    found = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_game_by_socket(game, tmp_path):
    dice = random.Random(game)
    async with served(tmp_path) as site, site.browser() as browser:
        url = await opened(site, browser, game)
        table = await rest(site, url)
        async with site.line(url, browser) as line:
            await line.until(lambda m: "html" in m)
            for _ in range(LONGEST):
                table = await rest(site, url)
                if table.result is not None:
                    break
                action = dice.choice(table.legal(0))
                answer = await line.do("move", [["question", str(table.question(0))], ["action", encode(action)]])
                assert answer["ok"], answer
            assert table.result is not None
            if line.page["seq"] < table.seq:
                await line.until(lambda m: m.get("seq") == table.seq)
        assert line.page["title"]


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"adaman"}))
async def test_the_end_names_all_places(game, tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        url = await opened(site, browser, game)
        table = await site.services.host.table(url.rpartition("/")[2])
        await finished(site, table, FastDice(2))
        page = (await browser.get(url)).text
        rows = re.search(r'<ol class="places">(.*?)</ol>', page, re.DOTALL)[1].split("<li")[1:]
        order = [seat for place in table.result.ranking for seat in place]
        assert len(rows) == len(order) == len(table.setup.chairs)
        for seat, row in zip(order, rows, strict=True):
            assert ("You" if seat == 0 else table.setup.chairs[seat].name) in row
            if table.result.scores is not None:
                assert re.search(rf">{table.result.scores[seat]} points?<", row)
