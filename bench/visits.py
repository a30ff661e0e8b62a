"""What `bench/routes.py` visits: for each route of the application, the heaviest requests that a person can make."""

import asyncio
import functools
import html
import json
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import httpx
import large
import websockets

from spieltisch import games
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.web.classroom.commands import LEADING
from spieltisch.web.table.api import COMMANDS_HERE
from spieltisch.web.table.commands import COMMANDS

CARDS = 9_900
PRINTED = 1_490
PUPILS = 99
TABLES = 500
UNDONE = 500  # moves that are taken back, one after the other
LONG = 400  # moves of the other long games
SLOW = {"Draw", "Pass", "Accept"}  # actions that keep a game going
OTHERS = ("anno-domini", "hic-haec-hoc", "trailblaze")
PLAN = {"size": "4", "minutes": "45", "strips": "0", "game": "anno-domini", "anno-domini:level": ""}
TYPE = {"content-type": "application/x-www-form-urlencoded"}


class Visit(NamedTuple):
    """A request: `go` returns the status, 0 for a socket. `before` is not measured."""

    name: str
    go: Callable[[], Awaitable[int]]
    before: Callable[[], Awaitable[object]] | None = None
    times: int = 3


VISITS = []


def visits(made):
    """Walk the visits of this function, in the order of this file."""
    VISITS.append(made)
    return made


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def api(url):
    return f"/api{url.replace('/t/', '/tables/')}"


def said(answer):
    """The refusal on a page."""
    found = re.search(r'class="refused"[^>]*>([^<]*)<', answer.text)
    return f"{answer.status_code} {found[1].strip() if found else answer.text[:200]}"


def get(client, url, **headers):
    async def go():
        return (await client.get(url, headers=headers)).status_code

    return go


def post(client, url, data=None, **more):
    async def go():
        return (await client.post(url, data=data, **more)).status_code

    return go


