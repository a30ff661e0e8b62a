"""Read forms with a file, within limits."""

from litestar.exceptions import ClientException
from msgspec import Struct
from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header

from spieltisch.decks.importing.sheets import BYTES
from spieltisch.game import Invalid
from spieltisch.web.core.http.client import HttpRequest
from spieltisch.web.core.http.forms import Fields, form_fields, read_small

DRAINED = 80 * 2**20  # bytes of a refused request that are read anyway, so that browsers show the refusal
PARTS = 5_000  # fields of a form
_READ = 2 * BYTES  # bytes that are kept: a sheet may come as a file and as text


class Upload(Struct, frozen=True):
    """A form's fields, and its file if there is one."""

    fields: Fields
    name: str = ""
    content: bytes = b""


async def read_upload(request: HttpRequest) -> Upload:
    """Return the form's fields and file. Raises Invalid, naming the sizes, if it is too large or unreadable; 415 if
    it is no form. It is parsed while it arrives, so a large one never holds the event loop.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == "application/x-www-form-urlencoded":
        return Upload(form_fields(await read_small(request), PARTS))
    if kind != "multipart/form-data":
        raise ClientException(status_code=415)
    read, size = _Parts(), 0
    try:
        parser = PushMultipartParser(
            options.get("boundary", ""), max_segment_size=_READ, max_segment_count=PARTS, max_header_size=4096
        )
        async for chunk in request.stream():
            size += len(chunk)
            if size <= _READ and chunk:
                for event in parser.parse(chunk):
                    read.take(event)
        if size <= _READ:
            for event in parser.parse(b""):
                read.take(event)
    except (MultipartError, UnicodeDecodeError):
        raise Invalid("This form could not be read.") from None
    if size > _READ:
        raise Invalid("the file has {n} MB, at most {most} are read", n=f"{size / 2**20:.1f}", most=BYTES // 2**20)
    return Upload(read.fields, read.name, read.content)


class _Parts:
    """Assembles the parts of a form from the parser's events."""

    def __init__(self) -> None:
        self.fields: list[tuple[str, str]] = []
        self.name, self.content = "", b""
        self._part: MultipartSegment | None = None
        self._pieces: list[bytes] = []

    def take(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        """Take a part's head, a piece of it, or (None) its end."""
        if isinstance(event, MultipartSegment):
            self._part, self._pieces = event, []
        elif event is not None:
            self._pieces.append(bytes(event))
        elif self._part is not None:
            whole = b"".join(self._pieces)
            if self._part.filename is None:
                self.fields.append((self._part.name or "", whole.decode()))
            elif self._part.filename:
                self.name, self.content = self._part.filename[-100:], whole
