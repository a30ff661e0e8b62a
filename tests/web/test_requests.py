"""Requests as RFC 9110 and 9112 have them, bodies that come slowly or in masses, lines that talk without end."""

import asyncio
import contextlib
import logging
import time

import pytest
import websockets

from spieltisch.web.http import bodies, security
from spieltisch.web.http.bodies import Bodies, NoRoom
from spieltisch.web.http.lines import TOO_FAST
from spieltisch.web.logs import OnceAMinute
from web.site import refused, served
from web.test_classes import prepared

pytestmark = pytest.mark.anyio


async def raw(site, data, seconds=10):
    """What the server answers to these bytes, until it closes the connection or says nothing for a while."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    try:
        writer.write(data)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await reader.read(100_000)
        return b""
    finally:
        writer.close()


def request(method="GET", path="/health", *headers, host="localhost"):
    lines = [f"{method} {path} HTTP/1.1", *([f"Host: {host}"] if host else []), *headers, "Connection: close", "", ""]
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("path", ["/", "/health", "/decks/events", "/static/spieltisch.css", "/nothing"])
async def test_head_answers_as_get_without_a_body(tmp_path, path):
    async with served(tmp_path) as site, site.browser() as ada:
        whole, head = await ada.get(path), await ada.head(path)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]
        assert head.headers["content-length"] == whole.headers["content-length"]


async def test_options_tell_what_an_address_takes(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        assert b"204" in (await raw(site, request("OPTIONS", "*"))).splitlines()[0]
        one = await ada.options("/health")
        assert one.status_code == 204
        assert "GET" in one.headers["allow"]
        wrong = await ada.put("/health")
        assert (wrong.status_code, "GET" in wrong.headers["allow"]) == (405, True)


async def test_a_request_names_one_host(tmp_path):
    async with served(tmp_path) as site:
        for data in (request(host=""), request("GET", "/health", "Host: other")):
            assert b" 400 " in (await raw(site, data)).splitlines()[0]
        old = b"GET /health HTTP/1.0\r\n\r\n"  # which knew no host
        assert b" 200 " in (await raw(site, old)).splitlines()[0]


async def test_a_named_server_answers_to_its_name_only(tmp_path):
    async with served(tmp_path, origin="https://games.example.org") as site, site.program() as program:
        for path, host, status in [
            ("/", "games.example.org", 200), ("/", "evil.example", 421), ("/", "localhost", 421),
            ("/", "127.0.0.1", 421), ("/health", "evil.example", 200), ("/ready", "10.0.0.1", 200),
        ]:  # fmt: skip
            assert (await program.get(path, headers={"host": host})).status_code == status, (path, host)
        page = await program.get("/class/new", headers={"host": "games.example.org"})
        assert page.status_code == 200


async def test_behind_a_proxy_others_need_an_own_name(tmp_path):
    async with served(tmp_path, proxies=("10.9.8.7",)) as site, site.program() as program:
        for host, status in [("evil.example", 421), ("192.168.0.7:8000", 200), ("localhost", 200), ("desk.local", 200)]:
            assert (await program.get("/", headers={"host": host})).status_code == status, host
    async with served(tmp_path, proxies=("127.0.0.1",)) as site, site.program() as program:
        named = {"host": "inner", "x-forwarded-host": "games.example.org"}
        assert (await program.get("/", headers=named)).status_code == 200


async def test_headers_for_https_are_sent_by_https_only(tmp_path):
    async with served(tmp_path, proxies=("127.0.0.1",)) as site, site.program() as program:
        plain = await program.get("/")
        secure = await program.get("/", headers={"x-forwarded-proto": "https"})
        assert "cross-origin-opener-policy" not in plain.headers
        assert secure.headers["cross-origin-opener-policy"] == "same-origin"


async def test_a_form_of_more_than_64_kb_is_refused_unread(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        for path in ("/decks", "/tables", "/join", "/t/ABCDEFGH/sit"):
            begun = time.process_time()
            answer = await ada.post(path, content=b"%41" * 3_000_000, headers={"content-type": FORM})
            assert answer.status_code in {404, 413}
            assert time.process_time() - begun < 1.0  # nine megabytes would take seconds to be read


FORM = "application/x-www-form-urlencoded"


async def test_a_body_that_comes_slowly_is_hung_up_on(tmp_path, monkeypatch):
    monkeypatch.setattr(bodies, "PIECE_SECONDS", 0.3)
    async with served(tmp_path) as site:
        head = request("POST", "/decks", "Content-Type: multipart/form-data; boundary=x", "Content-Length: 9000000")
        begun = time.monotonic()
        assert b" 408 " in (await raw(site, head + b"--x\r\n" + b"a" * 100)).splitlines()[0]
        assert time.monotonic() - begun < 8


async def test_bytes_in_flight_have_a_bound():
    both = Bodies(of_address=100, of_all=150)
    both.take("a", 80)
    with pytest.raises(NoRoom):
        both.take("a", 30)
    both.take("b", 60)
    with pytest.raises(NoRoom):
        both.take("c", 20)
    both.give_back("a", 80)
    both.take("c", 20)


async def test_refusals_without_end_cost_an_address_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(security, "PAUSE", 0.2)
    async with served(tmp_path, limits=True) as site, site.browser() as eve:
        site.services.limits._clock = lambda: 0.0
        site.services.limits.charge("get", "127.0.0.1", 10_000)
        begun = time.monotonic()
        for _ in range(65):
            assert (await eve.get("/")).status_code == 429
        assert time.monotonic() - begun > 0.8
        assert (await eve.get("/health")).status_code == 200


SAID = {
    "ping": '{"ping": 1}', "move": '{"id": 1, "to": "move", "fields": [["question", "1"]]}',
    "empty": "{}", "binary": b"{}",
}  # fmt: skip


async def talk(line, what):
    for _ in range(3_000):
        await (line.ws.ping() if what == "control" else line.ws.send(SAID[what]))
        await asyncio.sleep(0)
    await line.until(lambda m: False, seconds=30)


@pytest.mark.parametrize("what", ["ping", "move", "empty", "binary", "control"])
async def test_a_line_that_talks_without_end_is_slowed_and_closed(tmp_path, what):
    async with served(tmp_path, limits=True) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman"})).headers["location"]
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)
            begun = time.monotonic()
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await talk(line, what)
            assert closed.value.rcvd.code == TOO_FAST
            assert time.monotonic() - begun < 30
        assert (await ada.get(url)).status_code == 200


async def test_a_line_takes_what_people_do(tmp_path):
    """Twenty at once, then ten a second for three seconds."""
    async with served(tmp_path, limits=True) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman"})).headers["location"]
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)
            for n in range(1, 51):
                await line.ws.send(f'{{"ping": {n}}}')
                if n > 20:
                    await asyncio.sleep(0.1)
            await line.until(lambda m: m.get("pong") == 50)


async def test_walls_are_drawn_once_for_all(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.browser() as teacher, contextlib.AsyncExitStack() as stack:
        url = await prepared(teacher)
        views, drawn = site.services.class_views, []
        plain = views.wall
        monkeypatch.setattr(views, "wall", lambda *given: drawn.append(1) or plain(*given))
        monkeypatch.setattr("spieltisch.web.view.classes.FRESH", 60.0)
        lines = [await stack.enter_async_context(site.line(url, screen="wall")) for _ in range(20)]
        for line in lines:
            await line.until(lambda m: "html" in m)
        assert len(drawn) == 1


def test_a_strangers_line_in_the_log_comes_once_a_minute():
    now = [0.0]
    once = OnceAMinute("Invalid HTTP request received.", clock=lambda: now[0])

    def written(message="Invalid HTTP request received."):
        record = logging.LogRecord("x", logging.WARNING, "", 0, message, (), None)
        return record.msg if once.filter(record) else None

    assert written()
    assert [written() for _ in range(6_000)] == [None] * 6_000
    assert written("something else") == "something else"
    now[0] = 61.0
    assert "6000 more" in written()


async def test_playing_a_deck_counts_as_opening_a_table(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as eve:
        site.services.limits._clock = lambda: 0.0
        seen = [(await eve.post("/decks/events/play")).status_code for _ in range(63)]
        assert (seen.count(303), seen[-1]) == (60, 429)
        assert refused((await eve.post("/decks/events/play")).text) is not None
