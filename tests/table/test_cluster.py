"""Two processes on one database, here two hosts with a store each: what one writes the other hears, or finds."""

import asyncio
import contextlib
import itertools
import time
import weakref

import msgspec
import pytest
from spieltisch.games.bids.rules import Doubt, Name  # ty: ignore[import-not-found] - tests/table/conftest.py

import stores
import valkey
from spieltisch.cluster.peers import Peers
from spieltisch.paths import DataError
from spieltisch.table.host import Host, Missing
from spieltisch.table.log import Chair, read_entry
from spieltisch.table.memory import Memory
from spieltisch.table.sessions import SHARED_IDLE
from spieltisch.table.store import Unsaved
from spieltisch.table.turns import TurnRunner
from spieltisch.table.wake import Hub

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")
processes = pytest.importorskip("spieltisch.cluster.cluster")
hints = pytest.importorskip("spieltisch.cluster.notify")

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("place", [stores.postgres], indirect=True)]

PEOPLE = ["person"] * 4
NEVER = 3600.0


JOINED = weakref.WeakKeyDictionary()  # by a host, its cluster


@contextlib.asynccontextmanager
async def process(again, way=lambda _: None, part=None):
    """A host that hears of others. `way` makes its hints from the store; the `part` hears what others' parts tell."""
    peers = Peers()
    memory = Memory(Hub(), peers)
    store = again(written=peers.written, turned=memory.turn)
    host = Host(store, memory.hub, memory=memory, pause=lambda: 0.01)
    parts = {}
    if part is not None:
        part.tell, parts["part"] = peers.part("part"), part
    JOINED[host] = processes.Cluster(host, store, peers, parts, way(store))
    task = asyncio.create_task(JOINED[host].run())
    try:
        yield host
    finally:
        task.cancel()
        await asyncio.wait((task,))
        await host.rest()


@pytest.fixture
async def two(again):
    async with process(again) as here, process(again) as there:
        await asyncio.gather(heard_of(here), heard_of(there))
        yield here, there


async def knows_of_others(host, table):
    """Wait until this process knows that another one has the table in memory; who has which."""
    peers = JOINED[host]._peers
    async with asyncio.timeout(60):
        while not peers.have(table):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.01)
    return peers


def lose_hints(host):
    """Other processes get no notifications of this one's writes."""
    host.store._written = lambda *_: None


@contextlib.asynccontextmanager
async def thinking(host, **more):
    """Its bots and clocks have their turns."""
    task = asyncio.create_task(TurnRunner(host, **more).run())
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.wait((task,))


async def heard_of(host):
    """Wait until this process knows that it is not alone."""
    beside = JOINED[host]
    async with asyncio.timeout(60):
        while beside._peers.alone or not beside._peers.hears:
            beside._look.set()
            await asyncio.sleep(0.02)


async def alone(host):
    """Wait until this process knows that it is alone: connections of the last test may still be ending."""
    beside = JOINED[host]
    async with asyncio.timeout(60):
        looked = False
        while not looked or not beside._peers.alone:
            beside._look.set()
            while beside._look.is_set():  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.02)
            looked = True


async def moved(host, id_, seq, seconds=60):
    """Wait as a page does until the table has this entry."""
    table = await host.table(id_)
    with host.hub.listen(id_) as news:
        async with asyncio.timeout(seconds):
            while table.seq < seq:
                await news.wait()
    return table


@pytest.fixture
def only_hints(monkeypatch):
    monkeypatch.setattr(processes, "POLL", NEVER)


async def test_a_move_is_heard_of_at_once_and_so_is_a_change_of_seats(only_hints, two, sit):
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    table = await there.table(id_)
    await here.answer(id_, 0, 1, Name(3))
    await moved(there, id_, 2)
    await there.answer(id_, 1, 2, Doubt())
    await moved(here, id_, 3)
    await here.replace(id_, 3, Chair("Nova", "bot"))
    with there.hub.listen(id_) as news:
        async with asyncio.timeout(60):
            while table.names[3] != "Nova":
                await news.wait()
    await here.delete(id_)
    with there.hub.listen(id_) as news:
        async with asyncio.timeout(60):
            while there.memory.known(id_):
                await news.wait()


