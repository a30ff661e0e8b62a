"""Moves a CPU-second of the server: 50 tables of strict hic – haec – hoc, 3 pages each, over real WebSockets.

    python bench/web.py [TABLES] [SECONDS]
    python bench/web.py pages

The server is a process of its own (uvicorn, SQLite with full fsync); the pages are played from here,
each move a form's fields as a browser sends them, each answer the fragments that a browser gets. A move counts
once its page has its acknowledgement. Peer, in the same run: boardgame.io with the same game (`peer/`, easier: no
pages, hardly a rule), first in memory, so that a restart ends all its games, then with the file store that it brings,
which keeps them as ours does, though without a wait for the disk.

`pages`: how many bytes a move costs a phone, over whole games of four bots.
"""

import asyncio
import contextlib
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import uvloop
import websockets

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from pictures import KEEPS, Pictures
from spieltisch.dice import FastDice
from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
from spieltisch.web.core.renderer import html_of
from spieltisch.web.core.services import Services, Settings
from spieltisch.web.core.view.fragments import PageParts
from spieltisch.web.core.view.viewer import Viewer
from spieltisch.web.table.inject import views_of
from spieltisch.web.table.messages import written

QUESTION = re.compile(r'name="question" value="(\d+)"')
FORM = re.compile(r'name="form"[^>]*\svalue="(\d+)"')
SERVE = """
import sys
from pathlib import Path
from spieltisch.web.server.serve import serve
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]), open_browser=False, limits=False)
"""  # as the command does, but for the limits an address has: all pages come from one here
PEER = Path(__file__).parent / "peer"
WARM = 10  # seconds of play before it is measured: by then most parts of pages have been drawn once
GAMES, SEATS = 3, 4
ROW = {
    "anno-domini": '<li class="rev',
    "hic-haec-hoc": 'data-at="',
    "trailblaze": "card rcard",
}  # a row of a reveal
HEADERS = {"accept": "text/html"}
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pid):
    """Seconds of CPU that a process has used."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def table(origin, **more):
    """A table with three people, with these options more; their cookies."""
    people = []
    async with httpx.AsyncClient(base_url=origin, headers=HEADERS | {"origin": origin}, timeout=60) as host:
        opened = await host.post("/tables", data={"game": "hic-haec-hoc"})
        address = opened.headers["location"]
        await host.post(f"{address}/options", data={"mode": "strict", "cards_per_player": "7"} | more)
        await host.post(f"{address}/sit", data={"name": "P0"})
        people.append(dict(host.cookies))
        for n in (1, 2):
            async with httpx.AsyncClient(base_url=origin, headers=HEADERS | {"origin": origin}, timeout=60) as guest:
                await guest.post(f"{address}/sit", data={"name": f"P{n}"})
                people.append(dict(guest.cookies))
        while "empty" in (page := (await host.get(address)).text) and 'value="fewer"' in page:
            await host.post(f"{address}/chairs", data={"do": "fewer"})
        await host.post(f"{address}/start")
        page = (await host.get(address)).text
        assert 'data-stage="playing"' in page, re.findall(r'class="refused"[^>]*>([^<]*)<', page)
    return address, people


def offered(page, action):
    return f'value="{action}"' in page


def move(page, dice):
    """The fields of some move that the page offers: drawing with few cards, so that the game never ends."""
    answers = [("question", QUESTION.search(page).group(1))]
    if offered(page, "Accept"):
        return [*answers, ("type", "Accept")]
    if offered(page, "Pass"):
        return [*answers, ("type", "Pass")]
    forms = FORM.findall(page)
    if offered(page, "Draw") and (len(forms) < 4 or dice.random() < 0.3):
        return [*answers, ("type", "Draw")]
    return [*answers, ("type", "Play"), ("form", dice.choice(forms)), ("reading", str(dice.randrange(30)))]


async def page(origin, address, cookies, seed, state):
    """One page that plays."""
    dice = random.Random(seed)
    headers = {"cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())}
    live = origin.replace("http", "ws") + address + "/live"
    async with websockets.connect(live, origin=origin, additional_headers=headers) as line:
        await line.send(json.dumps({"seen": -1, "lang": "de", "keeps": KEEPS}))
        number, sent, pictures = 0, {}, Pictures()
        async for text in line:  # in bytes
            message = json.loads(text)
            state["bytes"] += len(text)
            state["messages"] += 1
            if "id" in message:
                began = sent.pop(message["id"], None)
                if message["ok"] and began:
                    state["waits"].append(time.perf_counter() - began)
                elif not message["ok"]:
                    state["refused"] += 1
                message = message.get("update", {})
            if "parts" in message:
                shown = pictures.texts(message["parts"], message.get("order"))
                if message["turn"]:
                    number += 1
                    sent[number] = time.perf_counter()
                    fields = move(html_of(shown), dice)
                    await line.send(json.dumps({"id": number, "to": "move", "fields": fields}))


async def sizes(game, seed):
    """The bytes that each phone gets for each move of a whole game of four bots, and a row of each reveal.

    The phones show the four seats, in German. A game runs here, without a server, as fast as it can.
    """
    moves, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        host = Host(SQLite(Path(folder) / "tables.sqlite"), Hub())
        views = views_of(Services(host, Settings(secret=bytes(32))))
        setup = await host.open(game, SEATS)
        for seat in range(SEATS):
            await host.replace(setup.id, seat, Chair(f"Person {seat}", "person"))
        table, dice = await host.start(setup.id, seed), FastDice(seed)
        beliefs = [await host.beliefs(setup.id, seat) for seat in range(SEATS)]
        page, phones = table.package.page, [(Viewer(seat, "de"), PageParts(KEEPS)) for seat in range(SEATS)]
        for viewer, parts in phones:  # as it is loaded
            views.update(table, viewer, table.seq, table.setup, parts)
        while table.to_act:
            seat, seen = table.to_act[0], table.seq
            action = table.package.bot.choose(table.view(seat), table.legal(seat), dice, beliefs[seat])
            await host.answer(setup.id, seat, table.question(seat), action)
            shown = [views.update(table, viewer, seen, table.setup, parts) for viewer, parts in phones]
            sent = [len(written(one)) for one in shown]
            revealed = page.reveal_seconds(table.view(None).public) > 0
            if revealed and table.result is None:
                html = html_of(views.fragment(table, phones[0][0]))
                rows += [size / html.count(ROW[game]) for size in sent]
            elif not revealed:
                moves += sent
        await host.rest()
        await host.store.close()
    return moves, rows


async def pages():
    """What a move costs a phone: the bound is 2.5 kB in the median and 6 kB for 95 %, a reveal 600 bytes a row."""
    for game in ROW:
        played = [await sizes(game, bytes([n]) * 16) for n in range(GAMES)]
        moves = sorted(size for found, _ in played for size in found)
        rows = sorted(size for _, found in played for size in found)
        print(
            f"web.page: {game}: {moves[len(moves) // 2] / 1000:.1f} kB a move median,"
            f" {moves[len(moves) * 95 // 100] / 1000:.1f} kB p95, a reveal {rows[len(rows) // 2]:,.0f} bytes a row"
            f" median, {rows[-1]:,.0f} at most ({GAMES} games, {len(moves)} messages)"
        )


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def peer(tables, seconds, *kept):
    """boardgame.io with as many tables: moves a CPU-second of its server, and what it measured.

    `kept`: the folder in which it stores its games; nothing for memory alone.
    """
    port = free_port()
    server = subprocess.Popen(
        ["node", PEER / "server.cjs", str(port), *kept], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(100):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        asked = ["node", PEER / "clients.cjs", *map(str, (port, server.pid, tables, WARM, seconds))]
        found = json.loads(subprocess.run(asked, stdout=subprocess.PIPE, check=True, timeout=120).stdout)
    finally:
        server.terminate()
        server.wait(10)
    return found["moves"] / found["cpu"], found


@contextlib.asynccontextmanager
async def serving():
    """A server of its own on an empty folder, once it answers: its process and its address."""
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([sys.executable, "-c", SERVE, str(port), folder], stdout=subprocess.DEVNULL)
        try:
            async with httpx.AsyncClient() as asks:
                for _ in range(300):
                    try:
                        await asks.get(f"{origin}/health")
                        break
                    except httpx.TransportError:
                        await asyncio.sleep(0.1)
            yield server, origin
        finally:
            server.terminate()
            server.wait(60)  # a compiler that has begun is waited for


async def stop(tasks):
    """End these tasks; what has failed in one of them is raised."""
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception) and not isinstance(result, asyncio.CancelledError):
            raise result


async def main(tables, seconds):
    async with serving() as (server, origin):
        opened = await asyncio.gather(*(table(origin) for _ in range(tables)))
        print(f"{tables} tables are open", file=sys.stderr, flush=True)
        state = {"waits": [], "refused": 0, "bytes": 0, "messages": 0}
        pages = [
            asyncio.create_task(page(origin, address, cookies, seed, state))
            for number, (address, people) in enumerate(opened)
            for seed, cookies in enumerate(people, 3 * number)
        ]
        await asyncio.sleep(WARM)
        state.update(waits=[], bytes=0, messages=0)
        used, began = cpu(server.pid), time.perf_counter()
        await asyncio.sleep(seconds)
        used, spent = cpu(server.pid) - used, time.perf_counter() - began
        waits = sorted(state["waits"])
        await stop(pages)
    begun = time.process_time()
    sum(i * i for i in range(3_000_000))
    print(f"web.machine: {3 / (time.process_time() - begun):.1f} million additions a CPU-second, to compare by")
    ours = len(waits) / used
    print(f"web.moves: {ours:,.0f} a CPU-second of the server, {len(waits) / spent:,.0f} a second")
    print(f"web.wait: {waits[len(waits) // 2] * 1e3:.1f} ms median, {waits[len(waits) * 99 // 100] * 1e3:.1f} ms p99")
    print(
        f"web.size: {state['messages'] / len(waits):.1f} messages, {state['bytes'] / len(waits) / 1024:.1f} kB a move"
        f" to all three pages, not compressed; {state['refused']} refused"
    )
    if shutil.which("node") is None or not (PEER / "node_modules").is_dir():
        print("web.peer: boardgame.io is not here (node, and npm ci in bench/peer)")
        return
    with tempfile.TemporaryDirectory() as folder:
        for where, kept in (("in memory", ()), ("in files", (folder,))):
            rate, more = peer(tables, seconds, *kept)
            print(
                f"web.peer: boardgame.io {where} {rate:,.0f} a CPU-second, {more['moves'] / more['seconds']:,.0f} a"
                f" second, {more['median']:.1f} ms median, {more['p99']:.1f} ms p99; ratio {ours / rate:.2f}"
            )


if __name__ == "__main__":
    if sys.argv[1:] == ["pages"]:
        uvloop.run(pages())
        sys.exit()
    uvloop.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50, float(sys.argv[2]) if len(sys.argv) > 2 else 10))
