"""What floods from one address do to somebody who plays from another, on this machine, before and now.

    python bench/floods.py [--before CHECKOUT] [--only NAME] [--seconds 8]

Each flood comes from a process of its own at 127.0.0.1. Meanwhile somebody at 127.0.0.2, in another process, plays
Adaman by program every 0.15 s. Servers are real ones with their limits, in fresh folders. With --before the same floods
go to the server of another checkout, too, right before. p99 is the player's, in milliseconds; a move is lost if it is
refused or not answered within ten seconds.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from pathlib import Path
from typing import Any

import httpx
import websockets

HERE = Path(__file__).resolve().parents[1]
FORM = "application/x-www-form-urlencoded"
Flood = Callable[["Site"], Awaitable[None]]
FLOODS: dict[str, tuple[int, Flood]] = {}  # by name: how many at a time, and one of them


class Site:
    """The server that is flooded, as a stranger knows it."""

    def __init__(self, port: int, deck: str, cookies: dict[str, str], room: str) -> None:
        self.port, self.deck, self.cookies, self.room = port, deck, cookies, room
        self.origin = f"http://127.0.0.1:{port}"

    def client(self) -> httpx.AsyncClient:
        """A browser of the stranger."""
        headers = {"origin": self.origin, "accept": "text/html", "accept-language": "en"}
        return httpx.AsyncClient(base_url=self.origin, headers=headers, timeout=60, cookies=self.cookies)

    @contextlib.asynccontextmanager
    async def line(self, url: str, hello: dict[str, Any], cookies: str = "") -> AsyncGenerator[Any]:
        """A socket of the stranger."""
        address, origin = f"ws://127.0.0.1:{self.port}{url}/live", websockets.Origin(self.origin)
        async with websockets.connect(address, origin=origin, additional_headers={"cookie": cookies}) as ws:
            await ws.send(json.dumps(hello))
            yield ws


def flood(name: str, at_once: int) -> Callable[[Flood], Flood]:
    """Name a flood, of which so many go on at a time."""

    def named(one: Flood) -> Flood:
        FLOODS[name] = (at_once, one)
        return one

    return named


def pages(name: str, at_once: int, method: str, path: str, **data: str) -> None:
    """A flood of one request."""

    async def ask(site: Site) -> None:
        async with site.client() as client:
            while True:
                await client.request(method, path.format(deck=site.deck, room=site.room), data=data or None)

    FLOODS[name] = (at_once, ask)


pages("page of a shipped deck", 20, "GET", "/decks/events")
pages("play with a shipped deck", 10, "POST", "/decks/events/play")
pages("page of an own deck, 9,900 cards", 15, "GET", "/decks/{deck}?at=600")
pages("play with an own deck", 5, "POST", "/decks/{deck}/play")
pages("share an own deck", 5, "POST", "/decks/{deck}/share")
pages("change a card of an own deck", 5, "POST", "/decks/{deck}/card", id="c5", de="Anders", en="Other")
pages("form of a class", 20, "GET", "/class/new")
pages("make a class", 10, "POST", "/class/new", game="anno-domini", size="4", minutes="30")
pages("home page", 20, "GET", "/")
pages("open tables", 10, "POST", "/play", game="anno-domini")
pages("/health", 20, "GET", "/health")
pages("export of an own deck", 4, "GET", "/decks/{deck}/export/json")


@flood("sheet of 20 kB that is not UTF-8", 2)
async def sheet(site: Site) -> None:
    """A run of letters, which one search went through again and again."""
    async with site.client() as client:
        while True:
            await client.post("/decks", files={"file": ("t.csv", b"a" * 20_000 + b"\x80\n")})


@flood("print of 1,490 cards", 4)
async def prints(site: Site) -> None:
    """Each took memory that never came back."""
    async with site.client() as client:
        rows = "".join(f"{1000 + n % 900},Ereignis Nummer {n},Event number {n}\n" for n in range(1_490))
        made = await client.post("/decks", files={"text": (None, f"date,de,en\n{rows}")})
        while True:
            await client.get(f"{made.headers.get('location', '/decks/hic')}/print/a4")


@flood("forms of 9.9 MB", 4)
async def forms(site: Site) -> None:
    """Encoded so that reading them takes long."""
    async with site.client() as client:
        while True:
            await client.post("/decks", content=b"%41" * 3_300_000, headers={"content-type": FORM})


@flood("bodies without their last byte", 30)
async def slow(site: Site) -> None:
    """9.9 MB each, and a byte now and then."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        lines = ["POST /decks HTTP/1.1", "Host: x", "Content-Type: multipart/form-data; boundary=x"]
        head = "\r\n".join([*lines, "Content-Length: 9900000"])
        with contextlib.suppress(ConnectionError):
            writer.write(f"{head}\r\nOrigin: http://x\r\n\r\n".encode() + b"a" * 9_899_000)
            await writer.drain()
            while not reader.at_eof():
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(1)
        writer.close()


