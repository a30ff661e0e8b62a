"""One WebSocket for each page that shows a table: see `messages`."""

import asyncio
import contextlib
import logging
import math
from collections.abc import Coroutine
from time import perf_counter

from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec.structs import replace

from spieltisch import i18n, languages
from spieltisch.game import Refused
from spieltisch.i18n import N_
from spieltisch.table import seat_keys
from spieltisch.table.host import Missing
from spieltisch.table.log import TableSetup, tag
from spieltisch.table.patience import deadline
from spieltisch.table.store import Unsaved
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import is_asked
from spieltisch.web.core.chat import NUDGE, Voice
from spieltisch.web.core.http.client import Client, LiveSocket
from spieltisch.web.core.http.rate_limits import ASKING
from spieltisch.web.core.http.sockets import BEHIND, NO_TABLE, UNREADABLE
from spieltisch.web.core.inject import ClientHere, ServicesHere, find_table
from spieltisch.web.core.presence import SCREEN, Attendance
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.fragments import LiveUpdate, PageParts
from spieltisch.web.core.view.hints import Hint
from spieltisch.web.core.view.viewer import Viewer, translator_for, viewer_of
from spieltisch.web.table.commands import COMMANDS
from spieltisch.web.table.idempotency import Answer, AnswersGiven
from spieltisch.web.table.inject import AnswersHere, TableViewsHere
from spieltisch.web.table.messages import Done, Said, read, written
from spieltisch.web.table.views import TableViews
from spieltisch.web.wire.line import Line, line_of

log = logging.getLogger(__name__)

UNSEATED = N_("You no longer have a seat here. It was freed, or it moved to another device.")
UNTOLD = "table %s: a page could not be told"

FAILED = 1011
AHEAD = 16  # messages that wait while another one is being worked out: then the page has to wait, too
LULL = 0.25  # seconds from picture to picture at least, for those who only look on while others race
LONGEST_LULL = 2.0  # the same where the server is late: see BEHIND


