"""No wait on the database is without an end, by whichever way one reaches it."""

import asyncio
import contextlib
import functools
import time

import pytest
import uvloop

import stores
from spieltisch.table import patience
from spieltisch.table import store as store_module
from spieltisch.table.host import Host
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.store import Unknown, Unsaved
from spieltisch.table.tasks import end
from spieltisch.table.wake import Hub

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")
connections = pytest.importorskip("spieltisch.cluster.database")
engine = pytest.importorskip("spieltisch.cluster.postgres")

WAYS = [(loop, tcp) for loop in (asyncio.new_event_loop, uvloop.new_event_loop) for tcp in (False, True)]


def run(loop, work):
    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(work)


def end_all(cluster):
    cluster.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user"
                " and pid <> pg_backend_pid()")  # fmt: skip


@pytest.mark.parametrize(("loop", "tcp"), WAYS)
def test_connections_that_end_while_idle_are_noticed(cluster, loop, tcp):
    async def work():
        store = engine.Postgres(cluster.database(tcp=tcp))
        await store.create(TableSetup("A", "bids", {"options": {}}, (), touched=10.0))
        for n in range(3):
            # All connections of the pool are used, so that all end while they are idle.
            await asyncio.gather(*(store.database.one("select pg_sleep(0.1)") for _ in range(connections.CONNECTIONS)))
            assert await store.append("A", 2 * n + 1, b"1", None, 1.0)
            await asyncio.to_thread(end_all, cluster)
            await asyncio.sleep(0.3)
            begun = time.monotonic()
            async with asyncio.timeout(8):
                assert await store.append("A", 2 * n + 2, b"2", None, 1.0)
                assert await asyncio.gather(*(store.count() for _ in range(20))) == [1] * 20
                await store.check()
            assert time.monotonic() - begun < connections.PATIENCE
        await store.close()

    run(loop, work())


@pytest.mark.parametrize(("loop", "tcp"), WAYS)
def test_a_connection_that_is_given_up_leaves_others_alone(cluster, loop, tcp, monkeypatch):
    """Its number may be that of somebody else's connection at once, while it is still waited for."""
    monkeypatch.setattr(connections, "SLOW", 0.0)  # no limit: only we give up

    async def slowly(db, _again):
        return await engine.query(db, "select pg_sleep(20)")

    async def work():
        store = engine.Postgres(cluster.database(tcp=tcp))

        async def echo(reader, writer):
            with contextlib.closing(writer):
                while line := await reader.readline():
                    writer.write(line)

        async def talk():
            while True:
                reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
                with contextlib.closing(writer):
                    for _ in range(3):
                        writer.write(b"x\n")
                        assert await asyncio.wait_for(reader.readline(), 30) == b"x\n"
                        await asyncio.sleep(0.01)

        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        talks = [asyncio.create_task(talk()) for _ in range(10)]
        try:
            for _ in range(3):
                asked = [store.database.do(slowly, 0.5) for _ in range(5)]
                for error in await asyncio.gather(*asked, return_exceptions=True):
                    assert isinstance(error, Unsaved), repr(error)
            assert not any(one.done() for one in talks), [one.exception() for one in talks if one.done()]
        finally:
            await end(talks)
            server.close()
            await asyncio.sleep(0.1)  # the other ends hear of it
        assert await store.count() == 0
        await store.close()

    run(loop, work())


@pytest.fixture
def place(request):
    return stores.postgres(request)


@pytest.fixture
async def store(place):
    one = place.open()
    await one.create(TableSetup("A", "bids", {"options": {}}, (), touched=10.0))
    yield one
    await one.close()


def held(place, statement):
    """A transaction that holds what this statement takes."""
    db = psycopg.connect(place.where)
    db.execute(statement)
    return db


