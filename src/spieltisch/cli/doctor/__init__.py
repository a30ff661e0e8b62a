"""The command `spieltisch doctor`: is a server's folder in order, and can people reach the server?"""

import shutil
import sqlite3
import stat
import sys
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path

from spieltisch import __version__, paths
from spieltisch.cli.doctor import running
from spieltisch.cli.doctor.findings import SIGNS, Finding, Level, clock, formats, logs
from spieltisch.cli.output import _, named, reason
from spieltisch.i18n import broken

ROOM_LOW, ROOM_LEAST = 500, 50  # megabytes


def doctor(
    *,
    url: str = "",
    data: Path | None = None,
    database: str | None = None,
    wake: str = "",
    mail: str = "",
    mail_from: str = "",
) -> int:
    """Check a server: its folder, disk, tables, clock and mail server; with --url also its proxy and network.

    Parameters
    ----------
    url
        Address at which people reach the server, such as https://tisch.example/spieltisch.
    data
        Folder of the server; the user's data folder by default. Not checked if only --url is given.
    database
        The server's --database.
    wake
        The server's --wake.
    mail
        The server's --mail. No mail is sent.
    mail_from
        The server's --mail-from.

    """
    from spieltisch.cli.doctor import probe

    bad = 0
    if data is not None or database is not None or not (url or wake):
        bad += _tell(look_over(data or paths.data_folder(), database))
    if wake:
        bad += _tell(_wake(wake))
    if mail:
        bad += _tell(_mail(mail, mail_from))
    if url:
        bad += _tell(probe.look_over(url))
    return 1 if bad else 0


def _tell(findings: Iterable[Finding]) -> int:
    """Print findings as they come. Returns the number of bad ones."""
    bad = 0
    for one in findings:
        print(f"{SIGNS[one.level]} {one.text}", flush=True)
        bad += one.level == "bad"
    return bad


def _wake(address: str) -> Generator[Finding]:
    try:
        from spieltisch.cli.doctor import valkey
    except ImportError as error:
        yield Finding("bad", f"{reason(error)}.")
        return
    yield from valkey.look_over(address)


def _mail(address: str, sender: str) -> Generator[Finding]:
    try:
        from spieltisch.cli.doctor import mail
    except ImportError as error:
        yield Finding("bad", f"{reason(error)}.")
        return
    yield from mail.look_over(address, sender)


def look_over(folder: Path, database: str | None = None) -> Generator[Finding]:
    """Check a server's folder and database, even while it runs. Only the folder's lock is held, for a moment."""
    if not folder.is_dir():
        yield Finding("bad", _("There is no folder {folder}. Give the server’s folder with --data.", folder=folder))
        return
    yield _running(folder)
    yield from _version(folder)
    yield from _private(folder)
    yield _secret(folder)
    yield from _beside(folder)
    yield _room(folder)
    yield _engines()
    yield from (Finding("odd", _(error.text, **error.values)) for error in broken())
    yield from _tables(folder) if database is None else _database(folder, database)
    yield from running.look_over(folder)


def _running(folder: Path) -> Finding:
    from spieltisch.backup import require_whole

    try:
        require_whole(folder)
        with paths.hold_data_folder(folder):
            return Finding("odd", _("No server is using {folder}.", folder=folder))
    except paths.DataError as error:
        if "process" in error.values:
            process = error.values["process"]
            return Finding("good", _("A server is using {folder} (process {process}).", folder=folder, process=process))
        return Finding("bad", f"{reason(error)}.")
    except OSError as error:
        return Finding("bad", _("The folder {folder} cannot be written: {error}", folder=folder, error=error.strerror))


def _version(folder: Path) -> Generator[Finding]:
    """Whether a newer version has served here, which may have written what this program does not know."""
    if newer := paths.newer_version(folder, __version__):
        yield Finding("bad", _(
            "A newer version of Spieltisch, {newer}, has used {folder}; this is {version}. Install {newer} again, or"
            " restore the backup from before the update: spieltisch restore FILE --replace.",
            newer=newer, folder=folder, version=__version__,
        ))  # fmt: skip


