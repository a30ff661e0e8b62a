"""A server with 10,000 open and 1,000,000 finished tables: start, pages, figures, forgetting, backup.

    PYTHONPATH=tests python bench/crowd.py [--finished 1000000] [--open 10000] [--old 10000] [--entries N] [--postgres]

A few games are played by chance and copied under other codes, each with its first N entries (default: all, about 50,
which takes 8 GB for a million tables). `--old` of the finished ones are 100 days old; a server that keeps tables for 30
days forgets them. With --postgres the tables are in a PostgreSQL. Then it also measures the question that a process
asks every two seconds, as if it had all open tables in memory.
"""

import argparse
import asyncio
import contextlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

import httpx
import msgspec
import psycopg

import postgres
from spieltisch import paths
from spieltisch.cluster.postgres import Postgres
from spieltisch.table.host import Host
from spieltisch.table.log import Chair, encode
from spieltisch.table.store.sqlite import SQLite, opened
from spieltisch.table.wake import Hub
from web import SERVE, cpu, free_port

SERVE = SERVE.replace(
    "limits=False)", "limits=False, keep_days=int(sys.argv[3]), database=sys.argv[4] if sys.argv[4:] else None)"
)
SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # in order, so that codes come in order, too
DAY = 86_400.0
AT_ONCE = 20_000  # rows
GAMES = {"hic-haec-hoc": 3, "adaman": 1}
OPENED = 8  # entries of a game that still runs
COLUMNS = {"plan": ("id", "stage", "rev", "deck", "seed", "body"), "pace": ("id", "touched")}
# Of each entry of a game that was played a copy at each table that has it; read in the order in which they are kept.
LOGS = (
    "insert into log (id, seq, entry) select plan.id, played.seq, played.entry from plan cross join played"
    " where played.seed = plan.seed order by plan.id, played.seq"
)


def say(name, words):
    print(f"crowd.{name}: {words}", flush=True)


def code(number):
    """The code of a table, in the order of the numbers."""
    digits = []
    for _ in range(8):
        number, digit = divmod(number, len(SIGNS))
        digits.append(SIGNS[digit])
    return "".join(reversed(digits))


async def played(folder, game, seats, most):
    """A game of this kind, played by chance to its end or for so many entries: its setup, seed, deck and log."""
    dice = random.Random(game)
    host = Host(store := SQLite(folder / f"{game}{most}.db"), Hub())
    id_ = (await host.open(game, seats)).id
    for seat in range(seats):
        await host.replace(id_, seat, Chair(f"Player {seat + 1}", "person", "0" * 64))
    await host.start(id_)
    table = await host.table(id_)
    while table.result is None and table.seq < most:
        seat = table.to_act[0]
        await host.answer(id_, seat, table.question(seat), dice.choice(table.legal(seat)))
    setup = await store.setup(id_)
    found = setup, await store.seed(id_), await store.deck(setup.header.deck), await store.log(id_)
    await host.rest()
    await store.close()
    return found


def rows(table, templates, numbers, touched):
    """The rows of plan or pace for the tables with these numbers."""
    for number in numbers:
        setup, seed, *_ = templates[number % len(templates)]
        id_ = code(number)
        if table == "plan":
            yield (id_, setup.stage, setup.rev, setup.header.deck, seed, encode(msgspec.structs.replace(setup, id=id_)))
        else:
            yield id_, touched(number)


def _in_a_hurry(db):
    """Write without a journal: whoever opens the file next has one again."""
    for word in ("journal_mode = delete", "journal_mode = off", "synchronous = off"):
        db.execute(f"pragma {word}")


class File:
    """A data folder with its file."""

    def __init__(self, folder):
        self.words, self._file = [], folder / paths.TABLES

    def fill(self, table, found):
        names = ", ".join(COLUMNS[table])
        marks = ", ".join("?" * len(COLUMNS[table]))
        with closing(opened(self._file)) as db:
            _in_a_hurry(db)
            while some := list(islice(found, AT_ONCE)):
                db.execute("begin")
                db.executemany(f"insert into {table} ({names}) values ({marks})", some)
                db.execute("commit")

    def finish(self, decks, played):
        with closing(opened(self._file)) as db:
            _in_a_hurry(db)
            db.executemany("insert or ignore into deck values (?, ?, ?)", decks)
            db.execute("create temp table played (seed, seq, entry, primary key (seed, seq))")
            db.executemany("insert into played values (?, ?, ?)", played)
            db.execute(LOGS)

    def open(self):
        return SQLite(self._file)

    @property
    def size(self):
        return sum(path.stat().st_size for path in self._file.parent.glob(f"{paths.TABLES}*"))


