"""The data folder of a server: for its user alone, whole, and of a version that is understood."""

import os
import sqlite3
import stat
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from refusals import refused
from spieltisch import paths
from spieltisch.table.store.sqlite import SQLite


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_nobody_else_looks_into_the_folder(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    (folder / paths.SECRET).write_bytes(bytes(range(32)))
    (folder / paths.SECRET).chmod(0o644)
    paths.open_data_folder(folder)
    paths.server_secret(folder)
    assert mode(folder) == 0o700
    assert mode(folder / paths.SECRET) == 0o600
    fresh = paths.open_data_folder(tmp_path / "new")
    assert len(paths.server_secret(fresh)) == 32
    assert mode(fresh) == 0o700
    assert mode(fresh / paths.SECRET) == 0o600


@pytest.mark.parametrize("length", [0, 31])
def test_a_secret_that_can_be_guessed_is_refused(tmp_path, length):
    (tmp_path / paths.SECRET).write_bytes(bytes(length))
    said = refused(tmp_path)
    assert f"has {length} bytes, not 32" in said
    assert (tmp_path / paths.SECRET).stat().st_size == length  # nothing is made anew by itself


def test_tables_of_a_newer_version_are_refused_and_stay_as_they_are(tmp_path):
    with closing(sqlite3.connect(tmp_path / paths.TABLES)) as db:
        db.execute("pragma user_version = 7")
    said = refused(tmp_path)
    assert "a newer version of Spieltisch wrote these tables (format 7" in said
    with closing(sqlite3.connect(tmp_path / paths.TABLES)) as db:
        assert db.execute("pragma user_version").fetchone() == (7,)


def test_a_damaged_file_is_said_in_a_sentence_and_not_touched(tmp_path):
    garbage = os.urandom(9000)
    (tmp_path / paths.TABLES).write_bytes(garbage)
    said = refused(tmp_path)
    assert "is damaged: restore it from a backup" in said
    assert (tmp_path / paths.TABLES).read_bytes() == garbage


def test_a_file_that_may_only_be_read_is_said_in_a_sentence():
    folder = Path(tempfile.mkdtemp())
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        db.execute("create table old (x)")
    (folder / paths.TABLES).chmod(0o444)
    folder.chmod(0o555)
    root = os.geteuid() == 0  # nothing is read-only for root
    try:
        if root:
            os.seteuid(65534)
        with pytest.raises(paths.DataError, match="cannot be used"):
            SQLite(folder / paths.TABLES)
    finally:
        if root:
            os.seteuid(0)
