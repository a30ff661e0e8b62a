"""All data of a server in one file, copied while the server runs, and its restoration.

The file is a zip archive with a manifest: its contents with SHA-256 sums, the version that made it, and the format of
the tables. The tables are always a SQLite file, even if they come from a PostgreSQL, so either engine's can be restored
into the other. The archive contains the server's secret, so only its owner can read it.
"""

import contextlib
import datetime as dt
import functools
import hashlib
import os
import shutil
import sqlite3
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec
from msgspec import Struct

from spieltisch import __version__, paths
from spieltisch.decks import inbox
from spieltisch.decks.files import put as put_file
from spieltisch.decks.files import read_json, shared
from spieltisch.paths import DataError
from spieltisch.table.damage import damage_at
from spieltisch.table.store import sql
from spieltisch.table.store.rows import Ask
from spieltisch.table.store.rows import put as put_table
from spieltisch.table.store.sqlite import damage, formats_of, opened, read_only

FORMAT = 1
SPARE = 64 * 2**20  # bytes of the disk that a restore leaves free
LONGEST = 16 * 2**20  # bytes of a manifest
MANIFEST = "manifest.json"
RESTORING = "restoring"  # a folder in the data folder that exists only during, or after, an incomplete restore
BEFORE = "before-restore-"  # folders in it with the data from before a restore
_REPORTS = f"{paths.DECKS}/{inbox.FORMER}"
_DATABASES = (paths.TABLES, _REPORTS)
_KEPT = (
    *(paths.TABLES, f"{paths.TABLES}-wal", f"{paths.TABLES}-shm"),
    *(paths.SECRET, paths.COPY, paths.DECKS, paths.VERSION),
)


class Manifest(Struct, frozen=True):
    """The table of contents of a backup. `files` are SHA-256 sums; `tables_format` is that of the file with
    the tables.
    """

    format: int
    version: str
    made: str  # ISO 8601, UTC
    tables: int
    tables_format: int
    files: dict[str, str]


def back_up(folder: Path, target: Path, *, replace: bool = False, database: str | None = None) -> Manifest:
    """Copy the tables, secret, decks and reports of a server into the file `target`, wholly or not at all. The server
    may be running. The tables are in its data folder, or in the PostgreSQL at the address `database`.

    Raises DataError if there is nothing to copy, the file exists and may not be replaced, the data is damaged, or the
    database cannot be used; OSError if something cannot be read or written.
    """
    require_place(folder, database)
    if target.exists() and not (replace and target.is_file()):  # a device is never replaced by a file
        raise DataError("{file} already exists: choose another file, or add --replace", file=target)
    sums: dict[str, str] = {}
    now = dt.datetime.now(dt.UTC)
    with (
        _draft(target) as draft,
        tempfile.TemporaryDirectory(prefix=".spieltisch-", dir=target.absolute().parent) as beside,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive,
    ):

        def put(name: str, source: Path) -> None:
            packed = zipfile.ZipInfo(name, now.timetuple()[:6])
            packed.compress_type, packed.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            with source.open("rb") as file, archive.open(packed, "w", force_zip64=True) as out:
                sums[name] = _copy(file, out.write)

        tables = Path(beside) / paths.TABLES
        copy_tables(folder, database, tables)
        here = Path(beside) if database is not None and _take_out(tables) else folder
        put(paths.TABLES, tables)
        if (folder / _REPORTS).is_file():
            reports = Path(beside) / inbox.FORMER
            _copy_file(folder / _REPORTS, reports)
            put(_REPORTS, reports)
        for path in _files(here):
            put(path.relative_to(here).as_posix(), path)
        count, tables_format = _look(tables)
        made = now.isoformat(timespec="seconds")
        manifest = Manifest(FORMAT, __version__, made, count, tables_format, sums)
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    with contextlib.suppress(OSError):  # the backup is complete; a user who may only read the folder cannot note it
        put_file(folder / paths.BACKED_UP, made, mode=0o600)
        paths.share_owner(folder / paths.BACKED_UP, folder)
    return manifest


