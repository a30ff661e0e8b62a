"""Sockets by both ways: uvicorn's own parts with the versions we know, ASGI alone with any others."""

import asyncio
import contextlib
import json
import re
from pathlib import Path

import pytest
import websockets
from websockets.frames import Frame

from clock import Clock
from spieltisch.web import wire
from spieltisch.web.core.http.connections import Connections
from spieltisch.web.core.presence import RELOAD
from spieltisch.web.wire import line as lines
from web.site import quick_only, served
from web.test_live import GAME, move, stop, two_at_a_table

pytestmark = pytest.mark.anyio
LOCKED = Path(__file__).parents[2] / "requirements" / "base.txt"


@pytest.fixture(autouse=True)
def _with_the_toy(toys):
    assert GAME in toys


@pytest.fixture(params=["quick", "plain"])
def way(request, monkeypatch):
    monkeypatch.setenv("SPIELTISCH_WIRE", request.param)
    assert wire.is_quick() == (request.param == "quick")
    return request.param


def test_the_versions_we_know_are_those_that_are_locked():
    locked = dict(re.findall(r"(?m)^([\w-]+)==([\w.]+)", LOCKED.read_text()))
    assert {name: locked[name] for name in wire.KNOWN} == wire.KNOWN


def test_other_versions_are_served_the_plain_way(monkeypatch):
    monkeypatch.setattr(wire, "version", lambda name: "99.0" if name == "uvicorn" else wire.KNOWN[name])
    assert not wire.is_quick()
    assert wire.options((), Connections(10), asyncio.Event())["http"] == "h11"


async def test_a_move_reaches_both_pages_and_its_sender_an_answer(way, tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ada) as hers, site.line(url, ben) as his:
            for one in (hers, his):
                await one.until(lambda m: "html" in m)
            table = await site.services.host.table(url.rpartition("/")[2])
            asked = (hers, his)[table.to_act[0]]
            other = (his, hers)[table.to_act[0]]
            assert (await asked.do("move", move(table, table.to_act[0])))["ok"]
            assert (await other.until(lambda m: m.get("seq", 0) >= 2))["seq"] == 2


async def test_an_address_is_there_as_long_as_its_page_is_open(way, tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await two_at_a_table(site, ada, ben)
        here = site.services.shares._sockets
        assert not here
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)
            assert here == {"127.0.0.1": 1}
        async with asyncio.timeout(60):
            while here:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_many_pings_are_answered_in_order(way, tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await two_at_a_table(site, ada, ben)
        async with site.line(url, ada) as line:
            for n in range(1, 201):
                await line.ws.send(json.dumps({"ping": n}))
            heard = []
            await line.until(lambda m: "pong" in m and (heard.append(m["pong"]) or len(heard) == 200))
            assert heard == list(range(1, 201))


async def test_too_large_a_message_closes_the_line(way, tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await two_at_a_table(site, ada, ben)
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)
            await line.ws.send("x" * (wire.MESSAGE + 1))
            with pytest.raises(websockets.ConnectionClosed):
                await line.until(lambda m: False)
            assert line.ws.close_code == 1009


async def test_a_page_that_goes_is_missed_and_its_work_is_done(way, tmp_path):
    clock = Clock()
    async with served(tmp_path, clock=clock) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        table = await site.services.host.table(url.rpartition("/")[2])
        seat = table.to_act[0]
        async with site.line(url, (ada, ben)[seat]) as line:
            await line.until(lambda m: "html" in m)
            await line.ws.send(json.dumps({"id": 1, "to": "move", "fields": move(table, seat)}))
        async with asyncio.timeout(60):
            while site.services.metrics.sockets or site.services.host.memory.known(table.id).seq < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        clock.time += RELOAD + 1
        assert site.services.presence.attendance(table.setup).absent


async def test_pages_are_told_when_to_come_back_when_the_server_stops(way, tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await two_at_a_table(site, ada, ben)
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)
            stop(site, [*site.services.host.hub._watchers[url.rpartition("/")[2]]])
            with pytest.raises(websockets.ConnectionClosed):
                await line.until(lambda m: False)
            assert line.ws.close_code == lines.CLOSING
            assert 0.0 <= float(line.ws.close_reason) <= lines.SPREAD


@quick_only
@pytest.mark.parametrize("early", [True, False], ids=["before the page is accepted", "after"])
async def test_thousands_of_frames_at_once_are_not_read_at_once(early, tmp_path, monkeypatch):
    """A page that sends far too much is closed; what came with it would hold everybody up."""
    read, parse = [], Frame.parse.__func__

    def counted(cls, *args, **more):
        read.append(1)
        return parse(cls, *args, **more)

    monkeypatch.setattr(Frame, "parse", classmethod(counted))
    ping = b"\x89\x80" + bytes(4)  # with a mask of zeros
    async with served(tmp_path, limits=True) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await two_at_a_table(site, ada, ben)
        cookies = "; ".join(f"{name}={value}" for name, value in ada.cookies.items())
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        head = (
            f"GET {url}/live HTTP/1.1", f"Host: 127.0.0.1:{site.port}", f"Origin: {site.origin}", f"Cookie: {cookies}",
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
        )  # fmt: skip
        writer.write("\r\n".join(head).encode())
        if not early:
            assert b"101" in await reader.readline()
        writer.write(20_000 * ping)
        with contextlib.suppress(ConnectionError):
            while await reader.read(65536):
                pass
        writer.close()
    assert len(read) < 100
