"""Requests as RFC 9110 and 9112 have them, bodies that come slowly or in masses, lines that talk without end."""

import asyncio
import contextlib
import json
import logging
import socket
import time
from urllib.parse import parse_qsl

import pytest
import websockets
from hypothesis import given
from hypothesis import strategies as st

from clock import Clock
from spieltisch.web.classroom.views import ClassViews
from spieltisch.web.core.http import bodies, security
from spieltisch.web.core.http.bodies import SMALL, Bodies, NoRoom
from spieltisch.web.core.http.forms import form_fields
from spieltisch.web.server import logs
from spieltisch.web.server.logs import OftenEnough
from spieltisch.web.table.views import TableViews
from spieltisch.web.wire import requests, taking
from spieltisch.web.wire.line import TOO_FAST
from spieltisch.web.wire.requests import PIPELINED
from web.site import quick_only, refused, served
from web.test_classes import prepared

pytestmark = pytest.mark.anyio


async def raw(site, data, seconds=10):
    """What the server answers to these bytes, until it closes the connection or says nothing for a while."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    try:
        writer.write(data)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await reader.read()
        return b""
    finally:
        writer.close()


def request(method="GET", path="/health", *headers, host="localhost"):
    lines = [f"{method} {path} HTTP/1.1", *([f"Host: {host}"] if host else []), *headers, "Connection: close", "", ""]
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("path", ["/", "/health", "/decks/events", "/static/parts.css", "/nothing"])
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
        for path, allowed in [("/health", {"GET", "HEAD", "OPTIONS"}), ("/join", {"POST", "OPTIONS"})]:
            for answer in (await ada.options(path), await ada.put(path)):
                assert set(answer.headers["allow"].split(", ")) == allowed
                assert answer.status_code in {204, 405}


async def test_a_request_names_one_host(tmp_path):
    async with served(tmp_path) as site:
        for data in (request(host=""), request("GET", "/health", "Host: other"), request(host="a b")):
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


async def test_without_a_name_only_local_ones_are_believed(tmp_path):
    """A name that anybody can register could be bound anew to the server's address: its pages would count as ours."""
    async with served(tmp_path) as site, site.program() as program:
        for host, status in [
            ("evil.example", 421), ("evil.example:8000", 421), ("192.168.0.7:8000", 200), ("[fe80::1]:8000", 200),
            ("localhost", 200), ("desk", 200), ("Desk.local", 200), (socket.gethostname(), 200),
        ]:  # fmt: skip
            assert (await program.get("/", headers={"host": host})).status_code == status, host
            form = {"host": host, "origin": f"http://{host}"}
            assert (await program.post("/play", data={"game": "adaman"}, headers=form)).is_success is (status == 200)
        url = (await program.post("/api/play", json={"game": "adaman"})).json()["table"]
        with pytest.raises(websockets.InvalidStatus):
            await websockets.connect(f"ws://evil.example:{site.port}/t/{url}/live", host="127.0.0.1")
    async with served(tmp_path) as site, site.browser("de") as browser:
        answer = await browser.get("/", headers={"host": "evil.example"})
        assert (answer.status_code, "nicht bekannt" in answer.text) == (421, True)


async def test_a_trusted_proxy_names_the_host(tmp_path):
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


@quick_only
async def test_a_body_that_comes_slowly_is_hung_up_on(tmp_path, monkeypatch):
    monkeypatch.setattr(bodies, "PIECE_SECONDS", 0.3)
    async with served(tmp_path) as site:
        head = request("POST", "/decks", "Content-Type: multipart/form-data; boundary=x", "Content-Length: 9000000")
        begun = time.monotonic()
        assert b" 408 " in (await raw(site, head + b"--x\r\n" + b"a" * 100)).splitlines()[0]
        assert time.monotonic() - begun < 8


@quick_only
async def test_the_rest_of_an_answered_body_has_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(requests, "REST_SECONDS", 0.5)
    async with served(tmp_path) as site:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        head = f"POST /join HTTP/1.1\r\nHost: x\r\nContent-Type: {FORM}\r\nContent-Length: 9000000\r\n\r\n"
        writer.write(head.encode())
        assert b" 413 " in await asyncio.wait_for(reader.readline(), 60)
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(trickle(writer), 60)


