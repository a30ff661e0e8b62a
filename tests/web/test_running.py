"""For operators: health, readiness, metrics, log, a full disk, new keys."""

import asyncio
import contextlib
import json
import logging
import os
import random
import re
import signal
import socket
import sys
import time

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from clock import Clock
from spieltisch import paths
from spieltisch.backup import back_up
from spieltisch.cli.app import run
from spieltisch.decks.files import put
from spieltisch.table.log import tag
from spieltisch.table.store import Unsaved
from spieltisch.table.store.sql import FORMAT
from spieltisch.web import wire
from spieltisch.web.core import metrics
from spieltisch.web.core.http.rate_limits import LIMITS
from spieltisch.web.server.logs import JsonLines
from spieltisch.web.table.views import TableViews
from web.site import code, finished, quick_only, served
from web.test_deckchoice import sheet

pytestmark = pytest.mark.anyio
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are of Unix")


def bearer(key):
    return {"authorization": f"Bearer {key}"}


async def figures(site):
    """What /metrics says, by name and labels."""
    async with site.program(site.services.deck_keys.metrics_key()) as program:
        answer = await program.get("/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = text_string_to_metric_families(answer.text)
    return {(one.name, *sorted(one.labels.items())): one.value for family in families for one in family.samples}


def of(found, name, **labels):
    return sum(value for key, value in found.items() if key[0] == name and labels.items() <= dict(key[1:]).items())


async def test_the_figures_are_those_of_what_happened(tmp_path, monkeypatch):
    async with served(tmp_path, limits=True) as site, site.browser() as ada, site.program() as stranger:
        before = await figures(site)
        assert of(before, "spieltisch_moves_total") == of(before, "spieltisch_sockets") == 0
        url = str((await ada.post("/play", data={"game": "adaman"})).headers["location"])
        async with site.line(url, ada) as line:
            await line.receive()
            during = await figures(site)
            assert of(during, "spieltisch_sockets") == 1
            assert of(during, "spieltisch_tables", game="adaman", stage="playing") == 1
            assert of(during, "spieltisch_tables_stored") == 1
            seen = (await ada.get(url, headers={"accept": "application/json"})).json()
            fields = [["action", json.dumps(seen["legal"][0])], ["question", str(seen["question"])]]
            assert not (await line.do("move", [["question", "1"], ["action", "nonsense"]]))["ok"]
            await line.do("move", fields)
            await ada.post(f"{url}/move", json={"question": seen["question"], "action": seen["legal"][0]})
        now = time.monotonic()  # stands still: on a slow machine one more would be free again after two seconds
        monkeypatch.setattr(site.services.limits, "_clock", lambda: now)
        for _ in range(int(LIMITS["guess"].burst) + 3):
            await stranger.get("/api/tables/ZZZZZZZZ")
        after = await figures(site)
        deals = of(after, "spieltisch_moves_total", game="adaman", by="host")
        moves = of(after, "spieltisch_moves_total", game="adaman", by="seat")
        assert deals + moves == (await ada.get(url, headers={"accept": "application/json"})).json()["seq"]
        assert moves >= 1
        assert of(after, "spieltisch_command_seconds_count", to="move") >= 2
        assert of(after, "spieltisch_command_seconds_count", to="move", outcome="Invalid") == 1
        assert of(after, "spieltisch_request_seconds_count", kind="program", status="404") == LIMITS["guess"].burst
        assert of(after, "spieltisch_request_seconds_count", kind="program", status="429") == 3
        assert of(after, "spieltisch_limited_total", limit="guess") == 3
        assert of(after, "spieltisch_sockets") == 0
        for name in ("spieltisch_store_waiting", "spieltisch_late_seconds", "spieltisch_turns_running"):
            assert any(key[0] == name for key in after)
        if sys.platform == "linux":
            assert of(after, "process_resident_memory_bytes") > 10_000_000


async def test_many_tables_are_not_counted_at_every_scrape(tmp_path, monkeypatch):
    monkeypatch.setattr(metrics, "MANY", 1)
    async with served(tmp_path) as site:
        found = []
        for _ in range(4):
            await site.services.host.open("adaman", 1)
            found.append(of(await figures(site), "spieltisch_tables_stored"))
        assert found == [1, 2, 2, 2]
        monkeypatch.setattr(site.services.metrics, "_count_at", 0.0)  # a minute later
        assert of(await figures(site), "spieltisch_tables_stored") == 4


async def test_figures_say_where_the_time_goes(tmp_path, monkeypatch):
    async with served(tmp_path, name="desk:8000") as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "trailblaze", "name": "Ada", "bots": "1"})).headers["location"]
        await finished(site, await site.services.host.table(code(url)), random.Random(1))
        await asyncio.sleep(0.3)  # for a look at the loop's clock
        time.sleep(0.6)  # noqa: ASYNC251 - the loop is stuck
        await asyncio.sleep(0)
        found = await figures(site)
        assert of(found, "spieltisch_thinking_seconds_count", game="trailblaze") > 3
        assert of(found, "spieltisch_info", process="desk:8000", format=str(FORMAT)) == 1
        looks = of(found, "spieltisch_loop_lag_seconds_count")
        assert looks > of(found, "spieltisch_loop_lag_seconds_bucket", le="0.25")
        assert of(found, "spieltisch_commit_seconds_count") >= 3
        assert of(found, "spieltisch_commit_seconds_bucket", le="+Inf") == of(found, "spieltisch_commit_seconds_count")
        assert of(found, "spieltisch_commit_seconds_sum") > 0
        assert of(found, "spieltisch_ready") == 1
        assert not wire.is_quick() or 1 <= of(found, "spieltisch_connections") <= 3  # uvicorn tells nobody
        assert of(found, "spieltisch_connections_limit") == 10_000
        assert of(found, "spieltisch_disk_free_bytes") > 0
        assert not any(
            name in {"spieltisch_last_backup_timestamp_seconds", "spieltisch_hints_up"} for name, *_ in found
        )
        back_up(tmp_path, tmp_path / "b.zip")

        async def full():
            raise Unsaved

        monkeypatch.setattr(site.services.host.store, "check", full)
        await asyncio.sleep(1)  # for so long the answer of before holds
        found = await figures(site)
        assert time.time() - of(found, "spieltisch_last_backup_timestamp_seconds") < 60
        assert of(found, "spieltisch_ready") == 0


