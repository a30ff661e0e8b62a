"""Several hosts on one store, as several processes on one database: Hypothesis orders what each does, step by step.

Every call of a store waits until a rule lets it through, refuses it, or lets it do its work and loses the answer. Hints
come when a rule delivers them, twice, or never; hosts crash; callers leave. A longer search than that of each day:
`pytest tests/table/test_several_hosts.py --hypothesis-profile long`.
"""

import asyncio
import contextlib
import itertools
import secrets
import tempfile
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from matrix import many
from spieltisch import games
from spieltisch.cluster.peers import Peers
from spieltisch.game import Refused
from spieltisch.table import lobby
from spieltisch.table.host import Host
from spieltisch.table.log import Chair, read_entry
from spieltisch.table.session import TableSession
from spieltisch.table.store import Unsaved, sqlite
from spieltisch.table.wake import Hub

cluster = pytest.importorskip("spieltisch.cluster.cluster", reason="needs the extra postgres")

pytestmark = pytest.mark.slow

HOSTS = 3
LEASE = 10.0
ROUNDS = 25  # of the loop, after which nothing goes on by itself any more
GAMES: dict[str, tuple[Literal["person", "bot"], ...]] = {"bids": ("person", "person", "bot"), "climb": ("person",)}
pick = st.integers(0, 23)
process = st.integers(0, HOSTS - 1)


class Line:
    """What one process has of the store: each call waits at a gate of its own."""

    shared = True
    process = ""

    def __init__(self, store, done):
        self.waiting = []  # (gate, name, whether it is over)
        self.failures = 0
        self._store, self._done = store, done

    async def names(self, _):
        return ()

    async def written_since(self, seen):
        """It is not known: all tables are asked about."""
        return seen, None

    async def release(self, processes):
        """Claims end by themselves here."""

    def __getattr__(self, name):
        work = getattr(self._store, name)

        async def gated(*given, **more):
            loop = asyncio.get_running_loop()
            gate, over = loop.create_future(), loop.create_future()
            self.waiting.append((gate, over))
            try:
                how = await gate
                self.failures += how != "done"
                if how == "refused":
                    raise Unsaved
                done = await work(*given, **more)
                self._done(self, name, given, done)
                if how == "lost":
                    raise Unsaved
                return done
            finally:
                over.set_result(None)

        return gated


class Process:
    """A host, what it hears of others, and what is under way there."""

    def __init__(self, machine):
        self.line: Any = Line(machine.store, machine.done)
        self.host = Host(self.line, Hub(), clock=lambda: machine.now, pause=lambda: 1.0)
        self.beside = cluster.Cluster(self.host, self.line, Peers(), hints=SimpleNamespace())
        self.tasks, self.hints = [], []
        self.stood = {}  # by table what was here when somebody last looked

    def crash(self):
        for task in self.tasks:
            task.cancel()
        for gate, _ in self.line.waiting:
            gate.cancel()


class Op:
    """An answer or an undo that somebody has sent."""

    def __init__(self, machine, table, seat, question, action, by="seat"):
        self.table, self.by = table, by
        self.seat, self.question, self.action = seat, question, action
        self.after = machine.acknowledged.get(table, 0)  # what stood there for sure
        self.outcome = "unknown"

    @property
    def what(self):
        return self.table, self.seat, self.question

    async def run(self, machine, host):
        try:
            if self.action == "undo":
                self.outcome = await host.undo(*self.what)
            else:
                self.outcome = await host.answer(*self.what, self.action, self.by)
        except Unsaved:  # it may stand there, or not
            return
        except Refused:
            self.outcome = "refused"
        if self.outcome == "taken" and self.table not in machine.gone:
            seq = 1 + (await machine.log(self.table)).whats.index((self.what, self.action))
            machine.acknowledged[self.table] = max(machine.acknowledged.get(self.table, 0), seq)
            assert (await host.table(self.table)).seq >= seq


