"""The outermost layer of the web: the sub-path, same-origin checks, rate limits and security headers.

This is an ASGI application around the application. It refuses requests from other sites' pages (by Sec-Fetch-Site and
Origin) and requests that come too often. It adds security headers to every answer, even where no route matched. Clients
still waiting when the server stops get an answer; that is no error.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from time import perf_counter
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from spieltisch import i18n
from spieltisch.game import Refused
from spieltisch.table.patience import deadline
from spieltisch.web.core.http.bodies import Bodies
from spieltisch.web.core.http.client import RequestHead, head_of
from spieltisch.web.core.http.cookies import TRIES, Cookies
from spieltisch.web.core.http.guesses import BROWSER, Browser
from spieltisch.web.core.http.problems import (
    WORDS,
    Busy,
    Forbidden,
    Misdirected,
    Problem,
    TooMany,
    Unreadable,
    status_of,
)
from spieltisch.web.core.http.queues import Shares
from spieltisch.web.core.http.rate_limits import ASKING, OWN, RateLimits

HEADERS = (
    (b"content-security-policy",
     b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"),
    # not "no-referrer": with it browsers send `Origin: null` with our own forms; a seat's key is in the
    # fragment of an address, so it is never part of a Referer
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)  # fmt: skip
ONLY_SECURE = ((b"cross-origin-opener-policy", b"same-origin"),)  # browsers ignore it, with a warning, without https
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
Observe = Callable[[str, int, float], None]
CHEAP = {"/static/": "static", "/health": "health", "/ready": "health", "/metrics": "health"}
PAUSE = 1.0  # seconds of delay for each further refusal, after many
RETRY = b"10"  # seconds
LOCAL = (".local", ".localhost", ".lan", ".internal", ".home.arpa", ".fritz.box")  # nobody can register a name there


class Security:
    """Serves `app` below the sub-path `base`.

    `trusted`: a proxy in front names host and scheme. `origin`: this server's scheme and host, if known. `lan`: the
    address for other machines in the network, used in links instead of localhost; "" if there is none. `observe` is
    called with every answer's kind, status and seconds. `holder` returns the key holder for a path and cookies.
    """

    def __init__(
        self,
        app: ASGIApp,
        base: str,
        limits: RateLimits,
        shares: Shares,
        observe: Observe,
        holder: Callable[[str, Mapping[str, str]], str],
        *,
        trusted: bool = False,
        lan: str = "",
        origin: str = "",
    ) -> None:
        self._app = app
        self._base = base
        self._cookies = Cookies(base)
        self._limits = limits
        self._shares = shares
        self._observe = observe
        self._holder = holder
        self._trusted = trusted
        self._lan = lan
        self._origin = origin
        self._bodies = Bodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if self._base and (path == self._base or path.startswith(self._base + "/")):
            path = path[len(self._base) :] or "/"  # a proxy may strip the sub-path or not
            scope = {**scope, "path": path, "raw_path": path.encode()}  # ty: ignore[invalid-assignment]
        head = head_of(scope, trusted=self._trusted, lan=self._lan, origin=self._origin)
        jar = ASGIConnection(scope).cookies
        holder = self._holder(path, jar)
        scope["state"] = {**scope.get("state", {}), "head": head, "holder": holder}
        ASKING.set(head.address)
        BROWSER.set(Browser(jar.get(TRIES, "")))
        refusal = self._refusal(scope, path, head, holder)
        if refusal and not self._limits.take("refused", head.address):
            await asyncio.sleep(PAUSE)  # a client that goes on regardless costs next to nothing
        if scope["type"] == "http":
            # who only looks may wait for news
            with nullcontext() if scope["method"] in {"GET", "HEAD"} else deadline():
                await self._request(scope, receive, send, path, head, refusal)
        elif refusal:
            await _close(receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(
        self,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
        path: str,
        head: RequestHead,
        refusal: Refused | None,
    ) -> None:
        method = scope["method"]
        begun, kind, status = perf_counter(), kind_of(method, path, scope["query_string"]), 0
        if not refusal and not await self._shares.turn(head.address):
            refusal = TooMany(WORDS[429])
        if refusal:
            await _refuse(send, head, refusal)
            self._observe(kind, status_of(refusal), perf_counter() - begun)
            return
        if method == "OPTIONS" and path in {"*", "/*"}:
            await _answer(send, 204, head, [(b"allow", b"GET, HEAD, POST, OPTIONS")])
            return
        is_head = method == "HEAD"
        if is_head:  # RFC 9110, 9.3.2: like GET, without the body
            scope = {**scope, "method": "GET"}
        body = self._bodies.body(receive, head.address)

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = [_with_head(name, value) for name, value in message["headers"]]
                if (mark := BROWSER.get().new_mark) and head.wants_html:
                    cookie = self._cookies.until_closed(TRIES, mark, secure=head.secure)
                    given.append(cookie.to_encoded_header())
                message["headers"] = [*given, *_more_headers(status, given, head)]
            elif is_head and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        try:
            await self._shares.do(head.address, self._app(scope, body.receive, with_headers))
        except asyncio.CancelledError:
            if status:
                raise
            await _refuse(with_headers, head, Busy("The server is stopping. Please try again."))
        finally:
            body.close()
            self._observe(kind, status, perf_counter() - begun)

    def _refusal(self, scope: Scope, path: str, head: RequestHead, holder: str) -> Refused | None:
        """Return why a request or a socket is refused, if it is."""
        hosts = sum(name == b"host" for name, _ in scope["headers"])
        if hosts > 1 or (not head.host and (hosts or scope.get("http_version") == "1.1")):  # RFC 9112, 3.2
            return Unreadable(WORDS[400])
        if not self._is_known(head, path, scope):
            return Misdirected(WORDS[421])
        safe = scope["type"] == "http" and scope["method"] in SAFE
        if not safe and not head.is_same_origin:
            return Forbidden("This form comes from another site. Open it here and send it again.")
        counted = "socket" if scope["type"] == "websocket" else "post"
        if safe:
            counted = next((kind for begin, kind in CHEAP.items() if path.startswith(begin)), "get")
        if not self._limits.take(counted, head.address, holder if counted in OWN else ""):
            return TooMany(WORDS[429])
        return None

    def _is_known(self, head: RequestHead, path: str, scope: Scope) -> bool:
        """Whether the requested host can be this server. Otherwise a page whose name was rebound to this address (DNS
        rebinding) would count as ours.
        """
        if CHEAP.get(path) == "health" and _is_near(scope):
            return True
        if self._origin:
            return head.host.lower() == self._origin.partition("://")[2].lower()
        return scope.get("proxied", False) or _is_own_name(head.host)


def kind_of(method: str, path: str, query: bytes) -> str:
    """Return the kind under which a request is counted. Long polls are a kind of their own."""
    if path.startswith("/static/"):
        return "static"
    if method in SAFE and b"after=" in query:
        return "wait"
    if path.startswith("/api/"):
        return "program"
    return "page" if method in SAFE else "form"


def _more_headers(status: int, given: Iterable[tuple[bytes, bytes]], head: RequestHead) -> list[tuple[bytes, bytes]]:
    """Return the standard headers that this answer lacks."""
    names = {name.lower() for name, _ in given}
    extra = [*HEADERS, (b"cache-control", b"no-store"), *(ONLY_SECURE if head.secure else ())]
    if status in {429, 503}:
        extra.append((b"retry-after", RETRY))
    return [pair for pair in extra if pair[0] not in names]


def _with_head(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Return a header. `Allow` gets HEAD wherever it has GET, which the framework leaves out."""
    return (name, value.replace(b"GET", b"GET, HEAD")) if name.lower() == b"allow" else (name, value)


