"""All servers restart one after another while people play behind the proxy of docs/hosting.md.

    PYTHONPATH=tests .venv/bin/python -m chaos.rolling

Nobody sees an error page, nobody waits longer than eight seconds, and no move is lost. Pages behave like
`static/line.js`: they return when the server has told them to, or at once if somebody presses something.
"""

import argparse
import asyncio
import contextlib
import re
import sys
import tempfile
import time
from pathlib import Path

import httpx
import uvloop
import websockets

import postgres
from chaos import front
from chaos.checker import Case
from chaos.clients import WAIT, Page, Program
from chaos.faults import FAULTS
from chaos.run import PROXY, QUIET, Run, with_toys
from chaos.servers import Server
from chaos.tables import open_table
from spieltisch.web.core.services import PATIENCE

LONGEST = 8.0  # seconds that anybody may wait
CALM = 10.0  # seconds of play before the first stop, and after the last start
VISITORS = 10  # people who open pages all the time
CLOSED = 0.5  # seconds until a page with a silently broken connection tries again


class Caller(Program):
    """A player by the API, who waits for news as long as the server allows."""

    async def ask(self, server, method, path, body=None, seconds=None):
        seconds = seconds or WAIT + (PATIENCE if method == "GET" else 0.0)
        return await super().ask(server, method, path, body, seconds)


class Guest(Page):
    """A player in a browser, who thinks before each move."""

    def __init__(self, *given, rest, **more):
        super().__init__(*given, **more)
        self._thinks, self._thought = rest, None
        self._pressed = asyncio.Event()

    async def _move(self):
        if self._thought is None or self._thought.done():
            self._thought = asyncio.create_task(self._think())

    async def _think(self):
        await asyncio.sleep(self.dice.uniform(0.5, 1.5) * self._thinks)
        if self.moving and self._open is None:
            self._pressed.set()
            await super()._move()

    async def _say(self, message):
        if self._line is not None:  # otherwise the next connection sends it
            with contextlib.suppress(websockets.ConnectionClosed):
                await super()._say(message)

    async def _away(self, line):
        told = line is not None and line.close_code == 1012 and re.fullmatch(r"[0-9.]+", line.close_reason or "")
        self._pressed.clear()
        if self._open is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(float(told[0]) if told else CLOSED):
                    await self._pressed.wait()

    async def close(self):
        if self._thought is not None:
            self._thought.cancel()
        await super().close()


class Rolling(Run):
    """A run behind a proxy, with one fault: the planned restart."""

    def __init__(self, *given):
        super().__init__(*given)
        self.visits = []  # (seconds, problem)

    def _server(self, name):
        """Directly at the database; a proxy in this process would add delays."""
        return Server(name, self.folder, self.nursery, data=self.data, database=self.where, proxy=PROXY)

    async def _seat(self, n):
        """A table of three: the opener plays by the API, the others in browsers."""
        table, tokens = await open_table(self.store)
        self.opened.append(table)
        come = enumerate(tokens)
        return [self._come(Guest if seat else Caller, table, seat, token, self.asked.rest) for seat, token in come]

    async def _faults(self):
        async with asyncio.TaskGroup() as visitors:
            coming = [visitors.create_task(self._visit(n)) for n in range(VISITORS)]
            await asyncio.sleep(CALM)
            self.begun = time.monotonic()
            await FAULTS["restart"][0](self)
            self.took = time.monotonic() - self.begun
            await asyncio.sleep(CALM)
            for one in coming:
                one.cancel()

    async def _visit(self, n):
        """Somebody opens one page after another."""
        transport = httpx.AsyncHTTPTransport(local_address=f"127.99.0.{n + 1}")
        async with httpx.AsyncClient(transport=transport, base_url=self.front.origin, timeout=WAIT) as browser:
            while True:
                await asyncio.sleep(self.dice.uniform(0.2, 1.0))
                begun, wrong = time.monotonic(), ""
                try:
                    answer = await browser.get("/" if n % 2 else "/rules/hic-haec-hoc", headers={"accept": "text/html"})
                    wrong = "" if answer.status_code == 200 else str(answer.status_code)
                except httpx.HTTPError as error:
                    wrong = repr(error)
                self.visits.append((time.monotonic() - begun, wrong))

    def waits(self):
        """The seconds that people waited for each move's answer and each piece of news."""
        case, answers, news, seen = Case(self.history.events, {}), [], [], {}
        for op in case.ops.values():
            answers.append((op.outcome.at if op.outcome else case.end) - op.invoke.at)
        first = {}  # by table and entry: when anybody was first shown it
        for event in case.events:
            if event.kind == "picture" and not event.final:
                table, who = event.table, (event.table, event.client)
                first.setdefault((table, event.seq), event.at)
                if who in seen and event.seq > seen[who]:
                    news += [event.at - first.get((table, n), event.at) for n in range(seen[who] + 1, event.seq + 1)]
                seen[who] = max(event.seq, seen.get(who, 0))
        return sorted(answers), sorted(news)


def arguments(words=None):
    parser = argparse.ArgumentParser(prog="rolling", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--rest", type=float, default=5.0, help="seconds that people think, on the average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder in which history and logs are kept")
    fixed = {"seconds": 60.0, "plant": "", "again": 0.0, "solo": 0, "memory": False, "faults": []}
    fixed |= {"old": False, "pooler": False, "front": True, "quiet": QUIET, "sticky": False}
    return argparse.Namespace(**vars(parser.parse_args(words)), **fixed)


async def main(asked):
    if front.program() is None:
        sys.exit("rolling: Caddy stands before the servers; install it first (Debian: apt install caddy)")
    with_toys()
    with contextlib.ExitStack() as held:
        cluster = postgres.Cluster(postgres.programs())
        held.callback(cluster.close)
        folder = asked.keep or held.enter_context(tempfile.TemporaryDirectory(prefix="rolling-"))
        Path(folder).mkdir(exist_ok=True)
        async with Rolling(asked, folder, cluster) as run:
            with run.proxied():
                await run.play()
            verdict = await run.judge()
    answers, news = run.waits()
    broken = run.broken
    wrong = [what for _, what in run.visits if what]
    pages = sorted(seconds for seconds, _ in run.visits)
    print(f"{asked.processes} processes, {asked.tables} tables, {run.sat} people; restarted in {run.took:.0f} s")
    for line in run.told(verdict):
        print(line)
    for what, waited in (("for an answer", answers), ("for news", news), ("for a page", pages)):
        p99 = waited[int(0.99 * len(waited))]
        print(f"waited {what}: {len(waited)} times, half of them {waited[len(waited) // 2]:.3f} s,"
              f" p99 {p99:.2f} s, longest {waited[-1]:.2f} s")  # fmt: skip
    print(
        f"requests that failed: {len(broken)}, pages that failed: {len(wrong)} of {len(pages)}",
        *(broken + wrong)[:5],
        sep="\n  ",
    )
    for condition, some in verdict.found.items():
        print(f"BROKEN {condition}: {len(some)} times", *some[:5], sep="\n    ")
    longest = max(answers[-1], news[-1], pages[-1])
    good = not verdict.found and not broken and not wrong and longest <= LONGEST
    print("in order" if good else "broken", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(uvloop.run(main(arguments())))
