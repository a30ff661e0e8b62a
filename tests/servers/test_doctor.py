"""`spieltisch doctor`: it finds what is wrong with a folder, and what a real nginx does wrong."""

import asyncio
import contextlib
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from ports import free_port
from servers import proxies
from spieltisch import backup, paths
from spieltisch.cli import doctor, probe
from spieltisch.cli.app import run
from spieltisch.table.store.sqlite import SQLite

NGINX = pytest.mark.skipif(not proxies.FOUND["nginx"], reason="needs nginx (Debian: apt install nginx)")
PROXY = """
server {{
    listen 443;
    location / {{
        proxy_pass http://127.0.0.1:8000;
        {lines}
    }}
}}
"""
LINES = {
    "version": "proxy_http_version 1.1;",
    "host": "proxy_set_header Host $http_host;",
    "address": "proxy_set_header X-Forwarded-For 203.0.113.9;",
    "scheme": "proxy_set_header X-Forwarded-Proto $scheme;",
    "upgrade": 'proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";',
    "size": "client_max_body_size 64m;",
}


def findings(capsys, *words):
    """The status, and what is good, odd and bad."""
    status = run(["doctor", *map(str, words)])
    lines = capsys.readouterr().out.splitlines()
    return status, {sign: [line[2:] for line in lines if line[0] == sign] for sign in "✓!✗"}


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")


@pytest.fixture
def folder(tmp_path):
    folder = paths.open_data_folder(tmp_path / "data")
    paths.server_secret(folder)

    async def make():
        await SQLite(folder / paths.TABLES).close()

    asyncio.run(make())
    (folder / paths.TABLES).chmod(0o600)
    return folder


def test_a_folder_in_order(folder, capsys, monkeypatch):
    monkeypatch.setattr(doctor, "FILES_LOW", 1)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    status, found = findings(capsys, "--data", folder)
    assert (status, found["✗"]) == (0, [])
    assert found["!"] == [f"No server is at work on {folder}."]
    assert len(found["✓"]) == 5
    with paths.hold_data_folder(folder):
        status, found = findings(capsys, "--data", folder)
        assert (status, found["!"]) == (0, [])
    assert {path: path.read_bytes() for path in before} == before  # looking changes nothing


