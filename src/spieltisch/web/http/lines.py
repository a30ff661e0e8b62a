"""The server's end of a page's line: a WebSocket that hands over what comes as it comes, and sends at once.

Through ASGI alone each message would wait in a queue for a task, with the connection paused until that has taken it;
what is sent would pass the framework's wrappers. A page that lives needs none of this: with `line_of(scope)` it gets
the connection itself, once it is accepted. From then on it is told by calls, also of the end, and the application
returns: of it, and of the handshake, an open page holds nothing.
"""

import asyncio
import random
from collections.abc import Coroutine
from math import ceil
from typing import Any, Protocol

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask
from websockets.protocol import State
from websockets.server import ServerProtocol

from spieltisch.web.http.taking import Taken

_EXTENSION = "spieltisch.line"  # among those that a server tells the application of
_TEXT = 0x81  # how a frame begins that is a whole text; and of the next byte
_MASKED = 0x80  # the bit that every client has to set

CLOSING = 1012  # the server restarts: come back
SPREAD = 5.0  # seconds over which pages come back at most
A_SECOND = 50  # pages that a process has no trouble to take back
LEAVE = 0.5  # seconds that a page has for its goodbye then,
PATIENCE = 10.0  # and otherwise
PINGS = 0.25  # seconds between the moments at which pages are asked whether they are still there
BURST, RATE = 20.0, 10.0  # frames that a page may send at once, and a second: far more than people do
LARGE = 4096  # bytes of a frame that count as one more
SLIPS, PARDON = 40.0, 1.0  # how often it may be made to wait, and how many of these are forgotten a second
TOO_FAST = 4429
LATE = 0.01  # seconds that such a moment may have come late and still comes again an interval after it


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

    def gone(self) -> None:
        """The line is over: told once, as soon as one side has said so or the connection is lost."""
        ...


class _End:
    """In place of the queue for the application, which has gone: of what uvicorn puts there now, each is the end."""

    __slots__ = ("_receiver",)

    def __init__(self, receiver: Receiver) -> None:
        self._receiver: Receiver | None = receiver

    def put_nowait(self, _event: Any) -> None:
        """The line is over."""
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.gone()


class Line(Taken, WebSocketsSansIOProtocol):
    """uvicorn's protocol, which can be listened to. `limited`: pages that send too much are made to wait."""

    limited = True
    _receiver: Receiver | None = None
    _held = False  # by who listens
    _slowed: asyncio.TimerHandle | None = None  # until then nothing is read, since too much came
    _left = BURST  # frames that it may send at once,
    _slips = SLIPS  # how often it may send more than that,
    _counted = 0.0  # and when these two were counted last
    _stops = False
    _back = 0.0  # seconds until the page is to come back
    _rest = b""  # of a frame that is still coming

    def listen(self, receiver: Receiver) -> None:
        """From now on messages go to this receiver, those that wait first. The application may go; so does what the
        handshake said.
        """
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

    def work(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something be done that the server waits for before it stops, also when the line is over by then."""
        task = self.loop.create_task(work)
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)
        return task

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
            if still:
                self.transport.pause_reading()
            else:
                self._read_on()

    def _read_on(self) -> None:
        if not (self._held or self._slowed or self.read_paused or self.transport.is_closing()):
            self.transport.resume_reading()

    def _may(self, size: int) -> bool:
        """Whether one more frame of this size is read now: counts it. Else the line rests, and one that needs that too
        often is closed.
        """
        now = self.loop.time()
        if not self._counted:
            self._counted = now
        passed, self._counted = now - self._counted, now
        self._left = min(BURST, self._left + passed * RATE)
        self._slips = min(SLIPS, self._slips + passed * PARDON)
        if self._left >= 1:
            self._left -= 1 + size // LARGE
            return True
        self._slips -= 1
        if self._slips < 0:
            self.close(TOO_FAST, "too many messages", LEAVE)
            return True  # what still comes is of no consequence
        self.transport.pause_reading()
        self._slowed = self.loop.call_later((1 - self._left) / RATE, self._rested)
        return False

    def _rested(self) -> None:
        self._slowed = None
        if not self.transport.is_closing():
            self._read_on()
            self.data_received(b"")

    def end(self) -> None:
        """Say that the server restarts, and when to come back: the reason is a number of seconds."""
        self.close(CLOSING, f"{self._back:.1f}", LEAVE)

    def close(self, code: int, reason: str = "", patience: float = PATIENCE) -> None:
        """Say goodbye; the page has so many seconds for its own."""
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
        came, at, self._rest = self._rest + data, 0, b""
        if self.conn.state is not State.OPEN:
            super().data_received(came)
            return
        while (begin := _begin_of_payload(came, at)) and (end := begin + _size(came, at)) <= len(came):
            if self.limited and not self.close_sent and not self._may(end - at):
                self._rest = came[at:]
                return
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

    async def run_asgi(self) -> None:
        """The application, until it goes: with the line, unless somebody listens there."""
        application: Any = self.app
        try:
            await application(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("a line was not opened")
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


class UnlimitedLine(Line):
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


def line_of(scope: Any) -> Line:
    """The line behind a socket's scope."""
    return scope["extensions"][_EXTENSION]["line"]
