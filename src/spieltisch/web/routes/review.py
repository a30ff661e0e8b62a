"""Looking back at a finished game: what its analysis or its bots say of the moves, and what a seat missed, to be
learned with Anki.
"""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from spieltisch.decks.exporting import anki
from spieltisch.game import Illegal, Refused
from spieltisch.table.analysis import Unknown
from spieltisch.table.replay import Replay
from spieltisch.table.table import Table
from spieltisch.web.http.forms import is_number
from spieltisch.web.http.problems import Forbidden
from spieltisch.web.http.responses import attachment, page
from spieltisch.web.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.services import Services
from spieltisch.web.view import past
from spieltisch.web.view.catalog import title
from spieltisch.web.view.viewer import viewer_of

EVENING = 12  # games of a row of rematches that are looked back at


@get("/t/{code:str}/review", name="review")
async def review(
    services: ServicesHere, client: ClientHere, table: TableHere, move: Annotated[str, QueryParameter()] = ""
) -> Response[Any]:
    """The review of a finished game; like its replay it needs no seat, and there is none before the end. `move`: the
    one that is looked at, in games whose moves are looked at one by one. Illegal where the game has no review.
    """
    if not table.package.page.review_title:
        raise Illegal("This game has no review.")
    game = await services.host.replay(table.id)
    thoughts = await _thoughts(services, table, game)
    known = not isinstance(thoughts, Unknown)
    status = 200 if known else 202
    if client.wants_json:
        return Response({"thoughts": thoughts if known else None}, status_code=status)
    viewer = viewer_of(services.actor(client, table.id), table)
    evening = [game, *await _before(services, table)] if known else []
    number = (int(move) if is_number(move, 5) else 0) if move else None
    return page(services.past.review(table, evening, thoughts, viewer, number), status)


@get("/t/{code:str}/stories", name="stories")
async def stories(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[Any]:
    """Who is remembered for what after a finished game. Illegal where the game tells nothing of the kind."""
    if not table.package.page.has_stories:
        raise Illegal("Nothing is told of this game.")
    game = await services.host.replay(table.id)
    return page(services.past.stories(table, game, viewer_of(services.actor(client, table.id), table)))


@get("/t/{code:str}/picture.svg", name="picture")
async def picture(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[Any]:
    """How a finished game ended, as a picture for others. Illegal where the game tells nothing of the kind."""
    if not table.package.page.has_stories:
        raise Illegal("Nothing is told of this game.")
    drawn = services.past.picture(table, await services.host.replay(table.id), client)
    return Response(drawn.encode(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


async def _before(services: Services, table: Table) -> list[Replay]:
    """The games of the same kind that were played before this one in its evening, the last one first."""
    found: list[Replay] = []
    package = table.package
    while len(found) < EVENING - 1 and (before := table.setup.before):
        try:
            table = await services.host.table(before)
            if table.package is package:
                found.append(await services.host.replay(before))
        except Refused:
            break
    return found


async def _thoughts(services: Services, table: Table, game: Replay) -> Any:
    """What the game's analysis says of every move, Unknown as yet; without one what the bots thought at theirs."""
    if table.package.analysis.available:
        return await services.analysis.look_back(table.package, await services.host.record(table.id))
    seats = {entry.seat for entry in game.entries if entry.by == "bot" and entry.seat is not None}
    return past.bots_thoughts(table, game, {seat: await services.host.beliefs(table.id, seat) for seat in seats})


@get("/t/{code:str}/missed", name="missed")
async def missed(
    services: ServicesHere, client: ClientHere, table: TableHere, seat: Annotated[str, QueryParameter()] = ""
) -> Response[Any]:
    """What one's own seat, or one of several on this device, missed in a finished game, as a package for Anki; other
    games add to the same notes. Illegal where there is nothing to be learned, Forbidden for who has no such seat.
    """
    package = table.package
    if not package.page.has_missed:
        raise Illegal("In this game there is nothing to learn by heart.")
    mine = {str(own): own for own in services.actor(client, table.id).seats(table.setup)}
    if not mine or (seat and seat not in mine):
        raise Forbidden("You have no seat at this table.")
    own = mine[seat or next(iter(mine))]
    notes = past.missed(table, await services.host.replay(table.id), own, client.lang, client.terms)
    if not notes:
        raise Illegal("You missed nothing in this game.")
    name = package.translator(client.lang)._("{game}: missed").format(game=title(package))
    content = anki.packed(name, f"missed {package.name}", notes)
    return attachment(f"missed-{table.id}-{own + 1}.apkg", content, "application/octet-stream")


HANDLERS = [review, stories, picture, missed]
