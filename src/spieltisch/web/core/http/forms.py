"""Read form fields, or a program's JSON as fields.

Input that cannot be read raises Invalid with a reason in words.
"""

import re
from collections.abc import Sequence

import msgspec
from litestar.exceptions import ClientException
from msgspec import Struct

from spieltisch.game import Invalid
from spieltisch.i18n import N_
from spieltisch.web.core.http.client import HttpRequest

Fields = Sequence[tuple[str, str]]  # in order; a name may occur several times

MOST = 64 * 1024  # bytes of a form without files
FIELDS = 400  # in such a form
_ESCAPED = re.compile(rb"(?:%[0-9A-Fa-f]{2})+")

NOT_A_MOVE = N_("This move could not be read. Please choose again.")


async def read_form(request: HttpRequest) -> Fields:
    """Return a form's fields, or a program's JSON as fields. Raises Invalid if unreadable, 415 for other types."""
    body = await read_small(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return json_fields(body)
    if kind not in {"application/x-www-form-urlencoded", ""}:
        raise ClientException(status_code=415)
    return form_fields(body, FIELDS)


async def read_small(request: HttpRequest) -> bytes:
    """Return a body of at most `MOST` bytes. Answers 413 without reading more than that."""
    body = bytearray()
    if int(request.headers.get("content-length") or 0) > MOST:
        raise ClientException(status_code=413)
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST:
            raise ClientException(status_code=413)
    return bytes(body)


def form_fields(body: bytes, most: int) -> Fields:
    """Return the fields of an encoded form. Raises Invalid if unreadable, or for more than `most` fields.

    Does what `urllib.parse.parse_qsl` does, which takes 50 ms for 64 kB of percent signs.
    """
    try:
        body.decode()
    except UnicodeDecodeError:
        raise Invalid("This form could not be read.") from None
    if body.count(b"&") >= most:
        raise Invalid("This form could not be read.")
    pairs = [pair.partition(b"=") for pair in body.split(b"&") if pair]
    return [(_unescaped(name), _unescaped(value)) for name, _, value in pairs]


def _unescaped(text: bytes) -> str:
    spaced = text.replace(b"+", b" ")
    return _ESCAPED.sub(lambda run: bytes.fromhex(run[0].replace(b"%", b"").decode()), spaced).decode(errors="replace")


def fields_of(message: Struct) -> Fields:
    """Return a program's message, already decoded, as fields."""
    return json_fields(msgspec.json.encode(message))


def json_fields(body: bytes) -> Fields:
    """Return a JSON object as fields: lists become repeated fields, objects stay JSON. Raises Invalid otherwise."""
    try:
        raw = msgspec.json.decode(body or b"{}")
    except (msgspec.DecodeError, RecursionError):
        raise Invalid("This is not JSON.") from None
    if not isinstance(raw, dict):
        raise Invalid("This is not JSON.")
    if sum(len(value) if isinstance(value, list) else 1 for value in raw.values()) > FIELDS:
        raise Invalid("This form could not be read.")
    return [
        (name, item if isinstance(item, str) else msgspec.json.encode(item).decode())
        for name, value in raw.items()
        for item in (value if isinstance(value, list) else [value])
        if item is not None
    ]


def is_number(text: str, digits: int) -> bool:
    """Whether this is a number of at most this many digits."""
    return text.isascii() and text.isdigit() and len(text) <= digits


def field(fields: Fields, name: str, default: str = "") -> str:
    """Return the last value of a field."""
    return next((value for key, value in reversed(fields) if key == name), default)


def number(fields: Fields, name: str, below: int) -> int | None:
    """Return a field's number, 0 ≤ n < `below`; None if it is missing. Raises Invalid otherwise."""
    value = field(fields, name)
    if value == "":
        return None
    if not (is_number(value, 3) and int(value) < below):
        raise Invalid("This number is not one of the choices.")
    return int(value)


def question(fields: Fields) -> int:
    """Return the number of the question that the form answers. Raises Invalid if there is none."""
    for name, value in fields:
        if name == "question" and is_number(value, 9):
            return int(value)
    raise Invalid(NOT_A_MOVE)


def deal_number(text: str) -> int:
    """Return the requested deal's number, 0 if none is requested. Raises Invalid for a bad number."""
    if text and not (is_number(text, 12) and int(text)):
        raise Invalid("A deal number has one to twelve digits.")
    return int(text or 0)


def token(fields: Fields) -> str:
    """Return the key from a link. It comes from the address's fragment, so the page sends it as a field."""
    return field(fields, "token").strip().lstrip("#")


def following(fields: Fields) -> str:
    """Return where to go after a form. Only pages of ours: one slash, and nothing a browser reads as another host;
    otherwise home.
    """
    back = field(fields, "back", "/")
    inside = back.startswith("/") and not back.startswith("//") and back.isprintable()
    return back if inside and "\\" not in back and back.isascii() else "/"


def query_number(name: str, value: str) -> int | None:
    """Return a number from the query, None if it is missing. Raises Invalid if it is no number."""
    if value and not is_number(value, 9):
        raise Invalid("{name} must be a number.", name=name)
    return int(value) if value else None
