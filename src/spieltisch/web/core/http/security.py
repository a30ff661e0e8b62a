"""What stands before every page: the sub-path, the check for requests of other sites, the headers of every answer.

An ASGI application around the application. It refuses what another site's page sends (by Sec-Fetch-Site and
Origin) and what comes too often; it adds the security headers to every answer, also to those that no route gave. Who
still waits for an answer when the server has no more time is told so: that is no error.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache
from time import perf_counter
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from spieltisch import i18n
from spieltisch.game import Refused
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
from spieltisch.web.core.http.rate_limits import ASKING, OWN, RateLimits
from spieltisch.web.core.http.shares import Shares

HEADERS = (
    (b"content-security-policy",
     b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"),
    # not "no-referrer": with it browsers send `Origin: null` with our own forms; a seat's key stands in the
    # fragment of an address and so is never part of a Referer
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)  # fmt: skip
ONLY_SECURE = ((b"cross-origin-opener-policy", b"same-origin"),)  # browsers ignore it, with a warning, without https
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
Observe = Callable[[str, int, float], None]
CHEAP = {"/static/": "static", "/health": "health", "/ready": "health", "/metrics": "health"}
PAUSE = 1.0  # seconds that an address waits for the next refusal, after many
RETRY = b"10"  # seconds after which it is worth trying again
LOCAL = (".local", ".localhost", ".lan", ".internal", ".home.arpa", ".fritz.box")  # nobody can register a name there


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

    `trusted`: a proxy in front names host and scheme. `origin`: scheme and host of this server, if they are known.
    `lan`: the address for other machines in the network, which stands in links where somebody uses localhost; "" if
    there is none. `observe` is told of every answer: its kind, its status, how many seconds it took. `holder` names
    whoever holds a key for this path with these cookies.
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
            path = path[len(self._base) :] or "/"  # a proxy may take the sub-path off, or leave it
            scope = {**scope, "path": path, "raw_path": path.encode()}  # ty: ignore[invalid-assignment]
        head = head_of(scope, trusted=self._trusted, lan=self._lan, origin=self._origin)
        jar = ASGIConnection(scope).cookies
        holder = self._holder(path, jar)
        scope["state"] = {**scope.get("state", {}), "head": head, "holder": holder}
        ASKING.set(head.address)
        BROWSER.set(Browser(jar.get(TRIES, "")))
        refusal = self._refusal(scope, path, head, holder)
        if refusal and not self._limits.take("refused", head.address):
            await asyncio.sleep(PAUSE)  # whoever goes on all the same costs next to nothing
        if scope["type"] == "http":
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
        if is_head:  # RFC 9110, 9.3.2: as GET, without what it would send
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

        async def answered() -> None:
            await self._app(scope, body.receive, with_headers)

        try:
            await self._shares.do(head.address, answered())
        except asyncio.CancelledError:
            if status:
                raise
            await _refuse(with_headers, head, Busy("The server is stopping. Please try again."))
        finally:
            body.close()
            self._observe(kind, status, perf_counter() - begun)

    def _refusal(self, scope: Scope, path: str, head: RequestHead, holder: str) -> Refused | None:
        """Why a request or a socket goes no further."""
        hosts = sum(name == b"host" for name, _ in scope["headers"])
        if hosts > 1 or (not head.host and (hosts or scope.get("http_version") == "1.1")):  # RFC 9112, 3.2
            return Unreadable(WORDS[400])
        if not self._is_known(head, path, scope):
            return Misdirected(WORDS[421])
        safe = scope["type"] == "http" and scope["method"] in SAFE
        if not safe and not is_same_origin(head):
            return Forbidden("This form comes from another site. Open it here and send it again.")
        counted = "socket" if scope["type"] == "websocket" else "post"
        if safe:
            counted = next((kind for begin, kind in CHEAP.items() if path.startswith(begin)), "get")
        if not self._limits.take(counted, head.address, holder if counted in OWN else ""):
            return TooMany(WORDS[429])
        return None

    def _is_known(self, head: RequestHead, path: str, scope: Scope) -> bool:
        """Whether the host that is asked for can be this server: a page under a name that was bound anew to this
        address would count as ours.
        """
        if CHEAP.get(path) == "health" and _is_near(scope):
            return True
        if self._origin:
            return head.host.lower() == self._origin.partition("://")[2].lower()
        return scope.get("proxied", False) or _is_own_name(head.host)


def kind_of(method: str, path: str, query: bytes) -> str:
    """The kind of a request, as it is counted: those that wait for news are no measure of the server."""
    if path.startswith("/static/"):
        return "static"
    if method in SAFE and b"after=" in query:
        return "wait"
    if path.startswith("/api/"):
        return "program"
    return "page" if method in SAFE else "form"


def _more_headers(status: int, given: Iterable[tuple[bytes, bytes]], head: RequestHead) -> list[tuple[bytes, bytes]]:
    """The headers of every answer that this one has not been given."""
    names = {name.lower() for name, _ in given}
    extra = [*HEADERS, (b"cache-control", b"no-store"), *(ONLY_SECURE if head.secure else ())]
    if status in {429, 503}:
        extra.append((b"retry-after", RETRY))
    return [pair for pair in extra if pair[0] not in names]


def _with_head(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """A header; what an address allows has HEAD where it has GET, which the framework does not know."""
    return (name, value.replace(b"GET", b"GET, HEAD")) if name.lower() == b"allow" else (name, value)


def _is_near(scope: Scope) -> bool:
    """Whether who asks is on this machine: by a local socket or the loopback."""
    client = scope.get("client")
    return client is None or client[0] in {"", UNIX, "127.0.0.1", "::1"}


@cache
def _own_name() -> str:
    return socket.gethostname().lower()


def _is_own_name(host: str) -> bool:
    """Whether nobody else can own this name: an address, this machine's name, or one of a local network."""
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
    """The refusal in words: before anybody knows more of the client than the head of the request."""
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
UNIX = "unix"  # stands for a Unix domain socket, which has no address: whoever may open it is the proxy


def trusted_hosts(proxies: Sequence[str]) -> Container[str]:
    """The addresses of these proxies: addresses, networks, or "*" for any."""
    return _middleware(None, proxies).trusted_hosts


def _middleware(app: Any, proxies: Sequence[str]) -> ProxyHeadersMiddleware:
    return ProxyHeadersMiddleware(app, list(proxies))


class BehindProxy:
    """The application `app` behind `proxies`: addresses, networks, or "*" for any.

    uvicorn's middleware takes the client's address and the scheme from them; the host's name, which it leaves alone,
    goes on only if a proxy sent it.
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
