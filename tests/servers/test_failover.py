"""A synchronous standby takes over the database: it has everything acknowledged, and nothing is acknowledged while it
is away.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import time

import pytest

import postgres
from spieltisch.table.log import TableSetup

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")
engine = pytest.importorskip("spieltisch.cluster.postgres")

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
PORT = 5433  # of the standby's socket, in the same folder


class Pair:
    """A real server and a standby of it, for which each commit waits."""

    def __init__(self):
        self.first = postgres.Cluster(postgres.programs())
        folder, data = self.first.folder, self.first.folder / "standby"
        there = f"host={folder} user={self.first.user} application_name=standby"
        self.first._run("pg_basebackup", "-d", there, "-D", data, "-R", "-c", "fast", "--no-sync")
        self._process = subprocess.Popen(
            [self.first.bin / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-p", str(PORT)],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.first._as,
        )  # fmt: skip
        self.first.sql("alter system set synchronous_standby_names = 'standby'")
        self.first.sql("select pg_reload_conf()")
        deadline = time.monotonic() + 120
        while self.first.sql("select sync_state from pg_stat_replication") != [("sync",)]:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def ask(self, address, question):
        """What the standby answers."""
        with psycopg.connect(f"{address}&port={PORT}", autocommit=True) as db:
            return db.execute(question).fetchall()[0][0]

    @contextlib.contextmanager
    def standing_still(self, address):
        """Meanwhile the standby receives nothing."""
        pid = self.ask(address, "select pid from pg_stat_wal_receiver")
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def close(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(60)
        self.first.close()


@pytest.fixture
def pair():
    if postgres.programs() is None:
        pytest.skip(postgres.NEEDED)
    one = Pair()
    yield one
    one.close()


async def test_what_was_acknowledged_is_on_the_standby_when_the_first_is_lost(pair):
    address = pair.first.database()
    store = engine.Postgres(address)
    await store.create(TableSetup("A", "bids", {}, ()))
    assert await store.append("A", 1, b"1", None, 1.0)
    with pair.standing_still(address):
        sent = asyncio.ensure_future(store.append("A", 2, b"2", None, 1.0))
        while await asyncio.to_thread(
            pair.first.sql, "select count(*) from pg_stat_activity where wait_event = 'SyncRep'"
        ) != [(1,)]:
            assert not sent.done()
        assert not sent.done()  # committed where it came, but nobody is told so
    assert await asyncio.wait_for(sent, 60)

    acknowledged, written = 2, asyncio.Event()

    async def write():
        nonlocal acknowledged
        while await store.append("A", acknowledged + 1, b"n", None, 1.0):
            acknowledged += 1
            if acknowledged == 60:
                written.set()

    writing = asyncio.create_task(write())
    await asyncio.wait_for(written.wait(), 60)
    pair.first.kill()  # at once, in the middle of it
    known = acknowledged
    writing.cancel()
    await asyncio.wait([writing])
    assert await asyncio.to_thread(pair.ask, address, "select pg_promote()")
    goes_on = engine.Postgres(f"{address}&port={PORT}")
    there = len(await goes_on.log("A"))
    assert known <= there <= known + 1
    assert await goes_on.append("A", there + 1, b"n", None, 1.0)
    await goes_on.close()
    await store.database._pool.close()
