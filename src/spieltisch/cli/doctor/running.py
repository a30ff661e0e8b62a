"""Checks the servers that run on a data folder: whether they answer, and how many files they may open."""

import http.client
import json
import socket
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote, urlsplit

from spieltisch import paths
from spieltisch.cli.doctor.findings import Finding
from spieltisch.cli.output import _

WAIT = 10.0  # seconds; a server that queries a database takes some
FILES_LOW = 4096  # descriptors: each page takes one
FULL = 0.8  # share of the files that may be open


def look_over(folder: Path) -> Generator[Finding]:
    """Check each server on this folder or, if none runs, one that would be started here."""
    servers = paths.servers(folder)
    for process, address in servers.items():
        yield _ready(process, address)
        yield _limits(process)
    if not servers:
        yield _limits(None)


def _ready(process: int, address: str) -> Finding:
    """Whether the server at this address of this machine is ready."""
    parts = urlsplit(address)
    try:
        with closing(_line(address)) as line:
            line.request("GET", f"{parts.path}/ready", headers={"accept": "application/json"})
            answer = line.getresponse()
            status, body = answer.status, answer.read(100_000)
    except (OSError, http.client.HTTPException) as error:
        return Finding("bad", _(
            "The server (process {process}) does not answer at {address}: {why}",
            process=process, address=address, why=error or type(error).__name__,
        ))  # fmt: skip
    if status == 200:
        return Finding("good", _("The server (process {process}) is ready at {address}.",
                                 process=process, address=address))  # fmt: skip
    return Finding("bad", _("The server (process {process}) is not ready: {why}",
                            process=process, why=_detail(body) or status))  # fmt: skip


def _line(address: str) -> http.client.HTTPConnection:
    parts = urlsplit(address)
    if parts.scheme != "http+unix":
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=WAIT)
    line = http.client.HTTPConnection("localhost", timeout=WAIT)
    line.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.sock.settimeout(WAIT)
    line.sock.connect(unquote(parts.netloc))
    return line


def _detail(body: bytes) -> str:
    try:
        said = json.loads(body)
    except ValueError:
        return ""
    return str(said.get("detail", "")) if isinstance(said, dict) else ""


def _limits(process: int | None) -> Finding:
    """How many files a server may open; this process stands in if there is none, or its limit is unknown."""
    if sys.platform == "win32":
        return Finding("good", _("This system sets no limit on connections."))
    if process is not None and (most := _most_files(process)) is not None:
        now = _open_files(process)
        who = {"process": process, "n": most, "now": now}
        if now is not None and now > FULL * most:
            return Finding("bad", _("The server (process {process}) has {now} of {n} files open, and each page needs"
                                    " one. Raise LimitNOFILE.", **who))  # fmt: skip
        if most < FILES_LOW:
            return Finding("odd", _("The server (process {process}) may open only {n} files, and each page needs"
                                    " one. Raise LimitNOFILE.", **who))  # fmt: skip
        return Finding("good", _("The server (process {process}) may open {n} files.", **who))
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < FILES_LOW:
        return Finding("odd", _("Only {n} files may be open here, and each page needs one. Raise LimitNOFILE.", n=hard))
    return Finding("good", _("The limit on open files is enough for thousands of pages."))


def _most_files(process: int) -> int | None:
    """How many files a process may open; None if unknown or unlimited."""
    try:
        text = Path(f"/proc/{process}/limits").read_text(encoding="ascii")
    except OSError:
        return None
    found = next((line.split()[3] for line in text.splitlines() if line.startswith("Max open files")), "")
    return int(found) if found.isdecimal() else None


def _open_files(process: int) -> int | None:
    try:
        return sum(1 for _file in Path(f"/proc/{process}/fd").iterdir())
    except OSError:  # another user's process
        return None
