"""How a request's body comes in: not too slowly, and not too much of it at a time, for an address and for all.

An ASGI layer around the application, which reads a body only after it has found that it may come.
"""

import asyncio
from collections import Counter
from typing import Any

from litestar.exceptions import HTTPException
from litestar.types import Receive

PIECE_SECONDS = 15.0  # in which at least `PIECE` bytes have to come, or the rest
PIECE = 4 * 1024
WHOLE_SECONDS = 300.0  # for a whole body
LONGEST = 12 * 2**20  # bytes of a body that are kept
SMALL = 64 * 1024  # bytes of each body that are not counted: a form gets through also while large files fill the bound
OF_ADDRESS = 48 * 2**20  # bytes of bodies that are being read, of one address
OF_ALL = 160 * 2**20


class TooSlow(HTTPException):
    """The body came too slowly."""

    status_code = 408


class NoRoom(HTTPException):
    """Too many bytes are being read already."""

    status_code = 429


class Bodies:
    """Counts the bytes of all bodies that are being read."""

    def __init__(self, of_address: int = OF_ADDRESS, of_all: int = OF_ALL) -> None:
        self._most, self._most_of_all = of_address, of_all
        self._reading: Counter[str] = Counter()

    def body(self, receive: Receive, address: str) -> "Body":
        """The body of one request of this address; to be closed when it is answered."""
        return Body(self, receive, address)

    def take(self, address: str, n: int) -> None:
        """Raise NoRoom if there is no room for so many bytes more; else count them."""
        if self._reading[address] + n > self._most or self._reading.total() + n > self._most_of_all:
            raise NoRoom(detail="too many bytes at a time")
        self._reading[address] += n

    def give_back(self, address: str, n: int) -> None:
        """These bytes have been worked on."""
        self._reading[address] -= n
        if self._reading[address] <= 0:
            del self._reading[address]


class Body:
    """Receives one request's body. Raises TooSlow and NoRoom where the application reads it."""

    def __init__(self, bodies: Bodies, receive: Receive, address: str) -> None:
        self._bodies, self._receive, self._address = bodies, receive, address
        self._came = self._held = 0  # bytes that came, and those of them that are counted
        self._since: float | None = None  # when its first piece was asked for
        self._over = False

    async def receive(self) -> Any:
        """The next message, as ASGI has it."""
        if self._over:
            return await self._receive()  # whether the client has gone: that may take long
        loop = asyncio.get_running_loop()
        self._since = self._since or loop.time()
        try:
            async with asyncio.timeout_at(min(self._since + WHOLE_SECONDS, loop.time() + PIECE_SECONDS)):
                body, more = b"", True
                while more and len(body) < PIECE:
                    message = await self._receive()
                    if message["type"] != "http.request":
                        self._over = True
                        return message
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
        except TimeoutError:
            self._over = True
            raise TooSlow(detail="the body came too slowly") from None
        self._over = not more
        self._came += len(body)
        counted = min(max(0, self._came - SMALL), LONGEST)  # of what is longer the application keeps no more
        if counted > self._held:
            self._bodies.take(self._address, counted - self._held)
            self._held = counted
        return {"type": "http.request", "body": body, "more_body": more}

    def close(self) -> None:
        """The request is answered."""
        if self._held:
            self._bodies.give_back(self._address, self._held)
