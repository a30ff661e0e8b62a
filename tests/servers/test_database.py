"""`spieltisch serve --database`: real processes and a real PostgreSQL, played by programs over HTTP."""

import asyncio
import contextlib
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest
import websockets
from websockets.typing import Origin

from servers import proxies
from spieltisch import extras, paths
from spieltisch import record as records
from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.wake import Hub
from spieltisch.web.server import serve

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="kills and signals as Unix has them"),
]


class Server:
    """A process that serves the tables of a database, with its data folder."""

    def __init__(self, data, database, port=0, **env):
        self._words = ("--host", "127.0.0.1", "--port", port, "--no-browser", "--data", data, "--database", database)
        self._env = {**os.environ, "PYTHONUNBUFFERED": "1", **env}

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "spieltisch", "serve", *map(str, self._words),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=self._env,
        )  # fmt: skip
        said = (await self.process.stdout.readline()).decode()
        if not (found := re.search(r"http://\S+\d", said)):
            raise AssertionError(said + (await self.process.stderr.read()).decode())
        self.client = httpx.AsyncClient(base_url=found[0].replace("localhost", "127.0.0.1"), timeout=60, verify=False)
        async with asyncio.timeout(120):
            while not await self._ready():
                pass
        return self

    async def _ready(self):
        try:
            return (await self.client.get("/ready")).status_code == 200
        except httpx.TransportError:
            await asyncio.sleep(0.05)
            return False

    async def __aexit__(self, *_):
        await self.end(signal.SIGTERM)
        await self.client.aclose()

    async def end(self, sign):
        if self.process.returncode is None:
            self.process.send_signal(sign)
        self.log = (await asyncio.wait_for(self.process.communicate(), 60))[1].decode()