@quick_only
async def test_refused_connections_are_counted_and_told_once_a_minute(tmp_path, monkeypatch, caplog):
    async with served(tmp_path, most=5, proxies=("127.0.0.1",)) as site:
        now = 100.0
        monkeypatch.setattr(site.services.connections, "_clock", lambda: now)
        async with site.browser() as ada:
            await ada.get("/health")
            held = [await asyncio.open_connection("127.0.0.1", site.port) for _ in range(14)]
            assert [await reader.read() for reader, _ in held[4:]] == [b""] * 10
            assert site.services.connections.are_refused
            found = site.services.metrics
            assert b'spieltisch_limited_total{limit="connections"} 10.0' in await found.text()
            assert b"spieltisch_connections 5.0" in await found.text()
            told = [line for line in caplog.messages if "connections are refused" in line]
            assert told == ["connections are refused: there may be 5 (refused so far: 1)"]
            now = 161.0
            assert not site.services.connections.are_refused
            held.append(await asyncio.open_connection("127.0.0.1", site.port))
            assert await held[-1][0].read() == b""
            assert caplog.messages[-1].endswith("(refused so far: 11)")
            for _, writer in held:
                writer.close()


async def test_figures_tell_no_codes_names_or_addresses(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/tables", data={"game": "trailblaze", "name": "Quastenflosser"})).headers["location"]
        await ada.get(f"{url}/nothing/at/all")
        async with site.program(site.services.deck_keys.metrics_key()) as program:
            text = (await program.get("/metrics")).text
    assert "Quastenflosser" not in text
    assert url.rpartition("/")[2] not in text
    assert "127.0.0.1" not in text


async def test_figures_are_for_who_has_their_key(tmp_path):
    async with served(tmp_path, limits=True) as site, site.program() as program:
        keys = site.services.deck_keys
        site.services.limits._clock = lambda: 0.0
        site.services.limits._limits["guess"] = LIMITS["guess"]._replace(burst=10)  # before refusals are delayed
        others = {"authorization": "Bearer"}, {"authorization": "Basic eA=="}
        for wrong in ({}, *others, bearer("x" * 22), bearer(keys.host_key())):
            assert (await program.get("/metrics", headers=wrong)).status_code == 403
        for _ in range(10):
            last = await program.get("/metrics", headers=bearer("guess"))
        assert last.status_code == 429
        assert not keys.opens_host(keys.metrics_key())


async def test_readiness_tells_how_the_request_looks_from_there(tmp_path):
    async with served(tmp_path, root_path="/spiele", proxies=("127.0.0.1",)) as site, site.program() as program:
        proxied = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "host": "tisch.example"}
        said = (await program.get("/ready", headers=proxied)).json()
        assert said == {
            "status": "ready", "origin": "https://tisch.example", "address": "203.0.113.9", "base": "/spiele",
        }  # fmt: skip
        site.services.stopping.set()
        stopping = await program.get("/ready")
        assert (stopping.status_code, stopping.json()["detail"]) == (503, "The server is stopping.")
        assert (await program.get("/health")).status_code == 200


