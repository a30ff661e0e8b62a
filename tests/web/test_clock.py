"""The time to answer on the page: one's own deadline by the server's clock, and what comes when it is up."""

import re

import msgspec
import pytest

from spieltisch.dice import FastDice
from spieltisch.web.core.http.actions import encode
from web.site import form, playing, served

pytestmark = pytest.mark.anyio
RING = re.compile(r'data-until="([\d.]+)"\s+data-of="(\d+)"')


async def test_everybody_sees_the_time_of_who_is_asked(tmp_path):
    async with (
        served(tmp_path, pause=lambda: 60.0) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
    ):
        url, table = await playing(site, ada, ben)
        assert not RING.search((await ada.get(url)).text)  # a turn of one's own has no clock by default
        async with site.line(url, ada) as own, site.line(url, ben) as other, site.line(url, eve) as screen:
            assert (await own.do("move", [["question", "1"], ["action", encode(table.legal(0)[0])]]))["ok"]
            page = await other.until(lambda m: m.get("seq") == 2)
            until, of = map(float, RING.search(page["html"]).groups())
            assert of == 15
            assert 10 < until - page["now"] <= 15
            assert 'class="btn go big ringbtn"' in page["html"]
            for line in (own, screen):  # the ring runs for all, but it is said aloud, and on the button, for Ben alone
                page = await line.until(lambda m: m.get("seq") == 2)
                assert tuple(map(float, RING.search(page["html"]).groups())) == (until, of)
                assert "now" in page
                assert "seconds left" not in page["html"]
                assert "ringbtn" not in page["html"]
            assert "seconds left" in other.page["html"]
            # who needs more time takes it: at once, and for good
            times = form((await ben.get(url)).text, "/chairs")
            assert times is not None
            assert (await other.do("chairs", [["seat", "1"], ["do", "patience"], ["patience", "5.0"]]))["ok"]
            while RING.search(other.page["html"])[2] != "75":
                await other.receive()
            assert (await other.do("chairs", [["seat", "1"], ["do", "patience"], ["patience", "0.0"]]))["ok"]
            while RING.search(other.page["html"]):
                await other.receive()
            assert table.turns == ()
            # whoever opened the table may give more time, never take it away
            for less in ("1", "20"):
                refused = await own.do("chairs", [["seat", "1"], ["do", "patience"], ["patience", less]])
                assert refused["error"] == "Only Ben can shorten this time."
            for wrong in ("99", "0.0001", "-1", "0.99", "nan", "inf"):
                assert not (await own.do("chairs", [["seat", "1"], ["do", "patience"], ["patience", wrong]]))["ok"]


@pytest.mark.parametrize("game", ["anno-domini", "trailblaze", "hic-haec-hoc"])
async def test_while_a_reveal_is_shown_no_time_runs(tmp_path, game):
    async with (
        served(tmp_path, clock=lambda: 1000.0) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
    ):
        url, table = await playing(site, ada, ben, game=game)
        host, dice = site.services.host, FastDice(1)
        await host.change(
            table.id, lambda setup: msgspec.structs.replace(setup, turn_seconds=30.0, answer_seconds=30.0)
        )
        while True:
            seat, legal = table.to_act[0], table.legal(table.to_act[0])
            loud = [action for action in legal if type(action).__name__ in {"Doubt", "Contest"}]
            await host.answer(table.id, seat, table.question(seat), dice.choice(loud or legal))
            html = (await eve.get(url)).text
            staged = re.search(r'data-staged="(\d+)"\s+data-since="1000.0"\s+data-ends="(\d+)"', html)
            (at,) = {turn.at for turn in table.turns}
            if staged and int(staged[1]) == table.seq:
                break
            assert at == 1030
        assert at == 1030 + int(staged[2]) / 1000
        assert int(staged[2]) > 1000


async def test_when_the_time_is_up_the_server_accepts(tmp_path):
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as ada, site.browser("de") as ben:
        url, table = await playing(site, ada, ben)
        await site.services.host.change(table.id, lambda setup: msgspec.structs.replace(setup, answer_seconds=0.2))
        async with site.line(url, ada) as own, site.line(url, ben) as other:
            assert (await own.do("move", [["question", "1"], ["action", encode(table.legal(0)[0])]]))["ok"]
            page = await other.until(lambda m: m.get("seq") == 3)
            assert "Die Zeit von Ben ist um." in page["say"]
            assert (table.news[-1].by, table.to_act) == ("clock", (1,))
            late = [["question", "2"], ["action", '{"type":"Contest"}']]
            assert (await other.do("move", late))["error"]
            assert table.seq == 3


async def test_a_limit_for_a_turn_counts_for_one_person_and_bots_an_answer_takes_its_time(tmp_path):
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as ada:
        answer = await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})
        url = answer.headers["location"]
        for _ in range(2):
            await ada.post(f"{url}/chairs", data={"do": "bot"})
        await ada.post(f"{url}/options", data={"turn_seconds": "20"})
        await ada.post(f"{url}/start")
        table = await site.services.host.table(url.rpartition("/")[2])
        assert RING.search((await ada.get(url)).text)[2] == "20"
        assert [(turn.seat, turn.by, turn.seconds) for turn in table.turns] == [(0, "clock", 20.0)]
        await site.services.host.change(table.id, lambda setup: msgspec.structs.replace(setup, turn_seconds=None))
        assert table.turns == ()
        # what bots say is waited for without a limit
        await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
        while 0 not in table.to_act:
            seat = table.to_act[0]
            await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[0])
        assert not [turn for turn in table.turns if turn.by == "clock"]