class World:
    """A server full of large things, and people who may see them."""

    def __init__(self, port, folder):
        self.origin, self._folder = f"http://127.0.0.1:{port}", folder
        self._clients, self._seats, self.dice, self.seconds = [], {}, random.Random(1), 0.0

    async def __aenter__(self):
        self.stranger = self.browser()
        for _ in range(600):
            try:
                await self.stranger.get("/health")
            except httpx.TransportError:
                await asyncio.sleep(0.1)
            else:
                return self
        raise RuntimeError("the server does not answer")

    async def __aexit__(self, *_):
        await asyncio.gather(*(one.aclose() for one in self._clients))

    def browser(self):
        headers = {"accept": "text/html", "accept-language": "en", "origin": self.origin}
        one = httpx.AsyncClient(base_url=self.origin, headers=headers, timeout=300, verify=False)
        self._clients.append(one)
        return one

    async def fill(self):
        """Make everything."""
        begun = time.monotonic()
        command = [sys.executable, "-m", "spieltisch", "link", "--data", self._folder]
        link, self.metrics = (
            subprocess.run([*command, *more], capture_output=True, text=True, check=True).stdout.strip()
            for more in ((), ("--metrics",))
        )
        self.maker, self.host, self.host_key = self.browser(), self.browser(), link.partition("#")[2]
        await self.host.post("/host", data={"token": self.host_key})
        self.big, self.middle, self.small = [await self.deck(n) for n in (CARDS, PRINTED, 60)]
        self.solo, self.solo_over = await self.undone(), await self.finished("adaman", 1)
        self.long = {game: await self.played(game, 4, LONG) for game in OTHERS}
        self.over = {game: await self.finished(game, 3) for game in OTHERS}
        self.great = await self.table("anno-domini", 4, self.big)
        self.full = await self.school(PUPILS, deal=True)
        self.lesson = await self.school(PUPILS, deal=True)
        await self.lesson.play(6)
        for _ in range(TABLES):
            self.stranger.cookies.clear()
            await self.stranger.post("/play", data={"game": "adaman"})
        self.stranger.cookies.clear()
        self.seconds = time.monotonic() - begun

    async def deck(self, cards):
        """The name of a new deck."""
        sheet = {"file": ("deck.csv", large.deck(cards))}
        answer = await self.maker.post("/decks", data={"title": f"Deck {cards}"}, files=sheet)
        if answer.status_code != 303:
            raise RuntimeError(f"a deck of {cards} cards was refused: {said(answer)}")
        return answer.headers["location"].partition("?")[0].rpartition("/")[2]

    async def waiting(self, game, seats, deck=""):
        """A table before its game: its address and its people."""
        people = [self.browser() for _ in range(seats)]
        if deck:
            people[0].cookies.update(self.maker.cookies)
            answer = await people[0].post(f"/decks/{deck}/play")
        else:
            answer = await people[0].post("/tables", data={"game": game, "name": "P0"})
        if answer.status_code != 303:
            raise RuntimeError(f"no table of {game}: {said(answer)}")
        url = answer.headers["location"]
        if game == "hic-haec-hoc":
            await people[0].post(f"{url}/options", data={"mode": "strict", "cards_per_player": "7"})
        for n, one in enumerate(people[1:], 1):
            await one.post(f"{url}/sit", data={"name": f"P{n}"})
        return url, people

    async def table(self, game, seats, deck=""):
        """A game that has begun."""
        if seats == 1:
            one = self.browser()
            return (await one.post("/play", data={"game": game})).headers["location"], [one]
        url, people = await self.waiting(game, seats, deck)
        answer = await people[0].post(f"{url}/start")
        if answer.status_code != 303:
            raise RuntimeError(f"{game} did not begin: {said(answer)}")
        return url, people

    async def look(self, url, person):
        return (await person.get(api(url))).json()

    async def step(self, url, people, *, slowly):
        """A move of one of these people; False if none of them has one."""
        if url not in self._seats:
            self._seats[url] = {(await self.look(url, one))["seat"]: one for one in people}
        seats = self._seats[url]
        acting = [seat for seat in (await self.look(url, people[0]))["to_act"] if seat in seats]
        if not acting:
            return False
        seen = await self.look(url, seats[acting[0]])
        kind = [one for one in seen["legal"] if (one["type"] in SLOW) == slowly] or seen["legal"]
        fields = {"question": seen["question"], "action": self.dice.choice(kind)}
        await seats[acting[0]].post(f"{api(url)}/move", json=fields)
        return True

    async def played(self, game, seats, moves):
        """A game after that many moves, or as many as it lasts."""
        url, people = await self.table(game, seats)
        for n in range(moves):
            if not await self.step(url, people, slowly=self.dice.random() < 0.7):
                return await self.played(game, seats, n - 5)
        return url, people

    async def finished(self, game, seats):
        """A game that is over."""
        url, people = await self.table(game, seats)
        for _ in range(1500):
            if not await self.step(url, people, slowly=False):
                break
        return url, people

    async def undone(self):
        """Adaman, with moves that were taken back."""
        url, people = await self.table("adaman", 1)
        for _ in range(UNDONE):
            seen = await self.look(url, people[0])
            await people[0].post(f"{api(url)}/move", json={"question": seen["question"], "action": seen["legal"][0]})
            seen = await self.look(url, people[0])
            await people[0].post(f"{api(url)}/undo", json={"question": seen["question"]})
        return url, people

    async def school(self, pupils, *, deal=False, **plan):
        """A class with that many pupils."""
        teacher = self.browser()
        teacher.cookies.update(self.maker.cookies)
        answer = await teacher.post("/class/new", data=PLAN | plan)
        if answer.status_code != 303:
            raise RuntimeError(f"a class was refused: {said(answer)}")
        room = School(self, answer.headers["location"], teacher)
        await room.join(pupils)
        if deal:
            answer = await teacher.post(f"{room.url}/deal", data={"way": "random", "dealt": ""})
            if answer.status_code != 303:
                raise RuntimeError(f"a class was not dealt: {said(answer)}")
            await teacher.post(f"{room.url}/resume")
        return room

    def looked_at(self):
        """Tables, each with those who sit there."""
        yield "Adaman, 1,000 moves and undos", *self.solo
        yield from ((f"{game}, a long game", *found) for game, found in self.long.items())
        yield "anno-domini, 9,900 cards", *self.great
        yield from self.finished_ones()

    def finished_ones(self):
        yield from ((f"{game}, over", *found) for game, found in self.over.items())
        yield "adaman, over", *self.solo_over


