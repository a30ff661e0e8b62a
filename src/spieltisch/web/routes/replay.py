"""A finished game step by step, as a seat saw it then or with everything open; by a link that needs no seat."""

from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import QueryParameter

from spieltisch.game import Invalid
from spieltisch.web.http.forms import is_number
from spieltisch.web.http.responses import page
from spieltisch.web.inject import ClientHere, ServicesHere, TableHere


@get("/t/{code:str}/replay", name="replay")
async def replay(
    request: Request[Any, Any, Any],
    services: ServicesHere,
    client: ClientHere,
    table: TableHere,
    step: Annotated[str, QueryParameter()] = "1",
    seat: Annotated[str, QueryParameter()] = "",
) -> Response[Any]:
    """One step of a finished game. `seat`: as this seat saw it; without: all there is."""
    game = await services.host.replay(table.id)
    now = _number(step, 1, len(game), "This game has {last} steps: choose one from 1 to {last}.")
    viewpoint = _number(seat, 0, len(table.setup.chairs) - 1, "seat is a number from 0 to {last}.") if seat else None
    whole = request.headers.get("x-requested-with") != "fetch"  # by the page's script: what changes with a step
    return page(services.past.replay(game, now, viewpoint, client, whole=whole), vary="x-requested-with")


def _number(text: str, least: int, most: int, words: str) -> int:
    if is_number(text, 5) and least <= int(text) <= most:
        return int(text)
    raise Invalid(words, last=most)


HANDLERS = [replay]
