"""Pages of what is over: replay, review, stories, missed cards for Anki, the record; and first games with guidance.

A first game is scripted. Nothing is stored of it: its address says where the learner is.
"""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter, SkipValidation

from spieltisch import games
from spieltisch.bounded import aside
from spieltisch.decks.exporting import anki
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.i18n import N_
from spieltisch.package import Package
from spieltisch.table.analysis import Unknown
from spieltisch.table.host import Missing
from spieltisch.table.lesson import Lesson, lesson
from spieltisch.table.replay import Replay
from spieltisch.table.table import Table
from spieltisch.web.core.catalog import title
from spieltisch.web.core.http.actions import action_of_form
from spieltisch.web.core.http.client import HttpRequest
from spieltisch.web.core.http.forms import is_number, read_form
from spieltisch.web.core.http.problems import Forbidden, status_of
from spieltisch.web.core.http.responses import attachment, page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.viewer import translator_for, viewer_of
from spieltisch.web.past.views import LEARNER, PastViews, bots_thoughts, claimed
from spieltisch.web.past.views import missed as missed_cards

PastHere: TypeAlias = NamedDependency[SkipValidation[PastViews]]  # `app` provides it to a parameter `past`

EVENING = 12  # games of a row of rematches that are looked back at


@get("/t/{code:str}/replay", name="replay")
async def replay(
    request: HttpRequest,
    services: ServicesHere,
    past: PastHere,
    client: ClientHere,
    table: TableHere,
    step: Annotated[str, QueryParameter()] = "1",
    seat: Annotated[str, QueryParameter()] = "",
) -> Response[object]:
    """Show one step of a finished game: as this `seat` saw it, or everything. The link needs no seat."""
    game = await services.host.replay(table.id)
    now = _number(step, 1, len(game), "This game has {last} steps. Choose one from 1 to {last}.")
    last = len(table.setup.chairs) - 1
    viewpoint = _number(seat, 0, last, N_("seat must be a number from 0 to {last}.")) if seat else None
    whole = request.headers.get("x-requested-with") != "fetch"  # by the page's script: what changes with a step
    follow = table.setup.look is not None
    return page(past.replay(game, now, viewpoint, client, whole=whole, follow=follow), vary="x-requested-with")


def _number(text: str, least: int, most: int, words: str) -> int:
    if is_number(text, 5) and least <= int(text) <= most:
        return int(text)
    raise Invalid(words, last=most)


@get("/t/{code:str}/review", name="review")
async def review(
    services: ServicesHere,
    past: PastHere,
    client: ClientHere,
    table: TableHere,
    move: Annotated[str, QueryParameter()] = "",
) -> Response[object]:
    """Show the review of a finished game. It needs no seat. `move`: the one to look at, in games that are reviewed move
    by move. Raises Illegal if the game has no review.
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
    return page(past.review(table, evening, thoughts, viewer, number), status)


@get("/t/{code:str}/stories", name="stories")
async def stories(services: ServicesHere, past: PastHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Show the stories of a finished game. Raises Illegal if the game tells none."""
    if not table.package.page.has_stories:
        raise Illegal("There is nothing to tell about this game.")
    game = await services.host.replay(table.id)
    return page(past.stories(table, game, viewer_of(services.actor(client, table.id), table)))


