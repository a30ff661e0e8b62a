"""What a database of many processes goes through: races, lost connections, a server that is killed and comes back."""

import asyncio
import contextlib
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import postgres
import stores
from chaos.proxy import Proxy
from matrix import many, sampled
from spieltisch.cluster import statements
from spieltisch.paths import DataError
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.store import Unsaved, sql

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")
connections = pytest.importorskip("spieltisch.cluster.database")
engine = pytest.importorskip("spieltisch.cluster.postgres")

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("place", [stores.postgres], indirect=True)]

TABLES = [f"T{n}" for n in range(12)]


def setup(id_, **more):
    return TableSetup(id_, "bids", {"options": {}}, (), touched=10.0, **more)


def rows(place, statement):
    """What stands there for everybody."""
    with psycopg.connect(place.where) as db:
        return db.execute(statement).fetchall()


def end_connections(cluster):
    """As a server's fast restart does, or a firewall."""
    cluster.sql("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()")


async def test_overlapping_batches_of_two_processes_never_wait_in_a_circle(store, again, place, cluster):
    def deadlocks():
        return cluster.sql("select deadlocks from pg_stat_database where datname = 'postgres'")[0][0]

    other, before = again(), deadlocks()
    for id_ in TABLES:
        await store.create(setup(id_))
    for round_ in range(many(2, 8)):
        keys = [(id_, 50 * round_ + n) for id_ in TABLES for n in range(1, 51)]
        here, there = random.sample(keys, len(keys)), random.sample(keys, len(keys))
        sent = [store.append(*key, b"here", 1.0, 1.0) for key in here]
        sent += [other.append(*key, b"there", 1.0, 1.0) for key in there]
        assert sum(await asyncio.gather(*sent)) == len(keys)
    await store.close()
    await other.close()
    assert deadlocks() == before
    assert rows(place, "select count(*) from log") == [((round_ + 1) * len(keys),)]


async def test_a_table_is_forgotten_or_goes_on_but_never_half(store, again, place):
    other = again()
    for round_ in range(many(4, 20)):
        for id_ in TABLES:
            await store.create(setup(f"{id_}R{round_}", stage="over"))
        sent = [store.append(f"{id_}R{round_}", 1, b"1", None, 99.0) for id_ in TABLES]
        await asyncio.sleep(random.uniform(0, 0.02))
        forgotten, *taken = await asyncio.gather(other.forget(50.0), *sent)
        left = [await store.setup(f"{id_}R{round_}") is not None for id_ in TABLES]
        assert taken == left
        assert {*forgotten} == {f"{id_}R{round_}" for id_, there in zip(TABLES, left, strict=True) if not there}
    nowhere = "where id not in (select id from plan)"
    assert rows(place, f"select id from log {nowhere} union select id from pace {nowhere}") == []


async def test_tables_that_are_deleted_leave_no_entry(store, again, place):
    other = again()
    for _ in range(many(3, 15)):
        for id_ in TABLES:
            await store.create(setup(id_))
        sent = [store.append(id_, seq, b"1", None, 1.0) for id_ in TABLES for seq in range(1, 41)]
        await asyncio.sleep(random.uniform(0, 0.02))
        await asyncio.gather(*(other.delete(id_) for id_ in TABLES), *sent)
        assert rows(place, "select id from log union select id from pace") == []


class Writing:
    """Writes at each table, entry after entry, and notes what was acknowledged."""

    def __init__(self, store):
        self.acknowledged, self.refused, self._stop = {}, 0, False
        self._tasks = [asyncio.create_task(self._at(store, id_)) for id_ in TABLES]

    async def _at(self, store, id_):
        seq = 1
        while not self._stop:
            try:
                first = await store.append(id_, seq, f"{id_} {seq}".encode(), None, 1.0)
            except Unsaved:  # it may have been written, or not
                self.refused += 1
                first = False
            if first or seq <= len(await self.log(store, id_)):
                if first:
                    self.acknowledged[id_, seq] = f"{id_} {seq}".encode()
                seq += 1

    async def log(self, store, id_):
        with contextlib.suppress(Unsaved):
            return await store.log(id_)
        return []

    async def end(self, least=100):
        """Stop as soon as so much was acknowledged."""
        async with asyncio.timeout(90):
            while len(self.acknowledged) < least:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.02)
            self._stop = True
            await asyncio.gather(*self._tasks)

    def kept(self, place):
        """Whether all that was acknowledged is there, and nothing has a gap."""
        written = {(id_, seq): bytes(entry) for id_, seq, entry in rows(place, "select id, seq, entry from log")}
        assert self.acknowledged.items() <= written.items()
        for id_ in TABLES:
            seqs = sorted(seq for table, seq in written if table == id_)
            assert seqs == [*range(1, len(seqs) + 1)]
        return len(self.acknowledged)


