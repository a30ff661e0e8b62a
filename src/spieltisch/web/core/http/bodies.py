"""Limits how slowly and how large request bodies may arrive, for each address and in all.

This is an ASGI layer around the application. A body is read only while there is room for it.
"""

import asyncio
from collections import Counter

from litestar.exceptions import HTTPException
from litestar.types import Receive
from litestar.types.asgi_types import ReceiveMessage

PIECE_SECONDS = 15.0  # within which at least `PIECE` bytes must arrive, or the rest
PIECE = 4 * 1024
WHOLE_SECONDS = 300.0  # for a whole body
LONGEST = 12 * 2**20  # bytes of a body that the application keeps
SMALL = 64 * 1024  # bytes of each body that are free: forms get through even while large files use up the budget
OF_ADDRESS = 48 * 2**20  # bytes in flight for one address
OF_ALL = 160 * 2**20


class TooSlow(HTTPException):
    """The body arrived too slowly."""

    status_code = 408


class NoRoom(HTTPException):
    """Too many bytes are in flight already."""

    status_code = 429


class Bodies:
    """Counts the bytes of all bodies in flight."""

    def __init__(self, of_address: int = OF_ADDRESS, of_all: int = OF_ALL) -> None:
        self._most, self._most_of_all = of_address, of_all
        self._reading: Counter[str] = Counter()

    def body(self, receive: Receive, address: str) -> "Body":
        """Return the body of one request from this address. Close it when the request is answered."""
        return Body(self, receive, address)

    def take(self, address: str, n: int) -> None:
        """Count this many more bytes. Raises NoRoom if they exceed a budget."""
        if self._reading[address] + n > self._most or self._reading.total() + n > self._most_of_all:
            raise NoRoom(detail="too many bytes at a time")
        self._reading[address] += n

    def give_back(self, address: str, n: int) -> None:
        """Return bytes to the budget."""
        self._reading[address] -= n
        if self._reading[address] <= 0:
            del self._reading[address]


class Body:
    """Receives one request's body. Raises TooSlow and NoRoom while the application reads it."""

    def __init__(self, bodies: Bodies, receive: Receive, address: str) -> None:
        self._bodies, self._receive, self._address = bodies, receive, address
        self._came = self._held = 0  # bytes that have arrived, and how many of them are counted
        self._since: float | None = None  # when the application asked for the first piece
        self._over = False

    async def receive(self) -> ReceiveMessage:
        """Return the next ASGI message."""
        if self._over:
            return await self._receive()  # the client leaves: this may take long
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
        counted = min(max(0, self._came - SMALL), LONGEST)  # the application keeps no more than that
        if counted > self._held:
            self._bodies.take(self._address, counted - self._held)
            self._held = counted
        return {"type": "http.request", "body": body, "more_body": more}

    def close(self) -> None:
        """Give all bytes back: the request is answered."""
        if self._held:
            self._bodies.give_back(self._address, self._held)