async def test_hints_that_are_lost_are_made_up_for_by_looking(two, sit):
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    await there.table(id_)
    lose_hints(here)
    await here.answer(id_, 0, 1, Name(3))
    await moved(there, id_, 2)


async def test_a_look_finds_a_change_at_a_table_where_this_process_is_writing(only_hints, two, sit, monkeypatch):
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    table = await there.table(id_)
    lose_hints(here)
    await here.replace(id_, 3, Chair("Nova", "bot"))
    news = there.store.newer

    async def meanwhile(known):
        found = await news(known)
        await there.answer(id_, 0, 1, Name(3))
        return found

    monkeypatch.setattr(there.store, "newer", meanwhile)
    await JOINED[there].look()
    assert (table.seq, table.names[3]) == (2, "Nova")


async def test_a_look_finds_a_table_that_was_deleted(only_hints, two, sit):
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    await there.table(id_)
    lose_hints(here)
    await here.delete(id_)
    await JOINED[there].look()
    assert there.memory.known(id_) is None


async def test_a_look_finds_what_is_written_while_this_process_reads_the_table(only_hints, two, sit, monkeypatch):
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    lose_hints(here)
    log = there.store.log

    async def meanwhile(table, after=0):
        entries = await log(table, after)
        await here.answer(id_, 0, 1, Name(3))
        await JOINED[there].look()
        return entries

    monkeypatch.setattr(there.store, "log", meanwhile)
    assert (await there.table(id_)).seq == 2


async def test_a_look_asks_only_for_tables_where_something_was_written(only_hints, two, sit, monkeypatch):
    here, there = two
    beside, asked = JOINED[there], []
    ids = [await sit(here, "bids", PEOPLE) for _ in range(3)]
    for id_ in ids:
        await there.table(id_)
    newer = there.store.newer
    lose_hints(here)

    async def noted(known):
        asked.append(set(known))
        return await newer(known)

    async def asked_for():
        asked.clear()
        await beside.look()
        return set().union(*asked)

    monkeypatch.setattr(there.store, "newer", noted)
    async with asyncio.timeout(30):
        while await asked_for():
            pass  # again as long as somebody else's transaction is open on this database server
    await here.answer(ids[1], 0, 1, Name(3))
    assert await asked_for() == {ids[1]}


async def test_what_could_not_be_read_is_read_at_the_next_look(only_hints, two, sit, monkeypatch):
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    table = await there.table(id_)
    beside = JOINED[there]
    lose_hints(here)
    await here.answer(id_, 0, 1, Name(3))
    with monkeypatch.context() as broken:

        async def away(_known):
            raise Unsaved

        broken.setattr(there.store, "newer", away)
        with pytest.raises(Unsaved):
            await beside.look()
    await beside.look()
    assert table.seq == 2


async def test_a_connection_that_is_lost_comes_back_and_nothing_is_missed(two, sit, cluster, monkeypatch):
    monkeypatch.setattr(processes, "RETRY", 0.05)
    monkeypatch.setattr(processes, "POLL", 0.5)
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    await there.table(id_)
    cluster.sql("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()")
    await here.answer(id_, 0, 1, Name(3))  # while nobody listens
    await moved(there, id_, 2)
    await here.answer(id_, 1, 2, Doubt())
    await moved(there, id_, 3)


async def test_a_line_for_hints_that_breaks_is_back_soon(only_hints, two, sit, cluster, monkeypatch, caplog):
    monkeypatch.setattr(processes, "RETRY", NEVER)
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    await there.table(id_)
    named = "application_name ~ '^spieltisch (listens|tells)'"
    cluster.sql(f"select pg_terminate_backend(pid) from pg_stat_activity where {named}")
    async with asyncio.timeout(60):
        while caplog.text.count("is heard of again") < len(two):  # noqa: ASYNC110 - it tells nobody else
            await asyncio.sleep(0.01)
    await here.answer(id_, 0, 1, Name(3))
    await moved(there, id_, 2)
    await there.answer(id_, 1, 2, Doubt())
    await moved(here, id_, 3)