async def test_readiness_writes_once_a_second_whoever_asks(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.program() as program:
        looks, check = [], site.services.host.store.check

        async def counted():
            looks.append(1)
            await check()

        monkeypatch.setattr(site.services.host.store, "check", counted)
        begun = time.monotonic()
        await asyncio.gather(*(program.get("/ready") for _ in range(40)))
        assert len(looks) <= 1 + (time.monotonic() - begun) // 1
        monkeypatch.setattr(site.services.host.store, "check", lambda: asyncio.sleep(60))
        monkeypatch.setattr("spieltisch.web.core.readiness.PATIENCE", 0.01)
        monkeypatch.setattr("spieltisch.web.core.readiness.KEPT", 0.0)
        assert "has not answered" in (await program.get("/ready")).json()["detail"]


class Served:
    """`spieltisch serve` as a process of its own, its log kept."""

    def __init__(self, folder, **env):
        self.folder = folder
        self.env = env

    async def __aenter__(self):
        command = [sys.executable, "-m", "spieltisch", "serve", "--no-browser", "--host", "127.0.0.1", "--port", "0"]
        pipe = asyncio.subprocess.PIPE
        env = {**os.environ, "LC_ALL": "C.UTF-8", **self.env}
        self.process = await asyncio.create_subprocess_exec(
            *command, "--data", str(self.folder), stdout=pipe, stderr=pipe, env=env
        )
        self.address = re.search(rb"http://localhost:\d+", await self.process.stdout.readline()).group().decode()
        self.address = self.address.replace("localhost", "127.0.0.1")
        async with httpx.AsyncClient(base_url=self.address) as client:
            for _ in range(1200):
                try:
                    await client.get("/health")
                    break
                except httpx.ConnectError:
                    await asyncio.sleep(0.05)
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        self.log = (await asyncio.wait_for(self.process.communicate(), 60))[1].decode().splitlines()


@UNIX
async def test_on_a_full_disk_moves_are_refused_in_words_and_all_goes_on_when_there_is_room(tmp_path):
    import resource

    async with Served(tmp_path) as server, httpx.AsyncClient(base_url=server.address, timeout=30) as client:
        opened = (await client.post("/api/play", json={"game": "trailblaze", "seats": 2})).json()
        url, key = f"/api/tables/{opened['table']}", bearer(opened["token"])
        german = key | {"accept-language": "de"}

        async def mine():
            seen = (await client.get(url, headers=key)).json()
            while not seen["legal"]:
                seen = (await client.get(url, params={"after": seen["seq"]}, headers=key)).json()
            return seen

        async def move(seen, headers=key):
            said = {"question": seen["question"], "action": seen["legal"][0]}
            return await client.post(f"{url}/move", json=said, headers=headers)

        before = await mine()
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, hard))  # nothing more can be written
        for headers, words in ((key, "cannot save right now"), (german, "kann gerade nichts speichern")):
            refused = await move(before, headers)
            assert refused.status_code == 503
            assert words in refused.json()["detail"]
        ready = await client.get("/ready")
        assert (ready.status_code, "cannot be written" in ready.json()["detail"]) == (503, True)
        page = await client.post("/tables", data={"game": "adaman"}, headers={"accept": "text/html"})
        assert page.status_code == 503
        assert "cannot save right now" in page.text
        seen = (await client.get(url, headers=key)).json()
        assert (seen["seq"], seen["view"]) == (before["seq"], before["view"])  # and it can still be looked at
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        assert (await move(before)).status_code == 200  # the same answer to the same question
        assert (await mine())["seq"] > before["seq"]  # the bot has gone on, too
        await asyncio.sleep(1)
        assert (await client.get("/ready")).status_code == 200
    told = [json.loads(line) for line in server.log]
    said = [line["message"].partition(":")[0] for line in told]  # once, however many moves were refused
    assert said == ["the tables cannot be written", "the tables can be written again"]


