"""What a server of one machine bears: 1,000 pages that look on, 200 that never read, 3,500 finished tables.

    python bench/faults.py

Pages and server are on one machine. Each part says what it cost in memory and what people at ten tables noticed of it.
"""

import asyncio
import gc
import json
import random
import re
import tempfile
import time
from pathlib import Path

import uvloop
import websockets
from paced import memory

from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
from web import page, serving, table

PLAYED = 10  # tables where people play
LOOKING = 1000
DEAF = 200
FINISHED = 3500


async def waits(state, seconds):
    """Median and p99 of the moves of some seconds, in milliseconds."""
    state["waits"] = []
    await asyncio.sleep(seconds)
    found = sorted(state["waits"])
    return f"{found[len(found) // 2] * 1e3:.0f} ms median, {found[len(found) * 99 // 100] * 1e3:.0f} ms p99"


async def look(origin, address):
    """A page that only looks on."""
    live = origin.replace("http", "ws") + address + "/live"
    async with websockets.connect(live, origin=origin, compression=None) as line:
        await line.send(json.dumps({"seen": -1, "lang": "de"}))
        async for _ in line:
            pass


async def deaf(origin, address):
    """A page that never reads; how many seconds until the server lets go of it."""
    port = int(origin.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(
        f"GET {address}/live HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\norigin: {origin}\r\nupgrade: websocket\r\n"
        "connection: upgrade\r\nsec-websocket-version: 13\r\n"
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    hello = json.dumps({"seen": -1, "lang": "de"}).encode()
    writer.write(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # a frame, masked with zeros
    begun = time.perf_counter()
    transport = writer.transport
    transport.pause_reading()
    while time.perf_counter() - begun < 60:
        await asyncio.sleep(1)
        if transport.is_closing():
            break
    transport.abort()
    return time.perf_counter() - begun


async def crowds():
    async with serving() as (server, origin):
        opened = [await table(origin) for _ in range(PLAYED)]
        state = {"waits": [], "refused": 0, "bytes": 0, "messages": 0}
        pages = [
            asyncio.create_task(page(origin, address, cookies, 3 * n + seed, state))
            for n, (address, people) in enumerate(opened)
            for seed, cookies in enumerate(people)
        ]
        await asyncio.sleep(10)
        print(f"faults.alone: {await waits(state, 5)}")
        before = memory(server.pid)
        watching = []
        for n in range(LOOKING):
            watching.append(asyncio.create_task(look(origin, opened[n % PLAYED][0])))
            await asyncio.sleep(0.005)
        await asyncio.sleep(5)
        cost = (memory(server.pid) - before) / LOOKING / 1024
        print(f"faults.looking: {LOOKING} pages look on, {cost:.0f} kB each; {await waits(state, 5)}")
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        await asyncio.sleep(10)
        before = memory(server.pid)
        silent = [asyncio.create_task(deaf(origin, opened[n % PLAYED][0])) for n in range(DEAF)]
        most, heard = before, ""
        for _ in range(10):
            heard = await waits(state, 3)
            most = max(most, memory(server.pid))
        after = memory(server.pid)
        for task in silent:
            task.cancel()
        await asyncio.gather(*silent, return_exceptions=True)
        print(
            f"faults.deaf: {DEAF} pages never read; {(most - before) / 2**20:.0f} MB more at most,"
            f" {(after - before) / 2**20:.0f} MB more after 30 s; {heard}"
        )
        for task in pages:
            task.cancel()
        await asyncio.gather(*pages, return_exceptions=True)


def own_memory():
    gc.collect()
    with open("/proc/self/smaps_rollup") as rollup:
        return int(re.search(r"^Pss:\s+(\d+)", rollup.read(), re.MULTILINE)[1]) / 1024


async def finished():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables.sqlite"
        now = [1e9]
        host = Host(SQLite(file), Hub(), clock=lambda: now[0], idle=60)
        few = asyncio.Semaphore(200)

        async def one(seed):
            chance = random.Random(seed)
            async with few:
                setup = await host.open("adaman", 1)
                await host.replace(setup.id, 0, Chair("Ada", "person", "key"))
                at = await host.start(setup.id)
                while at.result is None:
                    action = chance.choice(at.legal(0))
                    await host.answer(setup.id, 0, at.question(0), action)

        await asyncio.gather(*(one(seed) for seed in range(50)))  # what is loaded once
        levels = []
        for n in range(2):
            now[0] += 100
            host.sweep()
            levels.append(own_memory())
            await asyncio.gather(*(one(seed) for seed in range(n, FINISHED + n)))
        full = own_memory()
        now[0] += 100
        host.sweep()
        levels.append(own_memory())
        once, twice = (later - levels[0] for later in levels[1:])
        size = sum(one.stat().st_size for one in file.parent.iterdir())
        begun = time.perf_counter()
        await host.forget(now[0] + 1)
        spent = time.perf_counter() - begun
        await host.store.close()
        left = sum(one.stat().st_size for one in file.parent.iterdir())
        print(
            f"faults.finished: twice {FINISHED} games, {host.moves.total():,} entries; {full - levels[0]:.0f} MB in"
            f" memory; once nobody looks {once:.0f} MB more than before the first, {twice:.0f} MB after the second;"
            f" {size / 2**20:.1f} MB on the disk, {left / 2**20:.1f} MB when they are forgotten, in {spent:.1f} s"
        )


if __name__ == "__main__":
    uvloop.run(finished())
    uvloop.run(crowds())