def _is_near(scope: Scope) -> bool:
    """Whether the client is on this machine: a local socket or loopback."""
    client = scope.get("client")
    return client is None or client[0] in {"", UNIX, "127.0.0.1", "::1"}


@cache
def _own_name() -> str:
    return socket.gethostname().lower()


def _is_own_name(host: str) -> bool:
    """Whether nobody else can own this name: an address, this machine's name, or a local-network name."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    name = name.strip("[]").lower()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(LOCAL) or name == _own_name()
    return True


async def _answer(
    send: Send, status: int, head: RequestHead, headers: list[tuple[bytes, bytes]], body: bytes = b""
) -> None:
    whole = [*headers, *_more_headers(status, headers, head)]
    await send({"type": "http.response.start", "status": status, "headers": whole})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse(send: Send, head: RequestHead, refusal: Refused) -> None:
    """Send the refusal in words, knowing only the head of the request."""
    status, tr = status_of(refusal), i18n.common_translator(i18n.accepted(head.header(b"accept-language")))
    words = tr.refusal(refusal)
    if head.wants_json or head.sends_json:
        kind, body = b"application/problem+json", msgspec.json.encode(Problem(type(refusal).__name__, status, words))
    else:
        kind, body = b"text/plain; charset=utf-8", words.encode()
    length = str(len(body)).encode()
    await _answer(send, status, head, [(b"content-type", kind), (b"content-length", length)], body)


async def _close(receive: Receive, send: Send) -> None:
    await receive()  # websocket.connect; closing before accepting answers 403
    await send({"type": "websocket.close", "code": 4403, "reason": ""})


FORWARDED_HOST = b"x-forwarded-host"
UNIX = "unix"  # a Unix domain socket, which has no address; its client is the proxy


def trusted_hosts(proxies: Sequence[str]) -> Container[str]:
    """Return the proxies as addresses, networks, or "*" for any."""
    return _middleware(None, proxies).trusted_hosts


def _middleware(app: Any, proxies: Sequence[str]) -> ProxyHeadersMiddleware:
    return ProxyHeadersMiddleware(app, list(proxies))


class BehindProxy:
    """Serves `app` behind `proxies`: addresses, networks, or "*" for any.

    uvicorn's middleware takes the client's address and scheme from them. It ignores the forwarded host, which passes
    only if a proxy sent it.
    """

    def __init__(self, app: ASGIApp, proxies: Sequence[str]) -> None:
        self._app = _middleware(app, proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            client = scope.get("client") or (UNIX, 0)
            scope = {**scope, "client": client}  # ty: ignore[invalid-assignment]
            if client[0] not in self._app.trusted_hosts:
                headers = [pair for pair in scope["headers"] if pair[0] != FORWARDED_HOST]
                scope = {**scope, "headers": headers}  # ty: ignore[invalid-assignment]
            else:
                scope = {**scope, "proxied": True}  # ty: ignore[invalid-assignment]
        await self._app(scope, receive, send)  # ty: ignore[invalid-argument-type]
