"""Hints in steps: there is a move, which card to win, what to pay; by form, by socket, for programs."""

import re
import threading

import pytest

from spieltisch.web.core.view import hints
from spieltisch.web.table import playing
from web.site import code, form, served

pytestmark = pytest.mark.anyio
TICKED = re.compile(r'<input [^>]*name="(target|payment)"[^>]* checked>')


def ticked(html):
    return TICKED.findall(html)


async def patient(ask):
    """The answer as people get it: they ask again until it is ready."""
    for _ in range(6):  # each time the server itself waits a while, too
        answer = await ask()
        if "This is still being worked out." not in answer.text:
            return answer
    raise AssertionError("no hint")


async def test_each_step_tells_more(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        page, told = (await ada.get(url)).text, []
        assert ticked(page) == []
        for step in (1, 2, 3, 3):
            asked = {one["name"]: one["value"] for one in form(page, "/hint")["controls"] if one.get("name")}
            assert asked["step"] == str(step)
            answer = await patient(lambda: ada.post(f"{url}/hint", data=asked))  # noqa: B023 - at once
            page = (await ada.get(answer.headers["location"])).text
            told.append(re.search(r'id="hinted">.*?<span>(.*?)</span>', page)[1])
            names = ticked(page)
            assert names.count("target") == (step > 1)
            assert bool(names.count("payment")) == (step > 2)
        assert told[0].startswith("There is a move: ")
        assert told[1].startswith("I would win: ")
        assert told[2] == told[3]
        assert told[2].split(" with ")[0] == told[1].split(". ")[0]  # the same advice at every step
        for wrong in ("0", "4"):
            assert (await ada.post(f"{url}/hint", data=asked | {"step": wrong})).status_code == 422


async def test_the_same_position_gets_the_same_hint_and_the_game_is_marked(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        table, told = await site.services.host.table(code(url)), []
        for _ in range(2):
            question = table.question(0)
            asked = {"question": str(question), "step": "3"}
            assert (await patient(lambda: ada.post(f"{url}/hint", data=asked))).is_redirect  # noqa: B023 - at once
            page = (await ada.get(f"{url}?hint={question}&step=3")).text
            told.append(re.search(r'id="hinted">.*?<span>(.*?)</span>', page)[1])
            assert table.helped
            await site.services.host.answer(table.id, 0, question, table.legal(0)[0])
            await site.services.host.undo(table.id, 0, table.question(0))
        assert told[0] == told[1]


async def test_by_socket_it_is_said_too_and_goes_with_the_next_move(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.program() as program:
        url = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        async with site.line(url, ada) as line:
            await line.until(lambda m: "parts" in m)
            question = line.page["seq"]
            assert (await patient(lambda: ada.post(f"{url}/hint", data={"question": question, "step": 2}))).is_redirect
            answer = await line.do("hint", [["question", str(question)], ["step", "2"]])
            assert answer["ok"]
            assert line.page["say"].startswith("I would win: ")
            assert 'id="hinted"' in line.page["html"]
            table = await site.services.host.table(code(url))
            await site.services.host.answer(table.id, 0, question, table.legal(0)[0])
            await line.until(lambda m: m.get("seq") == question + 1)
            assert 'id="hinted"' not in line.page["html"]
        opened = (await program.post("/api/play", json={"game": "adaman", "deal": "7"})).json()
        headers = {"authorization": f"Bearer {opened['token']}"}
        seen = (await program.get(f"/api/tables/{opened['table']}", headers=headers)).json()
        took = await program.post(
            f"/api/tables/{opened['table']}/hint", json={"question": seen["question"]}, headers=headers
        )
        assert took.json()["hint"] in seen["legal"]  # all of it at once


async def test_a_bot_that_never_ends_its_hint_is_given_up(tmp_path, monkeypatch):
    ends = threading.Event()
    monkeypatch.setattr(playing, "LONGEST_THOUGHT", 0.1)
    monkeypatch.setattr(hints, "bots_choice", lambda *_: ends.wait())
    async with served(tmp_path) as site, site.browser() as ada:
        monkeypatch.setattr(site.services.analysis, "advise", nothing)
        url = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        table = await site.services.host.table(code(url))
        refused = await ada.post(f"{url}/hint", data={"question": str(table.question(0)), "step": "3"})
        ends.set()
        assert refused.status_code == 422
        assert "This is still being worked out." in refused.text


async def nothing(*_given):
    """Stands in for an analysis without advice."""
    return