@get("/t/{code:str}/claims", name="claims")
async def claims(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Tell what this browser's seat claimed in a finished game, right or wrong, one after the other; nothing of cards.
    Raises Forbidden without a seat.
    """
    actor = services.actor(client, table.id)
    seat = actor.own_seat(table.setup)
    return Response(claimed(table, await services.host.replay(table.id), seat, client.lang))


@get("/t/{code:str}/picture.svg", name="picture")
async def picture(services: ServicesHere, past: PastHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Send how a finished game ended, as a picture for others. Raises Illegal if the game tells no stories."""
    if not table.package.page.has_stories:
        raise Illegal("There is nothing to tell about this game.")
    drawn = past.picture(table, await services.host.replay(table.id), client)
    return Response(drawn.encode(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


async def _before(services: Services, table: Table) -> list[Replay]:
    """Return the earlier games of the same kind in this evening, the newest first."""
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


async def _thoughts(services: Services, table: Table, game: Replay) -> Sequence[object] | Unknown:
    """Return what the analysis says of every move (Unknown for now: not yet), or else what the bots thought
    at theirs.
    """
    if table.package.analysis.available:
        return await services.analysis.look_back(table.package, await services.host.record(table.id))
    seats = {entry.seat for entry in game.entries if entry.by == "bot" and entry.seat is not None}
    return bots_thoughts(table, game, {seat: await services.host.beliefs(table.id, seat) for seat in seats})


@get("/t/{code:str}/missed", name="missed")
async def missed(
    services: ServicesHere, client: ClientHere, table: TableHere, seat: Annotated[str, QueryParameter()] = ""
) -> Response[object]:
    """Send what one of this browser's seats missed in a finished game, as a package for Anki; later games add to the
    same notes. Raises Illegal if there is nothing to learn, Forbidden without such a seat.
    """
    package = table.package
    if not package.page.has_missed:
        raise Illegal("There is nothing to learn by heart in this game.")
    mine = {str(own): own for own in services.actor(client, table.id).seats(table.setup)}
    if not mine or (seat and seat not in mine):
        raise Forbidden("You have no seat at this table.")
    own = mine[seat or next(iter(mine))]
    notes = missed_cards(table, await services.host.replay(table.id), own, client.lang, client.terms)
    if not notes:
        raise Illegal("You missed nothing in this game.")
    tr = package.translator(client.lang)
    name = tr._("{game}: missed").format(game=title(package, tr))
    content = anki.packed(name, f"missed {package.name}", notes)
    return attachment(f"missed-{table.id}-{own + 1}.apkg", content, "application/octet-stream")


@get("/t/{code:str}/record", name="record")
async def record(services: ServicesHere, table: TableHere) -> Response[object]:
    """Send the record of a finished game."""
    written = await services.host.record(table.id)
    name = f"{table.package.name}-{table.id}.json"
    text = await aside(lambda: msgspec.json.format(msgspec.json.encode(written), indent=1), large=True)
    return Response(
        text,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


# -- first games, with guidance ------------------------------------------------------------------------------


def _lesson(game: str, step: str, lang: str) -> tuple[Package, Lesson, int]:
    package = games.packages().get(game)
    found = None if package is None else lesson(package, lang)
    if package is None or found is None:
        raise Missing("There is nothing at this address.")
    if not (is_number(step, 3) and 1 <= int(step) <= len(found.game)):
        raise Invalid("This game has {last} steps. Choose one from 1 to {last}.", last=len(found.game))
    return package, found, int(step)


@get("/learn/{game:str}", name="learn")
async def begin(past: PastHere, client: ClientHere, game: FromPath[str]) -> Response[object]:
    """Show the first moment of a game's lesson."""
    found = await aside(_lesson, game, "1", client.lang, large=True)  # the first time it is played through
    return page(past.lesson(*found, client))


@get("/learn/{game:str}/{step:str}", name="lesson")
async def show(
    past: PastHere, client: ClientHere, game: FromPath[str], step: FromPath[str], hint: FromQuery[str] = ""
) -> Response[object]:
    """Show a moment of it; games for one player can give a hint, more at each step."""
    package, found, now = await aside(_lesson, game, step, client.lang, large=True)
    asked = int(hint) if is_number(hint, 2) and int(hint) <= package.page.hint_steps else 0
    return page(past.lesson(package, found, now, client, hint=asked))


@post("/learn/{game:str}/{step:str}/move", name="lesson_move", status_code=200)
async def move(
    request: HttpRequest,
    services: ServicesHere,
    past: PastHere,
    client: ClientHere,
    game: FromPath[str],
    step: FromPath[str],
) -> Response[object]:
    """Take the learner's move. The awaited one leads on; for another one the page explains why not."""
    package, found, now = await aside(_lesson, game, step, client.lang, large=True)
    try:
        if not found.awaits(now, LEARNER):
            raise Illegal("It is not your turn.")
        found.check(now, LEARNER, action_of_form(package, await read_form(request)))
    except Refused as error:
        words = translator_for(found.game.at(now), LEARNER, client.lang).refusal(error)
        return page(past.lesson(package, found, now, client, words), status_of(error))
    return redirect(services.url(f"/learn/{game}/{now + 1}"))


HANDLERS = [replay, review, stories, claims, picture, missed, record, begin, show, move]
