"""What cannot be meant is refused at the start, in a sentence, with nothing changed."""

import math
import os

import pytest

from spieltisch import paths
from spieltisch.cli.app import run
from spieltisch.table.store.sqlite import SQLite
from spieltisch.web.server import serve, start_checks
from spieltisch.web.server.start_checks import Asked, require_tables, why_not


@pytest.fixture(autouse=True)
def _in_a_container(monkeypatch):
    monkeypatch.setenv("container", "1")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Asked(port=99_999), "65535"),
        (Asked(port=-1), "65535"),
        (Asked(root_path="https://x/y"), "/spieltisch"),
        (Asked(root_path="//x"), "/spieltisch"),
        (Asked(root_path="/a/../b"), "/spieltisch"),
        (Asked(root_path="/a b"), "/spieltisch"),
        (Asked(root_path="/a?b"), "/spieltisch"),
        (Asked(proxies=("nginx",)), "nginx is neither"),
        (Asked(proxies=("127.0.0.1", "10.0.0.1/8")), "Did you mean 10.0.0.0/8?"),
        (Asked(proxies=("127.0.0.1:80",)), "is neither"),
        (Asked(proxies=("",)), "is neither"),
        (Asked(origin="games.example.org"), "https://games.example.org"),
        (Asked(origin="https://games.example.org/"), "https://games.example.org"),
        (Asked(origin="https://games.example.org:99999"), "https://games.example.org"),
        (Asked(keep_days=-3), "not -3"),
        (Asked(keep_days=0), "not 0"),
        (Asked(keep_days=math.nan), "not nan"),
        (Asked(keep_days=10**9), "36500"),
        (Asked(class_hours=-1), "not -1"),
        (Asked(class_hours=0), "not 0"),
        (Asked(wake="redis://127.0.0.1"), "--database"),
    ],
)
def test_what_cannot_be_meant_is_told_with_what_would_be_right(asked, said):
    assert said in why_not(asked)


@pytest.mark.parametrize(
    "asked",
    [
        Asked(),
        Asked(port=0, root_path="/spieltisch/", proxies=("*", "::1", "10.0.0.0/8", "fd00::/8"), keep_days=1),
        Asked(root_path="a/b.c", origin="http://[::1]:8000", class_hours=8760, database="x", wake="y"),
    ],
)
def test_what_can_be_meant_is_taken(asked):
    assert why_not(asked) == ""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no root")
def test_root_is_refused_unless_meant_or_in_a_container(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert why_not(Asked()) == ""
    monkeypatch.delenv("container")
    monkeypatch.setattr(start_checks, "_CONTAINERS", ())
    assert "--as-root" in why_not(Asked())
    assert why_not(Asked(as_root=True)) == ""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert why_not(Asked()) == ""


def test_the_command_refuses_before_it_touches_the_folder(tmp_path, capsys):
    folder = tmp_path / "new"
    assert run(["serve", "--data", str(folder), "--keep-days", "-3", "--no-browser"]) == 2
    assert "--keep-days" in capsys.readouterr().err
    assert not folder.exists()


def test_a_folder_that_cannot_be_used_is_told_without_a_number(tmp_path, capsys):
    file = tmp_path / "file"
    file.touch()
    assert run(["serve", "--data", str(file), "--port", "0", "--no-browser", "--as-root"]) == 1
    said = f"the folder for the tables cannot be used: File exists ({file}). Choose another one with --data.\n"
    assert capsys.readouterr().err == f"spieltisch: {said}"


def test_a_folder_that_nobody_used_is_new(tmp_path):
    assert require_tables(tmp_path, None, expected=False)
    paths.server_secret(tmp_path)  # as `spieltisch link` makes it
    assert require_tables(tmp_path, None, expected=False)
    SQLite(tmp_path / paths.TABLES)
    assert not require_tables(tmp_path, None, expected=True)


def test_a_folder_without_the_tables_it_had_is_refused(tmp_path):
    with pytest.raises(paths.DataError, match="--expect-tables"):
        require_tables(tmp_path, None, expected=True)
    paths.server_secret(tmp_path)
    with paths.hold_data_folder(tmp_path):
        pass
    with pytest.raises(paths.DataError, match="from a backup"):
        require_tables(tmp_path, None, expected=False)
    (tmp_path / paths.COPY).touch()
    with pytest.raises(paths.DataError, match="--database"):
        require_tables(tmp_path, None, expected=False)
    assert not require_tables(tmp_path, "postgresql:///x", expected=False)


def test_a_server_says_why_it_does_not_start_without_its_tables(tmp_path, capsys):
    assert serve.serve("127.0.0.1", 0, tmp_path, False, expect_tables=True) == 1
    assert "no tables" in capsys.readouterr().err
