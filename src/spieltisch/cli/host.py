"""The host's commands: `spieltisch link`, `spieltisch backup` and `spieltisch restore`."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import Parameter

from spieltisch import paths
from spieltisch.cli import settings
from spieltisch.cli.output import _, named
from spieltisch.decks.files import Files

if TYPE_CHECKING:
    from spieltisch.web.core.access.deck_keys import DeckKeys

T = TypeVar("T")
Replace = Annotated[bool, Parameter(negative=())]


def link(
    *,
    to: str = "http://localhost:8000",
    metrics: Annotated[bool, Parameter(negative=())] = False,
    renew: Annotated[bool, Parameter(negative=())] = False,
    data: Path | None = None,
    database: str | None = None,
) -> int:
    """Print the address of the host's page, with its key.

    Parameters
    ----------
    to
        Address of the server.
    metrics
        Print the key for /metrics instead; it opens nothing else.
    renew
        Make new keys first, for the page and for /metrics. Old addresses stop working.
    data
        Folder of the server; the user's data folder by default.
    database
        The server's --database; needed to make new keys.

    """
    folder = data or paths.data_folder()
    try:
        if renew:
            written(folder, database, lambda files: deck_keys(folder, files).renew_host())
        keys = deck_keys(folder)
        print(keys.metrics_key() if metrics else f"{to.rstrip('/')}/host#{keys.host_key()}")
    except Exception as error:  # noqa: BLE001 - whatever stands in the way, one line says what it is
        return _refuse("link", error)
    return 0


def deck_keys(folder: Path, files: Files | None = None) -> "DeckKeys":
    """The keys of the decks in this data folder, and of its host. `files` is used to store a renewed key."""
    from spieltisch.table.signing import Signer
    from spieltisch.web.core.access.deck_keys import DeckKeys, Renewals
    from spieltisch.web.core.http.cookies import Cookies

    secret = paths.server_secret(paths.open_data_folder(folder))
    return DeckKeys(Signer(secret), Cookies(""), Renewals(folder / paths.DECKS, files or Files()))


def written(folder: Path, database: str | None, work: Callable[[Files], Coroutine[object, object, T]]) -> T:
    """Run `work`, which writes files of a server that may be running, and return its result. It writes into the data
    folder or, if that is a copy, into the database.

    Raises DataError if the database is missing from the command, cannot be used, or does not belong to the folder;
    Unsaved or OSError if nothing can be written.
    """
    if database is None:
        if (folder / paths.COPY).exists():
            raise paths.only_copies(folder)
        return asyncio.run(work(Files()))
    from spieltisch.cluster.copied import changed

    return asyncio.run(changed(database, folder, work))


def backup(file: Path, *, data: Path | None = None, database: str | None = None, replace: Replace = False) -> int:
    """Copy a server's tables, secret, decks and reports into one file. The server may run.

    Parameters
    ----------
    file
        File to write. Anyone who can read it can open every seat and deck.
    data
        Folder of the server; the user's data folder by default.
    database
        The server's --database.
    replace
        Overwrite an existing file.

    """
    from spieltisch.backup import back_up

    try:
        made = back_up(data or paths.data_folder(), file, replace=replace, database=database)
    except Exception as error:  # noqa: BLE001 - whatever stands in the way, one line says what it is
        return _refuse("backup", error)
    print(
        _("{file}: tables: {tables}, other files: {others}", file=file, tables=made.tables, others=len(made.files) - 1)
    )
    return 0


def restore(
    file: Path,
    *,
    table: str = "",
    data: Path | None = None,
    database: str | None = None,
    replace: Replace = False,
) -> int:
    """Restore a backup into the folder or database of a stopped server.

    Parameters
    ----------
    file
        Backup from `spieltisch backup`.
    table
        Code of a table, as `spieltisch doctor` names it: restores that table only.
    data
        Folder of the server; the user's data folder by default.
    database
        The server's --database.
    replace
        Put aside what is there already.

    """
    from spieltisch import backup

    folder, code = data or paths.data_folder(), table.strip().upper()
    try:
        if code:
            made, n, aside = backup.restore_table(file, folder, code, replace=replace, database=database)
            said = _("{table}: entries: {n}, as they were on {made}", table=code, n=n, made=made.made)
        else:
            made, aside = backup.restore(file, folder, replace=replace, database=database)
            n = made.tables
            said = _("{folder}: tables: {tables}, as they were on {made}", folder=folder, tables=n, made=made.made)
    except Exception as error:  # noqa: BLE001 - as above
        return _refuse("restore", error)
    print(said)
    if aside is not None:
        print(_("The previous data is now in {folder}. Delete it once everything works.", folder=aside))
    return 0


def think(*, database: str, data: Path | None = None, wake: str = "") -> int:
    """Play the turns of bots and clocks for the servers on a database, here or on another machine, until stopped.

    Parameters
    ----------
    database
        The servers' --database.
    data
        Folder with your own decks; the user's data folder by default.
    wake
        The servers' --wake, if they have one.

    """
    from spieltisch.web.server.serve import think as run

    settings.warn_of_passwords(database, wake)
    return run(database, data, wake)


def _refuse(command: str, error: Exception) -> int:
    print(f"spieltisch {command}: {named(error)}.", file=sys.stderr)
    return 1
