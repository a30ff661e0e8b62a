"""What PostgreSQL and several processes cost: moves a CPU-second of servers and database together, over WebSockets.

    PYTHONPATH=tests python bench/cost.py [TABLES] [SECONDS] [ROUNDS]
    PYTHONPATH=tests python bench/cost.py race [TABLES] [SECONDS] [ROUNDS]
    PYTHONPATH=tests python bench/cost.py idle [SECONDS]

The ways take turns within one run, so that a machine that is slower for a while is slower for all: one process on its
file; one on a PostgreSQL; four on it, where all of a table go to the same one, as the proxy of docs/hosting.md sends
them; four where each page goes to any. Both engines write as durably as they do for everybody. The bounds: one process
on PostgreSQL at least 0.8 of the file; four routed by table at least 0.8 of that, at random at least 0.5.

They are asked for at the pace of people, a move every two seconds at each table (`paced.py`), with the same tables for
each way. In a `race` every page moves as soon as it may. Then the machine is full, and what a process has to do comes
in larger pieces, which are cheaper, the more tables it has: with as many in all four have to be dearer. It is told
beside the other, against the same bounds.

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


async def measured(way, tables, seconds, cluster, dice, *, race):
    """Moves a CPU-second, moves a second, the database's share of the CPU, and the median wait in seconds."""
    processes = 4 if way.startswith("four") else 1
    database = None if way == "file" else cluster.database()
    async with serving(processes, database) as (servers, origins):
        opened = await paced.opened(origins[number % processes] for number in range(tables))
        state = {"waits": [], "refused": 0, "bytes": 0, "messages": 0, "sending": set()}
        pages, begin = [], time.perf_counter() + web.WARM
        for number, (address, people) in enumerate(opened):
            pace = paced.Pace(begin)
            for seed, cookies in enumerate(people, 3 * number):
                origin = dice.choice(origins) if way == "four at random" else origins[number % processes]
                who = origin, address, cookies, seed
                pages.append(asyncio.create_task(web.page(*who, state) if race else paced.page(*who, pace, state)))
        await asyncio.sleep(web.WARM if race else 2 * web.WARM)
        state.update(waits=[])
        webs, base = [server.pid for server in servers], [] if database is None else [cluster.pid]
        before, before_base, began = used(webs), used(base), time.perf_counter()
        await asyncio.sleep(seconds)
        waits, spent = state["waits"], time.perf_counter() - began
        cpu, cpu_base = used(webs) - before, used(base) - before_base
        await web.stop(pages)
    total = cpu + cpu_base
    return len(waits) / total, len(waits) / spent, cpu_base / total, statistics.median(waits)


async def compare(tables, seconds, rounds, *, race=False):
    dice, found = random.Random(1), {way: [] for way in ("file", *BOUNDS)}
    with contextlib.closing(postgres.Cluster(postgres.programs())) as cluster:
        for n in range(rounds):
            for way, some in found.items():
                some.append(await measured(way, tables, seconds, cluster, dice, race=race))
                rate, speed, share, wait = some[-1]
                print(f"  {n + 1}. {way}: {rate:,.0f} a CPU-second, {speed:,.0f} a second, database {share:.0%} of it,"
                      f" {wait * 1e3:.0f} ms median", file=sys.stderr, flush=True)  # fmt: skip
    name = "race" if race else "people"
    for way, some in found.items():
        rate = statistics.median(one[0] for one in some)
        print(f"cost.{name}: {way} {rate:,.0f} moves a CPU-second of servers and database")
    good = True
    for way, (than, bound) in BOUNDS.items():
        ratio = statistics.median(one[0] / other[0] for one, other in zip(found[way], found[than], strict=True))
        good &= ratio >= bound
        print(f"cost.{name}.ratio: {way} to {than} {ratio:.2f}, {'at least' if ratio >= bound else 'NOT'} {bound}")
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
    words, usual = words[race:], (50, 10, 3) if race else (250, 15, 3)
    given = [*map(float, words), *usual[len(words) :]]
    sys.exit(uvloop.run(compare(int(given[0]), given[1], int(given[2]), race=race)))
