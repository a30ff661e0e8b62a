"""What PostgreSQL and several processes cost: moves a CPU-second of servers and database together, over WebSockets.

    PYTHONPATH=tests python bench/cost.py [TABLES] [SECONDS] [ROUNDS]
    PYTHONPATH=tests python bench/cost.py race [TABLES] [SECONDS] [ROUNDS]
    PYTHONPATH=tests python bench/cost.py idle [SECONDS]

All ways stand open at the same time, each with as many tables, and play in turns of some seconds, while the others
rest: a machine whose speed changes from minute to minute is as quick for one as for the others. (Ten minutes are given
for an answer, since the clock does not rest.) The ways: one process on its file; one on a PostgreSQL; four on it, where
all of a table go to the same one, as the proxy of docs/hosting.md sends them; four where each page goes to any. Both
engines write as durably as they do for everybody. The bounds: one process on PostgreSQL at least 0.8 of the file; four
routed by table at least 0.8 of that, at random at least 0.5.

They are asked for at the pace of people, a move every two seconds at each table (`paced.py`). In a `race` every page
moves as soon as it may. Then the machine is full, and what a process has to do comes in larger pieces, which are
cheaper, the more tables it has: with as many in all four have to be dearer. It is told beside the other, against the
same bounds.

`idle`: two servers, 100 open tables with a page each, and nobody does anything. Not one transaction may write; told is
what a server uses.
"""

import asyncio
import contextlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

import httpx
import paced
import uvloop

import postgres
import web

SERVE = web.SERVE.replace("limits=False)", "limits=False, database=sys.argv[3] if sys.argv[3:] else None)")
BOUNDS = {"one": ("file", 0.8), "four": ("one", 0.8), "four at random": ("one", 0.5)}
SETTLE = 0.5  # seconds
TICKS = os.sysconf("SC_CLK_TCK")


def used(pids):
    """Seconds of CPU of these processes, of their children, and of children that have ended."""
    total, parents = 0.0, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
            parents[int(name)] = (int(fields[1]), sum(map(int, fields[11:13])), sum(map(int, fields[13:15])))
    for pid, (parent, own, ended) in parents.items():
        if pid in pids:
            total += own + ended
        elif parent in pids:
            total += own
    return total / TICKS


@contextlib.asynccontextmanager
async def serving(processes, database):
    """So many servers on one folder and this database, once they answer: their processes and addresses."""
    ports = [web.free_port() for _ in range(processes)]
    with tempfile.TemporaryDirectory() as folder:
        servers = [
            subprocess.Popen(
                [sys.executable, "-c", SERVE, str(port), folder, *([database] if database else [])],
                stdout=subprocess.DEVNULL,
            )
            for port in ports
        ]
        origins = [f"http://127.0.0.1:{port}" for port in ports]
        try:
            async with httpx.AsyncClient() as asks:
                for origin in origins:
                    for _ in range(600):
                        with contextlib.suppress(httpx.TransportError):
                            await asks.get(f"{origin}/health")
                            break
                        await asyncio.sleep(0.1)
            yield servers, origins
        finally:
            for server in servers:
                server.terminate()
            for server in servers:
                server.wait(60)


class Way:
    """Servers with their tables, which play in turns with those of other ways."""

    def __init__(self, name, cluster):
        self.name, self._cluster = name, cluster
        self.found = []  # a turn each: moves, seconds of servers, seconds of the database, seconds, waits
        self._paces, self._pages = [], []
        self._state = {"waits": [], "refused": 0, "messages": 0, "sending": set()}

    async def open(self, stack, tables, pace, dice):
        """Serve until the stack is left; the tables are open, and their pages rest."""
        database = None if self._cluster is None else self._cluster.database()
        servers, origins = await stack.enter_async_context(serving(4 if "four" in self.name else 1, database))
        self._servers = [server.pid for server in servers]
        places = [origins[number % len(origins)] for number in range(tables)]
        opened = await paced.opened(places, seconds="600")
        stack.push_async_callback(self._close)
        for number, (address, people) in enumerate(opened):
            self._paces.append(pace_ := paced.Pace(time.perf_counter(), pace))
            pace_.stop()
            for seed, cookies in enumerate(people, 3 * number):
                origin = dice.choice(origins) if self.name == "four at random" else origins[number % len(origins)]
                page = paced.page(origin, address, cookies, seed, pace_, self._state)
                self._pages.append(asyncio.create_task(page))
            await asyncio.sleep(0.005)

    async def _close(self):
        await web.stop(self._pages)

    def _used(self):
        return used(self._servers), 0.0 if self._cluster is None else used([self._cluster.pid])

    async def play(self, seconds):
        """Play for so long, and a little before, which does not count."""
        for pace in self._paces:
            pace.resume()
        await asyncio.sleep(SETTLE)
        self._state["waits"] = waits = []
        before, began = self._used(), time.perf_counter()
        await asyncio.sleep(seconds)
        spent, after, moves = time.perf_counter() - began, self._used(), len(waits)
        for pace in self._paces:
            pace.stop()
        servers, base = (b - a for a, b in zip(before, after, strict=True))
        self.found.append((moves, servers, base, spent, waits))
        await asyncio.sleep(SETTLE)