class School:
    """A class: its teacher, and its pupils by number."""

    def __init__(self, world, url, teacher):
        self._world, self.url, self.teacher, self.pupils = world, url, teacher, {}

    async def join(self, n):
        for _ in range(n):
            one = self._world.browser()
            await one.post(f"{self.url}/join")
            self.pupils[int(one.cookies["spieltisch_pupil"].split(".")[1])] = one

    async def play(self, moves):
        """That many moves at each table."""
        tables = {}
        for one in self.pupils.values():
            tables.setdefault((await one.get(f"{self.url}/seat")).headers["location"], []).append(one)
        for url, people in tables.items():
            for _ in range(moves):
                await self._world.step(url, people, slowly=False)


def heard(world, client, url, *messages):
    """Open a socket, send these, and hear an answer to each."""

    async def go():
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        live = world.origin.replace("http", "ws") + url + "/live"
        async with websockets.connect(
            live, origin=world.origin, additional_headers={"cookie": cookie}, max_size=None
        ) as line:
            for message in messages:
                await line.send(json.dumps(message))
                await asyncio.wait_for(line.recv(), 60)
        return 0

    return go


# Pages


@visits
async def home(world):
    yield Visit("a stranger", get(world.stranger, "/"))
    yield Visit("the maker of a deck of 9,900 cards", get(world.maker, "/"))
    busy = world.browser()
    for _ in range(30):
        await busy.post("/play", data={"game": "adaman"})
    yield Visit("30 tables", get(busy, "/"))


@visits
async def plain(world):
    for path in (
        "/health",
        "/ready",
        "/credits",
        "/favicon.ico",
        "/manifest.webmanifest",
        "/privacy",
        "/robots.txt",
        "/class/over",
        "/api/openapi.json",
        "/schema/openapi.json",
    ):
        yield Visit(path, get(world.stranger, path))
    yield Visit("with the key", get(world.stranger, "/metrics", authorization=f"Bearer {world.metrics}"))
    for name in ("class", "history", "latin"):
        yield Visit(name, get(world.stranger, f"/plans/{name}"))
    for game in games.packages():
        yield Visit(game, get(world.stranger, f"/rules/{game}"))


@visits
async def heads(world):
    for path in ("/", "/decks", "/decks/events", world.solo[0], "/health"):
        yield Visit(path, lambda path=path: _head(world.stranger, path))


async def _head(client, path):
    return (await client.head(path)).status_code


@visits
async def static(world):
    pages = [(await world.stranger.get(url)).text for url in ("/", world.long["hic-haec-hoc"][0], world.solo[0])]
    for file in sorted({found for page in pages for found in re.findall(r'"(/static/[^"?]+)', page)}):
        yield Visit(file, get(world.stranger, file))


@visits
async def deals(world):
    yield Visit("no deal", get(world.stranger, "/deals/adaman"))
    numbers = iter(range(17, 40))

    async def another():
        return (await world.stranger.get(f"/deals/adaman?n={next(numbers)}")).status_code

    yield Visit("a new deal", another)


@visits
async def learn(world):
    for game in games.packages():
        yield Visit(game, get(world.stranger, f"/learn/{game}"))
        for step in (1, 2, 3):
            url = f"/learn/{game}/{step}"
            yield Visit(f"{game}, step {step}", get(world.stranger, url))
            page = (await world.stranger.get(url)).text
            fields = dict(re.findall(r'<(?:input|button)[^>]*name="(\w+)"[^>]*value="([^"]*)"', page))
            yield Visit(f"{game}, a move at step {step}", post(world.stranger, f"{url}/move", fields))


