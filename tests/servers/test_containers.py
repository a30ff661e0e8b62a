"""`deploy/`: as much of it as can be tried without an engine for containers, by the programs that it is written for."""

import contextlib
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
import tomllib
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

import httpx
import pytest
import yaml

import valkey
from ports import free_port
from servers import proxies
from spieltisch.cli.app import app
from wheel.test_wheel import wheel  # noqa: F401 - a fixture

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
CADDYFILE = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
CADDY = pytest.mark.skipif(not proxies.FOUND["caddy"], reason="needs Caddy (Debian: apt install caddy)")
STEPS = [
    (words[0], words[1:])
    for line in (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines()
    if (words := line.split(None, 1)) and words[0] != "#"
]
SERVERS = ("one", "two")


def told(words):
    """What the command line makes of these words in a server's container; AssertionError where it knows a command or an
    option not.
    """
    try:
        with mock.patch.dict(os.environ, SERVICES["one"]["environment"]):
            _, bound, _ = app.parse_args(list(words), exit_on_error=False, print_error=False)
    except Exception as error:
        raise AssertionError(f"{shlex.join(words)}: {error}") from error
    return words[0], bound.arguments


def test_every_command_is_one_of_the_program():
    for name in SERVERS:
        command, given = told(SERVICES[name]["command"])
        assert command == "serve"
        assert given["database"].endswith("@db/spieltisch")
        assert urlsplit(given["wake"]).hostname in SERVICES
        assert given["trusted_proxy"] == (SERVICES["caddy"]["networks"]["front"]["ipv4_address"],)
        assert given["host"] == "0.0.0.0"
        assert f"{name}:{given['port']}" in CADDYFILE
        (volume,) = SERVICES[name]["volumes"]
        assert volume.endswith(f":{given['data']}")
    assert SERVICES["one"]["volumes"] != SERVICES["two"]["volumes"]  # as on two machines
    (entry,) = (json.loads(rest[0]) for step, rest in STEPS if step == "ENTRYPOINT")
    (usual,) = (json.loads(rest[0]) for step, rest in STEPS if step == "CMD")
    assert entry == ["spieltisch"]
    assert told(usual)[0] == "serve"
    with pytest.raises(AssertionError):  # so this finds what is not there
        told(["serve", "--databse=x"])
    with pytest.raises(AssertionError):
        told(["bakcup"])


def test_what_is_named_is_there():
    volumes = [one.partition(":")[0] for service in SERVICES.values() for one in service.get("volumes", ())]
    assert {one for one in volumes if not one.startswith(".")} == set(COMPOSE["volumes"])
    assert all((DEPLOY / one).is_file() for one in volumes if one.startswith("."))
    networks = {network for service in SERVICES.values() for network in service["networks"]}
    assert networks == set(COMPOSE["networks"])
    asked = {one for service in SERVICES.values() for one in service.get("depends_on", ())}
    assert asked <= set(SERVICES)
    build = SERVICES["one"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).samefile(DEPLOY / "Containerfile")
    assert "back" not in SERVICES["caddy"]["networks"]  # people reach the proxy, the proxy reaches no database
    assert COMPOSE["networks"]["back"] == {"internal": True}
    assert "ports" not in {key for name in (*SERVERS, "db", "hints") for key in SERVICES[name]}
    assert SERVICES["hints"]["networks"] == ["back"]  # nobody else may listen there, or say something


def test_containers_write_into_their_volumes_only_and_take_so_much_memory():
    for name, service in SERVICES.items():
        assert service["read_only"], name
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"]), name
    for name in SERVERS:
        assert SERVICES[name]["ulimits"] == {"nofile": 65_536}
        assert SERVICES[name]["healthcheck"]["start_period"]
        assert SERVICES["caddy"]["depends_on"][name] == {"condition": "service_healthy"}


def test_a_backup_is_made_each_day_until_it_is_told_to_stop(tmp_path):
    (script,) = SERVICES["backup"]["command"]
    script = script.replace("$$", "$")  # what the file says for one
    line = next(line for line in script.splitlines() if "spieltisch" in line)
    command, given = told(shlex.split(line.replace("$(date +%u)", "5"))[1:])
    serve = told(SERVICES["one"]["command"])[1]
    assert command == "backup"
    assert (given["data"], given["database"], given["replace"]) == (serve["data"], serve["database"], True)
    assert str(given["file"].parent) in {one.partition(":")[2] for one in SERVICES["backup"]["volumes"]}
    program = tmp_path / "spieltisch"
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n')
    program.chmod(0o700)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    with subprocess.Popen([*SERVICES["backup"]["entrypoint"], script], env=env) as running:
        deadline = time.monotonic() + 60
        while not (tmp_path / "asked").exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(0.2)  # it sleeps now
        running.terminate()
        assert running.wait(60) == 0
    assert re.match(r"backup /backups/[1-7]\.zip --replace", (tmp_path / "asked").read_text())


@pytest.mark.skipif(valkey.program() is None, reason=valkey.NEEDED)
def test_what_carries_the_hints_takes_its_options_and_keeps_nothing(tmp_path):
    redis = pytest.importorskip("redis", reason="needs the extra postgres")
    port = free_port()
    words = [valkey.program(), *SERVICES["hints"]["command"][1:], "--port", str(port), "--bind", "127.0.0.1"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL) as server:
        try:
            with redis.Redis(port=port, socket_timeout=60) as client:
                deadline = time.monotonic() + 60
                while True:
                    with contextlib.suppress(redis.ConnectionError):
                        assert client.publish("spieltisch", "?") == 0
                        break
                    assert server.poll() is None
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
                assert client.config_get("save", "appendonly") == {"save": "", "appendonly": "no"}
        finally:
            server.terminate()
            server.wait(60)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(("which", "extras"), [("serve", ["serve"]), ("base", ["postgres", "print", "serve"])])
def test_the_image_holds_what_serving_asks_for(which, extras):
    locked = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements" / f"{which}.txt").read_text(), re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked, left = [*project["dependencies"]], [*extras]
    while left:
        for one in project["optional-dependencies"][left.pop()]:
            more = re.fullmatch(r"spieltisch\[(.*)\]", one)
            left += more[1].split(",") if more else []
            asked += [] if more else [one]
    names = {re.match("[a-z0-9-]+", one)[0] for one in asked}
    assert {"msgspec", "litestar"} <= names <= locked
    assert ({"psycopg", "psycopg-pool", "typst"} <= names) == (which == "base")
    assert not {"numba", "numpy", "llvmlite"} & locked  # which are most of what `all` takes on a disk


@pytest.mark.slow
def test_the_wheel_is_built_of_what_is_copied(tmp_path, wheel):  # noqa: F811 - as above
    place = tmp_path / "source"
    first = list(itertools.takewhile(lambda step: step != ("FROM", ["python"]), STEPS))
    for step, rest in first:
        words = shlex.split(rest[0])
        if step == "COPY" and not words[-1].startswith("/"):
            for one in words[:-1]:
                target = place / words[-1] / (Path(one).name if words[-1].endswith("/") else "")
                target.parent.mkdir(parents=True, exist_ok=True)
                if (ROOT / one).is_dir():
                    shutil.copytree(ROOT / one, target, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(ROOT / one, target)
    (build,) = (shlex.split(rest[0]) for step, rest in first if step == "RUN" and "hatchling" in rest[0])
    assert build[0] == "python"
    words = [word.replace("/wheel", str(tmp_path / "wheel")) for word in build[1:]]
    env = os.environ | {"SPIELTISCH_VERSION": wheel.name.split("-")[1]}
    subprocess.run([sys.executable, *words], cwd=place, check=True, capture_output=True, env=env)
    (built,) = (tmp_path / "wheel").iterdir()
    assert built.name == wheel.name
    held = []
    for one in (built, wheel):
        with zipfile.ZipFile(one) as file:
            held.append(sorted(file.namelist()))
    assert held[0] == held[1]


def test_the_page_has_the_same_in_front_of_two_servers():
    (page,) = re.findall(r"^```text\n(tisch\.example \{\n.*?)^```", proxies.PAGE, re.DOTALL | re.MULTILINE)
    ours = CADDYFILE.partition("\n")[2].replace("{$SITE}", "tisch.example")
    assert ours.replace("one:8000", "127.0.0.1:8001").replace("two:8000", "127.0.0.1:8002") == page


class Named(BaseHTTPRequestHandler):
    """Says which of two servers was asked, in the place of a server's pages."""

    name = ""
    ready = True

    def do_GET(self):
        if self.path == "/ready" and not self.ready:
            self.send_error(503)
            return
        body = self.name.encode() + self.headers.get("X-Table", "").encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):  # noqa: A002 - the name is the library's
        pass


@contextlib.contextmanager
def upstream(name):
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("One", (Named,), {"name": name}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@CADDY
def test_caddy_sends_a_table_to_one_server_and_to_the_other_when_that_is_gone(tmp_path):
    outer, codes = free_port(), ["ABCD2345", "K7", *(f"T{n}XY" for n in range(40))]
    with contextlib.ExitStack() as held:
        one, two = (contextlib.ExitStack() for _ in SERVERS)
        held.callback(one.close)
        held.callback(two.close)
        text = CADDYFILE
        for stack, name in ((one, "one"), (two, "two")):
            port = stack.enter_context(upstream(name)).server_port
            text = text.replace(f"{name}:8000", f"127.0.0.1:{port}")
        site = text.replace("{$SITE}", f"http://localhost:{outer}")
        (tmp_path / "Caddyfile").write_text(proxies.CADDY.format(sites=site), encoding="utf-8")
        command = [proxies.FOUND["caddy"], "run", "--config", tmp_path / "Caddyfile", "--adapter", "caddyfile"]
        held.enter_context(proxies.running(command, outer, tmp_path))
        with httpx.Client(base_url=f"http://localhost:{outer}", timeout=30) as people:

            def asked(code):
                (told,) = {people.get(f"{path}/{code}{rest}").text for path in ("/t", "/api/tables")
                           for rest in ("", "/move", "-2")}  # fmt: skip
                assert told[3:] == code
                return told[:3]

            where = {code: asked(code) for code in codes}
            assert {*where.values()} == {*SERVERS}
            assert {code: asked(code) for code in codes} == where
            assert people.get("/").text in SERVERS
            two.close()
            assert {asked(code) for code in codes} == {"one"}


@CADDY
def test_caddy_leaves_out_who_hangs_or_is_not_ready_unless_nobody_is(tmp_path):
    outer = free_port()
    with contextlib.ExitStack() as held:
        text, servers = CADDYFILE, {}
        for name in SERVERS:
            servers[name] = held.enter_context(upstream(name))
            text = text.replace(f"{name}:8000", f"127.0.0.1:{servers[name].server_port}")
        site = text.replace("{$SITE}", f"http://localhost:{outer}")
        (tmp_path / "Caddyfile").write_text(proxies.CADDY.format(sites=site), encoding="utf-8")
        command = [proxies.FOUND["caddy"], "run", "--config", tmp_path / "Caddyfile", "--adapter", "caddyfile"]
        held.enter_context(proxies.running(command, outer, tmp_path))
        with httpx.Client(base_url=f"http://localhost:{outer}", timeout=60) as people:

            def until(wanted):
                deadline = time.monotonic() + 60
                while {people.get(f"/t/T{n}XY").text[:3] for n in range(20)} != wanted:
                    assert time.monotonic() < deadline, wanted
                    time.sleep(0.5)

            until({"one", "two"})
            servers["two"].RequestHandlerClass.ready = False
            until({"one"})
            servers["two"].RequestHandlerClass.ready = True
            until({"one", "two"})
            for server in servers.values():
                server.RequestHandlerClass.ready = False
            time.sleep(6)
            answer = people.get("/t/K7")  # what is wrong is told by a server, not by an empty page
            assert (answer.status_code, answer.text[3:]) == (200, "K7")


@CADDY
def test_caddy_takes_its_file_with_the_name_of_the_site(tmp_path):
    env = {"SITE": "tisch.example", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    command = [proxies.FOUND["caddy"], "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    command[1:2] = ["adapt"]
    adapted = json.loads(subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout)
    named = re.findall(r'"dial": "(.*?)"', json.dumps(adapted))
    assert named == ["one:8000", "two:8000"] * 2  # once for when none is ready
    assert '"uri": "/ready"' in json.dumps(adapted)
    assert '"host": ["tisch.example"]' in json.dumps(adapted)


def test_the_page_types_what_is_there(tmp_path):
    blocks = re.findall(r"<!-- typed by tests/servers/test_containers.py -->\n```sh\n(.*?)```", proxies.PAGE, re.DOTALL)
    commands = []
    for line in "".join(blocks).replace("\\\n", "").splitlines():
        words = shlex.split(line)
        match words:
            case ["docker", "build", "--file", file, "--tag", "spieltisch", "."]:
                assert (ROOT / file).samefile(DEPLOY / "Containerfile")
            case ["docker", "run", *options, "spieltisch"]:
                said = dict(STEPS)
                assert f"spieltisch:{said['VOLUME'][0]}" in options
                assert f"127.0.0.1:8000:{said['EXPOSE'][0]}" in options
                assert {"--read-only", "--tmpfs", "--cap-drop"} <= {*options}
            case ["cd", "deploy"] | ["chmod", *_]:
                pass
            case ["printf", *_]:
                done = subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, check=True, capture_output=True)
                assert done.stderr == b""
            case ["docker", "compose", "exec", service, "spieltisch", *rest] | [
                "docker",
                "compose",
                "run",
                "--rm",
                service,
                *rest,
            ]:
                assert service in SERVERS
                commands.append(told(rest))
            case ["docker", "compose", verb, *rest]:
                assert verb in {"up", "build", "stop", "start", "cp"}
                assert {word.partition(":")[0] for word in rest if not word.startswith("--")} <= {
                    *SERVERS,
                    "backup.zip",
                }
            case _:
                raise AssertionError(line)
    assert [name for name, _ in commands] == ["doctor", "link", "backup", "restore", "upgrade"]
    serve = told(SERVICES["one"]["command"])[1]
    for name, given in commands:
        assert given["data"] == serve["data"]
        assert name == "link" or given["database"] == serve["database"]
    written = dict(line.split("=", 1) for line in (tmp_path / ".env").read_text().splitlines())
    asked = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    assert {*written} == asked
    assert len(written["PASSWORD"]) == 48