async def test_an_entry_whose_connection_is_ended_while_it_waits_is_written(store, place, cluster):
    await store.create(setup("A"))
    with psycopg.connect(place.where) as db:
        db.execute("select id from plan where id = 'A' for update")
        writing = asyncio.ensure_future(store.append("A", 1, b"1", None, 1.0))
        waits = "select pid from pg_stat_activity where wait_event_type = 'Lock'"
        async with asyncio.timeout(60):
            while not (found := cluster.sql(waits)):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)
        cluster.sql(f"select pg_terminate_backend({found[0][0]})")
    assert await writing


async def test_connections_that_are_ended_cost_nobody_anything(store, place, cluster):
    for id_ in TABLES:
        await store.create(setup(id_))
    writing = Writing(store)
    for _ in range(10):
        await asyncio.sleep(random.uniform(0.05, 0.2))
        await asyncio.to_thread(end_connections, cluster)
        assert len(await store.ids()) == len(TABLES)
    await writing.end()
    assert writing.refused == 0
    assert writing.kept(place) >= 100


async def test_a_question_that_is_broken_off_costs_nothing_else(store):
    begun = await store.database.connect("broken off")
    asking = asyncio.ensure_future(begun.execute("select pg_sleep(60)"))
    await asyncio.sleep(0.1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert begun.closed or await (await begun.execute("select 1")).fetchall() == [(1,)]
    await begun.close()
    async with await store.database.connect("the next one") as db:  # its socket may have the same number
        assert await (await db.execute("select 1")).fetchall() == [(1,)]


async def test_a_connection_that_ends_while_it_rests_is_noticed_when_it_is_asked(store, cluster):
    for _ in range(3):
        async with await store.database.connect("rests") as db:
            for _ in range(2):  # one answer after the other, with the socket listened to all the time
                assert await (await db.execute("select 1")).fetchall() == [(1,)]
            await asyncio.to_thread(end_connections, cluster)
            await asyncio.sleep(0.1)
            with pytest.raises(psycopg.OperationalError):
                await db.execute("select 1")
            assert db.closed


async def test_what_is_too_large_for_one_write_arrives_whole(store):
    body = random.randbytes(12_000_000)  # the largest body that the server reads
    await store.put_deck("h", body, 1.0)
    assert await store.deck("h") == body


async def test_entries_that_come_together_are_one_commit_all_or_none(store, place):
    await store.create(setup("A"))
    sent = [store.append("A", seq, b"%d" % seq, float(seq), float(seq)) for seq in (3, 1, 2)]
    sent += [store.append("A", 2, b"too late", 9.0, 9.0), store.append("nowhere", 1, b"1", None, 1.0)]
    assert await asyncio.gather(*sent) == [True, True, True, False, False]
    assert len({*rows(place, "select xmin::text from log")}) == 1
    assert rows(place, "select touched, due_at from pace") == [(3.0, 3.0)]  # what the last one says


@pytest.mark.slow
async def test_a_server_that_is_killed_and_comes_back_has_all_that_was_acknowledged(place):
    own = postgres.Cluster(postgres.programs())
    try:
        there = stores.Place(own.database(), engine.Postgres)
        store = there.open()
        for id_ in TABLES:
            await store.create(setup(id_))
        writing = Writing(store)
        for _ in range(2):
            await asyncio.sleep(random.uniform(0.3, 0.8))
            own.kill()
            await asyncio.to_thread(own.start)
        await asyncio.sleep(0.3)
        await writing.end()
        await store.close()
        print(f"{writing.kept(there)} acknowledged, {writing.refused} refused")
        assert writing.kept(there) >= 100
    finally:
        own.close()


async def test_a_database_that_is_away_for_long_is_said_to_be(store, place, cluster, monkeypatch, caplog):
    monkeypatch.setattr(engine, "PATIENCE", 0.3)
    monkeypatch.setattr(engine, "LEAST", 0.1)
    await store.create(setup("A"))

    async def away(*_):
        raise psycopg.OperationalError("connection refused")

    monkeypatch.setattr(store.database, "_lent", away)
    monkeypatch.setattr(store.database, "_kept", away)
    for _ in range(2):
        with pytest.raises(Unsaved, match="is not answering"):
            await store.append("A", 1, b"1", None, 1.0)
    with pytest.raises(Unsaved, match="is not answering"):
        await store.setup("A")
    monkeypatch.undo()
    assert await store.append("A", 1, b"1", None, 1.0)  # one works, while others may still fail
    monkeypatch.setattr(connections, "CALM", 0.0)
    assert await store.setup("A")
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]  # told once, and once again