def rate(found):
    """Moves a CPU-second of servers and database, in these turns."""
    return sum(one[0] for one in found) / sum(one[1] + one[2] for one in found)


async def compare(tables, seconds, rounds, *, race=False):
    dice = random.Random(1)
    async with contextlib.AsyncExitStack() as stack:
        ways = {}
        for name in ("file", *BOUNDS):
            cluster = None
            if name != "file":
                cluster = stack.enter_context(contextlib.closing(postgres.Cluster(postgres.programs())))
            ways[name] = way = Way(name, cluster)
            await way.open(stack, tables, 0.0 if race else paced.PACE, dice)
            print(f"{name}: {tables} tables are open", file=sys.stderr, flush=True)
        for way in ways.values():
            await way.play(web.WARM)
            way.found.clear()
        for n in range(rounds):
            for name, way in ways.items():
                await way.play(seconds)
                print(f"  {n + 1}. {name}: {rate(way.found[-1:]):,.0f}", file=sys.stderr, flush=True)
    kind = "race" if race else "people"
    for name, way in ways.items():
        moves, servers, base, spent = map(sum, zip(*(one[:4] for one in way.found), strict=True))
        wait = statistics.median(wait for one in way.found for wait in one[4])
        print(f"cost.{kind}: {name} {rate(way.found):,.0f} moves a CPU-second of servers and database, of which the"
              f" database takes {base / (servers + base):.0%}; {moves / spent:,.0f} a second, {wait * 1e3:.0f} ms"
              " median until one is answered")  # fmt: skip
    good = True
    for name, (than, bound) in BOUNDS.items():
        halves = [rate(ways[name].found[i::2]) / rate(ways[than].found[i::2]) for i in (0, 1)]
        ratio = rate(ways[name].found) / rate(ways[than].found)
        good &= ratio >= bound
        print(f"cost.{kind}.ratio: {name} to {than} {ratio:.2f} ({halves[0]:.2f} in every other turn, {halves[1]:.2f}"
              f" in the others), {'at least' if ratio >= bound else 'NOT'} {bound}")  # fmt: skip
    return 0 if good else 1


async def idle(seconds, tables=100):
    """Whether anything was written while nobody did anything, by the numbers that transactions get which write."""
    with contextlib.closing(postgres.Cluster(postgres.programs())) as cluster:
        cluster.sql("alter system set autovacuum = off")  # which writes on its own behalf
        cluster.sql("select pg_reload_conf()")
        async with serving(2, cluster.database()) as (servers, origins):
            opened = [await web.table(origins[n % 2]) for n in range(tables)]
            async with contextlib.AsyncExitStack() as pages:
                for n, (address, people) in enumerate(opened):
                    origin, cookies = origins[n % 2], "; ".join(f"{k}={v}" for k, v in people[0].items())
                    live = f"{origin.replace('http', 'ws')}{address}/live"
                    line = await pages.enter_async_context(
                        web.websockets.connect(live, origin=origin, additional_headers={"cookie": cookies})
                    )
                    await line.send('{"seen": -1, "lang": "de"}')
                await asyncio.sleep(5)
                next_number = "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
                (before,), cpu = cluster.sql(next_number)[0], used([server.pid for server in servers])
                await asyncio.sleep(seconds)
                (after,), cpu = cluster.sql(next_number)[0], used([server.pid for server in servers]) - cpu
        print(f"cost.idle: {cpu / seconds / len(servers) * 1e3:.1f} ms of CPU a second a server")
        print(f"cost.idle: {after - before} transactions wrote in {seconds:.0f} s, with {tables} open tables")
    return 1 if after > before else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["idle"]:
        sys.exit(uvloop.run(idle(float(words[1]) if words[1:] else 60.0)))
    race = words[:1] == ["race"]
    words, usual = words[race:], (50 if race else 250, 2.5, 20)
    given = [*map(float, words), *usual[len(words) :]]
    sys.exit(uvloop.run(compare(int(given[0]), given[1], int(given[2]), race=race)))
