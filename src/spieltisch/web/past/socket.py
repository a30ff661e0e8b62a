"""The socket of a page on which people look back together.

The page says `{"lang": "de", "screen": ""}` first. It gets `{"html": …}` with what it shows whenever that changes, and
`{"goto": address}` when the look back is over. `{"ping": k}` is answered `{"pong": k}`.
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
from spieltisch.game import Refused
from spieltisch.table.log import tag
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.http.client import Client, LiveSocket
from spieltisch.web.core.http.sockets import attend, greet
from spieltisch.web.core.inject import ClientHere, ServicesHere, find_table
from spieltisch.web.core.presence import SCREEN
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.viewer import Screen
from spieltisch.web.past.routes import PastHere
from spieltisch.web.past.together import role_of, viewer_of
from spieltisch.web.past.views import PastViews

log = logging.getLogger(__name__)

PAUSE = 1.0  # seconds after which a page looks anyway: the leader may have gone


class _Said(Struct, frozen=True):
    """A message of the page."""

    lang: str = ""
    screen: Literal["", "small", "big"] = ""
    ping: int = 0


_decoder = msgspec.json.Decoder(_Said)


@websocket("/t/{code:str}/together/live")
async def live(
    socket: LiveSocket, services: ServicesHere, past: PastHere, client: ClientHere, code: FromPath[str]
) -> None:
    """Serve a page's socket."""
    await socket.accept()
    greeted = await greet(socket, find_table(services, client, code), _decoder)
    if greeted is None:
        return
    table, said = greeted
    if languages.is_known(said.lang):
        client = replace(client, lang=said.lang)
    actor = services.actor(client, table.id)
    key = SCREEN if said.screen == "big" else "" if said.screen else actor.key
    with contextlib.ExitStack() as here:
        here.enter_context(services.metrics.socket())
        here.enter_context(services.shares.socket(client.address))
        if key:
            here.enter_context(services.presence.looking(table.id, key))
        await attend(socket, _decoder, _tell(socket, services, past, client, table.id, actor, said.screen))


async def _tell(
    socket: LiveSocket, services: Services, past: PastViews, client: Client, code: str, actor: Actor, screen: Screen
) -> None:
    """Tell the page what is new until it goes or the server stops."""
    shown = b""
    with services.host.hub.listen(code) as news:
        try:
            while not services.stopping.is_set():
                message = await _message(services, past, client, code, actor, screen)
                if message != shown:
                    shown = message
                    await socket.send_data(message, mode="binary")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), PAUSE)
        except Refused:  # the table is gone
            await socket.send_data(msgspec.json.encode({"goto": services.url("/")}), mode="binary")
        except WebSocketDisconnect:
            return
        except Exception:
            log.exception("table %s: cannot update a page that looks back", tag(code))
            raise


async def _message(
    services: Services, past: PastViews, client: Client, code: str, actor: Actor, screen: Screen
) -> bytes:
    table = await services.host.table(code)
    setup, look = table.setup, table.setup.look
    if look is None or setup.rematch:
        return msgspec.json.encode({"goto": services.url(f"/t/{code}{'/screen' if screen else ''}")})
    key = "" if screen else actor.key
    role = role_of(setup, key, services.presence)
    viewer = viewer_of(client, screen)

    async def draw() -> bytes:
        game = await services.host.replay(code)
        return msgspec.json.encode({"html": past.together(table, game, look, viewer, role, whole=False)})

    return await past.pictures.get((code, setup.rev, viewer, role), draw)


HANDLERS = [live]
