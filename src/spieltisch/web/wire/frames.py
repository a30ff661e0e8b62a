"""A page's line on uvicorn's own connection: hands over what comes as it comes, and sends at once.

Through ASGI alone each message would wait in a queue for a task, with the connection paused until that has taken it;
what is sent would pass the framework's wrappers. A page that lives needs none of this: with `line_of(socket)` it gets
the connection itself, once it is accepted. From then on it is told by calls, also of the end, and the application
returns: of it, and of the handshake, an open page holds nothing. Used with the versions in `wire.KNOWN` only.
"""

import asyncio
from collections.abc import Coroutine
from math import ceil, inf
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask
from websockets.protocol import State
from websockets.server import ServerProtocol

from spieltisch.web.wire.line import CLOSING, EXTENSION, LEAVE, PATIENCE, TOO_FAST, Line, Pace, Receiver, come_back
from spieltisch.web.wire.taking import Taken

_TEXT = 0x81  # how a frame begins that is a whole text; and of the next byte
_KIND, _GOODBYE = 0x0F, 0x08  # what a frame is; that of the last one
_MASKED = 0x80  # the bit that every client has to set

PINGS = 0.25  # seconds between the moments at which pages are asked whether they are still there
LATE = 0.01  # seconds that such a moment may have come late and still comes again an interval after it


class _End:
    """Stands in for the ASGI receive queue once the application has returned; any put means the line is over."""

    __slots__ = ("_receiver",)

    def __init__(self, receiver: Receiver) -> None:
        self._receiver: Receiver | None = receiver

    def put_nowait(self, _event: Any) -> None:
        """The line is over."""
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.gone()