class Played:
    """A table's log, and what the rules make of it."""

    def __init__(self, session):
        self.session = session
        self.whats = []  # of each entry (table, seat, question) and the action
        self.states = []

    def follow(self, body):
        session, entry = self.session, read_entry(body)
        if session.position is None:
            self.whats.append(None)
        else:
            action = "undo" if entry.undo else session.action(entry)
            self.whats.append(((session.setup.id, entry.seat, session.position.since[entry.seat]), action))
        assert session.follow([body]), "a log that the rules do not follow"
        self.states.append(session.position.state)


class SeveralHosts(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
        self.store = sqlite.SQLite(Path(self.folder.name) / "tables")
        self.now = 1000.0
        self.ops, self.tables, self.gone = [], [], set()
        self.acknowledged = {}  # by table the newest entry that somebody was told of
        self.touched, self.claimed = {}, {}
        self.played = {}
        self.processes = [Process(self) for _ in range(HOSTS)]

    def run(self, work):
        return self.loop.run_until_complete(work)

    async def settle(self):
        for _ in range(ROUNDS):
            await asyncio.sleep(0)

    def begin(self, one, work, *, quick=False):
        """Somebody begins something at a process, as far as it comes; to its end where the process is quick."""

        async def begun():
            one.tasks = [task for task in one.tasks if not task.done()]
            one.tasks.append(asyncio.ensure_future(_heard(work)))
            await self.settle()
            if quick:
                await self.finish(one.line.waiting)

        self.run(begun())

    def done(self, line, name, given, done):
        """The store has done this: others are told, as PostgreSQL's store lets its cluster do."""
        if name == "claim":
            for table, until in done.items():
                before, touched = self.claimed.get(table, (0.0, -1))
                assert before <= self.now or touched != self.touched.get(table, 0), "two have claimed the same turn"
                self.claimed[table] = (until, self.touched.get(table, 0))
        elif name in {"append", "save", "delete"}:
            table, seq = given[0].id if name == "save" else given[0], given[1] if name == "append" else 0
            self.touched[table] = self.touched.get(table, 0) + 1  # who held a claim there holds it no more
            if name == "delete":
                self.gone.add(table)
            if done or name == "delete":
                for other in self.processes:
                    if other.line is not line:
                        other.hints.append(f"#other,{table} {seq}")

    async def log(self, table):
        """The log as it is stored, and by the rules."""
        if table not in self.played:
            setup = await self.store.setup(table)
            assert setup is not None
            assert setup.header is not None
            deck = await self.store.deck(setup.header.deck)
            package = games.package(setup.game)
            self.played[table] = Played(TableSession(package, setup, await self.store.seed(table), deck))
        played = self.played[table]
        for body in await self.store.log(table, len(played.whats)):
            played.follow(body)
        return played

    async def stood(self, tables):
        """Of those of these tables that there are the newest entry and the revision of the setup, as stored."""
        setups = {table: await self.store.setup(table) for table in tables}
        return {table: (len(await self.store.log(table)), one.rev) for table, one in setups.items() if one is not None}

    def table(self, n):
        return self.tables[n % len(self.tables)]

    async def open(self, host, game):
        setup = await host.open(game, len(GAMES[game]))
        for seat, kind in enumerate(GAMES[game]):
            await host.replace(setup.id, seat, Chair(f"{kind} {seat}", kind))
        await host.start(setup.id)
        self.tables.append(setup.id)

    # What people do

    @initialize()
    def first_tables(self):
        for game in GAMES:
            self.run(self.open(Host(self.store, Hub(), clock=lambda: self.now, pause=lambda: 1.0), game))
        for one, table in itertools.product(self.processes, self.tables):
            self.begin(one, one.host.table(table), quick=True)

    @rule(n=process, game=st.sampled_from([*GAMES]))
    def another_table(self, n, game):
        self.begin(self.processes[n], self.open(self.processes[n].host, game))

    @rule(n=process, table=pick, quick=st.booleans())
    def look(self, n, table, quick):
        """A page comes, perhaps from another process."""
        one, table = self.processes[n], self.table(table)

        async def shown(known):
            found = await one.host.latest(table)
            assert found.seq >= known or table in self.gone, f"shown {found.seq}, {known} had been acknowledged"

        self.begin(one, shown(self.acknowledged.get(table, 0)), quick=quick)

    @rule(n=process, table=pick, seat=pick, action=pick, to=process, quick=st.booleans())
    def answer(self, n, table, seat, action, to, quick):
        """Somebody answers what one process shows, perhaps at another one."""
        known = self.processes[n].host.memory.known(self.table(table))
        if known is None or not known.to_act:
            return
        seat = known.to_act[seat % len(known.to_act)]
        legal = known.legal(seat)
        self.send(to, Op(self, known.id, seat, known.question(seat), legal[action % len(legal)]), quick)

    @rule(n=process, table=pick, quick=st.booleans())
    def undo(self, n, table, quick):
        known = self.processes[n].host.memory.known(self.table(table))
        if known is not None and known.can_undo:
            self.send(n, Op(self, known.id, 0, known.question(0), "undo"), quick)

    @precondition(lambda self: self.ops)
    @rule(n=process, op=pick, quick=st.booleans())
    def again(self, n, op, quick):
        """The same is sent once more, perhaps to another process."""
        op = self.ops[-1 - op % len(self.ops)]
        self.send(n, Op(self, *op.what, op.action, op.by), quick)

    def send(self, n, op, quick):
        self.ops.append(op)
        self.begin(self.processes[n], op.run(self, self.processes[n].host), quick=quick)

    @rule(n=process, table=pick)
    def pause(self, n, table):
        """A change of the setup."""
        change = self.processes[n].host.change
        self.begin(self.processes[n], change(self.table(table), lambda old: replace(old, paused=not old.paused)))

    @precondition(lambda self: len(self.ops) > 5 and len(self.tables) - len(self.gone) > 2)
    @rule(n=process, table=pick)
    def delete(self, n, table):
        self.begin(self.processes[n], self.processes[n].host.delete(self.table(table)))

    @rule(n=process, quick=st.booleans())
    def bot(self, n, quick):
        """A process claims due turns and answers them."""
        one = self.processes[n]

        async def play():
            for id_ in await one.line.claim(8, LEASE, self.now, self.tables):
                table = await one.host.table(id_)
                for turn in [due for due in table.turns if due.by == "bot"][:1]:
                    if (legal := table.legal(turn.seat)) and table.question(turn.seat) == turn.question:
                        self.ops.append(op := Op(self, id_, turn.seat, turn.question, legal[0], "bot"))
                        await op.run(self, one.host)

        self.begin(one, play(), quick=quick)

    @rule(seconds=st.sampled_from((0.5, 2.0, LEASE + 1)))
    def time_goes_by(self, seconds):
        self.now += seconds

    # What the machines do

    @rule(n=process, k=pick, how=st.sampled_from(("done", "done", "lost", "refused")))
    def step(self, n, k, how):
        """One call of a store."""
        if waiting := self.processes[n].line.waiting:
            self.run(self.let(waiting, k % len(waiting), how))

    @rule(n=process)
    def go_on(self, n):
        """A process is quick."""
        self.run(self.finish(self.processes[n].line.waiting))

    async def let(self, waiting, k, how):
        gate, over = waiting.pop(k)
        if not gate.done():
            gate.set_result(how)
            await over
        await self.settle()

    async def finish(self, waiting):
        while waiting:
            await self.let(waiting, 0, "done")

    @rule(n=process, k=pick, twice=st.booleans())
    def hint(self, n, k, twice):
        if hints := self.processes[n].hints:
            self.run(self.heard(n, hints.pop(k % len(hints)), 1 + twice))

    async def heard(self, n, hint, times):
        for _ in range(times):
            self.processes[n].beside._hear(hint)
            await self.settle()

    @rule(n=process)
    def hints_are_lost(self, n):
        self.processes[n].hints.clear()

    @rule(n=process)
    def poll(self, n):
        """A process looks for itself; afterwards it knows at least what stood there before."""
        one = self.processes[n]

        async def looked():
            failed, stood = one.line.failures, await self.stood(one.host.memory.stand())
            await one.beside.look()
            if failed == one.line.failures:
                for table, (seq, rev) in one.host.memory.stand().items():
                    old = stood.get(table, (0, 0))
                    assert seq >= old[0], f"looked at {old}, and stands at {(seq, rev)}"
                    assert rev >= old[1], f"looked at {old}, and stands at {(seq, rev)}"

        self.begin(one, looked())

    @rule(n=process)
    def crash(self, n):
        self.processes[n].crash()
        self.run(self.settle())
        self.processes[n] = Process(self)

    @rule(n=process, k=pick)
    def leave(self, n, k):
        """The caller goes away."""
        if tasks := [task for task in self.processes[n].tasks if not task.done()]:
            tasks[k % len(tasks)].cancel()
            self.run(self.settle())

    # What has to hold

    @invariant()
    def nothing_went_wrong(self):
        for one in self.processes:
            for task in one.tasks:
                if task.done() and not task.cancelled():
                    task.result()

    @invariant()
    def everybody_sees_a_beginning_of_the_log(self):
        for one in self.processes:
            for table, (seq, rev) in one.host.memory.stand().items():
                if table in self.gone or table not in self.tables:
                    continue
                states = self.run(self.log(table)).states
                session = one.host.memory.session(table)
                assert session.fresh
                assert (seq, rev) >= one.stood.get(table, (0, 0)), "somebody sees less than before"
                one.stood[table] = (seq, rev)
                assert seq <= len(states), f"{seq} is shown of {len(states)}"
                assert not seq or session.position.state == states[seq - 1], "not what the rules make of the log"

    @invariant()
    def what_was_acknowledged_stands_there_once_and_in_order(self):
        for table in {*self.tables} - self.gone:
            whats = self.run(self.log(table)).whats
            asked = [what[0] for what in whats if what is not None]
            assert len(asked) == len({*asked}), "a question that was answered twice"
            same = defaultdict(list)
            for op in self.ops:
                if op.table == table:
                    same[op.what, repr(op.action)].append(op)
            for ops in same.values():
                what = (ops[0].what, ops[0].action)
                found, outcomes = [n for n, one in enumerate(whats, 1) if one == what], {op.outcome for op in ops}
                assert found or "taken" not in outcomes, f"acknowledged and not there: {what}"
                assert not found or outcomes & {"taken", "unknown"}, f"refused and there: {what}"
                assert not found or found[0] > min(op.after for op in ops), f"before what was known: {what}"
            assert len(whats) >= self.acknowledged.get(table, 0)

    def teardown(self):
        """All that waits goes on; everybody looks once more, and stands where the log does."""
        try:
            if self.tables:
                self.run(self.converge())
                self.nothing_went_wrong()
                self.everybody_sees_a_beginning_of_the_log()
                self.what_was_acknowledged_stands_there_once_and_in_order()
        finally:
            self.run(self.end())
            self.loop.close()
            self.folder.cleanup()

    async def converge(self):
        for one in self.processes:
            await self.finish(one.line.waiting)
        for one in self.processes:
            looking = asyncio.ensure_future(one.beside.look())
            await self.settle()
            await self.finish(one.line.waiting)
            await looking
        for one in self.processes:
            here = one.host.memory.stand()
            assert here == await self.stood(here), "somebody stands elsewhere"
            assert not one.host._tasks
            assert all(task.done() for task in one.tasks), "somebody waits for ever"

    async def end(self):
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self.store.close()


async def _heard(work):
    """What people are told is no error."""
    with contextlib.suppress(Refused):
        await work


@pytest.fixture(autouse=True)
def at_once_and_the_same(monkeypatch):
    """Nothing waits for more to write, and all deals are the same."""
    monkeypatch.setattr(sqlite, "GATHER", 0.0)
    monkeypatch.setattr(lobby, "secrets", SimpleNamespace(choice=secrets.choice, token_bytes=bytes))


TestSeveralHosts = SeveralHosts.TestCase
if settings.get_current_profile_name() != "long":  # the same every day, and quick
    TestSeveralHosts.settings = settings(
        max_examples=many(20, 60), stateful_step_count=50, derandomize=True, deadline=None, phases=[Phase.generate]
    )