async def ask(server, path, token="", body=None, **params):
    headers = {"accept": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    if body is None:
        return (await server.client.get(f"/api{path}", headers=headers, params=params)).json()
    answer = await server.client.post(f"/api{path}", headers=headers, json=body)
    assert answer.status_code in {200, 201, 409}, answer.text
    return answer.json()


async def play(server, table, token, until=10_000):
    """Answer what this seat is asked, at random, until the game is over or its log has so many entries."""
    dice, seen = random.Random(token), await ask(server, f"/tables/{table}", token)
    while not seen["result"] and seen["seq"] < until:
        if seen["legal"]:
            body = {"question": seen["question"], "action": dice.choice(seen["legal"])}
            await ask(server, f"/tables/{table}/move", token, body)
            seen = await ask(server, f"/tables/{table}", token)
        else:
            seen = await ask(server, f"/tables/{table}", token, after=seen["seq"], revision=seen["revision"])
    return seen


async def begun(one, two):
    """A table that Ada opened at one server and began when she saw Ben, who joined at the other. Returns
    their tokens.
    """
    opened = await ask(one, "/tables", body={"game": "hic-haec-hoc", "name": "Ada"})
    table, ada = opened["table"], opened["token"]
    ben = (await ask(two, f"/tables/{table}/sit", body={"name": "Ben"}))["token"]
    seen = await ask(one, f"/tables/{table}", ada)
    while "Ben" not in seen["names"]:
        seen = await ask(one, f"/tables/{table}", ada, after=seen["seq"], revision=seen["revision"])
    await ask(one, f"/tables/{table}/start", ada, {})
    return table, ada, ben


@pytest.mark.whole  # `tests/chaos` kills servers in `make test`
async def test_a_game_goes_on_after_its_server_was_killed(tmp_path, cluster):
    database = cluster.database()
    async with Server(tmp_path, database) as server:
        opened = await ask(server, "/play", body={"game": "trailblaze", "seats": 2})
        table, token = opened["table"], opened["token"]
        before = await play(server, table, token, until=6)
        await server.end(signal.SIGKILL)
    assert not (tmp_path / paths.TABLES).exists()
    async with Server(tmp_path, database) as server:
        seen = await ask(server, f"/tables/{table}", token)
        assert seen["seq"] >= before["seq"]
        assert (await play(server, table, token, until=seen["seq"] + 3))["seq"] > seen["seq"]
    assert not server.log


@pytest.mark.whole  # as above
async def test_two_processes_serve_one_table_and_one_of_them_goes_on_alone(tmp_path, cluster):
    database = cluster.database()
    async with Server(tmp_path, database) as one, Server(tmp_path, database) as two:
        table, ada, ben = await begun(one, two)
        await asyncio.gather(play(one, table, ada, until=9), play(two, table, ben, until=9))
        await two.end(signal.SIGKILL)
        seen, _ = await asyncio.gather(play(one, table, ada), play(one, table, ben))
        assert seen["result"]
        record = await one.client.get(f"/t/{table}/record")
    assert records.verify(records.parse(record.content))
    assert not one.log
    assert not two.log


class Page:
    """The socket of a page: the messages sent, and the answers until the line ended."""

    def __init__(self, server, table, token):
        origin = str(server.client.base_url).rstrip("/")
        self._open = websockets.connect(
            f"{origin.replace('http', 'ws')}/t/{table}/live",
            origin=Origin(origin), additional_headers={"authorization": f"Bearer {token}"}, compression=None,
        )  # fmt: skip

    async def __aenter__(self):
        self.line = await self._open.__aenter__()
        await self.send(seen=-1, lang="en", page="of Ada's")
        return self

    async def __aexit__(self, *given):
        await self._open.__aexit__(*given)

    async def send(self, **message):
        await self.line.send(json.dumps(message))

    async def answers(self):
        with contextlib.suppress(websockets.ConnectionClosed):
            async for message in self.line:
                if "id" in (said := json.loads(message)):
                    yield said

    async def do(self, **message):
        await self.send(**message)
        async with asyncio.timeout(60):
            return await anext(self.answers())


@pytest.mark.slow
async def test_what_a_page_asked_a_server_that_stopped_is_answered_by_another(tmp_path, cluster):
    database = cluster.database()
    async with Server(tmp_path, database) as one, Server(tmp_path, database) as two:
        table, ada, ben = await begun(one, two)
        seen = await ask(one, f"/tables/{table}", ada)
        other = await ask(two, f"/tables/{table}", ben)
        if not seen["legal"]:
            await ask(two, f"/tables/{table}/move", ben, {"question": other["question"], "action": other["legal"][0]})
            seen = await ask(one, f"/tables/{table}", ada, after=1)
        first, second = seen["legal"][:2]

        def move(action):
            fields = [["question", str(seen["question"])], ["action", json.dumps(action)]]
            return {"id": 7, "to": "move", "fields": fields}

        async with Page(one, table, ada) as page, Page(two, table, ben) as bens:
            assert (await bens.do(id=1, to="say", fields=[["phrase", "0"]]))["ok"]
            async with asyncio.timeout(60):
                while "voice" not in json.loads(await page.line.recv()):
                    pass
            await page.send(**move(first))
            one.process.send_signal(signal.SIGTERM)
            answered = [said["ok"] async for said in page.answers()]
            assert page.line.close_code == 1012
            assert 0.0 <= float(page.line.close_reason) <= 5.0
        assert await one.process.wait() == 0
        async with Page(two, table, ada) as page:
            assert (await page.do(**move(first)))["ok"], answered
            assert (await page.do(**move(first)))["ok"]
        async with Page(two, table, ada) as page:
            refused = await page.do(**move(second) | {"id": 8})
            assert (refused["ok"], refused["error"]) == (False, "This has already been answered.")
        assert (await ask(two, f"/tables/{table}", ada))["seq"] == seen["seq"] + 1
    assert not one.log


@pytest.mark.slow
async def test_a_process_that_only_thinks_takes_turns_and_goes(tmp_path, cluster):
    database = cluster.database()
    from spieltisch.cluster.postgres import Postgres

    store = Postgres(database)
    host = Host(store, Hub(), pause=lambda: 0.0)
    setup = await host.open("hic-haec-hoc", 2)
    for seat in (0, 1):
        await host.replace(setup.id, seat, Chair(f"Bot {seat}", "bot"))
    await host.start(setup.id)
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "spieltisch", "think", "--database", database, "--data", tmp_path,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(90):
        while len(await store.log(setup.id)) < 4:  # noqa: ASYNC110 - another process writes
            await asyncio.sleep(0.1)
    worker.send_signal(signal.SIGTERM)
    said, errors = await asyncio.wait_for(worker.communicate(), 60)
    assert (worker.returncode, said.decode().count("\n"), errors) == (0, 1, b"")
    await store.close()


class Administrator:
    """Types what docs/hosting.md says of a database, with folders of the test and its PostgreSQL."""

    def __init__(self, folder, cluster):
        self.folder, self.servers = folder, {}
        (self.section,) = re.findall(r"## Several servers on PostgreSQL.*?(?=\n## )", proxies.PAGE, re.DOTALL)
        self.blocks = re.findall(r"```sh\n(.*?)```", self.section, re.DOTALL)
        (line,) = re.findall(r"```toml\n(.*?)```", self.section, re.DOTALL)
        self.file = folder / "spieltisch.toml"
        self.file.write_text(f"{proxies.options()}{line}".replace("/var/", f"{folder}/var/"), "utf-8")
        self._database = {"PGHOST": str(cluster.folder), "SPIELTISCH_CONFIG": str(self.file)}
        self._sql = {
            **os.environ,
            **self._database,
            "PGUSER": cluster.user,
            "PATH": f"{cluster.bin}:{os.environ['PATH']}",
        }
        for place in ("var/lib/postgresql", "var/backups", "var/lib/spieltisch"):
            (folder / place).mkdir(parents=True)

    async def type(self, block):
        for line in block.splitlines():
            words = shlex.split(line.replace("/var/", f"{self.folder}/var/").replace("$(date +%u)", "1"))
            match words:
                case ["sudo", "apt", *_]:
                    pass
                case ["sudo", "systemctl", verb, *units]:
                    for port in re.findall(r"spieltisch@(\d+)", " ".join(units)):
                        await (self._stop(port) if verb == "stop" else self._start(port))
                case ["sudo", "install", *_, folder]:
                    await asyncio.to_thread(Path(folder).mkdir, mode=0o700)
                case ["sudo", "-u", "spieltisch", program, *command]:
                    assert program == "/opt/spieltisch/bin/spieltisch"
                    await self._run([sys.executable, "-m", "spieltisch", *command], PGUSER="spieltisch")
                case ["sudo", "-u", "postgres", *command]:
                    await self._run(command)
                case _:
                    raise AssertionError(line)

    async def _run(self, command, **env):
        done = await asyncio.to_thread(
            subprocess.run, command, env=self._sql | env, capture_output=True, text=True, check=False
        )
        self.told = done.stdout
        assert done.returncode == 0, done.stdout + done.stderr

    async def _start(self, port):
        assert re.search(r"^ExecStart=\S+ serve (.*)$", self.section, re.MULTILINE)[1] == "--port %i"
        told = tomllib.loads(self.file.read_text("utf-8"))
        assert told["host"] == "127.0.0.1"
        where = told["data"], told["database"]
        self.servers[port] = await Server(*where, PGUSER="spieltisch", **self._database).__aenter__()

    async def _stop(self, port):
        await self.servers.pop(port).__aexit__()


@pytest.mark.slow
async def test_the_page_about_it_word_by_word(tmp_path, cluster):
    administrator = Administrator(tmp_path, cluster)
    make, start, look, copy, back = administrator.blocks
    await administrator.type(make)
    await administrator.type(start)
    one, two = administrator.servers.values()
    opened = await ask(one, "/play", body={"game": "hic-haec-hoc", "seats": 2})
    table, token = opened["table"], opened["token"]
    before = await play(two, table, token, until=4)
    await administrator.type(look)
    assert "Servers connected: 2." in administrator.told
    assert "✗" not in administrator.told
    await administrator.type(copy)
    assert "tables: 1" in administrator.told
    after = await play(one, table, token, until=before["seq"] + 2)
    later = (await ask(one, "/play", body={"game": "adaman"}))["table"]
    await administrator.type(back)
    for server in administrator.servers.values():
        assert (await ask(server, f"/tables/{later}"))["status"] == 404  # it was opened after the copy
        assert (await play(server, table, token, until=after["seq"]))["seq"] >= after["seq"]
    for port in [*administrator.servers]:
        await administrator.type(f"sudo systemctl stop spieltisch@{port}")


def test_without_the_extra_its_command_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for name in ("database", "postgres"):
        monkeypatch.delitem(sys.modules, f"spieltisch.cluster.{name}", raising=False)
    assert serve.serve("127.0.0.1", 0, tmp_path, False, database="postgresql:///spieltisch") == 1
    said = capsys.readouterr().err
    assert said == f"spieltisch: --database needs another package. Install it with: {extras.command('postgres')}\n"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://ada:hush@/x", "postgresql:///spieltisch"),
        ("postgresql://ada:hush@/x?host=/nowhere", "that it runs"),
    ],
)
def test_a_database_that_cannot_be_used_is_said_in_one_line(tmp_path, capsys, address, said):
    pytest.importorskip("psycopg")
    assert serve.serve("127.0.0.1", 0, tmp_path, False, database=address) == 1
    heard = capsys.readouterr().err
    assert (heard.count("\n"), said in heard, "hush" in heard) == (1, True, False)


def test_hints_for_servers_on_a_file_are_refused(tmp_path, capsys):
    assert serve.serve("127.0.0.1", 0, tmp_path, False, wake="redis://127.0.0.1") == 2
    said = "--wake needs --database. It is for several servers on one database."
    assert capsys.readouterr().err == f"spieltisch: {said}\n"


def test_tables_in_a_file_are_not_left_behind_unseen(tmp_path, capsys, cluster):
    (tmp_path / paths.TABLES).touch()
    assert serve.serve("127.0.0.1", 0, tmp_path, False, database=cluster.database()) == 1
    assert "nobody would see the tables" in capsys.readouterr().err
