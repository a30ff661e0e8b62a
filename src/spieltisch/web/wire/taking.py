"""Whether somebody takes what is sent to them: an answer that nobody reads would stay in memory for ever."""

import asyncio

SECONDS = 20.0
LEAST = 16 * 1024  # bytes that have to be taken in that time


class Taken(asyncio.Protocol):
    """Stands before a protocol of uvicorn among the bases: cuts a connection whose full buffer does not empty."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _look: asyncio.TimerHandle | None = None  # the next one, while the buffer is full

    def pause_writing(self) -> None:
        """The buffer is full."""
        super().pause_writing()
        self._look_later()

    def resume_writing(self) -> None:
        """What was sent has been taken."""
        self._look_no_more()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self._look_no_more()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        self._look = self.loop.call_later(SECONDS, self._cut, self.transport.get_write_buffer_size())

    def _look_no_more(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None

    def _cut(self, size: int) -> None:
        if size - self.transport.get_write_buffer_size() < LEAST:
            self.transport.abort()
        else:
            self._look_later()
