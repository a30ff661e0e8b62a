"""All games of an evening on one page, by a link that needs no seat: who won, and the way to look back at each."""

from typing import Any

from litestar import Response, get

from spieltisch.table.evening import code_of
from spieltisch.web.http.responses import page
from spieltisch.web.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.view import outcome
from spieltisch.web.view.renderer import Html
from spieltisch.web.view.viewer import translator_for


@get("/t/{code:str}/evening", name="evening")
async def evening(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[Any]:
    """The games of the evening that this one belongs to, and how often everybody has won."""
    last = await services.newest(table)
    code, tr = code_of(last.id), translator_for(last, None, client.lang, client.terms)
    kept = {*await services.host.store.games(code), last.id}
    ended_early = [
        one.id
        for one in last.setup.evening
        if not one.winners and (setup := await services.host.store.setup(one.id)) and setup.stage == "closed"
    ]
    html = services.renderer.render(
        "evening.html",
        tr,
        heading=tr._("The evening at table {code}").format(code=code),
        url=Html(services.url(f"/t/{last.id}")),
        standings=outcome.standings(outcome.wins(last), tr),
        played=outcome.evening_so_far(last, tr),
        kept=kept,
        ended_early=ended_early,
        runs=last.result is None,
        number=last.setup.number,
        back=client.path,
    )
    return page(html)


HANDLERS = [evening]
