"""Two hundred lines that break at random moments, also in the middle of an answer: no move is lost, none is doubled.

Each person does as the page's script does: comes back with what it has seen, sends again what was not answered.
"""

import contextlib
import json
import random

import msgspec
import pytest
import websockets

from spieltisch.table.log import read_entry
from spieltisch.web.core.http.actions import encode
from spieltisch.web.core.renderer import html_of
from spieltisch.web.core.view.viewer import Viewer
from spieltisch.web.table.inject import views_of
from web.site import playing, served

pytestmark = pytest.mark.anyio
BREAKS = 200


class Phone:
    """Somebody whose line breaks."""

    def __init__(self, site, url, browser, seat, dice):
        self.site, self.url, self.browser, self.seat, self.dice = site, url, browser, seat, dice
        self.line = None
        self.stack = contextlib.AsyncExitStack()
        self.seen = -1
        self.made = []  # the moves that were taken, in order
        self.breaks = 0

    async def connect(self):
        await self.stack.aclose()
        self.line = await self.stack.enter_async_context(self.site.line(self.url, self.browser, seen=self.seen))

    def cut(self):
        """Without a word, as in a tunnel."""
        self.seen = max(self.seen, self.line.page.get("seq", -1))
        self.line.ws.transport.abort()
        self.breaks += 1

    async def move(self, question, action):
        """Send it until there is an answer."""
        message = json.dumps({"id": 1, "to": "move", "fields": [["question", str(question)], ["action", action]]})
        for when in (
            self.dice.choice(["before", "sent", "heard", "never"]),
            self.dice.choice(["sent", "never"]),
            "never",
        ):
            if when == "before":
                self.cut()
                await self.connect()
            try:
                await self.line.ws.send(message)
                if when == "sent":
                    if self.dice.random() < 0.5:
                        await self.line.receive()  # in the middle: the picture has come, or the answer, but not both
                    self.cut()
                    await self.connect()
                    continue
                answer = await self.line.until(lambda m: m.get("id") == 1)
            except websockets.ConnectionClosed:
                await self.connect()
                continue
            assert answer["ok"], answer
            if not answer.get("moot"):
                self.made.append(action)
            if when == "heard":
                self.cut()
                await self.connect()
            return


async def test_two_hundred_broken_lines_lose_nothing_and_double_nothing(tmp_path):
    dice, breaks = random.Random(4), 0
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        while breaks < BREAKS:
            url, table = await playing(site, ada, ben)
            phones = [Phone(site, url, browser, seat, dice) for seat, browser in enumerate((ada, ben))]
            for phone in phones:
                await phone.connect()
            while table.result is None and breaks + sum(phone.breaks for phone in phones) < BREAKS:
                seat = dice.choice(table.to_act)
                await phones[seat].move(table.question(seat), encode(dice.choice(table.legal(seat))))
            breaks += sum(phone.breaks for phone in phones)

            log = [read_entry(body) for body in await site.services.host.store.log(table.id)]
            assert len(log) == table.seq
            for phone, browser in zip(phones, (ada, ben), strict=True):
                mine = [entry for entry in log if entry.seat == phone.seat]
                assert {entry.by for entry in mine} <= {"seat"}
                assert [msgspec.json.encode(entry.action).decode() for entry in mine] == phone.made
                # and who has come back sees what everybody sees who was never away
                phone.seen = -1
                await phone.connect()
                page = await phone.line.until(lambda m: "html" in m)
                lang = browser.headers["accept-language"]
                key = site.services.seat_cookies.key(browser.cookies, table.id)
                viewer = Viewer(phone.seat, lang, owner=phone.seat == 0, origin=site.origin, key=key)
                assert page["html"] == html_of(views_of(site.services).fragment(table, viewer))
                await phone.stack.aclose()
    assert breaks >= BREAKS
