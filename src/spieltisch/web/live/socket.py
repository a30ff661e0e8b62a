"""One WebSocket a page: fragments out as the table moves on, forms' fields in.

The page says first what it has seen, in which language it is written and, by a number of its own, which page it is:
`{"seen": seq, "lang": "de", "page": "…"}` (not every browser says Accept-Language of a socket). It gets a `LiveUpdate`
as JSON after each entry (one message for the entries of one moment, and for many if it or the server is slow), and an
answer to each of its own messages. (What is sent are binary frames: as text, all would be decoded and encoded twice
more on the way, a third of what a message costs.)
`{"id": k, "to": "move", "fields": […]}` is answered `{"id": k, "ok": true, "update": {…}}`, without an update if the
page shows that already or can wait for it, or `{"id": k, "ok": false, "error": "in words"}`; `{"ping": k}` by
`{"pong": k}`, at once, also while something else is being worked out, and by what the page has missed, if anything. A
page whose line broke sends what was not answered again under its `id`: what has been done is not done twice, but
answered as before.
`{"goto": address}` asks the page to load another address.
"""

import asyncio
import contextlib
import logging
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec import Struct
from msgspec.structs import replace

from spieltisch import i18n
from spieltisch.game import Refused
from spieltisch.table.host import Missing
from spieltisch.table.log import TableSetup, tag
from spieltisch.table.table import Table
from spieltisch.table.wake import Listener
from spieltisch.web.access.viewpoint import is_asked
from spieltisch.web.answers import Answer
from spieltisch.web.commands import COMMANDS
from spieltisch.web.http.client import Client
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.presence import Attendance
from spieltisch.web.services import Services
from spieltisch.web.view.fragments import LiveUpdate
from spieltisch.web.view.hints import Hint
from spieltisch.web.view.viewer import Screen, Viewer, translator_for, viewer_of

log = logging.getLogger(__name__)

LONGEST = 64 * 1024  # bytes of a message
FAILED, CLOSING = 1011, 1012  # the server restarts: come back
UNREADABLE, NO_TABLE = 4400, 4404
AHEAD = 16  # messages that may wait while another one is being worked out
LULL = 0.25  # seconds from picture to picture at least, for those who only look on while others race
BEHIND = 32  # times what the server is late by: so long is it, if that is more,
LONGEST_LULL = 2.0  # and at most so long


class Said(Struct, frozen=True):
    """A message of the page."""

    seen: int = -1
    lang: str = ""
    id: int = 0
    to: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    ping: int = 0
    page: str = ""
    screen: Screen = ""


class Done(Answer, frozen=True, omit_defaults=True):
    """The answer to what is done, with what the page shows then."""

    update: LiveUpdate | None = None


_read = msgspec.json.Decoder(Said)
_write = msgspec.json.Encoder()


