"""Backups: all of a server's folder in one file while it runs, and back on another machine; nothing is lost."""

import asyncio
import hashlib
import json
import os
import random
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import time
import zipfile
from contextlib import closing, contextmanager, suppress

import httpx
import pytest

from spieltisch import backup, paths
from spieltisch.cli.app import run
from spieltisch.decks.files import Files
from spieltisch.decks.inbox import Inbox
from spieltisch.table.host import Host
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub

DECK = "id;date;de;en;series;source\nr1;-44;Cäsar stirbt.;Caesar dies.;Rom;https://example.org\n"


@contextmanager
def server(folder):
    """A real server on this folder: the process and its address."""
    command = [sys.executable, "-m", "spieltisch", "serve", "--no-browser", "--host", "127.0.0.1", "--port", "0"]
    out = subprocess.Popen([*command, "--data", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = out.stdout.readline()
        yield out, re.search(r"http://\S+", line).group().rstrip("/").replace("localhost", "127.0.0.1")
    finally:
        if out.poll() is None:
            out.send_signal(signal.SIGTERM)
        out.communicate(timeout=60)


@contextmanager
def program(address):
    """Somebody who plays by `/api`."""
    with httpx.Client(base_url=address, timeout=60) as client:
        for _ in range(200):
            with suppress(httpx.ConnectError):
                client.get("/health").raise_for_status()
                break
            time.sleep(0.05)
        yield client


def logs(folder):
    """Every table of a folder with its log, as it stands in the file."""
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        rows = db.execute("select id, seq, entry from log order by id, seq").fetchall()
        assert db.execute("pragma integrity_check").fetchone()[0] == "ok"
        return rows


@pytest.fixture
def folder(tmp_path):
    """A data folder with a secret, a table, a deck and a report, no server on it."""
    folder = paths.open_data_folder(tmp_path / "data")
    paths.server_secret(folder)

    async def table():
        store = SQLite(folder / paths.TABLES)
        host = Host(store, Hub())
        await host.open("adaman", 1)
        await store.close()

    asyncio.run(table())
    (folder / paths.DECKS).mkdir()
    (folder / paths.DECKS / "rom.csv").write_text(DECK, "utf-8")
    (folder / paths.DECKS / ".rom-half").write_text("half a dr", "utf-8")
    asyncio.run(Inbox(folder / paths.DECKS, Files()).put("rom", "r1", "1 day off", 1.0))
    return folder


def test_what_is_copied_while_people_play_is_whole_and_goes_on_elsewhere(tmp_path, capsys):
    old, new = tmp_path / "old", tmp_path / "new"
    chance, files = random.Random(3), []
    with server(old) as (_process, address), program(address) as client:
        opened = client.post("/api/play", json={"game": "trailblaze", "seats": 2}).json()
        url, key = f"/api/tables/{opened['table']}", {"authorization": f"Bearer {opened['token']}"}
        seen = client.get(url, headers=key).json()
        for copies in range(4):  # while the bot answers, too
            while seen["seq"] < 3 * copies + 3:
                if seen["legal"]:
                    said = {"question": seen["question"], "action": chance.choice(seen["legal"])}
                    assert client.post(f"{url}/move", json=said, headers=key).status_code == 200
                seen = client.get(url, params={"after": seen["seq"]}, headers=key, timeout=30).json()
            files.append(tmp_path / f"{copies}.zip")
            assert run(["backup", str(files[-1]), "--data", str(old)]) == 0
    assert capsys.readouterr().out.count("tables: 1") == 4
    assert run(["restore", str(files[-1]), "--data", str(new)]) == 0
    with server(new) as (_process, address), program(address) as client:
        again = client.get(url, headers=key).json()  # the same secret: the token opens the same seat
        assert again["seat"] == seen["seat"] == 0
        assert again["seq"] >= seen["seq"]
    lengths = []
    for file in files:
        at = tmp_path / file.stem
        assert run(["restore", str(file), "--data", str(at)]) == 0
        lengths.append(len(logs(at)))
        assert logs(at) == logs(old)[: lengths[-1]]
    assert lengths == sorted(set(lengths))


def test_everything_comes_back_and_only_its_owner_reads_it(folder, tmp_path):
    file = tmp_path / "copy.zip"
    backup.back_up(folder, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    new = tmp_path / "new"
    backup.restore(file, new)
    assert sorted(path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()) == [
        "decks/reports.json", "decks/rom.csv", "lock", "secret", "tables.sqlite",
    ]  # fmt: skip
    assert (new / paths.SECRET).read_bytes() == (folder / paths.SECRET).read_bytes()
    assert (new / paths.DECKS / "rom.csv").read_text("utf-8") == DECK
    assert [one.words for one in Inbox(new / paths.DECKS, Files()).all()] == [("1 day off",)]
    for path in new.rglob("*"):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_backup_that_cannot_be_written_is_called_by_its_name(folder, tmp_path, capsys):
    there = tmp_path / "none" / "copy.zip"
    assert run(["backup", str(there), "--data", str(folder)]) == 1
    assert f"{there}: cannot be" in capsys.readouterr().err


def test_what_is_there_is_not_lost(folder, tmp_path, capsys):
    file = tmp_path / "copy.zip"
    assert run(["backup", str(file), "--data", str(folder)]) == 0
    before = file.read_bytes()
    assert run(["backup", str(file), "--data", str(folder)]) == 1
    assert "already exists" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert run(["backup", str(file), "--data", str(folder), "--replace"]) == 0

    (folder / paths.DECKS / "rom.csv").write_text(DECK + "newer", "utf-8")
    assert run(["restore", str(file), "--data", str(folder)]) == 1
    assert "would be lost" in capsys.readouterr().err
    assert run(["restore", str(file), "--data", str(folder), "--replace"]) == 0
    assert (folder / paths.DECKS / "rom.csv").read_text("utf-8") == DECK
    aside = next(folder.glob(f"{backup.BEFORE}*"))
    assert str(aside) in capsys.readouterr().out
    assert (aside / paths.DECKS / "rom.csv").read_text("utf-8") == DECK + "newer"
    assert logs(aside) == logs(folder)
    backup.back_up(folder, tmp_path / "next.zip")
    with zipfile.ZipFile(tmp_path / "next.zip") as archive:
        assert not any(backup.BEFORE in name for name in archive.namelist())


def packed(file, manifest=None, **contents):
    with zipfile.ZipFile(file, "w") as archive:
        for name, body in contents.items():
            archive.writestr(name, body)
        if manifest is not None:
            archive.writestr(backup.MANIFEST, json.dumps(manifest))


def manifest(version=1, tables_format=1, **contents):
    sums = {name: hashlib.sha256(body).hexdigest() for name, body in contents.items()}
    return {
        "format": version, "version": "9.0", "made": "2026-11-23", "tables": 0, "tables_format": tables_format,
        "files": sums,
    }  # fmt: skip


BAD = {
    "no archive": (lambda file: file.write_bytes(b"PK, but no more"), "is not a Spieltisch backup"),
    "nothing": (lambda file: file.write_bytes(b""), "is not a Spieltisch backup"),
    "another archive": (lambda file: packed(file, **{"tables.sqlite": b""}), "is not a Spieltisch backup"),
    "no tables": (lambda file: packed(file, manifest(secret=b"x"), secret=b"x"), "is not a Spieltisch backup"),
    "a newer one": (
        lambda file: packed(file, manifest(version=2, **{"tables.sqlite": b""}), **{"tables.sqlite": b""}),
        "a newer version of Spieltisch, 9.0",
    ),
    "newer tables": (
        lambda file: packed(file, manifest(tables_format=99, **{"tables.sqlite": b""}), **{"tables.sqlite": b""}),
        "a newer version of Spieltisch, 9.0",
    ),
    "a changed file": (
        lambda file: packed(file, manifest(**{"tables.sqlite": b"one"}), **{"tables.sqlite": b"two"}),
        "is not a Spieltisch backup",
    ),
    "no database": (
        lambda file: packed(file, manifest(**{"tables.sqlite": b"one" * 999}), **{"tables.sqlite": b"one" * 999}),
        "is damaged",
    ),
    "a missing file": (
        lambda file: packed(file, manifest(**{"tables.sqlite": b"", "decks/rom.csv": b""}), **{"tables.sqlite": b""}),
        "is not a Spieltisch backup",
    ),
} | {
    f"out of the folder: {name}": (
        lambda file, name=name: packed(
            file, manifest(**{"tables.sqlite": b"", name: b"x"}), **{"tables.sqlite": b"", name: b"x"}
        ),
        "is not a Spieltisch backup",
    )
    for name in ("../out", "decks/../../out", "/tmp/out", "decks\\..\\out", "other", "decks", "tables.sqlite-wal")
}


@pytest.mark.parametrize(("make", "said"), BAD.values(), ids=BAD)
def test_what_is_no_backup_changes_nothing(make, said, folder, tmp_path, capsys):
    make(tmp_path / "bad.zip")
    everything = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert run(["restore", str(tmp_path / "bad.zip"), "--data", str(folder), "--replace"]) == 1
    words = capsys.readouterr().err
    assert said in words
    assert "Traceback" not in words
    left = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != paths.LOCK}
    assert left == everything


def test_a_backup_cut_anywhere_is_refused(folder, tmp_path):
    file, cut = tmp_path / "copy.zip", tmp_path / "cut.zip"
    backup.back_up(folder, file)
    body = file.read_bytes()
    for length in range(0, len(body), max(1, len(body) // 60)):
        cut.write_bytes(body[:length])
        with pytest.raises(paths.DataError):
            backup.restore(cut, tmp_path / "new")
    broken = bytearray(body)
    broken[len(body) // 3] ^= 0xFF
    cut.write_bytes(broken)
    with pytest.raises(paths.DataError):
        backup.restore(cut, tmp_path / "new")
    assert not [path for path in (tmp_path / "new").glob("*") if path.name != paths.LOCK]


def test_damaged_tables_do_not_take_the_place_of_a_good_backup(folder, tmp_path):
    file = tmp_path / "copy.zip"
    backup.back_up(folder, file)
    good = file.read_bytes()
    tables = folder / paths.TABLES
    body = bytearray(tables.read_bytes())
    body[4096 : 4096 + 2000] = os.urandom(2000)
    tables.write_bytes(body)
    with pytest.raises(paths.DataError, match=r"damaged|cannot be read"):
        backup.back_up(folder, file, replace=True)
    assert file.read_bytes() == good
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


# For each number it reads: restores in a process that is killed at this point, and prints its exit status.
RESTORES = """
import os, sys
from pathlib import Path
from spieltisch import backup, paths

def fatal(done):
    def call(*given):
        at[0] -= 1
        at[0] or os.kill(os.getpid(), 9)
        return done(*given)
    return call

for line in sys.stdin:
    at = [int(line)]
    if not (child := os.fork()):
        Path.rename, paths.sync, backup._copy = fatal(Path.rename), fatal(paths.sync), fatal(backup._copy)
        backup.restore(Path(sys.argv[1]), Path(sys.argv[2]), replace=True)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def test_a_restore_that_is_killed_at_any_point_loses_nothing_and_is_seen(folder, tmp_path, monkeypatch):
    file = tmp_path / "copy.zip"
    backup.back_up(folder, file)
    before = logs(folder)
    killed = 0
    with subprocess.Popen(
        [sys.executable, "-c", RESTORES, file, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as restoring:
        for point in range(1, 40):
            print(point, file=restoring.stdin, flush=True)
            status = int(restoring.stdout.readline())
            held = [at for at in (folder, *folder.glob(f"{backup.BEFORE}*")) if (at / paths.TABLES).is_file()]
            assert any(logs(at) == before for at in held), point
            if status == 0:
                break
            assert status == -signal.SIGKILL
            killed += 1
            if not (folder / paths.TABLES).is_file() or not (folder / paths.SECRET).is_file():
                with pytest.raises(paths.DataError, match="interrupted"):
                    backup.require_whole(folder)
            backup.restore(file, folder, replace=True)
            backup.require_whole(folder)
            assert logs(folder) == before
    assert killed > 8


def test_two_servers_do_not_share_a_folder(tmp_path, capsys):
    folder, file = tmp_path / "data", tmp_path / "copy.zip"
    with server(folder) as (process, address), program(address):
        second = subprocess.run(
            [sys.executable, "-m", "spieltisch", "serve", "--no-browser", "--port", "0", "--data", folder],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert second.returncode == 1
        assert second.stdout == ""
        assert f"another Spieltisch server (process {process.pid}) is using {folder}" in second.stderr
        assert "Traceback" not in second.stderr
        assert run(["backup", str(file), "--data", str(folder)]) == 0
        assert run(["restore", str(file), "--data", str(folder), "--replace"]) == 1
        assert f"process {process.pid}" in capsys.readouterr().err
        process.kill()
        process.wait()
        assert run(["restore", str(file), "--data", str(folder), "--replace"]) == 0  # a killed one holds nothing
    with server(folder) as (_process, address), program(address):
        pass


def test_a_server_does_not_begin_on_half_a_restore(folder, capsys):
    (folder / backup.RESTORING).mkdir()
    said = subprocess.run(
        [sys.executable, "-m", "spieltisch", "serve", "--no-browser", "--port", "0", "--data", folder],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (said.returncode, said.stdout) == (1, "")
    assert "was interrupted: run it again" in said.stderr


def test_no_tables_are_no_backup(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(["backup", str(tmp_path / "copy.zip"), "--data", str(tmp_path)]) == 1
    assert "sind keine Tische: Nenn mit --data" in capsys.readouterr().err
    assert not (tmp_path / "copy.zip").exists()
    assert run(["backup", str(tmp_path / "no" / "copy.zip"), "--data", str(tmp_path)]) == 1
    assert run(["restore", str(tmp_path / "copy.zip"), "--data", str(tmp_path)]) == 1
    assert "Traceback" not in capsys.readouterr().err
