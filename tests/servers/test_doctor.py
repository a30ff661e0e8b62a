"""`spieltisch doctor`: it finds faults of a folder, and of a real nginx."""

import asyncio
import contextlib
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from ports import free_port
from servers import proxies
from spieltisch import backup, makers, paths
from spieltisch.cli import doctor
from spieltisch.cli.app import run
from spieltisch.cli.doctor import probe, running
from spieltisch.table.store import sql
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
    """The exit status with the good, odd and bad findings."""
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
    monkeypatch.setattr(running, "FILES_LOW", 1)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    status, found = findings(capsys, "--data", folder)
    assert (status, found["✗"]) == (0, [])
    assert found["!"] == [f"No server is using {folder}."]
    assert len(found["✓"]) == 7
    with paths.hold_data_folder(folder):
        status, found = findings(capsys, "--data", folder)
        assert (status, found["!"]) == (0, [])
    assert {path: path.read_bytes() for path in before} == before  # looking changes nothing


def test_it_is_told_what_bots_think_with(folder, capsys, monkeypatch, tmp_path):
    def told(*state):
        monkeypatch.setattr(makers, "progress", lambda: makers.Progress(*state))
        status, found = findings(capsys, "--data", folder)
        assert status == 0
        (one,) = [line for line in found["✓"] if line.startswith("Bots and hints run ")]
        return one.removeprefix("Bots and hints run ")

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert told(False, False, False, 0) == "in plain Python. The study extra makes them stronger."
    assert told(True, True, False, 0) == f"on the compiled engines in {tmp_path}."
    assert told(True, False, True, 3) == f"in plain Python while their engines are compiled into {tmp_path}."
    assert told(True, False, False, 0).startswith(f"in plain Python: no compiled engines in {tmp_path}.")


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
    assert "was interrupted" in bad()
    (folder / backup.RESTORING).rmdir()
    monkeypatch.setattr(doctor, "ROOM_LOW", 10**9)
    monkeypatch.setattr(doctor, "ROOM_LEAST", 10**9)
    assert "When it is full, the server cannot save moves" in bad()
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
    assert "a newer version of Spieltisch" in bad()
    for log in folder.glob(f"{paths.TABLES}-*"):
        log.unlink()
    (folder / paths.TABLES).write_bytes(b"no database at all" * 300)
    assert "is damaged" in bad()
    assert findings(capsys, "--data", tmp_path / "nowhere")[1]["✗"] == [
        f"There is no folder {tmp_path / 'nowhere'}. Give the server’s folder with --data."
    ]


def test_a_downgrade_of_the_program_is_found(folder, capsys, monkeypatch):
    paths.note_version(folder, "9.9.0")
    status, found = findings(capsys, "--data", folder)
    assert status == 1
    assert "A newer version of Spieltisch, 9.9.0," in found["✗"][0]
    assert "Install 9.9.0 again, or restore the backup from before the update" in found["✗"][0]
    monkeypatch.setattr(doctor, "__version__", "9.9.0")
    assert findings(capsys, "--data", folder)[0] == 0


def test_a_downgrade_of_the_tables_is_found(folder, capsys):
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        db.execute(f"pragma user_version = {sql.FORMAT + 1}")
    said = findings(capsys, "--data", folder)[1]["✗"][0]
    assert (
        f"a newer version of Spieltisch wrote these tables (format {sql.FORMAT + 1}; this version knows {sql.FORMAT})"
        in said
    )
    assert "install the newer version again, or restore a backup from before the update" in said
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        db.execute(f"pragma user_version = {sql.FORMAT - 1}")  # as an early version does
    assert "An older version of Spieltisch has used these tables" in " ".join(
        findings(capsys, "--data", folder)[1]["!"]
    )


