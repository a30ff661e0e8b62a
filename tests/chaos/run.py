"""Plays at real servers while they fail, and judges what came of it: `make chaos`, or `python -m chaos.run --help`."""

import argparse
import asyncio
import contextlib
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import uvloop

import postgres
import valkey
from chaos import checker
from chaos.clients import Page, Program
from chaos.faults import FAULTS
from chaos.history import History
from chaos.proxy import Proxy
from chaos.servers import TOYS, Server
from chaos.witness import witness
from spieltisch import games
from spieltisch.table.host import Host
from spieltisch.table.log import Chair, key_of
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
from spieltisch.web.services import PATIENCE

GAMES = ("adaman", "anno-domini", "hic-haec-hoc", "trailblaze")
QUIET = 4.0  # seconds in which bots and clocks end what people began
STAND = checker.STAND + 5.0


class Run:
    """One run: servers on one store, people, faults. `async with` starts it, and ends all that it started."""

    def __init__(self, asked, folder, cluster=None, wake=None):
        self.asked, self.folder, self.cluster = asked, Path(folder), cluster
        self.wake = wake  # a Valkey that can be killed
        self.dice = random.Random(asked.seed)
        self.history = History(self.folder / "history.jsonl")
        self.counts: Counter[str] = Counter()
        self.odd: list[str] = []  # what is wrong by itself
        self.lag = 0.0
        self.proxies: dict[str, Proxy] = {}
        self.people: list[Program | Page] = []
        self.opened: list[str] = []
        self.data = self.folder / "data"
        self.data.mkdir()
        self.where = str(self.data / "tables.sqlite") if cluster is None else cluster.database()
        count = 1 if cluster is None else asked.processes
        self.servers = [self._server(f"p{n}") for n in range(count)]
        self.doors = self.servers  # where people knock

    @property
    def longest(self):
        """Seconds that a long fault takes at most: mostly few, so that there are many; now and then longer than a
        claim holds.
        """
        return 12.0 if self.asked.seconds >= 60 and self.dice.random() < 0.15 else 3.0

    @property
    def pages(self):
        return [one for one in self.people if isinstance(one, Page)]

    def _server(self, name):
        database = None
        if self.cluster is not None:
            between = self.folder / name
            between.mkdir()
            socket = ".s.PGSQL.5432"
            self.proxies[name] = Proxy(between / socket, self.cluster.folder / socket)
            database = self.where.replace(str(self.cluster.folder), str(between))
        more = {"plant": self.asked.plant, "wake": self.wake.address if self.wake else ""}
        return Server(name, self.folder, data=self.data, database=database, **more)

    def another(self, server):
        """One more on the same folder."""
        return Server("second", self.folder, data=server.data, database=server.database)

    async def sql(self, statement):
        return await asyncio.to_thread(self.cluster.sql, statement)

    def store(self):
        if self.cluster is None:
            return SQLite(self.where)
        from spieltisch.table.store.postgres import Postgres

        return Postgres(self.where)

    async def __aenter__(self):
        try:
            await self._start()
        except BaseException:  # else those that have started would stay
            await self.__aexit__()
            raise
        return self

    async def _start(self):
        for proxy in self.proxies.values():
            await proxy.start()
        store = self.store()
        for n in range(self.asked.tables):
            await self._seat(Host(store, Hub()), n)
        await store.close()
        await asyncio.gather(*(server.start() for server in self.servers))

    async def __aexit__(self, *_):
        for one in self.people:
            await one.close()
        for server in self.servers:
            if server.process is not None:
                server.signal(18)  # SIGCONT
                await server.kill()
        for proxy in self.proxies.values():
            await proxy.close()
        self.history.close()

    async def _seat(self, host, n):
        """A table of whispers: two people and now and then a bot, now and then with a clock; people of both kinds."""
        tokens = [secrets.token_urlsafe(16) for _ in range(3)]
        setup = await host.open("whispers", 3, owner_key=key_of(tokens[0]))
        seconds = {"turn_seconds": 2.0, "answer_seconds": 2.0} if n % 4 == 1 else {}
        seconds = seconds or {"turn_seconds": None, "answer_seconds": None}
        from msgspec.structs import replace

        await host.change(setup.id, lambda old: replace(old, **seconds))
        bots = {2} if n % 4 == 2 else set()
        for seat, token in enumerate(tokens):
            chair = Chair("Nova", "bot") if seat in bots else Chair(f"P{seat}", "person", key_of(token))
            await host.replace(setup.id, seat, chair)
        await host.start(setup.id)
        self.opened.append(setup.id)
        for seat in {0, 1, 2} - bots:
            kind = Program if seat == n % 3 or seat == 0 else Page
            rest = 0.0 if n % 4 != 1 else self.dice.choice((0.1, 4.0))  # some keep the clock waiting
            self._come(kind, setup.id, seat, tokens[seat], rest + self.asked.rest)

    def _come(self, kind, table, seat, token, rest):
        """Somebody comes to a seat."""
        more = {"name": f"{table}-{seat}", "rest": rest, "again": self.asked.again}
        self.people.append(kind(self.history, self.doors, table, seat, token, **more))

    async def _solo(self, game):
        """Somebody who opens tables with bots, and plays there until they are over."""
        number = 0
        while not self.stopped.is_set():
            number += 1
            opener = Program(self.history, self.servers, "", 0, "", name=f"{game}-{number}", rest=0.1)
            opened = await opener.ask(opener.server(), "POST", "/play", json={"game": game})
            await opener.close()
            if opened is None or opened.status_code != 201:
                await asyncio.sleep(0.3)
                continue
            said = opened.json()
            name = f"{game}-{number}"
            one = Program(self.history, self.servers, said["table"], said["seat"], said["token"], name=name, rest=0.1)
            if self.stopped.is_set():
                return
            self.people.append(one)
            self.opened.append(said["table"])
            await one.play()

    async def _measure(self):
        """How late this process itself is: the machine is busy, and nobody's fault."""
        while True:
            begun = time.monotonic()
            await asyncio.sleep(0.1)
            self.lag = max(self.lag, time.monotonic() - begun - 0.1)

    async def play(self):
        """Everybody plays while faults come and go; then all heals, and everybody looks once more."""
        self.stopped = asyncio.Event()
        await self._levels(final=False)
        measuring = asyncio.create_task(self._measure())
        playing = [asyncio.create_task(one.play()) for one in self.people]
        solo = [asyncio.create_task(self._solo(game)) for game in GAMES[: self.asked.solo]]
        await self._faults()
        self.stopped.set()
        for one in self.people:
            one.moving = False
        await self._answered()
        await asyncio.sleep(QUIET)
        self.history.note("end")
        await self._stand()
        await asyncio.wait([*playing, *solo], timeout=1)  # programs go when the table pauses
        for task in (*playing, *solo, measuring):
            task.cancel()
        for ended in await asyncio.gather(*playing, *solo, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
        for one in self.people:
            await one.close()
            self.odd += one.errors
        await self._gone()
        await self._levels(final=True)
        for server in self.servers:
            if server.process.returncode is not None:
                self.odd.append(f"{server.name} died: {server.said.read_text(encoding='utf-8')[-1000:]}")

    async def _answered(self):
        """Wait until everybody's last move has been answered, or given up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(40):
                while any(one.waits for one in self.people):
                    await asyncio.sleep(0.05)

    async def _faults(self):
        """One fault after the other, each kind as often as the others."""
        store = "sqlite" if self.cluster is None else "postgres"
        there = {store, "wake"} if self.wake else {store}
        kinds = [one for one, stores in FAULTS.values() if there & {*stores}]
        if self.asked.faults is not None:
            kinds = [FAULTS[name][0] for name in self.asked.faults]
        until, left = time.monotonic() + self.asked.seconds, []
        while time.monotonic() < until:
            await asyncio.sleep(self.dice.uniform(0.1, 0.6))
            if kinds:
                left = left or self.dice.sample(kinds, len(kinds))
                await left.pop()(self)

    async def _stand(self):
        """Owners pause their tables, so that nothing moves; then everybody looks until they see the newest entry."""
        owners = {one.table: one for one in self.people if isinstance(one, Program) and one.seat == 0}
        await asyncio.gather(*(one.pause() for one in owners.values()))
        store = self.store()
        newest = {table: len(await store.log(table)) for table in self.opened}
        await store.close()

        async def stand(one):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STAND):
                    await one.stand(newest[one.table])
                    return
            one.note("picture", seat=one.seat, seq=one.seen, after=one.seen, final=True)

        await asyncio.gather(*(stand(one) for one in self.people))

    async def _gone(self):
        """Wait until no process holds anybody any more: a program that goes while it waits for news is noticed when its
        time is up.
        """
        until = time.monotonic() + PATIENCE + 5.0
        for server in self.servers:
            held = await server.held()
            while held["listeners"] + held["watchers"] and time.monotonic() < until:
                await asyncio.sleep(0.2)
                held = await server.held()

    async def _levels(self, *, final):
        for server in self.servers:
            held = await server.held()
            if not self.asked.memory:
                del held["memory"]
            for what, value in held.items():
                self.history.note("level", process=server.name, what=what, value=value, final=final)

    async def judge(self):
        """What the checker finds."""
        store = self.store()
        logs = {table: await witness(store, self.where, table) for table in self.opened}
        await store.close()
        logs = {table: log for table, log in logs.items() if log is not None}
        self.entries = sum(len(log.numbers) for log in logs.values())
        found = checker.check(self.history.events, logs, slack=self.lag + 1.0)
        if self.odd:
            found["odd"] = self.odd
        return found

    def told(self):
        """The figures, in lines."""
        ops = Counter(op.kind for op in checker.Case(self.history.events, {}).ops.values())
        pictures = sum(event.kind == "picture" for event in self.history.events)
        yield f"faults: {self.counts.total()} ({', '.join(f'{n} {what}' for what, n in sorted(self.counts.items()))})"
        yield f"moves: {', '.join(f'{n} {kind}' for kind, n in sorted(ops.items()))}; {self.entries} entries"
        yield f"people: {len(self.people)} at {len(self.opened)} tables, {pictures} pictures; lag {self.lag:.2f} s"


def arguments(words=None):
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="for which faults come and go")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--processes", type=int, default=2, help="on one PostgreSQL")
    parser.add_argument("--wake", action="store_true", help="hints go by a Valkey, which fails, too")
    parser.add_argument("--tables", type=int, default=8, help="of whispers, a game that never ends")
    parser.add_argument("--solo", type=int, default=len(GAMES), help="people who play the other games with bots")
    parser.add_argument("--rest", type=float, default=0.0, help="seconds that people wait between moves")
    parser.add_argument("--again", type=float, default=0.1, help="how often a move is sent several times at once")
    parser.add_argument("--seed", type=int, default=1, help="of the faults' order")
    parser.add_argument("--faults", nargs="*", choices=FAULTS, help="only these; none where none is named")
    parser.add_argument("--plant", default="", help="a planted fault: see chaos/planted.py")
    parser.add_argument("--memory", action="store_true", help="look at the servers' memory, too (for long runs)")
    parser.add_argument("--keep", type=Path, help="folder in which history and logs are kept")
    return parser.parse_args(words)


def with_toys():
    """Let this process know the game that is played under faults."""
    if str(TOYS) not in games.__path__:
        games.__path__.append(str(TOYS))
        games.packages.cache_clear()


async def judged(asked, tell=lambda line: None):
    """One run; by condition what is broken."""
    with_toys()
    with contextlib.ExitStack() as held:
        folder = asked.keep or held.enter_context(tempfile.TemporaryDirectory(prefix="chaos-"))
        Path(folder).mkdir(exist_ok=True)
        cluster = None
        if asked.store == "postgres":
            cluster = postgres.Cluster(postgres.programs())
            held.callback(cluster.close)
        wake = None
        if asked.wake:
            wake = valkey.Valkey()
            held.callback(wake.close)
        async with Run(asked, folder, cluster, wake) as run:
            begun = time.monotonic()
            await run.play()
            found = await run.judge()
            tell(f"store: {asked.store}, processes: {len(run.servers)}, {time.monotonic() - begun:.0f} s in all")
            for line in run.told():
                tell(line)
    return found


async def main(asked):
    found = await judged(asked, print)
    for condition, broken in found.items():
        print(f"BROKEN {condition}: {len(broken)} times")
        print(*(f"    {one}" for one in broken[:10]), sep="\n")
    print("broken" if found else "in order", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(uvloop.run(main(arguments())))
