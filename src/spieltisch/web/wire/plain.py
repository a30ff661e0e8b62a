"""A page's line by ASGI alone: one task reads, one sends, one waits for the server to stop."""

import asyncio
import contextlib
import math
from collections import deque
from collections.abc import Callable, Coroutine

from litestar.exceptions import WebSocketDisconnect
from litestar.types import WebSocketSendMessage

from spieltisch.web.core.http.client import LiveSocket
from spieltisch.web.wire.line import CLOSING as RESTART
from spieltisch.web.wire.line import LEAVE, PATIENCE, TOO_FAST, Line, Pace, Receiver, come_back
from spieltisch.web.wire.taking import SECONDS

HIGH, LOW = 64 * 1024, 16 * 1024  # bytes that wait to be sent: the line is full above HIGH, until fewer than LOW wait


class PlainLine(Line):
    """See `Line`. `served` runs it."""

    def __init__(
        self,
        socket: LiveSocket,
        leaving: asyncio.Event,
        pages: Callable[[], int],
        *,
        limited: bool = True,
    ) -> None:
        self._socket, self._leaving, self._pages = socket, leaving, pages
        self._pace = Pace() if limited else None
        self._receiver: Receiver | None = None
        self._to_send: deque[WebSocketSendMessage] = deque()
        self._waiting = 0  # bytes in `_to_send`
        self._sendable = asyncio.Event()
        self._writable, self._readable = asyncio.Event(), asyncio.Event()
        self._writable.set()
        self._readable.set()
        self._closed = False
        self._back = 0.0  # seconds until the page is to come back
        self._work: set[asyncio.Task[None]] = set()

    def listen(self, receiver: Receiver) -> None:
        self._receiver = receiver

    async def served(self) -> None:
        """Read, send and watch until the line is over and its work is done."""
        reading = asyncio.create_task(self._read())
        sending = asyncio.create_task(self._send())
        leaving = asyncio.create_task(self._leave())
        try:
            await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done() and not reading.done():  # closed by us: the page's goodbye
                await asyncio.wait({reading}, timeout=PATIENCE)
        finally:
            for task in (reading, sending, leaving):
                task.cancel()
            await asyncio.gather(reading, sending, leaving, return_exceptions=True)
            self._over()
            await asyncio.gather(*self._work, return_exceptions=True)

    async def _read(self) -> None:
        """Hand over what comes. The receiver hears of the end at once."""
        with contextlib.suppress(WebSocketDisconnect):
            await self._read_on()
        self._over()

    async def _read_on(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._readable.wait()
            event = await self._socket.receive()
            if event["type"] == "websocket.disconnect":
                return
            data = event.get("text") or event.get("bytes") or b""
            while self._pace is not None and (rest := self._pace.rest(len(data), loop.time())):
                if rest == math.inf:
                    self.close(TOO_FAST, "too many messages", LEAVE)
                    break
                await asyncio.sleep(rest)
            if self._receiver is not None:
                self._receiver.receive(data)

    async def _send(self) -> None:
        """Send what waits, until a close was sent or nobody takes it."""
        with contextlib.suppress(Exception):  # the connection is lost: reading hears of it
            while True:
                await self._sendable.wait()
                message = self._to_send.popleft()
                if not self._to_send:
                    self._sendable.clear()
                async with asyncio.timeout(SECONDS):
                    await self._socket.send(message)
                self._waiting -= len(message.get("bytes") or b"")
                if self._waiting < LOW and not self._writable.is_set():
                    self._writable.set()
                    if self._receiver is not None:
                        self._receiver.drained()
                if message["type"] == "websocket.close":
                    return

    async def _leave(self) -> None:
        await self._leaving.wait()
        self._back = come_back(self._pages())
        if self._receiver is not None:
            self._receiver.stop()
        else:
            self.end()

    def _over(self) -> None:
        """Nothing is sent any more. Tell the receiver, once."""
        self._closed = True
        self._writable.set()
        self._readable.set()
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.gone()

    def _put(self, message: WebSocketSendMessage) -> None:
        self._to_send.append(message)
        self._sendable.set()

    def work(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    def say(self, data: bytes) -> None:
        if self._closed:
            return
        self._waiting += len(data)
        if self._waiting > HIGH:
            self._writable.clear()
        self._put({"type": "websocket.send", "bytes": data, "text": None})

    @property
    def full(self) -> bool:
        return not self._writable.is_set()

    async def ready(self) -> None:
        await self._writable.wait()

    def hold(self, *, still: bool) -> None:
        if still and not self._closed:
            self._readable.clear()
        else:
            self._readable.set()

    def end(self) -> None:
        self.close(RESTART, f"{self._back:.1f}", LEAVE)

    def close(self, code: int, reason: str = "", patience: float = PATIENCE) -> None:  # noqa: ARG002 - uvicorn has its own
        if not self._closed:
            self._put({"type": "websocket.close", "code": code, "reason": reason})
            self._over()