def _private(folder: Path) -> Generator[Finding]:
    if sys.platform == "win32":
        return
    for path in (folder, folder / paths.SECRET, folder / paths.TABLES):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            text = _("Other users of this machine can read {file}. Run: chmod go= {file}", file=path)
            yield Finding("bad", text)
        if path.exists() and path.stat().st_uid != folder.stat().st_uid:
            text = _(
                "{file} and its folder have different owners: the server may be unable to write the file.", file=path
            )
            yield Finding("bad", text)


def _secret(folder: Path) -> Finding:
    if not (folder / paths.SECRET).exists():
        return Finding("odd", _("There is no secret yet: the server makes one when it starts."))
    try:
        paths.read_secret(folder)
    except OSError as error:
        return Finding("bad", f"{named(error)}.")
    return Finding("good", _("The secret is long enough."))


def _beside(folder: Path) -> Generator[Finding]:
    """Check the files beside the tables. A damaged deck only stops those who play with it."""
    from spieltisch.backup import require_readable
    from spieltisch.decks import library
    from spieltisch.decks.check import open_deck
    from spieltisch.game import Invalid

    try:
        require_readable(folder)
    except OSError as error:
        yield Finding("bad", f"{named(error)}.")
    decks = library.Library(folder / paths.DECKS)
    for name, file in decks.own().items():
        try:
            decks.is_private(name)
            open_deck(file)
        except (Invalid, OSError) as error:
            yield Finding("odd", _("The deck {file} cannot be used: {error}", file=file, error=reason(error)))


def _engines() -> Finding:
    """What bots and hints compute with, as far as this user's cache shows; a server of another user has its own."""
    from spieltisch import makers

    engines = makers.progress()
    if not engines.installed:
        text = _("Bots and hints run in plain Python. The study extra makes them stronger.")
    elif engines.compiled:
        text = _("Bots and hints run on the compiled engines in {folder}.", folder=makers.folder())
    elif engines.now:
        text = _(
            "Bots and hints run in plain Python while their engines are compiled into {folder}.",
            folder=makers.folder(),
        )
    else:
        text = _(
            "Bots and hints run in plain Python: no compiled engines in {folder}. The server compiles them when it"
            " starts.", folder=makers.folder(),
        )  # fmt: skip
    return Finding("good", text)


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free / 1e6
    if free < ROOM_LOW:
        level: Level = "bad" if free < ROOM_LEAST else "odd"
        return Finding(
            level, _("The disk has only {n} MB left. When it is full, the server cannot save moves.", n=f"{free:.0f}")
        )
    return Finding("good", _("The disk has {n} GB left.", n=f"{free / 1000:.1f}"))


def _tables(folder: Path) -> Generator[Finding]:
    from spieltisch.table.damage import damages
    from spieltisch.table.store import sql
    from spieltisch.table.store.sqlite import damage, formats_of, read_only

    file = folder / paths.TABLES
    if not file.is_file():
        yield Finding("odd", _("There are no tables yet."))
        return
    try:
        with closing(read_only(file)) as db:
            found, broken = damage(db), [*damages(db.execute)]
            said, there = formats_of(db)
            n, newest = db.execute(sql.COUNT).fetchone()[0], db.execute(sql.NEWEST).fetchone()[0]
    except sqlite3.Error as error:
        found, said, there, n, newest, broken = str(error), 0, 0, 0, None, []
    size = f"{file.stat().st_size / 1e6:.1f}"
    if found:
        yield Finding("bad", _("{file} is damaged: {error}. Restore it from a backup.", file=file, error=found))
    elif said > len(sql.MIGRATIONS):
        yield Finding("bad", f"{reason(sql.newer(said))}.")
    else:
        yield from formats(said, there)
        yield Finding("good", _("The tables can be read: {n}, {size} MB.", n=n, size=size))
        yield from logs(broken)
    yield clock(newest)


def _database(folder: Path, address: str) -> Generator[Finding]:
    if (folder / paths.TABLES).exists():
        yield Finding("bad", f"{reason(paths.two_places(folder))}.")
    try:
        from spieltisch.cli.doctor import database
    except ImportError as error:
        yield Finding("bad", f"{reason(error)}.")
        return
    yield from database.look_over(address, folder)
