"""Looks again and again for what others may have written."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from spieltisch.table.store import Unsaved

log = logging.getLogger(__name__)


async def poll(look: Callable[[], Awaitable[None]], asked: asyncio.Event, seconds: float, trouble: str) -> None:
    """Look every so many seconds, or as soon as somebody has `asked`, until it is cancelled. Errors are logged as
    `trouble` and do not end it.
    """
    while True:
        asked.clear()  # before the look: a request during it may concern what the look has passed
        try:
            await look()
        except Unsaved:  # the store has reported it
            pass
        except Exception:
            log.exception(trouble)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asked.wait()