@pytest.mark.anyio
@pytest.mark.parametrize("statement", ["lock table log", "select * from plan for update", "lock table pace, plan"])
async def test_a_lock_is_waited_for_and_then_refused_in_words(store, place, statement):
    with held(place, statement) as db:
        begun = time.monotonic()
        with pytest.raises(Unsaved) as refused:
            await store.append("A", 1, b"1", None, 1.0)
        assert not isinstance(refused.value, Unknown)  # the database has said that it did not do it
        assert time.monotonic() - begun < 6
        again = asyncio.ensure_future(store.append("A", 1, b"1", None, 1.0))
        await asyncio.sleep(0.5)
        db.rollback()
        assert await again  # a lock that is held for a moment stops nobody
    assert await store.log("A") == [b"1"]


@pytest.mark.anyio
async def test_nobody_waits_longer_behind_others(store, place):
    """Neither at one table behind other moves, nor at many tables behind earlier writes."""
    host = Host(store, Hub())
    id_ = (await host.open("hic-haec-hoc", 2)).id
    for seat in range(2):
        await host.replace(id_, seat, Chair(f"P{seat}", "person", "0" * 64))
    await host.start(id_)
    table = await host.table(id_)
    seat = table.to_act[0]
    moves = [table.legal(seat)[0]] * 3

    async def timed(asked):
        begun = time.monotonic()
        with pytest.raises(Unsaved):
            await asked
        return time.monotonic() - begun

    async def later(n):
        await asyncio.sleep(0.4 * n)
        return await timed(store.append("A", n, b"1", None, 1.0))

    with held(place, "select * from plan for update"):
        at_one = [timed(host.answer(id_, seat, table.question(seat), move)) for move in moves]
        waits = await asyncio.gather(*at_one, *map(later, range(1, 8)))
    assert max(waits) < 5.5, waits
    async with asyncio.timeout(8):
        assert await host.answer(id_, seat, table.question(seat), moves[0]) == "taken"


@pytest.mark.anyio
async def test_all_waits_of_a_request_end_in_time_together(store, place, monkeypatch):
    """A server that has just started reads the table, then what others wrote, waits for its turn, and writes."""
    first = Host(store, Hub())
    id_ = (await first.open("hic-haec-hoc", 2)).id
    for seat in range(2):
        await first.replace(id_, seat, Chair(f"P{seat}", "person", "0" * 64))
    await first.start(id_)
    table = await first.table(id_)
    seat = table.to_act[0]
    host = Host(store, Hub())
    newer, seed = store.newer, store.seed

    async def slowly(read, asked):
        await asyncio.sleep(2.2)
        return await read(asked)

    monkeypatch.setattr(store, "newer", functools.partial(slowly, newer))
    monkeypatch.setattr(store, "seed", functools.partial(slowly, seed))

    async def moves():
        await host.latest(id_)
        await host.answer(id_, seat, table.question(seat), table.legal(seat)[0])

    async def timed():
        begun = time.monotonic()
        with pytest.raises(Unsaved), patience.deadline():
            await moves()
        return time.monotonic() - begun

    with held(place, "select * from plan for update"):
        assert await timed() < 5.5  # the table is read, and the news are not
        monkeypatch.setattr(store, "newer", newer)
        assert await timed() < 5.5  # the entry is not written
        begun = time.monotonic()
        with pytest.raises(Unsaved), patience.deadline(0.0):
            await host.close(id_)
        assert time.monotonic() - begun < 3.5  # nor the setup
    with patience.deadline(0.0):  # late, but the database answers
        await moves()
    assert patience.left() == store_module.PATIENCE


@pytest.mark.anyio
async def test_what_goes_on_after_a_request_has_all_its_time():
    async def later(begun):
        await begun.wait()
        return patience.left()

    begun = asyncio.Event()
    with patience.deadline(0.0):
        task = asyncio.create_task(later(begun))
    begun.set()
    assert await task == store_module.PATIENCE


