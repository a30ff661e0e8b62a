"""Scripted people: programs over HTTP and pages over sockets. They play at random, note everything, and repeat
unanswered moves. Each has an address of its own on this machine, so the server's limits stay as they are.
"""

import asyncio
import html
import itertools
import json
import random
import re
import time
from typing import Any

import msgspec
import websockets
from msgspec import Struct
from websockets.typing import Origin

from chaos.history import canonical
from chaos.http import Client
from chaos.witness import marks, picture
from pictures import KEEPS, Pictures
from spieltisch.table.store import Unsaved

WAIT = 8.0  # seconds for an answer until the connection counts as broken
TRIES = 20.0  # seconds for which a move is repeated
REST = 0.05  # seconds after an error
QUESTION = re.compile(r'name="question" value="(\d+)"')
ACTION = re.compile(r'name="action" value="([^"]+)"')
UNSURE = ("is not answering", "cannot save")  # said when it may have been written, unless the refusal is `_definite`
_addresses = itertools.count(1)


class Shown(Struct):
    """The parts of a table's JSON that a program reads."""

    stage: str
    seq: int
    revision: int
    paused: bool
    question: int | None
    to_act: list[int]
    legal: list[dict[str, Any]]
    view: Any


class Person:
    """A player with the token of a seat. `servers` are those that they may ask."""

    def __init__(
        self, history, servers, table, seat, token, *, name, again=0.1, rest=0.0, patience=(WAIT,), sticky=False
    ):
        self.history, self.servers = history, servers
        self.table, self.seat, self.token, self.name = table, seat, token, name
        self.again = again  # how often a move is sent at the same time
        self.rest = rest  # seconds between moves
        self.patience = patience  # seconds; one of them is drawn for each wait
        self.sticky = sticky  # stays with one server
        self.dice = random.Random(f"{name}")
        self.seen = 0
        self.moving = True  # otherwise they only watch
        self.waits = False  # for an answer
        self.gone = False  # left a table that is damaged
        self.lossy = False  # the store may have lost entries that this person saw
        self.halted = False  # the table is damaged, so nobody can move
        self.errors: list[str] = []  # answers that no server should ever give
        self.broken: list[str] = []  # requests without an answer, or with that of a server that cannot serve
        n = next(_addresses)
        self.address = f"127.{1 + n // 60_000}.{n // 250 % 240}.{1 + n % 250}"
        self._moves = itertools.count(1)

    def note(self, kind, server=None, **values):
        return self.history.note(
            kind, client=self.name, process="" if server is None else server.name, table=self.table, **values
        )

    def server(self):
        """A running server, as far as a proxy would know."""
        up = [one for one in self.servers if one.up.is_set()]
        return up[self.seat % len(up)] if self.sticky and up else self.dice.choice(up or self.servers)

    def saw(self, server, seq, text, **values):
        after, self.seen = self.seen, max(self.seen, seq)
        self.note("picture", server, seat=self.seat, seq=seq, after=after, marks=marks(text), **values)

    def invoke(self, question, action):
        move = f"{self.name}-{next(self._moves)}"
        self.note("invoke", seat=self.seat, move=move, question=question, action=action)
        return move


