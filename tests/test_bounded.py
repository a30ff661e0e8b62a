"""Work in a process of its own: what it returns and raises comes back, what takes too much ends."""

import asyncio
import os
import subprocess
import sys
import time

import pytest

import greedy
from spieltisch.bounded import LOWERED, TooMuchError, Worker, apart, within
from spieltisch.game import Invalid

pytestmark = pytest.mark.anyio


async def test_what_it_returns_and_raises_comes_back():
    assert await within(30, divmod, 17, 5) == (3, 2)
    with pytest.raises(Invalid) as refused:
        await within(30, greedy.work, "spoon")
    assert str(refused.value) == "there is no spoon"


async def test_what_it_returns_and_raises_apart_comes_back():
    assert await apart(divmod, 17, 5) == (3, 2)
    with pytest.raises(ZeroDivisionError):
        await apart(divmod, 17, 0)
    with pytest.raises(RuntimeError, match="StopIteration"):  # which a future cannot hold
        await apart(next, iter(()))
    with pytest.raises(RuntimeError, match="SystemExit"):
        await apart(sys.exit, "bye")


def test_a_program_ends_without_what_never_ends_apart():
    program = """
import asyncio
from spieltisch.bounded import TooMuchError, apart

def forever():
    while True:
        pass

async def main():
    try:
        await apart(forever, seconds=0.1)
    except TooMuchError:
        asyncio.create_task(apart(forever))  # still thinks when the program ends
        await asyncio.sleep(0.1)

asyncio.run(main())
print("left")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert ran.stdout == "left\n"


async def test_what_it_tells_while_it_works_is_heard():
    heard = []
    assert await within(30, greedy.count, 3, hear=heard.append) == "counted"
    assert heard == [1, 2, 3]
    with pytest.raises(TooMuchError):  # telling buys no time
        await within(0.7, greedy.count, 10**6, hear=heard.append)


@pytest.mark.parametrize(("kind", "seconds"), [("time", 0.5), ("memory", 30), ("dies", 30)])
async def test_what_takes_too_much_ends(kind, seconds):
    begun = time.monotonic()
    with pytest.raises(TooMuchError):
        await within(seconds, greedy.work, kind)
    assert time.monotonic() - begun < 25


def test_what_nobody_waits_for_any_more_ends():
    async def left():
        task = asyncio.create_task(within(60, greedy.work, "time"))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    begun = time.monotonic()
    asyncio.run(left())  # which at its end waits for its threads, as a server that stops
    assert time.monotonic() - begun < 20


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other priorities")
async def test_a_process_yields_to_the_server_once_it_has_loaded_and_not_where_a_page_waits():
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for worker, later in ((Worker(urgent=True), own), (Worker(), max(own, LOWERED)), (Worker(limited=True), LOWERED)):
        try:
            asked = [await worker.do(os.getpriority, os.PRIO_PROCESS, 0) for _ in range(3)]
            assert asked == [own, max(own, later), max(own, later)]
        finally:
            worker.end()
    assert await within(30, os.getpriority, os.PRIO_PROCESS, 0) == max(own, LOWERED)