async def test_whoever_comes_from_another_process_finds_what_it_has_written(again, sit, monkeypatch):
    """Also before a hint has arrived, or where none ever will: the other process may have died of its last move."""
    here, there = Host(again(), Hub()), Host(again(), Hub())
    id_ = await sit(here, "bids", PEOPLE)
    assert (await there.table(id_)).seq == 1
    await here.answer(id_, 0, 1, Name(3))
    await here.replace(id_, 3, Chair("Nova", "bot"))
    assert (await there.table(id_)).seq == 1  # nothing was heard of
    table = await there.latest(id_)
    assert (table.seq, table.names[3]) == (2, "Nova")
    setup = table.setup
    assert (await there.latest(id_)).setup is setup  # looks, and reads nothing anew
    await here.delete(id_)
    with pytest.raises(Missing):
        await there.latest(id_)


class Heard:
    """A part that keeps what it hears, and has one thing that holds."""

    def __init__(self, holds):
        self.holds, self.heard, self.there = holds, [], set()
        self.tell = print  # until it has joined

    def hear_from(self, process, words):
        self.heard.append(words)

    def repeat(self):
        self.tell(self.holds)

    def keep(self, processes):
        self.there = processes


async def test_words_go_round_and_who_comes_hears_what_holds(again):
    parts = Heard("of here"), Heard("of there"), Heard("of a third")
    async with process(again, part=parts[0]) as here, process(again, part=parts[1]) as there:
        await asyncio.gather(heard_of(here), heard_of(there))
        parts[0].tell("hello T 1")
        async with asyncio.timeout(60):
            while "hello T 1" not in parts[1].heard:  # noqa: ASYNC110 - as below: it tells nobody
                await asyncio.sleep(0.01)
        assert "hello T 1" not in parts[0].heard
        async with process(again, part=parts[2]):
            async with asyncio.timeout(60):
                while {"of here", "of there"} - {*parts[2].heard} or "of a third" not in parts[0].heard:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                while len(parts[0].there) != 2:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        async with asyncio.timeout(60):
            while len(parts[0].there) != 1:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


@pytest.mark.skipif(valkey.program() is None, reason=valkey.NEEDED)
async def test_hints_go_by_a_valkey_which_may_die(only_hints, again, sit, monkeypatch, caplog, place):
    monkeypatch.setattr(processes, "RETRY", 0.05)
    server = valkey.Valkey()
    try:

        def way(store):
            return hints.Valkey(server.address, store.database)

        async with process(again, way) as here, process(again, way) as there:
            await asyncio.gather(heard_of(here), heard_of(there))
            id_ = await sit(here, "bids", PEOPLE)
            await there.table(id_)
            async with overheard(place, here, there) as heard:
                await here.answer(id_, 0, 1, Name(3))
                await moved(there, id_, 2)
            assert heard == []  # nothing goes by the database
            server.kill()
            await here.answer(id_, 1, 2, Doubt())  # which nobody hears of
            server.start()
            table = await moved(there, id_, 3)
            await asyncio.gather(heard_of(here), heard_of(there))
            (seat, *_) = table.to_act
            await there.answer(id_, seat, table.question(seat), table.legal(seat)[0])
            await moved(here, id_, 4)
    finally:
        server.close()
    assert {record.levelname for record in caplog.records} <= {"WARNING"}


async def test_an_address_that_is_none_is_refused_without_its_password(store):
    with pytest.raises(DataError, match="redis://") as refused:
        hints.Valkey("http://ada:hush@example", store.database)
    assert "hush" not in str(refused.value)


@contextlib.asynccontextmanager
async def overheard(place, *hosts, last=None):
    """What all are told meanwhile, and these hosts alone, to the message with these words; without any: and a moment
    later.
    """
    async with await psycopg.AsyncConnection.connect(place.where, autocommit=True) as db:
        for process in (hints.ALL, *(host.store.process for host in hosts)):
            await db.execute(f'listen "{hints.channel(process)}"')
        heard = []
        yield heard
        async for note in db.notifies(timeout=60.0 if last else 0.3):
            heard.append(note.payload)
            if last and last in note.payload:
                break