async def trickle(writer):
    while True:
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(0.05)


async def test_a_form_gets_through_while_files_fill_the_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(security, "Bodies", lambda: Bodies(of_address=0, of_all=0))
    async with served(tmp_path) as site, site.browser() as ada:
        large = await ada.post("/decks", files={"file": ("t.csv", b"a" * 2 * SMALL)})
        assert (large.status_code, large.headers["retry-after"]) == (429, security.RETRY.decode())
        small = await ada.post("/play", data={"game": "adaman"})
        assert small.status_code == 303


@given(st.lists(st.sampled_from(["a", "%41", "%C3%A4", "%C3", "%", "%4", "%zz", "&", "=", ";", "+", "ä", "\0"])))
def test_a_form_is_read_as_the_standard_says(parts):
    body = "".join(parts)
    assert form_fields(body.encode(), 400) == parse_qsl(body, keep_blank_values=True, max_num_fields=400)


@quick_only
async def test_an_address_that_is_too_long_is_refused(tmp_path):
    async with served(tmp_path) as site:
        assert b" 404 " in (await raw(site, request("GET", "/" + "%" * 8_000))).splitlines()[0]
        assert b" 414 " in (await raw(site, request("GET", "/" + "%" * 9_000))).splitlines()[0]


@quick_only
async def test_so_many_requests_wait_on_a_connection(tmp_path):
    async with served(tmp_path) as site:
        one = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
        answers = await raw(site, one * (PIPELINED - 1) + request())
        assert answers.count(b"200 OK") == PIPELINED
        with contextlib.suppress(ConnectionError):
            assert (await raw(site, one * 2_000 + request())).count(b"200 OK") <= PIPELINED


@quick_only
async def test_who_does_not_take_the_answers_is_cut_off(tmp_path, monkeypatch):
    def narrow(connection, transport):
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        made(connection, transport)

    made = requests.BoundedProtocol.connection_made
    monkeypatch.setattr(requests.BoundedProtocol, "connection_made", narrow)
    monkeypatch.setattr(taking, "SECONDS", 0.3)
    async with served(tmp_path) as site:
        size, times = len(await raw(site, request("GET", "/static/parts.css"))), 40
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", site.port))
            client.sendall(b"GET /static/parts.css HTTP/1.1\r\nHost: x\r\n\r\n" * times)
            client.setblocking(False)
            await asyncio.sleep(2)
            taken, loop = 0, asyncio.get_running_loop()
            with contextlib.suppress(ConnectionError):
                async with asyncio.timeout(60):
                    while data := await loop.sock_recv(client, 65536):
                        taken += len(data)
        assert taken < size * times / 2


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


@pytest.mark.parametrize("what", ["ping", "move", "empty", "binary", pytest.param("control", marks=quick_only)])
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


@pytest.mark.parametrize(("screen", "draw"), [("wall", "wall"), ("lead", "overview"), ("pupil", "pupil")])
async def test_pages_of_a_class_are_drawn_once_for_all(tmp_path, monkeypatch, screen, draw):
    async with served(tmp_path) as site, site.browser() as teacher, contextlib.AsyncExitStack() as stack:
        url = await prepared(teacher)
        if screen == "pupil":
            pupil = await stack.enter_async_context(site.browser())
            await pupil.post(f"{url}/join")
        plain, drawn = getattr(ClassViews, draw), []
        monkeypatch.setattr(ClassViews, draw, lambda *given: drawn.append(1) or plain(*given))
        monkeypatch.setattr("spieltisch.web.classroom.views.FRESH", 60.0)
        who = teacher if screen == "lead" else None
        lines = [await stack.enter_async_context(site.line(url, who, screen=screen)) for _ in range(20)]
        for line in lines:
            await line.until(lambda m: "html" in m)
        assert len(drawn) == 1


