"""Listeners are woken once for simultaneous changes, at the time they choose."""

import asyncio
import contextlib
import math
import time

import pytest

from spieltisch.table import wake
from spieltisch.table.wake import FRAME, Hub

pytestmark = pytest.mark.anyio


class Page:
    """Looks at a table when it is told to; it may wait `rest` seconds."""

    def __init__(self, rest=0.0):
        self.due, self.rest = math.inf, rest
        self.looks, self._looked = 0, asyncio.Event()

    def soon(self):
        return self.rest

    def look(self):
        self.looks += 1
        self._looked.set()

    async def told(self, seconds=60):
        async with asyncio.timeout(seconds):
            await self._looked.wait()
        self._looked.clear()


async def test_what_happens_within_a_frame_is_one_wake_up():
    hub, page = Hub(), Page()
    with hub.watch("T", page), hub.listen("T") as prompt:
        for seq in (1, 2, 3):
            hub.wake("T", seq)
        async with asyncio.timeout(60):
            assert await prompt.wait() == 3
        await page.told()
        with pytest.raises(TimeoutError):
            await page.told(3 * FRAME)
        assert page.looks == 1


async def test_the_first_news_after_a_while_are_told_at_once(monkeypatch):
    """Together with the news of the process at work; later news are bundled."""
    monkeypatch.setattr(wake, "FRAME", 3600.0)
    hub, page = Hub(), Page()
    with hub.watch("T", page):
        hub.wake("T", 1)
        assert page.looks == 0
        await page.told()
        for seq in (2, 3):
            hub.wake("T", seq)
            await asyncio.sleep(0.01)
        assert page.looks == 1


async def test_many_who_look_leave_time_for_others(monkeypatch):
    """They look in several frames, and all of them get their turn."""
    monkeypatch.setattr(wake, "AT_ONCE", 0.0)
    hub, pages = Hub(), [Page() for _ in range(5)]
    with contextlib.ExitStack() as stack:
        for page in pages:
            stack.enter_context(hub.watch("T", page))
        hub.wake("T", 1)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert sum(page.looks for page in pages) == 1
        for page in pages:
            await page.told()


async def test_who_can_wait_is_told_later_and_sooner_if_something_urgent_comes():
    hub, page = Hub(), Page(rest=1000.0)
    with hub.watch("T", page):
        hub.wake("T", 1)
        with pytest.raises(TimeoutError):
            await page.told(3 * FRAME)
        page.rest = 0.0
        hub.wake("T", 2)
        await page.told()


async def test_who_waits_is_told_when_its_time_is_up():
    hub, page = Hub(), Page(rest=4 * FRAME)
    with hub.watch("T", page):
        begun = asyncio.get_running_loop().time()
        hub.wake("T", 1)
        await page.told()
        assert asyncio.get_running_loop().time() - begun > 3 * FRAME


async def test_who_rests_hears_of_nothing_that_was_before():
    hub, page = Hub(), Page()
    with hub.watch("T", page):
        hub.wake("T", 1)
        hub.rest(page)
        with pytest.raises(TimeoutError):
            await page.told(3 * FRAME)
        hub.wake("T", 2)
        await page.told()


async def test_who_has_gone_is_told_nothing():
    hub, page = Hub(), Page()
    with hub.watch("T", page):
        assert hub.listening("T")
        hub.wake("T", 1)
    assert not hub.listening("T")
    with pytest.raises(TimeoutError):
        await page.told(3 * FRAME)


async def test_a_process_that_does_not_keep_up_knows_it():
    """It measures how late it wakes its listeners, and recovers."""
    hub, page = Hub(), Page()
    with hub.watch("T", page):
        assert hub.late == 0.0
        hub.wake("T", 1)
        busy = asyncio.get_running_loop().time() + 0.2
        while asyncio.get_running_loop().time() < busy:
            pass
        await page.told()
        late = hub.late
        assert late > 0.02
        async with asyncio.timeout(60):
            while hub.late > late / 2:
                hub.wake("T", 2)
                await page.told()


def test_a_frame_that_is_past_when_it_is_planned_comes_all_the_same():
    """The server's own loop makes no timer of what is due already; once, that ended all wake-ups of a process."""
    uvloop = pytest.importorskip("uvloop")

    async def evening():
        hub = Hub()

        class Slow(Page):
            def soon(self):
                for _ in range(3):  # others get their turn, and the loop looks at its clock
                    time.sleep(FRAME)
                    asyncio.get_running_loop().call_later(0.001, int).cancel()
                return FRAME / 2

        page = Slow()
        with hub.watch("T", page):
            for seq in (1, 2, 3):
                hub.wake("T", seq)
                await page.told()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(evening())
