"""The client behind a request, read once from its headers and scope."""

import ipaddress
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

import msgspec
from litestar import Request, WebSocket, datastructures
from litestar.connection import ASGIConnection
from litestar.types import Scope
from msgspec import Struct

from spieltisch import i18n, languages
from spieltisch.decks.findings import say_sentence
from spieltisch.game import Refused
from spieltisch.i18n import Terms, Translator
from spieltisch.web.core.http.cookies import LANGUAGE, NAME, TERMS

HttpRequest = Request[None, None, datastructures.State]
"""A request. The framework knows no user: who asks is found by keys, see `web.core.access`."""
LiveSocket = WebSocket[None, None, datastructures.State]
"""A live connection, the same."""

_HOST = re.compile(r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


class RequestHead(Struct, frozen=True):
    """A request's headers (the first of each name) and its origin."""

    headers: Mapping[bytes, bytes]
    host: str  # as the browser sent it, with the port
    origin: str  # scheme and host for links and QR codes
    asked: str  # scheme and host as the browser sent them
    address: str  # for rate limits
    secure: bool
    wants_json: bool  # as programs do
    wants_html: bool  # as browsers do
    sends_json: bool

    def header(self, name: bytes) -> str:
        """Return a header, "" if it is missing."""
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def is_same_origin(self) -> bool:
        """Whether one of our pages, or a program, sent this request."""
        site = self.header(b"sec-fetch-site")
        if site:
            return site in {"same-origin", "none"}
        origin = self.header(b"origin")
        if origin:
            return origin == self.asked
        # browsers send an Origin with every cross-site form and socket; cookies without either are suspicious
        return b"cookie" not in self.headers


def head_of(scope: Mapping[str, Any], *, trusted: bool, lan: str, origin: str = "") -> RequestHead:
    """Return the head of a request.

    `trusted`: a proxy in front names the host. `lan`: the address for other machines, used in links instead of
    localhost; "" if there is none. `origin`: scheme and host for links, if the host has set them.
    """
    headers = dict(reversed(scope["headers"]))
    host = _host(headers.get(b"x-forwarded-host", b"") if trusted else b"") or _host(headers.get(b"host", b""))
    secure = scope["scheme"] in {"https", "wss"}
    name = host.rsplit(":", 1)[0].strip("[]")
    local = lan and name in {"localhost", "127.0.0.1", "::1", ""}
    client = scope.get("client")
    own = f"{'https' if secure else 'http'}://{host or 'localhost'}"
    accept = headers.get(b"accept", b"")
    return RequestHead(
        headers,
        host,
        origin=origin or (lan if local else own),
        asked=own,
        address=counted(client[0] if client else ""),
        secure=secure,
        wants_json=b"application/json" in accept or b"application/problem+json" in accept,
        wants_html=b"text/html" in accept,
        sends_json=headers.get(b"content-type", b"").startswith(b"application/json"),
    )


def _host(said: bytes) -> str:
    """Return the host and port that a header names; "" if it is no valid name, since it appears in links."""
    host = said.decode("latin-1")
    return host if _HOST.fullmatch(host) else ""


@lru_cache(4096)
def counted(address: str) -> str:
    """Return the key under which an address is counted. A /64 of IPv6 counts as one household."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))


API = "/api"  # prefix of all addresses for programs
LONGEST = 96  # characters of a name


class Client(Struct, frozen=True):
    """A browser or a program, as its request describes it."""

    lang: str
    name: str = ""  # the name they used last
    cookies: Mapping[str, str] = {}
    token: str = ""  # a program's seat key
    address: str = ""  # for rate limits
    origin: str = ""  # scheme and host for links and QR codes
    holder: str = ""  # the key holder under which rate limits count this request
    secure: bool = False
    path: str = "/"  # without the sub-path
    wants_json: bool = False
    sends_json: bool = False
    terms: Terms = Terms()  # this reader's choice of grammar terms and case order

    @property
    def is_program(self) -> bool:
        """Whether the client wants or sends JSON, or uses an address for programs."""
        return self.wants_json or self.sends_json or self.path.startswith(f"{API}/")

    @property
    def tr(self) -> Translator:
        """Return the translator for the client's language."""
        return i18n.common_translator(self.lang)

    def refusal(self, error: Refused) -> str:
        """Return a refusal in the client's language: the site's words, or those of the game whose deck is at fault."""
        return say_sentence(error, self.lang)


def client_of(scope: Scope) -> Client:
    """Return the client of a request or a socket."""
    head: RequestHead = scope["state"]["head"]
    headers, cookies = head.headers, ASGIConnection(scope).cookies
    chosen = cookies.get(LANGUAGE, "")
    kind, _, token = headers.get(b"authorization", b"").partition(b" ")
    return Client(
        lang=chosen if languages.is_known(chosen) else i18n.accepted(head.header(b"accept-language")),
        name=unquote(cookies.get(NAME, "")[: 12 * LONGEST])[:LONGEST],  # a character takes up to four escaped bytes
        cookies=cookies,
        token=token.strip().decode("latin-1") if kind.lower() == b"bearer" else "",
        address=head.address,
        origin=head.origin,
        holder=scope["state"].get("holder", ""),
        secure=head.secure,
        path=scope["path"],
        wants_json=head.wants_json,
        sends_json=head.sends_json,
        terms=_terms(cookies[TERMS]) if TERMS in cookies else Terms(),
    )


def _terms(cookie: str) -> Terms:
    """Return the choice that a cookie holds; the default if it is invalid."""
    names, _, order = cookie.partition(".")
    try:
        return msgspec.convert({"names": names, "order": order}, Terms)
    except msgspec.ValidationError:
        return Terms()
