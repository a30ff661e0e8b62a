"""A class looks back on its games together, on the projector."""

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from spieltisch.web.commands.debrief import games_of
from spieltisch.web.http.responses import page
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.routes.classes import require_teacher


@get("/class/{code:str}/debrief", name="class-debrief")
async def debrief(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Response[Any]:
    """The slides, for who leads the class. Illegal while a game of the lesson runs."""
    room = await services.classroom(code, client)
    require_teacher(services, client, room)
    html = services.past.debrief(room, await games_of(services, room), client.tr)
    return page(html, cache_control="no-store")


HANDLERS = [debrief]
