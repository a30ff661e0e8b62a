"""Starts the server with store, host, bots and pages in one process, prints its addresses, and stops without a loss."""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import segno
import uvicorn

from spieltisch import __version__, makers, paths
from spieltisch.classroom.classrooms import played_elsewhere
from spieltisch.cluster import fleet
from spieltisch.cluster.fleet import Fleet
from spieltisch.cluster.peers import Part, Peers
from spieltisch.decks.files import Files
from spieltisch.decks.library import Library, Reader
from spieltisch.i18n import broken
from spieltisch.i18n import in_system_language as _
from spieltisch.privacy.retention import CLASS_HOURS, KEEP_DAYS
from spieltisch.table.host import Host
from spieltisch.table.memory import Memory
from spieltisch.table.store import Store
from spieltisch.table.wake import Hub
from spieltisch.web import wire
from spieltisch.web.app import create
from spieltisch.web.core.heavy import HeavyWork
from spieltisch.web.core.http.rate_limits import RateLimits
from spieltisch.web.core.http.security import UNIX
from spieltisch.web.core.services import Services, Settings
from spieltisch.web.server import logs, start_checks, storage
from spieltisch.web.server.start_checks import PORT
from spieltisch.web.server.systemd import ServiceManager
from spieltisch.web.wire.line import LEAVE

log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from spieltisch.cluster.cluster import Cluster

STARTING = 0.005  # seconds between checks whether uvicorn has started
GRACE = 2.5  # seconds for unfinished requests when the server stops; mostly a tenth of one is enough
LOOK = 1.0  # seconds between checks for a stop
NOTICE = 1.0  # seconds before that, for a proxy to send people to other servers on the same database
CLOSED = 0.5  # seconds after that, for a proxy to notice that new connections are refused
TAKEN = 0.05  # seconds likewise without other servers, for connections that were just accepted
WRONG = 2  # exit status for wrong options; 1 is for storage or addresses that cannot be used
_FILES = 65_536  # descriptors, if the system allows that many
_OTHER_FILES = 100  # the database, helpers, decks


class Server:
    """Runs uvicorn until a signal comes, ends long polls at once, and leaves with status 0.

    With a `notice`, in seconds, there are other servers. Until then this one serves on while `/ready` says no, so that
    a proxy can see it. Then it accepts no more connections. The open ones close a moment later, since the proxy might
    just be sending a move over one. At last it answers what has come, and tells each page when to come back.
    """

    def __init__(self, config: uvicorn.Config, services: Services, notice: float = 0.0) -> None:
        self._uvicorn = uvicorn.Server(config)
        self._services = services
        self._notice = notice
        self._manager = ServiceManager()
        self._loop, self._told = asyncio.get_running_loop(), asyncio.Event()
        self.up = asyncio.Event()

    async def serve(self, listening: socket.socket, tell: Callable[[], None] = lambda: None) -> None:
        """Serve on this socket until it is told to stop. `tell` is called when it is up, and the service manager is
        told, too.
        """
        handlers = self._handle_signals()  # uvicorn raises again what it is sent while it starts
        serving = asyncio.create_task(self._uvicorn.serve(sockets=[listening]))
        try:
            while not (self._uvicorn.started or serving.done()):  # noqa: ASYNC110 - uvicorn tells nobody
                await asyncio.sleep(STARTING)
            self._handle_signals()
            self.up.set()
            tell()  # only now that signals are handled: its reader may stop the server at once
            self._manager.tell("READY=1")
            told = asyncio.create_task(self._told.wait())
            while not (serving.done() or told.done()):
                if not await self._services.readiness.is_stuck():
                    self._manager.alive()
                await asyncio.wait(
                    {serving, told}, timeout=min(LOOK, self._manager.every / 2), return_when=asyncio.FIRST_COMPLETED
                )
            told.cancel()
            if not serving.done():
                await self._stop()
            await serving
        finally:
            for sig, handler in handlers.items():
                signal.signal(sig, handler)

    def _handle_signals(self) -> dict[signal.Signals, Any]:
        """Take what asks to stop. Returns what did before."""
        return {sig: signal.signal(sig, self.handle_exit) for sig in (signal.SIGINT, signal.SIGTERM)}

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as `signal.signal` calls it
        """Stop after unfinished requests; at the second signal, at once."""
        if self._told.is_set():
            self._uvicorn.force_exit = self._uvicorn.should_exit = True
        self._loop.call_soon_threadsafe(self._told.set)
        self._manager.tell("STOPPING=1")
        self._services.stop()

    async def _stop(self) -> None:
        await asyncio.sleep(self._notice)
        for server in self._uvicorn.servers:
            server.close()
        await asyncio.sleep(CLOSED if self._notice else TAKEN)
        self._services.leaving.set()
        if not wire.is_quick() and self._services.metrics.sockets:  # for their goodbyes, since uvicorn sends none
            await asyncio.sleep(LEAVE)
        self._uvicorn.should_exit = True