async def talk(site: Site, said: dict[str, Any]) -> None:
    """A page that talks without end."""
    async with site.client() as client:
        url = (await client.post("/play", data={"game": "adaman"})).headers.get("location", "/t/X")
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    while True:
        with contextlib.suppress(websockets.WebSocketException, OSError):
            async with site.line(url, {"seen": -1, "lang": "en"}, cookies) as ws:
                reading = asyncio.create_task(_drain(ws))
                for n in range(1, 10**9):
                    await ws.send(json.dumps(said | ({"id": n} if "to" in said else {})))
                    if n % 200 == 0:
                        await asyncio.sleep(0)
                reading.cancel()


async def _drain(ws: Any) -> None:
    with contextlib.suppress(websockets.WebSocketException):
        async for _ in ws:
            pass


@flood("socket of pings", 1)
async def pings(site: Site) -> None:
    """All were answered."""
    await talk(site, {"ping": 1})


@flood("socket of refused moves", 1)
async def moves(site: Site) -> None:
    """Refusing cost as much as doing."""
    await talk(site, {"to": "move", "fields": [["question", "1"], ["action", "nonsense"]]})


@flood("socket of new names", 1)
async def sits(site: Site) -> None:
    """Each was written."""
    await talk(site, {"to": "sit", "fields": [["name", os.urandom(4).hex()]]})


@flood("walls of a class", 150)
async def walls(site: Site) -> None:
    """Each drew the whole wall, once a second."""
    while True:
        with contextlib.suppress(websockets.WebSocketException, OSError):
            async with site.line(f"/class/{site.room}", {"screen": "wall", "lang": "en"}) as ws:
                await _drain(ws)
        await asyncio.sleep(1)


@flood("malformed requests", 10)
async def malformed(site: Site) -> None:
    """Each was a line in the log."""
    while True:
        with contextlib.suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
            writer.write(b"nonsense\r\n\r\n")
            await reader.read(200)
            writer.close()


# -- who floods, and who plays ---------------------------------------------------------------------------------


def stranger(name: str, site: Site, seconds: float) -> None:
    """The process of the flood."""

    async def one(what: Flood) -> None:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                await what(site)

    async def all_() -> None:
        at_once, what = FLOODS[name]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(one(what) for _ in range(at_once)))

    asyncio.run(all_())


def player(port: int, seconds: float, told: Any) -> None:
    """The process of somebody who plays: tells how long each request took, and how many were lost."""
    waits, lost, url = [], 0, ""
    origin = f"http://127.0.0.1:{port}"
    way = httpx.HTTPTransport(local_address="127.0.0.2")
    headers = {"accept": "application/json", "origin": origin}
    with httpx.Client(base_url=origin, transport=way, headers=headers, timeout=10) as client:

        def ask(method: str, path: str, **more: Any) -> httpx.Response:
            begun = time.monotonic()
            try:
                return client.request(method, path, **more)
            finally:
                waits.append(1000 * (time.monotonic() - begun))

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begun = time.monotonic()
            try:
                if not url:
                    opened = ask("POST", "/play", data={"game": "adaman"}, headers={"accept": "text/html"})
                    url = opened.headers["location"]
                seen = ask("GET", url).raise_for_status().json()
                if not seen.get("legal"):
                    url = ""
                    continue
                move = {"question": seen["question"], "action": seen["legal"][0]}
                ask("POST", f"{url}/move", json=move).raise_for_status()
            except (httpx.HTTPError, KeyError):
                lost += 1
            time.sleep(max(0.0, 0.15 - (time.monotonic() - begun)))
    told.put((waits, lost))