async def test_each_knows_how_many_share_the_database(again):
    async def count(host, n):
        async with asyncio.timeout(60):
            while host.store.processes != n:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)

    async with process(again) as here:
        await alone(here)
        assert here.store.processes == 1
        async with process(again) as there:
            await asyncio.gather(count(here, 2), count(there, 2))
        await count(here, 1)


async def test_who_is_alone_tells_nobody(again, place, sit):
    async with process(again) as host:
        await alone(host)
        id_ = await sit(host, "bids", PEOPLE)
        async with overheard(place) as heard:
            await host.answer(id_, 0, 1, Name(3))
        assert heard == []


async def test_nobody_is_told_of_moves_at_a_table_that_no_other_process_has_in_memory(two, place, sit):
    here, there = two
    ours, common = await sit(here, "bids", PEOPLE), await sit(here, "bids", PEOPLE)
    await there.table(common)
    peers = await knows_of_others(here, common)
    async with overheard(place, there, last=f"{common} 2") as heard:
        await here.answer(ours, 0, 1, Name(3))
        await here.answer(common, 0, 1, Name(3))
    hints = ",".join(heard).split(",")
    assert f"{common} 2" in hints
    assert f"{ours} 2" not in hints
    await there.delete(common)
    async with asyncio.timeout(60):
        while peers.have(common):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_only_those_are_told_of_a_move_who_have_its_table_in_memory(two, again, place, sit):
    here, there = two
    async with process(again) as third:
        await heard_of(third)
        id_ = await sit(here, "bids", PEOPLE)
        await third.table(id_)
        await knows_of_others(here, id_)
        async with overheard(place, here, there) as heard:
            await here.answer(id_, 0, 1, Name(3))
            await moved(third, id_, 2)
        assert f"{id_} 2" not in ",".join(heard).split(",")


async def test_whoever_has_lost_sight_of_others_tables_is_told_again_of_those_where_they_are_behind(two, sit):
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    await there.table(id_)
    peers = await knows_of_others(here, id_)
    peers.keep(set())
    table = await here.table(id_)
    for _ in range(3):  # of which nobody is told; what was told before may still bring the first ones
        (seat, *_) = table.to_act
        await here.answer(id_, seat, table.question(seat), table.legal(seat)[0])
        await moved(there, id_, table.seq)
    await knows_of_others(here, id_)


async def test_of_a_table_that_two_have_in_memory_whoever_does_not_need_it_lets_go_soon(two, sit, monkeypatch):
    """Otherwise a process follows every move of a table that nobody there looks at: usually where it was opened."""
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    await there.table(id_)
    peers = await knows_of_others(here, id_)
    await knows_of_others(there, id_)
    for host in two:
        monkeypatch.setattr(host, "clock", lambda host=host: host.store.clock() + SHARED_IDLE)
    with here.hub.listen(id_):
        here.sweep()
        there.sweep()
    assert (here.memory.known(id_) is None, there.memory.known(id_) is None) == (False, True)
    async with asyncio.timeout(60):
        while peers.have(id_):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    here.sweep()
    assert here.memory.known(id_) is not None  # the last one keeps it for whoever comes back
    assert (await there.table(id_)).seq == 1


async def test_many_moves_are_few_messages(two, place):
    here, there = two
    beside, other = (JOINED[host] for host in (here, there))
    for n, k in itertools.product(range(40), range(25)):
        beside._holders.hear_from(other._me, f"has T{k:05}-{n} 0")
    begun = time.monotonic()
    async with overheard(place, there, last="T00024-39 40") as heard:
        for n in range(40):
            for k in range(25):
                JOINED[here]._peers.written(f"T{k:05}-{n}", n + 1)
            await asyncio.sleep(0.001)
    told = [hint for hint in ",".join(heard).split(",") if not hint.startswith(("#", "@"))]  # not who is there
    assert {hint.partition(" ")[0] for hint in told} == {f"T{k:05}-{n}" for n in range(40) for k in range(25)}
    # one each `PAUSE`, and two more where what is told then is too long for one
    assert len(heard) <= 3 + (time.monotonic() - begun) / processes.PAUSE
    assert max(map(len, heard)) <= processes.MOST