@pytest.mark.parametrize(
    ("noted", "here", "newer"),
    [
        ("0.3.0.dev9", "0.3.0.dev10", ""),
        ("0.3.0.dev10", "0.3.0.dev9", "0.3.0.dev10"),
        ("0.3.0", "0.3.0.dev10", "0.3.0"),
        ("0.3.0", "0.10.0", ""),
        ("something", "0.3.0", ""),
    ],
)
def test_versions_are_compared_as_numbers(tmp_path, noted, here, newer):
    paths.note_version(tmp_path, noted)
    assert paths.newer_version(tmp_path, here) == newer
    paths.note_version(tmp_path, here)  # an older one does not hide the newer
    assert paths.newer_version(tmp_path, here) == newer


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


@pytest.fixture
def away(monkeypatch):
    """As if the machine that asks were another one than the server's."""
    monkeypatch.setattr(probe, "_is_local", lambda place: place == "127.0.0.1")
    monkeypatch.setattr(probe, "_is_near", lambda _: False)


@NGINX
@pytest.mark.usefixtures("away")
def test_a_proxy_in_order(served, tmp_path, capsys):
    status, found = through(tmp_path, served, capsys)
    assert (status, found["!"], found["✗"]) == (0, [], [])
    assert "The server tells people apart: you come from 203.0.113.9." in found["✓"]


@NGINX
@pytest.mark.parametrize(
    ("without", "sign", "said"),
    [
        ({"version", "upgrade"}, "✗", "pass on Upgrade and Connection"),
        ({"upgrade"}, "✗", "pass on Upgrade and Connection"),
        ({"host"}, "✗", "Links and QR codes would lead to"),
        ({"host"}, "✗", "The proxy must send Host"),
        ({"host"}, "✗", "The server refuses forms because they seem to come from another site"),
        ({"host"}, "✗", "The server refuses WebSockets for the same reason as forms"),
        ({"address"}, "✗", "To the server, everybody is the proxy (127.0.0.1)"),
        ({"size"}, "!", "Raise client_max_body_size"),
    ],
)
@pytest.mark.usefixtures("away")
def test_what_a_proxy_does_wrong_is_found(served, tmp_path, capsys, without, sign, said):
    status, found = through(tmp_path, served, capsys, without)
    assert said in " ".join(found[sign])
    assert status == (sign == "✗")


@NGINX
def test_a_proxy_that_leads_elsewhere_is_found(served, tmp_path, capsys):
    whole = PROXY.format(lines=" ".join(LINES.values()))
    away = whole.replace("location / {", "location /elsewhere/ {")
    assert "Something other than Spieltisch answers" in through(tmp_path, served, capsys, text=away)[1]["✗"][0]
    assert "cannot reach the server (502)" in through(tmp_path, free_port(), capsys)[1]["✗"][0]
    path = whole.replace("proxy_pass http://127.0.0.1:8000;", "proxy_pass http://127.0.0.1:8000/;")
    path = path.replace("location / {", "location /spiele/ {")
    outer = free_port()
    with proxies.running(proxies.nginx(tmp_path, outer, served, path), outer, tmp_path):
        found = findings(capsys, "--url", f"http://localhost:{outer}/spiele")[1]
    assert "Start it with --root-path /spiele" in " ".join(found["✗"])
    policy = whole.replace("location / {", 'add_header Content-Security-Policy "default-src *" always; location / {')
    assert "changes the pages’ security headers" in " ".join(through(tmp_path, served, capsys, text=policy)[1]["!"])


@NGINX
@pytest.mark.usefixtures("away")
def test_a_proxy_that_loses_the_port_is_told_so(served, tmp_path, capsys):
    text = PROXY.format(lines=" ".join(LINES.values())).replace("$http_host", "$host")
    outer = free_port()
    with proxies.running(proxies.nginx(tmp_path, outer, served, text), outer, tmp_path):
        status, found = findings(capsys, "--url", f"http://localhost:{outer}")
    said = " ".join(found["✗"])
    assert status == 1
    assert f"Links and QR codes would lead to http://localhost instead of http://localhost:{outer}." in said
    assert "The port gets lost" in said
    assert "seem to come from another site: it sees http://localhost, not " in said
    assert "Upgrade" not in said


