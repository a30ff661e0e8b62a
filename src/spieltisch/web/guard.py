"""What stands before every page: the sub-path, whose request it is, how many, and the headers of every answer.

An ASGI application around the application. It refuses what another site's page sends (by Sec-Fetch-Site and
Origin), what comes too often, and paths outside the sub-path; it adds the security headers to every answer,
also to those that no route gave.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from litestar.types import ASGIApp, Message, Receive, Scope, Send

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


def header(scope: Any, name: bytes) -> str:
    """A request's header, "" if it has none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def host_of(scope: Any, trusted: bool) -> str:
    """The host (and port) that the browser asked; a trusted proxy may name it."""
    return (header(scope, b"x-forwarded-host") if trusted else "") or header(scope, b"host")


def ours(scope: Any, host: str) -> bool:
    """Whether a page of ours (or no page at all: a program) sent this request."""
    site = header(scope, b"sec-fetch-site")
    if site:
        return site in {"same-origin", "none"}
    origin = header(scope, b"origin")
    if origin:
        return origin != "null" and urlsplit(origin).netloc == host
    # browsers send an Origin with every form and socket of another site; who sends cookies and neither is odd
    return not header(scope, b"cookie")


class Buckets:
    """How often an address may do a thing: `burst` at once, then `rate` a second. Keeps the last 10,000 addresses."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, address: str, burst: float, rate: float) -> bool:
        """Whether there was one left, and takes it."""
        now = self._clock()
        left, since = self._left.pop((kind, address), (burst, now))
        left = min(burst, left + (now - since) * rate)
        allowed = left >= 1
        self._left[kind, address] = (left - 1 if allowed else left, now)
        if len(self._left) > 10_000:
            self._left.popitem(last=False)
        return allowed


def address_of(scope: Any) -> str:
    """Whose request it is. A network of IPv6 counts as one: a house gets a whole /64."""
    client = scope.get("client")
    address = client[0] if client else ""
    return ":".join(address.split(":")[:4]) if address.count(":") > 3 else address


class Guard:
    """The application with everything around it that every request needs."""

    def __init__(self, app: ASGIApp, base: str, *, trusted: bool, limits: bool) -> None:
        self._app = app
        self._base = base
        self._trusted = trusted
        self._buckets = Buckets() if limits else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if self._base and (path == self._base or path.startswith(self._base + "/")):
            path = path[len(self._base) :] or "/"  # a proxy may take the sub-path off, or leave it
            scope = {**scope, "path": path, "raw_path": path.encode()}  # ty: ignore[invalid-assignment]
        host = host_of(scope, self._trusted)
        scope["state"] = {**scope.get("state", {}), "host": host}
        if scope["type"] == "websocket":
            if not ours(scope, host) or not self._may(scope, "socket", 60, 2):
                await _close(receive, send)
                return
            await self._app(scope, receive, send)
            return
        if scope["method"] not in SAFE:
            if not ours(scope, host):
                await _refuse(send, 403, b"this form comes from another site")
                return
            if not self._may(scope, "post", 200, 40):
                await _refuse(send, 429, b"too many requests, wait a moment")
                return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                extra = [pair for pair in HEADERS if pair[0] not in given]
                if b"cache-control" not in given:
                    extra.append((b"cache-control", b"no-store"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self._app(scope, receive, with_headers)

    def _may(self, scope: Any, kind: str, burst: float, rate: float) -> bool:
        return self._buckets is None or self._buckets.take(kind, address_of(scope), burst, rate)


async def _refuse(send: Send, status: int, text: bytes) -> None:
    body = b'{"type":"about:blank","title":"%s","status":%d}' % (text, status)
    headers = [(b"content-type", b"application/problem+json"), (b"cache-control", b"no-store"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _close(receive: Receive, send: Send) -> None:
    await receive()  # websocket.connect; closing before accepting answers 403
    await send({"type": "websocket.close", "code": 4403, "reason": ""})
