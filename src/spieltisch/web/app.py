"""The application: the routes, what runs beside them, and the security around it all."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator

from litestar import Litestar
from litestar.di import Provide
from litestar.types import ASGIApp

from spieltisch import games
from spieltisch.table.tasks import end
from spieltisch.web.admin import routes as admin
from spieltisch.web.classroom import inject as class_inject
from spieltisch.web.classroom import report_routes as class_report
from spieltisch.web.classroom import routes as classes
from spieltisch.web.classroom import socket as class_socket
from spieltisch.web.core import errors, inject
from spieltisch.web.core import static_files as static
from spieltisch.web.core.http.queues import OneAtATime
from spieltisch.web.core.http.security import BehindProxy, Security
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.brought import require_whole
from spieltisch.web.daily import routes as daily
from spieltisch.web.decks import editing as deck_editing
from spieltisch.web.decks import lab as deck_lab
from spieltisch.web.decks import routes as decks
from spieltisch.web.decks.laboratory import Laboratory
from spieltisch.web.home import deals, install, texts, tongues
from spieltisch.web.home import routes as home
from spieltisch.web.past import routes as past_pages
from spieltisch.web.past import socket as past_socket
from spieltisch.web.past import together
from spieltisch.web.past.views import PastViews, claims, mistakes
from spieltisch.web.practice import routes as practice
from spieltisch.web.sure import routes as sure
from spieltisch.web.table import api_description, feed, old_addresses, reminders, socket
from spieltisch.web.table import inject as table_inject
from spieltisch.web.table import routes as table
from spieltisch.web.table.old_addresses import OldAddresses

log = logging.getLogger(__name__)

BODY = 64 * 1024  # bytes of a request
RING = 5.0  # seconds
HOUR = 3600.0
DAY = 24 * HOUR
DOUBTFUL = 3 * DAY
LAST = 1.0  # seconds for what waits to be written when the server ends


def create(services: Services) -> ASGIApp:
    """The application. Its lifespan runs the bots and clocks, and forgets old tables."""
    require_whole(games.packages().values())  # not when the first page asks, which would hold the event loop for long
    return Application(services).secured()


ROOMS = (
    *(home, daily, practice, sure, deals, decks, deck_editing, deck_lab, admin, texts, tongues, static, install),
    *(api_description, table, feed, reminders, past_pages, together, past_socket, socket),
    *(class_report, classes, class_socket),
    old_addresses,
)


class Application:
    """The handlers, registered with the framework. That takes a third of a second, so tests let one application serve
    one site after the other.
    """

    def __init__(self, services: Services) -> None:
        self.turn_to(services)
        self._app = Litestar(
            route_handlers=[handler for room in ROOMS for handler in room.HANDLERS],
            exception_handlers=errors.error_handlers(lambda: self._services.renderer),
            dependencies=inject.dependencies(lambda: self._services)
            | {name: self._provide(name) for name in self._given}
            | {"room": Provide(class_inject.room_at)},
            lifespan=[self._running],
            request_max_body_size=BODY,
            openapi_config=None,  # `description` has what programs may use; the pages are for people
            logging_config=None,
            debug=False,
        )

    def _provide(self, name: str) -> Provide:
        return Provide(lambda: self._given[name], sync_to_thread=False)

    def turn_to(self, services: Services) -> None:
        """Serve these services from now on."""
        past = PastViews(services.renderer, services.fragments)
        # Its queue is its own: uploads never wait for it.
        self._laboratory = Laboratory(OneAtATime(at_once=1, waiting=3))
        self._services = services
        self._given = {
            **table_inject.given(services),
            **class_inject.given(services, past.debrief),
            "join_class": classes.join_by_code,
            "claims": claims,
            "mistakes": mistakes,
            "past": past,
            "laboratory": self._laboratory,
        }

    def secured(self) -> ASGIApp:
        """Return it with the security around it all."""
        services, settings = self._services, self._services.settings
        proxies = settings.proxies
        secured = Security(
            OldAddresses(self._app, services.base),
            services.base,
            services.limits,
            services.shares,
            services.metrics.request,
            services.holders.holder,
            trusted=bool(proxies),
            lan=settings.lan,
            origin=settings.origin,
        )
        return BehindProxy(secured, proxies) if proxies else secured

    @contextlib.asynccontextmanager
    async def _running(self, _app: Litestar) -> AsyncGenerator[None]:
        services, laboratory = self._services, self._laboratory
        tasks = [asyncio.create_task(run()) for run in services.beside]
        tasks += [asyncio.create_task(one(services)) for one in (forget, ring)]
        try:
            yield
        finally:
            services.stop()
            await end(tasks)
            services.analysis.close()
            laboratory.close()
            services.heavy.end()
            await services.host.stop(LAST)


async def ring(services: Services) -> None:
    """Every few seconds: the last round of a lesson begins where it is time."""
    while True:
        try:
            await services.classes.ring()
        except Exception:
            log.exception("cannot announce the last round")
        await asyncio.sleep(RING)


async def forget(services: Services) -> None:
    """Once an hour: finished tables and names go after some days.

    Where the clock is days ahead of all that has ever happened here, either nobody has played for long, or it is wrong:
    then a day passes before anything goes.
    """
    host = services.host
    newest = await host.store.newest()
    if newest is not None and host.clock() - newest > DOUBTFUL:
        await asyncio.sleep(DAY)
    while True:
        for what, forgotten in (  # tables last: that empties the journal, too
            ("classes", services.classes.forget),
            ("decks", services.forget_decks),
            ("tables", lambda: host.forget(host.clock() - services.settings.keep_days * DAY)),
        ):
            try:
                await forgotten()
            except Exception:
                log.exception("cannot delete old %s", what)
        await asyncio.sleep(HOUR)
