"""A whole lesson over real sockets: a class is prepared, comes, plays, is paused, drops out and comes back, the server
is stopped and started in between, and all games end with a last round. Decks are marked: whatever anybody is sent is
held against what they may have been shown.

    python -m web.lesson [PUPILS] [CHANGES] [LESSONS]     (in tests/; `make lesson`)

With several LESSONS the three games for classes take turns.
"""

import asyncio
import contextlib
import random
import re
import sys
import tempfile
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from leaks.markers import marked, marks, shown
from spieltisch.game import see
from spieltisch.table import lobby
from spieltisch.table.log import key_of
from spieltisch.table.session import TableSession
from spieltisch.web.http.actions import encode
from web.site import served

GAMES = ("hic-haec-hoc", "anno-domini", "trailblaze")
PLAN = {"size": "4", "minutes": "45", "same": "1", **{f"{game}:level": "" for game in GAMES}}
CODES = re.compile(r'class="num code">([A-Z0-9]{5}) ([A-Z0-9]{5})<')
HAND = re.compile(r"mk[0-9]+qform")
SLOW = ("Draw", "Accept", "Pass")  # what nobody gets rid of a card with: so a game goes on
FEW = 6  # cards in a hand
SCREENS = 10  # that look at tables besides
KINDS = ("drop", "reload", "phone")
LONG = 120.0  # seconds that anything may take


class Eyes:
    """What each seat, and everybody, has ever been shown; what nobody may ever be."""

    def __init__(self, patch):
        self.seats, self.everybody, self.seeds = {}, set(), set()
        load, publish, begin = lobby.options_and_deck, TableSession.publish, TableSession.begin

        def loaded(package, top, seats, library):
            options, deck = load(package, top, seats, library)
            return options, marked(deck)

        def published(session, position, entry):
            publish(session, position, entry)
            self.everybody |= shown(see(position.state, None))
            for seat in range(len(position.since)):
                self.seats.setdefault((session.setup.id, seat), set()).update(shown(see(position.state, seat)))

        def begun(session, setup, seed, body):
            begin(session, setup, seed, body)
            self.seeds.add(seed.hex())

        patch.setattr(lobby, "options_and_deck", loaded)
        patch.setattr(TableSession, "publish", published)
        patch.setattr(TableSession, "begin", begun)


class Found:
    """What came of it."""

    def __init__(self):
        self.lost = self.foreign = self.leaks = self.changes = self.moves = self.taps = self.heard = 0
        self.waits, self.paused = [], 0.0

    def told(self):
        waits = sorted(self.waits)
        return (
            f"{self.changes} drops, reloads and changes of phone: {self.lost} seats lost, {self.foreign} foreign hands;"
            f" {self.heard} pictures of teacher, wall and screens: {self.leaks} with a secret;"
            f" {self.moves} moves, from press to answer {1e3 * waits[len(waits) // 2]:.0f} ms median,"
            f" {1e3 * waits[len(waits) * 99 // 100]:.0f} ms p99; paused everywhere after {1e3 * self.paused:.0f} ms;"
            f" the teacher pressed {self.taps} times"
        )


