"""What processes on one database say of themselves when one asks: here two of them, and one that says nothing."""

import asyncio

import pytest

import stores
from spieltisch.cluster.fleet import Fleet
from spieltisch.cluster.peers import Peers
from spieltisch.table.host import Host
from spieltisch.table.wake import Hub

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")
processes = pytest.importorskip("spieltisch.cluster.cluster")

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("place", [stores.postgres], indirect=True)]


def named(name, peers):
    return Fleet(lambda: {"name": name, "pages": "3", "words": "a, b & c=d"}, peers.part("fleet"))


async def test_each_process_says_how_it_is_doing(again):
    parts, tasks = [], []
    for name in ("here", "there", ""):
        store, peers = again(), Peers()
        parts.append(named(name, peers))
        joined = {"fleet": parts[-1]} if name else {}
        tasks.append(asyncio.create_task(processes.Cluster(Host(store, Hub()), store, peers, joined).run()))
    try:
        async with asyncio.timeout(60):
            while len(parts[0]._others) < 2 or not await _all(parts[0]):  # noqa: ASYNC110 - they tell nobody
                await asyncio.sleep(0.05)
        here, there, silent = await parts[0].ask()
        assert here == {"name": "here", "pages": "3", "words": "a, b & c=d"}
        assert there == {**here, "name": "there"}
        assert silent == {}
        assert await asyncio.gather(parts[0].ask(), parts[0].ask()) == [[here, there, {}]] * 2
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _all(part):
    return sum(bool(one) for one in await part.ask()) == 2


async def test_one_process_alone_answers_at_once(again):
    assert await named("here", Peers()).ask() == [{"name": "here", "pages": "3", "words": "a, b & c=d"}]