def serve(
    address: str = "0.0.0.0",  # noqa: S104 - a table is for the people in the same room
    port: int | None = None,
    data: Path | None = None,
    open_browser: bool = True,
    root_path: str = "",
    trusted_proxies: Sequence[str] = (),
    origin: str = "",
    keep_days: float = KEEP_DAYS,
    database: str | None = None,
    wake: str = "",
    operator: str = "",
    *,
    webhook_hosts: Sequence[str] = (),
    mail: str = "",
    mail_from: str = "",
    uds: Path | None = None,
    class_hours: float = CLASS_HOURS,
    fresh: bool = False,
    limits: bool = True,
    as_root: bool = False,
    expect_tables: bool = False,
    log_format: logs.Format = "auto",
    log_level: logs.Level = "info",
    set_in: Mapping[str, str] | None = None,
) -> int:
    """Serve until somebody stops it. Returns the exit status: 2 for wrong options, 1 for any other obstacle.

    A given port is the only one tried; with `uds` it is a socket at this path. The tables are in the data folder, or in
    the PostgreSQL at the address `database`. The Valkey or Redis `wake`, if given, then carries hints. `set_in` tells
    where options that were not typed were set, such as --port.
    """
    asked = start_checks.Asked(
        port=port, uds=uds, root_path=root_path, proxies=tuple(trusted_proxies), origin=origin, keep_days=keep_days,
        class_hours=class_hours, database=database, wake=wake, as_root=as_root, operator=operator,
        webhook_hosts=tuple(webhook_hosts), mail=mail, mail_from=mail_from,
    )  # fmt: skip
    if why := start_checks.why_not(asked):
        return _refuse(start_checks.with_place(why, set_in or {}), WRONG)
    try:
        listening = listen(address, port) if uds is None else listen_at(uds)
    except OSError as error:
        why = start_checks.why_no_socket(error, address, PORT if port is None else port, uds)
        return _refuse(start_checks.with_place(why, set_in or {}))
    port = listening.getsockname()[1] if uds is None else 0
    os.umask(0o077)  # a server's files are for its own user
    with contextlib.ExitStack() as held:
        held.enter_context(listening)
        if uds is not None:
            held.callback(uds.unlink, missing_ok=True)
        runner = held.enter_context(asyncio.Runner(loop_factory=_loop()))
        try:
            folder = paths.open_data_folder(data)
            new = start_checks.require_tables(folder, database, expected=expect_tables)
            heavy = HeavyWork(RateLimits(enabled=limits))
            opened = _opened(folder, database, wake, held, runner, heavy.read)
            secret = paths.server_secret(folder)
            paths.note_version(folder, __version__)
        except storage.TROUBLE as error:
            return _refuse(start_checks.with_place(start_checks.why_no_storage(error), set_in or {}))
        base = "/" + root_path.strip("/") if root_path.strip("/") else ""
        open_to_all = uds is None and address in {"0.0.0.0", "::"}  # noqa: S104
        lan = f"http://{own_address()}:{port}" if open_to_all and own_address() else ""
        settings = Settings(
            secret=secret,
            folder=folder,
            name=f"{socket.gethostname()}:{port or uds}",
            root_path=base,
            proxies=(*trusted_proxies, *(() if uds is None else (UNIX,))),
            origin=origin,
            keep_days=keep_days,
            class_hours=class_hours,
            operator=operator,
            webhooks=tuple(webhook_hosts),
            mail=mail,
            mail_from=mail_from,
            in_database=database is not None,
            lan=lan,
            fresh=fresh,
            limits=limits,
        )  # fmt: skip
        said = logs.set_up(log_format, log_level)
        if newer := paths.newer_version(folder, __version__):
            log.warning(
                "this is version %s, but version %s has served here before: run `spieltisch doctor`", __version__, newer
            )
        for error in broken():
            log.warning("%s", _(error.text, **error.values))
        here = f"{_near(address)}:{port}" if uds is None else quote(str(uds.absolute()), safe="")
        where = f"http{'' if uds is None else '+unix'}://{here}"
        held.enter_context(paths.tell_server(folder, where + base))
        runner.run(_serve(listening, opened, settings, heavy, address, open_browser, said, folder if new else None))
    return 0


