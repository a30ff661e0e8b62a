"""Plays on real servers while they fail, and judges the result: `make chaos`, or `python -m chaos.run --help`."""

import argparse
import asyncio
import contextlib
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import uvloop

import pgbouncer
import postgres
import valkey
from chaos import former, front
from chaos.clients import WAIT
from chaos.faults import FAULTS
from chaos.history import History
from chaos.http import Client
from chaos.judge import Verdict, judge
from chaos.proxy import Proxy
from chaos.servers import TOYS, Nursery, Server
from chaos.tables import Tables, ended
from ports import free_port
from spieltisch import games
from spieltisch.table.log import tag
from spieltisch.table.store.sqlite import SQLite
from spieltisch.web.core.services import PATIENCE

ROLE = "players"  # the servers' role in the database
PROXY = "127.0.0.1"  # a proxy's address
GAMES = ("adaman", "anno-domini", "hic-haec-hoc", "trailblaze")
HANDS = 2  # faults in servers at the same time
CALM = 0.25  # seconds of calm for each fault of a round, since delays show only without faults
QUIET = 8.0  # seconds for bots and clocks to finish what people began; less would show no turn that is held for ever
READY = 3.0  # seconds for an answer about readiness
TMP = 2**20  # bytes for servers' temporary files
LOG = 4_000  # characters from the end of a server's log, shown for a violation


