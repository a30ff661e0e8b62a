"""Answers a CPU-second through the host: 50 tables at once, three players each, every answer durable.

python bench/table.py [tables] [seconds]
"""

import asyncio
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import uvloop

os.environ["SPIELTISCH_GAMES"] = str(Path(__file__).parents[1] / "tests" / "table" / "toys")

from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub


async def player(host: Host, hub: Hub, id_: str, seat: int, waits: list[float]) -> None:
    dice = random.Random(seat)
    table = await host.table(id_)
    with hub.listen(id_) as news:
        while True:
            if seat not in table.to_act:
                await news.wait()
                continue
            question, action = table.question(seat), dice.choice(table.legal(seat))
            before = time.perf_counter()
            await host.answer(id_, seat, question, action)
            waits.append(time.perf_counter() - before)


async def main(tables: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub()
        host = Host(store := SQLite(Path(folder) / "tables.db"), hub)
        ids = []
        for _ in range(tables):
            setup = await host.open("bids", 3, {"options": {"rounds": 1_000_000}})
            for seat in range(3):
                await host.replace(setup.id, seat, Chair(f"P{seat}", "person"))
            await host.start(setup.id)
            ids.append(setup.id)
        waits: list[float] = []
        cpu, wall = time.process_time(), time.perf_counter()
        players = [asyncio.create_task(player(host, hub, i, seat, waits)) for i in ids for seat in range(3)]
        await asyncio.sleep(seconds)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        for task in players:
            task.cancel()
        await asyncio.wait(players)
        await host.rest()
        await store.close()
    waits.sort()
    begun = time.process_time()
    sum(i * i for i in range(3_000_000))
    print(f"table.machine: {3 / (time.process_time() - begun):.1f} million additions a CPU-second, to compare by")
    print(f"table.answers: {len(waits) / cpu:,.0f} a CPU-second, {len(waits) / wall:,.0f} a second")
    print(f"table.wait: {waits[len(waits) // 2] * 1e3:.1f} ms median, {waits[len(waits) * 99 // 100] * 1e3:.1f} ms p99")


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), float(sys.argv[2])) if sys.argv[2:] else main(50, 3.0))
