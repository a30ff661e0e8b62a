"""The addresses that programs used before `/api`: the addresses of pages, with `Accept: application/json`.

Release GOES removes them. Then delete this module, its two lines in `app` and the old addresses in tests.
"""

import re
from collections.abc import Awaitable
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from spieltisch.web.core.http.client import API, HttpRequest, RequestHead
from spieltisch.web.core.http.forms import read_form
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.table import api
from spieltisch.web.table.api_description import description
from spieltisch.web.table.bodies import Opened, Seat, Took
from spieltisch.web.table.snapshot import Snapshot

OLD = "/old"  # where the application serves them
SINCE = b"@1795392000"  # RFC 9745: 23 November 2026
GOES, SUNSET = "0.4.0", b"Mon, 01 Mar 2027 00:00:00 GMT"  # RFC 8594: the release, and the earliest day
_COMMANDS = "|".join(sorted(path.rpartition("/")[2] for one in api.COMMANDS_HERE for path in one.paths))
_OLD_POST = re.compile(rf"/(play|tables|t/[^/]+/({_COMMANDS}))/?")
_OLD_GET = re.compile(r"/t/[^/]+/?")


def _successor(scope: Scope) -> str:
    """Return the address below `/api` that replaces this request's old one; "" for any other request."""
    if scope["type"] != "http":
        return ""
    head: RequestHead = scope["state"]["head"]
    path = scope["path"]
    if path == "/schema/openapi.json" and scope["method"] == "GET":
        return f"{API}/openapi.json"
    asks = scope["method"] == "GET" and head.wants_json and _OLD_GET.fullmatch(path)
    sends = scope["method"] == "POST" and (head.wants_json or head.sends_json) and _OLD_POST.fullmatch(path)
    return API + re.sub(r"^/t/", "/tables/", path) if asks or sends else ""


class OldAddresses:
    """Sends requests for old addresses below the sub-path `base` to the handlers here. Answers name the new address."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._base = base

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        successor = _successor(scope)
        if not successor:
            return self._app(scope, receive, send)
        link = f'<{quote(self._base + successor)}>; rel="successor-version"'.encode()

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = [(b"deprecation", SINCE), (b"sunset", SUNSET), (b"link", link)]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        path = OLD + scope["path"]
        return self._app({**scope, "path": path, "raw_path": path.encode()}, receive, marked)  # ty: ignore[invalid-argument-type]


@get(f"{OLD}/schema/openapi.json")
async def openapi(services: ServicesHere) -> Response[object]:
    """Return the OpenAPI description."""
    return Response(description(services))


@post(f"{OLD}/play")
async def play(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Opened:
    """Open a table with bots and start it."""
    return await api.opened(services, client, await read_form(request), now=True)


@post(f"{OLD}/tables")
async def open_(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Opened:
    """Open a table for others to join."""
    return await api.opened(services, client, await read_form(request), now=False)


@get(f"{OLD}/t/{{code:str}}")
async def look(
    services: ServicesHere,
    client: ClientHere,
    table: TableHere,
    after: FromQuery[str] = "",
    revision: FromQuery[str] = "",
) -> Snapshot:
    """Return a table as the program's seat sees it."""
    return await api.seen(services, client, table, after, revision)


@post(f"{OLD}/t/{{code:str}}/{{to:str}}", status_code=200)
async def act(
    request: HttpRequest, services: ServicesHere, client: ClientHere, table: TableHere, to: FromPath[str]
) -> Seat | Took:
    """Carry out a command at a table."""
    return await api.done(services, client, table, to, await read_form(request))


HANDLERS = [openapi, play, open_, look, act]
