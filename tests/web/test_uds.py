"""A server on a Unix domain socket: for the proxy alone, which is believed; left-over sockets are replaced."""

import json
import os
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest
import websockets.sync.client

from spieltisch import paths
from spieltisch.cli.app import run
from spieltisch.cli.doctor import running
from spieltisch.web.server import serve

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no such sockets")
SEEN = {"host": "tisch.example", "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7"}


@contextmanager
def serving(folder, *words):
    """A server as it is started, with the path of its socket."""
    path = folder / "http.sock"
    command = [sys.executable, "-m", "spieltisch", "serve", "--data", folder / "data", "--uds", path, "--no-browser"]
    env = os.environ | {"PYTHONUNBUFFERED": "1", "container": "1", "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        [*map(str, command), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as server:
        try:
            assert server.stdout.readline() == f"Spieltisch: {path}\n"
            yield path
        finally:
            server.terminate()
            out, err = server.communicate(timeout=60)
        assert (server.returncode, err) == (0, "")
        assert "http://" not in out
    assert not path.exists()


@pytest.mark.parametrize("wire", ["quick", "plain"])
def test_the_proxy_is_believed_and_a_game_is_played(tmp_path, wire, monkeypatch):
    monkeypatch.setenv("SPIELTISCH_WIRE", wire)
    with serving(tmp_path) as path, httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), headers=SEEN) as proxy:
        assert path.stat().st_mode & 0o777 == 0o660
        ready = proxy.get("http://tisch.example/ready").json()
        assert (ready["origin"], ready["address"]) == ("https://tisch.example", "203.0.113.7")
        opened = proxy.post(
            "http://tisch.example/play", data={"game": "adaman"}, headers={"origin": "https://tisch.example"}
        )
        assert opened.status_code == 303
        table = opened.headers["location"]
        assert "secure" in opened.headers["set-cookie"].lower()
        cookies = "; ".join(f"{name}={value}" for name, value in opened.cookies.items())
        line = websockets.sync.client.unix_connect(
            str(path), f"ws://tisch.example{table}/live", origin="https://tisch.example",
            additional_headers={"cookie": cookies, "x-forwarded-proto": "https"},
        )  # fmt: skip
        with line:
            line.send(json.dumps({"seen": -1}))
            assert json.loads(line.recv(30))["seq"] == 1
        (found, _) = running.look_over(tmp_path / "data")
        assert found.level == "good", found.text


def test_a_socket_that_a_killed_server_left_is_replaced(tmp_path):
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "http.sock"))
    with serving(tmp_path):
        pass


def test_what_is_there_already_is_left_alone(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    path = tmp_path / "http.sock"
    for make in (serve.listen_at, lambda path: path.write_text("mine")):
        held = make(path)
        assert serve.serve(data=tmp_path / "data", open_browser=False, uds=path, as_root=True) == 1
        assert f"cannot make a socket at {path}: it is in use; " in capsys.readouterr().err
        assert path.exists()
        path.unlink()
        if isinstance(held, socket.socket):
            held.close()
    assert serve.serve(open_browser=False, uds=tmp_path / "none" / "x", as_root=True) == 1
    assert "No such file or directory; choose another path with --uds." in capsys.readouterr().err
    assert serve.serve(open_browser=False, uds=tmp_path / ("x" * 120), as_root=True) == 1
    assert "AF_UNIX path too long" in capsys.readouterr().err


def test_a_port_beside_a_socket_is_refused(tmp_path, capsys):
    assert run(["serve", "--uds", str(tmp_path / "x"), "--port", "80", "--as-root"]) == 2
    assert "Use either --uds or --port, not both." in capsys.readouterr().err
    assert not [*paths.servers(tmp_path)]