def restore(
    source: Path, folder: Path, *, replace: bool = False, database: str | None = None
) -> tuple[Manifest, Path | None]:
    """Restore a backup into a data folder, with the tables there or in a database, after a check of all of it. Older
    data is put aside, in the folder that is returned with the manifest (None: there was none).

    Raises DataError, without a change, if the file is damaged, newer than this version or no backup, if a server is
    running, if the database cannot be used, or if older data may not be replaced. Raises OSError if something cannot be
    read or written.
    """
    with _opened(source) as (archive, manifest):
        folder = paths.open_data_folder(folder)
        with paths.hold_data_folder(folder):
            if database is not None and (folder / paths.TABLES).exists():
                raise paths.two_places(folder)
            there = [name for name in _KEPT if (folder / name).exists()]
            stored = _count(database)
            _require_leave(folder, there, stored, replace=replace)
            new = folder / RESTORING
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir(mode=0o700)
            try:
                _require_space(archive, manifest.files, folder)
                _unpack(archive, manifest.files, new)
                inbox.take_over(new / paths.DECKS)
                require_readable(new)
                if (new / paths.SECRET).is_file():
                    paths.read_secret(new)
                for path in (new, *new.rglob("*")):
                    paths.share_owner(path, folder)
                if database is not None:
                    _put_in(new)
                    for path in (new / paths.TABLES, *new.glob(paths.COPY)):
                        paths.share_owner(path, folder)
                aside = _put_aside(folder, there, database if stored else None) if there or stored else None
            except BaseException:
                shutil.rmtree(new)
                raise
            for part in sorted(new.iterdir(), key=lambda one: one.name == paths.TABLES):  # the tables last
                if part.name == paths.TABLES and database is not None:
                    _fill(database, part)
                else:
                    part.rename(folder / part.name)
            paths.sync(folder)
            shutil.rmtree(new)
            return manifest, aside


def restore_table(
    source: Path, folder: Path, table: str, *, replace: bool = False, database: str | None = None
) -> tuple[Manifest, int, Path | None]:
    """Restore one table of a backup among the others of a server that is not running. Returns the manifest, the number
    of the table's entries, and the folder with older data (None: there was none).

    Raises DataError, without a change, like `restore`; also if the backup lacks the table or has it damaged, or if the
    table here is sound, different, and may not be replaced.
    """
    with _opened(source) as (archive, manifest):
        require_place(folder, database)
        with paths.hold_data_folder(folder), tempfile.TemporaryDirectory(prefix=".restore-", dir=folder) as beside:
            _count(database)
            tables = {paths.TABLES: manifest.files[paths.TABLES]}
            _require_space(archive, tables, folder)
            _unpack(archive, tables, Path(beside))
            with closing(opened(Path(beside) / paths.TABLES)) as copy, _changing(folder, database) as here:
                log = _require_better(table, source, copy.execute, here, replace=replace)
                put = functools.partial(put_table, table, columns=functools.partial(_columns, copy))
                aside = None
                if [*here(sql.BODY, (table,))]:
                    aside = _before(folder)
                    (aside / paths.TABLES).touch(mode=0o600)
                    with closing(opened(aside / paths.TABLES)) as kept:
                        put(source=here, into=kept.execute)
                put(source=copy.execute, into=here)
    for path in () if aside is None else (aside, *aside.iterdir()):
        paths.share_owner(path, folder)
    return manifest, len(log), aside


def _require_better(table: str, source: Path, there: Ask, here: Ask, *, replace: bool) -> list[tuple[int, bytes]]:
    """The log of a table in a backup. Raises DataError if it is no better than the one here."""
    if not [*there(sql.REV, (table,))]:
        raise DataError("{file} has no table {table}", file=source, table=table)
    if (damage := damage_at(there, table)) is not None:
        raise DataError("{table} is damaged in {file}, too (entry {n})", table=table, file=source, n=damage.entry)
    log, own = [*there(sql.LOG, (table, 0))], [*here(sql.LOG, (table, 0))]
    revs = [*here(sql.REV, (table,)), *there(sql.REV, (table,))]
    further = len(revs) == 2 and (own != log[: len(own)] or revs[0] > revs[1])
    if further and not replace and damage_at(here, table) is None:
        raise DataError(
            "{table} is intact here and differs from the backup (entries here: {n}, there: {m}): --replace puts"
            " it aside",
            table=table, n=len(own), m=len(log),
        )  # fmt: skip
    return log


@contextlib.contextmanager
def _changing(folder: Path, database: str | None) -> Generator[Ask]:
    """A transaction on the tables of a server, committed at the end."""
    if database is not None:
        from spieltisch.cluster.copying import changing  # noqa: PLC0415 - installed on request

        with changing(database) as ask:
            yield ask
        return
    with closing(opened(folder / paths.TABLES)) as db:
        db.execute("begin immediate")  # rolled back when it is closed
        yield db.execute
        db.execute("commit")


def _columns(db: sqlite3.Connection, name: str) -> list[str]:
    return [column[1] for column in db.execute(f"pragma table_info({name})").fetchall()]


