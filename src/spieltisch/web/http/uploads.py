"""Forms that bring a file: read within limits, parted into fields and the file."""

import io
from typing import Any

from litestar import Request
from litestar.exceptions import ClientException
from msgspec import Struct
from multipart import MultipartError, MultipartParser, parse_options_header

from spieltisch.decks.importing.sheets import BYTES
from spieltisch.game import Invalid
from spieltisch.web.http.forms import Fields, form_fields

DRAINED = 80 * 2**20  # bytes of a request that are read to the end, so that the sender learns why it is refused
PARTS = 5_000  # fields of a form
_READ = 2 * BYTES  # of which are kept: a sheet may come as a file and as text


class Upload(Struct, frozen=True):
    """The fields of a form, and its file if somebody chose one."""

    fields: Fields
    name: str = ""
    content: bytes = b""


async def read_upload(request: Request[Any, Any, Any]) -> Upload:
    """What this form brings; Invalid, with the sizes, where it is too much or cannot be read, 415 if it is no form."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    body = await _body(request)
    if kind == "application/x-www-form-urlencoded":
        return Upload(form_fields(body, PARTS))
    if kind != "multipart/form-data":
        raise ClientException(status_code=415)
    fields: Fields = []
    name, content = "", b""
    try:
        parser = MultipartParser(
            io.BytesIO(body), options.get("boundary", ""), content_length=len(body), memory_limit=_READ * 2,
            disk_limit=0, part_limit=PARTS, buffer_size=2**16, spool_limit=_READ,
        )  # fmt: skip
        for part in parser:
            if part.filename is None:
                fields.append((part.name, part.value))
            elif part.filename:
                name, content = part.filename[-100:], part.raw
    except (MultipartError, UnicodeDecodeError):
        raise Invalid("This form could not be read.") from None
    return Upload(fields, name, content)


async def _body(request: Request[Any, Any, Any]) -> bytes:
    kept, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= _READ:
            kept.append(chunk)
    if size > _READ:
        raise Invalid("the file has {n} MB, at most {most} are read", n=f"{size / 2**20:.1f}", most=BYTES // 2**20)
    return b"".join(kept)
