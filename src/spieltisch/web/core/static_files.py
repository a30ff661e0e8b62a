"""Static files, the site's and the games', and the sign that the server is there.

Not the framework's static router: these answers hold for ever by the hash in the address and are asked for anew
without it, are packed once and not at each request, and come from the folders of whatever games are found.
"""

import functools
import gzip
import hashlib
import mimetypes
import re
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from spieltisch.web.core.inject import ServicesHere
from spieltisch.web.core.renderer import static_file

FOREVER = "public, max-age=31536000, immutable"
# Lines that are comments and nothing else, by the ending of the file; of style sheets the indentation, too.
COMMENTS = {
    ".js": re.compile(rb"^[ \t]*//.*\n", re.MULTILINE),
    ".css": re.compile(rb"^[ \t]*/\*.*?\*/\n|^[ \t]+", re.MULTILINE | re.DOTALL),
}


@get("/static/{file:str}", name="static")
async def static(request: Request[Any, Any, Any], services: ServicesHere, file: FromPath[str]) -> Response[bytes]:
    """A static file of the site."""
    return _static(request, file, fresh=services.settings.fresh)


@get("/static/{package:str}/{file:str}", name="package-static")
async def package_static(
    request: Request[Any, Any, Any], services: ServicesHere, package: FromPath[str], file: FromPath[str]
) -> Response[bytes]:
    """A static file of a game."""
    return _static(request, f"{package}/{file}", fresh=services.settings.fresh)


def _static(request: Request[Any, Any, Any], file: str, *, fresh: bool) -> Response[bytes]:
    """The file: its address holds its hash, so it may be kept; without the hash it is asked for anew."""
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
    """A file as it is sent to whoever can unpack it, and its tag: who has it already is not sent it again. They are
    all text, and the same for everybody; what is written for makers alone, comments, stays here.
    """
    comments = COMMENTS.get(path.suffix)
    body = gzip.compress(comments.sub(b"", path.read_bytes()) if comments else path.read_bytes(), mtime=0)
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


HANDLERS = [static, package_static]
