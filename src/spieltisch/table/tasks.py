"""How tasks end that go on until they are cancelled, and how long work lets others have their turn."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from typing import TypeVar

T = TypeVar("T")

GOODBYE = 1.0  # seconds that a task has for its goodbyes


async def end(tasks: Iterable[asyncio.Task[object]]) -> None:
    """Cancel these tasks, and wait until they have ended, however they do. Whoever has not after a while is cancelled
    again: a cancellation can be lost, by `asyncio.wait_for` before Python 3.12, or where another error comes of it.
    """
    left = {*tasks}
    while left:
        for task in left:
            task.cancel()
        done, left = await asyncio.wait(left, timeout=GOODBYE)
        await asyncio.gather(*done, return_exceptions=True)  # which were told of elsewhere


async def in_turns(several: Iterable[T]) -> AsyncGenerator[T]:
    """Each of them, with a turn for everybody else after each: the store of one file never waits, so a loop over all
    tables of a class would hold the event loop until its end.
    """
    for one in several:
        yield one
        await asyncio.sleep(0)