async def test_a_lobby_is_drawn_once_for_all_who_look_on(tmp_path, monkeypatch):
    monkeypatch.setattr("spieltisch.web.table.views.FRESH", 60.0)
    async with served(tmp_path) as site, site.browser() as ada, contextlib.AsyncExitStack() as stack:
        url = (await ada.post("/tables", data={"game": "hic-haec-hoc"})).headers["location"]
        plain, drawn = TableViews._not_playing_anew, []
        monkeypatch.setattr(TableViews, "_not_playing_anew", lambda *given: drawn.append(1) or plain(*given))
        lines = [await stack.enter_async_context(site.line(url)) for _ in range(20)]
        for line in lines:
            await line.until(lambda m: "html" in m)
        assert len(drawn) == 1
        await ada.post(f"{url}/sit", data={"name": "Ada Byron"})
        for line in lines:
            await line.until(lambda m: "Ada Byron" in m.get("html", ""))


def test_a_strangers_line_in_the_log_comes_a_few_times_a_minute():
    clock = Clock(0.0)
    enough = OftenEnough(clock=clock)

    def written(message="Invalid HTTP request received.", error=None):
        record = logging.LogRecord("x", logging.WARNING, "", 0, message, (), error and (type(error), error, None))
        return record.getMessage() if enough.filter(record) else None

    told = [written() for _ in range(6_000)]
    assert [line for line in told if line] == told[: logs.EACH]
    assert written("something else") == "something else"
    assert written("%s failed", ValueError()) == "%s failed"
    clock.time = 61.0
    assert f"{6_000 - logs.EACH} more" in written()
    assert "more" not in written()
    assert enough.said["warning", "x", ""] == 6_000 + 3
    assert enough.said["warning", "x", "ValueError"] == 1


@pytest.mark.parametrize(("shape", "terminal"), [("auto", False), ("json", True), ("plain", False), ("plain", True)])
def test_lines_of_the_log_are_as_asked_for(shape, terminal):
    """Only a terminal gets the text of errors."""
    try:
        raise KeyError("Quastenflosser")
    except KeyError as error:
        record = logging.LogRecord(
            "x", logging.ERROR, "", 0, "%s failed", ("it",), (KeyError, error, error.__traceback__)
        )
    line = logs._formatter(shape, terminal=terminal).format(record)
    if shape != "plain":
        assert json.loads(line).items() >= {"level": "error", "message": "it failed", "error": "KeyError"}.items()
    else:
        assert line.startswith("ERROR x: it failed")
        assert "KeyError" in line
        assert ("\n" in line) == terminal
    assert ("Quastenflosser" in line) == (shape == "plain" and terminal)


async def test_next_games_have_a_limit(tmp_path):
    async with served(tmp_path, limits=True) as site, site.program() as eve:
        site.services.limits._clock = lambda: 0.0
        opened = (await eve.post("/api/tables", json={"game": "adaman"})).json()
        eve.headers["authorization"] = f"Bearer {opened['token']}"
        site.services.limits.charge("again", "127.0.0.1", 199)
        seen, table = [], opened["table"]
        for _ in range(2):
            await eve.post(f"/api/tables/{table}/close")
            seen.append(await eve.post(f"/api/tables/{table}/rematch"))
            table = seen[0].json()["rematch"]
        assert [one.status_code for one in seen] == [200, 429]


async def test_dealt_tables_have_a_limit(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as teacher:
        site.services.limits._clock = lambda: 0.0
        url = await prepared(teacher)
        await teacher.post(f"{url}/demo")
        site.services.limits.charge("dealt", "127.0.0.1", 399)
        assert (await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})).status_code == 303
        await teacher.post(f"{url}/resume")
        dealt = (await site.services.classes.get(url.rpartition("/")[2])).tables[0].id
        again = await teacher.post(f"{url}/deal", data={"way": "number", "dealt": dealt})
        assert again.status_code == 429


async def test_playing_a_deck_counts_as_opening_a_table(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as eve:
        site.services.limits._clock = lambda: 0.0
        seen = [(await eve.post("/decks/events/play")).status_code for _ in range(63)]
        assert (seen.count(303), seen[-1]) == (60, 429)
        assert refused((await eve.post("/decks/events/play")).text) is not None
