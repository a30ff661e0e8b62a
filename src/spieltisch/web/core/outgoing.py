"""The server's requests to other hosts: webhooks, only to hosts that the server's operator has listed.

A listed name has to lead to public addresses at each connection, so nobody can point it into the server's own network
later. The operator can list an address of that network itself, or with a name: `nas.lan=10.0.0.5`. Of the answer only
the status is read, and no redirect is followed.
"""

import asyncio
import contextlib
import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Sequence
from functools import cache, partial
from threading import Thread
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from spieltisch.game import Invalid

T = TypeVar("T")

SECONDS = 5.0  # for a whole request
LONGEST = 500  # characters of an address
# IPv6 networks whose addresses end with one of IPv4: of NAT64, and an old form of it
_WRAPPING = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("::/96"))
_HOST = re.compile(r"([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?(?:=(.+))?")


class NotSentError(OSError):
    """The host must not be asked, or it refused."""


class Target(NamedTuple):
    """Where a request goes. `address` is the one that is listed with the host, "" if its name is looked up."""

    host: str
    port: int
    is_secure: bool
    path: str
    address: str = ""


class Hosts:
    """The hosts that may be asked."""

    def __init__(self, listed: Sequence[str] = ()) -> None:
        """Raises ValueError for an entry that names no host."""
        self._listed = dict([_entry(one) for one in listed])

    def __bool__(self) -> bool:
        return bool(self._listed)

    @property
    def names(self) -> list[str]:
        """Return what is listed, for people."""
        return sorted(_with_port(host, port) for host, port in self._listed)

    def target(self, url: str) -> Target:
        """Return where this address leads. Raises Invalid if the server sends nothing there."""
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            raise Invalid("This is not a web address.") from None
        plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST
        if not plain or parts.scheme not in {"http", "https"} or not host or parts.username is not None:
            raise Invalid("This is not a web address.")
        usual = 443 if parts.scheme == "https" else 80
        given = next((key for key in ((host, port or usual), (host, None)) if key in self._listed), None)
        if given is None or (given[1] is None and (port or usual) != usual):
            raise Invalid("This server does not call {host}. Ask the person who runs it.", host=host)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Target(host, port or usual, parts.scheme == "https", path, self._listed[given])


def is_host(text: str) -> bool:
    """Return whether this can be listed."""
    try:
        _entry(text)
    except ValueError:
        return False
    return True


def _entry(text: str) -> tuple[tuple[str, int | None], str]:
    """Return the host, its port (None: the usual ones) and the address to connect to."""
    found = _HOST.fullmatch(text)
    if found is None or int(found[2] or 0) > 65_535:
        raise ValueError(text)
    host = found[1].strip("[]").lower()
    address = str(ipaddress.ip_address(found[3])) if found[3] else _literal(host)
    return (host, int(found[2]) if found[2] else None), address


def _literal(host: str) -> str:
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return ""


def _with_port(host: str, port: int | None) -> str:
    host = f"[{host}]" if ":" in host else host
    return host if port is None else f"{host}:{port}"


async def post(target: Target, headers: dict[str, str], body: bytes) -> None:
    """Send a request. Raises OSError (NotSentError, TimeoutError) unless the answer's status is 2xx, in time."""
    async with asyncio.timeout(SECONDS):
        address = target.address or await _public(target)
        tls = await unwaited(certificates) if target.is_secure else None
        name = target.host if target.is_secure else None
        reader, writer = await asyncio.open_connection(address, target.port, ssl=tls, server_hostname=name)
        try:
            usual = target.port == (443 if target.is_secure else 80)
            lines = {
                "Host": _with_port(target.host, None if usual else target.port), "User-Agent": "Spieltisch",
                "Connection": "close", "Content-Length": str(len(body)), **headers,
            }  # fmt: skip
            head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            writer.write(f"POST {target.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body)
            await writer.drain()
            try:
                status = await reader.readline()
            except ValueError:  # a line without an end
                status = b""
        finally:
            writer.transport.abort()  # a polite end would wait for the host, which may send without end
    if not re.match(rb"HTTP/1\.[01] 2\d\d\b", status):
        raise NotSentError("no")


@cache
def certificates() -> ssl.SSLContext:
    """Return the system's certificate authorities. Reading them takes the processor for tens of milliseconds."""
    return ssl.create_default_context()


async def unwaited(work: Callable[[], T]) -> T:
    """Return or raise what `work()` does, in a thread that nobody waits for, so the server can stop meanwhile.

    A resolver may take half a minute, and no thread can be stopped.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: Exception | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)  # ty: ignore[invalid-argument-type]
        else:
            future.set_exception(error)

    def run() -> None:
        try:
            outcome: tuple[T | None, Exception | None] = work(), None
        except Exception as error:  # noqa: BLE001 - raised where it was asked for
            outcome = None, error
        with contextlib.suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(settle, *outcome)

    Thread(target=run, daemon=True).start()
    return await future


async def _public(target: Target) -> str:
    """Return an address of the host. The connection goes there, whatever its name leads to later. Raises NotSentError
    if any of its addresses is not public.
    """
    found = await unwaited(partial(socket.getaddrinfo, target.host, target.port, type=socket.SOCK_STREAM))
    addresses = [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]
    if not addresses or not all(is_public(one) for one in addresses):
        raise NotSentError("not public")
    return str(addresses[0])


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return whether this address belongs to the public internet, also inside the forms that wrap IPv4 into IPv6."""
    if isinstance(address, ipaddress.IPv6Address) and any(address in network for network in _WRAPPING):
        inner: ipaddress.IPv4Address | None = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    else:
        inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    return address.is_global and not address.is_multicast and (inner is None or inner.is_global)