class Run(Tables):
    """One run: servers on one store, people, faults. `async with` starts it, and ends everything that it started."""

    def __init__(self, asked, folder, cluster=None, wake=None, pooler=None):
        self.folder, self.cluster = Path(folder), cluster
        super().__init__(asked, random.Random(asked.seed), History(self.folder / "history.jsonl"))
        self.wake, self.pooler = wake, pooler  # a Valkey and a PgBouncer that can be killed
        self.counts: Counter[str] = Counter()
        self.lag = 0.0
        self.proxies: dict[str, Proxy] = {}
        self.places: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # where something fails
        self.data = self.folder / "data"
        self.data.mkdir()
        self.where = str(self.data / "tables.sqlite") if cluster is None else cluster.database()
        count = 1 if cluster is None else asked.processes
        self.passwords, self._password = self.folder / "passwords", "at first"
        if cluster is not None:
            cluster.make_role(ROLE, self._password)
            self.tell_password()
        if pooler:  # it passes no schema on
            cluster.sql(f"alter database postgres set search_path = {self.schema}")
        self.tmp = self._mounted() if self._wants("tmp_full") else None
        self.nursery = Nursery(tmp=self.tmp)
        self.former = self.oldest = None  # nurseries of former versions: with this data format, and with the one before
        self._find_former()
        self.servers = [self._server(f"p{n}") for n in range(count)]
        self.front = front.Front() if asked.front and front.program() else None
        self.doors = [self.front] if self.front else self.servers  # the addresses that people use
        if self.front:
            self.patience = (WAIT,)

    def _server(self, name):
        database = None
        if self.cluster is not None:
            database = self._line(name)
        more = {"plant": self.asked.plant, "wake": self.wake.address if self.wake else "", "loop": self.asked.loop}
        more["proxy"] = PROXY if self.asked.front else ""
        nursery = self.oldest or self.nursery
        return Server(name, self.folder, nursery, data=self.data, database=database, **more)

    def proxied(self):
        """The proxy that this run needs, while this is open."""
        if self.front is None:
            return contextlib.nullcontext()
        return self.front.running(self.servers, self.folder, looks=self.asked.plant != "never_ask_a_server")

    def _wants(self, fault):
        return self.asked.faults is None or fault in self.asked.faults

    def _mounted(self):
        """A small disk for the servers' temporary files; None if this user may not mount one."""
        place = self.folder / "tmp"
        place.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={TMP},mode=1777", "tmpfs", place]
        with contextlib.suppress(OSError):
            if subprocess.run(words, capture_output=True, check=False).returncode == 0:
                return place
        return None

    def _find_former(self):
        """The former versions that this run needs."""
        wants_same = self._wants("program_changed")
        commit = former.commit_of_format() if wants_same or self.asked.old else ""
        if commit and wants_same:
            self.former = Nursery(former.program(commit, self.folder / "former"), self.tmp)
        if commit and self.asked.old:
            self.oldest = Nursery(former.program(f"{commit}^", self.folder / "oldest"), self.tmp)

    def change_password(self):
        """Give the servers' role another password, which they do not know yet."""
        self._password = f"{self.dice.randrange(10**12)}"
        self.cluster.change_password(ROLE, self._password)

    def tell_password(self):
        """Write the password where the servers look for it, as in docs/hosting.md."""
        self.passwords.touch(mode=0o600)
        self.passwords.write_text(f"*:*:*:{ROLE}:{self._password}\n")

    def _line(self, name):
        """The database's address for this server, through a proxy; as the servers' role, unless a pooler has it."""
        line = self._through_proxy(name)
        if self.pooler:
            return line
        return line.replace(f"//{self.cluster.user}@", f"//{ROLE}@") + f"&passfile={self.passwords}"

    def _through_proxy(self, name):
        if self.asked.line == "tcp":
            port = free_port()
            there = 5432 if self.pooler is None else self.pooler.port
            self.proxies[name] = Proxy(("127.0.0.1", port), (self.cluster.address, there))
            return self.where.replace(f"host={self.cluster.folder}", f"host=127.0.0.1&port={port}")
        between = self.folder / name
        between.mkdir()
        socket = ".s.PGSQL.5432"
        there = self.cluster.folder / socket if self.pooler is None else self.pooler.socket
        self.proxies[name] = Proxy(str(between / socket), str(there))
        return self.where.replace(str(self.cluster.folder), str(between))

    @property
    def schema(self):
        """The schema of the tables in the database."""
        return self.where.rpartition("%3D")[2]

    def entries(self, ask):
        """The number of entries of each table, through this connection."""
        counted = f"select plan.id, count(seq) from {self.schema}.plan left join {self.schema}.log using (id)"
        return dict(ask(f"{counted} group by plan.id"))

    def lose(self, kept, before):
        """Note for each table that the database now has only these entries; nobody knows what else there was."""
        self.losses += 1
        for table in self.opened:
            self.history.note("lost", table=table, seq=kept.get(table, 0), what="promoted")
        for one in self.people:
            one.lossy = True
        for table in {*before, *self.opened}:
            if not kept.get(table):  # its deal is lost, or everything
                self.give_up(table)

    def another(self, server):
        """Start another server on the same folder."""
        return Server("second", self.folder, self.nursery, data=server.data, database=server.database)

    async def sql(self, statement):
        return await asyncio.to_thread(self.cluster.sql, statement)

    def _store(self):
        if self.cluster is None:
            return SQLite(self.where)
        from spieltisch.cluster.postgres import Postgres

        return Postgres(self.where)

    async def __aenter__(self):
        try:
            await self._start()
        except BaseException:  # otherwise those that have started would remain
            await self.__aexit__()
            raise
        return self

    async def _start(self):
        for nursery in self._nurseries():
            await nursery.start()
        for proxy in self.proxies.values():
            await proxy.start()
        if self.oldest:  # it does not start on tables of this version
            await asyncio.gather(*(server.start() for server in self.servers))
        self.store = self._store()
        self.sitting = [await self._seat(n) for n in range(self.asked.tables)]
        if not self.oldest:
            await asyncio.gather(*(server.start() for server in self.servers))

    def _nurseries(self):
        return filter(None, (self.nursery, self.former, self.oldest))

    async def __aexit__(self, *_):
        for one in self.people:
            await one.close()
        for server in self.servers:
            if server.process is not None:
                server.signal(18)  # SIGCONT
                await server.kill()
        for nursery in self._nurseries():
            await nursery.close()
        for proxy in self.proxies.values():
            await proxy.close()
        if self.store is not None:
            await self.store.close()
        if self.tmp is not None:
            subprocess.run(["umount", self.tmp], capture_output=True, check=False)
        self.history.close()

    async def _measure(self):
        """Measure this process's own delay, which shows how busy the machine is."""
        while True:
            begun = time.monotonic()
            await asyncio.sleep(0.1)
            self.lag = max(self.lag, time.monotonic() - begun - 0.1)

    async def _ask(self):
        """Ask each server for its readiness, as a proxy does."""
        client = Client("127.0.0.1")
        try:
            while True:
                for server in self.servers:
                    pid = server.pid
                    with contextlib.suppress(OSError):
                        answer = await client.ask(server.port, "GET", "/ready", seconds=READY)
                        if server.up.is_set() and server.pid == pid:
                            self.history.note("ready", process=server.name, value=float(answer.status == 200))
                await asyncio.sleep(0.5)
        finally:
            client.close()

    async def play(self):
        """Let everybody play while faults come and go; then everything heals, and everybody looks once more."""
        await self._levels(final=False)
        measuring = [asyncio.create_task(self._measure()), asyncio.create_task(self._ask())]
        playing = [asyncio.create_task(self._evening(n, people)) for n, people in enumerate(self.sitting)]
        solo = [asyncio.create_task(self._solo(game)) for game in GAMES[: self.asked.solo]]
        try:
            await self._faults()
            self.stopped.set()
            for one in self.people:
                one.moving = False
            await self._answered()
            await asyncio.sleep(self.asked.quiet)
            self.history.note("end")
            await self._stand()
            await asyncio.wait([*playing, *solo], timeout=1)  # programs stop when the table pauses
        finally:
            await ended([*measuring, *playing, *solo])
        self.sat = len(self.people)
        await self._leave([*self.people])
        await self._gone()
        await self._levels(final=True)
        for server in self.servers:
            if server.process.returncode is not None:
                self.odd.append(f"{server.name} died: {server.said.read_text(encoding='utf-8')[-1000:]}")

    async def _faults(self):
        """Rounds of faults: each kind once, in random order, sometimes two at once; then calm for a while."""
        store = "sqlite" if self.cluster is None else "postgres"
        there = {store, "wake"} if self.wake else {store}
        there |= {"front"} if self.front else set()
        there |= {"pooler"} if self.pooler else set()
        there |= {"old"} if self.oldest else set()
        kinds = [one for one, stores in FAULTS.values() if there & {*stores}]
        if self.asked.faults is not None:
            kinds = [FAULTS[name][0] for name in self.asked.faults]
        until = time.monotonic() + self.asked.seconds

        async def hand(left):
            while left and time.monotonic() < until:
                fault = left.pop()
                await asyncio.sleep(self.dice.uniform(0.0, 0.3))
                await fault(self)

        while (now := time.monotonic()) < until:
            left = self.dice.sample(kinds, len(kinds))
            async with asyncio.TaskGroup() as hands:
                for _ in range(HANDS):
                    hands.create_task(hand(left))
            await asyncio.sleep(min(CALM * len(kinds) or until - now, max(until - time.monotonic(), 0.0)))

    async def _gone(self):
        """Wait until no process holds a listener. A program that left while it waited for news is noticed at its
        timeout.
        """
        until = time.monotonic() + PATIENCE + 5.0
        for server in self.servers:
            held = await server.held()
            while held["listeners"] + held["watchers"] and time.monotonic() < until:
                await asyncio.sleep(0.5)
                held = await server.held()

    async def _levels(self, *, final):
        for server in self.servers:
            held = await server.held()
            if not self.asked.memory:
                del held["memory"]
            for what, value in held.items():
                self.history.note("level", process=server.name, what=what, value=value, final=final)

    async def judge(self):
        """The checker's findings, and the figures."""
        verdict = await judge(self.store, self.where, self.history.events, self.opened, slack=self.lag + 1.0)
        verdict.faults = self.counts
        lost = {tag(event.table) for event in self.history.events if event.kind == "lost"}
        named = [f"table {one}{said}" for one in lost for said in (" is damaged", ": entry ")]  # by a former one
        for server in self.servers:
            self.odd += [error for error in server.errors() if not any(words in error for words in named)]
        if self.odd:
            verdict.found["odd"] = self.odd
        return verdict

    def told(self, verdict):
        """The figures, in lines."""
        yield from verdict.told()
        yield f"tables: {len(self.opened)}, {self.sat} people at once; lag {self.lag:.2f} s"
        if self.asked.front and not self.front:
            yield f"without a proxy: {front.NEEDED}"
        if self.tmp is None and self._wants("tmp_full"):
            yield "/tmp was not filled: only root can mount a small one"
        if self.asked.old and not self.oldest:
            yield "no update was tried: the history of the program is missing"
        for server in self.servers if verdict.found else ():
            yield f"-- the end of what {server.name} said"
            yield server.said.read_text(encoding="utf-8", errors="replace")[-LOG:]