def copy_tables(folder: Path, database: str | None, target: Path) -> None:
    """Copy the tables of a server, as of this moment, into one new SQLite file. The server may be running.

    Raises DataError if they are damaged or cannot be read; OSError if the file cannot be written.
    """
    if database is None:
        _copy_file(folder / paths.TABLES, target)
        return
    from spieltisch.cluster.copying import to_file  # noqa: PLC0415 - installed on request

    target.touch(mode=0o600)
    try:
        to_file(database, target)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    _require_sound(target)


def require_whole(folder: Path) -> None:
    """Raise DataError if a restore into this folder was interrupted, so that data may be missing."""
    if (folder / RESTORING).exists():
        raise DataError("a restore into {folder} was interrupted: run it again with --replace", folder=folder)


def require_readable(folder: Path) -> None:
    """Raise DataError, naming the file, if one of the files beside the tables is damaged."""
    for name, shape in ((paths.KEYS, dict[str, int]), (paths.REPORTS, inbox.Reports), (paths.USES, dict[str, int])):
        read_json(folder / paths.DECKS / name, shape, None)


def require_place(folder: Path, database: str | None) -> None:
    """Raise DataError if this is not a server's folder, or has tables of its own beside the database."""
    there = (folder / paths.TABLES).is_file()
    if database is not None and there:
        raise paths.two_places(folder)
    if database is None and not there:
        raise DataError("there are no tables in {folder}: give the server’s folder with --data", folder=folder)
    if database is not None and not (folder / paths.SECRET).is_file():
        raise DataError("there is no secret in {folder}: give the server’s folder with --data", folder=folder)


def _require_leave(folder: Path, there: list[str], stored: int, *, replace: bool) -> None:
    """Raise DataError if something would be put aside that may not be replaced."""
    if replace:
        return
    if stored:
        raise DataError(
            "the database already holds tables or decks ({n}): --replace moves them into a folder in {folder}",
            n=stored, folder=folder,
        )  # fmt: skip
    if there:
        raise DataError(
            "{found} in {folder} would be lost: --replace moves everything into a folder inside it",
            found=", ".join(there), folder=folder,
        )  # fmt: skip


def _count(database: str | None) -> int:
    """The number of tables in a database that no server uses; 0 without a database."""
    if database is None:
        return 0
    from spieltisch.cluster.copying import require_idle  # noqa: PLC0415 - installed on request

    return require_idle(database)


def _fill(database: str, tables: Path) -> None:
    from spieltisch.cluster.copying import from_file  # noqa: PLC0415 - as above

    from_file(tables, database)


def _take_out(tables: Path) -> bool:
    """Move the files in a database's copy into a folder beside it, where a backup expects them. Returns whether there
    were any.
    """
    with closing(sqlite3.connect(tables, isolation_level=None)) as db:
        if formats_of(db)[1] < sql.SHARED:
            return False
        found = db.execute(sql.ALL_FILES).fetchall()
        for name, made, body in found:
            put_file(tables.parent / name, body, made, 0o600)
        db.execute("pragma secure_delete = on")
        db.execute(sql.DROP_FILES)
        db.execute("vacuum")
        return bool(found)


def _put_in(unpacked: Path) -> None:
    """Put the servers' shared files into the new tables of a database, with versions above those of all copies. The
    folder is such a copy from then on.
    """
    from spieltisch.cluster.copied import mark  # noqa: PLC0415 - installed on request

    now = time.time_ns() // 1000
    files = [(path.relative_to(unpacked).as_posix(), now, path.read_bytes()) for path in shared(unpacked)]
    with closing(opened(unpacked / paths.TABLES)) as db:
        db.execute(sql.DROP_FILES)
        db.executemany(sql.GIVEN_FILE, files)
        db.execute("pragma journal_mode = delete")
    if (unpacked / paths.SECRET).is_file():
        mark(unpacked, (unpacked / paths.SECRET).read_bytes())


def _before(folder: Path) -> Path:
    """A new folder for older data."""
    now = dt.datetime.now(dt.UTC)
    return Path(tempfile.mkdtemp(prefix=f"{BEFORE}{now:%Y-%m-%d-%H%M%S}-", dir=folder))


def _put_aside(folder: Path, names: list[str], database: str | None) -> Path:
    aside = _before(folder)
    if database is not None:
        try:
            copy_tables(folder, database, aside / paths.TABLES)
        except BaseException:
            shutil.rmtree(aside)
            raise
    for name in names:
        (folder / name).rename(aside / name)
    if database is not None:
        _take_out(aside / paths.TABLES)  # instead of the copies
    for path in (aside, *aside.rglob("*")):
        paths.share_owner(path, folder)
    paths.sync(aside)
    paths.sync(folder)
    return aside