class LivePage:
    """One page that looks at a table."""

    def __init__(self, socket: WebSocket[Any, Any, Any], services: Services, client: Client, table: Table) -> None:
        self._socket = socket
        self._services = services
        self._id = table.id
        self._table = table
        self._screen: Screen = ""
        self._actor = services.actor(client, table.id)
        self._seen = -1
        self._page = ""  # which page it is, known to it alone: it may come back on another socket
        # the entry, the setup and the attendance that the page shows
        self._shown: tuple[int, TableSetup, Attendance] | None = None
        self._parts: tuple[str | None, ...] = ()
        self._offers = False  # it shows what its seat can do, and has sent no answer yet
        self._viewer = Viewer(None, client.lang)
        self._loop = asyncio.get_running_loop()
        self._noticed = ""  # what the page says from whoever runs the server
        self._drawn = 0.0  # when the page got its last picture, by the loop's clock

    async def _send(self, message: Answer | LiveUpdate | dict[str, Any]) -> None:
        """Raises `WebSocketDisconnect` where the message finds nobody any more."""
        data = _write.encode(message)
        try:
            await self._socket.send({"type": "websocket.send", "text": None, "bytes": data})
        except (RuntimeError, OSError) as error:  # as the server says it
            raise WebSocketDisconnect(detail="nobody is there any more") from error

    async def run(self) -> None:
        """Until the page goes or the server stops."""
        first = await self._receive()
        if first is None:
            return
        self._seen, self._screen = first.seen, first.screen
        self._page = f"{self._id} {self._actor.key} {first.page[:40]}" if first.page else ""
        if first.lang in i18n.LANGUAGES:
            self._actor, self._viewer = replace(self._actor, lang=first.lang), Viewer(None, first.lang)
        services, key = self._services, self._actor.key
        here = services.presence.looking(self._id, key) if key and not self._screen else contextlib.nullcontext()
        with here, services.host.hub.listen(self._id, self._soon) as self._news:
            if key and not self._screen:
                await services.met(self._table, key)
            await self._announce()
            await self._show(await services.host.table(self._id))
            todo: asyncio.Queue[Said | None] = asyncio.Queue(AHEAD)
            out = asyncio.gather(self._follow(self._news), self._overhear())
            work = asyncio.create_task(self._work(todo))
            try:
                while (said := await self._receive()) is not None:
                    if said.to:
                        await todo.put(said)
                    elif said.ping:
                        await self._send({"pong": said.ping})
                        self._news.look()  # a wake-up is a hint: a page that has long heard nothing is looked at anyway
                await todo.put(None)
                await work  # what was asked for is done, also for who has gone meanwhile
            finally:
                work.cancel()
                out.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await out

    async def _receive(self) -> Said | None:
        try:
            text = await self._socket.receive_data(mode="text")
        except WebSocketDisconnect:
            return None
        try:
            if len(text) > LONGEST:
                raise ValueError  # noqa: TRY301 - as below
            return _read.decode(text)
        except (ValueError, RecursionError):
            await self._close(UNREADABLE)
            return None

    async def _follow(self, news: Listener) -> None:
        presence = self._services.presence
        try:
            while True:
                # until the table moves on, or somebody's absence is told
                if (rest := presence.next_change(self._table.setup)) is None:
                    await news.wait()
                else:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(rest):
                            await news.wait()
                await self._announce()
                await self._show(await self._services.host.table(self._id))
        except Missing:
            await self._no_table()
        except WebSocketDisconnect:
            return  # the page has gone while it was being told
        except Exception:
            log.exception("table %s: a page could not be told", tag(self._id))
            await self._close(FAILED)  # it comes back, and is drawn from the beginning

    async def _announce(self) -> None:
        words = self._services.announcement.words(i18n.common_translator(self._viewer.lang))
        if words != self._noticed:
            self._noticed = words
            await self._send({"notice": words})

    async def _no_table(self) -> None:
        with contextlib.suppress(Exception):
            await self._send({"goto": f"{self._services.base}/"})
        await self._close(NO_TABLE)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(Exception):  # it is closed already
            await self._socket.close(code=code)

    async def _work(self, todo: asyncio.Queue[Said | None]) -> None:
        """What the page asks for, one after the other. Its pings are answered meanwhile."""
        while (said := await todo.get()) is not None:
            try:
                await self._do(said)
            except Missing:
                await self._no_table()
            except WebSocketDisconnect:
                continue  # the page has gone; what it sent is done all the same
            except Exception:
                log.exception("table %s: %r could not be done", tag(self._id), said.to)
                await self._close(FAILED)

    async def _overhear(self) -> None:
        """What people say at the table, in this page's words."""
        with self._services.chat.hear(self._id) as voices, contextlib.suppress(WebSocketDisconnect):
            while True:
                voice, table = await voices.get(), self._table
                tr = translator_for(table, None, self._viewer.lang)
                words = tr._(table.package.page.phrases[voice.phrase])
                await self._send({"voice": {"seat": voice.seat, "name": tr.name(voice.seat), "words": words}})

    def _soon(self) -> float:
        """How many seconds this page may wait for news: none if it is asked, offers what others have ended, or has had
        no picture for a while. That while is longer where the server cannot keep up.
        """
        table = self._table
        since = [table.question(seat) for seat in self._viewer.mine if seat in table.to_act]
        asked = any(question > self._seen for question in since)
        past = self._offers and not any(question <= self._seen for question in since)
        new = table.result is not None or self._shown is None or self._shown[1] is not table.setup
        if asked or past or new:
            return 0.0
        lull = max(LULL, min(BEHIND * self._services.host.hub.late, LONGEST_LULL))
        return max(0.0, self._drawn + lull - self._loop.time())

    async def _show(self, table: Table, hint: Hint | None = None) -> None:
        """Send what is newer than what the page has."""
        self._table = table
        setup = table.setup
        if setup.goes_on or (self._screen and setup.rematch):  # all go along, and nobody touches a screen
            last = await self._services.newest(table)
            if last.id != table.id:
                await self._send({"goto": self._services.url(f"/t/{last.id}{'/screen' if self._screen else ''}")})
                return
        if (update := self._update(table, hint)) is not None:
            await self._send(update)

    def _update(self, table: Table, hint: Hint | None = None) -> LiveUpdate | None:
        """What is newer than what the page has, which is to be sent then; None if nothing is."""
        setup, shown = table.setup, self._shown
        here = self._services.presence.attendance(setup)
        if shown is None or shown[1] is not setup or self._viewer.shared:
            self._viewer = viewer_of(self._actor, table, screen=self._screen)
            if shown is None and table.seq and table.seq == self._seen and not here.absent and not here.asks:
                self._shown = (table.seq, setup, here)  # it was drawn with this
                self._offers = is_asked(table, self._viewer.seat)
                return None
        if hint is None and shown == (table.seq, setup, here):
            return None
        _, before, was_here = shown or (0, None, None)
        update = self._services.views.update(
            table, self._viewer, self._seen, before, hint=hint, name=self._actor.name, here=was_here
        )
        old, new = self._parts, update.parts
        self._shown, self._seen, self._parts = (table.seq, setup, here), table.seq, new
        self._offers = is_asked(table, self._viewer.seat)
        if old == new:
            return None
        if len(old) == len(new):
            update = replace(update, parts=tuple([None if a == b else b for a, b in zip(old, new, strict=True)]))
        self._drawn = self._loop.time()
        self._news.rest()  # for it has heard of what waits
        return update

    async def _do(self, said: Said) -> None:
        """A form of the page."""
        services, actor = self._services, self._actor
        command = COMMANDS.get(said.to)
        if (given := services.answers.to(self._page, said.id)) is not None:
            await self._send(given)
            return
        table = await services.host.table(self._id)
        if command is None or said.to == "renew" or (said.to == "sit" and not actor.key):
            await self._send(Answer(said.id, ok=False, post=True))
            return
        try:
            services.limits.require("command", actor.address)
            self._offers = False
            with services.metrics.command(said.to):
                result = await command(services, table, actor, said.fields)
        except Refused as error:
            words = translator_for(table, None, actor.lang).refusal(error)
            await self._send(Answer(said.id, ok=False, error=words))
            return
        note = result.words(translator_for(table, None, actor.lang)) if result.moot else result.note
        answer = Answer(said.id, ok=True, moot=result.moot, note=note)
        if result.hint is not None:
            await self._show(await services.host.table(self._id), hint=result.hint)
        elif not result.go:
            services.answers.keep(self._page, answer)
            if not self._soon() and (update := self._update(table)) is not None:
                answer = Done(answer.id, ok=True, moot=answer.moot, note=answer.note, update=update)
        await self._send(answer)
        if result.go and result.hint is None:
            await self._send({"goto": services.url(result.go)})


@websocket("/t/{code:str}/live")
async def live(
    socket: WebSocket[Any, Any, Any], services: ServicesHere, client: ClientHere, code: FromPath[str]
) -> None:
    """A page's socket."""
    try:
        table = await services.table(code, client)
    except Refused:
        await socket.accept()  # a browser only hears of a reason after accepting
        await socket.close(code=NO_TABLE)
        return
    await socket.accept()
    with services.metrics.socket(), contextlib.suppress(Missing, WebSocketDisconnect):
        await LivePage(socket, services, client, table).run()


HANDLERS = [live]
