"""Behind a real nginx: TLS, a sub-path, WebSockets, the Origin check, the client's address. As docs/hosting.md says.

Skipped where there is no nginx; everything it needs is made in the test's own folder.
"""

import asyncio
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
import websockets
from websockets.typing import Origin

NGINX = shutil.which("nginx") or ("/usr/sbin/nginx" if Path("/usr/sbin/nginx").exists() else None)
OPENSSL = shutil.which("openssl")
pytestmark = pytest.mark.skipif(not NGINX or not OPENSSL, reason="needs nginx and openssl (Debian: apt install nginx)")

CONFIG = """
pid {folder}/nginx.pid;
error_log {folder}/error.log;
daemon off;
worker_processes 1;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/cert.pem;
        ssl_certificate_key {folder}/key.pem;
{location}
    }}
}}
"""


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def documented(port):
    """The location of docs/hosting.md, so that what is written there is what is tested."""
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    location = re.search(r"( {4}location /spieltisch/ \{.*?\n {4}\})", page, re.DOTALL).group(1)
    return location.replace("127.0.0.1:8000", f"127.0.0.1:{port}")


@pytest.fixture
def proxied(tmp_path):
    inner, outer = free_port(), free_port()
    subprocess.run(
        [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    config = CONFIG.format(folder=tmp_path, port=outer, location=documented(inner))
    (tmp_path / "nginx.conf").write_text(("user root;" if os.geteuid() == 0 else "") + config)
    server = subprocess.Popen(
        [sys.executable, "-m", "spieltisch", "serve", "--host", "127.0.0.1", "--port", str(inner), "--no-browser",
         "--data", tmp_path / "data", "--root-path", "/spieltisch", "--trusted-proxy", "127.0.0.1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    proxy = subprocess.Popen([NGINX, "-c", tmp_path / "nginx.conf", "-p", tmp_path], stderr=subprocess.PIPE)
    try:
        for _ in range(200):
            try:
                if httpx.get(f"https://localhost:{outer}/spieltisch/health", verify=False).status_code == 200:
                    break
            except httpx.TransportError:
                pass
            assert proxy.poll() is None, proxy.stderr.read().decode()
            assert server.poll() is None, server.stderr.read().decode()
            time.sleep(0.1)
        else:
            pytest.fail("the server behind nginx did not come up")
        yield f"https://localhost:{outer}"
    finally:
        for process in (proxy, server):
            process.terminate()
            process.wait(10)
            process.stderr.close()


@pytest.mark.filterwarnings("ignore:Unverified")
def test_a_game_through_nginx(proxied):
    with httpx.Client(
        base_url=proxied, verify=False, headers={"accept": "text/html", "accept-language": "en"}
    ) as browser:
        home = browser.get("/spieltisch/")
        assert home.status_code == 200
        links = re.findall(r'(?:href|src|action)="(/[^"]*)"', home.text)
        assert links
        assert all(link.startswith("/spieltisch/") for link in links), "every address lies under the sub-path"
        for link in links:
            if "/static/" in link:
                assert browser.get(link).status_code == 200

        foreign = browser.post("/spieltisch/play", data={"game": "adaman"}, headers={"origin": "https://evil.example"})
        assert foreign.status_code == 403
        opened = browser.post("/spieltisch/play", data={"game": "adaman"}, headers={"origin": proxied})
        assert opened.status_code == 303
        cookie = next(line for line in opened.headers.get_list("set-cookie") if "spieltisch" in line)
        assert "Secure" in cookie
        assert "HttpOnly" in cookie
        assert "Path=/spieltisch" in cookie
        table = opened.headers["location"]
        assert "/spieltisch/t/" in table
        page = browser.get(table)
        assert page.status_code == 200
        live = re.search(r'data-live="([^"]+)"', page.text).group(1)
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    asyncio.run(talk(proxied, live, cookies))


async def talk(origin, live, cookies):
    unverified = ssl.create_default_context()
    unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
    address = origin.replace("https", "wss") + live
    async with websockets.connect(
        address, ssl=unverified, origin=origin, additional_headers={"cookie": cookies}
    ) as line:
        await line.send(json.dumps({"seen": -1}))
        message = json.loads(await asyncio.wait_for(line.recv(), 10))
        assert message["parts"]
    with pytest.raises(websockets.InvalidStatus):
        await websockets.connect(address, ssl=unverified, origin=Origin("https://evil.example"))