@contextlib.asynccontextmanager
async def between(place, cluster, folder):
    """A proxy before the database, and the address of the place by way of it."""
    socket = ".s.PGSQL.5432"
    proxy = Proxy(folder / socket, cluster.folder / socket)
    await proxy.start()
    try:
        yield proxy, place.where.replace(str(cluster.folder), str(folder))
    finally:
        await proxy.close()


async def test_who_asks_while_a_database_is_away_is_answered_when_it_is_back(place, cluster, tmp_path):
    async with between(place, cluster, tmp_path) as (proxy, address):
        store = await asyncio.to_thread(engine.Postgres, address)
        assert await store.setup("A") is None
        for seconds in (0.2, 2.5):
            proxy.stop()
            proxy.cut()
            asking = [asyncio.ensure_future(store.setup("A")) for _ in range(12)]
            await asyncio.sleep(seconds)
            assert not any(one.done() for one in asking)
            await proxy.start()
            assert await asyncio.gather(*asking) == [None] * 12
        await store.close()


async def test_who_leaves_a_database_that_says_nothing_can_leave(place, cluster, tmp_path):
    """The workers of a pool take a cancellation for a failure, and would go on for ever."""

    async def leave(store):
        asking = [asyncio.ensure_future(store.setup("A")) for _ in range(3)]
        asking.append(asyncio.ensure_future(asked(store.append("A", 1, b"1", None, 1.0))))
        await asyncio.sleep(0.2)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                await store.close()

    async def asked(future):
        return await future

    async with between(place, cluster, tmp_path) as (proxy, address):
        store = await asyncio.to_thread(engine.Postgres, address)
        proxy.swallow()
        leaving = threading.Thread(target=lambda: asyncio.run(leave(store)), daemon=True)
        leaving.start()
        await asyncio.to_thread(leaving.join, 20)
        assert not leaving.is_alive()


async def test_what_was_claimed_without_its_being_heard_is_claimed_once_more(store, again, monkeypatch):
    await store.create(setup("A"), 1.0)
    await store.create(setup("B"), 1.0)
    other, real = again(), store.database.do
    assert set(await store.claim(1, 60.0, 0.0)) == {"A"}

    def lost(connections_last):
        async def do(work):
            async def done(db, again):
                found = await work(db, again)
                if not again:
                    raise psycopg.OperationalError("server closed the connection unexpectedly")
                return found

            if connections_last:
                return await real(done)
            await real(work)
            raise Unsaved

        return do

    monkeypatch.setattr(store.database, "do", lost(False))
    with pytest.raises(Unsaved):
        await store.claim(9, 60.0, 0.0, busy=["A"])
    monkeypatch.setattr(store.database, "do", real)
    assert await other.claim(9, 60.0, 0.0) == {}
    assert set(await store.claim(9, 60.0, 0.0, busy=["A"])) == {"B"}
    assert await store.claim(9, 60.0, 0.0, busy=["A"]) == {}
    await store.create(setup("C"), 1.0)
    monkeypatch.setattr(store.database, "do", lost(True))
    held = await store.claim(9, 60.0, 0.0, busy=["A", "B"])
    assert set(held) == {"C"}
    longer = await store.renew(held, 90.0, 0.0)
    assert longer["C"] > held["C"]
    assert await other.renew(held, 60.0, 0.0) == {}
    await store.renew(longer, 0.0, 0.0)
    assert set(await other.claim(9, 60.0, 0.0)) == {"C"}


async def test_a_claim_that_a_promoted_standby_kept_is_claimed_once_more(store):
    """It may have the claim of a turn that was taken, and lack that turn."""
    await store.create(setup("A"), 1.0)
    assert set(await store.claim(9, 60.0, 0.0)) == {"A"}
    assert await store.claim(9, 60.0, 0.0) == {}
    store.database._turned()
    assert set(await store.claim(9, 60.0, 0.0)) == {"A"}
    assert await store.claim(9, 60.0, 0.0) == {}


