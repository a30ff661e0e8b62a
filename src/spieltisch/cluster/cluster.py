"""Several processes on one database: each hears which tables the others have written, and reads on.

What travels is a hint, table and number of the entry, never the entry, and only to processes that have the table in
memory: see `Holders`. All speak at the same moments, so that whoever hears several reads on once. Hints that are lost,
doubled or late cost time and nothing else: every `POLL` seconds a process asks what has been written and reads on.
With them go words that belong to the moment, such as who has come: see `Part`.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Protocol

from spieltisch.cluster.copied import Copied
from spieltisch.cluster.holders import Holders
from spieltisch.cluster.notify import ALL, FAILS, Ear, Hints, Notify
from spieltisch.cluster.polling import poll
from spieltisch.cluster.postgres import Moment, Postgres
from spieltisch.table.host import Host
from spieltisch.table.store import Unsaved
from spieltisch.table.tasks import end

log = logging.getLogger(__name__)

LISTENS = "spieltisch listens"  # and the process's number: by these names it is known who is there
POLL = 2.0  # seconds
PAUSE = 0.025  # seconds between the moments, by the database's clock, at which all tell what was written meanwhile
LISTEN = 0.005  # seconds in which what all of them tell comes in
HEARTBEAT = 10.0  # seconds after which a connection that listens is asked whether it still lives
PROOF = 2.0  # seconds that an answer, or a message to oneself, may take
AGAIN = 0.1  # seconds until then, twice as many each time it fails once more
RETRY = 5.0  # seconds until then at most
MOST = 7_900  # bytes of a message: PostgreSQL takes 8,000


class Part(Protocol):
    """What processes tell each other besides what stands in the database. Words are without commas."""

    tell: Callable[[str], None]  # says this to all others, if there are any

    def hear_from(self, process: str, words: str) -> None:
        """Another process has said this."""
        ...

    def repeat(self) -> None:
        """Somebody new hears: tell once more what holds."""
        ...

    def keep(self, processes: set[str]) -> None:
        """These are there: what others have said holds no longer."""
        ...


class Cluster:
    """What one process hears of others, and tells them, for the tables of its host, and for the files that they share.
    `await run()` never ends.
    """

    def __init__(self, host: Host, store: Postgres, hints: Hints | None = None, files: Copied | None = None) -> None:
        """Without other `hints` they go by the database."""
        self._host = host
        self._hints = hints or Notify(store.database)
        self._store = store
        self._news: dict[str, int] = {}  # to be told: by table the newest entry; 0 says look in any case
        self._told = asyncio.Event()
        self._look = asyncio.Event()
        self._alone = True
        self._listening = False
        self._seen: Moment | None = None  # since when others may have written what was not read here
        self._behind: set[str] = set()  # tables where others have written
        self._following: asyncio.Task[None] | None = None
        self._me = store.process
        self._parts: dict[str, Part] = {}
        self._words: list[str] = []  # to be told
        self._there: set[str] = set()  # at the last look, this one too
        self._others: set[str] = set()
        self._heard: set[str] = set()  # who has said something since the last look at who is there
        self._runs: list[Callable[[], Coroutine[None, None, None]]] = [self._tell, self._listen, self._poll]
        store.written = self._written
        store.turned = host.turn
        self._holders = Holders(host, self._written)
        self.join("table", self._holders)
        if files is not None:
            self.join("files", files)
            self._runs.append(files.run)

    @property
    def hears(self) -> bool:
        """Whether hints arrive; else what others write is seen every `POLL` seconds only."""
        return self._listening

    async def run(self) -> None:
        """Tell, listen, poll and follow until it is cancelled."""
        tasks = [asyncio.create_task(one()) for one in self._runs]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end(tasks if self._following is None else [*tasks, self._following])

    def join(self, name: str, part: Part) -> None:
        """Let the parts of this name in all processes hear of each other."""
        self._parts[name] = part
        part.tell = partial(self._say, name)

    # To others

    def _say(self, name: str, words: str) -> None:
        if not self._alone:
            self._words.append(f"@{name} {words}")
            self._told.set()

    def _written(self, table: str, seq: int) -> None:
        """The store has committed an entry or, with 0, something else of the table."""
        if not self._alone and (not seq or self._holders.any(table)):
            old = self._news.get(table, seq)
            self._news[table] = max(seq, old) if seq and old else 0
            self._told.set()

    async def _tell(self) -> None:
        pause, news, words = AGAIN, {}, []
        while True:
            if news or words:  # which did not get through
                for table, seq in news.items():
                    self._written(table, seq)
                self._words[:0] = words
                self._told.set()
            with contextlib.suppress(*FAILS):
                async with self._hints.voice() as say:
                    while True:
                        await self._told.wait()
                        await asyncio.sleep(PAUSE - self._store.clock() % PAUSE)
                        self._told.clear()
                        news, self._news = self._news, {}
                        words, self._words = self._words, []
                        if told := messages(self._me, self._addressed(news, words)):
                            await say(told)
                        pause, news, words = AGAIN, {}, []
            await asyncio.sleep(pause)
            pause = min(2 * pause, RETRY)

    def _addressed(self, news: Mapping[str, int], words: Iterable[str]) -> dict[str, list[str]]:
        """What is told, by the process that it is for, or `ALL`."""
        told: defaultdict[str, list[str]] = defaultdict(list, {ALL: [*words]})
        for table, seq in news.items():
            for process in self._holders.where(table) if seq else (ALL,):
                told[process].append(f"{table} {seq}")
        return told

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
                    self._others = set()  # they may have lost sight of this process, too
                    self._look.set()  # whatever was missed
                    self._listening = True
                    proven = time.monotonic()
                    while True:
                        for message in await ear.hear(HEARTBEAT):
                            self._hear(message)
                        if time.monotonic() - proven >= HEARTBEAT:
                            async with asyncio.timeout(PROOF):
                                await ear.prove()
                            proven = time.monotonic()
            except FAILS as error:
                self._listening = False
                if not lost:
                    log.warning(
                        "what other processes write is seen every %.0f seconds only: %s", POLL, type(error).__name__
                    )
                lost = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, RETRY)

    async def _prove(self, ear: Ear) -> None:
        """TimeoutError where a message to oneself does not arrive: a pooler between may swallow them all."""
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
        self._alone = False
        for hint in hints:
            table, _, seq = hint.partition(" ")
            if table.startswith("@"):
                self._heard.add(sender[1:])
                if (part := self._parts.get(table[1:])) is not None:
                    part.hear_from(sender[1:], seq)
                continue
            known = self._host.known(table)
            if known is not None and (seq == "0" or known.seq < int(seq)):
                self._follow(table)

    async def look(self) -> None:
        """Look for who is there, and for what has been written."""
        self._heard.clear()
        processes = {name.removeprefix(f"{LISTENS} ") for name in await self._store.names(LISTENS)}
        if processes != self._there:
            there = {*processes, *self._heard}  # what was heard just now may be somebody's last word
            await self._store.release([self._me, *there])
            self._there = there
        self._meet(processes)
        seen, written = await self._store.written_since(self._seen)
        self._holders.again(await self._host.refresh(self._host.stand() if written is None else written))
        self._seen = seen  # after that: what could not be read is read at the next look

    async def _poll(self) -> None:
        await poll(self.look, self._look, POLL, "what other processes have written cannot be looked for")

    def _meet(self, processes: set[str]) -> None:
        """These processes are there."""
        others = processes - {self._me}
        self._alone, self._store.processes = not others, 1 + len(others)
        for part in self._parts.values():
            part.keep(others | self._heard)
            if others - self._others:
                part.repeat()
        self._others = others

    def _follow(self, table: str) -> None:
        """Read on at a table, with all others of which there is news until it is their turn."""
        self._behind.add(table)
        if self._following is None:
            self._following = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while self._behind:
                await asyncio.sleep(LISTEN)
                behind, self._behind = self._behind, set()
                await self._host.refresh(behind)
        except Unsaved:  # the store has told it
            return
        except Exception:
            log.exception("what other processes have written is not followed")
        finally:
            self._following = None


def messages(sender: str, told: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """What is told whom, in as few messages as may be, each after the process that it is for. First in each is who
    tells it.
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