async def test_the_log_has_no_codes_names_keys_or_addresses(tmp_path, monkeypatch):
    """Also where something goes wrong that quotes them."""
    lines = []
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    handler.emit = lambda record: lines.append(handler.format(record))
    logger = logging.getLogger("spieltisch")
    logger.addHandler(handler)
    monkeypatch.setattr(logger, "propagate", False)
    try:
        async with served(tmp_path) as site, site.browser() as ada:
            opened = await ada.post("/play", data={"game": "trailblaze", "name": "Quastenflosser", "bots": "1"})
            url = opened.headers["location"]
            code = url.rpartition("/")[2]

            def broken(*_given, **_more):
                raise KeyError("Quastenflosser", code, "127.0.0.1", ada.cookies)

            monkeypatch.setattr(TableViews, "update", broken)
            monkeypatch.setattr(site.services.host, "answer", broken)
            monkeypatch.setattr(site.services.host, "change", broken)
            assert (await ada.post(f"{url}/pause")).status_code == 500
            seen = (await ada.get(url, headers={"accept": "application/json"})).json()
            for _ in range(100):
                if seen["legal"] or lines[1:]:
                    break
                await asyncio.sleep(0.05)
            assert (await ada.post(f"{url}/move", json={"question": 1, "action": {}})).status_code in {409, 422, 500}
            async with site.line(url, ada, page="p") as line:
                await line.ws.send(json.dumps({"id": 1, "to": "pause", "fields": []}))
                await asyncio.sleep(0.3)
            secrets = {"Quastenflosser", code, "127.0.0.1", *ada.cookies.values()}
    finally:
        logger.removeHandler(handler)
    assert lines
    for line in lines:
        told = json.loads(line)
        assert {"time", "level", "logger", "message"} <= told.keys()
        assert not [one for one in secrets if one and one in line], line
    errors = [json.loads(line) for line in lines if '"error"' in line]
    assert {"error": "KeyError"}.items() <= errors[0].items()
    assert any("broken" in call for call in errors[0]["where"])  # where it was is told
    assert "POST /t/{code}/{to}" in [told["message"] for told in errors]


def test_what_libraries_say_loses_its_second_line():
    record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "Task exception\nfuture: <Task 'Mama'>", (), None)
    assert json.loads(JsonLines().format(record))["message"] == "Task exception"
    assert tag("ABCDEFGH") != "ABCDEFGH"
    assert re.fullmatch("[0-9a-f]{6}", tag("ABCDEFGH"))