# -- the servers -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def server(checkout: Path) -> Generator[tuple[int, subprocess.Popen[str], Path]]:
    """A server of this checkout: its port, its process, its log."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = [
            sys.executable,
            "-m",
            "spieltisch",
            "serve",
            "--no-browser",
            "--port",
            "0",
            "--data",
            f"{folder}/data",
        ]
        environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
        with log.open("w") as errors:
            out = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        assert out.stdout is not None
        found = re.search(r":(\d+)/", out.stdout.readline())
        assert found is not None
        try:
            yield int(found[1]), out, log
        finally:
            out.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                out.wait(20)
            out.kill()
            out.wait()


async def prepared(port: int) -> Site:
    """A site with a deck of 9,900 cards and a class."""
    site = Site(port, "", {}, "")
    async with site.client() as client:
        rows = "".join(f"c{n},{1000 + n % 900},Ereignis {n},Event {n}\n" for n in range(9_900))
        made = await client.post("/decks", files={"text": (None, f"id,date,de,en\n{rows}")}, timeout=120)
        site.deck = made.headers.get("location", "/decks/events").rpartition("/")[2]
        room = await client.post("/class/new", data={"game": "anno-domini", "size": "4", "minutes": "30"})
        site.room = room.headers["location"].rpartition("/")[2]
        site.cookies = dict(client.cookies.items())
        for _ in range(40):
            async with site.client() as pupil:
                pupil.cookies.clear()
                await pupil.post(f"/class/{site.room}/join")
    return site


def memory(process: int) -> float:
    """Megabytes that a process holds."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def percentile(waits: list[float], part: float) -> float:
    """Of these waits."""
    return sorted(waits)[min(len(waits) - 1, int(part * len(waits)))] if waits else float("nan")


def measured(checkout: Path, name: str, seconds: float) -> dict[str, float]:
    """What a flood does to a server of this checkout and to the player there."""
    context = multiprocessing.get_context("spawn")
    with server(checkout) as (port, process, log):
        time.sleep(1)
        site = asyncio.run(prepared(port))
        found: dict[str, float] = {}
        for when in ("calm", "flood"):
            told = context.Queue()
            playing = context.Process(target=player, args=(port, seconds, told))
            flooding = context.Process(target=stranger, args=(name, site, seconds + 1))
            held = memory(process.pid)
            if when == "flood":
                flooding.start()
                time.sleep(0.7)
            playing.start()
            waits, lost = told.get(timeout=seconds + 60)
            playing.join()
            if when == "flood":
                flooding.join(20)
                flooding.kill()
                found["memory"] = memory(process.pid) - held
                found["log"] = log.stat().st_size / 1e6
            found |= {f"{when} p99": percentile(waits, 0.99), f"{when} lost": lost, f"{when} moves": len(waits)}
        return found


def main() -> None:
    """Print a line a flood."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=8.0)
    given = parser.parse_args()
    sides = [("before", given.before)] if given.before else []
    print(f"{'flood':34} {'':7} {'p99 calm':>9} {'p99 then':>9} {'asked':>6} {'lost':>5} {'MB held':>8} {'MB log':>7}")
    for name in FLOODS:
        if given.only not in name:
            continue
        for side, checkout in [*sides, ("now", HERE)]:
            one = measured(checkout, name, given.seconds)
            print(
                f"{name:34} {side:7} {one['calm p99']:9.0f} {one['flood p99']:9.0f} {one['flood moves']:6.0f}"
                f" {one['flood lost']:5.0f} {one['memory']:8.0f} {one['log']:7.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
