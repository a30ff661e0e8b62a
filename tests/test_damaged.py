"""A data folder in which something is damaged: told in a sentence at the start, and never restored."""

import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from types import SimpleNamespace

import msgspec
import pytest

from spieltisch import backup, paths
from spieltisch.paths import DataError
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.store.sqlite import SQLite
from test_backup import folder

__all__ = ["folder"]


@pytest.fixture
async def full(folder):
    """A folder with a thousand tables in it."""
    store = SQLite(folder / paths.TABLES)
    for n in range(300):
        assert await store.create(TableSetup(f"T{n:04}", "adaman", {"a": "b" * 300}, (Chair(name="x" * 200),)))
    await store.close()
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
    return folder


def start(folder):
    """What a server on this folder says that cannot start."""
    command = [sys.executable, "-m", "spieltisch", "serve", "--no-browser", "--host", "127.0.0.1", "--port", "0"]
    done = subprocess.run([*command, "--data", folder], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    [line] = done.stderr.splitlines()
    return line


def spoil(file, at, noise):
    with file.open("r+b") as out:
        out.seek(at)
        out.write(noise)


@pytest.mark.anyio
@pytest.mark.parametrize("how", ["noise", "zeros", "cut"])
async def test_a_store_damaged_in_the_middle_is_told_at_the_start(full, how):
    tables = full / paths.TABLES
    if how == "cut":
        os.truncate(tables, tables.stat().st_size // 2)
    else:
        spoil(tables, 5_000, os.urandom(30_000) if how == "noise" else bytes(30_000))
    said = start(full)
    assert str(tables) in said
    assert "backup" in said


@pytest.mark.parametrize("name", [paths.KEYS, paths.REPORTS])
@pytest.mark.parametrize("content", [b"{", b"[]", b"\x00\x01", b'{"number": []}'])
def test_a_damaged_file_is_named_at_the_start(folder, name, content):
    file = folder / paths.DECKS / name
    file.write_bytes(content)
    assert str(file) in start(folder)


@pytest.mark.parametrize("secret", [b"", b"short", b"s" * 32, bytes(32), b"ab" * 16])
def test_a_secret_that_is_none_is_refused_everywhere(folder, tmp_path, secret):
    archive = tmp_path / "backup.zip"
    (folder / paths.SECRET).write_bytes(secret)
    backup.back_up(folder, archive)
    assert str(folder / paths.SECRET) in start(folder)
    with pytest.raises(DataError, match="secret"):
        backup.restore(archive, tmp_path / "new")
    assert not (tmp_path / "new" / paths.TABLES).exists()


def test_a_backup_with_damaged_keys_is_not_restored(folder, tmp_path):
    archive = tmp_path / "backup.zip"
    (folder / paths.DECKS / paths.KEYS).write_bytes(b"{")
    backup.back_up(folder, archive)
    with pytest.raises(DataError, match=paths.KEYS):
        backup.restore(archive, tmp_path / "new")


def test_a_backup_larger_than_the_disk_is_not_unpacked(folder, tmp_path, monkeypatch):
    archive = tmp_path / "backup.zip"
    bomb = folder / paths.DECKS / "bomb.csv"
    with bomb.open("wb") as out:
        out.truncate(300 * 10**6)
    backup.back_up(folder, archive)
    assert archive.stat().st_size < 2 * 10**6
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=200 * 10**6))
    with pytest.raises(DataError, match="300 MB"):
        backup.restore(archive, tmp_path / "new")
    assert not list((tmp_path / "new").rglob("*.csv"))


def test_a_manifest_without_end_is_no_backup(tmp_path):
    archive = tmp_path / "backup.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(backup.MANIFEST, b" " * 100_000_000 + msgspec.json.encode({}))
    with pytest.raises(DataError, match="no backup"):
        backup.restore(archive, tmp_path / "new")
