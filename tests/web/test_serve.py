"""The server as a program: addresses, ports, private data, an end within a second."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
import uvicorn
import websockets

from clock import Clock
from spieltisch import paths
from spieltisch.cli.app import run
from spieltisch.web import wire
from spieltisch.web.server import serve

CODE = (
    "import sys; from spieltisch.web.server.serve import serve; sys.exit(serve('127.0.0.1', {port}, {data!r}, False))"
)


class Program:
    def __init__(self, data, port=0):
        code = CODE.format(port=port, data=str(data)).replace(
            f"{str(data)!r}", f"__import__('pathlib').Path({str(data)!r})"
        )
        env = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )

    def address(self):
        line = self.process.stdout.readline()
        return re.search(r"http://\S+", line).group().rstrip("/").replace("localhost", "127.0.0.1")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


async def _stopped(folder, sign):
    """The seconds that a server with open lines needs to stop, and whether waiting callers got an answer."""
    with Program(folder) as program:
        address = await asyncio.to_thread(program.address)
        async with httpx.AsyncClient(base_url=address, headers={"origin": address}, timeout=60) as client:
            for _ in range(1200):
                try:
                    url = (await client.post("/play", data={"game": "adaman"})).headers["location"]
                    break
                except httpx.ConnectError:
                    await asyncio.sleep(0.05)
            cookie = "; ".join(f"{k}={v}" for k, v in client.cookies.items())
            lines = [
                await websockets.connect(
                    f"{address.replace('http', 'ws')}{url}/live", origin=address, additional_headers={"cookie": cookie}
                )
                for _ in range(5)
            ]
            for line in lines:
                # one compressed message of what one writes and what one holds would tell by its length (decision 0051)
                assert "Sec-WebSocket-Extensions" not in line.response.headers
                await line.send(json.dumps({"seen": -1}))
                assert json.loads(await line.recv())["seq"] == 1
            waiting = asyncio.create_task(client.get(f"{url}?after=1", headers={"accept": "application/json"}))
            await asyncio.sleep(0.6)  # until the request waits there, also on a busy machine
            begun = time.monotonic()
            program.process.send_signal(sign)
            code = await asyncio.to_thread(program.process.wait, 60)
            took = time.monotonic() - begun
            assert code == 0
            (answer,) = await asyncio.gather(waiting, return_exceptions=True)
            for line in lines:
                await line.close()
        out, err = program.process.communicate()
        assert err == ""
        assert url not in out
        assert "host#" not in out  # kept as a log, it keeps no key
    return took, getattr(answer, "status_code", None) == 200


@pytest.mark.anyio
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_it_stops_within_a_second_with_open_lines(sign, tmp_path):
    tries = []
    for number in range(5):  # a busy machine may hold up one of them, and one that never does so is none
        tries.append(await _stopped(tmp_path / f"{number}", sign))
        took, answered = tries[-1]
        if took < (1.0 if wire.is_quick() else 2.0) and answered:  # plainly pages have half a second for their goodbye
            return
    pytest.fail(f"seconds, and whether who waited had an answer: {tries}")


def test_the_data_is_for_this_user_only(tmp_path):
    folder = paths.open_data_folder(tmp_path / "a" / "b")
    secret = paths.server_secret(folder)
    assert len(secret) == 32
    assert paths.server_secret(folder) == secret
    if sys.platform != "win32":
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / "secret").stat().st_mode & 0o777 == 0o600


def test_the_data_lies_where_a_user_s_data_belongs(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert paths.data_folder() == tmp_path / "spieltisch"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.data_folder() == tmp_path / ".local" / "share" / "spieltisch"


def test_a_port_in_use_is_said_in_one_line(tmp_path, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert serve.serve("127.0.0.1", port, tmp_path, False) == 1
        assert capsys.readouterr().err == f"spieltisch: port {port} is in use; choose another one with --port.\n"


def test_an_address_of_another_machine_is_said_to_be_one(tmp_path, capsys):
    assert serve.serve("203.0.113.7", None, tmp_path, False) == 1
    assert capsys.readouterr().err.startswith("spieltisch: 203.0.113.7 is not an address of this machine")


def test_without_a_port_asked_for_the_next_free_one_is_taken(monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(serve, "PORT", port)
        found = serve.listen("127.0.0.1", None)
        assert found is not None
        with found:
            assert found.getsockname()[1] > port


async def _sends_at_once():
    """Whether a plain asyncio server on our socket sends small packets without waiting for receipts."""
    accepted = asyncio.get_running_loop().create_future()
    listening = serve.listen("127.0.0.1", 0)
    async with await asyncio.start_server(lambda _, writer: accepted.set_result(writer), sock=listening):
        _, ours = await asyncio.open_connection(*listening.getsockname())
        theirs = await accepted
        sends = theirs.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        for writer in (ours, theirs):
            writer.close()
            await writer.wait_closed()
    return bool(sends)


def test_answers_are_sent_at_once_without_uvloop_too():
    assert asyncio.run(_sends_at_once())


def test_where_there_is_no_screen_no_browser_is_opened(monkeypatch):
    opened = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(serve.webbrowser, "open", opened.append)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    serve.show("http://localhost:8000/")
    time.sleep(0.6)
    assert opened == []


def test_a_finished_game_is_printed_as_a_record(tmp_path, capsys):
    async def play():
        from spieltisch.table.host import Host
        from spieltisch.table.store.sqlite import SQLite
        from spieltisch.table.wake import Hub
        from spieltisch.web.core.access.actor import Actor
        from spieltisch.web.core.opening import open_table
        from spieltisch.web.core.services import Services, Settings

        services = Services(Host(SQLite(tmp_path / paths.TABLES), Hub()), Settings(secret=b"x"))
        from spieltisch import games

        code, _ = await open_table(services, games.package("adaman"), Actor("", "de"), bots=0, name="Ada")
        table = await services.host.table(code)
        while table.result is None:
            await services.host.answer(code, 0, table.question(0), table.legal(0)[0])
        await services.host.store.close()
        return code

    code = asyncio.run(play())
    assert run(["record", code.lower(), "--data", str(tmp_path)]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["seats"] == ["Ada"]
    assert written["tags"]["table"] == code
    file = tmp_path / "game.json"
    assert run(["record", code, "--data", str(tmp_path), "--to", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert json.loads(file.read_text("utf-8")) == written
    assert run(["record", code, "--data", str(tmp_path), "--to", str(tmp_path / "no" / "game.json")]) == 1
    assert Path(tmp_path / paths.TABLES).exists()


@pytest.mark.anyio
async def test_finished_tables_and_names_are_forgotten(tmp_path):
    from spieltisch.web.app import DAY
    from web.site import served

    clock = Clock()
    async with served(tmp_path, clock=clock, keep_days=30) as site, site.browser() as ada:
        url = (await ada.post("/tables", data={"game": "adaman"})).headers["location"]
        clock.time += 29 * DAY
    async with served(tmp_path, clock=clock, keep_days=30) as site:
        await asyncio.sleep(0.05)
        assert await site.services.host.store.setup(url.rpartition("/")[2]) is not None
        clock.time += 2 * DAY
    async with served(tmp_path, clock=clock, keep_days=30) as site, site.browser() as ada:
        await asyncio.sleep(0.05)  # nothing has happened here for long: perhaps it is the clock that is wrong
        assert await site.services.host.store.setup(url.rpartition("/")[2]) is not None
        await ada.post("/tables", data={"game": "adaman"})
    async with served(tmp_path, clock=clock, keep_days=30) as site:
        async with asyncio.timeout(60):
            while await site.services.host.store.setup(url.rpartition("/")[2]) is not None:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.005)


async def _app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def nobody() -> Any:
    """Services of a server that serves no pages."""
    readiness = SimpleNamespace(is_stuck=AsyncMock(return_value=False))
    metrics = SimpleNamespace(sockets=0)
    return SimpleNamespace(stop=lambda: None, readiness=readiness, metrics=metrics, leaving=asyncio.Event())


async def _connects(port):
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionError:  # refused, or reset when the door was closed on it
        return False
    writer.close()
    return True


@pytest.mark.anyio
async def test_who_may_not_connect_any_more_still_gets_answers_on_the_connections_there_are(monkeypatch):
    """A proxy that is just sending a move over one of them would have to tell people that it failed."""
    monkeypatch.setattr(serve, "CLOSED", 60.0)
    with serve.listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(_app, lifespan="off", log_config=None)
        services = nobody()
        server = serve.Server(config, services, notice=0.01)
        running = asyncio.create_task(server.serve(listening))
        await server.up.wait()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        server.handle_exit(signal.SIGTERM, None)
        while await _connects(port):  # noqa: ASYNC110 - nor of this
            await asyncio.sleep(0.01)
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n")
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        assert head.startswith(b"HTTP/1.1 200")
        running.cancel()
        await asyncio.wait([running])
        writer.close()


@pytest.mark.anyio
async def test_who_is_told_to_stop_does_not_wait_for_the_next_look(monkeypatch):
    monkeypatch.setattr(serve, "LOOK", 3600.0)
    with serve.listen("127.0.0.1", 0) as listening:
        config = uvicorn.Config(_app, lifespan="off", log_config=None)
        services = nobody()
        server = serve.Server(config, services)
        running = asyncio.create_task(server.serve(listening))
        await server.up.wait()
        server.handle_exit(signal.SIGTERM, None)
        async with asyncio.timeout(60):
            await running


def test_who_is_told_to_stop_while_it_starts_ends_in_order(monkeypatch):
    """uvicorn handles signals itself while it starts, and at the end passes them to the former handlers."""

    async def app(scope, receive, send):
        assert (await receive())["type"] == "lifespan.startup"
        signal.raise_signal(signal.SIGTERM)
        await send({"type": "lifespan.startup.complete"})
        assert (await receive())["type"] == "lifespan.shutdown"
        await send({"type": "lifespan.shutdown.complete"})

    async def ended():
        with serve.listen("127.0.0.1", 0) as listening:
            async with asyncio.timeout(60):
                await serve.Server(uvicorn.Config(app, lifespan="on", log_config=None), nobody()).serve(listening)

    ends = []
    before = signal.signal(signal.SIGTERM, lambda *_: ends.append("killed"))
    try:
        asyncio.run(ended())
        assert not ends
        signal.raise_signal(signal.SIGTERM)
        assert ends  # who handled them before does so again
    finally:
        signal.signal(signal.SIGTERM, before)


class _Busy(serve.Server):
    """Somebody connects, and the loop takes the connection, just before it turns to the end."""

    came: list[socket.socket]

    async def _stop(self):
        address = self._uvicorn.servers[0].sockets[0].getsockname()
        self.came = [socket.create_connection(address) for _ in range(5)]
        await asyncio.sleep(0)
        await super()._stop()


def test_who_is_just_being_let_in_when_the_server_stops_is_let_go_too():
    async def left():
        services = nobody()
        config = uvicorn.Config(_app, lifespan="off", log_config=None, timeout_graceful_shutdown=1)
        server = _Busy(config, services)
        running = asyncio.create_task(server.serve(listening))
        await server.up.wait()
        server.handle_exit(signal.SIGTERM, None)
        await running
        held = len(server._uvicorn.server_state.connections)
        for one in server.came:
            one.close()
        return held

    with serve.listen("127.0.0.1", 0) as listening, asyncio.Runner(loop_factory=serve._loop()) as runner:
        assert runner.run(left()) == 0
