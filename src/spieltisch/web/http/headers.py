"""A request's headers, its host and the address it comes from, read from the ASGI scope."""

from typing import Any


def header(scope: Any, name: bytes) -> str:
    """A request's header, "" if it has none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def host_of(scope: Any, *, trusted: bool) -> str:
    """The host (and port) that the browser asked for; a trusted proxy may name it."""
    return (header(scope, b"x-forwarded-host") if trusted else "") or header(scope, b"host")


def address_of(scope: Any) -> str:
    """Where a request comes from, to be counted. A network of IPv6 counts as one: a household gets a whole /64."""
    client = scope.get("client")
    address = client[0] if client else ""
    return ":".join(address.split(":")[:4]) if address.count(":") > 3 else address


def is_secure(scope: Any) -> bool:
    """Whether the connection is encrypted."""
    return scope["scheme"] in {"https", "wss"}
