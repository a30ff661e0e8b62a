"""Notes everything a browser has to complain about while a page is used."""

from urllib.parse import urlsplit

CUT = "net::ERR_ABORTED"  # a load that the next page cut short is no failure


class Watch:
    """The complaints of a browser: errors and warnings of its console (also of the content-security policy),
    exceptions, failed requests, answers of an error, requests to another host. What `expects` holds is none."""

    def __init__(self, context, origin):
        self.complaints = []
        self.expects = ()
        self.host = urlsplit(origin).netloc
        self.moot = 0  # answers of the server that a move came too late to matter
        context.on("console", self._console)
        context.on("weberror", lambda found: self._note(f"exception: {found.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", lambda found: found.status < 400 or self._note(f"{found.status}: {found.url}"))

    def listen(self, page):
        """Hear what comes over a page's sockets, too."""
        page.on("websocket", lambda line: line.on("framereceived", self._frame))

    def _frame(self, message):
        self.moot += b'"moot":true' in message

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
