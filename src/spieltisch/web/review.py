"""What a room has to say of a game that is over: its page's `review`, drawn by its `review.html`, and what a seat
`missed` there, to be learned with Anki.
"""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from spieltisch.decks.exporting import anki
from spieltisch.game import Illegal, Refused
from spieltisch.protocols import FinishedGame
from spieltisch.table.host import Table
from spieltisch.table.replay import Replay
from spieltisch.web import boxes, render, wire
from spieltisch.web.counsel import Unknown
from spieltisch.web.house import Asker, House
from spieltisch.web.markup import Html
from spieltisch.web.problems import Forbidden
from spieltisch.web.tables import HTML, Ask, find, house_of

EVENING = 12  # games of a row of rematches that are looked back at


@get("/t/{code:str}/review", name="review")
async def review(request: Ask, code: FromPath[str]) -> Response[Any]:
    """The review of a finished game; like its replay it needs no seat, and there is none before the end."""
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    page = table.package.page
    if not page.review_title:
        raise Illegal("This game has no review.")
    whole = await house.host.replay(table.id)
    tr = wire.says_for(table, asker.seat(table), asker.lang, asker.terms)
    thoughts = await _thoughts(house, table, whole)
    known = not isinstance(thoughts, Unknown)
    if asker.wants_json:
        return Response({"thoughts": thoughts if known else None}, status_code=200 if known else 202)
    context = {
        "heading": tr._("Looking back – {game}").format(game=boxes.title(table.package)),
        "url": Html(f"{house.base}/t/{table.id}"),
        "names": wire.names_of(table, tr),
        "mine": asker.seat(table) is not None,
        "own_css": render.own(table.package, "static", "style.css"),
    }
    if not known:
        return Response(house.pages.render("pending.html", tr, **context), media_type=HTML, status_code=202)
    games = [_told(whole)]
    while len(games) < EVENING and (before := table.setup.before):  # the games that this one is the rematch of
        try:
            table = await house.host.table(before)
            games.append(_told(await house.host.replay(before)))
        except Refused:
            break
    context |= page.review(games, len(table.setup.chairs), thoughts, tr)
    folder = table.package.folder.name
    return Response(house.pages.render(f"{folder}/review.html", tr, **context), media_type=HTML)


def _told(whole: Replay) -> FinishedGame:
    return FinishedGame(whole.at(1).state, [one for told in whole.told for one in told.news])


async def _thoughts(house: House, table: Table, whole: Replay) -> Any:
    """What the room's counsel says of every move, UNKNOWN as yet; without one what the bots thought at theirs, as far
    as the room's bot can tell.
    """
    if table.package.analysis.available:
        return await house.counsel.look_back(table.package, await house.host.record(table.id))
    found = []
    for step, entry in enumerate(whole.entries):
        if entry.by == "bot" and entry.seat is not None:
            beliefs = await house.host.beliefs(table.id, entry.seat)
            found.append(table.package.bot.explain(whole.at(step).view(entry.seat), entry.action, beliefs))
    return [thought for thought in found if thought is not None]


@get("/t/{code:str}/missed", name="missed")
async def missed(request: Ask, code: FromPath[str], seat: Annotated[str, QueryParameter()] = "") -> Response[Any]:
    """What one's own seat, or one of several on this device, missed in a finished game, as a package for Anki; other
    games add to the same notes.
    """
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    page = table.package.page
    if not page.has_missed:
        raise Illegal("In this game there is nothing to learn by heart.")
    mine = {str(own): own for own in asker.viewer(table).mine}
    if not mine or (seat and seat not in mine):
        raise Forbidden("You have no seat at this table.")
    own = mine[seat or next(iter(mine))]
    whole = await house.host.replay(table.id)
    tr = wire.says_for(table, own, asker.lang, asker.terms)
    notes = page.missed(whole.at(len(whole)).state, [news for told in whole.told for news in told.news], own, tr)
    if not notes:
        raise Illegal("You missed nothing in this game.")
    title = tr._("{game}: missed").format(game=boxes.title(table.package))
    content = anki.packed(title, f"missed {table.package.name}", notes)
    file = f"missed-{table.id}-{own + 1}.apkg"
    headers = {"content-disposition": f'attachment; filename="{file}"', "cache-control": "no-store"}
    return Response(content, media_type="application/octet-stream", headers=headers)


HANDLERS = [review, missed]