async def test_what_was_written_when_the_connection_broke_is_recognised(store, again, monkeypatch):
    other, broken = again(), []

    def breaking(real):
        async def once(work, *seconds):
            async def done(db, lost):
                found = await work(db, lost)
                if not lost:
                    broken.append(found)
                    raise psycopg.OperationalError("server closed the connection unexpectedly")
                return found

            return await real(done, *seconds)

        return once

    for way in ("do", "write"):
        monkeypatch.setattr(store.database, way, breaking(getattr(store.database, way)))
    assert await store.create(setup("A"))
    assert not await store.create(setup("A", lang="de"))
    assert await store.save(setup("A", rev=1))
    assert not await store.save(setup("A", rev=1, lang="de"))
    await other.append("A", 2, b"theirs", None, 1.0)
    assert await asyncio.gather(*(store.append("A", seq, b"ours", None, 1.0) for seq in (1, 2))) == [True, False]
    assert list(await other.log("A")) == [b"ours", b"theirs"]
    assert len(broken) == 5


@pytest.mark.parametrize("way", ["do", "write"])
async def test_a_connection_with_answers_that_do_not_fit_is_not_used_again(store, way):
    """A pooler that dies between two of them leaves psycopg with none, or with two."""
    used = []

    async def work(db, again):
        used.append((await (await db.execute("select pg_backend_pid()")).fetchone())[0])
        if not again:
            raise psycopg.InternalError("received 0 results from command 'BEGIN'")
        return used[-1]

    assert await getattr(store.database, way)(work) != used[0]


async def test_a_database_that_may_not_be_written_is_said_to_be(store, cluster):
    await store.check()
    cluster.sql("alter database postgres set default_transaction_read_only = on")
    try:
        end_connections(cluster)
        with pytest.raises(Unsaved):  # on the connection that had ended it may have been written
            await store.check()
        with pytest.raises(Unsaved, match="Nothing has changed"):
            await store.append("A", 1, b"1", None, 1.0)
    finally:
        cluster.sql("alter database postgres reset default_transaction_read_only")
    end_connections(cluster)
    await store.check()


async def test_entries_that_come_together_are_written_after_some_could_not_be(store):
    await store.create(setup("A"))
    # psycopg prepares a statement for each set of types, and has counted this one when it comes with another
    assert await store.append("A", 1, b"1", 1.0, 1.0)

    def together():
        sent = [store.append("A", seq, b"1", due, 1.0) for seq, due in ((2, None), (3, 1.0))]
        return asyncio.gather(*sent, return_exceptions=True)

    async def may_not(be):
        statement = f"set default_transaction_read_only = {be}"
        await store.database.write(lambda db, _: engine.execute(db, statement))

    await may_not("on")
    assert {type(one) for one in await together()} == {Unsaved}
    await may_not("off")
    assert await together() == [True, True]


async def test_processes_that_start_at_once_make_the_tables_once(place):
    with ThreadPoolExecutor(4) as at_once:
        opened = [one.result() for one in [at_once.submit(place.open) for _ in range(4)]]
    assert await opened[0].create(setup("A"))
    assert await opened[1].setup("A") is not None
    for store in opened:
        await store.close()


async def test_a_database_that_cannot_be_used_is_named_without_its_password(place, cluster):
    place.open()
    with psycopg.connect(place.where) as db:
        db.execute("update format set number = 99")
    with pytest.raises(
        DataError, match=r"newer version of Spieltisch wrote these tables \(format 99; this version knows \d+\)"
    ):
        place.open()
    with pytest.raises(DataError, match="not a database address") as refused:
        engine.Postgres("mysql://spieltisch:hush@/spieltisch")
    assert "hush" not in str(refused.value)
    with pytest.raises(DataError, match=r"cannot be used.*that it runs") as refused:
        engine.Postgres("postgresql://spieltisch:hush@/spieltisch?host=/nowhere")
    assert "hush" not in str(refused.value)


async def test_what_is_committed_is_on_the_disk_whatever_is_preferred_for_others(place, cluster):
    cluster.sql("alter database postgres set synchronous_commit = off")
    try:
        store = place.open()
        assert await store.database.read("show synchronous_commit") == [("on",)]
        await store.close()
    finally:
        cluster.sql("alter database postgres reset synchronous_commit")