@visits
async def preferences(world):
    yield Visit("German", post(world.browser(), "/language", {"lang": "de"}))
    page = (await world.stranger.get("/rules/hic-haec-hoc")).text
    chosen = {}
    for name in ("names", "order"):
        found = re.search(rf'name="{name}"[^>]*>\s*<option value="(\w+)"|name="{name}" value="(\w+)"', page)
        chosen[name] = (found[1] or found[2]) if found else ""
    yield Visit("terms", post(world.browser(), "/terms", chosen))


# Tables


@visits
async def tables(world):
    for name, url, people in world.looked_at():
        yield Visit(name, get(people[0], url))
        yield Visit(f"{name}; a stranger", get(world.stranger, url))
        yield Visit(f"{name}; a program", get(people[0], api(url)))
        yield Visit(f"{name}; a program of old", get(people[0], url, accept="application/json"))
        yield Visit(f"{name}; a screen", get(world.stranger, f"{url}/screen"))
    for end in ("qr.svg", "next", "seat"):
        yield Visit(end, get(world.long["hic-haec-hoc"][1][0], f"{world.long['hic-haec-hoc'][0]}/{end}"))
    for name, deck in (("events", ""), ("9,900 cards", world.big)):
        url, people = await world.waiting("anno-domini", 4, deck)
        yield Visit(f"the lobby, {name}", get(people[0], url))


@visits
async def links(world):
    url, people = await world.waiting("hic-haec-hoc", 2)
    key = re.search(r'/seat#([^"&<]+)', html.unescape((await people[0].get(url)).text))
    yield Visit("a seat's link", post(world.browser(), f"{url}/seat", {"token": key[1] if key else "none"}))
    yield Visit("a void link", post(world.browser(), f"{url}/seat", {"token": "A" * 22}))


