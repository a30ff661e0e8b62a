"""The application: the routes, what runs beside them, and the guard around it all."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator

from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ASGIApp

from spieltisch.game import Refused
from spieltisch.table.host import Host
from spieltisch.table.turns import TurnRunner
from spieltisch.web import (
    deals,
    deckmaking,
    deckpages,
    home,
    hostpages,
    lessons,
    live,
    problems,
    programs,
    replay,
    review,
    sources,
    tables,
    terms,
    ways,
)
from spieltisch.web.guard import Guard
from spieltisch.web.house import House, Settings

log = logging.getLogger(__name__)

BODY = 64 * 1024  # bytes of a request
HOUR = 3600.0
DAY = 24 * HOUR


def create(host: Host, settings: Settings) -> ASGIApp:
    """The application of one host's tables. Its lifespan runs the bots and clocks, and forgets old tables."""
    return around(House(host, settings))


def around(house: House) -> ASGIApp:
    """The application of this house."""

    @contextlib.asynccontextmanager
    async def beside(_app: Litestar) -> AsyncGenerator[None]:
        tasks = [asyncio.create_task(TurnRunner(house.host).run()), asyncio.create_task(forget(house))]
        try:
            yield
        finally:
            house.ending.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            house.counsel.end()
            await house.host.store.close()

    pages = (
        *(home, deals, deckpages, deckmaking, hostpages, sources, terms, programs, ways),
        *(tables, replay, review, lessons, live),
    )
    app = Litestar(
        route_handlers=[handler for page in pages for handler in page.HANDLERS],
        exception_handlers={Refused: problems.refused, Exception: problems.failed},
        lifespan=[beside],
        state=State({"house": house}),
        request_max_body_size=BODY,
        openapi_config=None,  # `programs` describes what programs may use; the pages are for people
        logging_config=None,
        debug=False,
    )
    return Guard(app, house.base, trusted=house.settings.trusted, limits=house.settings.limits)


async def forget(house: House) -> None:
    """Once an hour: finished tables and names go after some days."""
    while True:
        try:
            await house.host.forget(house.host.clock() - house.settings.keep_days * DAY)
        except Exception:
            log.exception("old tables could not be forgotten")
        await asyncio.sleep(HOUR)
