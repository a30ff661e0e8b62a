"""What a request says in its headers and its scope, read once and handed on beside it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class RequestHead(Struct, frozen=True):
    """Headers by their names (the first of each), and where the request comes from."""

    headers: Mapping[bytes, bytes]
    host: str  # that the browser asked for, with the port
    origin: str  # scheme and host as others can reach them: for links and QR codes
    address: str  # to be counted
    secure: bool

    def header(self, name: bytes) -> str:
        """A header, "" if there is none."""
        return self.headers.get(name, b"").decode("latin-1")


def head_of(scope: Any, *, trusted: bool, lan: str) -> RequestHead:
    """The head of a request. `trusted`: a proxy in front names the host. `lan`: the address for other machines, which
    takes the place of localhost; "" if there is none.
    """
    headers = dict(reversed(scope["headers"]))
    host = ((headers.get(b"x-forwarded-host", b"") if trusted else b"") or headers.get(b"host", b"")).decode("latin-1")
    secure = scope["scheme"] in {"https", "wss"}
    name = host.rsplit(":", 1)[0].strip("[]")
    local = lan and name in {"localhost", "127.0.0.1", "::1", ""}
    client = scope.get("client")
    address = client[0] if client else ""
    if address.count(":") > 3:  # a network of IPv6 counts as one: a household gets a whole /64
        address = ":".join(address.split(":")[:4])
    origin = lan if local else f"{'https' if secure else 'http'}://{host or 'localhost'}"
    return RequestHead(headers, host, origin, address, secure)
