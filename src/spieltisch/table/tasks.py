"""How endless tasks are ended, and how long work gives way to others."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from typing import TypeVar

T = TypeVar("T")

GOODBYE = 1.0  # seconds that a task gets to clean up


async def end(tasks: Iterable[asyncio.Task[object]]) -> None:
    """Cancel these tasks and wait until they have ended. A task that has not ended after a while is cancelled again:
    `asyncio.wait_for` before Python 3.12 can lose a cancellation, and so can another error.
    """
    left = {*tasks}
    while left:
        for task in left:
            task.cancel()
        done, left = await asyncio.wait(left, timeout=GOODBYE)
        await asyncio.gather(*done, return_exceptions=True)  # their errors are reported elsewhere


async def in_turns(several: Iterable[T]) -> AsyncGenerator[T]:
    """Yield each item, and give way to other tasks after each. The store in a file never waits, so a loop over all
    tables of a class would block the event loop.
    """
    for one in several:
        yield one
        await asyncio.sleep(0)
