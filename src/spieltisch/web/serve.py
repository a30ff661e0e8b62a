"""Starts the server: store, host, bots and pages in one process; says where it is; stops within a second."""

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import segno
import uvicorn

from spieltisch import paths
from spieltisch.decks.library import Library
from spieltisch.table.host import Host
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
from spieltisch.web.app import create
from spieltisch.web.services import Services, Settings

PORT = 8000


class Server(uvicorn.Server):
    """Ends what would wait (long polls) as soon as it is told to stop, and leaves with status 0."""

    def __init__(self, config: uvicorn.Config, services: Services) -> None:
        super().__init__(config)
        self._services = services

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature is uvicorn's
        """Once: stop nicely. Twice: at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._services.stopping.set()


def serve(
    address: str = "0.0.0.0",  # noqa: S104 - a table is for the people in the same room
    port: int | None = None,
    data: Path | None = None,
    open_browser: bool = True,
    root_path: str = "",
    trusted_proxies: Sequence[str] = (),
    keep_days: float = 30,
    *,
    fresh: bool = False,
    limits: bool = True,
) -> int:
    """Serve until somebody stops it; the exit status. A port that was asked for is the only one tried."""
    listening = listen(address, port)
    if listening is None:
        at = PORT if port is None else port
        print(f"spieltisch: port {at} is in use; choose another one with --port.", file=sys.stderr)  # noqa: T201
        return 1
    port = listening.getsockname()[1]
    try:
        folder = paths.open_data_folder(data)
        secret = paths.server_secret(folder)
    except OSError as error:
        print(f"spieltisch: the folder for the tables cannot be used: {error}", file=sys.stderr)  # noqa: T201
        return 1
    base = "/" + root_path.strip("/") if root_path.strip("/") else ""
    lan = f"http://{own_address()}:{port}" if address in {"0.0.0.0", "::"} and own_address() else ""  # noqa: S104
    settings = Settings(
        secret=secret,
        root_path=base,
        trusted=bool(trusted_proxies),
        keep_days=keep_days,
        lan=lan,
        fresh=fresh,
        limits=limits,
    )  # fmt: skip
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    with asyncio.Runner(loop_factory=_loop()) as runner:
        runner.run(_serve(listening, folder, settings, list(trusted_proxies), address, open_browser))
    return 0


def _loop() -> Any:
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _serve(
    listening: socket.socket, folder: Path, settings: Settings, proxies: list[str], address: str, open_browser: bool
) -> None:
    services = Services(Host(SQLite(folder / paths.TABLES), Hub(), library=Library(folder / paths.DECKS)), settings)
    config = uvicorn.Config(
        create(services),
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=64 * 1024,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        lifespan="on",
        access_log=False,  # addresses of tables are nobody's business
        log_level="warning",
        server_header=False,
        date_header=True,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=None,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
    )
    config.timeout_graceful_shutdown = 0.5  # ty: ignore[invalid-assignment] - uvicorn waits for fractions, too
    server = Server(config, services)
    gc.collect()
    gc.freeze()  # modules, decks and rules stay: the collector need not look at them again and again
    gc.set_threshold(20_000, 50, 20)  # what a page is drawn from goes by itself: seldom look for circles in it
    say_where(listening.getsockname()[1], settings, address, services.deck_keys.host_key())
    if open_browser:
        show(f"http://localhost:{listening.getsockname()[1]}{settings.root_path}/")
    await server.serve(sockets=[listening])


def listen(address: str, port: int | None) -> socket.socket | None:
    """A socket on this port; without one asked for, on the first free one from 8000 on. None: in use."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for tried in [port] if port is not None else range(PORT, PORT + 20):
        one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # so named, asyncio sets TCP_NODELAY
        if sys.platform != "win32":  # there it would let two servers share a port
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((address, tried))
            one.listen(1024)
        except OSError:
            one.close()
            continue
        one.setblocking(False)
        return one
    return None


def own_address() -> str:
    """The machine's address in its network, "" if it has none. Nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))  # an address for examples: only the route to it is asked for
        found = one.getsockname()[0]
        return "" if found.startswith("127.") else found
    return ""


def say_where(port: int, settings: Settings, address: str, host_key: str) -> None:
    """The addresses, a QR code for phones in the same network, and the host's own page."""
    local = "localhost" if address in {"0.0.0.0", "::", "127.0.0.1", "localhost"} else address  # noqa: S104
    print(f"Spieltisch: http://{local}:{port}{settings.root_path}/", flush=True)  # noqa: T201
    if settings.lan:
        lan = f"{settings.lan}{settings.root_path}/"
        print(f"For others in this network: {lan}", flush=True)  # noqa: T201
        if sys.stdout.isatty():
            segno.make(lan).terminal(compact=True)
    if sys.stdout.isatty():  # whoever keeps the output as a log should not keep a key; `deck reports --link` tells it
        link = f"http://{local}:{port}{settings.root_path}/host#{host_key}"
        print(f"For you alone (reported cards): {link}", flush=True)  # noqa: T201
    print("Stop with Ctrl-C.", flush=True)  # noqa: T201


def show(url: str) -> None:
    """Open the browser, where there is one to be seen."""
    if sys.platform not in {"win32", "darwin"} and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    # in a thread of its own: some browsers keep the caller waiting
    threading.Timer(0.5, lambda: webbrowser.open(url)).start()


def _main() -> int:
    import argparse  # noqa: PLC0415 - only for makers; people use the command `spieltisch`

    parser = argparse.ArgumentParser(description="Serve, reading templates anew for each page.")
    parser.add_argument("--port", type=int)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--root-path", default="")
    asked = parser.parse_args()
    return serve("127.0.0.1", asked.port, asked.data, False, asked.root_path, fresh=True)


if __name__ == "__main__":
    sys.exit(_main())
