"""All reasons to refuse to start: settings, storage, address. Each sentence says what would be right."""

import errno
import ipaddress
import os
import re
import socket
import sys
from collections.abc import Generator, Mapping
from pathlib import Path

from msgspec import Struct

from spieltisch import paths
from spieltisch.extras import MissingExtraError, command
from spieltisch.game import Refused
from spieltisch.i18n import in_system_language as _
from spieltisch.privacy.operator import LONGEST, is_fit
from spieltisch.privacy.retention import CLASS_HOURS, KEEP_DAYS
from spieltisch.web.core.mailing import is_address, server_at
from spieltisch.web.core.outgoing import is_host

PORT = 8000
LONGEST_DAYS, LONGEST_HOURS = 36_500, 8_760  # a hundred years, a year
_ORIGIN = re.compile(r"https?://(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?")
_PATH = re.compile(r"/?(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*/?)*")
_CONTAINERS = ("/.dockerenv", "/run/.containerenv")


class Asked(Struct, frozen=True, kw_only=True):
    """The options of `spieltisch serve` that are checked."""

    port: int | None = None
    uds: Path | None = None
    root_path: str = ""
    proxies: tuple[str, ...] = ()
    origin: str = ""
    keep_days: float = KEEP_DAYS
    class_hours: float = CLASS_HOURS
    database: str | None = None
    wake: str = ""
    as_root: bool = False
    operator: str = ""
    webhook_hosts: tuple[str, ...] = ()
    mail: str = ""
    mail_from: str = ""


def why_not(asked: Asked) -> str:
    """Return the first wrong option as a sentence, in the language of the system; "" if all are right."""
    return next(_reasons(asked), "")


def with_place(why: str, places: Mapping[str, str]) -> str:
    """Return the reason; if it names an option that was not typed, it also tells where that option was set."""
    option = next((name for name in re.findall(r"--[a-z][a-z-]*", why) if name in places), "")
    return why + " " + _("{option} is set in {place}.", option=option, place=places[option]) if option else why


def _reasons(asked: Asked) -> Generator[str]:
    if asked.port is not None and not 0 <= asked.port <= 65_535:
        yield _("--port must be a number from 1 to 65535, not {port}.", port=asked.port)
    if asked.root_path and ("://" in asked.root_path or not _PATH.fullmatch(asked.root_path)):
        yield _("--root-path must be a plain path, such as /spieltisch, not {path}.", path=asked.root_path)
    if asked.uds is not None and asked.port is not None:
        yield _("Use either --uds or --port, not both.")
    if asked.uds is not None and not hasattr(socket, "AF_UNIX"):
        yield _("--uds needs a system with Unix domain sockets.")
    for proxy in asked.proxies:
        yield from _of_proxy(proxy)
    if asked.origin and (not (found := _ORIGIN.fullmatch(asked.origin)) or int(found[1] or 0) > 65_535):
        yield _("--origin needs a scheme and a host, such as https://games.example.org.")
    if not 1 <= asked.keep_days <= LONGEST_DAYS:
        yield _("--keep-days must be a number from 1 to {most}, not {given}.", most=LONGEST_DAYS, given=asked.keep_days)
    if not 1 <= asked.class_hours <= LONGEST_HOURS:
        yield _("--class-hours must be a number from 1 to {most}, not {given}.",
                most=LONGEST_HOURS, given=asked.class_hours)  # fmt: skip
    if asked.wake and asked.database is None:
        yield _("--wake needs --database. It is for several servers on one database.")
    if not is_fit(asked.operator):
        yield _("--operator takes at most {n} characters.", n=LONGEST)
    for host in asked.webhook_hosts:
        if not is_host(host):
            yield _("--webhook-host needs a host, such as hooks.example or nas.lan=10.0.0.5, not {host}.", host=host)
    if asked.webhook_hosts and not asked.origin:
        yield _("--webhook-host needs --origin: each message has a link to this server.")
    yield from _of_mail(asked)
    if _is_root() and not asked.as_root and not _in_container():
        yield _("The server should not run as root. Start it as another user, or add --as-root if you mean it.")


def _of_mail(asked: Asked) -> Generator[str]:
    if not (asked.mail or asked.mail_from):
        return
    try:
        server_at(asked.mail, asked.mail_from)
    except ValueError:  # it is not repeated: it may hold a password
        yield _("--mail needs an address such as smtps://user:password@mail.example or smtp://mail.example:587.")
    if not is_address(asked.mail_from):
        yield _("--mail needs --mail-from: the address from which mail comes.")
    if not asked.origin:
        yield _("--mail needs --origin: each mail has a link to this server.")


def _of_proxy(proxy: str) -> Generator[str]:
    if proxy == "*":
        return
    try:
        ipaddress.ip_network(proxy)
    except ValueError:
        try:
            right = ipaddress.ip_network(proxy, strict=False)
        except ValueError:
            yield _("--trusted-proxy takes an IP address, such as 127.0.0.1, or a network, such as 10.0.0.0/8. {proxy}"
                    " is neither.", proxy=proxy)  # fmt: skip
        else:
            yield _("--trusted-proxy {proxy} is not a network. Did you mean {network}?", proxy=proxy, network=right)


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def _in_container() -> bool:
    """Return whether this is a container, where root is not the machine's root."""
    return "container" in os.environ or any(Path(file).exists() for file in _CONTAINERS)


def why_no_socket(error: OSError, address: str, port: int, uds: Path | None) -> str:
    """Return why the server cannot listen there, and what to do."""
    if uds is not None:
        why = _("it is in use") if error.errno == errno.EADDRINUSE else error.strerror or error
        return _("cannot make a socket at {path}: {why}; choose another path with --uds.", path=uds, why=why)
    if error.errno == errno.EADDRINUSE:
        return _("port {port} is in use; choose another one with --port.", port=port)
    if error.errno == errno.EACCES:
        return _("you may not use port {port}; choose one above 1023 with --port.", port=port)
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return _("{address} is not an address of this machine; choose another with --host, or none.", address=address)
    why = error.strerror or error
    return _("cannot serve on {address}, port {port}: {why}", address=address, port=port, why=why)


def why_no_storage(error: MissingExtraError | Refused | OSError) -> str:
    """Return why the storage cannot be used; `error` is one of `storage.TROUBLE`."""
    if isinstance(error, MissingExtraError):
        return _("--database needs another package. Install it with: {command}", command=command(error.extra))
    if isinstance(error, Refused | paths.DataError):
        return f"{_(error.text, **error.values).rstrip('.')}."
    why = f"{error.strerror} ({error.filename})" if error.filename else f"{error.strerror or error}"
    return _("the folder for the tables cannot be used: {why}. Choose another one with --data.", why=why)


def require_tables(folder: Path, database: str | None, *, expected: bool) -> bool:
    """Return whether the folder is new, so that tables will be created; always False with a database.

    Raises DataError if tables are missing: they are `expected`, or a server has run in the folder before.
    """
    if database is not None or (folder / paths.TABLES).exists():
        return False
    if (folder / paths.COPY).exists():
        raise paths.only_copies(folder)
    if expected:
        raise paths.DataError(
            "the folder {folder} has no tables, but --expect-tables was given. Is its disk mounted, and is it the right"
            " folder?",
            folder=folder,
        )
    if (folder / paths.SECRET).exists() and (folder / paths.LOCK).exists():
        raise paths.DataError(
            "a server has run in {folder}, but its tables are missing. Restore {file} from a backup. To start without"
            " them, delete {lock}",
            folder=folder, file=paths.TABLES, lock=folder / paths.LOCK,
        )  # fmt: skip
    return True
