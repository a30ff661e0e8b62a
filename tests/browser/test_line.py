"""A line that dies without a word, an answer that is lost, a tunnel: told once, and no move is lost or doubled."""

import asyncio
import re
import time

import pytest

from browser import checks
from browser.play import MINDS, Person, quick_start
from spieltisch.table.log import read_entry
from spieltisch.web.wire import frames, plain
from web.silence import Silence
from web.site import quick_only, served

GAME = "anno-domini"
TOLD = """() => {
  window.told = [];
  new MutationObserver((all) => all.forEach(({ addedNodes }) =>
    addedNodes.forEach((one) => window.told.push(one.textContent)))).observe(
    document.getElementById('alarm'), { childList: true, subtree: true, characterData: true });
}"""
WORDS = "Verbindung unterbrochen. Dein Zug bleibt erhalten."
WAITS = "Dein Zug wartet auf das Netz. Du kannst weiterlesen."


class Evening:
    """Ada, whose line goes over a relay that can go silent, and Ben; the server's clock can be put on by `later`."""

    def __init__(self):
        self.later = 0.0
        self.found = []

    def clock(self):
        return time.time() + self.later

    async def begin(self, site, relay, mine, other):
        self.site, self.relay, self.page, self.other = site, relay, mine, other
        self.ada, self.ben = Person(mine, touch=True), Person(other, touch=False)
        await mine.clock.install()
        self.code = await quick_start(self.ada, GAME, "Ada", (self.ben, "Ben"))
        self.table = await site.services.host.table(self.code)
        await mine.evaluate(TOLD)

    async def made(self):
        """How many moves of Ada are in the log."""
        store = self.site.services.host.store
        while len(log := [read_entry(body) for body in await store.log(self.code)]) != self.table.seq:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        return sum(entry.seat == 0 and entry.by == "seat" for entry in log)

    async def my_turn(self):
        while self.table.to_act != (0,):
            await self.ben.turn(MINDS[GAME])
        question = str(self.table.question(0))
        await self.page.wait_for_function(
            "(n) => document.querySelector('#move [name=question]').value === n", arg=question
        )
        return await self.made()

    async def back(self):
        """Time goes by, in steps in which something can come over the line, until the line is back."""
        for step in range(80):
            if not await self.page.locator("#line").count():
                return
            await self.page.clock.fast_forward(1000)
            await asyncio.sleep(0.1 if step < 20 else 0.5)  # a busy machine needs longer for what comes
        pytest.fail("the line does not come back")

    async def silence(self):
        """The page asks after 10 s, and says after 5 s more that the line is gone. A move is kept meanwhile."""
        page, before = self.page, await self.my_turn()
        self.relay.silent = True
        await page.clock.fast_forward(10_000)
        await asyncio.sleep(0.1)
        assert await page.locator("#line").count() == 0
        await page.clock.fast_forward(5_000)
        assert await page.locator("[role=alert] #line").text_content() == WORDS
        self.found += await checks.everything(page, "line", (320, 390, 1280))
        move = asyncio.create_task(self.ada.turn(MINDS[GAME]))
        await page.locator("[aria-busy=true]").wait_for(state="attached")
        self.found += await checks.axe(page)
        assert await page.locator("#dock .turn > b").text_content() == WAITS
        assert await self.made() == before
        self.relay.silent = False
        await self.back()
        await move
        assert await self.made() == before + 1
        assert await page.locator("[aria-busy]").count() == 0
        assert await page.locator("#dock .turn > b").text_content() != WAITS

    async def lost_answer(self):
        """The server gets the move, its answer is lost: the same is sent again, and is no second one."""
        before = await self.my_turn()
        self.relay.mute = True
        move = asyncio.create_task(self.ada.turn(MINDS[GAME]))
        async with asyncio.timeout(60):
            while await self.made() == before:  # noqa: ASYNC110 - as it is on disk
                await asyncio.sleep(0.02)
        await self.page.clock.fast_forward(5_000)
        await self.page.locator("#line").wait_for()
        self.relay.mute = False
        await self.back()
        await move
        assert await self.made() == before + 1

    async def restarted(self, monkeypatch):
        """A server that stops says when to come back. The page comes then, or as soon as somebody presses something."""
        hub, before = self.site.services.host.hub, await self.my_turn()
        for way in (frames, plain):
            monkeypatch.setattr(way, "come_back", lambda pages: 4.0)

        def mine():
            return [page for page in hub._watchers.get(self.code, ()) if page._viewer.seat == 0]

        async def stop():
            for page in mine():  # with sockets that were left for dead
                page._line.shutdown()
            async with asyncio.timeout(60):
                while mine():  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
            await self.page.clock.fast_forward(3_500)
            await asyncio.sleep(0.2)
            assert not mine()

        await stop()
        await self.page.locator("#line").wait_for()
        async with asyncio.timeout(60):
            while await self.made() == before:
                await self.ada.turn(MINDS[GAME])  # which may be a reveal that is to be closed first
        assert (await self.made(), len(mine())) == (before + 1, 1)
        await self.page.locator("#line").wait_for(state="detached")
        await stop()
        await self.page.clock.fast_forward(1_000)
        await self.page.locator("#line").wait_for(state="detached")

    async def tunnel(self):
        """The browser says itself that it is offline, and that it is not."""
        await self.page.context.set_offline(True)
        await self.page.locator("#line").wait_for()
        await self.ben.turn(MINDS[GAME])
        await self.page.context.set_offline(False)
        await self.page.locator("#line").wait_for(state="detached")

    async def alone(self):
        """Ben leaves: others learn of it, the page alone counts the minutes, and a bot is offered for him."""
        while self.table.to_act != (1,):
            await self.ada.turn(MINDS[GAME])
        await self.other.close()
        async with asyncio.timeout(60):
            while self.site.services.presence.next_change(self.table.setup) is None:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.02)
        self.later = 65
        self.site.services.host.hub.wake(self.code, 0)
        gone = self.page.locator(".seat.gone [data-away]")
        await gone.filter(has_text="seit 1 min weg").wait_for()
        assert await self.page.locator(".botoffer b").text_content() == "Ben ist seit 1 min weg."
        self.found += await checks.everything(self.page, "away", (320, 390, 1280))
        await self.page.clock.fast_forward(65_000 + 120_000)  # so far behind the server's is the page's clock
        minutes = int(re.fullmatch(r"seit (\d+) min weg", await gone.text_content())[1])
        assert 3 <= minutes <= 6  # the page's clock also ran while it was looked at
        await self.page.get_by_role("button", name="Bot für Ben").tap()
        await self.page.locator(".botoffer").wait_for(state="detached")
        assert self.table.setup.chairs[1].away


@quick_only  # its sockets are ended as the quick way ends them
async def test_a_dead_line_is_told_once_and_nothing_is_lost_or_doubled(tmp_path, visit, monkeypatch):
    evening = Evening()
    async with (
        served(tmp_path, pause=lambda: 60.0, clock=evening.clock) as site,
        Silence(site.port) as relay,
        visit(relay.origin, phone=True, lang="de") as page,
        visit(site.origin) as other,
    ):
        page.watch.expects = ("WebSocket", "ERR_INTERNET_DISCONNECTED")
        await evening.begin(site, relay, page, other)
        await evening.silence()
        await evening.lost_answer()
        await evening.restarted(monkeypatch)
        await evening.tunnel()
        told = await page.evaluate("window.told")
        assert told == [WORDS] * 5, told
        await evening.alone()
        assert not evening.found, "\n".join(evening.found)
