"""Connections that take too much: heads without end, silence, too many at once."""

import asyncio

import httpx
import pytest

from spieltisch.web.wire import requests
from web.site import quick_only, served

pytestmark = [pytest.mark.anyio, quick_only]


async def said(site, *chunks, reply=True):
    """What the server answers to these bytes, sent as fast as it takes them; b"" if it hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    try:
        for chunk in chunks:
            writer.write(chunk)
            await asyncio.wait_for(writer.drain(), 60)
        return await asyncio.wait_for(reader.read(), 60)
    except ConnectionError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize(
    "endless",
    [
        [b"GET / HTTP/1.1\r\nhost: x\r\n", *[b"a: " + b"b" * 1000 + b"\r\n"] * 2000],  # many headers
        [b"GET / HTTP/1.1\r\nhost: x\r\na: ", *[b"b" * 65536] * 200],  # one header
        [b"GET /", *[b"b" * 65536] * 200],  # an address
        [b"GET / HTTP/1.1\r\nhost: x\r\n" + b"a: b\r\n" * 8000 + b"\r\n"],  # at once
        [b"GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n" + b"a: b\r\n" * 8000 + b"\r\n"],
    ],
)
async def test_a_head_has_an_end(tmp_path, endless):
    async with served(tmp_path) as site:
        answer = await said(site, *endless)
        assert answer == b"" or answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))
        async with httpx.AsyncClient(base_url=site.origin) as client:
            assert (await client.get("/health")).status_code == 200


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nhost: x\r\n",
        b"POST /play HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\n\r\ngame=",
        b"GET /health HTTP/1.1\r\nhost: x\r\n\r\nGET / HT",  # kept alive, and then
    ],
)
async def test_who_falls_silent_is_hung_up_on(tmp_path, monkeypatch, begun):
    monkeypatch.setattr(requests, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(requests, "SILENT_SECONDS", 0.3)
    async with served(tmp_path) as site:
        assert b"HTTP/1.1 408" in await said(site, begun)


async def test_an_address_holds_so_many_connections_and_others_still_come_in(tmp_path, monkeypatch):
    monkeypatch.setattr(requests, "CONNECTIONS", 20)
    async with served(tmp_path) as site:
        held = [await asyncio.open_connection("127.0.0.1", site.port) for _ in range(20)]
        assert await said(site, b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n") == b""
        held.pop()[1].close()
        async with asyncio.timeout(60):  # the server hears soon that one has gone
            while not (answer := await said(site, b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")):
                pass
        assert answer.startswith(b"HTTP/1.1 200")
        for _, writer in held:
            writer.close()
    async with served(tmp_path, proxies=("127.0.0.1",)) as site:  # behind a proxy all come from one address
        held = [await asyncio.open_connection("127.0.0.1", site.port) for _ in range(30)]
        async with httpx.AsyncClient(base_url=site.origin) as client:
            assert (await client.get("/health")).status_code == 200
        for _, writer in held:
            writer.close()


async def test_there_is_an_end_in_all(tmp_path):
    async with served(tmp_path, most=5, proxies=("127.0.0.1",)) as site:
        held = [await asyncio.open_connection("127.0.0.1", site.port) for _ in range(5)]
        assert await said(site, b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n") == b""
        for _, writer in held:
            writer.close()


async def test_a_server_that_stops_says_with_each_answer_that_nothing_more_is_to_be_sent_there(tmp_path):
    """Else a proxy sends the next move on a connection that is being closed, and has to tell people that it failed."""
    ask = b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n"
    async with served(tmp_path) as site:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        writer.write(ask)
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        assert b"connection: close" not in head.lower()
        site.services.stop()
        writer.write(ask)
        rest = await asyncio.wait_for(reader.read(), 60)  # to the end: the connection is closed
        assert b"HTTP/1.1 200" in rest
        assert b"connection: close" in rest.lower()
        writer.close()
