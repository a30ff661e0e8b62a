"""Where a server keeps its data: in a folder, or in a PostgreSQL that several servers share.

What is opened here stays open as long as the server runs. If a folder or database cannot be used, a sentence says so.
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
from spieltisch.extras import MissingExtraError, command, needed
from spieltisch.game import Refused
from spieltisch.i18n import in_system_language as _
from spieltisch.table.memory import Memory
from spieltisch.table.store.sqlite import SQLite

if TYPE_CHECKING:
    from spieltisch.cluster.copied import Copied
    from spieltisch.cluster.notify import Hints
    from spieltisch.cluster.postgres import Postgres

PATIENCE = 5.0  # seconds in which another server may be taking over the same folder
TROUBLE = (MissingExtraError, Refused, OSError)  # what says that there is no place


def in_folder(folder: Path, held: ExitStack) -> tuple[SQLite, Files]:
    """Open the tables and files of the one server of a folder. Raises DataError or OSError if it cannot be used."""
    held.enter_context(paths.hold_data_folder(folder))
    require_whole(folder)
    inbox.take_over(folder / paths.DECKS)
    require_readable(folder)
    store = SQLite(folder / paths.TABLES)
    for file in folder.glob(f"{paths.TABLES}*"):
        paths.keep_private(file)
    (folder / paths.COPY).unlink(missing_ok=True)  # what lies here is a copy no longer
    return store, Files()


def in_database(
    address: str, wake: str, folder: Path, held: ExitStack, runner: asyncio.Runner, memory: Memory, peers: Peers
) -> "tuple[Postgres, Copied, Hints | None]":
    """Open the tables and files of one of several servers on a PostgreSQL, whose data folder is a copy, and what tells
    the others of moves (None: the database does). They are used in this runner's loop. What is written is told to
    `peers`; the `memory` is emptied when the database may have less than before.

    The first time, the database takes over what lies in the folder. Raises MissingExtraError, DataError, Unsaved or
    OSError if the database, the folder or `wake` cannot be used.
    """
    with needed():
        from spieltisch.cluster import copied  # noqa: PLC0415 - installed on request
        from spieltisch.cluster.notify import Valkey  # noqa: PLC0415 - installed on request
        from spieltisch.cluster.postgres import Postgres  # noqa: PLC0415 - installed on request

    if (folder / paths.TABLES).exists():
        raise paths.two_places(folder)  # nobody would see those
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


def why_not(error: MissingExtraError | Refused | OSError) -> str:
    """Say why there is no place for the tables."""
    if isinstance(error, MissingExtraError):
        return _("--database needs another package. Install it with: {command}", command=command(error.extra))
    if isinstance(error, Refused | paths.DataError):
        return f"{_(error.text, **error.values).rstrip('.')}."
    why = f"{error.strerror} ({error.filename})" if error.filename else f"{error.strerror or error}"
    return _("the folder for the tables cannot be used: {why}. Choose another one with --data.", why=why)