async def test_who_waits_writes_nothing(two, sit, cluster, monkeypatch):
    monkeypatch.setattr(processes, "HEARTBEAT", 0.1)
    here, there = two
    for _ in range(5):
        await there.table(await sit(here, "bids", PEOPLE))
    number, written = "select pg_snapshot_xmax(pg_current_snapshot())::text", []
    async with thinking(here), thinking(there):
        for _ in range(10):  # until what was begun is done; whoever writes while it waits never comes to rest
            before = cluster.sql(number)
            await asyncio.sleep(2.5)
            written.append(cluster.sql(number) != before)
            if not written[-1]:
                break
        assert not written[-1]


async def test_of_two_processes_one_thinks(two, sit, monkeypatch):
    here, there = two
    thoughts, choose = [], TurnRunner._choose

    async def counted(self, table, seat, legal):
        thoughts.append(table.id)
        await asyncio.sleep(0.02)  # long enough for the other one to begin, too
        return await choose(self, table, seat, legal)

    monkeypatch.setattr(TurnRunner, "_choose", counted)
    ids = [await sit(here, "bids", ["bot"] * 4, rounds=3) for _ in range(3)]
    for id_ in ids:
        await there.table(id_)
    async with thinking(here), thinking(there):
        for id_ in ids:
            await over(there, id_)
    logs = [await here.store.log(id_) for id_ in ids]
    entries = sum(read_entry(body).by == "bot" for log in logs for body in log)
    assert entries <= len(thoughts) < 1.5 * entries  # now and then one thinks of what it has not heard the end of


async def over(host, id_):
    table = await host.table(id_)
    with host.hub.listen(id_) as news:
        async with asyncio.timeout(120):
            while table.result is None:
                await news.wait()


async def test_what_a_process_had_claimed_is_taken_over_when_it_is_gone(two, sit):
    here, there = two
    id_ = await sit(here, "bids", ["bot"] * 2)
    async with asyncio.timeout(60):
        while not await here.store.claim(9, 0.5, 0.0):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.01)
    async with thinking(there):  # which has never seen the table
        await over(there, id_)


async def test_what_a_process_has_claimed_stands_while_it_is_there_and_no_longer(again, sit):
    async with process(again) as there:
        async with process(again) as here:
            await asyncio.gather(heard_of(here), heard_of(there))
            id_ = await sit(here, "bids", ["bot"] * 2)
            async with asyncio.timeout(60):
                while not await here.store.claim(9, NEVER, 0.0):  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
            async with process(again) as third:
                await heard_of(third)  # has looked who is there
                assert await third.store.claim(9, NEVER, 0.0) == {}
        async with thinking(there):
            await over(there, id_)


async def test_what_a_process_says_last_does_not_keep_its_claims(two, again, sit):
    """Its last message arrives just when the others check who is there."""
    here, there = two
    beside, gone = JOINED[there], again()
    id_ = await sit(here, "bids", ["bot"] * 2)
    async with asyncio.timeout(60):
        while not await gone.claim(9, NEVER, 0.0):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.01)
    names = there.store.names

    async def late(name):
        found = await names(name)
        beside._hear(f"#{gone.process},@nobody says")
        there.store.names = names
        return found

    beside._there = set()  # as where it had been there before
    there.store.names = late
    async with thinking(there):
        await over(there, id_)


async def test_a_process_whose_clock_is_ahead_is_not_early(two, sit, monkeypatch):
    here, there = two
    id_ = await sit(here, "bids", PEOPLE)
    await here.change(id_, lambda setup: msgspec.structs.replace(setup, turn_seconds=20.0))
    await there.table(id_)
    monkeypatch.setattr(there, "clock", lambda: there.store.clock() + 30)
    claims, claim = [], there.store.claim

    async def counted(*given):
        claims.append(await claim(*given))
        return claims[-1]

    monkeypatch.setattr(there.store, "claim", counted)
    async with thinking(there):
        async with asyncio.timeout(60):
            while len(claims) < 3:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.05)
    assert (claims, (await there.table(id_)).seq) == ([{}] * len(claims), 1)
