"""A first game with guidance: each page is a moment of a scripted game and waits for the move that comes next.

Nothing is kept of it: the address says where one is. The table is drawn as always, by the room's own page.
"""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from spieltisch import games
from spieltisch.game import Illegal, Invalid, Refused, see
from spieltisch.games import GamePackage
from spieltisch.table.host import Missing
from spieltisch.table.lesson import Lesson, lesson
from spieltisch.web import answers, boxes, problems, wire
from spieltisch.web.frame import Viewer, frame
from spieltisch.web.house import Asker
from spieltisch.web.markup import Html
from spieltisch.web.tables import HTML, Ask, fields_of, house_of, to_page

ME = 0  # the seat of who learns


def _lesson(game: str, step: str) -> tuple[GamePackage, Lesson, int]:
    package = games.packages().get(game)
    found = None if package is None else lesson(package)
    if package is None or found is None:
        raise Missing("There is nothing at this address.")
    if not (step.isascii() and step.isdigit() and len(step) < 4 and 1 <= int(step) <= len(found.game)):
        raise Invalid("This game has {last} steps: choose one from 1 to {last}.", last=len(found.game))
    return package, found, int(step)


def _page(request: Ask, game: str, step: str, refused: str = "", status: int = 200) -> Response[Any]:
    house = house_of(request)
    asker = Asker(request, house)
    package, found, now = _lesson(game, step)
    table, awaited = found.game.at(now), found.awaited(now)
    mine = awaited is not None and awaited.seat == ME
    viewer = Viewer(ME, asker.lang, terms=asker.terms)
    tr = wire.says_for(table, ME, asker.lang, asker.terms)
    url = f"{house.base}/learn/{game}"
    parts = house.fragments.past(
        table,
        viewer,
        legal=list(table.legal(ME)) if mine else [],
        my_turn=mine,
        refused=refused,
        url=Html(f"{url}/{now}"),
        lesson={
            "step": now,
            "steps": len(found.game),
            "words": package.page.retold(getattr(found.said[now - 1], asker.lang), package.translator(tr.lang), tr),
            "on": "" if mine or awaited is None else Html(f"{url}/{now + 1}"),
            "back": Html(f"{url}/{now - 1}") if now > 1 else "",
            "over": awaited is None,
        },
    )
    context = frame(house.pages, table, viewer, tr) | {
        "fragment": Html("".join(parts)),
        "title": tr._("First game: {game}").format(game=boxes.title(package)),
    }
    html = house.pages.render("lesson.html", tr, **context)
    return Response(html, media_type=HTML, status_code=status)


@get("/learn/{game:str}", name="learn")
async def begin(request: Ask, game: FromPath[str]) -> Response[Any]:
    """The first moment of a game's lesson."""
    return _page(request, game, "1")


@get("/learn/{game:str}/{step:str}", name="lesson")
async def show(request: Ask, game: FromPath[str], step: FromPath[str]) -> Response[Any]:
    """A moment of it."""
    return _page(request, game, step)


@post("/learn/{game:str}/{step:str}/move", name="lesson_move", status_code=200)
async def move(request: Ask, game: FromPath[str], step: FromPath[str]) -> Response[Any]:
    """The move of who learns: the one that is waited for leads on, another one is answered kindly."""
    asker = Asker(request, house_of(request))
    package, found, now = _lesson(game, step)
    awaited, past = found.awaited(now), found.game.at(now)
    try:
        if awaited is None or awaited.seat != ME:
            raise Illegal("It is not your turn.")
        action = answers.action_of_form(package, await fields_of(request))
        if action == awaited.action:
            return to_page(house_of(request), f"/learn/{game}/{now + 1}")
        if action in package.rules.legal(see(past.state, ME)):
            raise Illegal("That is possible, too. Here, please do as it says: it shows you something.")
        package.rules.apply(past.state, ME, action)
        raise Illegal("That is not possible here.")
    except Refused as error:
        words = wire.says_for(past, ME, asker.lang).refusal(error)
        return _page(request, game, step, words, problems.status_of(error))


HANDLERS = [begin, show, move]
