"""Where a language model may be asked: on this machine, in its own network, and on hosts that the person who runs the
contest has named. The connection goes to the address that was checked, whatever the name leads to later.
"""

import ipaddress
import re
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from spieltisch.game import Invalid
from spieltisch.web.core.outgoing import is_public


class DownError(Invalid):
    """No model answers. The contest stops, and can go on later: nobody loses a game by it."""


class Address(Struct, frozen=True):
    """The address of chat completions, and the name of a model there."""

    host: str
    port: int
    is_secure: bool
    path: str
    model: str


def address(text: str) -> Address:
    """What an address like http://127.0.0.1:8080/v1#NAME says. Raises Invalid, saying what would be right."""
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    known = parts.scheme in {"http", "https"} and host and parts.username is None and not parts.query
    if not known or not text.isascii() or not text.isprintable() or " " in text:
        raise Invalid("{text} is not the address of a model: write http://127.0.0.1:8080/v1#NAME", text=repr(text))
    if not parts.fragment:
        raise Invalid("add the model’s name to the address: {text}#NAME", text=text)
    secure = parts.scheme == "https"
    path = parts.path.rstrip("/") + "/chat/completions"
    return Address(host, port or (443 if secure else 80), secure, path, parts.fragment)


def reach(where: Address, hosts: Sequence[str]) -> list[str]:
    """The IP addresses to connect to, the best one first. Raises Invalid for a host of somebody else that is not one of
    `hosts`, DownError if its name leads nowhere.
    """
    try:
        found = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)
    except OSError as wrong:
        raise DownError("{host} cannot be found: {reason}", host=where.host, reason=wrong.strerror or wrong) from None
    addresses = [str(one[4][0]) for one in found]
    strange = any(is_public(ipaddress.ip_address(one.partition("%")[0])) for one in addresses)
    if strange and where.host not in hosts:
        raise Invalid(
            "{host} is not on your own network, and would see every question: allow it with --model-host {host}",
            host=where.host,
        )
    return addresses


def endpoint(command: str) -> Address | None:
    """The address of a player `model:COMMAND`; None if it is a command line."""
    return address(command) if re.match(r"https?:", command) else None