class Server:
    """A PostgreSQL with the tables."""

    def __init__(self, cluster):
        self.address, self._cluster = cluster.database(), cluster
        self.words = ["--database", self.address]
        asyncio.run(Postgres(self.address).close())

    def _connected(self):
        return psycopg.connect(self.address)

    def fill(self, table, found):
        with self._connected() as db:
            copy = f"copy {table} ({', '.join(COLUMNS[table])}) from stdin"
            with db.cursor() as into, into.copy(copy) as out:
                for row in found:
                    out.write_row(row)

    def finish(self, decks, played):
        with self._connected() as db:
            db.cursor().executemany("insert into deck values (%s, %s, %s) on conflict do nothing", decks)
            db.execute("create temp table played (seed bytea, seq integer, entry bytea)")
            db.cursor().executemany("insert into played values (%s, %s, %s)", played)
            db.execute("analyze played")
            db.execute(LOGS)
        self._cluster.sql("vacuum analyze")

    def open(self):
        return Postgres(self.address)

    @property
    def size(self):
        return self._cluster.sql("select pg_database_size('postgres')")[0][0]


async def fill(place, counts):
    """Put all tables into the place."""
    begun, now, dice = time.perf_counter(), time.time(), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        over = [await played(Path(folder), game, seats, 10**6) for game, seats in GAMES.items()]
        runs = [await played(Path(folder), game, seats, OPENED) for game, seats in GAMES.items() if seats > 1]
    made = counts.open + counts.finished
    kinds = (
        (runs, range(counts.open), lambda _: now - DAY * dice.random()),
        (over, range(counts.open, made - counts.old), lambda _: now - 20 * DAY * dice.random()),
        (over, range(made - counts.old, made), lambda _: now - 100 * DAY - DAY * dice.random()),
    )
    for templates, numbers, touched in kinds:
        for table in COLUMNS:
            place.fill(table, rows(table, templates, numbers, touched))
    decks = [(one[0].header.deck, now, one[2]) for one in over + runs]
    logs = [(one[1], seq, entry) for one in over + runs for seq, entry in enumerate(one[3][: counts.entries], 1)]
    place.finish(decks, logs)
    entries = statistics.mean(len(one[3][: counts.entries]) for one in over)
    say("made", f"{made:,} tables, {entries:.0f} entries a finished one, in {time.perf_counter() - begun:.0f} s;"
        f" {place.size / 1e9:.2f} GB")  # fmt: skip


@contextlib.asynccontextmanager
async def serving(folder, place, days):
    """A server that keeps tables for so many days, once it answers; its address, and how long that took."""
    port = free_port()
    words = [str(port), folder, str(days), *place.words[1:]]
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", SERVE, *words], stdout=subprocess.DEVNULL)
    try:
        async with browser(port) as one:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    await one.get("/health")
                    break
                assert process.poll() is None
                await asyncio.sleep(0.02)
        yield port, time.perf_counter() - begun, process
    finally:
        process.terminate()
        process.wait(60)


def browser(port):
    origin = f"http://127.0.0.1:{port}"
    headers = {"accept": "text/html", "origin": origin, "accept-language": "en"}
    return httpx.AsyncClient(base_url=origin, headers=headers, timeout=600, verify=False)


async def timed(ask, pid):
    """Milliseconds of the server's processor, and in all, for the first answer and for those after it."""
    found = []
    for times in (1, *[10] * 3):
        begun, used = time.perf_counter(), cpu(pid)
        for _ in range(times):
            answer = await ask()
            assert answer.status_code < 400, answer.text
        found.append((1e3 * (cpu(pid) - used) / times, 1e3 * (time.perf_counter() - begun) / times))
    return found


