"""Programs that play by HTTP: a server of one's own, as people's are, at which a table is opened for each game.

A program is started with the address of its table, sits down, and plays by `/api`. The others' moves are entered for
them. Table and match have the same seed, so they are the same game; what a program does is read from the table's log.
"""

import asyncio
import contextlib
import os
import secrets
import shlex
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Coroutine, Generator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from spieltisch import extras, paths
from spieltisch.arena.lines import LAST, ended, kill, started
from spieltisch.arena.player import Player
from spieltisch.arena.seated import ForfeitError
from spieltisch.decks.carried import Carried
from spieltisch.decks.files import put
from spieltisch.decks.library import Library
from spieltisch.dice import Dice
from spieltisch.game import GameView, Result
from spieltisch.match import Match
from spieltisch.table.host import Host
from spieltisch.table.log import Chair, Entry, TableSetup, key_of, read_entry
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub

with extras.needed():
    import uvicorn

    from spieltisch.web import wire
    from spieltisch.web.app import create
    from spieltisch.web.core.http.connections import Connections
    from spieltisch.web.core.services import Services, Settings

T = TypeVar("T")
CONNECTIONS = 64
LOOK = 0.003  # seconds from one look at the log to the next
SEED = "SPIELTISCH_SEED"  # where a program is told one


class Server:
    """A server for this machine alone, in a thread of its own, with its tables in a folder that goes with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._up = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._up.wait()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.host = Host(SQLite(self._folder / paths.TABLES), Hub(), library=Library(self._folder / paths.DECKS))
        services = Services(self.host, Settings(secrets.token_bytes(32), limits=False))
        options = wire.options((), Connections(CONNECTIONS), services.stopping, limited=False)
        config = uvicorn.Config(
            create(services), **options, lifespan="on",
            access_log=False, log_config=None, log_level="warning", proxy_headers=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._stopping = services.stopping
        self._up.set()
        await self._server.serve(sockets=[self._listening])

    def do(self, work: Coroutine[object, object, T]) -> T:
        """What this comes to in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def stop(self) -> None:
        """Let go of whoever waits, and end."""
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._server.should_exit = True
        self._thread.join()
        self._listening.close()


@contextlib.contextmanager
def server(deck: Carried | None = None) -> Generator[Server]:
    """A server, until the end of the block. It has this deck besides the shipped ones."""
    with tempfile.TemporaryDirectory() as folder:
        if deck is not None:
            put(Path(folder) / paths.DECKS / f"{deck.name}.csv", deck.text)
        found = Server(Path(folder))
        try:
            yield found
        finally:
            found.stop()


class Guests:
    """The programs at the table of one game."""

    def __init__(self, server: Server, match: Match, top: dict[str, object], seconds: float) -> None:
        self._server, self._match, self._top, self._seconds = server, match, top, seconds
        self._programs: dict[int, tuple[Any, Any]] = {}  # by seat: the process, and what it has said
        self._heard: Entry | str = ""
        self._seq = 0
        self._code = ""
        self.unseated: tuple[int, str] | None = None

    def begin(self, players: Sequence[Player], seed: bytes, seeds: Sequence[int], held: contextlib.ExitStack) -> None:
        """Open the table, let the programs sit down one after the other, and deal. Each finds one of `seeds`, for its
        own chance, in its environment (SEED). Who does not sit down in time, or dies before, is `unseated`, with the
        reason. Raises Invalid where a program cannot be started.
        """
        host, do = self._server.host, self._server.do
        own = key_of(secrets.token_urlsafe(16))
        chairs = tuple(
            Chair() if one.kind == "http" else Chair(f"Seat {seat + 1}", "person", own)
            for seat, one in enumerate(players)
        )
        self._code = do(host.open(self._match.package.name, len(players), self._top, own)).id
        held.callback(lambda: do(host.delete(self._code)))

        def seated(setup: TableSetup) -> TableSetup:
            return msgspec.structs.replace(setup, chairs=chairs, answer_seconds=None)

        do(host.change(self._code, seated))
        for seat, one in enumerate(players):
            if one.kind == "http":
                said = held.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - it is one
                address = f"http://127.0.0.1:{self._server.port}/t/{self._code}"
                command = f"{one.command} {shlex.quote(address)}"
                told = {**os.environ, SEED: str(seeds[seat])}
                process = held.enter_context(
                    started(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=told)
                )
                self._programs[seat] = process, said
                why = do(self._until(lambda table, seat=seat: table.setup.chairs[seat].key, seat))
                if why:
                    self.unseated = seat, why.replace("answer", "sit down")
                    return
        do(host.start(self._code, seed))
        self._seq = 1

    async def _until(self, true: Any, seat: int) -> str:
        """Wait until this is true of the table; why it did not become so, "" if it did."""
        late = time.monotonic() + self._seconds
        process, said = self._programs[seat]
        while not true(await self._server.host.table(self._code)):
            if process.poll() is not None:
                if true(await self._server.host.table(self._code)):
                    break
                return ended(process, said)
            if time.monotonic() > late:
                kill(process)
                return f"it did not answer within {self._seconds:g} seconds"
            await asyncio.sleep(LOOK)
        return ""

    def turn(self, acting: Sequence[int], dice: Dice) -> int:
        """Who acts now. Programs act when they like: where one may, the first that does is waited for."""
        mine = [seat for seat in acting if seat in self._programs]
        if not mine:
            return dice.choice(acting)
        why = self._server.do(self._until(lambda table: table.seq > self._seq, mine[0]))
        if why:
            self._heard = why
            return mine[0]
        self._heard = read_entry(self._server.do(self._log())[0])
        self._seq += 1
        return mine[0] if self._heard.seat is None else self._heard.seat

    async def _log(self) -> Sequence[bytes]:
        return await self._server.host.store.log(self._code, self._seq)

    def choose(self, view: GameView, legal: Sequence[Struct]) -> Struct:  # noqa: ARG002 - it saw them at its table
        """What the program did of which `turn` has heard."""
        if isinstance(self._heard, str):
            raise ForfeitError(self._heard)
        if self._heard.by != "seat":
            raise ForfeitError("it left the table")
        return msgspec.convert(self._heard.action, self._match.package.rules.Action)

    def end(self, result: Result | None) -> None:
        """The programs see it at their table; they may end by themselves for a moment."""
        if result is None:
            return
        late = time.monotonic() + LAST
        while any(process.poll() is None for process, _ in self._programs.values()) and time.monotonic() < late:
            time.sleep(LOOK)

    def follow(self, seat: int, action: Struct) -> None:
        """Enter what somebody else has done."""
        if seat not in self._programs:
            self._server.do(self._enter(seat, action))
            self._seq += 1

    async def _enter(self, seat: int, action: Struct) -> None:
        table = await self._server.host.table(self._code)
        question = table.question(seat)
        assert question is not None
        await self._server.host.answer(self._code, seat, question, action)
