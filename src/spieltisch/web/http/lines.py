"""The server's end of a page's line: a WebSocket that hands over what comes as it comes, and sends at once.

Through ASGI alone each message would wait in a queue for a task, with the connection paused until that has taken it;
what is sent would pass the framework's wrappers. A page that lives needs none of this: with `line_of(scope)` it gets
the connection itself, once it is accepted, and the application hears of nothing but its end.
"""

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

_EXTENSION = "spieltisch.line"  # among those that a server tells the application of


class Receiver(Protocol):
    """Who is told what comes over a line."""

    def receive(self, data: bytes | str, /) -> None:
        """A message."""
        ...

    def drained(self) -> None:
        """The line is no longer `full`."""
        ...


class Line(WebSocketsSansIOProtocol):
    """uvicorn's protocol, which can be listened to."""

    _receiver: Receiver | None = None
    _held = False

    def listen(self, receiver: Receiver) -> None:
        """From now on messages go to this receiver, those that wait first."""
        self._receiver = receiver
        for event in [self.queue.get_nowait() for _ in range(self.queue.qsize())]:
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

    # What uvicorn calls

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
        if not self.close_sent:
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


def line_of(scope: Any) -> Line:
    """The line behind a socket's scope."""
    return scope["extensions"][_EXTENSION]["line"]