async def test_new_keys_shut_out_who_has_the_old_ones(tmp_path, capsys):
    put(tmp_path / "decks" / "rom.csv", sheet(30))
    async with served(tmp_path) as site, site.browser() as thief, site.browser() as host, site.browser() as maker:
        keys = site.services.deck_keys
        old = {"token": keys.host_key()}, {"token": keys.key("rom")}, keys.metrics_key()
        for one in (thief, host):
            await one.post("/host", data=old[0])
            page = (await one.get("/host")).text
            assert "Reported cards" in page
            assert f", format {FORMAT}" in page
            assert "none known" in page  # no backup
        for one in (thief, maker):
            await one.post("/decks/rom/key", data=old[1])
            assert "evcard" in (await one.get("/decks/rom")).text
        assert (await maker.post("/decks/rom/renew")).status_code == 303
        assert "evcard" in (await maker.get("/decks/rom")).text
        thief.cookies.delete("spieltisch_host")
        assert "evcard" not in (await thief.get("/decks/rom")).text
        assert (await thief.post("/decks/rom/key", data=old[1])).status_code == 403
        assert (await thief.post("/decks/rom/renew")).status_code == 403
        assert (await thief.post("/host", data=old[0])).status_code == 303  # that key was not renewed by it
        assert (await host.post("/host/renew")).status_code == 303
        assert "Reported cards" in (await host.get("/host")).text
        assert "Reported cards" not in (await thief.get("/host")).text
        assert (await thief.post("/host", data=old[0])).status_code == 403
        assert (await thief.post("/host/renew")).status_code == 403
        async with site.program(old[2]) as program:
            assert (await program.get("/metrics")).status_code == 403
        # by command, while the server runs; the secret of this site is not that of the folder
        before = keys.host_key(), keys.key("rom")
        for command in (["link"], ["deck", "link", "rom"]):
            assert await asyncio.to_thread(run, [*command, "--renew", "--data", str(tmp_path)]) == 0
        assert keys.host_key() != before[0]
        assert keys.key("rom") != before[1]
    printed = r"http://localhost:8000/host#\S{22}\nhttp://localhost:8000/decks/rom/key#\S{22}\n"
    assert re.fullmatch(printed, capsys.readouterr().out)


async def test_the_command_prints_the_keys_that_open(tmp_path, capsys):
    async with Served(tmp_path) as server, httpx.AsyncClient(base_url=server.address) as client:
        assert run(["link", "--to", server.address, "--data", str(tmp_path)]) == 0
        address, _, key = capsys.readouterr().out.strip().partition("#")
        assert (await client.post(address, data={"token": key})).status_code == 303
        assert run(["link", "--metrics", "--data", str(tmp_path)]) == 0
        answer = await client.get("/metrics", headers=bearer(capsys.readouterr().out.strip()))
        assert "spieltisch_info" in answer.text
    (tmp_path / paths.SECRET).write_bytes(b"short")
    assert run(["link", "--data", str(tmp_path)]) == 1
    assert "has 5 bytes, not 32" in capsys.readouterr().err