class Program(Person):
    """Looks and moves by the API, each request to any of the servers. `changes`: former programs show this game in
    another way, so what they show is not compared.
    """

    def __init__(self, *given, changes=False, **more):
        super().__init__(*given, **more)
        self._changes = changes
        self._revision = 0  # seen last
        self._http = Client(self.address, authorization=f"Bearer {self.token}", accept="application/json")

    async def ask(self, server, method, path, body=None, seconds=None):
        """The answer; None if none came within `seconds`, or within this person's patience."""
        waited = seconds or self.dice.choice(self.patience)
        try:
            answer = await self._http.ask(server.port, method, f"/api{path}", body, seconds=waited)
        except OSError as error:
            if isinstance(error, TimeoutError) and waited >= WAIT and method == "POST":
                self.note("waited", server, value=waited)
            if seconds or method == "POST" or not isinstance(error, TimeoutError):  # else perhaps no news
                self.broken.append(f"{method} {path}: {error!r}")
                await asyncio.sleep(REST)
            return None
        if answer.status >= 500:
            self.broken.append(f"{method} {path}: {answer.status}")
        if answer.status == 500:
            self.errors.append(f"{method} {path}: {answer.text[:300]}")
        return answer

    async def look(self, *, final=False):
        """What is newer than the last picture; None if nobody answers."""
        server = self.server()
        waits = self.seen > 0 and not final  # at the end the table may stand before what was seen, and nothing comes
        asked = f"?after={self.seen}&revision={self._revision}" if waits else ""
        answer = await self.ask(server, "GET", f"/tables/{self.table}{asked}")
        if answer is None or answer.status != 200:
            return None
        shown = _shown(answer.body)
        self._revision = shown.revision
        if shown.seq < self.seen and self.lossy:  # the store has lost it
            self.seen = shown.seq
        if shown.seq:
            hash_ = picture(shown.view, shown.legal, shown.question, shown.to_act)
            # Nobody can act then, whatever the rules say.
            still = shown.paused or shown.stage == "closed" or self.halted
            other = self._changes and server.is_former
            self.saw(server, shown.seq, answer.text, hash="" if still or other else hash_, final=final)
        return shown

    async def move(self, question, action):
        """Send it until somebody answers; sometimes several times at once. Returns whether nothing has changed, so that
        the same question is open.
        """
        move, self.waits = self.invoke(question, canonical(action)), True
        times = self.dice.randint(2, 4) if self.dice.random() < self.again else 1
        said = await asyncio.gather(*(self._sent(question, action) for _ in range(times)))
        self.waits = False
        for kind, server, seq in said:
            if kind in {"ok", "moot"}:
                self.note(kind, server, move=move, seq=seq)
                self.seen = max(self.seen, seq - 1)  # at least this entry must be shown
                return False
        kinds = {kind for kind, *_ in said}
        self.note("unknown" if "unknown" in kinds else "refused", said[0][1], move=move)
        return kinds == {"unsaved"}

    async def _sent(self, question, action):
        unsure, loop = False, asyncio.get_running_loop()
        until = loop.time() + TRIES
        sent = {"question": question, "action": action}
        while loop.time() < until:
            server = self.server()
            answer = await self.ask(server, "POST", f"/tables/{self.table}/move", sent)
            if answer is None or answer.status >= 500:
                if answer is not None and not unsure and _definite(answer.text):
                    return "unsaved", server, 0
                unsure = True
                await asyncio.sleep(REST)
            elif answer.status == 429:
                await asyncio.sleep(0.3)
            elif answer.status == 200:
                took = answer.json()
                return "moot" if took["moot"] else "ok", server, took["seq"]
            else:
                return "unknown" if unsure else "refused", server, 0
        return "unknown", self.servers[0], 0

    async def play(self):
        while not self.gone:
            shown = await self.look()
            if shown is None:
                await asyncio.sleep(REST)
                continue
            if shown.stage != "playing" or (shown.paused and not self.moving):
                return
            asked = shown.legal and not shown.paused
            while asked and self.moving and not self.gone:  # they may choose something else the second time
                asked = await self.move(shown.question, self.dice.choice(shown.legal))
                await asyncio.sleep(max(self.rest, REST) if asked else self.rest)

    async def pause(self):
        """Let the opener stop the game. Games for one can only be closed."""
        for what in ("pause", "close"):
            while (answer := await self.ask(self.server(), "POST", f"/tables/{self.table}/{what}")) is None:
                await asyncio.sleep(REST)
            if answer.status == 200:
                return

    async def stand(self, newest):
        """Look until the newest entry has been seen."""
        while not self.gone and ((shown := await self.look(final=True)) is None or shown.seq < newest):
            await asyncio.sleep(REST)

    async def close(self):
        self._http.close()