def arguments(words=None):
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="for which faults come and go")
    parser.add_argument("--quiet", type=float, default=QUIET, help="seconds after that, for bots and clocks")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--processes", type=int, default=2, help="on one PostgreSQL")
    parser.add_argument("--wake", action="store_true", help="hints go by a Valkey, which fails, too")
    parser.add_argument("--front", action="store_true", help="the documented proxy stands before the servers")
    parser.add_argument("--pooler", action="store_true", help="a PgBouncer, which fails, stands before PostgreSQL")
    parser.add_argument("--old", action="store_true", help="servers begin as the last version with other tables")
    parser.add_argument("--line", choices=("tcp", "socket"), default="tcp", help="to the database")
    parser.add_argument("--loop", choices=("uvloop", "asyncio"), default="uvloop", help="of the servers")
    parser.add_argument("--tables", type=int, default=8, help="of whispers, one game after the other")
    parser.add_argument("--solo", type=int, default=len(GAMES), help="people who play the other games with bots")
    parser.add_argument("--rest", type=float, default=0.0, help="seconds that people wait between moves")
    parser.add_argument("--sticky", action="store_true", help="people stay with one server, as behind some proxies")
    parser.add_argument("--again", type=float, default=0.1, help="how often a move is sent several times at once")
    parser.add_argument("--seed", type=int, default=1, help="of the faults' order")
    parser.add_argument("--faults", nargs="*", choices=FAULTS, help="only these; none where none is named")
    parser.add_argument("--plant", default="", help="a planted fault: see chaos/planted.py")
    parser.add_argument("--memory", action="store_true", help="look at the servers' memory, too (for long runs)")
    parser.add_argument("--keep", type=Path, help="folder in which history and logs are kept")
    return parser.parse_args(words)


