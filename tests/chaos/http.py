"""A cheap HTTP client: people ask hundreds of times a second, on the same machine as the servers.

It keeps connections, sends JSON, and reads responses with a length or in chunks; nothing else.
"""

import asyncio
from typing import Any, NamedTuple

import httptools
import msgspec


class Answer(NamedTuple):
    status: int
    body: bytes

    @property
    def text(self):
        return self.body.decode()

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Client:
    """Sends from an address of its own, with the same headers each time."""

    def __init__(self, address, **headers):
        self._address = address
        self._head = "".join(f"{name}: {value}\r\n" for name, value in {"host": "127.0.0.1", **headers}.items())
        self._free: dict[int, list[_Line]] = {}  # by port

    async def ask(self, port, method, path, body=None, *, seconds):
        """The response. Raises OSError without one, and TimeoutError (an OSError) if none comes in time; the server
        then finds the connection closed.
        """
        sent = b"" if body is None else msgspec.json.encode(body)
        kind = "" if body is None else "content-type: application/json\r\n"
        length = f"content-length: {len(sent)}\r\n" if method == "POST" else ""
        head = f"{method} {path} HTTP/1.1\r\n{self._head}{kind}{length}\r\n"
        free, line = self._free.setdefault(port, []), None
        while free and line is None:
            line = one if (one := free.pop()).open else None
        try:
            async with asyncio.timeout(seconds):
                if line is None:
                    connect = asyncio.get_running_loop().create_connection
                    _, line = await connect(_Line, "127.0.0.1", port, local_addr=(self._address, 0))
                answer = await line.ask(head.encode() + sent)
        except BaseException:
            if line is not None:
                line.transport.abort()
            raise
        free.append(line)
        return answer

    def close(self):
        for lines in self._free.values():
            for line in lines:
                line.transport.abort()
        self._free.clear()


class _Line(asyncio.Protocol):
    """One connection, with one request at a time."""

    def __init__(self):
        self.open = False

    def connection_made(self, transport):
        self.transport, self.open = transport, True

    def connection_lost(self, exc):
        self.open = False
        self._fail(ConnectionError("the connection was closed"))

    async def ask(self, request):
        self._parts = []
        self._parser = httptools.HttpResponseParser(self)
        self._answer = asyncio.get_running_loop().create_future()
        if self.open:
            self.transport.write(request)
        else:
            self.connection_lost(None)
        return await self._answer

    def data_received(self, data):
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, AttributeError):  # nobody had asked
            self._fail(ConnectionError("this is no answer"))
            self.transport.abort()

    def on_body(self, body):
        self._parts.append(body)

    def on_message_complete(self):
        self.open = self.open and self._parser.should_keep_alive()
        if not self._answer.done():
            self._answer.set_result(Answer(self._parser.get_status_code(), b"".join(self._parts)))

    _answer = None

    def _fail(self, error):
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)
