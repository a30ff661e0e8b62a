"""The data folder of a server in one file, copied while the server runs, and the way back.

The file is a zip archive with a manifest: what is in it, with SHA-256 sums, by which version it was made, and in which
format the tables are. Whoever has it has the server's secret: it is readable for its owner alone.
"""

import contextlib
import datetime as dt
import hashlib
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec
from msgspec import Struct

from spieltisch import __version__, paths
from spieltisch.decks import inbox
from spieltisch.paths import DataError
from spieltisch.table.store import sql
from spieltisch.table.store.sqlite import damage, read_only

FORMAT = 1
MANIFEST = "manifest.json"
RESTORING = "restoring"  # a folder in the data folder: there is one only while, or after, a restore has not ended
BEFORE = "before-restore-"  # folders in it, with what was there before
_REPORTS = f"{paths.DECKS}/{inbox.FILE}"
_DATABASES = (paths.TABLES, _REPORTS)
_KEPT = (paths.TABLES, f"{paths.TABLES}-wal", f"{paths.TABLES}-shm", paths.SECRET, paths.DECKS)


class Manifest(Struct, frozen=True):
    """What a backup says of itself; `files` are SHA-256 sums, `tables_format` is that of the file with the tables."""

    format: int
    version: str
    made: str  # ISO 8601, UTC
    tables: int
    tables_format: int
    files: dict[str, str]


def back_up(folder: Path, target: Path, *, replace: bool = False) -> Manifest:
    """Copy tables, secret, decks and reports of a data folder into the file `target`, whole or not at all; a server may
    be at work there.

    Raises DataError where there is nothing to copy, the file is there already (and is not to be replaced), or what is
    to be copied is damaged; OSError where something can be neither read nor written.
    """
    if not (folder / paths.TABLES).is_file():
        raise DataError("there are no tables in {folder}: name the folder of the server with --data", folder=folder)
    if target.exists() and not replace:
        raise DataError("{file} is there already: name another file, or add --replace", file=target)
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

        for name in _DATABASES:
            if (folder / name).is_file():
                copy = Path(beside) / PurePosixPath(name).name
                _copy_database(folder / name, copy)
                put(name, copy)
        for path in _files(folder):
            put(path.relative_to(folder).as_posix(), path)
        tables, tables_format = _look(Path(beside) / paths.TABLES)
        made = now.isoformat(timespec="seconds")
        manifest = Manifest(FORMAT, __version__, made, tables, tables_format, sums)
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def restore(source: Path, folder: Path, *, replace: bool = False) -> tuple[Manifest, Path | None]:
    """Put a backup into a data folder, after all of it has been looked at. What was there is put aside, into the folder
    that is returned with the manifest (None: there was nothing).

    Raises DataError where the file is no backup, damaged or of a newer version, where a server is at work in the
    folder, or where something is there already that is not to be replaced; nothing has changed then. OSError where
    something can be neither read nor written.
    """
    with _opened(source) as (archive, manifest):
        folder = paths.open_data_folder(folder)
        with paths.hold_data_folder(folder):
            there = [name for name in _KEPT if (folder / name).exists()]
            if there and not replace:
                raise DataError(
                    "{found} in {folder} would be lost: with --replace all that is put aside, into a folder in it",
                    found=", ".join(there), folder=folder,
                )  # fmt: skip
            new = folder / RESTORING
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir(mode=0o700)
            try:
                _unpack(archive, manifest, new)
                for path in (new, *new.rglob("*")):
                    paths.share_owner(path, folder)
            except BaseException:
                shutil.rmtree(new)
                raise
            aside = _put_aside(folder, there) if there else None
            for part in sorted(new.iterdir(), key=lambda one: one.name == paths.TABLES):  # the tables last
                part.rename(folder / part.name)
            paths.sync(folder)
            new.rmdir()
            return manifest, aside


def require_whole(folder: Path) -> None:
    """DataError where a restore into this folder was broken off: some of what belongs there may be missing."""
    if (folder / RESTORING).exists():
        raise DataError(
            "a restore into the folder {folder} was broken off: restore the backup again, with --replace", folder=folder
        )


def _put_aside(folder: Path, names: list[str]) -> Path:
    now = dt.datetime.now(dt.UTC)
    aside = Path(tempfile.mkdtemp(prefix=f"{BEFORE}{now:%Y-%m-%d-%H%M%S}-", dir=folder))
    for name in names:
        (folder / name).rename(aside / name)
    paths.share_owner(aside, folder)
    paths.sync(aside)
    paths.sync(folder)
    return aside


def _unpack(archive: zipfile.ZipFile, manifest: Manifest, into: Path) -> None:
    for name, wanted in manifest.files.items():
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
    """The archive and its manifest; DataError, also for what is found while it is read, if it is no backup."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
            _require_ours(manifest, source)
            yield archive, manifest
    except (zipfile.BadZipFile, KeyError, msgspec.MsgspecError, EOFError, NotImplementedError, zlib.error) as error:
        raise DataError("{file} is no backup of Spieltisch, or is damaged: nothing was changed", file=source) from error


def _require_ours(manifest: Manifest, source: Path) -> None:
    """DataError for a manifest of a newer version, BadZipFile for one that names what is not ours."""
    if manifest.format > FORMAT or manifest.tables_format > len(sql.MIGRATIONS):
        raise DataError(
            "{file} was made by a newer Spieltisch, {version}: install that one", file=source, version=manifest.version
        )
    if paths.TABLES not in manifest.files or not all(map(_is_ours, manifest.files)):
        raise zipfile.BadZipFile(MANIFEST)


def _is_ours(name: str) -> bool:
    """Whether a file of this name belongs into a data folder: nothing leads out of it."""
    path = PurePosixPath(name)
    inside = not path.is_absolute() and ".." not in path.parts and "\\" not in name and ":" not in name
    return name in {paths.TABLES, paths.SECRET} or (inside and len(path.parts) > 1 and path.parts[0] == paths.DECKS)


def _files(folder: Path) -> list[Path]:
    """What is copied as it is: the secret and the decks. (What begins with a dot is still being written.)"""
    decks = sorted(path for path in (folder / paths.DECKS).rglob("*") if path.is_file())
    plain = [path for path in decks if not path.name.startswith((".", inbox.FILE))]
    return [folder / paths.SECRET, *plain] if (folder / paths.SECRET).is_file() else plain


def _copy_database(source: Path, target: Path) -> None:
    """As it stands at this moment, in one file, while others read and write it."""
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
    """DataError for a database that SQLite finds damaged."""
    with closing(sqlite3.connect(file)) as db:
        if found := damage(db):
            raise DataError("the copy of {file} is damaged: {error}", file=file.name, error=found)


def _look(tables: Path) -> tuple[int, int]:
    """How many tables there are in the file, and its format."""
    with closing(sqlite3.connect(tables)) as db:
        return db.execute(sql.COUNT).fetchone()[0], db.execute("pragma user_version").fetchone()[0]


def _copy(source: IO[bytes], write: Callable[[bytes], object]) -> str:
    """Everything, piece by piece; its SHA-256."""
    digest = hashlib.sha256()
    while piece := source.read(1 << 20):
        digest.update(piece)
        write(piece)
    return digest.hexdigest()


@contextlib.contextmanager
def _draft(target: Path) -> Generator[IO[bytes]]:
    """A file beside `target`, for its owner alone, that takes its place once it is whole and on the disk."""
    handle, name = tempfile.mkstemp(dir=target.absolute().parent, prefix=f".{target.name}-")
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
