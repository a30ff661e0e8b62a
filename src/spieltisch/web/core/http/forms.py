"""What comes in: the fields of a form, or a program's JSON as fields.

Whatever cannot be read is Invalid, with a reason in words.
"""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import ClientException
from msgspec import Struct

from spieltisch.game import Invalid

Fields = Sequence[tuple[str, str]]  # in order; a name may stand several times

MOST = 64 * 1024  # bytes of a form without files
FIELDS = 400  # of such a form
_ESCAPED = re.compile(rb"(?:%[0-9A-Fa-f]{2})+")

NOT_A_MOVE = "This could not be read as a move. Please choose again."


async def read_form(request: Request[Any, Any, Any]) -> Fields:
    """A form's fields; JSON of a program counts as fields too. Invalid if it cannot be read, 415 for other types."""
    body = await read_small(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return json_fields(body)
    if kind not in {"application/x-www-form-urlencoded", ""}:
        raise ClientException(status_code=415)
    return form_fields(body, FIELDS)


async def read_small(request: Request[Any, Any, Any]) -> bytes:
    """A body of at most `MOST` bytes; 413 if it has more. What is too much is not even read."""
    body = bytearray()
    if int(request.headers.get("content-length") or 0) > MOST:
        raise ClientException(status_code=413)
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST:
            raise ClientException(status_code=413)
    return bytes(body)


def form_fields(body: bytes, most: int) -> Fields:
    """The fields of an encoded form of at most so many; Invalid if it cannot be read.

    Like `urllib.parse.parse_qsl`, which takes 50 ms for 64 kB of percent signs.
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
    """A program's message, which has been read already, as fields."""
    return json_fields(msgspec.json.encode(message))


def json_fields(body: bytes) -> Fields:
    """A JSON object as fields: texts and numbers as they are, lists repeated, objects as JSON. Invalid if none."""
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
    """Whether this is a number of at most so many digits."""
    return text.isascii() and text.isdigit() and len(text) <= digits


def field(fields: Fields, name: str, default: str = "") -> str:
    """The last value of a field."""
    return next((value for key, value in reversed(fields) if key == name), default)


def number(fields: Fields, name: str, below: int) -> int | None:
    """A field that is a number from 0 to below it; None where it is not there. Invalid for anything else."""
    value = field(fields, name)
    if value == "":
        return None
    if not (is_number(value, 3) and int(value) < below):
        raise Invalid("This number is not one of the choices.")
    return int(value)


def question(fields: Fields) -> int:
    """The number of the question that the form answers; Invalid without one."""
    for name, value in fields:
        if name == "question" and is_number(value, 9):
            return int(value)
    raise Invalid(NOT_A_MOVE)


def deal_number(text: str) -> int:
    """The number of the deal that is asked for, 0 if none is; Invalid if it is no such number."""
    if text and not (is_number(text, 12) and int(text)):
        raise Invalid("A deal is named by a number of one to twelve digits.")
    return int(text or 0)


def token(fields: Fields) -> str:
    """The key that the page of a link sends: it stood behind the `#` of the address."""
    return field(fields, "token").strip().lstrip("#")


def following(fields: Fields) -> str:
    """Where a form wants to go on: to a page of ours (one slash, no character that a browser takes for another host),
    else home.
    """
    back = field(fields, "back", "/")
    inside = back.startswith("/") and not back.startswith("//") and back.isprintable()
    return back if inside and "\\" not in back and back.isascii() else "/"


def query_number(name: str, value: str) -> int | None:
    """A number in an address, None where it is not given; Invalid where it is none."""
    if value and not is_number(value, 9):
        raise Invalid("{name} is a number.", name=name)
    return int(value) if value else None
