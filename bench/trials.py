"""Make servers sick in twelve ways and see which alert of deploy/alerts.yml tells it, and after how long.

    .venv/bin/python bench/trials.py [WAY ...]

As root on Linux, with Prometheus, PostgreSQL, Redis or Valkey, gcc and faketime. Each way has a server of its own; one
Prometheus looks at all of them every five seconds. An alert leads to its place in docs/runbook.md.
"""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from ports import free_port  # noqa: E402 - after the path
from postgres import Cluster, programs  # noqa: E402
from valkey import Valkey  # noqa: E402

PATIENCE = 400.0  # seconds for the last alert
FSYNC = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static void slowly(void) { usleep(400000); }
int fsync(int f) { int (*real)(int) = dlsym(RTLD_NEXT, "fsync"); slowly(); return real(f); }
int fdatasync(int f) { int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync"); slowly(); return real(f); }
"""
HEAP = r"""
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void grow(void) { char *p = malloc(1100000000); memset(p, 1, 1100000000); }
"""
THINKER = """
import functools, time
import spieltisch.table.turns as turns
def _think(*given, think=turns._think):
    time.sleep(6)
    return think(*given)[0], 6.0
turns._think = functools.wraps(turns._think)(_think)
"""
EXPECTED = {
    "slow disk": "SpieltischSlowCommit",
    "lock": "SpieltischNotReady",
    "database away": "SpieltischDatabaseLost",
    "hints away": "SpieltischHintsDown",
    "few descriptors": "SpieltischConnectionsRefused",
    "busy loop": "SpieltischLoopLate",
    "full disk": "SpieltischDiskFull",
    "clock": "SpieltischClock",
    "bots": "SpieltischBotsThinkLong",
    "flood": "SpieltischFlood",
    "backup": "SpieltischBackupOld",
    "memory": "SpieltischMemory",
}


class Server:
    """One server, named by what will be wrong with it."""

    def __init__(self, way, base, *words, env=(), before=()):
        self.way, self.folder, self.port = way, base / way.replace(" ", "-"), free_port()
        self.folder.mkdir(exist_ok=True)
        command = [*before, sys.executable, "-m", "spieltisch", "serve", "--host", "127.0.0.1", "--port", self.port]
        command += ["--no-browser", "--data", self.folder, *words]
        self.process = subprocess.Popen(
            [str(word) for word in command],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **dict(env)},
            stdout=subprocess.DEVNULL,
            stderr=(base / f"{way}.log").open("w"),
        )
        self.stop = []

    @property
    def pid(self):
        """Of the server itself, also where a program before it has begun it."""
        ask = ["pgrep", "-P", str(self.process.pid), "-f", "spieltisch serve"]
        found = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.split()
        return int(found[0]) if found else self.process.pid

    def key(self):
        words = [sys.executable, "-m", "spieltisch", "link", "--metrics", "--data", str(self.folder)]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        return subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout.strip()

    def ask(self, path, data=None):
        head = {"content-type": "application/json", "accept": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, head)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    async def up(self):
        deadline = time.monotonic() + 120
        while True:
            with contextlib.suppress(OSError):
                return await asyncio.to_thread(self.ask, "/health")
            assert time.monotonic() < deadline, self.way
            await asyncio.sleep(0.3)


def library(base, name, source):
    (base / f"{name}.c").write_text(source)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", base / f"{name}.so", base / f"{name}.c", "-ldl"], check=True)
    return {"LD_PRELOAD": str(base / f"{name}.so")}


def disk(base):
    place = base / "full-disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", place], check=True)


async def forever(work, pause):
    while True:
        with contextlib.suppress(OSError, ValueError):
            await work()
        await asyncio.sleep(pause)


async def stopped(pid, seconds):
    """The process stands still for so long."""
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


async def play(server):
    """Open a table with a bot, which often acts first."""
    body = json.dumps({"game": "trailblaze", "bots": "1", "name": "Ada"}).encode()
    await asyncio.to_thread(server.ask, "/api/play", body)


async def main(ways):
    with tempfile.TemporaryDirectory(prefix="trials-") as name, contextlib.ExitStack() as held:
        base = Path(name)
        base.chmod(0o755)
        bin_ = programs()
        db = {way: Cluster(bin_) for way in ("lock", "database away", "hints away") if way in ways}
        for one in db.values():
            held.callback(one.close)
        hints = Valkey()
        held.callback(hints.close)
        if "full disk" in ways:
            disk(base)
            held.callback(subprocess.run, ["umount", "-l", base / "full-disk"], check=False)
        more = {
            "slow disk": {"env": library(base, "fsync", FSYNC)},
            "memory": {"env": library(base, "heap", HEAP)},
            "clock": {"before": ["faketime", "-f", "+1h"]},
            "bots": {"env": {"PYTHONPATH": f"{base / 'thinker'}:{ROOT / 'src'}"}},
            "few descriptors": {"before": ["prlimit", "--nofile=256:256"]},
        }
        (base / "thinker").mkdir()
        (base / "thinker" / "sitecustomize.py").write_text(THINKER)
        words = {way: ["--database", one.database(tcp=True)] for way, one in db.items()}
        if "hints away" in words:
            words["hints away"] += ["--wake", hints.address]
        servers = {way: Server(way, base, *words.get(way, ()), **more.get(way, {})) for way in ways}
        for one in servers.values():
            held.callback(one.process.wait)
            held.callback(one.process.terminate)
        await asyncio.gather(*(one.up() for one in servers.values()))
        for way, one in servers.items():
            (one.folder / "backed-up").touch()
            if way == "backup":
                os.utime(one.folder / "backed-up", (time.time() - 3 * 86_400,) * 2)
        await observed(base, servers, held, db, hints)


async def observed(base, servers, held, db, hints):
    jobs = [
        {
            "job_name": f"trial-{n}",
            "authorization": {"credentials": one.key()},
            "static_configs": [{"targets": [f"127.0.0.1:{one.port}"], "labels": {"job": "spieltisch", "way": way}}],
        }
        for n, (way, one) in enumerate(servers.items())
    ]
    config = {
        "global": {"scrape_interval": "5s", "scrape_timeout": "5s", "evaluation_interval": "5s"},
        "rule_files": [str(ROOT / "deploy" / "alerts.yml")],
        "scrape_configs": jobs,
    }
    (base / "prometheus.yml").write_text(json.dumps(config))  # JSON is YAML
    port = free_port()
    options = ["--config.file", base / "prometheus.yml", "--storage.tsdb.path", base / "tsdb"]
    options += ["--web.listen-address", f"127.0.0.1:{port}"]
    told = (base / "prometheus.log").open("w")
    prometheus = subprocess.Popen(["prometheus", *map(str, options)], stdout=told, stderr=told)
    held.callback(prometheus.wait)
    held.callback(prometheus.terminate)
    await asyncio.sleep(20)  # some figures of before
    begun = time.monotonic()
    tasks = [asyncio.create_task(make(way, one, held, db, hints)) for way, one in servers.items()]
    seen = {}
    by_port = {f"127.0.0.1:{one.port}": way for way, one in servers.items()}
    while time.monotonic() - begun < PATIENCE and not all((way, EXPECTED[way]) in seen for way in servers):
        with contextlib.suppress(OSError):
            for alert in await asyncio.to_thread(firing, port):
                labels = alert["labels"]
                key = by_port.get(labels.get("instance", ""), "?"), labels["alertname"]
                if key not in seen:
                    seen[key] = time.monotonic() - begun
                    right = "" if EXPECTED.get(key[0]) != key[1] else "  <- the one meant"
                    print(f"{key[0]:16} {key[1]:30} {seen[key]:5.0f} s{right}", flush=True)
        await asyncio.sleep(2)
    for task in tasks:
        task.cancel()
    for way in servers:
        if (way, EXPECTED[way]) not in seen:
            print(f"{way:16} {EXPECTED[way]:30} not within {PATIENCE:.0f} s")


def firing(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/alerts", timeout=10) as answer:
        return [one for one in json.load(answer)["data"]["alerts"] if one["state"] == "firing"]


async def make(way, server, held, db, hints):
    """Make this server sick in this way, until it is cancelled."""
    try:
        await WAYS[way](server, held, db, hints)
    except Exception as error:  # noqa: BLE001 - the other trials go on
        print(f"{way}: {type(error).__name__}: {error}", flush=True)


async def nothing(*_):
    """It was sick from the start."""


async def locked(server, held, db, _hints):
    import psycopg

    one = db["lock"]
    schema = one.sql("select nspname from pg_namespace where nspname ~ '^t[0-9]+$'")[0][0]
    holder = psycopg.connect(f"host={one.folder} user={one.user} dbname=postgres")
    held.callback(holder.close)
    holder.execute(f"lock table {schema}.plan, {schema}.log, {schema}.format")
    await forever(lambda: play(server), 0.5)


async def away(_server, _held, db, _hints):
    db["database away"].kill()


async def deaf(_server, _held, _db, hints):
    hints.kill()


async def crowded(server, held, _db, _hints):
    for _ in range(300):
        one = socket.create_connection(("127.0.0.1", server.port))
        held.callback(one.close)


async def busy(server, *_):
    await forever(lambda: stopped(server.pid, 0.3), 0.3)


async def full(server, *_):
    with contextlib.suppress(OSError), (server.folder / "ballast").open("wb") as out:
        while True:
            out.write(bytes(65_536))
            out.flush()


async def thoughtful(server, *_):
    await forever(lambda: play(server), 3)


async def flooded(server, *_):
    async def guess():
        await asyncio.to_thread(server.ask, "/api/tables/ZZZZZZZZ")

    loop = asyncio.get_running_loop()
    from concurrent.futures import ThreadPoolExecutor

    loop.set_default_executor(ThreadPoolExecutor(80))
    await asyncio.gather(*(forever(guess, 0.05) for _ in range(40)))


WAYS = {
    "slow disk": nothing, "lock": locked, "database away": away, "hints away": deaf, "few descriptors": crowded,
    "busy loop": busy, "full disk": full, "clock": nothing, "bots": thoughtful, "flood": flooded, "backup": nothing,
    "memory": nothing,
}  # fmt: skip

if __name__ == "__main__":
    assert shutil.which("prometheus"), "needs Prometheus (Debian: apt install prometheus)"
    asyncio.run(main(sys.argv[1:] or [*WAYS]))
