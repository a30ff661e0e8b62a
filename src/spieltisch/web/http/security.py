"""What stands before every page: the sub-path, the check for requests of other sites, the headers of every answer.

An ASGI application around the application. It refuses what another site's page sends (by Sec-Fetch-Site and
Origin) and what comes too often; it adds the security headers to every answer, also to those that no route gave. Who
still waits for an answer when the server has no more time is told so: that is no error.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from spieltisch.web.http.headers import RequestHead, head_of
from spieltisch.web.http.rate_limits import ASKING, RateLimits

HEADERS = (
    (b"content-security-policy",
     b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"),
    # not "no-referrer": with it browsers send `Origin: null` with our own forms; a seat's key stands in the
    # fragment of an address and so is never part of a Referer
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)  # fmt: skip
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
Observe = Callable[[str, int, float], None]
FREE = ("/static/", "/health")  # what costs next to nothing is not counted


def is_same_origin(head: RequestHead) -> bool:
    """Whether a page of ours (or no page at all: a program) sent this request."""
    site = head.header(b"sec-fetch-site")
    if site:
        return site in {"same-origin", "none"}
    origin = head.header(b"origin")
    if origin:
        return origin == head.asked
    # browsers send an Origin with every form and socket of another site; who sends cookies and neither is odd
    return b"cookie" not in head.headers


class Security:
    """The application `app` below the sub-path `base`, with what every request needs around it.

    `trusted`: a proxy in front names host and scheme. `lan`: the address for other machines in the network, which
    stands in links where somebody uses localhost; "" if there is none. `observe` is told of every answer: its kind, its
    status, how many seconds it took.
    """

    def __init__(
        self,
        app: ASGIApp,
        base: str,
        limits: RateLimits,
        observe: Observe,
        *,
        trusted: bool = False,
        lan: str = "",
    ) -> None:
        self._app = app
        self._base = base
        self._limits = limits
        self._observe = observe
        self._trusted = trusted
        self._lan = lan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if self._base and (path == self._base or path.startswith(self._base + "/")):
            path = path[len(self._base) :] or "/"  # a proxy may take the sub-path off, or leave it
            scope = {**scope, "path": path, "raw_path": path.encode()}  # ty: ignore[invalid-assignment]
        head = head_of(scope, trusted=self._trusted, lan=self._lan)
        scope["state"] = {**scope.get("state", {}), "head": head}
        ASKING.set(head.address)
        if scope["type"] == "websocket":
            if not is_same_origin(head) or not self._limits.take("socket", head.address):
                await _close(receive, send)
                return
            await self._app(scope, receive, send)
            return
        begun, kind, status = perf_counter(), kind_of(scope["method"], path, scope["query_string"]), 0
        if refusal := self._refusal(scope["method"], path, head):
            await _refuse(send, *refusal)
            self._observe(kind, refusal[0], perf_counter() - begun)
            return

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = {name.lower() for name, _ in message["headers"]}
                extra = [pair for pair in HEADERS if pair[0] not in given]
                if b"cache-control" not in given:
                    extra.append((b"cache-control", b"no-store"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            await self._app(scope, receive, with_headers)
        except asyncio.CancelledError:
            if status:
                raise
            await _refuse(with_headers, 503, b"the server stops before it could answer, please try again")
        finally:
            self._observe(kind, status, perf_counter() - begun)

    def _refusal(self, method: str, path: str, head: RequestHead) -> tuple[int, bytes] | None:
        """Status and words for a request that goes no further."""
        if method not in SAFE and not is_same_origin(head):
            return 403, b"this form comes from another site"
        counted = None if path.startswith(FREE) and method in SAFE else "get" if method in SAFE else "post"
        if counted and not self._limits.take(counted, head.address):
            return 429, b"too many requests, wait a moment"
        return None


def kind_of(method: str, path: str, query: bytes) -> str:
    """The kind of a request, as it is counted: those that wait for news are no measure of the server."""
    if path.startswith("/static/"):
        return "static"
    if method in SAFE and b"after=" in query:
        return "wait"
    if path.startswith("/api/"):
        return "program"
    return "page" if method in SAFE else "form"


async def _refuse(send: Send, status: int, text: bytes) -> None:
    body = b'{"type":"about:blank","title":"%s","status":%d}' % (text, status)
    headers = [(b"content-type", b"application/problem+json"), (b"cache-control", b"no-store"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _close(receive: Receive, send: Send) -> None:
    await receive()  # websocket.connect; closing before accepting answers 403
    await send({"type": "websocket.close", "code": 4403, "reason": ""})