class _Opened(NamedTuple):
    """A server's tables and, for several servers on a database, their connection: the `Cluster` of given parts, and
    other background work.
    """

    host: Host
    peers: Peers
    cluster: "Callable[[Mapping[str, Part]], Cluster] | None" = None
    beside: tuple[Callable[[], Coroutine[object, object, None]], ...] = ()


def _opened(
    folder: Path,
    database: str | None,
    wake: str,
    held: contextlib.ExitStack,
    runner: asyncio.Runner,
    reader: Reader | None = None,
) -> _Opened:
    """Open the tables in this folder or database; the `reader` reads decks. Raises `storage.TROUBLE`."""
    peers = Peers()
    memory = Memory(Hub(), peers)

    def host(store: Store, files: Files) -> Host:
        library = Library(folder / paths.DECKS, files, reader)
        return Host(store, memory.hub, memory=memory, library=library, played_elsewhere=played_elsewhere)

    if database is None:
        return _Opened(host(*storage.in_folder(folder, held)), peers)
    store, files, hints = storage.in_database(database, wake, folder, held, runner, memory, peers)
    from spieltisch.cluster.cluster import Cluster  # noqa: PLC0415 - installed on request

    here = host(store, files)

    def cluster(parts: Mapping[str, Part]) -> Cluster:
        return Cluster(here, store, peers, {"files": files, **parts}, hints)

    return _Opened(here, peers, cluster, (files.run,))


def think(database: str, data: Path | None = None, wake: str = "") -> int:
    """Take turns of bots and clocks at the tables of this PostgreSQL until somebody stops it. Returns the
    exit status.
    """
    os.umask(0o077)
    with contextlib.ExitStack() as held:
        runner = held.enter_context(asyncio.Runner(loop_factory=_loop()))
        try:
            folder = paths.open_data_folder(data)
            opened = _opened(folder, database, wake, held, runner)
        except storage.TROUBLE as error:
            return _refuse(start_checks.why_no_storage(error))
        from spieltisch.cluster.worker import work  # noqa: PLC0415 - installed on request

        logs.set_up()
        makers.compile_aside()
        assert opened.cluster is not None
        here, name = opened.host, f"{socket.gethostname()} think"
        cluster = opened.cluster({
            "fleet": Fleet(lambda: fleet.of(here, name, __version__), opened.peers.part("fleet")),
        })  # fmt: skip
        said = _("Moves for bots and when time is up. Stop with Ctrl-C.")
        runner.run(work(here, (cluster.run, *opened.beside), lambda: print(said, flush=True)))  # noqa: T201
    return 0


def _loop() -> Any:
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _serve(
    listening: socket.socket,
    opened: _Opened,
    settings: Settings,
    heavy: HeavyWork,
    address: str,
    open_browser: bool,
    said: Counter[tuple[str, str, str]],
    new: Path | None,
) -> None:
    services = Services(opened.host, settings, heavy, opened.peers)
    services.connections.most = most_connections()
    services.metrics.said = said
    if opened.cluster is not None:  # other processes write, too
        services.beside += [opened.cluster(services.parts).run, *opened.beside]
    config = uvicorn.Config(
        create(services),
        lifespan="on",
        access_log=False,  # it would contain tables' codes
        log_config=None,  # see `logs`
        log_level="warning",
        server_header=False,
        date_header=True,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=GRACE,  # ty: ignore[invalid-argument-type] - uvicorn waits for fractions, too
        proxy_headers=False,  # the application reads them
        **wire.options(settings.proxies, services.connections, services.stopping, limited=settings.limits),
    )
    server = Server(config, services, 0.0 if opened.cluster is None else NOTICE)
    gc.freeze()  # modules, decks and rules stay, so the collector need not walk them again
    gc.enable()
    gc.set_threshold(20_000, 50, 20)  # pages are freed by reference counts, so cycles are rare
    bound = listening.getsockname()
    port = 0 if isinstance(bound, str) else bound[1]

    def tell() -> None:
        if port:
            say_where(port, settings, address, services.deck_keys.host_key())
        else:
            print(f"Spieltisch: {bound}", _("Stop with Ctrl-C."), sep="\n", flush=True)  # noqa: T201
        if new is not None:
            print(_("No tables yet. They will be kept in {folder}.", folder=new), flush=True)  # noqa: T201
        makers.compile_aside()
        if (engines := makers.progress()).installed and not engines.compiled:
            print(  # noqa: T201
                _("Bots and hints run in plain Python until they are compiled, in a minute or two."), flush=True
            )
        if open_browser and port:
            show(f"http://localhost:{port}{settings.root_path}/")

    await server.serve(listening, tell)


