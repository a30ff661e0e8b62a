"""A real server on 127.0.0.1 in the test's event loop: real sockets, real cookies, fast bots."""

import asyncio
import contextlib
import functools
import json
import re
import socket
import weakref
from html.parser import HTMLParser
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
import websockets
from litestar.utils.signature import ParsedSignature
from websockets.typing import Origin

from forked import forking
from pictures import KEEPS, Pictures
from spieltisch.classroom.classrooms import played_elsewhere
from spieltisch.decks.library import Library, answer
from spieltisch.game import Stale
from spieltisch.table.host import Host
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
from spieltisch.web import wire
from spieltisch.web.app import Application
from spieltisch.web.core import renderer
from spieltisch.web.core.heavy import HeavyWork
from spieltisch.web.core.http.rate_limits import RateLimits
from spieltisch.web.core.services import Services, Settings
from spieltisch.web.wire.frames import UnlimitedLine

SECRET = bytes(range(32))


def _read_once(read):
    """Every site has an application of its own with the same handlers, whose signatures Litestar now reads
    only once.
    """
    known = weakref.WeakKeyDictionary()

    def reading(function, namespace):
        if (found := known.get(function)) is None:
            found = known[function] = read(function, namespace)
        return found

    return reading


ParsedSignature.from_fn = _read_once(ParsedSignature.from_fn)


def _translated_once(translate):
    """Every site has templates of its own; their text in a language is made only once."""
    known = {}

    def translated(name, source, catalog, drawings):
        if (name, catalog) not in known:
            known[name, catalog] = translate(name, source, catalog, drawings)
        return known[name, catalog]

    return translated


renderer.precompiled = _translated_once(renderer.precompiled)
# Each site asks for the versions of packages, which are read from files.
wire.version = functools.cache(wire.version)  # ty: ignore[invalid-assignment]