@pytest.mark.anyio
async def test_what_another_process_works_on_is_not_counted(monkeypatch):
    """Reading a deck for the first time starts a process, which on a full machine takes longer than any move may."""
    monkeypatch.setattr(patience, "SEVERAL", 3.0)

    async def read(seconds):
        with patience.uncounted():
            await asyncio.sleep(seconds)

    async def too_long():
        async with patience.ending():
            await read(4.0)
            await asyncio.sleep(4.0)

    lock = patience.TableLock()
    with patience.deadline(3.0):
        async with patience.ending(), lock:
            until = lock.until
            await asyncio.gather(read(0.5), read(0.6))
            with patience.uncounted():
                await read(0.2)
            assert 0.8 <= lock.until - until < 1.2  # side by side, or one within the other, they count once
        assert 2.5 < patience.left() <= 3.0
        with pytest.raises(Unsaved):
            await too_long()
    async with patience.ending():
        await read(0.0)
    await read(0.0)  # with no deadline


@pytest.mark.anyio
async def test_an_entry_that_may_be_written_is_unknown_and_counts_once(store, place, cluster, monkeypatch):
    """With the synchronous standby away, the commit waits, and nobody may say whether it is done."""
    monkeypatch.setattr(engine, "PATIENCE", 1.0)
    monkeypatch.setattr(engine, "LEAST", 0.5)
    cluster.sql("alter system set synchronous_standby_names = 'nobody'")
    cluster.sql("select pg_reload_conf()")
    try:
        await asyncio.sleep(0.3)
        with pytest.raises(Unknown):
            await store.append("A", 1, b"1", None, 1.0)
        with pytest.raises(Unsaved):
            await store.append("A", 1, b"1", None, 1.0)
        with pytest.raises(Unsaved):
            await store.check()
        assert await store.log("A") == []  # nobody is shown what a failover would lose
    finally:
        cluster.sql("alter system reset synchronous_standby_names")
        cluster.sql("select pg_reload_conf()")
    async with asyncio.timeout(20):
        while await store.log("A") != [b"1"]:  # noqa: ASYNC110 - the database says nothing by itself
            await asyncio.sleep(0.2)
    assert not await store.append("A", 1, b"1", None, 1.0)  # the host reads it, and says that it was taken
    await store.check()


@pytest.mark.anyio
async def test_what_the_database_refuses_is_no_traceback(store, place, caplog):
    place_sql = psycopg.connect(place.where, autocommit=True)
    place_sql.execute("alter table log rename to elsewhere")
    with pytest.raises(Unsaved):
        await store.append("A", 1, b"1", None, 1.0)
    with pytest.raises(Unsaved):
        await store.log("A")
    assert "UndefinedTable (42P01)" in caplog.text
    place_sql.execute("alter table elsewhere rename to log")
    assert await store.append("A", 1, b"1", None, 1.0)
    place_sql.close()


@pytest.mark.anyio
async def test_a_serializable_database_refuses_nobody(place, cluster):
    one = engine.Postgres(f"{place.where}%20-cdefault_transaction_isolation%3Dserializable")
    other = engine.Postgres(f"{place.where}%20-cdefault_transaction_isolation%3Dserializable")
    await one.create(TableSetup("A", "bids", {"options": {}}, (), touched=10.0))
    for n in range(1, 60):
        assert (
            sum(await asyncio.gather(one.append("A", n, b"1", None, 1.0), other.append("A", n, b"2", None, 1.0))) == 1
        )
    await one.close()
    await other.close()


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_database_that_keeps_a_move_is_let_go_of_in_any_case(cluster, loop):
    """A server whose pool was not closed would wait at its end for the pool's workers, which take no cancellation."""

    async def work():
        host = Host(engine.Postgres(url := cluster.database()), Hub())
        id_ = (await host.open("hic-haec-hoc", 2)).id
        for seat in range(2):
            await host.replace(id_, seat, Chair(f"P{seat}", "person", "0" * 64))
        await host.start(id_)
        table = await host.table(id_)
        seat = table.to_act[0]
        async with await psycopg.AsyncConnection.connect(url) as other:
            await other.execute("lock table log")
            moving = asyncio.create_task(host.answer(id_, seat, table.question(seat), table.legal(seat)[0]))
            await asyncio.sleep(0.1)
            moving.cancel()
            await asyncio.sleep(0)
            begun = time.monotonic()
            await host.stop(0.2)
            assert time.monotonic() - begun < 2
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert not [one for one in left if one.get_name().startswith("spieltisch-")]

    run(loop, work())
