"""Checks what is between a server and its visitors, as their browsers would: names, TLS, proxies, sockets, forms.

It asks for a table that does not exist, so nothing changes and nobody is disturbed.
"""

import email.utils
import http.client
import ipaddress
import json
import socket
import ssl
import time
from collections.abc import Generator
from contextlib import closing, suppress
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

from msgspec import Struct

from spieltisch.cli.doctor.findings import DRIFT, Finding
from spieltisch.cli.output import _

TABLE = "/t/ZZZZZZZZ"  # Z occurs in codes, but nobody gets eight of them
WAIT = 10.0  # seconds
BIG = 1_500_000  # bytes; proxies often refuse more than a megabyte
TLS_PORT = ("https port", "https server")  # what nginx and Caddy answer to http there, with a 400
_PORTS = {"http": 80, "https": 443}
NO_TLS = {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE"}


class Answer(Struct, frozen=True):
    """Status, headers and body of a response; `near`: it came from this machine."""

    status: int
    headers: Any
    body: bytes
    near: bool

    @property
    def json(self) -> dict[str, object]:
        """The body as a JSON object; empty for any other body."""
        try:
            found = json.loads(self.body)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def is_page(self) -> bool:
        """Whether it is one of our pages."""
        return self.status == 200 and "default-src 'self'" in self.headers.get("content-security-policy", "")


class Place(Struct, frozen=True):
    """An address, and what the server hears of it. `lost` says what a proxy does not pass on; "" for nothing."""

    url: str
    origin: str
    found: str
    lost: str


def look_over(url: str) -> Generator[Finding]:
    """Check the server at this address from outside."""
    url = url.rstrip("/")
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        yield Finding("bad", _("{url} is not an address like https://tisch.example", url=url))
        return
    try:
        health = _ask(f"{url}/health")
        if health.json == {"status": "ok"}:
            yield from _through(url, parts, health)
        else:
            yield Finding("bad", _elsewhere(url, parts, health))
    except (OSError, http.client.HTTPException, ValueError) as error:
        yield Finding("bad", _silent(url, parts, error))


def _through(url: str, parts: SplitResult, health: Answer) -> Generator[Finding]:
    """Check what is between this machine and a server that answers."""
    yield Finding("good", _("{url} answers.", url=url))
    yield from _drift(health)
    origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    ready = _ask(f"{url}/ready")
    found = str(ready.json.get("origin", origin))
    place = Place(url, origin, found, _lost(found, origin))
    yield from _ready(place, parts.path, ready)
    yield _form(place)
    yield _large(place)
    yield _socket(place)
    yield _headers(url)
    if parts.path:
        yield _slash(url, parts.path)


def _ask(url: str, body: bytes | None = None, **headers: str) -> Answer:
    """The response, whatever its status. Raises OSError or HTTPException without one."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    sent = {"accept": "application/json"} | {name.replace("_", "-"): text for name, text in headers.items()}
    with closing(kind(parts.hostname or "", parts.port, timeout=WAIT)) as line:
        line.connect()
        near = _is_near(line.sock)
        with suppress(ConnectionError):  # some respond before they have read all, and hang up
            line.request("GET" if body is None else "POST", parts.path or "/", body, sent)
        answer = line.getresponse()
        return Answer(answer.status, answer.headers, answer.read(1_000_000), near)


def _is_near(line: socket.socket) -> bool:
    """Whether both ends of a connection are this machine."""
    return line.getsockname()[0] == line.getpeername()[0]


def _silent(url: str, parts: SplitResult, error: Exception) -> str:
    """Why nobody answers."""
    if isinstance(error, ssl.SSLError) and error.reason in NO_TLS:
        return _("{url} does not speak TLS. Use http, or give the proxy a certificate.", url=url)
    if isinstance(error, http.client.HTTPException) and parts.scheme == "http":
        return _("{url} does not speak HTTP. Is this the right port, or one for https?", url=url)
    return _("{url} does not answer: {why}", url=url, why=str(error) or type(error).__name__)


def _elsewhere(url: str, parts: SplitResult, answer: Answer) -> str:
    """Which program answers instead of the server."""
    told = {"url": url, "status": answer.status}
    if answer.status in {401, 407}:
        return _("{url} asks for a password ({status}). Spieltisch never does that, so the proxy does.", **told)
    if parts.scheme == "http" and any(words in answer.body[:2000].lower().decode("latin-1") for words in TLS_PORT):
        return _("{url} is a TLS port. Use https.", **told)
    if answer.status in {301, 302, 303, 307, 308}:
        to = urljoin(f"{url}/health", answer.headers.get("location", "")).removesuffix("/health")
        return _("{url} redirects to {to}. Use that address.", **told, to=to)
    if answer.status == 421:
        return _("The server does not know the name {url}. Start it with --origin, or name the proxy with"
                 " --trusted-proxy.",
                 **told)  # fmt: skip
    if answer.status in {502, 503, 504}:
        return _(
            "The proxy at {url} cannot reach the server ({status}). Is the server running, and on that port?", **told
        )
    return _("Something other than Spieltisch answers at {url} ({status}). Do the proxy’s path and --root-path agree?",
             **told)  # fmt: skip


def _drift(answer: Answer) -> Generator[Finding]:
    try:
        said = email.utils.parsedate_to_datetime(answer.headers["date"]).timestamp()
    except (TypeError, ValueError):  # a proxy removes or rewrites it
        return
    if abs(drift := said - time.time()) > DRIFT:
        yield Finding("odd", _("The clocks of the server and of this machine are {n} seconds apart.", n=f"{drift:.0f}"))
    else:
        yield Finding("good", _("The server’s clock is right."))


def _lost(found: str, origin: str) -> str:
    """What a proxy does not pass on, if the server hears another origin."""
    heard, asked = urlsplit(found), urlsplit(origin)
    said = []
    if heard.hostname != asked.hostname:
        said.append(_("The proxy must send Host (nginx: Host $http_host), unless --origin gives another address."))
    elif heard.netloc.lower() != asked.netloc.lower():
        said.append(_("The port gets lost. The proxy must send it with Host (nginx: $http_host, not $host)."))
    if heard.scheme != asked.scheme:
        said.append(_(
            "The proxy must send X-Forwarded-Proto. Start the server with --trusted-proxy and the proxy’s address."
        ))  # fmt: skip
    return " ".join(said)


def _ready(place: Place, path: str, answer: Answer) -> Generator[Finding]:
    said = answer.json
    if answer.status != 200:
        yield Finding("bad", _("The server is not ready: {why}", why=said.get("detail", answer.status)))
        return
    near = answer.near or _is_local(place.origin)
    if place.lost and not _is_local(place.origin):
        yield Finding("bad", _("Links and QR codes would lead to {found} instead of {origin}. {lost}",
                               found=place.found, origin=place.origin, lost=place.lost))  # fmt: skip
    elif _is_local(place.origin):
        yield Finding("odd", _("This address cannot show where links and QR codes lead (the server says {found})."
                               " Use the name that people use.", found=place.found))  # fmt: skip
    else:
        yield Finding("good", _("Links and QR codes lead here."))
    if said.get("base") != path:
        yield Finding("bad", _("The server thinks its path is {found}. Start it with --root-path {path}",
                               found=said.get("base") or "/", path=path or "/"))  # fmt: skip
    address = str(said.get("address", ""))
    if not _is_local(address) and not (near and address == ""):
        yield Finding("good", _("The server tells people apart: you come from {address}.", address=address))
    elif near:
        yield Finding("odd", _("Run doctor on another machine to see whether the server tells people apart."))
    else:
        yield Finding("bad", _(
            "To the server, everybody is the proxy ({address}), so it counts all wrong codes together. The proxy"
            " must send X-Forwarded-For. Start the server with --trusted-proxy.",
            address=address,
        ))  # fmt: skip


def _is_local(place: str) -> bool:
    """Whether an address or origin is on this machine."""
    name = urlsplit(place).hostname if "//" in place else place.partition("/")[0]
    try:
        return name == "localhost" or ipaddress.ip_address(name or "").is_loopback
    except ValueError:
        return False


def _form(place: Place) -> Finding:
    answer = _ask(f"{place.url}{TABLE}/move", b"{}", origin=place.origin, content_type="application/json")
    if answer.status == 404 and answer.json:
        return Finding("good", _("Forms get through."))
    if answer.status == 403:
        text = _("The server refuses forms because they seem to come from another site: it sees {found}, not"
                 " {origin}. {lost}",
                 found=place.found, origin=place.origin, lost=place.lost)  # fmt: skip
        return Finding("bad", text.rstrip())
    return Finding("bad", _("Forms do not get through ({status}).", status=answer.status))


def _large(place: Place) -> Finding:
    try:
        answer = _ask(f"{place.url}{TABLE}/move", b" " * BIG, origin=place.origin, content_type="application/json")
    except (OSError, http.client.HTTPException):  # hung up in the middle
        return Finding("odd", _("Large uploads break off. Decks over one megabyte may not get through."))
    if answer.status == 413 and not answer.json:
        return Finding(
            "odd", _("The proxy refuses large uploads. Raise client_max_body_size for decks over one megabyte.")
        )
    return Finding("good", _("Large uploads get through."))


def _socket(place: Place) -> Finding:
    from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
    from websockets.sync.client import connect
    from websockets.typing import Origin

    url = f"ws{place.url[4:]}{TABLE}/live"
    parts = urlsplit(place.url)
    try:
        sock = socket.create_connection((parts.hostname or "", parts.port or _PORTS[parts.scheme]), WAIT)
        with connect(url, sock=sock, origin=Origin(place.origin), open_timeout=WAIT) as line:
            line.recv(timeout=WAIT)
    except ConnectionClosed as closed:
        if closed.rcvd is not None and closed.rcvd.code == 4404:
            return Finding("good", _("WebSockets get through: pages update by themselves."))
    except (WebSocketException, OSError, TimeoutError) as error:
        if isinstance(error, InvalidStatus) and error.response.status_code == 403:
            return Finding("bad", _("The server refuses WebSockets for the same reason as forms: it sees {found},"
                                    " not {origin}.", found=place.found, origin=place.origin))  # fmt: skip
        why = " ".join(str(error).split()) or type(error).__name__
        return Finding("bad", _("WebSockets do not get through ({why}). The proxy must pass on Upgrade and Connection.",
                                why=why))  # fmt: skip
    return Finding("bad", _("Something other than Spieltisch answers to WebSockets."))


def _slash(url: str, path: str) -> Finding:
    """Whether the address also works without its final slash, as people type it."""
    answer = _ask(url, accept="text/html")
    leads_on = answer.status in {301, 302, 307, 308} and urlsplit(answer.headers.get("location", "")).path == f"{path}/"
    if leads_on or answer.is_page:
        return Finding("good", _("{url} also works without the slash at the end.", url=url))
    return Finding("bad", _("{url} does not work without the slash at the end ({status}). Let the proxy redirect it"
                            " (Caddy: redir {path} {path}/).", url=url, status=answer.status, path=path))  # fmt: skip


def _headers(url: str) -> Finding:
    answer = _ask(f"{url}/", accept="text/html")
    policies = answer.headers.get_all("content-security-policy") or []
    if len(policies) != 1 or "default-src 'self'" not in policies[0]:
        return Finding("odd", _("The proxy changes the pages’ security headers. Leave them unchanged."))
    return Finding("good", _("The pages’ security headers arrive."))
