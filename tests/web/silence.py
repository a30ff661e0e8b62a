"""A connection that can go silent, as in a lift: a relay on a port of its own."""

import asyncio
import contextlib


class Silence:
    """`async with Silence(port) as relay`: bytes to `relay.port` go to `port` and back, until it is `silent`.

    Then it still accepts bytes and connections, but passes nothing on, silently. `mute`: it passes bytes on, but
    nothing back.
    """

    def __init__(self, port):
        self.to = port
        self.silent = self.mute = False
        self._tasks = set()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        there, back = await asyncio.open_connection("127.0.0.1", self.to)
        try:
            with contextlib.suppress(asyncio.CancelledError):  # the server's own task may end in any way
                await asyncio.gather(self._pass(reader, back), self._pass(there, writer, back=True))
        finally:
            for one in (writer, back):
                one.transport.abort()

    async def _pass(self, reader, writer, *, back=False):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if not (self.silent or (back and self.mute)):
                    writer.write(data)
        if not (self.silent or self.mute):
            writer.close()