class Page(Person):
    """A page with a socket, like a browser's: it reconnects and repeats what was unanswered."""

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self._page = f"{self.name}-page"
        self._numbers = itertools.count(1)
        self._line, self._cut = None, False
        self._open = None  # (number, fields, move, sent before)
        self._since = 0.0  # when it was sent on this line
        self._shown = ""
        self._pictures = Pictures()
        self._done = 0  # the last question with an answer

    def cut(self):
        """Break the connection, like a phone that loses its network."""
        if self._line is not None and self._line.transport is not None:
            self._cut = True
            self._line.transport.abort()

    async def play(self):
        while True:
            server, self._cut = self.server(), False
            try:
                async with websockets.connect(
                    f"ws://127.0.0.1:{server.port}/t/{self.table}/live", origin=Origin(server.origin),
                    additional_headers={"authorization": f"Bearer {self.token}"}, compression=None, open_timeout=WAIT,
                    local_addr=(self.address, 0), ping_interval=2, ping_timeout=self.dice.choice(self.patience),
                    close_timeout=1,
                ) as self._line:  # fmt: skip
                    pid, self._pictures = server.pid, Pictures()
                    await self._say({"seen": self.seen or -1, "lang": "en", "page": self._page, "keeps": KEEPS})
                    if self._open is not None:
                        await self._send()
                    await _first(self._hear(server), self._ping(server))
            except (OSError, websockets.WebSocketException, TimeoutError):
                pass
            finally:
                line, self._line = self._line, None
            if line is not None:
                code, way = line.close_code or 1006, line.protocol
                if way.close_rcvd_then_sent or not (self._cut or way.close_sent):  # otherwise this side closed it
                    self.note("closed", server, code=code, pid=pid)
                if code == 4404:
                    return
            await self._away(line)

    async def _away(self, line):
        """Stay away for a while; `line` is the broken connection, if there was one."""
        await asyncio.sleep(self.dice.uniform(0.0, 0.2))

    async def _ping(self, server):
        for n in itertools.count(1):
            await asyncio.sleep(2)
            waited = time.monotonic() - self._since
            if self._open is not None and waited >= WAIT:
                self.note("waited", server, value=waited)
            await self._say({"ping": n})  # as pages do; it also asks for what was missed

    async def _say(self, message):
        await self._line.send(json.dumps(message))

    async def _hear(self, server):
        async for sent in self._line:
            text = sent if isinstance(sent, str) else sent.decode()
            message = json.loads(text)
            if self._open is not None and message.get("id") == self._open[0]:
                self._answered(server, message)
                if not message["ok"]:
                    await asyncio.sleep(REST)
            if message.get("goto", "").endswith(f"/t/{self.table}"):  # the page is reloaded, at an earlier moment
                self._reload()
                return
            update = message.get("update", message)
            if "parts" in update:
                self._shown = self._pictures.html(update["parts"], update.get("order"))
                self.saw(server, update["seq"], text)
            if self.moving and self._open is None and self._shown:
                await self._move()

    def _reload(self):
        self.seen, self._done, self._shown = 0, 0, ""
        if self._open is not None:
            *_, move, _ = self._open
            self._open, self.waits = None, False
            self.note("unknown", move=move)

    def _answered(self, server, message):
        _, fields, move, again = self._open
        self._open, self.waits = None, False
        if message["ok"]:
            self._done = int(fields[0][1])
            self.note("moot" if message.get("moot") else "ok", server, move=move)
        else:
            error = message.get("error", "")
            unsure = again or (any(words in error for words in UNSURE) and not _definite(error))
            self.note("unknown" if unsure else "refused", server, move=move)

    async def _move(self):
        page = self._shown
        question, actions = QUESTION.search(page), ACTION.findall(page)
        if question is None or not actions or int(question[1]) <= self._done:
            return
        if self.rest:
            await asyncio.sleep(self.rest)
        action = html.unescape(self.dice.choice(actions))
        move = self.invoke(int(question[1]), canonical(json.loads(action)))
        fields = [["question", question[1]], ["action", action]]
        self._open, self.waits = (next(self._numbers), fields, move, False), True
        await self._send(first=True)

    async def _send(self, *, first=False):
        number, fields, move, _ = self._open
        self._open, self._since = (number, fields, move, not first), time.monotonic()
        await self._say({"id": number, "to": "move", "fields": fields})

    async def stand(self, newest):
        """Wait until the newest entry has been seen."""
        while self.seen < newest and not self.gone:
            await asyncio.sleep(REST)
        if not self.gone:
            self.note("picture", seat=self.seat, seq=self.seen, after=self.seen, final=True)

    async def close(self):
        self.cut()


async def _first(*works):
    """Wait until one of these ends; its error reaches the caller."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for one in ended:
        if isinstance(one, Exception):
            raise one


def _definite(text):
    """Whether this refusal means that certainly nothing has changed."""
    return Unsaved.SAID in text


_shown = msgspec.json.Decoder(Shown).decode