TLS = """
server {{
    listen 443 ssl;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    location / {{
        proxy_pass http://127.0.0.1:8000;
        {lines}
    }}
}}
"""


@NGINX
@pytest.mark.usefixtures("away")
def test_a_proxy_with_tls_is_told_what_it_loses(served, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(proxies.certificate(tmp_path)))
    lines = " ".join(line for name, line in LINES.items() if name != "scheme")
    outer = free_port()
    text = TLS.format(folder=tmp_path, lines=lines)
    with proxies.running(proxies.nginx(tmp_path, outer, served, text), outer, tmp_path):
        assert "is a TLS port. Use https" in findings(capsys, "--url", f"http://localhost:{outer}")[1]["✗"][0]
        said = " ".join(findings(capsys, "--url", f"https://localhost:{outer}")[1]["✗"])
    assert "must send X-Forwarded-Proto" in said
    assert "The port gets lost" not in said
    assert "Upgrade" not in said
    plain = findings(capsys, "--url", f"https://localhost:{served}")[1]["✗"][0]
    assert "does not speak TLS. Use http" in plain


@NGINX
def test_a_password_of_the_proxy_and_a_redirect_are_told(served, tmp_path, capsys):
    whole = PROXY.format(lines=" ".join(LINES.values()))
    (tmp_path / "users").write_text("ada:{PLAIN}x\n")
    text = whole.replace("location / {", f'auth_basic "x"; auth_basic_user_file {tmp_path}/users; location / {{')
    assert "asks for a password (401)" in through(tmp_path, served, capsys, text=text)[1]["✗"][0]
    text = whole.replace("location / {", "return 301 https://tisch.example$request_uri; location / {")
    assert "redirects to https://tisch.example." in through(tmp_path, served, capsys, text=text)[1]["✗"][0]


@NGINX
@pytest.mark.parametrize("without", [(), ("host",), ("address",)])
def test_what_its_own_machine_cannot_see_is_not_told_as_well(served, tmp_path, capsys, without):
    status, found = through(tmp_path, served, capsys, without)
    assert "cannot show where links and QR codes lead" in " ".join(found["!"])
    assert not [one for one in found["✓"] if "Links" in one]
    assert ("on another machine" in " ".join(found["!"])) == ("address" in without)
    assert status == (without == ("host",))
    assert ("refuses forms" in " ".join(found["✗"])) == (without == ("host",))


