"""Serves static files of the site, its rooms and the games.

The framework's static router does not fit: these files may be cached for ever under an address with their hash, are
packed once instead of at each request, and come from the folders of all games that are found.
"""

import functools
import gzip
import hashlib
import mimetypes
import re
from pathlib import Path

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from spieltisch.web.core.http.client import HttpRequest
from spieltisch.web.core.inject import ServicesHere
from spieltisch.web.core.renderer import static_file

FOREVER = "public, max-age=31536000, immutable"
# Lines that are comments and nothing else, by the ending of the file; of style sheets the indentation, too.
COMMENTS = {
    ".js": re.compile(rb"^[ \t]*//.*\n", re.MULTILINE),
    ".css": re.compile(rb"^[ \t]*/\*.*?\*/\n|^[ \t]+", re.MULTILINE | re.DOTALL),
}


@get("/static/{file:str}", name="static")
async def static(request: HttpRequest, services: ServicesHere, file: FromPath[str]) -> Response[bytes]:
    """Send a static file of the site."""
    return _static(request, file, fresh=services.settings.fresh)


@get("/static/{package:str}/{file:str}", name="package-static")
async def package_static(
    request: HttpRequest, services: ServicesHere, package: FromPath[str], file: FromPath[str]
) -> Response[bytes]:
    """Send a static file of a room or a game."""
    return _static(request, f"{package}/{file}", fresh=services.settings.fresh)


def _static(request: HttpRequest, file: str, *, fresh: bool) -> Response[bytes]:
    """Answer with the file. With its hash in the address it may be cached; without, it is validated each time."""
    path = static_file(file)
    if path is None:
        raise NotFoundException
    kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
    headers = {"cache-control": FOREVER if request.scope["query_string"] and not fresh else "no-cache"}
    if fresh or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(path.read_bytes(), media_type=kind, headers=headers | {"vary": "accept-encoding"})
    body, tag = _packed(path)
    headers |= {"etag": tag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(body, media_type=kind, headers=headers | {"content-encoding": "gzip"})


@functools.cache
def _packed(path: Path) -> tuple[bytes, str]:
    """Return the gzipped file and its ETag. Comments, which are for makers alone, are left out."""
    comments = COMMENTS.get(path.suffix)
    body = gzip.compress(comments.sub(b"", path.read_bytes()) if comments else path.read_bytes(), mtime=0)
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


HANDLERS = [static, package_static]
