"""Open the storage of a server: a folder, or a PostgreSQL that several servers share.

What is opened here stays open as long as the server runs.
"""

import asyncio
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from spieltisch import paths
from spieltisch.backup import require_readable, require_whole
from spieltisch.cluster.peers import Peers
from spieltisch.decks import inbox
from spieltisch.decks.files import Files
from spieltisch.extras import MissingExtraError, needed
from spieltisch.game import Refused
from spieltisch.table.memory import Memory
from spieltisch.table.store.sqlite import SQLite

if TYPE_CHECKING:
    from spieltisch.cluster.copied import Copied
    from spieltisch.cluster.notify import Hints
    from spieltisch.cluster.postgres import Postgres

PATIENCE = 5.0  # seconds to wait while another server takes over the same folder
# Raised if the storage cannot be used; see `start_checks.why_no_storage`.
TROUBLE = (MissingExtraError, Refused, OSError)


def in_folder(folder: Path, held: ExitStack) -> tuple[SQLite, Files]:
    """Open the tables and files of a folder for its only server. Raises DataError or OSError if that is impossible."""
    held.enter_context(paths.hold_data_folder(folder))
    require_whole(folder)
    inbox.take_over(folder / paths.DECKS)
    require_readable(folder)
    store = SQLite(folder / paths.TABLES)
    for file in folder.glob(f"{paths.TABLES}*"):
        paths.keep_private(file)
    (folder / paths.COPY).unlink(missing_ok=True)  # the folder has the originals now
    return store, Files()


def in_database(
    address: str, wake: str, folder: Path, held: ExitStack, runner: asyncio.Runner, memory: Memory, peers: Peers
) -> "tuple[Postgres, Copied, Hints | None]":
    """Open the tables and files on a PostgreSQL, and the message broker `wake` (None: the database notifies).

    The data folder holds copies of the database's files; the first time, the database takes over what the folder has.
    Everything is used in the event loop of this `runner`. Writes are announced to `peers`, and the `memory` is emptied
    if the database may have lost entries. Raises MissingExtraError, DataError, Unsaved or OSError if the database, the
    folder or `wake` cannot be used.
    """
    with needed():
        from spieltisch.cluster import copied  # noqa: PLC0415 - installed on request
        from spieltisch.cluster.notify import Valkey  # noqa: PLC0415 - installed on request
        from spieltisch.cluster.postgres import Postgres  # noqa: PLC0415 - installed on request

    if (folder / paths.TABLES).exists():
        raise paths.two_places(folder)  # nobody would see them
    store = Postgres(address, written=peers.written, turned=memory.turn)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if runner.run(copied.is_copy(store, folder)):
                    held.enter_context(paths.hold_data_folder(folder, shared=True))
                    break
                with paths.hold_data_folder(folder):
                    require_whole(folder)
                    inbox.take_over(folder / paths.DECKS)
                    runner.run(copied.take_over(store, folder))
            except paths.DataError as error:
                if "process" not in error.values or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        require_whole(folder)
        files = copied.Copied(store, folder, peers.part("files"))
        runner.run(files.follow())
        require_readable(folder)
        return store, files, Valkey(wake, store.database) if wake else None
    except BaseException:
        runner.run(store.close())
        raise