class Writer:
    """A process with a transaction of its own, which writes at tables of its own and ends some time later."""

    def __init__(self, place, number):
        self._db = psycopg.connect(place.where)
        self._name, self._count, self.written = f"W{number}T", 0, set()

    def write(self, dice, before):
        """At a new table, or at one that is there: an entry, a new setup, no more names, or its end."""
        kind = dice.choice(("new", "new", "entry", "setup", "names", "gone"))
        if kind == "new" or not before:
            id_, self._count = f"{self._name}{self._count}", self._count + 1
            self._db.execute("insert into plan (id, stage, rev, body) values (%s, 'over', 0, '{}')", (id_,))
            self._db.execute("insert into pace (id, touched) values (%s, 1)", (id_,))
        else:
            id_ = dice.choice(sorted(before))
            for statement, values in {
                "entry": [(statements.APPEND, (id_, dice.randrange(10**9), b"entry", 2.0, None))],
                "setup": [(sql.SAVE, ("over", 1, None, None, b"{}", id_, 0)), (sql.pace(1), (id_, 1.0, None))],
                "names": [(statements.NOTE_WRITTEN, (id_,))],
                "gone": [(one, ([id_],)) for one in statements.DELETE_ALL],
            }[kind]:
                self._db.execute(statement.replace("?", "%s").encode(), values)
            if kind == "gone":
                before.discard(id_)
        self.written.add(id_)

    def end(self, dice):
        """What everybody sees now."""
        written, self.written = self.written, set()
        if dice.random() < 0.2:
            self._db.rollback()
            return set()
        self._db.commit()
        return written

    def close(self):
        self._db.close()


@pytest.mark.parametrize("seed", sampled(range(12), range(4)))
async def test_a_look_misses_nothing_in_whatever_order_transactions_end(store, place, seed):
    dice, untold, told = random.Random(seed), set(), 0
    writers = [Writer(place, number) for number in range(5)]
    there = [set() for _ in writers]  # which tables of each are there
    seen, found = await store.written_since(None)
    assert found is None
    for _ in range(150):
        n = dice.randrange(len(writers))
        match dice.choice(("write", "write", "end", "look")):
            case "write":
                writers[n].write(dice, there[n])
            case "end":
                written = writers[n].end(dice)
                untold |= written
                there[n] = {id_ for (id_,) in rows(place, f"select id from plan where id ~ '^W{n}T'")}
            case "look":
                seen, found = await store.written_since(seen)
                assert untold <= {*found}
                told, untold = told + len(untold), set()
    for writer in writers:
        untold |= writer.end(dice)
        writer.close()
    seen, found = await store.written_since(seen)
    assert untold <= {*found}
    assert (await store.written_since(seen))[1] == []  # nothing is told for ever
    assert told > 10


async def test_a_look_finds_whatever_any_store_writes(store, again):
    other = again()
    await other.create(setup("A"))
    old = TableSetup("OLD", "bids", {}, (Chair("Livia", "person", "hash"),), touched=1.0, stage="playing")
    await other.create(old)
    seen, _ = await store.written_since(None)

    async def look():
        nonlocal seen
        seen, found = await store.written_since(seen)
        return sorted(found)

    await other.append("A", 1, b"1", None, 60.0)
    assert await look() == ["A"]
    await other.save(setup("A", rev=1, lang="de"))
    assert await look() == ["A"]
    await other.append("A", 2, b"2", 5.0, 60.0)
    assert await look() == ["A"]
    await other.claim(9, 60.0, 0.0)
    assert await look() == []  # who takes the turns is no news
    assert await other.forget(50.0) == ["OLD"]
    assert await look() == ["OLD"]
    await other.delete("A")
    assert await look() == ["A"]
    assert await look() == []


async def test_a_look_takes_all_for_new_where_it_cannot_know(store):
    seen, _ = await store.written_since(None)
    assert (await store.written_since(seen))[1] == []
    assert (await store.written_since(seen._replace(server="another one")))[1] is None  # after a failover
    assert (await store.written_since(seen._replace(at=seen.at - engine.GONE)))[1] is None  # tables may be forgotten


async def test_what_came_with_a_copy_from_another_server_is_no_news(store, place):
    await store.create(setup("A"))
    seen, _ = await store.written_since(None)
    with psycopg.connect(place.where) as db:
        db.execute("update pace set written = '9000000000'")
    assert (await store.written_since(seen))[1] == []


async def test_a_promoted_standby_gets_nothing_that_follows_what_it_lacks(again, cluster, monkeypatch):
    heard = []
    store = again(turned=lambda: heard.append(True))
    await store.create(setup("A"))
    assert await store.append("A", 1, b"1", None, 1.0)
    end_connections(cluster)
    monkeypatch.setattr(store.database, "_timeline", "another one")
    sent = [store.append("A", seq, b"%d" % seq, None, 1.0) for seq in (2, 3)]
    assert await asyncio.gather(*sent) == [False, False]
    assert heard == [True]
    assert await store.append("A", 2, b"new", None, 1.0)
    assert await store.log("A") == [b"1", b"new"]
