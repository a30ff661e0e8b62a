"""What a room has to say of a game that is over: its page's `review`, drawn by its `review.html`, and what a seat
`missed` there, to be learned with Anki.
"""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from spieltisch.decks.handout import anki
from spieltisch.game import Illegal, Refused
from spieltisch.table.host import Table
from spieltisch.table.replay import Replay
from spieltisch.web import boxes, wire
from spieltisch.web.counsel import Unknown, module_of
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
    drawn = getattr(table.room.page, "review", None)
    if drawn is None:
        raise Illegal("This game has no review.")
    whole = await house.host.replay(table.id)
    says = wire.says_for(table, asker.seat(table), asker.lang, asker.terms)
    thoughts = await _thoughts(house, table, whole)
    known = not isinstance(thoughts, Unknown)
    if asker.wants_json:
        return Response({"thoughts": thoughts if known else None}, status_code=200 if known else 202)
    context = {
        "heading": says._("Looking back – {game}").format(game=boxes.title(table.room)),
        "url": Html(f"{house.base}/t/{table.id}"),
        "names": wire.names_of(table, says),
        "mine": asker.seat(table) is not None,
        "own_css": house.pages.own(table.room, "css"),
    }
    if not known:
        return Response(house.pages.render("pending.html", says, **context), media_type=HTML, status_code=202)
    games = [_told(whole)]
    while len(games) < EVENING and (before := table.plan.before):  # the games that this one is the rematch of
        try:
            table = await house.host.table(before)
            games.append(_told(await house.host.replay(before)))
        except Refused:
            break
    context |= drawn(games, len(table.plan.chairs), thoughts, says)
    folder = table.room.folder.name
    return Response(house.pages.render(f"{folder}/review.html", says, **context), media_type=HTML)


def _told(whole: Replay) -> tuple[Any, list[Any]]:
    """A finished game for a room's `review`: the state after the deal, and the news."""
    return whole.at(1).state, [one for told in whole.told for one in told.news]


async def _thoughts(house: House, table: Table, whole: Replay) -> Any:
    """What the room's counsel says of every move, UNKNOWN as yet; without one what the bots thought at theirs, as far
    as the room's bot can tell.
    """
    if module_of(table.room):
        return await house.counsel.look_back(table.room, await house.host.record(table.id))
    found = []
    for step, entry in enumerate(whole.entries):
        explain = getattr(table.room.bot, "explain", None)
        if explain is not None and entry.by == "bot" and entry.seat is not None:
            knows = await house.host.knows(table.id, entry.seat)
            found.append(explain(whole.at(step).view(entry.seat), entry.action, knows))
    return [thought for thought in found if thought is not None]


@get("/t/{code:str}/missed", name="missed")
async def missed(request: Ask, code: FromPath[str], seat: Annotated[str, QueryParameter()] = "") -> Response[Any]:
    """What one's own seat, or one of several on this device, missed in a finished game, as a package for Anki; other
    games add to the same notes.
    """
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    found = getattr(table.room.page, "missed", None)
    if found is None:
        raise Illegal("In this game there is nothing to learn by heart.")
    mine = {str(own): own for own in asker.viewer(table).mine}
    if not mine or (seat and seat not in mine):
        raise Forbidden("You have no seat at this table.")
    own = mine[seat or next(iter(mine))]
    whole = await house.host.replay(table.id)
    says = wire.says_for(table, own, asker.lang, asker.terms)
    notes = found(whole.at(len(whole)).state, [news for told in whole.told for news in told.news], own, says)
    if not notes:
        raise Illegal("You missed nothing in this game.")
    title = says._("{game}: missed").format(game=boxes.title(table.room))
    content = anki.packed(title, f"missed {table.room.name}", notes)
    file = f"missed-{table.id}-{own + 1}.apkg"
    headers = {"content-disposition": f'attachment; filename="{file}"', "cache-control": "no-store"}
    return Response(content, media_type="application/octet-stream", headers=headers)


HANDLERS = [review, missed]
