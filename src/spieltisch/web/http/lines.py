"""The server's end of a page's line: a WebSocket that hands over what comes as it comes, and sends at once.

Through ASGI alone each message would wait in a queue for a task, with the connection paused until that has taken it;
what is sent would pass the framework's wrappers. A page that lives needs none of this: with `line_of(scope)` it gets
the connection itself, once it is accepted, and the application hears of nothing but its end.
"""

import asyncio
import random
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask
from websockets.protocol import State

_EXTENSION = "spieltisch.line"  # among those that a server tells the application of
_TEXT = 0x81  # how a frame begins that is a whole text; and of the next byte
_MASKED = 0x80  # the bit that every client has to set

CLOSING = 1012  # the server restarts: come back
SPREAD = 5.0  # seconds over which pages come back at most
A_SECOND = 50  # pages that a process has no trouble to take back
LEAVE = 0.5  # seconds that a page has for its goodbye


def come_back(pages: int) -> float:
    """In how many seconds one of so many pages, which all lose their line at once, makes a new one."""
    return random.uniform(0.0, min(SPREAD, pages / A_SECOND))  # noqa: S311 - nothing hangs on it


class Receiver(Protocol):
    """Who is told what comes over a line."""

    def receive(self, data: bytes | str, /) -> None:
        """A message."""
        ...

    def drained(self) -> None:
        """The line is no longer `full`."""
        ...

    def stop(self) -> None:
        """The server stops. Nothing more comes; the line is to `end` when all that came is answered."""
        ...


class _End:
    """In place of the queue, for the application, of a line that hands over what comes: nothing passes but the end."""

    __slots__ = ("_event", "_waiting")

    def __init__(self) -> None:
        self._event: Any = None
        self._waiting: asyncio.Future[None] | None = None

    def put_nowait(self, event: Any) -> None:
        """The line is over."""
        self._event = event
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def get(self) -> Any:
        """Wait for the end."""
        if self._event is None:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self._event


class Line(WebSocketsSansIOProtocol):
    """uvicorn's protocol, which can be listened to."""

    _receiver: Receiver | None = None
    _held = False
    _stops = False
    _back = 0.0  # seconds until the page is to come back
    _rest = b""  # of a frame that is still coming

    def listen(self, receiver: Receiver) -> None:
        """From now on messages go to this receiver, those that wait first. What the handshake said goes."""
        self._receiver = receiver
        del self.request, self.response
        came, self.queue = self.queue, _End()  # ty: ignore[invalid-assignment] - all that uvicorn asks of it
        for event in [came.get_nowait() for _ in range(came.qsize())]:
            if event["type"] == "websocket.receive":
                receiver.receive(event.get("text") or event.get("bytes") or b"")
            else:
                self.queue.put_nowait(event)
        self.read_paused = False
        if not self._held and not self.transport.is_closing():
            self.transport.resume_reading()

    def say(self, data: bytes) -> None:
        """Send a message; nothing if nobody is there any more. Wait until the line is `ready` before too many."""
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            return
        n = len(data)  # RFC 6455, 5.2: the head of a binary frame that is whole and not masked
        size = bytes((n,)) if n < 126 else b"\x7e" + n.to_bytes(2) if n < 65536 else b"\x7f" + n.to_bytes(8)
        self.transport.write(b"\x82" + size + data)

    @property
    def full(self) -> bool:
        """Whether what was sent has not been taken yet."""
        return not self.writable.is_set()

    async def ready(self) -> None:
        """Wait until the line is not full, or over."""
        await self.writable.wait()

    def hold(self, *, still: bool) -> None:
        """Let the other side wait with what it has to say, or no longer."""
        if still != self._held and not self.transport.is_closing():
            self._held = still
            (self.transport.pause_reading if still else self.transport.resume_reading)()

    def end(self) -> None:
        """Say that the server restarts, and when to come back: the reason is a number of seconds."""
        if self.disconnected or self.close_sent:
            return
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CLOSING})
        self.conn.send_close(CLOSING, f"{self._back:.1f}")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.hold(still=False)  # for the goodbye of the page
        self.close_timer = self.loop.call_later(LEAVE, self.transport.close)

    # What uvicorn calls

    def shutdown(self) -> None:
        """The server stops."""
        if self._receiver is None:
            super().shutdown()
        elif not self._stops:
            self._stops, self._back = True, come_back(len(self.connections))
            self._receiver.stop()

    def data_received(self, data: bytes) -> None:
        """The request's head, then frames. A text for the receiver, mostly all that comes, is read here; uvicorn gets
        the others, each of them whole.
        """
        came, at, self._rest = self._rest + data, 0, b""
        if self.conn.state is not State.OPEN:
            super().data_received(came)
            return
        while (begin := _begin_of_payload(came, at)) and (end := begin + _size(came, at)) <= len(came):
            receiver = None if self.frames or self.close_sent or self._stops else self._receiver
            if receiver is None or came[at] != _TEXT or not came[at + 1] & _MASKED:
                super().data_received(came[at:end])
            else:
                receiver.receive(apply_mask(came[begin:end], came[begin - 4 : begin]))
            at = end
        if begin and _size(came, at) > self.config.ws_max_size:
            super().data_received(came[at:])  # which refuses it
        else:
            self._rest = came[at:]

    def handle_connect(self, event: Any) -> None:
        """A page wants a line."""
        super().handle_connect(event)
        if self.response.status_code == 101:  # the application is called in a moment
            self.scope["extensions"][_EXTENSION] = {"line": self}

    def send_receive_event_to_app(self) -> None:
        """A message has come whole."""
        if self._receiver is None:
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        if not (self.close_sent or self._stops):  # the page sends again what nobody answers
            self._receiver.receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The line is over."""
        self._receiver = None
        super().connection_lost(exc)

    def resume_writing(self) -> None:
        """What was sent has been taken."""
        super().resume_writing()
        if self._receiver is not None:
            self._receiver.drained()


def _begin_of_payload(data: bytes, at: int) -> int:
    """Where what a frame carries begins (RFC 6455, 5.2); 0 if the frame's head is not there yet."""
    if len(data) < at + 2:
        return 0
    n = data[at + 1]
    begin = at + 2 + {126: 2, 127: 8}.get(n & 0x7F, 0) + (4 if n & _MASKED else 0)
    return begin if len(data) >= begin else 0


def _size(data: bytes, at: int) -> int:
    """How many bytes a frame carries whose head is there."""
    n = data[at + 1] & 0x7F
    return n if n < 126 else int.from_bytes(data[at + 2 : at + (4 if n == 126 else 10)])


def line_of(scope: Any) -> Line:
    """The line behind a socket's scope."""
    return scope["extensions"][_EXTENSION]["line"]
