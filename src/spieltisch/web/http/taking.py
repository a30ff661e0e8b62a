"""Whether somebody takes what is sent to them: an answer that nobody reads would stay in memory for ever."""

import asyncio

SECONDS = 20.0
LEAST = 16 * 1024  # bytes that have to be taken in that time


class Taking:
    """Made when a connection's buffer is full, ended when it is not: cuts the connection if it does not empty."""

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
        self._loop, self._transport = loop, transport
        self._look_later()

    def _look_later(self) -> None:
        self._size = self._transport.get_write_buffer_size()
        self._timer = self._loop.call_later(SECONDS, self._look)

    def _look(self) -> None:
        if self._size - self._transport.get_write_buffer_size() < LEAST:
            self._transport.abort()
        else:
            self._look_later()

    def end(self) -> None:
        """It is no longer full, or the connection is over."""
        self._timer.cancel()


def end(taking: Taking | None) -> None:
    """End it, if there is one."""
    if taking is not None:
        taking.end()
