"""What a connection may take that the application does not see: bytes and seconds of a request's head, silence in the
middle of a body, requests that wait, answers that nobody takes, and how many connections an address holds.

uvicorn reads heads of any size for any time. The limits are sized for a class behind one address: 64 phones, each with
its socket and the six connections of a browser. And it closes connections without a word when it stops: what a proxy
sends on one at that moment would be lost, and nobody could say whether it was done. Used with the versions in
`wire.KNOWN` only.
"""

import asyncio
from collections.abc import Container, Sequence
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from spieltisch.web.core.http.client import counted
from spieltisch.web.core.http.connections import OF_ADDRESS, Connections
from spieltisch.web.core.http.security import trusted_hosts
from spieltisch.web.wire import HEAD
from spieltisch.web.wire.taking import Taken

HEAD_SECONDS = 15.0  # also before the first one
ADDRESS = 8 * 1024  # bytes of what the first line of a head asks for: to unquote more takes long
SILENT_SECONDS = 20.0
REST_SECONDS = 60.0  # for the rest of a body that is answered already
PIPELINED = 50  # requests that wait on a connection; browsers send none ahead
CONNECTIONS = 600  # of an address


class BoundedProtocol(Taken, HttpToolsProtocol):
    """uvicorn's protocol within limits. All connections of a proxy that is trusted come from one address: they are not
    counted, nor are any if addresses are not `limited`. `allowed` says how many there may be in all. Once the server is
    `stopping`, each answer says that it is the last one on its connection.
    """

    def __init__(
        self,
        *given: Any,
        stopping: asyncio.Event,
        allowed: Connections,
        proxies: Container[str] = (),
        limited: bool = True,
        **more: Any,
    ) -> None:
        super().__init__(*given, **more)
        self._stopping = stopping
        self._proxies = proxies
        self._limited = limited
        self._allowed = allowed
        self._in_head = True
        self._came = 0  # bytes that came while the head was read
        self._head = 0  # bytes of the headers that are complete
        self._answered = False  # before its body had come
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        if not self._allowed.admits(self.connections):
            transport.abort()
        elif self._neighbours() > CONNECTIONS:
            self._allowed.refused[OF_ADDRESS] += 1
            transport.abort()
        else:
            self._wait(HEAD_SECONDS)

    def _neighbours(self) -> int:
        """The connections of this one's address; 0 where they are not counted, or cannot be too many."""
        if len(self.connections) <= CONNECTIONS or not self._limited:
            return 0
        if not self.client or self.client[0] in self._proxies:
            return 0
        own, peers = counted(self.client[0]), [getattr(one, "client", None) for one in self.connections]
        return sum(counted(peer[0]) == own for peer in peers if peer)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._in_head and self.transport is not None and not self.transport.is_closing():
            self._came += len(data)
            if self._came > HEAD:
                self._refuse(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._came, self._head, self._answered = True, 0, 0, False
        self._wait(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > ADDRESS:
            self._refuse(b"414 URI Too Long")

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head += len(name) + len(value) + 4
        if self._head <= HEAD:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        if self.transport.is_closing():
            return
        if len(self.pipeline) >= PIPELINED:
            self.transport.abort()
            return
        if self._head > HEAD:
            self._refuse(b"431 Request Header Fields Too Large")
            return
        self._wait(SILENT_SECONDS)
        super().on_headers_complete()
        if self._stopping.is_set():
            self._say_last()

    def shutdown(self) -> None:
        self._say_last()
        super().shutdown()

    def _say_last(self) -> None:
        """The answer that is being worked out tells whoever asked not to send more here."""
        if self.cycle is not None:
            self.cycle.default_headers = [*self.cycle.default_headers, (b"connection", b"close")]

    def on_body(self, body: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self.cycle.response_complete:
            self._wait(SILENT_SECONDS)
        elif not self._answered:
            self._answered = True
            self._wait(REST_SECONDS)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._wait(None)
        if not self.transport.is_closing():
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._wait(None)
        if not self.transport.is_closing():
            super().handle_websocket_upgrade()
            self.parser = None  # as where a connection is lost: else the two hold each other, and this the head

    def _wait(self, seconds: float | None) -> None:
        """Close the connection if so many seconds pass before this is called again; None: never."""
        if self._patience is not None:
            self._patience.cancel()
        self._patience = None if seconds is None else self.loop.call_later(seconds, self._lost_patience)

    def _lost_patience(self) -> None:
        if self.flow.read_paused:  # it is the application that does not read on
            self._wait(SILENT_SECONDS)
        elif self._answered:
            self.transport.close()
        else:
            self._refuse(b"408 Request Timeout")

    def _refuse(self, status: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" % status)
            self.transport.close()


def bounded_protocol(
    proxies: Sequence[str], allowed: Connections, stopping: asyncio.Event, *, limited: bool = True
) -> Any:
    """What `uvicorn.Config` takes as `http`."""
    return partial(BoundedProtocol, proxies=trusted_hosts(proxies), allowed=allowed, stopping=stopping, limited=limited)
