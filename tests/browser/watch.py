"""Notes every complaint of a browser while a page is used, and the outcome of the moves it sent."""

import asyncio
import json
from urllib.parse import urlsplit

CUT = "net::ERR_ABORTED"  # a load that the next page interrupts is not a failure


class Watch:
    """The complaints of a browser: console errors and warnings (also of the content-security policy), exceptions,
    failed requests, error responses, requests to another host. Those in `expects` do not count.
    """

    def __init__(self, context, origin):
        self.complaints = []
        self.expects = ()
        self.origin, self.host = origin, urlsplit(origin).netloc
        self.moves = {}  # (page, number of the message) -> "taken", "moot" or "refused"; None until it is answered
        self.told = asyncio.Event()
        context.on("console", self._console)
        context.on("weberror", lambda found: self._note(f"exception: {found.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", lambda found: found.status < 400 or self._note(f"{found.status}: {found.url}"))

    def listen(self, page):
        """Also follow a page's sockets."""
        page.on("websocket", self._socket)

    def _socket(self, socket):
        loaded = ""  # the page's own mark; its messages are numbered from 1 after each load

        def sent(message):
            nonlocal loaded
            said = json.loads(message)
            loaded = said.get("page", loaded)
            if said.get("to") == "move":
                self.moves.setdefault((loaded, said["id"]), None)

        def received(message):
            said = json.loads(message)
            if (loaded, said.get("id")) in self.moves:
                outcome = "moot" if said.get("moot") else "taken" if said["ok"] else "refused"
                self.moves[loaded, said["id"]] = outcome
                self.told.set()

        socket.on("framesent", sent)
        socket.on("framereceived", received)

    async def answered(self):
        """Wait until every move has its answer. The picture may come first, and show that others' moves have ended the
        question.
        """
        async with asyncio.timeout(60):
            while None in self.moves.values():
                self.told.clear()
                await self.told.wait()

    def taken(self):
        """The number of moves that the server has accepted."""
        return list(self.moves.values()).count("taken")

    def _note(self, words):
        if not any(one in words for one in self.expects):
            self.complaints.append(words)

    def _console(self, message):
        if message.type in {"error", "warning"}:
            self._note(f"console: {message.text}")

    def _request(self, request):
        split = urlsplit(request.url)
        if split.scheme in {"http", "https", "ws", "wss"} and split.netloc != self.host:
            self._note(f"another host: {request.url}")

    def _failed(self, request):
        if request.failure != CUT:
            self._note(f"failed: {request.url} {request.failure}")
