"""Pupils with phones that are requests and a socket."""

import asyncio
import contextlib
import random
import re
import time

from websockets.exceptions import ConnectionClosed

from spieltisch.web.core.http.actions import encode

HAND = re.compile(r"mk[0-9]+qf")
SLOW = ("Draw", "Accept", "Pass")  # moves that get rid of no card, so the game continues
FEW = 3  # cards in a hand
SURE = 0.8  # the part of moves that are the bot's, if the game shall end by its rules; the others are random
LONG = 120.0  # seconds that anything may take
PAUSED = 'warn paused"'


class Phone:
    """A pupil with a strip, and the phone they hold at the moment. Pupils' numbers begin with 1."""

    in_browser = False

    def __init__(self, lesson, number, strip):
        self.lesson, self.number, self.strip = lesson, number, strip
        self.dice = random.Random(number)
        self.task, self._laid = None, False
        self.there, self.paused = asyncio.Event(), asyncio.Event()
        self._jar = {}

    async def come(self):
        """Join the class with the strip."""
        async with self.lesson.site.browser(self.lesson.lang) as browser:
            assert (await browser.post("/join", data={"code": self.strip})).status_code == 303
            self._jar = dict(browser.cookies)

    def sit(self, kind):
        """Go to the seat and play: by loading the page, after a drop, with another phone, or after a restart."""
        self.there.clear()
        self.task = asyncio.create_task(self._sit(kind))

    async def settled(self):
        """Wait until the seat is there; after `LONG` it counts as lost."""
        assert self.task is not None
        waiting = asyncio.create_task(self.there.wait())
        done, _ = await asyncio.wait((waiting, self.task), timeout=LONG, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self.task in done:
            self.task.result()
        self.lesson.found.lost += not self.there.is_set()

    async def change(self, kind):
        """Break the connection, reload the page, or scan the strip with another phone."""
        await self.put_away()
        self.lesson.found.changes[kind] += 1
        self.lesson.found.in_browsers += self.in_browser
        self.sit(kind)
        await self.settled()

    async def put_away(self):
        """Stop playing for now."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def wait_paused(self):
        """Wait until it shows that the table is paused."""
        await self.paused.wait()

    async def close(self):
        """Close everything."""

    async def answer(self, tasks):
        """Answer all tasks of the slip at random."""
        async with self._browsing() as browser:
            assert (await browser.get(f"{self.lesson.url}/seat")).headers["location"] == self.lesson.url
            for n, task in enumerate(tasks):
                said = {"task": n, "choice": self.dice.randrange(task.choices)}
                assert (await browser.post(f"{self.lesson.url}/answer", data=said)).status_code == 303

    @contextlib.asynccontextmanager
    async def _browsing(self):
        async with self.lesson.site.browser(self.lesson.lang) as browser:
            for name, value in self._jar.items():
                browser.cookies.set(name, value, domain="127.0.0.1")
            yield browser
            self._jar = dict(browser.cookies)

    async def _sit(self, kind):
        """Return, and play on every turn until the connection breaks."""
        lesson = self.lesson
        if kind == "phone":
            self._jar = {}
            await self.come()
        table, seat = await lesson.seat(self.number)
        async with self._browsing() as browser:
            if kind != "drop" or not self._jar:
                address = (await browser.get(f"{lesson.url}/seat")).headers["location"]
                lesson.found.lost += not address.endswith(f"/t/{table.id}")
                self.look((await browser.get(address)).text, table, seat)
        with contextlib.suppress(ConnectionClosed):
            async with lesson.site.line(f"/t/{table.id}", browser) as line:
                while True:
                    message = await line.receive(600)
                    if "html" in message:
                        self.look(message["html"], table, seat)
                        self.there.set()
                    while seat in table.to_act and table.result is None:
                        await self._move(line, table, seat)
                        self.look(line.page["html"], table, seat)

    async def _move(self, line, table, seat):
        found, legal = self.lesson.found, table.legal(seat)
        slow = [one for one in legal if type(one).__name__ in SLOW]
        if self.lesson.to_the_end:
            action = await self._thought_of(table, seat, legal)
        else:
            few = len(getattr(table.view(seat).own, "hand", ())) < FEW
            waits = slow and self._laid and (few or self.dice.random() < 0.5)
            action = self.dice.choice(slow if waits else [one for one in legal if one not in slow] or legal)
        await asyncio.sleep(self.lesson.pace * self.dice.random())
        if action not in table.legal(seat):
            return
        sent = time.perf_counter()
        answer = await line.do("move", [["question", str(table.question(seat))], ["action", encode(action)]])
        if answer["ok"]:
            found.waits.append(time.perf_counter() - sent)
            found.moves["socket"] += 1
            self._laid |= action not in slow

    async def _thought_of(self, table, seat, legal):
        """Mostly the choice of the game's bot."""
        if self.dice.random() > SURE:
            return self.dice.choice(legal)
        beliefs = await self.lesson.site.services.host.beliefs(table.id, seat)
        return table.package.bot.choose(table.view(seat), legal, self.dice, beliefs)

    def look(self, page, table, seat):
        """Check that nothing is another pupil's, and that the own hand is there during the game."""
        if PAUSED in page:
            self.paused.set()
        found = self.lesson.found
        found.foreign += self.lesson.eyes.foreign(page, (table.id, seat))
        if table.setup.stage == "playing" and self.lesson.game == "hic-haec-hoc":
            found.lost += not HAND.search(page)
