"""What lies between a server and people, tried as their browsers do: names, TLS, proxies, sockets, forms.

A table that does not exist is asked for: so nothing is changed and nobody is disturbed.
"""

import email.utils
import ipaddress
import json
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from spieltisch.cli.findings import DRIFT, Finding
from spieltisch.cli.output import _

TABLE = "/t/ZZZZZZZZ"  # Z is a sign of codes, but nobody is dealt eight of them: a miss
WAIT = 10.0  # seconds
BIG = 1_500_000  # bytes: proxies often refuse more than a megabyte


class Answer(NamedTuple):
    """Status, headers and body of an answer."""

    status: int
    headers: Any
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body as a JSON object, empty if it is none."""
        try:
            found = json.loads(self.body)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


def look_over(url: str) -> Generator[Finding]:
    """What can be seen of the server at this address."""
    url = url.rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        yield Finding("bad", _("{url} is no address such as https://tisch.example", url=url))
        return
    try:
        health = _ask(f"{url}/health")
    except OSError as error:
        why = getattr(error, "reason", None) or error
        yield Finding("bad", _("{url} does not answer: {why}", url=url, why=why))
        return
    if health.json != {"status": "ok"}:
        yield Finding("bad", _elsewhere(url, health))
        return
    yield Finding("good", _("{url} answers.", url=url))
    yield _drift(health)
    origin = f"{parts.scheme}://{parts.netloc}"
    yield from _ready(url, origin, parts.path)
    yield _form(url, origin)
    yield _large(url, origin)
    yield _socket(url, origin)
    yield _headers(url)


def _ask(url: str, body: bytes | None = None, **headers: str) -> Answer:
    """The answer, whatever its status; OSError where there is none."""
    sent = {"accept": "application/json"} | {name.replace("_", "-"): text for name, text in headers.items()}
    request = urllib.request.Request(url, body, sent)  # noqa: S310 - only http and https come here
    try:
        with urllib.request.urlopen(request, timeout=WAIT) as answer:  # noqa: S310 - as above
            return Answer(answer.status, answer.headers, answer.read(1_000_000))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, error.read(100_000))


def _elsewhere(url: str, answer: Answer) -> str:
    if answer.status == 421:
        return _("The server is not known as {url}: start it with --origin, or name the proxy with --trusted-proxy.",
                 url=url)  # fmt: skip
    if answer.status in {502, 503, 504}:
        return _("The proxy at {url} does not reach the server ({status}): does it run, and on that port?",
                 url=url, status=answer.status)  # fmt: skip
    return _("At {url} there is something else than Spieltisch ({status}): do the proxy’s path and --root-path agree?",
             url=url, status=answer.status)  # fmt: skip


def _drift(answer: Answer) -> Finding:
    said = email.utils.parsedate_to_datetime(answer.headers["date"]).timestamp()
    if abs(drift := said - time.time()) > DRIFT:
        return Finding("odd", _("The server’s clock and the one here differ by {n} seconds.", n=f"{drift:.0f}"))
    return Finding("good", _("The server’s clock is right."))


def _ready(url: str, origin: str, path: str) -> Generator[Finding]:
    answer = _ask(f"{url}/ready")
    if answer.status != 200:
        detail = answer.json.get("detail", answer.status)
        yield Finding("bad", _("The server is not ready: {why}", why=detail))
        return
    said = answer.json
    if said.get("origin") != origin and not _is_local(origin):
        yield Finding("bad", _(
            "Links and QR codes would lead to {found} instead of {origin}: the proxy has to send Host and"
            " X-Forwarded-Proto, and the server has to be started with --trusted-proxy and the proxy’s address.",
            found=said.get("origin"), origin=origin,
        ))  # fmt: skip
    else:
        yield Finding("good", _("Links and QR codes lead here."))
    if said.get("base") != path:
        yield Finding("bad", _("The server takes itself to lie at {found}: start it with --root-path {path}",
                               found=said.get("base") or "/", path=path or "/"))  # fmt: skip
    if _is_local(said.get("address", "")) and not _is_local(origin):
        yield Finding("bad", _(
            "The server takes everybody for the proxy ({address}), and counts their tries together: the proxy has to"
            " send X-Forwarded-For, and the server has to be started with --trusted-proxy.",
            address=said.get("address"),
        ))  # fmt: skip
    else:
        yield Finding("good", _("The server tells people apart: you come from {address}.", address=said.get("address")))


def _is_local(place: str) -> bool:
    """Whether an address or an origin is of this machine."""
    name = urlsplit(place).hostname if "//" in place else place.partition("/")[0]
    try:
        return name == "localhost" or ipaddress.ip_address(name or "").is_loopback
    except ValueError:
        return False


def _form(url: str, origin: str) -> Finding:
    answer = _ask(f"{url}{TABLE}/move", b"{}", origin=origin, content_type="application/json")
    if answer.status == 404 and answer.json:
        return Finding("good", _("Forms get through."))
    if answer.status == 403:
        return Finding("bad", _("Forms are refused as coming from another site: the proxy has to send Host and"
                                " X-Forwarded-Proto."))  # fmt: skip
    return Finding("bad", _("Forms do not get through ({status}).", status=answer.status))


def _large(url: str, origin: str) -> Finding:
    try:
        answer = _ask(f"{url}{TABLE}/move", b" " * BIG, origin=origin, content_type="application/json")
    except OSError:  # hung up in the middle of it
        return Finding("odd", _("Large uploads break off: decks of more than a megabyte may not get through."))
    if answer.status == 413 and not answer.json:
        return Finding(
            "odd", _("The proxy refuses large uploads: decks of more than a megabyte need client_max_body_size.")
        )
    return Finding("good", _("Large uploads get through."))


def _socket(url: str, origin: str) -> Finding:
    from websockets.exceptions import ConnectionClosed, InvalidHandshake
    from websockets.sync.client import connect
    from websockets.typing import Origin

    try:
        with connect(f"ws{url[4:]}{TABLE}/live", origin=Origin(origin), open_timeout=WAIT) as line:
            line.recv(timeout=WAIT)
    except ConnectionClosed as closed:
        if closed.rcvd is not None and closed.rcvd.code == 4404:
            return Finding("good", _("Sockets get through: pages move by themselves."))
    except (InvalidHandshake, OSError, TimeoutError) as error:
        return Finding("bad", _("Sockets do not get through ({why}): the proxy has to hand on Upgrade and Connection.",
                                why=error))  # fmt: skip
    return Finding("bad", _("Something else than Spieltisch answers to sockets."))


def _headers(url: str) -> Finding:
    answer = _ask(f"{url}/", accept="text/html")
    policies = answer.headers.get_all("content-security-policy") or []
    if len(policies) != 1 or "default-src 'self'" not in policies[0]:
        return Finding("odd", _("The proxy changes the security headers of the pages; leave them as they come."))
    return Finding("good", _("The pages’ security headers are there."))
