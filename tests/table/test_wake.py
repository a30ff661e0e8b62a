"""Who listens is woken once for what happens together, and when they say."""

import asyncio
import time

import pytest

from spieltisch.table.wake import FRAME, Hub

pytestmark = pytest.mark.anyio


async def woken(news):
    async with asyncio.timeout(10):
        return await news.wait()


async def test_what_happens_within_a_frame_is_one_wake_up():
    hub = Hub()
    with hub.listen("T", lambda: 0.0) as patient, hub.listen("T") as prompt:
        for seq in (1, 2, 3):
            hub.wake("T", seq)
        assert await woken(prompt) == 3
        assert await woken(patient) == 3
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(patient.wait(), 3 * FRAME)


async def test_who_can_wait_is_woken_later_and_sooner_if_something_urgent_comes():
    hub, rest = Hub(), [1000.0]
    with hub.listen("T", lambda: rest[0]) as news:
        hub.wake("T", 1)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(news.wait(), 3 * FRAME)
        rest[0] = 0.0
        hub.wake("T", 2)
        assert await woken(news) == 2


async def test_who_rests_hears_of_nothing_that_was_before():
    hub = Hub()
    with hub.listen("T", lambda: 0.0) as news:
        hub.wake("T", 1)
        news.rest()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(news.wait(), 3 * FRAME)
        hub.wake("T", 2)
        assert await woken(news) == 2


async def test_a_process_that_does_not_keep_up_knows_it():
    """By how late it wakes those who listen; and it recovers."""
    hub = Hub()
    with hub.listen("T", lambda: 0.0) as news:
        assert hub.late == 0.0
        hub.wake("T", 1)
        busy = asyncio.get_running_loop().time() + 0.2
        while asyncio.get_running_loop().time() < busy:
            pass
        await woken(news)
        late = hub.late
        assert late > 0.02
        for seq in range(2, 40):
            hub.wake("T", seq)
            await woken(news)
        assert hub.late < late


def test_a_frame_that_is_past_when_it_is_planned_comes_all_the_same():
    """The server's own loop makes no timer of what is due already; once, that ended all wake-ups of a process."""
    uvloop = pytest.importorskip("uvloop")

    async def evening():
        hub = Hub()

        def slow():
            for _ in range(3):  # others get their turn, and the loop looks at its clock
                time.sleep(FRAME)
                asyncio.get_running_loop().call_later(0.001, int).cancel()
            return 0.0

        with hub.listen("T", slow) as news:
            for seq in (1, 2, 3):
                hub.wake("T", seq)
                assert await woken(news) == seq

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(evening())


async def test_who_looks_looks_at_once():
    hub = Hub()
    with hub.listen("T", lambda: 1000.0) as news:
        hub.wake("T", 1)
        news.look()
        assert await woken(news) == 1
