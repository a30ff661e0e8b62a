"""What a class looks back on together: slides, and at which moment of them it is. The wall follows."""

import contextlib
from typing import Any

from msgspec.structs import replace

from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.counts import counted, lesson_games
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.i18n import Translator
from spieltisch.web.commands.class_tables import tables_of
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import Fields, field, is_number
from spieltisch.web.services import Services
from spieltisch.web.view import class_report


async def slides_of(services: Services, room: Classroom, tr: Translator) -> list[dict[str, Any]]:
    """The slides of this lesson. Illegal while a game runs, since what is shown of the others might lie hidden there;
    and where nothing has been played.
    """
    seen = tuple((one.id, one.seq, one.setup.rev) for one in await tables_of(services, room))
    key = (room.id, tr.lang, seen, room.former, room.slipped)
    return await services.slides.get(key, lambda: _drawn(services, room, tr))


async def _drawn(services: Services, room: Classroom, tr: Translator) -> list[dict[str, Any]]:
    host = services.host
    games, running = await lesson_games(host, [one.id for one in room.tables], room.former)
    if running:
        raise Illegal("Games are still running: call the last round, or stop them, and look back when all are over.")
    count = await counted(host, games, running)
    worst = await host.library.work(class_report.worst, (), room, count, tr.lang)
    if not games and not worst:
        raise Illegal("No game of this lesson is over yet.")
    return services.past.debrief(games, worst, tr)


def moment(slides: list[dict[str, Any]], look: int) -> dict[str, Any]:
    """What the wall shows at this moment (from 1) of the look back: a slide, and whether its card is turned over."""
    n, turned = divmod(max(look, 2), 2)
    n = min(n, len(slides))
    return {"slide": slides[n - 1], "n": n, "open": bool(turned)} if slides else {}


async def look(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """The wall shows this moment of the look back: slide n at 2 n, its card turned over at 2 n + 1; at 0 the seats."""
    at = field(fields, "look")
    if not is_number(at, 4):
        raise Invalid("This is not one of the choices.")
    return await services.classes.change(room.id, lambda old: replace(old, look=int(at)))


async def wall_of(services: Services, client: Client, room: Classroom) -> dict[str, Any]:
    """What everybody in the room may see: see `ClassViews.wall`. While who leads the class looks back, that moment."""
    shown = services.class_views.wall(room, await tables_of(services, room), client.origin, client.tr)
    looked: dict[str, Any] = {}
    if room.look:
        with contextlib.suppress(Refused):  # somebody plays again: nothing of that is shown
            looked = moment(await slides_of(services, room, client.tr), room.look)
    return shown | {"looked": looked}
