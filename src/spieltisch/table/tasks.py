"""How tasks end that go on until they are cancelled."""

import asyncio
from collections.abc import Iterable
from typing import Any

GOODBYE = 1.0  # seconds that a task has for its goodbyes


async def end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel these tasks, and wait until they have ended, however they do. Whoever has not after a while is cancelled
    again: a cancellation can be lost, by `asyncio.wait_for` before Python 3.12, or where another error comes of it.
    """
    left = {*tasks}
    while left:
        for task in left:
            task.cancel()
        done, left = await asyncio.wait(left, timeout=GOODBYE)
        await asyncio.gather(*done, return_exceptions=True)  # which were told of elsewhere
