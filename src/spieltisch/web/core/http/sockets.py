"""Shared by page sockets: close codes, how they slow down on a busy server, and the talk of pages that only look on."""

import asyncio
import contextlib
from collections.abc import Awaitable, Coroutine
from typing import Protocol, TypeVar

import msgspec
from litestar.exceptions import WebSocketDisconnect

from spieltisch.game import Refused
from spieltisch.web.core.http.client import LiveSocket

UNREADABLE, NO_TABLE = 4400, 4404  # close codes: the page sent nonsense; the table does not exist (any more)
BEHIND = 64  # a page waits this many times the server's lag before it is drawn again


class Pinging(Protocol):
    """A message of a page that asks whether anybody is there."""

    @property
    def ping(self) -> int: ...


T = TypeVar("T")
M = TypeVar("M", bound=Pinging)


async def greet(socket: LiveSocket, looked_at: Awaitable[T], decoder: msgspec.json.Decoder[M]) -> tuple[T, M] | None:
    """Return what a page looks at and its first message. None: the page has gone, or its socket was closed."""
    try:
        return await looked_at, decoder.decode(await socket.receive_data(mode="text"))
    except Refused:
        await socket.close(code=NO_TABLE)
    except WebSocketDisconnect:
        pass
    except (msgspec.MsgspecError, RecursionError):
        await socket.close(code=UNREADABLE)
    return None


async def attend(
    socket: LiveSocket, decoder: msgspec.json.Decoder[M], telling: Coroutine[object, object, None]
) -> None:
    """Answer a page's pings while it is told what is new, until it goes or says what cannot be read."""
    task = asyncio.create_task(telling)
    with contextlib.suppress(WebSocketDisconnect):
        try:
            while True:
                ping = decoder.decode(await socket.receive_data(mode="text")).ping
                await socket.send_data(msgspec.json.encode({"pong": ping}), mode="binary")
        except (msgspec.MsgspecError, RecursionError):
            await socket.close(code=UNREADABLE)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
