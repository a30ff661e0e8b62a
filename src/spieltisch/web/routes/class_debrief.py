"""A class looks back on its games together, on the projector."""

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from spieltisch.game import Refused
from spieltisch.web.commands.debrief import games_of
from spieltisch.web.http.problems import status_of
from spieltisch.web.http.responses import page
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.routes.classes import require_teacher, show_class


@get("/class/{code:str}/debrief", name="class-debrief")
async def debrief(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Response[Any]:
    """The slides, for who leads the class. Illegal while a game of the lesson runs: people are at their class then."""
    room = await services.classroom(code, client)
    require_teacher(services, client, room)
    try:
        games = await games_of(services, room)
    except Refused as error:
        if client.is_program:
            raise
        return await show_class(services, client, room, status_of(error), client.tr.refusal(error))
    return page(services.past.debrief(room, games, client.tr), cache_control="no-store")


HANDLERS = [debrief]
