"""What one address may take of the loop's time while others are there."""

import asyncio

import pytest

from spieltisch.web.core.http import queues
from spieltisch.web.core.http.queues import Shares

pytestmark = pytest.mark.anyio


class Time:
    """A clock that goes on only where somebody sleeps or works."""

    def __init__(self):
        self.now = self.worked = 0.0

    async def sleep(self, seconds):
        self.now += seconds
        await asyncio.sleep(0)

    def work(self, seconds):
        self.now += seconds
        self.worked += seconds


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def fair(time):
    return Shares(clock=lambda: time.now, spent=lambda: time.worked, sleep=time.sleep)


async def page(fair, time, who, seconds=0.02):
    """One request of this address, and when it was answered."""

    async def work():
        time.work(seconds)

    assert await fair.turn(who)
    await fair.do(who, work())
    return time.now


async def test_nobody_waits_alone(fair, time):
    for _ in range(50):
        await page(fair, time, "flood")
    assert time.now == time.worked  # nothing but work


async def test_a_flood_gets_half_of_the_time_while_another_address_is_there(fair, time):
    await page(fair, time, "other")
    begun, worked = time.now, time.worked
    await asyncio.gather(*(page(fair, time, "flood") for _ in range(50)))
    part = (time.worked - worked) / (time.now - begun)
    assert part == pytest.approx(queues.RATE, abs=0.05)


async def test_who_comes_between_waits_for_a_page_or_two(fair, time):
    """Twenty pages are asked for at once; one that another address asks for then is not the twenty-first."""
    await page(fair, time, "other")
    flood = [asyncio.create_task(page(fair, time, "flood")) for _ in range(20)]
    await asyncio.sleep(0)
    begun = time.now
    answered = await page(fair, time, "other")
    assert answered - begun < 0.1
    assert max(await asyncio.gather(*flood)) - begun > 0.4


async def test_an_address_is_there_for_a_minute_and_as_long_as_its_socket(fair, time):
    async def waited():
        before = time.now - time.worked
        for _ in range(5):
            await page(fair, time, "flood")
        return time.now - time.worked - before > 0.001

    await page(fair, time, "other")
    assert await waited()
    await time.sleep(queues.NEAR + 1)
    assert not await waited()
    with fair.socket("flood"):
        assert not await waited()
    with fair.socket("other"):
        assert await waited()
    assert not await waited()


async def test_whoever_waits_too_long_is_told(fair, time, monkeypatch):
    monkeypatch.setattr(queues, "PATIENCE", 0.0)
    await page(fair, time, "other")
    await page(fair, time, "flood", 10.0)
    assert not await fair.turn("flood")
    assert await fair.turn("other")


async def test_all_steps_of_a_request_are_counted_and_its_errors_reach_it(fair, time):
    async def work():
        time.work(1.0)
        try:
            await asyncio.wait_for(asyncio.Event().wait(), 0.001)
        except TimeoutError:
            time.work(1.0)
        raise LookupError

    await page(fair, time, "other")
    with pytest.raises(LookupError):
        await fair.do("flood", work())
    before = time.now - time.worked
    await page(fair, time, "flood")
    owed = 2.0 - 2.0 * queues.RATE  # while it worked, half of that time was its own
    assert time.now - time.worked - before == pytest.approx(owed / queues.RATE, rel=0.1)


async def test_what_is_cancelled_ends(fair):
    ended = asyncio.Event()

    async def work():
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.create_task(fair.do("somebody", work()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