class QuickLine(Taken, WebSocketsSansIOProtocol, Line):
    """uvicorn's protocol as a `Line`. `limited`: pages that send too much are made to wait."""

    limited = True
    _receiver: Receiver | None = None
    _held = False  # by who listens
    _slowed: asyncio.TimerHandle | None = None  # until then nothing is read, since too much came
    _pace: Pace | None = None
    _stops = False
    _back = 0.0  # seconds until the page is to come back
    _rest = b""  # of a frame that is still coming

    def listen(self, receiver: Receiver) -> None:
        """See `Line`. What the handshake said is let go."""
        self._receiver = receiver
        del self.request, self.response, self.scope
        if self.conn.state is State.OPEN and not self.frames:  # one that has read no head, which it would keep
            self.conn = ServerProtocol(state=State.OPEN, max_size=self.config.ws_max_size, logger=self.conn.logger)
        came, self.queue = self.queue, _End(receiver)  # ty: ignore[invalid-assignment] - all that uvicorn asks of it
        for event in [came.get_nowait() for _ in range(came.qsize())]:
            if event["type"] == "websocket.receive":
                receiver.receive(event.get("text") or event.get("bytes") or b"")
            else:
                self.queue.put_nowait(event)
        self.read_paused = False
        self._read_on()

    async def served(self) -> None:
        """Return at once: the connection calls the receiver."""

    def work(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = self.loop.create_task(work)
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)
        return task

    def say(self, data: bytes) -> None:
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            return
        n = len(data)  # RFC 6455, 5.2: the head of a binary frame that is whole and not masked
        size = bytes((n,)) if n < 126 else b"\x7e" + n.to_bytes(2) if n < 65536 else b"\x7f" + n.to_bytes(8)
        self.transport.write(b"\x82" + size + data)

    @property
    def full(self) -> bool:
        return not self.writable.is_set()

    async def ready(self) -> None:
        await self.writable.wait()

    def hold(self, *, still: bool) -> None:
        if still != self._held and not self.transport.is_closing():
            self._held = still
            if still:
                self.transport.pause_reading()
            else:
                self._read_on()

    def _read_on(self) -> None:
        if not (self._held or self._slowed or self.read_paused or self.transport.is_closing()):
            self.transport.resume_reading()

    def _may(self, size: int) -> bool:
        """Whether one more frame of `size` bytes is read now. If not, the line rests; a page that sends far too many is
        closed.
        """
        if self._pace is None:
            self._pace = Pace()
        rest = self._pace.rest(size, self.loop.time())
        if not rest:
            return True
        if rest == inf:
            self.close(TOO_FAST, "too many messages", LEAVE)
            return True  # what still comes is of no consequence
        self.transport.pause_reading()
        self._slowed = self.loop.call_later(rest, self._rested)
        return False

    def _rested(self) -> None:
        self._slowed = None
        if not self.transport.is_closing():
            self._read_on()
            self.data_received(b"")

    def end(self) -> None:
        self.close(CLOSING, f"{self._back:.1f}", LEAVE)

    def close(self, code: int, reason: str = "", patience: float = PATIENCE) -> None:
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            return
        self.stop_keepalive()
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self._held = self.read_paused = False  # for the goodbye of the page
        if not self.transport.is_closing():
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(patience, self.transport.close)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        self._receiver = None

    # What uvicorn calls

    def shutdown(self) -> None:
        """The server stops."""
        if self._stops:
            return
        if not self.handshake_complete or self.close_sent:
            super().shutdown()
            return
        self._stops, self._back = True, come_back(len(self.connections))
        if self._receiver is not None:
            self._receiver.stop()
        else:  # the page is just saying who it is: closed at once, it would hear of a lost connection only
            self.end()

    def schedule_ping(self) -> None:
        """Ask whether the page is still there, together with others: that wakes the server, and the answers do."""
        assert self.ping_interval is not None
        at = self.loop.time() + max(0.0, self.ping_interval - self.last_ping_rtt)
        self.ping_timer = self.loop.call_at(ceil((at - LATE) / PINGS) * PINGS, self.send_keepalive_ping)

    def data_received(self, data: bytes) -> None:
        """The request's head, then frames. A text for the receiver, mostly all that comes, is read here; uvicorn gets
        the others, each of them whole.
        """
        if self._slowed is not None:  # what came with it waits, too
            self._rest += data
            return
        if self.handshake_initiated and self.conn.state is State.CONNECTING:  # frames before anybody has said yes
            self._rest += data
            self.transport.pause_reading()
            return
        came, at, self._rest = self._rest + data, 0, b""
        if self.conn.state is not State.OPEN and not self.close_sent:
            super().data_received(came)
            return
        most = self.config.ws_max_size
        while (
            (begin := _begin_of_payload(came, at)) and (size := _size(came, at)) <= most and begin + size <= len(came)
        ):
            end = begin + size
            if self.limited and not self.close_sent and not self._may(end - at):
                self._rest = came[at:]
                return
            receiver = None if self.frames or self.close_sent or self._stops else self._receiver
            if self.close_sent and came[at] & _KIND != _GOODBYE:
                pass  # thousands may have come with it, and nobody wants them
            elif receiver is None or came[at] != _TEXT or not came[at + 1] & _MASKED:
                super().data_received(came[at:end])
            else:
                receiver.receive(apply_mask(came[begin:end], came[begin - 4 : begin]))
            at = end
        if begin and _size(came, at) > most:
            super().data_received(came[at:])  # which refuses it
        else:
            self._rest = came[at:]

    def handle_connect(self, event: Any) -> None:
        """A page wants a line."""
        super().handle_connect(event)
        if self.response.status_code == 101:  # the application is called in a moment
            self.scope["extensions"][EXTENSION] = {"line": self}

    def start_keepalive(self) -> None:
        """The application has accepted the page."""
        super().start_keepalive()
        if self._rest:
            self.loop.call_soon(self._rested)

    async def run_asgi(self) -> None:
        """The application, until it goes: with the line, unless somebody listens there."""
        application: Any = self.app
        try:
            await application(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("cannot open a socket")
            self.send_500_response()
            self._receiver = None
        else:
            self.send_500_response()  # unless something else was answered
        if self.close_timer is None and self._receiver is None:
            self.transport.close()

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


class UnlimitedLine(QuickLine):
    """A line for tests that play faster than people."""

    limited = False


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