def _require_space(archive: zipfile.ZipFile, files: Iterable[str], folder: Path) -> None:
    """Raise DataError if the disk has no room for the sizes in the archive. No more than that is unpacked."""
    needed, free = sum(archive.getinfo(name).file_size for name in files), shutil.disk_usage(folder).free
    if needed + SPARE > free:
        raise DataError(
            "the backup needs {needed} MB, but {folder} has only {free} MB free: make room, or choose another folder",
            needed=needed // 10**6, folder=folder, free=free // 10**6,
        )  # fmt: skip


def _unpack(archive: zipfile.ZipFile, files: Mapping[str, str], into: Path) -> None:
    for name, wanted in files.items():
        target = into / name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.touch(mode=0o600)
        with archive.open(name) as packed, target.open("wb") as out:
            if _copy(packed, out.write) != wanted:
                raise zipfile.BadZipFile(name)
            out.flush()
            os.fsync(out.fileno())
        paths.sync(target.parent)
    for name in _DATABASES:
        if (into / name).exists():
            _require_sound(into / name)


@contextlib.contextmanager
def _opened(source: Path) -> Generator[tuple[zipfile.ZipFile, Manifest]]:
    """The archive and its manifest. Raises DataError if it is no backup, also during the reading."""
    try:
        with zipfile.ZipFile(source) as archive:
            with archive.open(MANIFEST) as packed:
                manifest = msgspec.json.decode(packed.read(LONGEST), type=Manifest)
            _require_ours(manifest, source)
            yield archive, manifest
    except (zipfile.BadZipFile, KeyError, msgspec.MsgspecError, EOFError, NotImplementedError, zlib.error) as error:
        raise DataError(
            "{file} is not a Spieltisch backup, or it is damaged: nothing was changed", file=source
        ) from error


def _require_ours(manifest: Manifest, source: Path) -> None:
    """Raise DataError for a manifest of a newer version, BadZipFile for one with foreign names."""
    if manifest.format > FORMAT or manifest.tables_format > len(sql.MIGRATIONS):
        raise DataError(
            "{file} was made by a newer version of Spieltisch, {version}: install that version",
            file=source,
            version=manifest.version,
        )
    if paths.TABLES not in manifest.files or not all(map(_is_ours, manifest.files)):
        raise zipfile.BadZipFile(MANIFEST)


def _is_ours(name: str) -> bool:
    """Whether a file of this name belongs into a data folder; no name leads out of it."""
    path = PurePosixPath(name)
    inside = not path.is_absolute() and ".." not in path.parts and "\\" not in name and ":" not in name
    return name in {paths.TABLES, paths.SECRET} or (inside and len(path.parts) > 1 and path.parts[0] == paths.DECKS)


def _files(folder: Path) -> list[Path]:
    """The files that are copied unchanged: the secret and the decks. (A leading dot marks a file that is still being
    written.)
    """
    decks = sorted(path for path in (folder / paths.DECKS).rglob("*") if path.is_file())
    plain = [path for path in decks if not path.name.startswith((".", inbox.FORMER))]
    return [folder / paths.SECRET, *plain] if (folder / paths.SECRET).is_file() else plain


def _copy_file(source: Path, target: Path) -> None:
    """Copy a SQLite file, as of this moment, while others read and write it."""
    target.touch(mode=0o600)
    try:
        with (
            closing(read_only(source)) as db,
            closing(sqlite3.connect(target)) as copy,
        ):
            db.backup(copy)
            copy.execute("pragma journal_mode = delete")
    except sqlite3.Error as error:
        raise DataError("{file} cannot be read: {error}", file=source, error=error) from error
    _require_sound(target)


def _require_sound(file: Path) -> None:
    """Raise DataError for a database that SQLite finds damaged."""
    with closing(sqlite3.connect(file)) as db:
        if found := damage(db):
            raise DataError("the copy of {file} is damaged: {error}", file=file.name, error=found)


def _look(tables: Path) -> tuple[int, int]:
    """The number of tables in the file, and its format."""
    with closing(sqlite3.connect(tables)) as db:
        return db.execute(sql.COUNT).fetchone()[0], max(formats_of(db))


def _copy(source: IO[bytes], write: Callable[[bytes], object]) -> str:
    """Copy everything, piece by piece. Returns its SHA-256."""
    digest = hashlib.sha256()
    while piece := source.read(1 << 20):
        digest.update(piece)
        write(piece)
    return digest.hexdigest()


@contextlib.contextmanager
def _draft(target: Path) -> Generator[IO[bytes]]:
    """A file beside `target`, readable only for its owner, that replaces it once it is complete and on the disk."""
    try:
        handle, name = tempfile.mkstemp(dir=target.absolute().parent, prefix=f".{target.name}-")
    except OSError as error:  # names the file that was asked for
        raise OSError(error.errno, error.strerror, str(target)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
        paths.sync(target.absolute().parent)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
