"""The socket of a class's pages: the teacher's, the wall, and waiting pupils'.

The page says what it is, `{"lang": "de", "screen": "lead" | "wall" | "pupil"}`, and gets `{"html": …}` whenever what it
shows is another one, or `{"goto": address}` as soon as its pupil has a seat, or the lesson
is over. `{"ping": k}` is answered `{"pong": k}`.
"""

import asyncio
import contextlib
import logging
from typing import Literal

import msgspec
from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec import Struct
from msgspec.structs import replace

from spieltisch import languages
from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.classrooms import key_of_wakes
from spieltisch.game import Refused
from spieltisch.web.classroom.inject import ViewsHere, find_room
from spieltisch.web.classroom.views import ClassViews
from spieltisch.web.core.http.client import Client, LiveSocket
from spieltisch.web.core.http.sockets import BEHIND, NO_TABLE, attend, greet
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.services import Services

log = logging.getLogger(__name__)

PAUSE = 1.0  # seconds after which tables are looked at anyway: minutes go by, other processes write
LONGEST_PAUSE = 10.0  # the same where the server is late


class _Hello(Struct, frozen=True):
    """A message of the page."""

    lang: str = ""
    screen: Literal["", "lead", "wall", "pupil"] = ""
    ping: int = 0


_decoder = msgspec.json.Decoder(_Hello)


@websocket("/class/{code:str}/live")
async def live(
    socket: LiveSocket, services: ServicesHere, client: ClientHere, views: ViewsHere, code: FromPath[str]
) -> None:
    """A page's socket."""
    await socket.accept()
    greeted = await greet(socket, find_room(services, client, code), _decoder)
    if greeted is None:
        return
    room, said = greeted
    if languages.is_known(said.lang):
        client = replace(client, lang=said.lang)
    if said.screen == "lead" and not services.class_cookies.leads(client.cookies, room.id):
        await socket.close(code=NO_TABLE)
        return
    with services.metrics.socket(), services.shares.socket(client.address):
        await attend(socket, _decoder, _tell(socket, services, client, views, room, said.screen))


async def _tell(
    socket: LiveSocket,
    services: Services,
    client: Client,
    views: ClassViews,
    room: Classroom,
    screen: str,
) -> None:
    """Tell the page what is new until it goes or the server stops."""
    shown = b""
    with services.host.hub.listen(key_of_wakes(room.id)) as news, contextlib.ExitStack() as looking:
        looked: set[str] = set()
        try:
            while not services.stopping.is_set():
                room = await services.classes.get(room.id)
                message = await _picture(services, client, views, room, screen)
                if message != shown:
                    shown = message
                    await socket.send_data(message, mode="binary")
                if screen == "lead":  # who leads the class is at all of its tables
                    for table in room.tables:
                        if table.id not in looked:
                            looked.add(table.id)
                            key = services.class_keys.teacher_key(room.id)
                            looking.enter_context(services.presence.looking(table.id, key))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), max(PAUSE, min(BEHIND * services.host.hub.late, LONGEST_PAUSE)))
        except Refused:  # the class is gone
            to = "/" if screen == "lead" else "/class/over"
            await socket.send_data(msgspec.json.encode({"goto": services.url(to)}), mode="binary")
        except WebSocketDisconnect:
            return
        except Exception:
            log.exception("cannot update a page of a class")
            raise


async def _picture(services: Services, client: Client, views: ClassViews, room: Classroom, screen: str) -> bytes:
    """What the page shows now, as a message."""
    tr, now = client.tr, (room.id, room.rev)
    match screen:
        case "lead":
            tables = await services.desk.tables(room)
            seen = tuple((table.id, table.seq, table.setup.rev) for table in tables)
            return await views.picture(
                "classroom/lead.html", (*now, seen), lambda: views.overview(room, tr, tables), tr
            )
        case "wall":
            shown = (*now, client.origin)
            return await views.picture("classroom/wallnow.html", shown, lambda: views.wall(room, client.origin, tr), tr)
    left = services.class_cookies.left(client.cookies, room)
    if not room.pupils and not left:  # whoever looks was one of them
        return msgspec.json.encode({"goto": services.url("/class/over")})
    number = services.class_cookies.pupil(client.cookies, room)
    if number is not None and room.slip is None and room.table_of(number):
        return msgspec.json.encode({"goto": services.url(f"/class/{room.id}/seat")})
    alike = (*now, number, left)
    return await views.picture("classroom/pupilnow.html", alike, lambda: views.pupil(room, number, tr, left), tr)


HANDLERS = [live]
