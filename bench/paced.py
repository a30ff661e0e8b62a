"""Many tables at the pace of people: a move every two seconds at each, three pages a table, all on one machine.

    python bench/paced.py [TABLES] [SECONDS]

As `bench/web.py`, but the pages wait for their table's next turn instead of racing. Told are the waits from a move to
its acknowledgement, the server's share of a core, and what a table and a page cost of its memory.
"""

import asyncio
import contextlib
import json
import random
import re
import sys
import time
from functools import partial

import uvloop
import websockets

from web import KEEPS, Pictures, cpu, move, serving, stop, table

PACE = 2.0  # seconds from move to move at a table
OPENING = 24  # tables are opened at a time


def memory(pid):
    """Bytes of memory that are the process's own."""
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        return int(re.search(r"^Pss:\s+(\d+)", rollup.read(), re.MULTILINE)[1]) * 1024


class Pace:
    """When the next move of a table is due. It can be stopped, and goes on as if no time had passed."""

    def __init__(self, begin, seconds=PACE):
        self._seconds = seconds
        self._next = begin + random.random() * seconds
        self._stopped, self._held = None, []

    def later(self, go):
        """Go when the next move is due."""
        now = time.perf_counter()
        self._next = max(self._next, now)
        due, self._next = self._next, self._next + self._seconds
        asyncio.get_running_loop().call_later(due - now, self._go, go)

    def _go(self, go):
        if self._stopped is None:
            go()
        else:
            self._held.append((time.perf_counter() - self._stopped, go))

    def stop(self):
        """No moves from now on."""
        self._stopped = time.perf_counter()

    def resume(self):
        """Go on."""
        self._next += time.perf_counter() - self._stopped
        self._stopped, held, self._held = None, self._held, []
        for late, go in held:
            asyncio.get_running_loop().call_later(late, go)


async def page(origin, address, cookies, seed, pace, state):
    """One page that plays when it is its table's time."""
    dice, loop = random.Random(seed), asyncio.get_running_loop()
    headers = {"cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())}
    live = origin.replace("http", "ws") + address + "/live"
    async with websockets.connect(live, origin=origin, additional_headers=headers, compression=None) as line:
        await line.send(json.dumps({"seen": -1, "lang": "de", "keeps": KEEPS}))
        number, sent, pictures, shown, asked = 0, {}, Pictures(), "", ""

        async def send(text):
            with contextlib.suppress(websockets.ConnectionClosed):  # it is over
                await line.send(text)

        def go(question):
            nonlocal number
            if question != asked:  # the clock has answered
                return
            number += 1
            sent[number] = time.perf_counter()
            fields = move(shown, dice)
            text = json.dumps({"id": number, "to": "move", "fields": fields})
            state["sending"].add(task := loop.create_task(send(text)))
            task.add_done_callback(state["sending"].discard)

        async for text in line:
            message = json.loads(text)
            state["messages"] += 1
            if "id" in message:
                if message["ok"] and not message.get("moot"):
                    state["waits"].append(time.perf_counter() - sent[message["id"]])
                elif not message["ok"]:
                    state["refused"] += 1
                message = message.get("update", {})
            if "parts" in message:
                shown = pictures.html(message["parts"], message.get("order"))
                question = re.search(r'name="question" value="(\d+)"', shown) if message["turn"] else None
                if (now := question[1] if question else "") != asked:
                    asked = now
                    if asked:
                        pace.later(partial(go, asked))


async def opened(origins, **more):
    """A table at each of these servers, with these options more: its address and the cookies of its people."""
    few = asyncio.Semaphore(OPENING)

    async def one(origin):
        async with few:
            return await table(origin, **more)

    return await asyncio.gather(*map(one, origins))


async def main(tables, seconds):
    async with serving() as (server, origin):
        empty = memory(server.pid)
        found = await opened([origin] * tables)
        await asyncio.sleep(5)
        resting = memory(server.pid)
        print(f"{tables} tables are open", file=sys.stderr, flush=True)
        state = {"waits": [], "refused": 0, "messages": 0, "sending": set()}
        begin = time.perf_counter() + 10
        pages = []
        for number, (address, people) in enumerate(found):
            pace = Pace(begin)
            for seed, cookies in enumerate(people, 3 * number):
                pages.append(asyncio.create_task(page(origin, address, cookies, seed, pace, state)))
            await asyncio.sleep(0.005)
        await asyncio.sleep(25)
        full = memory(server.pid)
        state.update(waits=[], refused=0, messages=0)
        used, began = cpu(server.pid), time.perf_counter()
        await asyncio.sleep(seconds)
        used, spent = cpu(server.pid) - used, time.perf_counter() - began
        waits = sorted(state["waits"])
        await stop(pages)
    print(
        f"paced.wait: {waits[len(waits) // 2] * 1e3:.1f} ms median, {waits[len(waits) * 99 // 100] * 1e3:.1f} ms p99,"
        f" at {tables} tables with 3 pages each and {len(waits) / spent:,.0f} moves a second"
    )
    print(
        f"paced.cost: {used / spent:.0%} of a core, {state['messages'] / len(waits):.1f} messages a move,"
        f" {state['refused']} refused"
    )
    print(
        f"paced.memory: {(full - resting) / len(pages) / 1024:.0f} kB a page that looks on,"
        f" {(resting - empty) / tables / 1024:.0f} kB a table in memory, {full / 2**20:.0f} MB in all"
    )


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, float(sys.argv[2]) if len(sys.argv) > 2 else 20))
