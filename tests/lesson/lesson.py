"""The course of a lesson."""

import asyncio
import contextlib
import csv
import io
import random
import time

from python_calamine import CalamineWorkbook
from websockets.exceptions import ConnectionClosed

from browser.test_classes import TV
from decks.moodle import taken_in_xml
from lesson.browsers import BrowserPhone, BrowserTeacher, opened
from lesson.eyes import Eyes
from lesson.found import Found
from lesson.phones import LONG, Phone
from lesson.teacher import FILES, Teacher
from spieltisch.i18n import common_catalog
from spieltisch.table.log import key_of
from web.site import served

GAMES = ("hic-haec-hoc", "anno-domini", "trailblaze")
SCREENS = 10  # screens that watch tables
KINDS = ("drop", "load", "phone")
LEAST = 16  # entries at every table in each half of the lesson, so that everybody has had a turn


class WholeLesson:
    """A class, its pupils, and a server that restarts. With `chromium`, the teacher, the wall and this many phones
    (`browsers`) are real browsers; without it, all are requests and sockets. Either the teacher ends the games with a
    last round, or pupils play `to_the_end`.
    """

    def __init__(
        self, folder, eyes, pupils, changes, *, game, pace, seed, chromium, browsers, lang="en", to_the_end=False
    ):
        self.folder, self.eyes, self.pupils, self.changes = folder, eyes, pupils, changes
        self.game, self.pace, self.dice = game, pace, random.Random(seed)
        self.chromium, self.browsers = chromium, browsers
        self.lang, self.words, self.to_the_end = lang, common_catalog(lang), to_the_end
        self.found, self.url, self.phones, self.wall, self._port = Found(), "", [], None, 0
        self._open, self._looking = contextlib.AsyncExitStack(), []

    # -- who takes part ------------------------------------------------------------------------------------------

    async def room(self):
        """The class as the server stores it."""
        return await self.site.services.classes.get(self.url.rpartition("/")[2])

    async def tables(self):
        """Its tables."""
        return [await self.site.services.host.table(one.id) for one in (await self.room()).tables]

    async def seat(self, number):
        """A pupil's table and seat, by the class and by the table."""
        room = await self.room()
        table = await self.site.services.host.table(room.table_of(number))
        key = key_of(self.site.services.class_keys.pupil_key(room, number))
        return table, next(seat for seat, chair in enumerate(table.setup.chairs) if chair.key == key)

    async def connected(self, table, seat):
        """Wait until the server has a socket of this seat."""
        pages = self.site.services.host.hub._watchers
        while not any(one._viewer.seat == seat for one in pages.get(table.id, ())):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.02)

    @contextlib.asynccontextmanager
    async def _running(self):
        """Run the server, always at the same address; listen to the teacher, the wall and screens."""
        async with served(self.folder, port=self._port, pause=lambda: 0.0) as self.site:
            self._port, self._looking = self.site.port, []
            try:
                yield
            finally:
                await _ended(self._looking)

    def _overhear(self, html):
        """The teacher, the wall and screens may only get open cards."""
        self.found.heard += 1
        self.found.leaks += self.eyes.secret(html)

    async def _look(self):
        """Let screens watch tables; without browsers, sockets stand in for the teacher and the wall."""
        tables = await self.tables()
        looks = [(f"/t/{tables[n % len(tables)].id}", True) for n in range(SCREENS)]
        if self.chromium is None:
            looks += [(self.url, "lead"), (self.url, "wall")]
        jar = await self.teacher.jar()
        self._looking += [asyncio.create_task(self._listen(url, screen, jar)) for url, screen in looks]

    async def _listen(self, url, screen, jar):
        async with self.site.browser(self.lang) as client:
            client.cookies.update(jar)
        with contextlib.suppress(ConnectionClosed):
            async with self.site.line(url, client, screen=screen) as line:
                while True:
                    if (html := (await line.receive(600)).get("html")) is not None:
                        self._overhear(html)

    # -- the course ----------------------------------------------------------------------------------------------

    async def held(self):
        """Hold the lesson, from the preparation to the report. Returns the results."""
        try:
            async with self._running():
                await self._prepare()
                await self._come_and_go("dealt", self.changes // 2)
                await self._pause()
                await self._put_away()
            async with self._running():
                await self._come_and_go("restart", self.changes - self.changes // 2)
                await self._last_round()
                self.found.slides = await self.teacher.look_back()
                await self._slip()
                await self._report()
        finally:
            await self._put_away()
            await self._open.aclose()
        return self.found

    async def _prepare(self):
        """Prepare the class; all pupils get their strips and join."""
        enter = self._open.enter_async_context
        if self.chromium is None:
            self.teacher = Teacher(self, await enter(self.site.browser(self.lang)))
        else:
            self.teacher = BrowserTeacher(self, await enter(opened(self, self._overhear)))
        with self._timed("prepare"):
            self.url = await self.teacher.prepare(self.pupils)
        if self.chromium is not None:
            self.wall = await enter(opened(self, self._overhear, dark=True))
            await self.wall.set_viewport_size({"width": 1280, "height": 720})
            await self.wall.goto(f"{self.url}/wall")
        strips = await self.teacher.strips()
        assert len(strips) == self.pupils
        for number, strip in enumerate(strips, 1):
            phone = (BrowserPhone if number <= self.browsers else Phone)(self, number, strip)
            self._open.push_async_callback(phone.close)
            self.phones.append(phone)
        await asyncio.gather(*(phone.come() for phone in self.phones))
        words = self.words.counted("{n} pupil is here", "{n} pupils are here", self.pupils)
        await self.teacher.see(words)
        await self._on_the_wall(words)

    async def _come_and_go(self, first, changes):
        """Everybody goes to their seats; then, this many times, one is lost and returns, some at the same time."""
        with self._timed({"dealt": "seated", "restart": "seated after the stop"}[first]):
            if first == "dealt":
                await self.teacher.press("tables")
            for phone in self.phones:
                phone.sit(first)
            await asyncio.gather(*(phone.settled() for phone in self.phones))
        if first == "dealt":
            await self.teacher.press("begin")
        await self._look()
        await self._on_the_wall(self.words.gettext("Table {n}").format(n=1))
        while changes:
            some = self.dice.sample(self.phones, min(4, changes, len(self.phones)))
            await asyncio.gather(*(phone.change(self.dice.choice(KINDS)) for phone in some))
            changes -= len(some)
        least = {table: table.seq + LEAST for table in await self._playing()}
        await asyncio.gather(*(self._until(table, lambda one: one.seq >= least[one]) for table in least))

    async def _put_away(self):
        await asyncio.gather(*(phone.put_away() for phone in self.phones))

    async def _playing(self):
        return [table for table in await self.tables() if table.setup.stage == "playing"]

    async def _pause(self):
        """All tables pause at once, as every phone shows, and continue."""
        if not (playing := await self._playing()):
            return
        places = [(phone, (await self.seat(phone.number))[0]) for phone in self.phones]
        waiting = [asyncio.create_task(self._paused(phone, table)) for phone, table in places if table in playing]
        with self._timed("paused"):
            await self.teacher.press("pause")
            await asyncio.wait_for(asyncio.gather(*waiting), LONG)
        if await self._playing():
            await self.teacher.press("resume")

    async def _paused(self, phone, table):
        """Wait until the phone shows the pause, or the game is over."""
        tasks = [asyncio.create_task(one) for one in (phone.wait_paused(), self._until(table))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        await _ended(tasks)

    async def _last_round(self):
        if self.to_the_end:
            await asyncio.gather(*(self._until(table) for table in await self._playing()))
            self.found.ended = len([table for table in await self.tables() if table.result is not None])
        elif playing := await self._playing():
            await self.teacher.press("last round")
            with self._timed("the last round"):
                await asyncio.gather(*(self._until(table) for table in playing))
        await self._put_away()

    async def _until(self, table, enough=lambda table: False):
        """Wait until the game is over or `enough`."""
        with self.site.services.host.hub.listen(table.id) as news:
            async with asyncio.timeout(LONG):
                while table.setup.stage == "playing" and not enough(table):
                    await news.wait()

    async def _slip(self):
        """Everybody answers a slip about what was missed, if anything was."""
        if not await self.teacher.report("slip"):
            await self.teacher.back()
            return
        await self.teacher.press("slip")
        tasks = (await self.room()).slip.tasks
        await self._on_the_wall(self.words.gettext("Exit slip"))
        await asyncio.gather(*(phone.answer(tasks) for phone in self.phones))
        finished = "{n} of {m} pupils have finished"
        await self.teacher.see(self.words.counted(finished, finished, self.pupils, m=self.pupils))
        self.found.slipped = sum(len(one.answers) == len(tasks) for one in (await self.room()).pupils)
        await self.teacher.press("end of the slip")

    async def _report(self):
        """The report as a page and as files, each checked."""
        count = await self.site.services.classes.decided(await self.room())
        self.found.rows = len(count.shown)
        with self._timed("page"):
            missed = await self.teacher.report("report")
        for form in FILES if count.shown else ():
            if form == "moodle" and not missed:
                continue
            with self._timed(form):
                made = await self.teacher.file(form)
            if not _fits(form, made, len(count.shown)):
                self.found.wrong.append(f"what is in the {form}")

    async def _on_the_wall(self, words):
        """Check that the wall shows these words, large enough for the last row."""
        if self.wall is not None:
            await self.wall.get_by_text(words).first.wait_for()
            self.found.wrong += [f"small on the wall: {text}" for text in await self.wall.evaluate(TV)]

    @contextlib.contextmanager
    def _timed(self, what):
        began = time.perf_counter()
        yield
        self.found.seconds[what] = time.perf_counter() - began


async def _ended(tasks):
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _fits(form, made, rows):
    """Whether a file of the report has the right format and this many decisions."""
    match form:
        case "csv":
            return len(list(csv.DictReader(io.StringIO(made.decode("utf-8-sig")), delimiter=";"))) == rows
        case "ods":
            return len(CalamineWorkbook.from_filelike(io.BytesIO(made)).sheet_names) == 3
        case "pdf":
            return made.startswith(b"%PDF") and b"/Type/Pages/Count 1/" in made
        case _:
            return bool(taken_in_xml(made.decode()))


async def whole_lesson(
    folder, patch, pupils, changes, *, game=GAMES[0], pace=0.3, seed=16, chromium=None, browsers=0, **more
):
    """Hold a lesson with this many pupils and changes, and a restart in the middle. Returns the results."""
    return await WholeLesson(
        folder, Eyes(patch), pupils, changes, game=game, pace=pace, seed=seed, chromium=chromium, browsers=browsers,
        **more,
    ).held()  # fmt: skip