class Site:
    """A running server."""

    def __init__(self, services, port):
        self.services = services
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"

    def browser(self, lang="en", **headers):
        """A client with cookies of its own and a browser's headers."""
        sent = {"accept": "text/html", "accept-language": lang, "origin": self.origin, **headers}
        return self._client(sent, 60)

    def program(self, token=""):
        sent = {"accept": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        return self._client(sent, 60)

    def _client(self, headers, timeout):
        """A client without TLS, since reading certificates takes a twentieth of a second."""
        return httpx.AsyncClient(
            base_url=self.origin + self.services.base, headers=headers, timeout=timeout, verify=False
        )

    @contextlib.asynccontextmanager
    async def line(self, url, client=None, seen=-1, *, screen=False, origin=None, token="", page="", port=0, **keeps):
        """A page's socket. Browsers send Accept-Language for pages only, so the page names its language."""
        headers, lang = {}, "en"
        if client is not None and client.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        if client is not None:
            lang = client.cookies.get("spieltisch_lang") or client.headers["accept-language"]
        if token:
            headers["authorization"] = f"Bearer {token}"
        address = f"ws://127.0.0.1:{port or self.port}{urlsplit(str(url)).path}/live"
        async with websockets.connect(
            address, additional_headers=headers, origin=Origin(origin or self.origin), ping_interval=None
        ) as ws:
            hello = {"seen": seen, "lang": lang, "screen": {True: "big", False: ""}.get(screen, screen), "page": page}
            await ws.send(json.dumps(hello | (keeps or {"keeps": KEEPS})))
            yield Line(ws)


class Line:
    """A socket with its messages sorted: fragments, answers, and everything that came."""

    def __init__(self, ws):
        self.ws = ws
        self.heard = []
        self.page = {}
        self._pictures = Pictures()
        self._next = 1

    async def receive(self, seconds=60):
        async with asyncio.timeout(seconds):
            message = json.loads(await self.ws.recv())
        self.heard.append(message)
        if "update" in message:  # it comes with the answer
            message |= message.pop("update")
        if "parts" in message:
            message["html"] = self._pictures.html(message["parts"], message.get("order"))
            if "order" in message and "say" in message:
                message["say"] = self._pictures.words(message["say"])
            known = {one: self.page[one] for one in ("title", "stage") if one in self.page}
            message = self.page = known | message
        return message

    async def drain(self):
        """Read what has come; a page that reads nothing for long counts as dead."""
        with contextlib.suppress(TimeoutError):
            while True:
                await self.receive(0.002)

    async def until(self, wanted, seconds=60):
        async with asyncio.timeout(seconds):
            while not wanted(message := await self.receive()):
                pass
        return message

    async def do(self, to, fields):
        number, self._next = self._next, self._next + 1
        await self.ws.send(json.dumps({"id": number, "to": to, "fields": fields}))
        return await self.until(lambda m: m.get("id") == number)


quick_only = pytest.mark.skipif(not wire.is_quick(), reason="uvicorn does this by itself, without our bounds")


async def _in_place(folder, asked, *, slow):
    """Do it as the process beside a real server does, without starting one for each test."""
    return [answer(Library(folder), one) for one in asked]


_applications: list[Application] = []  # that serve no site


def _application(services):
    """An application that serves these: one that has served before, if one is free."""
    if not _applications:
        return Application(services)
    one = _applications.pop()
    one.turn_to(services)
    return one


@contextlib.asynccontextmanager
async def served(
    folder, *, at="127.0.0.1", port=0, pause=lambda: 0.0, limits=False, clock=None, ping=20.0, most=10_000,
    beside=False, **settings,
):  # fmt: skip
    """A site on this port, or on a free one (0), with tables in this folder. It pings sockets every `ping` seconds.
    `beside`: another process reads decks, as for a real server.
    """
    more = {"clock": clock} if clock else {}
    heavy = HeavyWork(RateLimits(enabled=limits))
    library = Library(folder / "decks", reader=heavy.read if beside else _in_place)
    host = Host(
        SQLite(folder / "tables.sqlite"), Hub(), pause=pause, library=library, played_elsewhere=played_elsewhere, **more
    )
    services = Services(host, Settings(secret=SECRET, limits=limits, folder=folder, **settings), heavy)
    services.connections.most = most
    # With TCP named, asyncio sets TCP_NODELAY; otherwise each answer waits 40 ms for an acknowledgement.
    listening = socket.socket(proto=socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((at, port))
    # The number of connections per address is always limited; the rate of a page's messages only with `limits`.
    options = wire.options(settings.get("proxies", ()), services.connections, services.stopping, ping=ping)
    if wire.is_quick() and not limits:
        options["ws"] = UnlimitedLine
    application = _application(services)
    config = uvicorn.Config(
        application.secured(), log_level="warning", access_log=False,
        server_header=False, timeout_graceful_shutdown=1, timeout_keep_alive=60, proxy_headers=False,
        **options,
    )  # fmt: skip
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # ty: ignore[invalid-assignment] - Ctrl-C belongs to pytest
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        if task.done():
            task.result()
        await asyncio.sleep(0.005)
    try:
        with forking():
            yield Site(services, listening.getsockname()[1])
    finally:
        services.stopping.set()
        services.leaving.set()
        server.should_exit = True
        await task
        listening.close()
        _applications.append(application)


class _Forms(HTMLParser):
    """The forms of a page, with the controls inside, and those that refer to them."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.forms = []
        self.loose = []
        self._open = None
        self._select = None

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "form":
            self._open = {"id": found.get("id"), "action": found.get("action"), "controls": []}
            self.forms.append(self._open)
        elif tag in {"input", "button", "select"} and "disabled" not in found:
            control = {"tag": tag, **found}
            if "form" in found:
                self.loose.append(control)
            elif self._open is not None:
                self._open["controls"].append(control)
            if tag == "select":
                self._select = control
                control["options"] = []
        elif tag == "option" and self._select is not None:
            self._select["options"].append(found.get("value", ""))
            if "selected" in found or len(self._select["options"]) == 1:
                self._select["chosen"] = found.get("value", "")

    def handle_endtag(self, tag):
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = None

    def finish(self):
        for control in self.loose:
            for form in self.forms:
                if form["id"] == control["form"]:
                    form["controls"].append(control)
        return self.forms


def forms(html):
    """The forms of a page: dicts with action and controls."""
    parser = _Forms()
    parser.feed(html)
    return parser.finish()


def form(html, ending):
    """The form whose action ends like this."""
    return next(one for one in forms(html) if (one["action"] or "").endswith(ending))


def fields(one, dice):
    """Fill a form at random, like somebody who only sees the page: the fields that a browser would send."""
    sent, radios, buttons = [], {}, []
    for control in one["controls"]:
        name, kind = control.get("name"), control.get("type", "submit" if control["tag"] == "button" else "text")
        if not name:
            if control["tag"] == "button":
                buttons.append(None)
            continue
        value = control.get("value", "")
        if control["tag"] == "button":
            buttons.append((name, value))
        elif control["tag"] == "select":
            sent.append((name, dice.choice(control["options"])))
        elif kind == "radio":
            radios.setdefault(name, []).append(value)
        elif kind == "checkbox":
            if dice.random() < 0.5:
                sent.append((name, value or "on"))
        else:
            sent.append((name, value))
    sent += [(name, dice.choice(values)) for name, values in radios.items()]
    button = dice.choice(buttons) if buttons else None
    return sent + ([button] if button else [])


def refused(html):
    """The refusal on the page."""
    found = re.search(r'class="refused"[^>]*>([^<]*)<', html)
    return found.group(1).strip() if found else ""


async def finished(site, table, dice, *, blind=False):
    """Play to the end: people's seats with the game's bot, if it has one, or at random; bots play by themselves."""
    host, package = site.services.host, table.package
    while table.result is None:
        seat = next((seat for seat in table.to_act if table.setup.chairs[seat].kind == "person"), None)
        if seat is None:
            await asyncio.sleep(0.001)
            continue
        question, legal, beliefs = table.question(seat), table.legal(seat), await host.beliefs(table.id, seat)
        action = package.bot.choose(table.view(seat), legal, dice, beliefs) if not blind else dice.choice(legal)
        with contextlib.suppress(Stale):  # a bot was quicker
            await host.answer(table.id, seat, question, action)


def code(url):
    return url.rpartition("/")[2]


async def playing(site, ada, ben, *, bots=0, game="hic-haec-hoc"):
    """Ada and Ben (and bots) play a game, by default one with hidden hands. Returns the address and the table."""
    url = (await ada.post("/tables", data={"game": game, "name": "Ada"})).headers["location"]
    await ben.post(f"{url}/sit", data={"name": "Ben"})
    for _ in range(bots):
        await ada.post(f"{url}/chairs", data={"do": "bot"})
    assert (await ada.post(f"{url}/start")).status_code == 303
    return url, await site.services.host.table(code(url))