def with_toys():
    """Register the game for faults in this process."""
    if str(TOYS) not in games.__path__:
        games.__path__.append(str(TOYS))
        games.packages.cache_clear()


async def judged(asked, tell=lambda line: None) -> Verdict:
    """Play one run and judge it."""
    with_toys()
    with contextlib.ExitStack() as held:
        folder = asked.keep or held.enter_context(tempfile.TemporaryDirectory(prefix="chaos-"))
        Path(folder).mkdir(exist_ok=True)
        cluster = None
        if asked.store == "postgres":
            cluster = postgres.Cluster(postgres.programs(), vacuum=True)
            held.callback(cluster.close)
        pooler = None
        if asked.pooler and pgbouncer.program() is None:
            tell(f"without a pooler: {pgbouncer.NEEDED}")
        elif asked.pooler:
            pooler = pgbouncer.PgBouncer(cluster)
            held.callback(pooler.close)
        wake = None
        if asked.wake:
            wake = valkey.Valkey()
            held.callback(wake.close)
        async with Run(asked, folder, cluster, wake, pooler) as run:
            begun = time.monotonic()
            with run.proxied():
                await run.play()
            played = time.monotonic()
            verdict = await run.judge()
            tell(
                f"store: {asked.store}, processes: {len(run.servers)}; played for {played - begun:.0f} s,"
                f" judged in {time.monotonic() - played:.0f} s"
            )
            for line in run.told(verdict):
                tell(line)
    for condition, broken in verdict.found.items():
        tell(f"BROKEN {condition}: {len(broken)} times")
        for one in broken[:10]:
            tell(f"    {one}")
    return verdict


async def main(asked):
    verdict = await judged(asked, print)
    print("broken" if verdict.found else "in order", flush=True)
    return 1 if verdict.found else 0


if __name__ == "__main__":
    sys.exit(uvloop.run(main(arguments())))
