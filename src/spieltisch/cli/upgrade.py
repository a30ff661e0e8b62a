"""The command `spieltisch upgrade`: moves running games to the rules of this version."""

import asyncio
import contextlib
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from spieltisch import paths
from spieltisch.cli.output import _, named

if TYPE_CHECKING:
    from spieltisch.table.upgrade import Judged


def upgrade(
    *,
    check: Annotated[bool, Parameter(negative=())] = False,
    data: Path | None = None,
    database: str | None = None,
) -> int:
    """Replay all running games under this version's rules, and move them over if nothing changes.

    Games that the new rules would change finish under the old ones, if this version has them. The status is 1 if a
    game cannot go on.

    Parameters
    ----------
    check
        Only print what would happen. Servers may run.
    data
        Folder of the server; the user's data folder by default.
    database
        The server's --database.

    """
    from spieltisch.backup import require_place

    folder = data or paths.data_folder()
    try:
        require_place(folder, database)
        with contextlib.ExitStack() as held:
            if not check:
                _hold(held, folder, database)
            found = _judged(folder, database)
            if not check:
                asyncio.run(_renew([one.table for one in found if one.outlook == "equal"], folder, database))
    except Exception as error:  # noqa: BLE001 - whatever stands in the way, one line says what it is
        print(f"spieltisch upgrade: {named(error)}.", file=sys.stderr)
        return 1
    _tell(found, check=check)
    return 1 if any(one.outlook in {"stuck", "damaged"} for one in found) else 0


def _hold(held: contextlib.ExitStack, folder: Path, database: str | None) -> None:
    """Keep servers off these tables while this is open. Raises DataError if one uses them."""
    if database is not None:
        from spieltisch.cluster.copying import require_idle

        require_idle(database)
    held.enter_context(paths.hold_data_folder(folder))


def _judged(folder: Path, database: str | None) -> "list[Judged]":
    """The verdict on each running game, from a copy, so that nothing here changes."""
    from spieltisch.backup import copy_tables
    from spieltisch.table.store.sqlite import SQLite, playing
    from spieltisch.table.upgrade import judge

    async def look(file: Path) -> "list[Judged]":
        store = SQLite(file)
        try:
            return [await judge(store, setup) for setup in playing(file)]
        finally:
            await store.close()

    with tempfile.TemporaryDirectory(prefix="spieltisch-") as place:
        copy = Path(place) / paths.TABLES
        copy_tables(folder, database, copy)
        return asyncio.run(look(copy))


async def _renew(tables: list[str], folder: Path, database: str | None) -> None:
    from spieltisch.table.host import Host
    from spieltisch.table.store import Store
    from spieltisch.table.store.sqlite import SQLite
    from spieltisch.table.wake import Hub

    if database is None:
        store: Store = SQLite(folder / paths.TABLES)
    else:
        from spieltisch.cluster.postgres import Postgres

        store = Postgres(database)
    try:
        host = Host(store, Hub())
        for table in tables:
            await host.renew(table)
    finally:
        await store.close()


def _tell(found: "list[Judged]", *, check: bool) -> None:
    for one in sorted(found, key=lambda one: (one.outlook, one.table)):
        what = "" if one.what is None else _(one.what.text, **one.what.values)
        where = {"table": one.table, "game": one.game, "version": one.version, "entry": one.entry, "what": what}
        if one.outlook == "former rules":
            print(_("{table}: {game} finishes under version {version} of its rules; the new ones differ at entry"
                    " {entry}: {what}", **where))  # fmt: skip
        elif one.outlook == "stuck":
            print(_("{table}: {game} cannot go on; version {version} of its rules, entry {entry}: {what}", **where))
        elif one.outlook == "damaged":
            print(_("{table}: {game} is damaged at entry {entry}: {what}", **where))
    n = Counter[str](one.outlook for one in found)
    print(_("Running games: {n}", n=len(found)))
    said = {
        "same rules": _("under the same rules"),
        "equal": _("can move to the new rules, which change nothing so far") if check else _("moved to the new rules"),
        "former rules": _("finish under the rules they began with"),
        "stuck": _("cannot go on: run the previous version until they are over"),
        "damaged": _("are damaged: restore them with `spieltisch restore FILE --table CODE`"),
    }
    for outlook, words in said.items():
        if n[outlook]:
            print(f"  {n[outlook]} {words}")