@NGINX
def test_a_name_in_the_hosts_file_is_no_false_alarm(served, tmp_path, capsys, monkeypatch):
    real = socket.getaddrinfo

    def hosts(name, *rest, **more):
        return real("localhost" if name == "tisch.example" else name, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", hosts)
    outer = free_port()
    text = PROXY.format(lines=" ".join(LINES.values()).replace("203.0.113.9", "$remote_addr"))
    with proxies.running(proxies.nginx(tmp_path, outer, served, text), outer, tmp_path):
        status, found = findings(capsys, "--url", f"http://tisch.example:{outer}")
    assert (status, found["✗"]) == (0, [])
    assert "Links and QR codes lead here." in found["✓"]
    assert "on another machine" in " ".join(found["!"])


def test_without_a_proxy_large_uploads_never_break_off(served, capsys):
    for _ in range(6):
        assert "Large uploads get through." in findings(capsys, "--url", f"http://127.0.0.1:{served}")[1]["✓"]


@pytest.mark.skipif(not proxies.FOUND["caddy"], reason="needs Caddy")
@pytest.mark.parametrize("redirects", [False, True])
def test_an_address_below_a_path_is_asked_for_without_its_slash(tmp_path, capsys, redirects):
    outer, inner = free_port(), free_port()
    site = f"http://localhost:{outer} {{\n handle /spieltisch/* {{\n  reverse_proxy 127.0.0.1:{inner}\n }}\n"
    text = site + (" redir /spieltisch /spieltisch/\n" if redirects else "") + "}\n"
    with serving(tmp_path / "data", inner, "--root-path", "/spieltisch"), \
            proxies.running(proxies.caddy(tmp_path, outer, inner, text), outer, tmp_path):  # fmt: skip
        status, found = findings(capsys, "--url", f"http://localhost:{outer}/spieltisch/")
    said = " ".join(found["✗" if not redirects else "✓"])
    assert ("does not work without the slash at the end (200)" in said) == (not redirects)
    assert ("also works without the slash" in said) == redirects
    assert status == (not redirects)


@contextlib.contextmanager
def serving(folder, port, *more, before=""):
    """A server on this folder and port, once it takes connections."""
    command = [sys.executable, "-m", "spieltisch", "serve", "--no-browser", "--port", str(port), "--data", str(folder)]
    if "--host" not in more:
        command += ["--host", "127.0.0.1"]
    words = " ".join(map(shlex.quote, [*command, *more]))
    process = subprocess.Popen(
        ["sh", "-c", f"{before} exec {words}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("Spieltisch: ")
        yield process, line
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.communicate(timeout=60)


def test_the_running_server_is_asked_and_its_limits_are_seen(tmp_path, capsys, monkeypatch):
    folder, port = tmp_path / "data", free_port()
    with serving(folder, port, "--root-path", "/here", before="ulimit -n 300;") as (process, _):
        status, found = findings(capsys, "--data", folder)
        assert (status, found["✗"]) == (0, [])
        told = f"The server (process {process.pid}) is ready at http://127.0.0.1:{port}/here."
        assert told in found["✓"]
        assert [one for one in found["!"] if f"(process {process.pid}) may open only 300 files" in one]
        process.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(running, "WAIT", 0.5)
        status, found = findings(capsys, "--data", folder)
        assert (status, "does not answer at" in " ".join(found["✗"])) == (1, True)
        process.kill()
        process.wait()
        status, found = findings(capsys, "--data", folder)
        assert [one for one in found["!"] if one.startswith("No server is using")]
        assert not [one for one in [*found["✓"], *found["✗"]] if str(process.pid) in one]
    with serving(folder, port):
        assert len([*folder.glob(f"{paths.SERVER}*")]) == 1  # that of the one which was killed is gone
    assert not [*folder.glob(f"{paths.SERVER}*")]


def test_a_server_that_is_not_ready_is_told(tmp_path, capsys):
    folder = tmp_path / "data"
    with serving(folder, free_port()):
        with closing(sqlite3.connect(folder / paths.TABLES)) as db:
            db.execute("begin immediate")
            status, found = findings(capsys, "--data", folder)
            db.rollback()
        assert (status, "is not ready: The tables cannot be written" in " ".join(found["✗"])) == (1, True)


def test_the_address_of_a_server_by_ipv6_has_brackets(tmp_path, capsys):
    port = free_port()
    with serving(tmp_path / "data", port, "--host", "::1") as (_, line):
        assert line == f"Spieltisch: http://[::1]:{port}/\n"
        assert f"at http://[::1]:{port}." in " ".join(findings(capsys, "--data", tmp_path / "data")[1]["✓"])


def test_addresses_that_do_not_answer(capsys):
    assert "does not answer" in findings(capsys, "--url", f"http://127.0.0.1:{free_port()}")[1]["✗"][0]
    assert "is not an address like" in findings(capsys, "--url", "tisch.example")[1]["✗"][0]
    assert "is not an address like" in findings(capsys, "--url", "file:///etc/passwd")[1]["✗"][0]


def test_which_places_are_of_this_machine():
    here = ["127.0.0.1", "::1", "http://localhost:8000", "https://127.0.0.1", "http://[::1]:1"]
    assert [place for place in here if not probe._is_local(place)] == []
    away = ["203.0.113.9", "https://tisch.example", "2001:db8::/64", "http://192.168.1.2:8000", "", "localhost.example"]
    assert [place for place in away if probe._is_local(place)] == []