@visits
async def look_back(world):
    for name, url, people in world.finished_ones():
        for end in ("record", "review", "stories", "picture.svg", "missed", "evening"):
            yield Visit(f"{name}, {end}", get(people[0], f"{url}/{end}"))
        found = re.search(r"has (\d+) steps", (await people[0].get(f"{url}/replay?step=99999")).text)
        last = int(found[1]) if found else 1
        for step in sorted({1, (last + 1) // 2, last}):
            yield Visit(f"{name}, step {step}", get(people[0], f"{url}/replay?step={step}"))
            yield Visit(f"{name}, step {step}, a seat", get(people[0], f"{url}/replay?step={step}&seat=0"))


@visits
async def race(world):
    answer = await world.browser().post("/play", data={"game": "adaman", "race": "new"})
    url = answer.headers["location"].removesuffix("/race")
    for _ in range(50):
        await world.browser().post("/play", data={"game": "adaman", "race": url.rpartition("/")[2]})
    yield Visit("51 players", get(world.stranger, f"{url}/race"))


@visits
async def opening(world):
    for path in ("/play", "/tables"):
        for game in games.packages():
            yield Visit(game, post(world.browser(), path, {"game": game}))
            yield Visit(game, post(world.browser(), f"/api{path}", json={"game": game}))
            old = {"json": {"game": game}, "headers": {"accept": "application/json"}}
            yield Visit(game, post(world.browser(), path, **old))
    for name, url in (("a table", world.solo[0]), ("a class", world.full.url), ("nothing", "/t/AAAA2222")):
        yield Visit(name, post(world.browser(), "/join", {"code": url.rpartition("/")[2]}))


@visits
async def live(world):
    for name, url, people in world.looked_at():
        yield Visit(name, heard(world, people[0], url, {"seen": -1, "lang": "en"}))
        yield Visit(f"{name}; a screen", heard(world, world.stranger, url, {"seen": -1, "lang": "en", "screen": "big"}))
    url, people = world.long["hic-haec-hoc"]
    for name, to, fields in (
        ("a refused move", "move", [["question", "1"], ["type", "Draw"]]),
        ("an action of 60 kB", "move", [["question", "1"], ["action", "[" * 60_000]]),
        ("3,000 fields", "move", [["question", "1"]] * 3_000),
        ("another name", "sit", [["name", "X"]]),
    ):
        yield Visit(name, heard(world, people[0], url, {"seen": -1}, {"id": 1, "to": to, "fields": fields}))


# Commands at a table, by form and by programs


class Doing(NamedTuple):
    """A command: `ready` tells who gives it, at which table, with what."""

    name: str
    ready: Callable[[], Awaitable[tuple[httpx.AsyncClient, str, dict]]]
    times: int = 3


def doings(world, to):
    """All that is tried of this command."""

    def at(name, make, fields=None, who=0, times=3):
        async def ready():
            url, people = await make() if callable(make) else make
            given = await fields(url, people) if callable(fields) else fields
            return people[who], url, given or {}

        return Doing(name, ready, times)

    async def moving(url, people):
        seen = await world.look(url, people[0])
        return {"question": seen["question"], "action": world.dice.choice(seen["legal"] or [{}])}

    async def asked(url, people):
        return {"question": (await world.look(url, people[0]))["question"]}

    fresh, begun = (
        functools.partial(functools.partial, world.waiting),
        functools.partial(functools.partial, world.table),
    )

    async def asking():
        url, people = await world.waiting("hic-haec-hoc", 2)
        await people[0].post(f"{url}/chairs", data={"do": "bot"})
        await people[0].post(f"{url}/start")
        people.append(world.browser())
        for seat in range(5):
            await people[2].post(f"{url}/sit", data={"name": "Eve", "seat": str(seat)})
        return url, people

    async def answering(url, people):
        asks = (await world.look(url, people[0]))["asking"]
        return {"ask": asks[0]["ask"] if asks else 0, "yes": True}

    async def again():
        url, people = await world.finished("anno-domini", 2)
        await people[0].post(f"{url}/rematch")
        return f"{url}-2", people

    async def shared():
        url, people = await world.waiting("hic-haec-hoc", 1)
        await people[0].post(f"{url}/chairs", data={"do": "person", "name": "Ben"})
        await people[0].post(f"{url}/start")
        return url, people

    async def paused():
        url, people = await world.table("hic-haec-hoc", 3)
        await people[0].post(f"{url}/pause")
        return url, people

    async def front(url, people):
        found = re.search(r'name="card" value="([^"]+)"', (await people[0].get(f"{url}/review")).text)
        return {"card": found[1] if found else "none", "words": "wrong " * 30}

    async def moved():
        url, people = await world.table("adaman", 1)
        await people[0].post(f"{api(url)}/move", json=await moving(url, people))
        return url, people

    over = functools.partial(world.finished, "anno-domini", 2)
    playing = [(name, (url, people)) for name, url, people in world.looked_at() if not name.endswith("over")]
    known = {
        "sit": [at("a free seat", fresh("anno-domini", 2), {"name": "P0"})],
        "admit": [at("yes", asking, answering)],
        "leave": [
            at("before the game", fresh("anno-domini", 3), who=1),
            at("in the game", begun("hic-haec-hoc", 3), who=1),
        ],
        "renew": [at("one's key", fresh("anno-domini", 2), who=1)],
        "chairs": [at("a bot", fresh("anno-domini", 2), {"do": "bot"})],
        "lift": [at("a shared device", shared, {"seat": 0})],
        "options": [
            at("events", fresh("anno-domini", 3), {"deck": "events"}),
            at("9,900 cards", fresh("anno-domini", 3, world.big), {"deck": world.big}),
            at("a way to play", fresh("anno-domini", 3), {"way": "quick"}),
        ],
        "start": [
            *(at(game, fresh(game, 4)) for game in OTHERS),
            at("9,900 cards", fresh("anno-domini", 4, world.big)),
        ],
        "move": [at(name, table, moving) for name, table in playing],
        "undo": [at("Adaman", moved, asked)],
        "hint": [at("Adaman", begun("adaman", 1), asked), at("1,000 moves and undos", world.solo, asked)],
        "pause": [at("a table", begun("hic-haec-hoc", 3))],
        "resume": [at("a table", paused)],
        "say": [at("a phrase", world.long["anno-domini"], {"phrase": 0})],
        "report": [at("a card", world.over["anno-domini"], front)],
        "rematch": [at("Anno Domini", over, times=2)],
        "ready": [at("yes", again, {"plays": True}, who=1, times=2)],
        "hold": [at("the countdown", again, times=2)],
        "retry": [at("Adaman", functools.partial(world.finished, "adaman", 1), {"step": 3}, times=2)],
        "close": [at("a table", begun("hic-haec-hoc", 3))],
        "delete": [at("a table", begun("hic-haec-hoc", 3))],
    }
    if to not in known:
        raise NotImplementedError(f"the command {to} has no visit; add one to bench/visits.py")
    return known[to]


def command_visits(world, to, way):
    """The visits of a command that is given by form, by a program ("api"), or by one at the old address ("old")."""
    for doing in doings(world, to):
        state = []

        async def before(doing=doing, state=state):
            state[:] = await doing.ready()

        async def go(state=state):
            client, url, given = state
            if way == "form":
                given = {name: one if isinstance(one, str) else json.dumps(one) for name, one in given.items()}
                return (await client.post(f"{url}/{to}", data=given)).status_code
            at = f"{api(url) if way == 'api' else url}/{to}"
            return (await client.post(at, json=given, headers={"accept": "application/json"})).status_code

        yield Visit(f"{to}, {doing.name}", go, before, doing.times)


@visits
async def commands(world):
    for to in COMMANDS:
        for visit in command_visits(world, to, "form"):
            yield visit


@visits
async def commands_of_programs(world):
    for one in COMMANDS_HERE:
        for way in ("api", "old"):
            for visit in command_visits(world, one.operation_id, way):
                yield visit


# Decks


@visits
async def decks(world):
    for name, client in (("a stranger", world.stranger), ("the maker", world.maker), ("the host", world.host)):
        yield Visit(name, get(client, "/decks"))
    for form in ("xlsx", "csv"):
        yield Visit(form, get(world.stranger, f"/decks/template/{form}"))
    for name in ("events", "firsts"):
        yield Visit(name, get(world.stranger, f"/decks/{name}"))
        yield Visit(f"{name}, further on", get(world.stranger, f"/decks/{name}?at=300"))
        yield Visit(f"{name}, with backs", get(world.host, f"/decks/{name}"))
    yield Visit("events, a series", get(world.stranger, "/decks/events?series=kunst"))
    yield Visit("1,490 cards", get(world.maker, f"/decks/{world.middle}"))
    for at in (0, 5000, 9880):
        yield Visit(f"9,900 cards, from {at}", get(world.maker, f"/decks/{world.big}?at={at}"))
    yield Visit("the key's page", get(world.stranger, f"/decks/{world.small}/key"))
    key = re.search(r'/key#([^"&<]+)', (await world.maker.get(f"/decks/{world.small}")).text)
    yield Visit("a key", post(world.browser(), f"/decks/{world.small}/key", {"token": key[1] if key else "none"}))


@visits
async def exports(world):
    for form in EXPORTS:
        yield Visit(f"events, {form}", get(world.host, f"/decks/events/export/{form}"), times=2)
        yield Visit(f"9,900 cards, {form}", get(world.maker, f"/decks/{world.big}/export/{form}"), times=2)
    yield Visit("1,490 cards", get(world.maker, f"/decks/{world.middle}/print/a4"), times=2)
    yield Visit("9,900 cards, too many", get(world.maker, f"/decks/{world.big}/print/a4"), times=2)


@visits
async def lab(world):
    for name, deck in (("9,900 cards", world.big), ("60 cards", world.small)):
        yield Visit(f"{name}, the page", get(world.maker, f"/decks/{deck}/lab"))
        yield Visit(f"{name}, begun", post(world.maker, f"/decks/{deck}/lab"), times=2)
        yield Visit(f"{name}, going on", get(world.maker, f"/decks/{deck}/lab"))


def faulty(cards):
    """A sheet whose every line needs mending."""
    return large.deck(cards).replace(b"\n", b"\nabout when ")


@visits
async def making(world):
    def sheet(content, **fields):
        return post(world.maker, "/decks", {"title": "New", **fields}, files={"file": ("deck.csv", content)})

    yield Visit("9,900 cards", sheet(large.deck(CARDS, 7)), times=2)
    yield Visit("9,900 cards, all to be mended", sheet(faulty(CARDS)), times=2)
    yield Visit("300 cards, all to be mended", sheet(faulty(300)), times=2)
    yield Visit("8 kB that are not UTF-8", sheet(b"a" * 8_000 + b"\x80\n"), times=1)
    yield Visit("4 MB of noise", sheet(random.Random(1).randbytes(4 * 2**20)), times=2)
    draft = await world.maker.post("/decks", data={"title": "x"}, files={"file": ("deck.csv", faulty(3000))})
    work = re.search(r'name="work" value="([^"]*)"|name="work"[^>]*>([^<]*)<', draft.text)
    if work:
        fields = {"title": "x", "work": work[1] or work[2], "do": "look"}
        yield Visit("3,000 lines once more", post(world.maker, "/decks", fields), times=2)
    yield Visit("a newer table of 9,900", sheet(large.deck(CARDS, 9), deck=world.big), times=2)
    for name, body in (("1 MB of %41", b"text=" + b"%41" * 340_000), ("8 MB of %3C", b"work=" + b"%3C" * 2_800_000)):
        yield Visit(name, post(world.stranger, "/decks", content=body, headers=TYPE), times=2)


@visits
async def deck_commands(world):
    for name in ("events", "firsts"):
        yield Visit(f"play, {name}", post(world.stranger, f"/decks/{name}/play"))
    for name, cards in ((world.middle, "1,490"), (world.big, "9,900")):
        url = f"/decks/{name}"
        ids = re.findall(r'name="id"\s+value="(\w+)"', (await world.maker.get(url)).text) or ["none"]
        card = {"id": ids[0], "date": "1820", "de": "", "en": "Something quite other occurs here."}
        yield Visit(f"play, {cards} cards", post(world.maker, f"{url}/play"))
        yield Visit(f"card, {cards} cards", post(world.maker, f"{url}/card", card))
        yield Visit(f"card, {cards} cards, refused", post(world.maker, f"{url}/card", card | {"date": "sometime"}))
        yield Visit(f"eras, {cards} cards", post(world.maker, f"{url}/eras", {"eras": "v. u. Z."}))
        yield Visit(f"share, {cards} cards", post(world.maker, f"{url}/share"))
        yield Visit(f"unshare, {cards} cards", post(world.maker, f"{url}/unshare"))
        rest = iter(ids[1:] or ["none"] * 9)
        yield Visit(f"remove, {cards} cards", lambda u=url, r=rest: post(world.maker, f"{u}/remove", {"id": next(r)})())
        yield Visit(f"renew, {cards} cards", post(world.maker, f"{url}/renew"))
    yield Visit("delete", post(world.maker, f"/decks/{world.small}/delete"), times=1)


# Classes


@visits
async def class_plans(world):
    yield Visit("a stranger", get(world.stranger, "/class/new"))
    yield Visit("the maker of a deck of 9,900 cards", get(world.maker, "/class/new"))
    yield Visit("a teacher", get(world.full.teacher, "/class/new"))
    for game in OTHERS:
        yield Visit(game, post(world.browser(), "/class/new", PLAN | {"game": game, f"{game}:level": ""}))
    yield Visit("refused", post(world.browser(), "/class/new", PLAN | {"size": "9"}))
    great = PLAN | {"anno-domini:deck": world.big}
    yield Visit("9,900 cards", post(world.maker, "/class/new", great))
    yield Visit("9,900 cards, counted", post(world.maker, "/class/cards", great))
    url, teacher = world.full.url, world.full.teacher
    yield Visit("the plan", get(teacher, f"{url}/edit"))
    yield Visit("99 strips wanted", post(teacher, f"{url}/plan", PLAN | {"strips": "99"}))
    yield Visit("99 strips", get(teacher, f"{url}/strips"))


@visits
async def classes(world):
    url, teacher = world.full.url, world.full.teacher
    number, pupil = next(iter(world.full.pupils.items()))
    yield Visit("25 tables, the teacher", get(teacher, url))
    yield Visit("a pupil's page", get(pupil, url))
    yield Visit("a stranger", get(world.stranger, url))
    for end in ("wall", "seat", "strip", "key"):
        yield Visit(end, get(pupil, f"{url}/{end}"))
    yield Visit("a pupil, for the teacher", get(teacher, f"{url}/pupil/{number}"))
    key = re.search(r'/key#([^"&<]+)', html.unescape((await teacher.get(url)).text))
    yield Visit("a teacher's key", post(world.browser(), f"{url}/key", {"token": key[1] if key else "none"}))
    for name, client in (("lead", teacher), ("wall", world.stranger), ("pupil", pupil)):
        yield Visit(f"25 tables, {name}", heard(world, client, url, {"lang": "en", "screen": name}))


@visits
async def class_reports(world):
    room = world.lesson
    yield Visit("while games run", get(room.teacher, f"{room.url}/report"))
    yield Visit("stop, 25 tables with moves", post(room.teacher, f"{room.url}/stop"), times=1)
    for end in ("report", "report?of=all", "report/csv", "report/ods", "report/pdf", "report/gift", "debrief"):
        yield Visit(end, get(room.teacher, f"{room.url}/{end}"))


@visits
async def class_commands(world):
    tried = set()

    def do(room, to, fields=None, name="", times=3, client=None):
        tried.add(to)
        return Visit(
            f"{to}{name and ', '}{name}", post(client or room.teacher, f"{room.url}/{to}", fields), None, times
        )

    room = world.full
    one, other, third = list(room.pupils)[:3]
    for to in ("pause", "resume", "nudge", "door-close", "door-open"):
        yield do(room, to)
    for to, fields in (
        ("label", {"pupil": one, "label": "1"}),
        ("swap", {"pupil": one, "with": other}),
        ("move", {"pupil": one, "to": "2"}),
        ("remove", {"pupil": one}),
        ("admit", {"pupil": one}),
        ("seat-waiting", None),
        ("renew", {"pupil": other}),
        ("send-away", None),
    ):
        yield do(room, to, fields, times=2)
    yield do(room, "last", times=1)
    yield do(room, "name", client=room.pupils[third])
    great = PLAN | {"anno-domini:deck": world.big}
    yield do(room, "plan", great, "9,900 cards", times=2)
    for name, plan in (("99 pupils", {}), ("the same cards", {"same": "1"}), ("9,900 cards", great)):
        made = await world.school(PUPILS - 1, **plan)
        yield do(made, "join", None, name, 1, world.browser())
        yield do(made, "deal", {"way": "random", "dealt": ""}, name, 1)
        for to in ("stop", "next", "delete"):
            yield do(made, to, None, name, 1)
    yield do(await world.school(10), "demo", times=1)
    yield do(world.lesson, "look", {"look": "2"}, times=2)
    yield do(world.lesson, "slip", {"kind": "exit"}, times=1)
    yield do(world.lesson, "answer", {"task": "0", "choice": "0"}, client=next(iter(world.lesson.pupils.values())))
    yield do(world.lesson, "slip-end", times=1)
    if missing := set(LEADING) - tried:
        raise NotImplementedError(f"no visit for {', '.join(sorted(missing))}; add one to bench/visits.py")


# The host


@visits
async def host(world):
    yield Visit("a stranger", get(world.stranger, "/host"))
    yield Visit("500 tables", get(world.host, "/host"))
    yield Visit("500 tables, further on", get(world.host, "/host?at=250"))
    yield Visit("the key", post(world.browser(), "/host", {"token": world.host_key}))
    yield Visit("a restart", post(world.host, "/host/announce", {"minutes": "5"}))
    yield Visit("no restart", post(world.host, "/host/announce", {"minutes": "0"}))
    tags = iter(re.findall(r'name="tag" value="([^"]+)"', (await world.host.get("/host?at=100")).text))
    for do in ("close", "delete"):
        yield Visit(do, lambda do=do: post(world.host, "/host/table", {"tag": next(tags), "do": do})())
    yield Visit("a report is done", post(world.host, "/host/done", {"report": "1"}))
    yield Visit("other keys", post(world.host, "/host/renew"), times=1)
