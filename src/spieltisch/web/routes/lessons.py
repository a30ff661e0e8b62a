"""A first game with guidance: each page is a moment of a scripted game and waits for the move that comes next.

Nothing is kept of it: the address says where one is. The table is drawn as always, by the game's own page.
"""

from typing import Any

from litestar import Request, Response, get, post
from litestar.params import FromPath, FromQuery

from spieltisch import games
from spieltisch.bounded import aside
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.games import GamePackage
from spieltisch.table.host import Missing
from spieltisch.table.lesson import Lesson, lesson
from spieltisch.web.http.actions import action_of_form
from spieltisch.web.http.forms import is_number, read_form
from spieltisch.web.http.problems import status_of
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.view.past import LEARNER
from spieltisch.web.view.viewer import translator_for


def _lesson(game: str, step: str, lang: str) -> tuple[GamePackage, Lesson, int]:
    package = games.packages().get(game)
    found = None if package is None else lesson(package, lang)
    if package is None or found is None:
        raise Missing("There is nothing at this address.")
    if not (is_number(step, 3) and 1 <= int(step) <= len(found.game)):
        raise Invalid("This game has {last} steps: choose one from 1 to {last}.", last=len(found.game))
    return package, found, int(step)


@get("/learn/{game:str}", name="learn")
async def begin(services: ServicesHere, client: ClientHere, game: FromPath[str]) -> Response[Any]:
    """The first moment of a game's lesson."""
    found = await aside(_lesson, game, "1", client.lang, large=True)  # the first time it is played through
    return page(services.past.lesson(*found, client))


@get("/learn/{game:str}/{step:str}", name="lesson")
async def show(
    services: ServicesHere, client: ClientHere, game: FromPath[str], step: FromPath[str], hint: FromQuery[str] = ""
) -> Response[Any]:
    """A moment of it; in games for one with a hint, of which each step tells more."""
    package, found, now = await aside(_lesson, game, step, client.lang, large=True)
    asked = int(hint) if is_number(hint, 2) and int(hint) <= package.page.hint_steps else 0
    return page(services.past.lesson(package, found, now, client, hint=asked))


@post("/learn/{game:str}/{step:str}/move", name="lesson_move", status_code=200)
async def move(
    request: Request[Any, Any, Any],
    services: ServicesHere,
    client: ClientHere,
    game: FromPath[str],
    step: FromPath[str],
) -> Response[Any]:
    """The learner's move: the one that is awaited leads on, another one (it would be Illegal) is
    answered kindly.
    """
    package, found, now = await aside(_lesson, game, step, client.lang, large=True)
    try:
        if not found.awaits(now, LEARNER):
            raise Illegal("It is not your turn.")
        found.check(now, LEARNER, action_of_form(package, await read_form(request)))
    except Refused as error:
        words = translator_for(found.game.at(now), LEARNER, client.lang).refusal(error)
        return page(services.past.lesson(package, found, now, client, words), status_of(error))
    return redirect(services.url(f"/learn/{game}/{now + 1}"))


HANDLERS = [begin, show, move]
