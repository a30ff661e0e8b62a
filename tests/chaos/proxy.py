"""Sits between a server and its database, and treats their bytes like a bad network."""

import asyncio
import contextlib
import random

CHUNK = 64 * 1024


class Proxy:
    """Forwards connections. The treatment of bytes can change at any time; the latency applies to each chunk. `at` and
    `to` are a socket's path, or a host and a port.
    """

    def __init__(self, at, to):
        self.at, self.to = at, to
        self.latency = (0.0, 0.0)  # seconds: between these two
        self.stalls = (0.0, 0.0)  # their chance, and their seconds
        self._open: set[asyncio.StreamWriter] = set()
        self._swallows = False
        self._flows = asyncio.Event()
        self._flows.set()
        self._dice = random.Random(1)
        self._server = None

    async def start(self):
        if isinstance(self.at, tuple):
            self._server = await asyncio.start_server(self._serve, *self.at)
        else:
            self._server = await asyncio.start_unix_server(self._serve, self.at)

    def stop(self):
        """Refuse connections until it is started again."""
        self._server.close()

    async def close(self):
        self.stop()
        self.cut()

    def stall(self):
        """Hold everything back until it is healed; then all of it passes."""
        self._flows.clear()

    def swallow(self):
        """Drop everything silently, both ways, as on a half-open connection."""
        self._swallows = True

    def cut(self):
        """End all connections silently."""
        for writer in list(self._open):
            writer.transport.abort()

    def heal(self):
        """Work like a healthy network. Connections that have lost bytes can only be cut."""
        self.latency = self.stalls = (0.0, 0.0)
        self._flows.set()
        if self._swallows:
            self._swallows = False
            self.cut()

    async def _serve(self, reader, writer):
        self._open.add(writer)
        other = None
        try:
            if isinstance(self.to, tuple):
                from_database, other = await asyncio.open_connection(*self.to)
            else:
                from_database, other = await asyncio.open_unix_connection(self.to)
            self._open.add(other)
            ways = [asyncio.ensure_future(self._pass(*way)) for way in ((reader, other), (from_database, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
        except OSError:  # nobody answers there
            pass
        finally:
            for one in filter(None, (writer, other)):
                self._open.discard(one)
                one.transport.abort()

    async def _pass(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                if self.latency[1]:
                    await asyncio.sleep(self._dice.uniform(*self.latency))
                if self.stalls[0] and self._dice.random() < self.stalls[0]:
                    await asyncio.sleep(self.stalls[1])
                await self._flows.wait()
                if not self._swallows:
                    writer.write(data)
                    await writer.drain()
