"""The same in Chromium: pupils with phones, the teacher, and the wall on a projector."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager

from playwright.async_api import Error as BrowserError
from playwright.async_api import TimeoutError as TooLong

from browser.conftest import visiting
from browser.play import MINDS, WANTS, Person
from lesson.eyes import pictured
from lesson.phones import LONG, Phone
from lesson.teacher import CODES, PRESSED

WIDTHS = (320, 390)  # of phones, in pixels
# A browser's words for a broken connection and a stopping server.
GONE = ("WebSocket", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED")


@asynccontextmanager
async def opened(lesson, hear, **more):
    """A page in a browser context of its own; `hear` gets the pictures from its sockets. Complaints are noted."""
    async with visiting(lesson.chromium, lesson.site.origin, lang=lesson.lang, **more) as page:
        page.set_default_timeout(1e3 * LONG)
        page.watch.expects = GONE
        page.on("websocket", lambda line: line.on("framereceived", lambda payload: hear(pictured(payload))))
        yield page
        lesson.found.wrong += page.watch.complaints
        page.watch.complaints.clear()


class BrowserPhone(Phone):
    """A pupil with a phone that is a browser: they tap what it shows. It stays open when the server stops."""

    in_browser = True

    def __init__(self, lesson, number, strip):
        super().__init__(lesson, number, strip)
        self.page, self._context, self._place = None, AsyncExitStack(), None

    async def come(self):
        """Join the class by the QR code of the strip."""
        await self._scan()
        await self.page.locator("#name").wait_for()

    async def wait_paused(self):
        """Wait until it shows that the table is paused."""
        await self.page.locator(".paused").wait_for()

    async def answer(self, tasks):
        """Answer all tasks of the slip at random."""
        for n, task in enumerate(tasks, 1):
            await self.page.locator(f"#slip-{n}").wait_for()
            await self.page.locator("[name=choice]").nth(self.dice.randrange(task.choices)).tap()
        await self.page.locator(f"#slip-{len(tasks) + 1}").wait_for()

    async def close(self):
        """Close the browser."""
        await self._context.aclose()

    async def _scan(self):
        """Scan with another phone; the old one is gone."""
        await self._context.aclose()
        self._context = AsyncExitStack()
        self.page = await self._context.enter_async_context(
            opened(self.lesson, self._hear, phone=True, width=WIDTHS[self.number % 2])
        )
        await self.page.goto(f"{self.lesson.url}/strip#{self.strip}")

    def _hear(self, html):
        if self._place is not None:
            self.lesson.found.foreign += self.lesson.eyes.foreign(html, self._place)

    async def _sit(self, kind):
        """Return, and play on every turn."""
        table, seat = await self.lesson.seat(self.number)
        self._place = table.id, seat
        match kind:
            case "drop":
                await self.page.context.set_offline(True)
                await self.page.locator("#line").wait_for()
                await self.page.context.set_offline(False)
                await self.page.locator("#line").wait_for(state="detached")
            case "load":
                await self.page.reload()
            case "phone":
                await self._scan()
        await self.page.wait_for_url(f"**/t/{table.id}")
        await self.page.locator("#table[data-ready]").wait_for()
        await self.lesson.connected(table, seat)
        if table.result is None:  # otherwise all hands are open
            self.look(await self.page.content(), table, seat)
        self.there.set()
        await self._play(Person(self.page, touch=True, seed=self.dice.random()), table)

    async def _play(self, me, table):
        """Play until the game is over. If others, a pause or a slip are quicker than a tap, it is tapped again."""
        while table.setup.stage == "playing":
            try:
                await self.page.evaluate("window.answered = null")  # earlier presses are repeated
                await self.page.wait_for_function(WANTS, arg=True, timeout=0, polling=50)
                await asyncio.sleep(self.lesson.pace * self.dice.random())
                sent = me.sent
                await me.turn(MINDS[self.lesson.game])
                self.lesson.found.moves["browser"] += me.sent - sent
            except (TooLong, BrowserError, AssertionError):
                self.lesson.found.stumbled += 1


class BrowserTeacher:
    """A teacher with a browser; each tap is counted."""

    def __init__(self, lesson, page):
        self._lesson, self._page = lesson, page

    async def prepare(self, pupils):
        """Prepare a class with this many strips from the home page. Returns its address."""
        page = self._page
        await page.goto("/")
        for css in ("[href$='/class/new']", f"label:has(#game-{self._lesson.game})", "#strips"):
            await self._tap("prepare", css)
        await page.locator("#strips").fill(str(pupils))
        await self._tap("prepare", ".classform .btn.main")
        await page.locator("#class[data-ready]").wait_for()
        return page.url.removeprefix(self._lesson.site.origin)

    async def strips(self):
        """The codes of all strips, by number; a separate tab prints them."""
        printed = await self._page.context.new_page()
        await printed.goto(f"{self._lesson.url}/strips")
        found = ["".join(one) for one in CODES.findall(await printed.content())]
        await printed.close()
        return found

    async def see(self, words):
        """Wait until it shows these words."""
        await self._page.get_by_text(words).first.wait_for()

    async def press(self, what):
        """One of `PRESSED`."""
        css, *_ = PRESSED[what]
        async with self._page.expect_navigation():
            await self._tap(what, css)

    async def look_back(self):
        """Go through all slides with the arrow key. Returns their number."""
        page = self._page
        await self._tap("look back", "#debrief")
        await page.locator(".stepped .slide:not([hidden])").wait_for()
        while await page.locator("#on:enabled").count():
            await page.keyboard.press("ArrowRight")
        number = await page.locator(".slide").count()
        await self._tap("look back", "#leave")
        return number

    async def report(self, why):
        """Open the report, for the reason `why`. Returns whether there is anything to ask on a slip."""
        async with self._page.expect_navigation():
            await self._tap(why, "#report")
        return await self._page.locator("[name=kind][value=exit]").count() > 0

    async def file(self, form):
        """Download a file of the report."""
        async with self._page.expect_download() as waiting:
            await self._tap("report" if form == "csv" else "more files", f"[href*='/report/{form}']")
        path = await (await waiting.value).path()
        return await asyncio.to_thread(path.read_bytes)

    async def back(self):
        """Return from the report to the class."""
        await self._tap("back", ".cback")

    async def jar(self):
        """The cookies of this browser."""
        return {one["name"]: one["value"] for one in await self._page.context.cookies()}

    async def _tap(self, what, css):
        self._lesson.found.taps[what] += 1
        await self._page.locator(css).first.click()