def _refuse(why: str, status: int = 1) -> int:
    print(f"spieltisch: {why}", file=sys.stderr)  # noqa: T201
    return status


def listen(address: str, port: int | None) -> socket.socket:
    """Return a socket on this port, or on the first free one from 8000. Raises OSError if there is none."""
    if port is not None:
        return _bound(address, port)
    for tried in range(PORT, PORT + 19):
        try:
            return _bound(address, tried)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return _bound(address, PORT + 19)


def listen_at(path: Path) -> socket.socket:
    """A socket at this path, for its user and group; it replaces one that a killed server left. Raises OSError."""
    if path.is_socket():
        with contextlib.suppress(ConnectionRefusedError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
            other.connect(str(path))
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        path.unlink()
    one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o117)
    try:
        one.bind(str(path))
        one.listen(1024)
    except OSError:
        one.close()
        raise
    finally:
        os.umask(before)
    one.setblocking(False)
    return one


def _bound(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # with TCP named, asyncio sets TCP_NODELAY
    if sys.platform != "win32":  # there it would let two servers share a port
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        one.bind((address, port))
        one.listen(1024)
    except OSError:
        one.close()
        raise
    one.setblocking(False)
    return one


def most_connections() -> int:
    """Return how many connections the system allows, without those that files and helpers need. First raises the limit
    as far as possible.
    """
    if sys.platform == "win32":
        return 10_000
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(hard, _FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return (_FILES if soft == resource.RLIM_INFINITY else soft) - _OTHER_FILES


def _spelled(address: str) -> str:
    """Return an address in the form for a URL."""
    return f"[{address}]" if ":" in address else address


def _near(address: str) -> str:
    """Return the address at which this machine itself reaches a server on `address`."""
    return _spelled({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address))  # noqa: S104


def own_address() -> str:
    """Return the machine's address in its network, "" if it has none. Sends nothing."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))  # an address for documentation: this only looks up the route
        found = one.getsockname()[0]
        return "" if found.startswith("127.") else found
    return ""


def say_where(port: int, settings: Settings, address: str, host_key: str) -> None:
    """Print the addresses, a QR code for phones in the same network, and the address of the host's page."""
    local = "localhost" if address in {"0.0.0.0", "::", "127.0.0.1", "localhost"} else _spelled(address)  # noqa: S104
    print(f"Spieltisch: http://{local}:{port}{settings.root_path}/", flush=True)  # noqa: T201
    if settings.lan:
        lan = f"{settings.lan}{settings.root_path}/"
        print(_("For others on this network: {address}", address=lan), flush=True)  # noqa: T201
        if sys.stdout.isatty():
            segno.make(lan).terminal(compact=True)
    if sys.stdout.isatty():  # a log should not contain the key; `spieltisch link` prints it
        link = f"http://{local}:{port}{settings.root_path}/host#{host_key}"
        print(_("Only for you (reported cards): {address}", address=link), flush=True)  # noqa: T201
    if address not in {"127.0.0.1", "localhost", "::1"} and not settings.origin.startswith("https://"):
        print(_("Without https, others on this network can read along."), flush=True)  # noqa: T201
    print(_("Stop with Ctrl-C."), flush=True)  # noqa: T201


def show(url: str) -> None:
    """Open the browser, if there is a screen."""
    if sys.platform not in {"win32", "darwin"} and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    # in a thread, because some browsers block their caller
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
