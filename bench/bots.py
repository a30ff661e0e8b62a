"""How long a person's move takes while bots of twenty other tables think: `python bench/bots.py [TABLES] [SECONDS]`.

The server is a process of its own, as the command starts it, with SQLite and full fsync. At each of the twenty tables
somebody plays hic – haec – hoc against three Grammarians, who search before a move; at ten more people play against
Pupils, who do not. Their moves are sent over HTTP and count from the request to the answer, which comes when the move
is durable. The same without bots that think stands beside. The aim: 95 of 100 within 100 ms.
"""

import asyncio
import random
import sys
import time

import httpx

from web import serving

OTHERS = 10  # tables at which the moves are timed
SEATS = 4


async def table(http, level):
    """A table with three bots of this level, begun; its address."""
    address = (await http.post("/tables", data={"game": "hic-haec-hoc"})).headers["location"]
    await http.post(f"{address}/options", data={"mode": "assisted", "cards_per_player": "7"})
    await http.post(f"{address}/sit", data={"name": "Ada"})
    for seat in range(1, SEATS):
        await http.post(f"{address}/chairs", data={"do": "more"})
        await http.post(f"{address}/chairs", data={"do": "bot", "seat": str(seat)})
        await http.post(f"{address}/chairs", data={"do": "level", "seat": str(seat), "level": level})
    await http.post(f"{address}/start")
    return address


async def person(origin, level, taken, ready):
    """Plays one game after the other at random, once all are `ready`; `taken` gets the seconds of each move."""
    asked = {"accept": "application/json"}
    async with httpx.AsyncClient(
        base_url=origin, headers={"accept": "text/html", "origin": origin}, timeout=60
    ) as http:
        address = await table(http, level)
        await ready.wait()
        while True:
            there = address.replace("/t/", "/api/tables/")
            seen = (await http.get(there, headers=asked)).json()
            assert seen["stage"] in {"playing", "over"}, seen
            while not seen["result"]:
                if seen["legal"]:
                    move = {"question": seen["question"], "action": random.choice(seen["legal"])}
                    began = time.perf_counter()
                    answer = await http.post(f"{there}/move", json=move, headers=asked)
                    taken.append(time.perf_counter() - began)
                    assert answer.is_success, answer.text
                params = {"after": seen["seq"], "revision": seen["revision"]}
                seen = (await http.get(there, params=params, headers=asked)).json()
            address = await table(http, level)


async def waits(tables, seconds):
    """With so many tables of bots that think: the moves against them, and the seconds that each other move takes."""
    async with serving() as (_server, origin):
        busy, timed, ready = [], [], asyncio.Barrier(tables + OTHERS + 1)
        people = [("grammaticus", busy)] * tables + [("discipula", timed)] * OTHERS
        tasks = [asyncio.create_task(person(origin, *one, ready)) for one in people]
        await ready.wait()
        await asyncio.sleep(seconds / 4)  # the process in which bots think begins with the first thought
        busy.clear()
        timed.clear()
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
    return len(busy), sorted(timed)


async def main(tables, seconds):
    for thinking in (0, tables):
        moves, timed = await waits(thinking, seconds)
        print(
            f"bots.wait: {len(timed)} moves at {OTHERS} tables, median {timed[len(timed) // 2] * 1e3:.1f} ms, "
            f"p95 {timed[len(timed) * 95 // 100] * 1e3:.1f} ms, at most {timed[-1] * 1e3:.0f} ms; "
            f"beside {thinking} tables with three Grammarians each ({moves} moves against them)"
        )


if __name__ == "__main__":
    asyncio.run(main(*(int(word) for word in sys.argv[1:])) if sys.argv[2:] else main(20, 40))
