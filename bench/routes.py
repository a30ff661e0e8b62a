"""The longest that each route holds the event loop, in processor time, with large data; the aim is 20 ms.

    python bench/routes.py [TEXT]

It makes the visits of `bench/visits.py`, and fails for a route of the application that none of them reaches. The data:
shipped decks, decks of 1,490 and 9,900 cards, classes of 99, games of 1,000 entries, 500 tables. Each line tells the
longest callback of the first visit and of the best of two more, all work in the loop, and that of other threads. With
TEXT, only the functions of `visits.py` whose name holds it are walked.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
import tempfile

import hold
from visits import VISITS, World, free_port

AIM = 20.0  # milliseconds
SETTLE = 0.04  # seconds after an answer that are measured, too: work may follow it
SHOWN = 60  # lines


class Walk:
    """All visits: `rows` hold what was measured."""

    def __init__(self, line):
        self._line = line
        self.rows, self.wrong, self.reached = [], [], set()

    async def ask(self, what="take"):
        self._line.send(what)
        while not self._line.poll():
            await asyncio.sleep(0.001)
        return self._line.recv()

    async def visit(self, visit):
        seen, status = [], 0
        for _ in range(visit.times):
            if visit.before is not None:
                await visit.before()
                await asyncio.sleep(SETTLE)
            await self.ask()
            status = await visit.go()
            await asyncio.sleep(SETTLE)
            seen.append(await self.ask())
        first, again = seen[0], min(seen[1:], key=lambda one: one["longest"], default=seen[0])
        routes = first["routes"] or ["no route"]
        if status >= 500:
            self.wrong.append(f"{routes[-1]}, {visit.name}: answered {status}")
        if status < 400:
            self.reached.update(routes)
        self.rows.append((1e3 * max(first["longest"], again["longest"]), routes[-1], visit.name, status, first, again))


def table(rows):
    """The rows as lines, the worst first."""
    yield "  first   again    loop  threads  answer  route: visit (what held the loop), in ms"
    for _, route, name, status, first, again in sorted(rows, key=lambda row: row[0], reverse=True):
        figures = "".join(f"{1e3 * n:8.1f}" for n in (first["longest"], again["longest"], first["sum"]))
        yield f"{figures[1:]}{1e3 * first['threads']:9.0f}{status or 'socket':>8}  {route}: {name} ({first['what']})"


async def main(only=""):
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        port = free_port()
        server = context.Process(target=hold.serve, args=(there, port, folder))
        server.start()
        walk = Walk(here)
        try:
            async with World(port, folder) as world:
                routes = await walk.ask("routes")
                await world.fill()
                print(f"the data are there, {world.seconds:.0f} s", file=sys.stderr, flush=True)
                for visits in VISITS:
                    if only in visits.__name__:
                        async for visit in visits(world):
                            await walk.visit(visit)
                        print(f"{visits.__name__}: {len(walk.rows)} visits so far", file=sys.stderr, flush=True)
        finally:
            os.killpg(server.pid, signal.SIGKILL)
            server.join()
    print(*list(table(walk.rows))[: SHOWN + 1], sep="\n")
    slow = sum(row[0] > AIM for row in walk.rows)
    worst = max((row[0] for row in walk.rows), default=0.0)
    print(f"routes.worst: {worst:.0f} ms; {slow} of {len(walk.rows)} visits held the loop for more than {AIM:.0f} ms")
    if not only:
        unseen = [route for route in routes if route not in walk.reached]
        walk.wrong += [f"{route}: no visit got there; add one to bench/visits.py" for route in unseen]
    for one in walk.wrong:
        print(f"routes.wrong: {one}")
    return bool(walk.wrong)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