def test_what_is_wrong_with_a_folder_is_found(folder, capsys, monkeypatch, tmp_path):
    def bad():
        status, found = findings(capsys, "--data", folder)
        assert status == 1
        return " ".join(found["✗"])

    (folder / paths.SECRET).chmod(0o644)
    assert f"chmod go= {folder / paths.SECRET}" in bad()
    (folder / paths.SECRET).chmod(0o600)
    body = (folder / paths.SECRET).read_bytes()
    (folder / paths.SECRET).write_bytes(b"1234")
    assert "has 4 bytes, not 32" in bad()
    (folder / paths.SECRET).write_bytes(body)
    (folder / backup.RESTORING).mkdir()
    assert "was broken off" in bad()
    (folder / backup.RESTORING).rmdir()
    monkeypatch.setattr(doctor, "ROOM_LOW", 10**9)
    monkeypatch.setattr(doctor, "ROOM_LEAST", 10**9)
    assert "when it is full, no move can be kept" in bad()
    monkeypatch.setattr(doctor, "ROOM_LEAST", 0)
    assert "MB left" in findings(capsys, "--data", folder)[1]["!"][1]
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        db.execute("insert into pace (id, touched, due_at) values ('x', ?, null)", (time.time() + 86_400,))
        db.commit()
    assert "somebody has played later than that" in bad()
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        db.execute("delete from pace")
        db.commit()
        db.execute("pragma user_version = 99")
    assert "a newer Spieltisch" in bad()
    for log in folder.glob(f"{paths.TABLES}-*"):
        log.unlink()
    (folder / paths.TABLES).write_bytes(b"no database at all" * 300)
    assert "is damaged" in bad()
    assert findings(capsys, "--data", tmp_path / "nowhere")[1]["✗"] == [
        f"There is no folder {tmp_path / 'nowhere'}: name the server’s with --data."
    ]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server's port; each test puts a proxy of its own in front."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "spieltisch", "serve", "--host", "127.0.0.1", "--port", str(port), "--no-browser",
         "--data", tmp_path_factory.mktemp("served"), "--trusted-proxy", "127.0.0.1"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        for _ in range(1200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.communicate(timeout=60)


def through(folder, inner, capsys, without=(), text=None):
    """What is found through an nginx that is set up without some lines."""
    outer = free_port()
    text = text or PROXY.format(lines=" ".join(line for name, line in LINES.items() if name not in without))
    with proxies.running(proxies.nginx(folder, outer, inner, text), outer, folder):
        return findings(capsys, "--url", f"http://localhost:{outer}/")


@NGINX
def test_a_proxy_in_order(served, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(probe, "_is_local", lambda place: place == "127.0.0.1")
    status, found = through(tmp_path, served, capsys)
    assert (status, found["!"], found["✗"]) == (0, [], [])
    assert "The server tells people apart: you come from 203.0.113.9." in found["✓"]


@NGINX
@pytest.mark.parametrize(
    ("without", "sign", "said"),
    [
        ({"version", "upgrade"}, "✗", "hand on Upgrade and Connection"),
        ({"upgrade"}, "✗", "hand on Upgrade and Connection"),
        ({"host"}, "✗", "Links and QR codes would lead to"),
        ({"host"}, "✗", "Forms are refused as coming from another site"),
        ({"address"}, "✗", "The server takes everybody for the proxy (127.0.0.1)"),
        ({"size"}, "!", "need client_max_body_size"),
    ],
)
def test_what_a_proxy_does_wrong_is_found(served, tmp_path, capsys, monkeypatch, without, sign, said):
    monkeypatch.setattr(probe, "_is_local", lambda place: place == "127.0.0.1")
    status, found = through(tmp_path, served, capsys, without)
    assert said in " ".join(found[sign])
    assert status == (sign == "✗")


@NGINX
def test_a_proxy_that_leads_elsewhere_is_found(served, tmp_path, capsys):
    whole = PROXY.format(lines=" ".join(LINES.values()))
    away = whole.replace("location / {", "location /elsewhere/ {")
    assert "something else than Spieltisch (404)" in through(tmp_path, served, capsys, text=away)[1]["✗"][0]
    assert "does not reach the server (502)" in through(tmp_path, free_port(), capsys)[1]["✗"][0]
    path = whole.replace("proxy_pass http://127.0.0.1:8000;", "proxy_pass http://127.0.0.1:8000/;")
    path = path.replace("location / {", "location /spiele/ {")
    outer = free_port()
    with proxies.running(proxies.nginx(tmp_path, outer, served, path), outer, tmp_path):
        found = findings(capsys, "--url", f"http://localhost:{outer}/spiele")[1]
    assert "start it with --root-path /spiele" in " ".join(found["✗"])
    policy = whole.replace("location / {", 'add_header Content-Security-Policy "default-src *" always; location / {')
    assert "changes the security headers" in " ".join(through(tmp_path, served, capsys, text=policy)[1]["!"])


def test_addresses_that_do_not_answer(capsys):
    assert "does not answer" in findings(capsys, "--url", f"http://127.0.0.1:{free_port()}")[1]["✗"][0]
    assert "is no address such as" in findings(capsys, "--url", "tisch.example")[1]["✗"][0]
    assert "is no address such as" in findings(capsys, "--url", "file:///etc/passwd")[1]["✗"][0]


def test_which_places_are_of_this_machine():
    here = ["127.0.0.1", "::1", "http://localhost:8000", "https://127.0.0.1", "http://[::1]:1"]
    assert [place for place in here if not probe._is_local(place)] == []
    away = ["203.0.113.9", "https://tisch.example", "2001:db8::/64", "http://192.168.1.2:8000", "", "localhost.example"]
    assert [place for place in away if probe._is_local(place)] == []