def command(*words):
    return subprocess.run(
        [sys.executable, "-m", "spieltisch", *map(str, words)], capture_output=True, text=True, check=True
    ).stdout.strip()


async def look(folder, place):
    """The server's start and its pages."""
    async with serving(folder, place, 400) as (port, took, process):
        say("start", f"{took:.1f} s, {cpu(process.pid):.1f} s of a processor")
        key = command("link", "--data", folder).partition("#")[2]
        metrics = {"authorization": f"Bearer {command('link', '--metrics', '--data', folder)}"}
        async with browser(port) as one:
            assert (await one.post("/host", data={"token": key})).status_code == 303
            for name, url, headers in (
                ("home", "/", {}),
                ("host", "/host", {}),
                ("host, table 900,000", "/host?at=900000", {}),
                ("metrics", "/metrics", metrics),
            ):
                first, *found = await timed(partial(one.get, url, headers=headers), process.pid)
                spent, waited = (statistics.mean(some) for some in zip(*found, strict=True))
                say(name, f"{spent:.0f} ms of the server's processor, {waited:.0f} ms in all; the first"
                    f" {first[0]:.0f} and {first[1]:.0f} ms")  # fmt: skip
        memory = Path(f"/proc/{process.pid}/status").read_text().partition("VmRSS:")[2].split()[0]
        say("memory", f"{int(memory) / 1e3:.0f} MB")


async def forget(place):
    """How long others wait while what is old is forgotten, and while nothing is."""
    store, seq = place.open(), 10**6

    async def wait(work):
        nonlocal seq
        begun, late, waits = time.perf_counter(), [], []

        async def move():
            nonlocal seq
            while not work.done():
                seq, asked = seq + 1, time.perf_counter()
                await store.append(code(0), seq, b"move", None, time.time())
                waits.append(1e3 * (time.perf_counter() - asked))

        moving = asyncio.create_task(move())
        while not work.done():
            asked = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append(1e3 * (time.perf_counter() - asked - 0.001))
        await moving
        told = "; ".join(
            f"{name}: median {statistics.median(found):.0f} ms, p99 {statistics.quantiles(found, n=100)[-1]:.0f},"
            f" longest {max(found):.0f}"
            for name, found in (("a move", waits), ("the loop", late))
        )
        return f"{time.perf_counter() - begun:.1f} s; {told}"

    say("calm", await wait(asyncio.create_task(asyncio.sleep(10))))
    forgetting = asyncio.create_task(store.forget(time.time() - 30 * DAY))
    told = await wait(forgetting)
    say("forgetting", f"{len(await forgetting):,} in {told}")
    await store.close()


async def news(place):
    """What a process asks every two seconds that has all open tables in memory, and what it asked before."""
    store = place.open()
    known = {one.id: (OPENED, one.rev) async for one in store.playing()}
    seen, _ = await store.written_since(None)
    for name, ask in (
        ("news", lambda: store.written_since(seen)),
        ("news, table by table", lambda: store.newer(known)),
    ):
        found = []
        for _ in range(20):
            begun = time.perf_counter()
            await ask()
            found.append(1e3 * (time.perf_counter() - begun))
        say(name, f"{statistics.median(found):.1f} ms of {len(known):,} idle tables")
    await store.close()


def back_up(folder, place):
    begun, file = time.perf_counter(), folder / "copy.zip"
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    command("backup", file, "--data", folder, *place.words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    took = time.perf_counter() - begun
    say("backup", f"{took:.0f} s, {cpu:.0f} s of a processor, {file.stat().st_size / 1e9:.2f} GB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--finished", type=int, default=1_000_000)
    parser.add_argument("--open", type=int, default=10_000)
    parser.add_argument("--old", type=int, default=10_000)
    parser.add_argument("--entries", type=int)
    parser.add_argument("--postgres", action="store_true")
    counts = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        with contextlib.ExitStack() as stack:
            if counts.postgres:
                cluster = postgres.Cluster(postgres.programs(), vacuum=True)
                stack.callback(cluster.close)
                place = Server(cluster)
            else:
                place = File(folder)
            asyncio.run(fill(place, counts))
            asyncio.run(look(folder, place))
            if counts.postgres:
                asyncio.run(news(place))
            asyncio.run(forget(place))
            back_up(folder, place)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
