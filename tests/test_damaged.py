"""A data folder in which something is damaged: told in a sentence at the start, and never restored."""

import os
import shutil
import sqlite3
import time
import zipfile
from contextlib import closing
from itertools import product
from types import SimpleNamespace

import msgspec
import pytest
from msgspec.structs import replace

from matrix import sampled
from refusals import refused
from spieltisch import backup, paths
from spieltisch.classroom.classroom import Plan, Pupil
from spieltisch.classroom.classrooms import Classrooms
from spieltisch.cli.app import run
from spieltisch.decks.library import Library
from spieltisch.game import Invalid
from spieltisch.paths import DataError
from spieltisch.table.host import Host
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
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
    [line] = refused(folder).splitlines()
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


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *sampled(
            product((paths.KEYS, paths.REPORTS, paths.USES), (b"{", b"[]", b"\x00\x01", b'{"number": []}')),
            [(paths.KEYS, b"{"), (paths.REPORTS, b"[]"), (paths.USES, b'{"number": []}')],
        ),
        *((name, b'{"\xff": 1}') for name in (paths.KEYS, paths.USES)),
    ],
)
def test_a_damaged_file_is_named_at_the_start(folder, name, content):
    file = folder / paths.DECKS / name
    file.write_bytes(content)
    assert str(file) in start(folder)


@pytest.mark.anyio
async def test_a_damaged_index_is_told_at_the_start(full):
    with closing(sqlite3.connect(full / paths.TABLES)) as db:
        root, size = db.execute("select rootpage from sqlite_schema where name = 'pace_due'").fetchone()[0], 4096
        assert db.execute("pragma page_size").fetchone()[0] == size
    spoil(full / paths.TABLES, (root - 1) * size, os.urandom(size))
    assert str(full / paths.TABLES) in start(full)


@pytest.mark.anyio
async def test_a_damaged_journal_loses_no_table_that_was_there(full):
    (full / f"{paths.TABLES}-wal").write_bytes(os.urandom(50_000))
    store = SQLite(full / paths.TABLES)
    assert await store.count() == 301
    await store.close()


@pytest.mark.anyio
async def test_a_damaged_table_is_forgotten_with_the_others(full):
    with closing(sqlite3.connect(full / paths.TABLES)) as db:
        db.execute("update plan set stage = 'playing', body = ? where id = 'T0007'", (os.urandom(200),))
        db.commit()
    store = SQLite(full / paths.TABLES)
    assert [one async for one in store.playing()] == []
    await store.forget(time.time() + 10)
    assert await store.count() == 0
    await store.close()


@pytest.mark.anyio
async def test_a_damaged_class_holds_up_no_other(folder, caplog):
    host = Host(SQLite(folder / paths.TABLES), Hub(), library=Library(folder / paths.DECKS))
    classes = Classrooms(host, hours=24)
    room = await classes.make("7b", "de", Plan("adaman", {}), strips=0)
    await classes.change(room.id, lambda old: replace(old, pupils=(Pupil(1, "Fuchs"),)))
    await host.store.put_document("class/ABCDE", 1, b"\xff\x00 damaged", due=1.0)
    later = host.clock() + 100 * 3600
    host.clock = lambda: later
    for _ in range(3):
        await classes.ring()
        await classes.forget()
    assert not (await classes.get(room.id)).pupils
    assert [one.message for one in caplog.records] == ["a class is damaged: DecodeError"]
    await host.store.close()


def test_a_damaged_deck_stops_nobody_else(folder, capsys):
    decks = folder / paths.DECKS
    (decks / "noise.csv").write_bytes(os.urandom(3_000))
    (decks / "zeros.csv").write_bytes(bytes(3_000))
    (decks / "folder.csv").mkdir()
    found = Library(decks)
    assert {*found.offered("events")} >= {"events"}
    with pytest.raises(Invalid, match="noise is damaged"):
        found.is_private("noise")
    run(["doctor", "--data", str(folder)])
    told = [line for line in capsys.readouterr().out.splitlines() if ".csv" in line]
    assert [line[0] for line in told] == ["!"] * 3


@pytest.mark.parametrize(("words", "name"), [(["link"], paths.KEYS), (["deck", "reports"], paths.REPORTS)])
def test_a_command_names_a_damaged_file(folder, capsys, words, name):
    file = folder / paths.DECKS / name
    file.write_bytes(b"\xff\xfe\x00")
    assert run([*words, "--data", str(folder)]) == 1
    told = capsys.readouterr().err
    assert str(file) in told
    assert len(told.splitlines()) == 1
    assert run(["doctor", "--data", str(folder)]) == 1
    assert str(file) in capsys.readouterr().out


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
    with pytest.raises(DataError, match="not a Spieltisch backup"):
        backup.restore(archive, tmp_path / "new")