class Phone:
    """A pupil with a strip, and whatever phone they hold just now."""

    def __init__(self, number, strip, dice):
        self.number, self.strip, self.dice = number, strip, dice
        self.jar, self.task = {}, None
        self.there, self.paused = asyncio.Event(), asyncio.Event()

    def open(self, lesson, kind):
        self.there.clear()
        task = self.task = asyncio.create_task(self._play(lesson, kind))
        return task

    async def close(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def change(self, lesson, kind):
        """The line breaks, the page is loaded anew, or the strip is scanned with another phone: back within `LONG`."""
        await self.close()
        lesson.found.changes += 1
        task = self.open(lesson, kind)
        waiting = asyncio.create_task(self.there.wait())
        done, _ = await asyncio.wait((waiting, task), timeout=LONG, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if task in done:
            task.result()
        lesson.found.lost += not done

    async def _play(self, lesson, kind):
        """Come back, and play whenever it is one's turn, until the line breaks."""
        site, found = lesson.site, lesson.found
        async with site.browser() as browser:
            if kind == "phone":
                assert (await browser.post("/join", data={"code": self.strip})).status_code == 303
            else:
                for name, value in self.jar.items():
                    browser.cookies.set(name, value, domain="127.0.0.1")
            table, seat = await lesson.seat(self.number)
            if kind != "drop" or not self.jar:
                address = (await browser.get(f"{lesson.url}/seat")).headers["location"]
                found.lost += not address.endswith(f"/t/{table.id}")
                self._look(lesson, (await browser.get(address)).text, table, seat)
            self.jar = dict(browser.cookies)
            with contextlib.suppress(ConnectionClosed):
                async with site.line(f"/t/{table.id}", browser) as line:
                    while True:
                        message = await line.receive(600)
                        if "html" in message:
                            self._look(lesson, message["html"], table, seat)
                            self.there.set()
                        while seat in table.to_act and table.result is None:
                            await self._move(lesson, line, table, seat)
                            self._look(lesson, line.page["html"], table, seat)

    async def _move(self, lesson, line, table, seat):
        legal = table.legal(seat)
        slow = [one for one in legal if type(one).__name__ in SLOW]
        few = len(getattr(table.view(seat).own, "hand", ())) < FEW
        action = self.dice.choice(slow if slow and (few or self.dice.random() < 0.5) else legal)
        await asyncio.sleep(lesson.pace * self.dice.random())
        if action not in table.legal(seat):
            return
        sent = time.perf_counter()
        answer = await line.do("move", [["question", str(table.question(seat))], ["action", encode(action)]])
        if answer["ok"]:
            lesson.found.waits.append(time.perf_counter() - sent)
            lesson.found.moves += 1

    def _look(self, lesson, page, table, seat):
        """Nothing of it is another's, and while one plays one's own hand is there."""
        if 'warn paused"' in page:
            self.paused.set()
        lesson.found.foreign += bool(marks(page) - lesson.eyes.seats[table.id, seat])
        if table.setup.stage == "playing" and lesson.game == GAMES[0]:
            lesson.found.lost += not HAND.search(page)


class WholeLesson:
    """A class, its pupils, and a server that may be another one after a while."""

    def __init__(self, eyes, pupils, game, *, pace, seed):
        self.eyes, self.pupils, self.game, self.pace, self.dice = eyes, pupils, game, pace, random.Random(seed)
        self.found, self.url, self.phones, self.jar = Found(), "", [], {}

    async def seat(self, number):
        """The table and the seat of a pupil, as the class and the table itself know them."""
        room = await self.site.services.classes.get(self.url.rpartition("/")[2])
        table = await self.site.services.host.table(room.table_of(number))
        key = key_of(self.site.services.class_keys.pupil_key(room, number))
        return table, next(seat for seat, chair in enumerate(table.setup.chairs) if chair.key == key)

    async def press(self, path, **fields):
        """What the teacher presses."""
        self.found.taps += 1
        answer = await self.teacher.post(path, data=fields)
        assert answer.status_code == 303, answer.text[:400]
        return answer.headers["location"]

    async def tables(self):
        room = await self.site.services.classes.get(self.url.rpartition("/")[2])
        return [await self.site.services.host.table(one.id) for one in room.tables]

    @contextlib.asynccontextmanager
    async def running(self, folder):
        """The server runs, the teacher looks at the class, the wall and some screens hang there."""
        async with served(folder, pause=lambda: 0.0) as site, site.browser() as teacher:
            self.site, self.teacher = site, teacher
            for name, value in self.jar.items():
                teacher.cookies.set(name, value, domain="127.0.0.1")
            looking = []
            try:
                yield looking
            finally:
                self.jar = dict(teacher.cookies)
                for task in looking:
                    task.cancel()
                await asyncio.gather(*looking, return_exceptions=True)

    async def look(self, url, screen):
        with contextlib.suppress(ConnectionClosed):
            async with self.site.line(url, self.teacher, screen=screen) as line:
                while True:
                    message = await line.receive(600)
                    if (html := message.get("html")) is not None:
                        self.found.heard += 1
                        leaked = marks(html) - self.eyes.everybody or any(one in html for one in self.eyes.seeds)
                        self.found.leaks += bool(leaked)

    async def first_half(self, folder, changes):
        async with self.running(folder) as looking:
            self.url = await self.press("/class/new", **PLAN, game=self.game, strips=str(self.pupils))
            strips = ["".join(one) for one in CODES.findall((await self.teacher.get(f"{self.url}/strips")).text)]
            assert len(strips) == self.pupils
            looking += [asyncio.create_task(self.look(self.url, screen)) for screen in ("lead", "wall")]
            for number, strip in enumerate(strips, 1):
                phone = Phone(number, strip, random.Random(number))
                async with self.site.browser() as browser:
                    await browser.post("/join", data={"code": strip})
                    phone.jar = dict(browser.cookies)
                self.phones.append(phone)
            await self.press(f"{self.url}/deal", way="random", dealt="")
            await self.come_and_go(looking, changes)
            await self._pause()

    async def come_and_go(self, looking, changes):
        """All phones are there; so many times one of them is lost and comes back, some at the same time."""
        tables = await self.tables()
        looking += [asyncio.create_task(self.look(f"/t/{tables[n % len(tables)].id}", True)) for n in range(SCREENS)]
        for phone in self.phones:
            phone.open(self, "reload")
        await asyncio.gather(*(asyncio.wait_for(phone.there.wait(), LONG) for phone in self.phones))
        left = changes
        while left:
            some = self.dice.sample(self.phones, min(4, left, len(self.phones)))
            await asyncio.gather(*(phone.change(self, self.dice.choice(KINDS)) for phone in some))
            left -= len(some)

    async def _pause(self):
        pressed = time.perf_counter()
        await self.press(f"{self.url}/pause")
        paused = {table.id for table in await self.tables() if table.setup.paused}  # the others are over
        there = [phone for phone in self.phones if (await self.seat(phone.number))[0].id in paused]
        await asyncio.gather(*(asyncio.wait_for(phone.paused.wait(), LONG) for phone in there))
        self.found.paused = time.perf_counter() - pressed
        await self.press(f"{self.url}/resume")

    async def second_half(self, folder, changes):
        async with self.running(folder) as looking:
            looking += [asyncio.create_task(self.look(self.url, screen)) for screen in ("lead", "wall")]
            await self.come_and_go(looking, changes)
            await self.press(f"{self.url}/last")
            tables = await self.tables()
            await asyncio.gather(*(self.over(table) for table in tables))
            self.found.taps += 1
            assert (await self.teacher.get(f"{self.url}/debrief")).status_code == 200
            await self.leave()

    async def over(self, table):
        with self.site.services.host.hub.listen(table.id) as news:
            async with asyncio.timeout(LONG):
                while table.setup.stage == "playing":
                    await news.wait()

    async def leave(self):
        await asyncio.gather(*(phone.close() for phone in self.phones))


async def whole_lesson(folder, patch, pupils, changes, *, game=GAMES[0], pace=0.3, seed=16):
    """What comes of a lesson with so many pupils and changes, with a stop of the server in the middle."""
    lesson = WholeLesson(Eyes(patch), pupils, game, pace=pace, seed=seed)
    await lesson.first_half(folder, changes // 2)
    await lesson.leave()
    await lesson.second_half(folder, changes - changes // 2)
    return lesson.found


def main(pupils="28", changes="280", lessons="1"):
    wrong = 0
    for n in range(int(lessons)):
        with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
            whole = whole_lesson(Path(folder), patch, int(pupils), int(changes), game=GAMES[n % len(GAMES)], seed=n)
            found = asyncio.run(whole)
        print(f"{n + 1}, {GAMES[n % len(GAMES)]}: {found.told()}", flush=True)
        wrong += found.lost + found.foreign + found.leaks
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
