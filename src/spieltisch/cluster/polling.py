"""Looks at what others may have written, again and again."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from spieltisch.table.store import Unsaved

log = logging.getLogger(__name__)


async def poll(look: Callable[[], Awaitable[None]], asked: asyncio.Event, seconds: float, trouble: str) -> None:
    """Look, and again so many seconds later, or as soon as somebody has `asked`; until it is cancelled. What goes wrong
    is logged as `trouble`, and ends nothing.
    """
    while True:
        asked.clear()  # first: who asks during a look may mean what it has passed by
        try:
            await look()
        except Unsaved:  # the store has told it
            pass
        except Exception:
            log.exception(trouble)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asked.wait()
