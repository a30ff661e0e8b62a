"""The time to answer on the page: one's own deadline by the server's clock, and what comes when it is up."""

import re

import msgspec
import pytest

from spieltisch.web.http.actions import encode
from web.site import form, playing, served

pytestmark = pytest.mark.anyio
RING = re.compile(r'data-until="([\d.]+)" data-of="(\d+)"')


async def test_a_page_has_its_own_deadline_and_nobody_elses(tmp_path):
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
            for line in (own, screen):
                page = await line.until(lambda m: m.get("seq") == 2)
                assert not RING.search(page["html"])
                assert "now" not in page
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
            assert not (await own.do("chairs", [["seat", "1"], ["do", "patience"], ["patience", "99"]]))["ok"]


async def test_when_the_time_is_up_the_server_accepts(tmp_path):
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as ada, site.browser("de") as ben:
        url, table = await playing(site, ada, ben)
        await site.services.host.change(table.id, lambda setup: msgspec.structs.replace(setup, answer_seconds=0.2))
        async with site.line(url, ada) as own, site.line(url, ben) as other:
            assert (await own.do("move", [["question", "1"], ["action", encode(table.legal(0)[0])]]))["ok"]
            page = await other.until(lambda m: m.get("seq") == 3)
            assert "Ben: Die Zeit war um." in page["say"]
            assert (table.news[-1].by, table.to_act) == ("clock", (1,))
            late = [["question", "2"], ["action", '{"type":"Contest"}']]
            assert (await other.do("move", late))["error"]
            assert table.seq == 3
