"""64 phones behind one address: they join a class, are dealt to tables, and load their pages anew, in 20 s each.

    python bench/phones.py [--before CHECKOUT] [--phones 64]

The server is a real one with its limits; each phone has a connection of its own, the static files of its pages, and an
open socket. Everything is done twice: calmly, and while another phone at that address sends 60 wrong codes in each
part. Told are the requests, those that were refused or got no answer, and their times in milliseconds.
"""

import argparse
import asyncio
import contextlib
import json
import random
import re
import time
from collections import Counter
from pathlib import Path

import httpx
import websockets
from floods import HERE, percentile, server

SPAN = 15.0  # seconds over which phones begin, so that all may be done after 20
WRONG = 60
PLAN = {"game": "anno-domini", "size": "4", "minutes": "45", "strips": "0", "anno-domini:level": ""}
STATIC = re.compile(r'"(/static/[^"]+)"')


class School:
    """Everybody at the address, and how they are answered."""

    def __init__(self, port, phones):
        self.origin, self.room = f"http://127.0.0.1:{port}", ""
        self.waits, self.refused = [], Counter()
        self.phones = [Phone(self) for _ in range(phones)]
        self.teacher, self.unkind = Phone(self), Phone(self)

    def browser(self):
        headers = {"origin": self.origin, "accept": "text/html", "accept-language": "en"}
        return httpx.AsyncClient(base_url=self.origin, headers=headers, timeout=30, verify=False)

    async def part(self, name, what, *, unkind):
        """All phones do this, each at a moment of its own; the line that tells of it."""
        self.waits, self.refused = [], Counter()
        begun, moments = time.monotonic(), random.Random(name)

        async def one(phone):
            await asyncio.sleep(SPAN * moments.random())
            await what(phone)

        wrong = asyncio.create_task(self.unkind.guess()) if unkind else None
        await asyncio.gather(*map(one, self.phones))
        took = time.monotonic() - begun
        if wrong is not None:
            await wrong
        why = "".join(f"; {n} x {one}" for one, n in self.refused.most_common(3))
        return (
            f"{name}{', and 60 wrong codes' if unkind else '':22} {took:5.1f} s, {len(self.waits)} requests,"
            f" {self.refused.total()} refused, p99 {percentile(self.waits, 0.99):.0f},"
            f" slowest {max(self.waits):.0f}{why}"
        )

    async def close(self):
        await asyncio.gather(*(one.close() for one in (*self.phones, self.teacher, self.unkind)))


class Phone:
    """A browser with at most one open page."""

    def __init__(self, school):
        self._school, self._client, self._page = school, school.browser(), contextlib.AsyncExitStack()
        self._known = set()  # static files

    async def ask(self, method, path, data=None):
        """A request, whose wait counts; None where it was refused."""
        begun = time.monotonic()
        try:
            answer = await self._client.request(method, path, data=data)
        except httpx.HTTPError as error:
            self._school.refused[f"{method} {_kind(path)}: {type(error).__name__}"] += 1
            return None
        self._school.waits.append(1e3 * (time.monotonic() - begun))
        if answer.status_code >= 400:
            self._school.refused[f"{method} {_kind(path)}: {answer.status_code}"] += 1
            return None
        return answer

    async def show(self, path, hello):
        """Load this page, or where it leads, with its files and its socket."""
        await self._page.aclose()
        self._page = contextlib.AsyncExitStack()
        answer = await self.ask("GET", path)
        while answer is not None and answer.has_redirect_location:
            path = answer.headers["location"]
            answer = await self.ask("GET", path)
        if answer is None:
            return
        files = set(STATIC.findall(answer.text)) - self._known
        self._known |= files
        for file in sorted(files):
            await self.ask("GET", file)
        begun = time.monotonic()
        try:
            cookie = "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())
            address = f"{self._school.origin.replace('http', 'ws')}{path}/live"
            line = await self._page.enter_async_context(
                websockets.connect(address, origin=self._school.origin, additional_headers={"cookie": cookie})
            )
            await line.send(json.dumps(hello))
            await asyncio.wait_for(line.recv(), 20)
        except (OSError, TimeoutError, websockets.WebSocketException) as error:
            self._school.refused[f"socket {_kind(path)}: {type(error).__name__}"] += 1
            return
        self._school.waits.append(1e3 * (time.monotonic() - begun))

    async def join(self):
        """Into the class, by the code on the wall."""
        room = self._school.room
        await self.ask("GET", room)
        await self.ask("POST", f"{room}/join")
        await self.show(room, {"lang": "en", "screen": "pupil"})

    async def sit(self):
        """To one's table, or to its page once more."""
        await self.show(f"{self._school.room}/seat", {"seen": -1, "lang": "en"})

    async def guess(self):
        """Wrong codes, as many as there are phones in a class; what becomes of them does not count."""
        for n in range(WRONG):
            code = f"{n:08}".translate(str.maketrans("0123456789", "ABCDEFGHJK"))
            with contextlib.suppress(httpx.HTTPError):
                if n % 2:
                    await self._client.get(f"/t/{code}")
                else:
                    await self._client.post("/join", data={"code": code})
            await asyncio.sleep(SPAN / WRONG / 2)

    async def close(self):
        await self._page.aclose()
        await self._client.aclose()


def _kind(path):
    return re.sub(r"(/static/|/t/|/class/)[^/]+", r"\1…", path)


async def lesson(port, phones, *, unkind):
    """The lines that tell of it."""
    school = School(port, phones)
    try:
        made = await school.teacher.ask("POST", "/class/new", PLAN)
        school.room = made.headers["location"]
        yield await school.part("join", Phone.join, unkind=unkind)
        dealt = await school.teacher.ask("POST", f"{school.room}/deal", {"way": "random", "dealt": ""})
        if dealt is None:
            yield f"the teacher could not deal: {dict(school.refused)}"
            return
        await school.teacher.ask("POST", f"{school.room}/resume")
        yield await school.part("to the tables", Phone.sit, unkind=unkind)
        yield await school.part("load anew", Phone.sit, unkind=unkind)
    finally:
        await school.close()


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=Path)
    parser.add_argument("--phones", type=int, default=64)
    asked = parser.parse_args()
    checkouts = ({"before": asked.before.resolve()} if asked.before else {}) | {"now": HERE}
    for unkind in (False, True):
        for name, checkout in checkouts.items():
            with server(checkout) as (port, _process, _log):
                await asyncio.sleep(1)
                async for line in lesson(port, asked.phones, unkind=unkind):
                    print(f"phones.{name}: {line}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
