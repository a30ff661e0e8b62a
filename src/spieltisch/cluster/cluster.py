"""Several processes on one database: each hears which tables others have written, and reads the new entries.

A message is a hint: a table and the number of an entry, never the entry. It goes only to processes that have the table
in memory (see `Holders`). All processes send at the same moments, so that each reads once for several hints. Lost,
duplicate or late hints only cost time: every `POLL` seconds a process asks the database for new entries. The same
messages carry short-lived events (presence, chat); see `Part`.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Iterable, Mapping

from spieltisch.cluster.holders import Holders
from spieltisch.cluster.notify import FAILS, Ear, Hints, Notify
from spieltisch.cluster.peers import Part, Peers
from spieltisch.cluster.polling import poll
from spieltisch.cluster.postgres import Moment, Postgres
from spieltisch.table.host import Host
from spieltisch.table.store import Unsaved
from spieltisch.table.tasks import end

log = logging.getLogger(__name__)

LISTENS = "spieltisch listens"  # plus the process's number: these names of connections show which processes are alive
POLL = 2.0  # seconds
PAUSE = 0.025  # seconds between the moments at which all send, by the database's clock
LISTEN = 0.005  # seconds in which all of their messages arrive
HEARTBEAT = 10.0  # seconds without a message until a listening connection is tested
PROOF = 2.0  # seconds for an answer, or for a message to itself
AGAIN = 0.1  # seconds until a retry, doubled after each failure
RETRY = 5.0  # the longest delay of a retry
MOST = 7_900  # bytes of a message: PostgreSQL takes 8,000


class Cluster:
    """Tells other processes of this one's writes, and reads theirs. `await run()` never ends."""

    def __init__(
        self,
        host: Host,
        store: Postgres,
        peers: Peers,
        parts: Mapping[str, Part] | None = None,
        hints: Hints | None = None,
    ) -> None:
        """The store and the host's memory report to these `peers`, and the `parts` through `peers.part` of their names.
        Without `hints`, the database carries the messages.
        """
        self._host = host
        self._hints = hints or Notify(store.database)
        self._store = store
        self._look = asyncio.Event()
        self._seen: Moment | None = None  # what others wrote after it is not read yet
        self._behind: set[str] = set()  # tables with unread entries of others
        self._following: asyncio.Task[None] | None = None
        self._me = store.process
        self._there: set[str] = set()  # at the last look, including this one
        self._others: set[str] = set()
        self._heard: set[str] = set()  # who has sent something since the last look
        self._peers = peers
        peers.hears = False  # until then, others' writes are seen only every `POLL` seconds
        self._holders = Holders(host.memory, peers)
        self._parts: Mapping[str, Part] = {"table": self._holders, **(parts or {})}

    async def run(self) -> None:
        """Send, listen, poll and read until it is cancelled."""
        tasks = [asyncio.create_task(one()) for one in (self._tell, self._listen, self._poll)]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end(tasks if self._following is None else [*tasks, self._following])

    # To others

    async def _tell(self) -> None:
        peers, pause, untold = self._peers, AGAIN, None
        while True:
            if untold is not None:
                peers.put_back(untold)
            with contextlib.suppress(*FAILS):
                async with self._hints.voice() as say:
                    while True:
                        await peers.told.wait()
                        await asyncio.sleep(PAUSE - self._store.clock() % PAUSE)
                        untold = peers.take()
                        if told := messages(self._me, peers.addressed(untold)):
                            await say(told)
                        pause, untold = AGAIN, None
            await asyncio.sleep(pause)
            pause = min(2 * pause, RETRY)

    # From others

    async def _listen(self) -> None:
        lost, pause = False, AGAIN
        while True:
            try:
                async with self._hints.ear(f"{LISTENS} {self._me}", self._me) as ear:
                    await self._prove(ear)
                    if lost:
                        log.warning("what other processes write is heard of again")
                    lost, pause = False, AGAIN
                    self._others = set()  # they may have lost this process, too
                    self._look.set()  # for anything missed
                    self._peers.hears = True
                    proven = time.monotonic()
                    while True:
                        for message in await ear.hear(HEARTBEAT):
                            self._hear(message)
                        if time.monotonic() - proven >= HEARTBEAT:
                            async with asyncio.timeout(PROOF):
                                await ear.prove()
                            proven = time.monotonic()
            except FAILS as error:
                self._peers.hears = False
                if not lost:
                    log.warning(
                        "changes by other processes are seen every %.0f seconds only: %s", POLL, type(error).__name__
                    )
                lost = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, RETRY)

    async def _prove(self, ear: Ear) -> None:
        """Raise TimeoutError if a message to itself does not arrive: a connection pooler may swallow all of them."""
        proof = f"?{secrets.token_hex(8)}"
        await ear.say(proof)
        async with asyncio.timeout(PROOF):
            while True:
                for message in await ear.hear(PROOF):
                    if message == proof:
                        return
                    self._hear(message)

    def _hear(self, message: str) -> None:
        sender, *hints = message.split(",")
        if sender == f"#{self._me}" or message.startswith("?"):
            return
        self._peers.alone = False
        for hint in hints:
            table, _, seq = hint.partition(" ")
            if table.startswith("@"):
                self._heard.add(sender[1:])
                if (part := self._parts.get(table[1:])) is not None:
                    part.hear_from(sender[1:], seq)
                continue
            known = self._host.memory.known(table)
            if known is not None and (seq == "0" or known.seq < int(seq)):
                self._follow(table)

    async def look(self) -> None:
        """Look which processes are alive, and what was written."""
        self._heard.clear()
        processes = {name.removeprefix(f"{LISTENS} ") for name in await self._store.names(LISTENS)}
        if processes != self._there:
            there = {*processes, *self._heard}  # a message just heard may be somebody's last
            await self._store.release([self._me, *there])
            self._there = there
        self._meet(processes)
        seen, written = await self._store.written_since(self._seen)
        self._holders.again(await self._host.refresh(self._host.memory.stand() if written is None else written))
        self._seen = seen  # only now, so that whatever failed to be read is read at the next look

    async def _poll(self) -> None:
        await poll(self.look, self._look, POLL, "what other processes have written cannot be looked for")

    def _meet(self, processes: set[str]) -> None:
        """Note that these processes are alive."""
        others = processes - {self._me}
        self._peers.alone, self._store.processes = not others, 1 + len(others)
        for part in self._parts.values():
            part.keep(others | self._heard)
            if others - self._others:
                part.repeat()
        self._others = others

    def _follow(self, table: str) -> None:
        """Read new entries of a table, together with those of all tables reported by then."""
        self._behind.add(table)
        if self._following is None:
            self._following = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while self._behind:
                await asyncio.sleep(LISTEN)
                behind, self._behind = self._behind, set()
                await self._host.refresh(behind)
        except Unsaved:  # the store has reported it
            return
        except Exception:
            log.exception("cannot follow the changes of other processes")
        finally:
            self._following = None


def messages(sender: str, told: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """Pack what each process is to be told into as few messages as possible, as (receiver, message). A message begins
    with its sender.
    """
    made = []
    for to, hints in told.items():
        message = start = f"#{sender}"
        for hint in hints:
            if len(message) + len(hint) >= MOST:
                made.append((to, message))
                message = start
            message += f",{hint}"
        if message != start:
            made.append((to, message))
    return made
