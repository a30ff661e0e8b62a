"""What a room has to say of a game that is over: its page's `review`, drawn by its `review.html`."""

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from spieltisch.game import Illegal
from spieltisch.web import boxes, render, wire
from spieltisch.web.house import Asker, House
from spieltisch.web.tables import HTML, Ask, find, house_of


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
    says = wire.says_for(table, asker.seat(table.plan), asker.lang)
    news = [one for told in whole.told for one in told.news]
    thoughts = await _thoughts(house, table.id, whole)
    context = drawn(whole.at(1).view(None).public.options, len(table.plan.chairs), news, thoughts, says)
    context |= {
        "heading": says._("Looking back – {game}").format(game=boxes.title(table.room)),
        "url": render.safe(f"{house.base}/t/{table.id}"),
        "names": wire.names_of(table, says),
    }
    folder = table.room.folder.name
    return Response(house.pages.render(f"{folder}/review.html", says, **context), media_type=HTML)


async def _thoughts(house: House, table: str, whole: Any) -> list[Any]:
    """What the bots thought at their moves, as far as the room's bot can tell."""
    found = []
    for step, entry in enumerate(whole.entries):
        past = whole.at(step) if step else None
        explain = getattr(past.room.bot, "explain", None) if past else None
        if past is not None and explain is not None and entry.by == "bot":
            found.append(explain(past.view(entry.seat), entry.action, await house.host.knows(table, entry.seat)))
    return [thought for thought in found if thought is not None]


HANDLERS = [review]
