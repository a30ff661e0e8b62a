"""A class looks back on its games together: who leads it steps from slide to slide, and the wall follows."""

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from spieltisch.game import Refused
from spieltisch.web.commands.debrief import slides_of
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
        slides = await slides_of(services, room, client.tr)
    except Refused as error:
        if client.is_program:
            raise
        return await show_class(services, client, room, status_of(error), client.tr.refusal(error))
    return page(
        services.renderer.render("class-debrief.html", client.tr, room=room, slides=slides), cache_control="no-store"
    )


HANDLERS = [debrief]