class LivePage:
    """One page that shows a table. News come by calls and go out at once; only the page's commands run in a task, while
    there are any.
    """

    def __init__(
        self,
        line: Line,
        services: Services,
        views: TableViews,
        answers: AnswersGiven,
        client: Client,
        table: Table,
        first: Said,
    ) -> None:
        self._line = line
        self._views = views
        self._answers = answers
        self._services = services
        self._id = table.id
        self._table = table
        self._screen = first.screen
        lang = first.lang if languages.is_known(first.lang) else client.lang
        self._actor = replace(services.actor(client, table.id), lang=lang)
        self._seen = first.seen
        # which page it is, known to it alone: it may come back on another socket
        self._page = f"{self._id} {self._actor.key} {first.page[:40]}" if first.page else ""
        # the entry, the setup and the attendance that the page shows
        self._shown: tuple[int, TableSetup, Attendance] | None = None
        self._parts = PageParts(first.keeps)
        self._old = first.cache > 0  # loaded from an older program
        self._unseated = False  # who looked at it had a seat, and has none any more
        self._offers = False  # it shows what its seat can do, and has sent no answer yet
        self._viewer = Viewer(None, lang)
        self._loop = asyncio.get_running_loop()
        self.due = math.inf  # when it looks at the table again, by the loop's clock: see `wake.Watcher`
        self._noticed = ""  # what the page says from whoever runs the server
        self._drawn = 0.0  # when the page got its last picture, by the loop's clock
        self._missed = False  # a picture, since the line was full
        self._todo: list[Said] = []
        self._work: asyncio.Task[None] | None = None  # on what is to do
        self._others: set[asyncio.Task[None]] = set()
        self._next: asyncio.TimerHandle | None = None  # when somebody's absence is told
        self._here = contextlib.ExitStack()  # where it is known that this page looks

    async def open(self) -> None:
        """Start to watch. Returns at once; it goes on until the line is over."""
        services, key = self._services, "" if self._screen else self._actor.key
        shown = SCREEN if self._screen == "big" else key
        with contextlib.ExitStack() as here:
            here.enter_context(services.metrics.socket())
            here.enter_context(services.shares.socket(self._actor.address))
            if shown:
                here.enter_context(services.presence.looking(self._id, shown))
            here.enter_context(services.host.hub.watch(self._id, self))
            here.enter_context(services.chat.hear(self._id, self._overhear))
            if key:
                await services.met(self._table, key)
            self.look()
            if self._old:
                self._say({"goto": self._address(self._table)})
            self._here = here.pop_all()
        self._line.listen(self)

    def gone(self) -> None:
        """Stop watching: the page has gone. Its commands are still carried out."""
        self._here.close()
        for task in self._others:
            task.cancel()
        if self._next is not None:
            self._next.cancel()

    def receive(self, data: bytes | str) -> None:
        """Take a message of the page."""
        if (said := read(data)) is None:
            self._line.close(UNREADABLE)
            return
        if said.to:
            self._todo.append(said)
            self._line.hold(still=len(self._todo) >= AHEAD)
            if self._work is None:
                self._work = self._line.work(self._do_all())
        elif said.ping and not self._line.full:
            self._say({"pong": said.ping})
            self.look()  # a wake-up is a hint: a page that has long heard nothing is looked at anyway

    def drained(self) -> None:
        """Go on after the page has taken what was sent."""
        if self._missed:
            self._missed = False
            self.look()

    def stop(self) -> None:
        """Carry out the page's commands, since the server stops; then tell it when to come back."""
        if self._work is None:
            self._line.end()
        else:
            self._work.add_done_callback(lambda _: self._line.end())

    def look(self) -> None:
        try:
            table = self._services.host.memory.known(self._id)
            if self._line.full:
                self._missed = True
            elif table is None or self._is_left(table) or table.setup.stage == "waiting":
                self._meanwhile(self._look_further())
            elif not self._screen and seat_keys.has_moved(table.setup, self._actor.key):
                self._say({"goto": self._services.url(f"/class/{table.setup.classroom}/seat"), "called": True})
            else:
                self._show(table)
                if self._services.passes_on(table):
                    self._meanwhile(self._services.hand_over(table))
            self._look_again()
        except Exception:
            log.exception(UNTOLD, tag(self._id))
            self._line.close(FAILED)  # it comes back, and is drawn from the beginning

    async def _look_further(self) -> None:
        """Like `look`, if the table, or the one to which everybody goes along, has to be read first."""
        try:
            table = await self._services.host.table(self._id)
            if self._is_left(table):
                last = await self._services.newest(table)
                if last.id != table.id:
                    self._say({"goto": self._address(last)})
                    return
            await self._views.ready(table, viewer_of(self._actor, table, screen=self._screen))
            self._show(table)
        except Missing:
            self._no_table()
        except Exception:
            log.exception(UNTOLD, tag(self._id))
            self._line.close(FAILED)  # it comes back, and is drawn from the beginning

    def _look_again(self) -> None:
        """Look again when somebody's absence is to be told, if nothing happens before."""
        if self._next is not None:
            self._next.cancel()
        rest = self._services.presence.next_change(self._table.setup)
        self._next = None if rest is None else self._loop.call_later(rest, self.look)

    def _is_left(self, table: Table) -> bool:
        """Return whether everybody goes along to another table. A screen, which nobody touches, always does."""
        return table.setup.goes_on or bool(self._screen and table.setup.rematch)

    def _address(self, table: Table) -> str:
        """Return where such a page of this table is."""
        return self._services.url(f"/t/{table.id}{'/screen' if self._screen else ''}")

    def _say(self, message: Answer | LiveUpdate | dict[str, object]) -> None:
        self._line.say(written(message))

    def _announce(self) -> None:
        words = self._services.announcement.words(i18n.common_translator(self._viewer.lang))
        if words != self._noticed:
            self._noticed = words
            self._say({"notice": words})

    def _no_table(self) -> None:
        # both pages say what has happened
        over = self._services.url("/class/over") if self._table.setup.classroom else self._address(self._table)
        self._say({"goto": over})
        self._line.close(NO_TABLE)

    def _meanwhile(self, work: Coroutine[object, object, None]) -> None:
        task = self._loop.create_task(work)
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    def _overhear(self, voice: Voice) -> None:
        """Send what somebody says at the table, in this page's language."""
        if not self._line.full:
            table = self._table
            tr = translator_for(table, None, self._viewer.lang)
            if voice.seat is None:
                name, words = tr._("Go to your table"), tr._(NUDGE)
            else:
                name, words = tr.name(voice.seat), tr._(table.package.page.phrases[voice.phrase])
            self._say({"voice": {"seat": voice.seat, "name": name, "words": words}})

    def soon(self) -> float:
        """Return the seconds that this page can wait for news.

        None if it is asked, offers what others have ended, had no picture for a while, or has a reveal to show: the
        next move would skip that. The while is longer if the server cannot keep up.
        """
        table = self._table
        since = [table.question(seat) for seat in self._viewer.mine if seat in table.to_act]
        asked = any(question > self._seen for question in since)
        past = self._offers and not any(question <= self._seen for question in since)
        new = table.result is not None or self._shown is None or self._shown[1] is not table.setup
        if asked or past or new:
            return 0.0
        lull = max(LULL, min(BEHIND * self._services.host.hub.late, LONGEST_LULL))
        rest = self._drawn + lull - self._loop.time()
        return rest if rest > 0 and not _reveals(table, self._seen) else 0.0

    def _show(self, table: Table, hint: Hint | None = None) -> None:
        began = self._shown is not None and self._shown[1].look is None
        if table.setup.look is not None and (self._screen or began):
            self._say({"goto": self._services.url(f"/t/{self._id}/together{'/screen' if self._screen else ''}")})
            if self._screen:
                return
        if 0 < table.seq < self._seen:  # the store has lost what the page shows: it is drawn anew
            self._say({"goto": self._services.url(f"/t/{self._id}{'/screen' if self._screen else ''}")})
            return
        self._announce()
        if (update := self._update(table, hint)) is not None:
            self._say(update)

    def _update(self, table: Table, hint: Hint | None = None) -> LiveUpdate | None:
        """Return what is newer than what the page has, to be sent; None if nothing is."""
        self._table = table
        setup, shown = table.setup, self._shown
        here = self._services.presence.attendance(setup)
        if shown is None or shown[1] is not setup or self._viewer.shared:
            had = self._viewer.mine
            self._viewer = viewer_of(self._actor, table, screen=self._screen)
            self._unseated = not self._viewer.key and bool(had or self._unseated)
            if shown is None and table.seq and table.seq == self._seen and not here.absent and not here.asks:
                self._shown = (table.seq, setup, here)  # it was drawn with this
                self._offers = is_asked(table, self._viewer.seat)
                return None
        if hint is None and shown == (table.seq, setup, here):
            return None
        _, before, was_here = shown or (0, None, None)
        picture, viewer = self._parts.picture, self._viewer
        update = self._views.update(
            table,
            viewer,
            self._seen,
            before,
            self._parts,
            hint=hint,
            name=self._actor.name,
            here=was_here,
            refused=translator_for(table, None, viewer.lang)._(UNSEATED) if self._unseated else "",
        )
        self._shown, self._seen = (table.seq, setup, here), table.seq
        self._offers = is_asked(table, self._viewer.seat)
        if picture == self._parts.picture:
            return None
        self._drawn = self._loop.time()
        self._services.host.hub.rest(self)  # for it has heard of what waits
        return update

    async def _do_all(self) -> None:
        """Carry out the page's commands one by one. Its pings are answered meanwhile."""
        while self._todo:
            said = self._todo.pop(0)
            self._line.hold(still=len(self._todo) >= AHEAD)
            try:
                with deadline():
                    await self._do(said)
                await self._line.ready()
            except Missing:
                self._no_table()
            except Exception:
                log.exception("table %s: %r failed", tag(self._id), said.to)
                self._line.close(FAILED)
        self._work = None

    async def _do(self, said: Said) -> None:
        """Carry out a form of the page."""
        services, actor = self._services, self._actor
        ASKING.set(actor.address)
        command = COMMANDS.get(said.to)
        if (given := self._answers.to(self._page, said.id)) is not None:
            self._say(given)
            return
        table = await services.host.table(self._id)
        if command is None or said.to == "renew" or (said.to == "sit" and not actor.key):
            self._say(Answer(said.id, ok=False, post=True))
            return
        begun, outcome = perf_counter(), "done"
        try:
            services.limits.require("command", actor.address, actor.known(table.setup))
            self._offers = False
            result = await command(services, table, actor, said.fields)
        except Refused as error:
            outcome = type(error).__name__
            words = translator_for(table, None, actor.lang).refusal(error)
            self._say(Answer(said.id, ok=False, error=words))
            return
        except Exception as error:
            outcome = type(error).__name__
            raise
        finally:
            services.metrics.command(said.to, outcome, perf_counter() - begun)
        note = result.words(translator_for(table, None, actor.lang)) if result.moot else result.note
        answer = Answer(said.id, ok=True, moot=result.moot, note=note)
        if result.hint is not None:
            self._show(await services.host.table(self._id), result.hint)
        elif not result.go:
            self._answers.keep(self._page, answer)
            table = await services.host.table(self._id)
            await self._views.ready(table, self._viewer)
            if not self.soon() and (update := self._update(table)) is not None:
                answer = Done(answer.id, ok=True, moot=answer.moot, note=answer.note, update=update)
        self._say(answer)
        if result.go and result.hint is None:
            self._say({"goto": services.url(result.go)})


def _reveals(table: Table, seen: int) -> bool:
    """Return whether a step after this entry is one that pages reveal row by row."""
    page = table.package.page
    return any(page.is_marked(entry.news) for entry in table.news_after(seen))


@websocket("/t/{code:str}/live")
async def live(
    socket: LiveSocket,
    services: ServicesHere,
    client: ClientHere,
    table_views: TableViewsHere,
    answers: AnswersHere,
    code: FromPath[str],
) -> None:
    """Serve a page's socket."""
    try:
        table = await find_table(services, client, code)
    except Refused as error:
        await socket.accept()  # a browser only hears of a reason after accepting
        await socket.close(code=FAILED if isinstance(error, Unsaved) else NO_TABLE)
        return
    await socket.accept()
    with contextlib.suppress(Missing, WebSocketDisconnect):
        if (first := read(await socket.receive_data(mode="text"))) is None:
            await socket.close(code=UNREADABLE)
        else:
            line = line_of(socket, services.leaving, lambda: services.metrics.sockets, limited=services.settings.limits)
            await LivePage(line, services, table_views, answers, client, table, first).open()
            await line.served()


HANDLERS = [live]
