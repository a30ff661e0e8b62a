"""Looking back at a game played alone: what is said of it, when, and the retry."""

import asyncio
import re

import pytest

from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.games.adaman import review
from spieltisch.table.analysis import UNKNOWN, AnalysisService
from web.site import code, finished, served

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]  # the first of them all compiles the kernels


async def answered(browser, url, **more):
    """The page, as soon as it is worked out."""
    while (answer := await browser.get(url, **more)).status_code == 202:
        pass
    return answer


async def lost(site, browser):
    """A deal that can be won, lost by random play; its address, and what the analysis says of the moves."""
    url = (await browser.post("/play", data={"game": "adaman", "deal": "1"})).headers["location"]
    table, dice = await site.services.host.table(code(url)), FastDice(1)
    while table.result is None:
        await site.services.host.answer(table.id, 0, table.question(0), dice.choice(table.legal(0)))
    looks = (await answered(browser, f"{url}/review", headers={"accept": "application/json"})).json()["thoughts"]
    assert looks[0]["winnable"] is True
    assert looks[-1]["winnable"] is False
    return url, table, looks


def test_adaman_alone_has_an_analysis():
    assert [name for name, package in games.packages().items() if package.analysis.available] == ["adaman"]


async def test_who_still_waits_when_the_server_stops_is_told_that_nothing_is_known(monkeypatch):
    analysis, package = AnalysisService(), games.package("adaman")

    async def think(*_given):
        await asyncio.Event().wait()

    monkeypatch.setattr(analysis._process, "do", think)
    asking = asyncio.create_task(analysis.label(package, {}, 12))
    gone = asyncio.create_task(analysis.label(package, {}, 12))
    await asyncio.sleep(0)
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    analysis.close()
    assert await asking is UNKNOWN


async def test_the_last_chance_and_a_retry_from_there(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        url, table, looks = await lost(site, ada)
        last = max(i for i, look in enumerate(looks) if look["winnable"])
        page, seite = (await answered(ada, f"{url}/review")).text, (await answered(ben, f"{url}/review")).text
        assert f"You could still have won until move {last + 1}." in page
        assert f"Bis zum {last + 1}. Zug war es noch zu gewinnen." in seite
        cost = [look["best_chance"] - look["chance"] for look in looks]
        worst = cost.index(max(cost))
        assert cost[worst] > review.CLEAR
        assert f"Move {worst + 1} was the turning point." in page  # it begins there
        assert f"Zug {worst + 1} war der Wendepunkt." in seite
        rows = re.findall(r'id="move-(\d+)" href="\?move=(\d+)".*?<b>(.*?)</b>', page, re.DOTALL)
        assert [(int(n), int(move)) for n, move, _ in rows] == [(n + 1, n + 1) for n in range(len(looks))]
        told = (await ada.get(f"{url}/replay?step={last + 2}")).text  # after the move, with its words
        assert rows[last][2] in re.search(r'(?s)id="said".*?</p>', told)[0]
        after = [*(look["winnable"] for look in looks[1:]), False]
        for n, can in enumerate(after, 1):
            one = (await ada.get(f"{url}/review?move={n}")).text
            assert f"<h2>Move {n}" in one
            assert (f"Move {n} was the turning point." in one) == (n == worst + 1)
            if n == last + 1:
                assert "Until then you could still have won" in one
            else:
                assert ('class="tag ok">could be won' in one) == can
            assert re.search(rf'aria-current="true">\s*<b class="no num" aria-hidden="true">{n}</b>', one)
        for wrong in ("0", "x", str(len(looks) + 1), "1e3"):
            answer = await ada.get(f"{url}/review?move={wrong}")
            assert answer.status_code == 422
            assert f"Choose one from 1 to {len(looks)}" in answer.text
        assert "proven winnable" in page
        assert 'id="retry"' in page
        assert 'id="retry"' not in seite  # who only looks on takes nothing back
        assert "/review" in (await ada.get(url)).text
        assert 'id="same"' in (await ada.get(url)).text
        assert 'id="same"' not in (await ben.get(url)).text
        for step in ("0", "x", str(len(looks) + 1), ""):
            assert (await ada.post(f"{url}/retry", data={"step": step})).status_code == 422
        assert (await ben.post(f"{url}/retry", data={"step": "1"})).status_code == 403
        step = re.search(r'name="step"\s+value="(\d+)"', page)[1]
        assert int(step) == worst + 1
        step = str(last + 1)
        assert (await ada.post(f"{url}/retry", data={"step": step})).status_code == 303
        assert table.result is None
        assert table.helped
        assert len(table.view(0).public.deck.cards) == 36
        entries = [entry for entry in looks[:last] if "control" in entry["action"]]
        public = table.view(0).public
        won = {public.deck.cards[card].id for card in public.personalities + public.resources + public.discarded}
        assert {entry["action"]["control"] for entry in entries} <= won
        assert (await ada.get(f"{url}/review")).status_code == 422  # it runs again: nothing of it is told


async def test_nothing_is_taken_back_at_a_table_of_several(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "hic-haec-hoc"})).headers["location"]
        assert (await ada.post(f"{url}/retry", data={"step": "1"})).status_code == 422  # not over yet
        table = await site.services.host.table(code(url))
        await finished(site, table, FastDice(1))
        answer = await ada.post(f"{url}/retry", data={"step": "1"})
        assert answer.status_code == 422
        assert "only when you play alone" in answer.text
