"""Real processes: killed at any moment, two on one store. No acknowledged move is lost, none is doubled."""

import asyncio
import contextlib
import os
import random
import signal
import sys
from pathlib import Path

import msgspec
import pytest

from matrix import many, sampled
from spieltisch.table.host import Host
from spieltisch.table.log import read_entry
from spieltisch.table.wake import Hub

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

TABLES = 8
SEATS = 3


class Served:
    """A server process on a store, started again after every kill."""

    def __init__(self, place, socket):
        self.where, self.socket = place.where, str(socket)
        self.up = asyncio.Event()

    async def start(self):
        Path(self.socket).unlink(missing_ok=True)  # noqa: ASYNC240 - nobody waits yet
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, str(Path(__file__).parent / "served.py"), self.where, self.socket,
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert await self.process.stdout.readline() == b"ready\n"
        self.up.set()

    async def __aenter__(self):
        await self.start()
        return self

    async def __aexit__(self, *_):
        await self.kill()

    async def kill(self):
        self.up.clear()
        os.kill(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        vars(self.process)["_transport"].close()


class Player:
    """A player with a connection of its own, who repeats what was not acknowledged."""

    def __init__(self, served, table, seat):
        self.served, self.table, self.seat = served, table, seat
        self.taken = []  # (question, action), as acknowledged
        self.retries = 0
        self.ways = {}

    async def ask(self, served, asked):
        """The answer, or None if the connection broke."""
        await served.up.wait()
        try:
            if served not in self.ways:
                self.ways[served] = await asyncio.open_unix_connection(served.socket)
            reader, writer = self.ways[served]
            writer.write(msgspec.json.encode(asked) + b"\n")
            line = await reader.readline()
        except OSError:
            line = b""
        if line.endswith(b"\n"):
            return msgspec.json.decode(line)
        if served in self.ways:
            self.ways.pop(served)[1].close()
        await asyncio.sleep(0.01)
        return None

    async def play(self, stop):
        dice = random.Random(f"{self.table}{self.seat}")
        while not stop.is_set():
            seen = await self.ask(dice.choice(self.served), {"look": self.table, "seat": self.seat})
            if seen is None or not seen["legal"]:
                await asyncio.sleep(0.01)
                continue
            answer = {"question": seen["question"], "action": dice.choice(seen["legal"])}
            asked = answer | {"table": self.table, "seat": self.seat}
            while (said := await self.ask(dice.choice(self.served), asked)) is None:
                self.retries += 1  # it may have been written, or not: the same again
            if said["said"] == "taken":
                self.taken.append((answer["question"], answer["action"]))
            else:
                assert said["said"] == "moot"
        for _, writer in self.ways.values():
            writer.close()


async def compare(place, players):
    """Check that every log holds exactly the acknowledged entries. Returns the number of moves."""
    store = place.open()
    host = Host(store, Hub())
    moves = 0
    for id_ in {player.table for player in players}:
        assert (await host.table(id_)).fresh
        log = [read_entry(body) for body in await store.log(id_)]
        for player in players:
            if player.table == id_:
                mine = [entry.action for entry in log if entry.seat == player.seat]
                assert mine == [action for _, action in player.taken]
                questions = [question for question, _ in player.taken]
                assert questions == sorted(set(questions))
                moves += len(mine)
    await store.close()
    return moves


@contextlib.asynccontextmanager
async def played(served, ids, least):
    """All seats are played by somebody until the end of the block, and until so many moves were made; whoever is in
    the middle of it finishes."""
    players = [Player(served, id_, seat) for id_ in ids for seat in range(SEATS)]
    stop = asyncio.Event()
    playing = [asyncio.create_task(player.play(stop)) for player in players]
    yield players
    async with asyncio.timeout(90):
        while sum(len(player.taken) for player in players) < least:  # noqa: ASYNC110 - they tell nobody
            await asyncio.sleep(0.05)
        stop.set()
        await asyncio.gather(*playing)


async def opened(place, sit):
    store = place.open()
    ids = [await sit(Host(store, Hub()), "bids", ["person"] * SEATS, rounds=1_000_000) for _ in range(TABLES)]
    await store.close()
    return ids


@pytest.mark.parametrize("kills", sampled([3, 20], [3]))
async def test_killed_under_load_and_started_again(place, tmp_path, sit, kills):
    ids = await opened(place, sit)
    async with Served(place, tmp_path / "socket") as served, played([served], ids, 200) as players:
        for _ in range(kills):
            await asyncio.sleep(random.uniform(0.02, 0.25))
            await served.kill()
            await served.start()
    moves = await compare(place, players)
    print(f"{moves} moves, {sum(player.retries for player in players)} sent again")
    assert moves >= 200


async def test_two_processes_on_one_store(place, tmp_path, sit):
    ids = await opened(place, sit)
    async with (
        Served(place, tmp_path / "one") as one,
        Served(place, tmp_path / "two") as two,
        played([one, two], ids, 50) as players,
    ):
        await asyncio.sleep(many(1.5, 3.0))
    assert await compare(place, players) >= 50