@UNIX
async def test_a_service_manager_hears_that_it_is_ready_alive_and_stopping(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.setblocking(False)
        async with Served(tmp_path / "data", NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="600000"):
            begun, states = time.monotonic(), []
            while states.count("WATCHDOG=1") < 4:
                assert time.monotonic() - begun < 60
                with contextlib.suppress(BlockingIOError):
                    states.append(heard.recv(100).decode())
                await asyncio.sleep(0.01)
        with contextlib.suppress(BlockingIOError):
            while True:
                states.append(heard.recv(100).decode())
    assert states[0] == "READY=1" or states[1] == "READY=1"
    assert states.count("READY=1") == states.count("STOPPING=1") == 1


async def host_of(site, browser):
    await browser.post("/host", data={"token": site.services.deck_keys.host_key()})
    return browser


async def test_the_host_sees_tables_from_outside_and_ends_them(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as host, site.browser() as stranger:
        await host_of(site, host)
        assert "There are no tables." in (await host.get("/host")).text
        first = await ada.post("/play", data={"game": "trailblaze", "name": "Quastenflosser", "bots": "1"})
        second = await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Quastenflosser"})
        urls = [one.headers["location"] for one in (first, second)]
        codes = [url.rpartition("/")[2] for url in urls]
        page = (await host.get("/host")).text
        words = " ".join(page.split())
        assert re.search(r"Trailblaze</b>.*?is being played · 1 person, \d bots? · just now", words)
        assert "waiting for people · 1 person ·" in words
        for secret in ("Quastenflosser", *codes):
            assert secret not in page
        told = {url: f"table-{tag(code)}" in page for url, code in zip(urls, codes, strict=True)}
        assert told == dict.fromkeys(urls, True)

        form = {"tag": tag(codes[0]), "do": "close"}
        assert (await stranger.post("/host/table", data=form)).status_code == 403
        async with site.line(urls[0], ada) as line:
            await line.receive()
            assert (await host.post("/host/table", data=form)).status_code == 303
            await line.until(lambda m: "has been closed" in m.get("html", ""))
        assert "is closed" in (await host.get("/host")).text
        async with site.line(urls[1], ada) as line:
            await line.receive()
            assert (await host.post("/host/table", data={"tag": tag(codes[1]), "do": "delete"})).status_code == 303
            assert (await line.until(lambda m: "goto" in m))["goto"] == urls[1]
        gone = await ada.get(urls[1])
        assert (gone.status_code, f"Table {codes[1]} has been deleted." in gone.text) == (404, True)
        assert (await host.post("/host/table", data={"tag": tag(codes[1]), "do": "delete"})).status_code == 404
        for odd in ({}, {"tag": ""}, {"tag": "x" * 999, "do": "delete"}):
            assert (await host.post("/host/table", data=odd)).status_code == 404
        assert (await host.get("/host?at=50")).status_code == 200
        assert (await host.get("/host?at=-1")).status_code == 200


async def test_the_host_turns_over_pages_of_tables(tmp_path):
    async with served(tmp_path) as site, site.browser() as host:
        await host_of(site, host)
        for _ in range(53):
            await site.services.host.open("adaman", 1)
        first = (await host.get("/host")).text
        older = re.search(r'href="([^"]+)">Older tables', first)[1]
        second = (await host.get(older.partition("#")[0])).text
        ids = re.compile(r'id="table-(\w+)"')
        assert len({*ids.findall(first), *ids.findall(second)}) == 53
        assert len(ids.findall(second)) == 3
        assert "Older tables" not in second
        assert "Newer tables" in second


async def test_a_restart_is_told_on_every_page(tmp_path):
    clock = Clock(1000.0)
    async with served(tmp_path, clock=clock) as site, site.browser() as ada, site.browser("de") as host:
        url = (await ada.post("/play", data={"game": "adaman"})).headers["location"]
        assert (await ada.post("/host/announce", data={"minutes": "5"})).status_code == 403
        await host_of(site, host)
        async with site.line(url, ada) as line, site.line(url, host) as german, site.line(url, screen=True) as screen:
            for one in (line, german, screen):
                await one.receive()
            assert (await host.post("/host/announce", data={"minutes": "5"})).status_code == 303
            said = "The server restarts within 5 minutes. Every game goes on afterwards."
            for one in (line, screen):
                assert (await one.until(lambda m: "notice" in m))["notice"] == said
            assert "startet in höchstens 5 Minuten neu" in (await german.until(lambda m: "notice" in m))["notice"]
            assert said in (await ada.get("/")).text
            assert said in (await ada.get(url)).text
            assert "startet in höchstens 5 Minuten neu" in (await host.get("/host")).text
            clock.time += 250
            site.services.announcement._look_again()  # as it does by itself twice a minute
            assert "within 1 minute." in (await line.until(lambda m: "notice" in m))["notice"]
            clock.time += 50
            site.services.announcement._look_again()
            assert "in a moment" in (await line.until(lambda m: "notice" in m))["notice"]
            async with site.line(url, ada) as later:  # who comes later hears it, too
                assert "in a moment" in (await later.until(lambda m: "notice" in m))["notice"]
            assert (await host.post("/host/announce", data={"minutes": "nonsense"})).status_code == 303
            assert (await host.post("/host/announce", data={"minutes": "0"})).status_code == 303
            assert (await line.until(lambda m: "notice" in m))["notice"] == ""
        assert "restarts" not in (await ada.get("/")).text
