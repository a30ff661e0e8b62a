"""Behind a real nginx and a real Caddy: TLS, a sub-path, WebSockets, the Origin check. As docs/hosting.md says.

Skipped where they are not installed; everything they need is made in the test's own folder.
"""

import asyncio
import json
import re
import ssl
import subprocess
import sys
import time

import httpx
import pytest
import websockets
from websockets.typing import Origin

from matrix import sampled
from ports import free_port
from servers import proxies

pytestmark = pytest.mark.skipif(not proxies.FOUND["openssl"], reason="needs openssl (Debian: apt install openssl)")
BELOW = {  # a sub-path, as the page says it
    "nginx": ("nginx", "    location / {", "    location /spieltisch/ {"),
    "caddy": (
        "caddy", "    reverse_proxy 127.0.0.1:8000",
        "    redir /spieltisch /spieltisch/\n    handle /spieltisch/* {\n    reverse_proxy 127.0.0.1:8000\n}",
    ),
    "caddy that takes the path off": (
        "caddy", "    reverse_proxy 127.0.0.1:8000",
        "    redir /spieltisch /spieltisch/\n    handle_path /spieltisch/* {\n    reverse_proxy 127.0.0.1:8000\n}",
    ),
}  # fmt: skip


@pytest.fixture(params=sampled(BELOW, ["nginx", "caddy that takes the path off"]))
def proxied(tmp_path, request):
    name, old, new = BELOW[request.param]
    if not proxies.FOUND[name]:
        pytest.skip(f"needs {name} (Debian: apt install {name})")
    proxies.certificate(tmp_path)
    inner, outer = free_port(), free_port()
    text = proxies.block(name)
    assert old in text
    server = subprocess.Popen(
        [sys.executable, "-m", "spieltisch", "serve", "--host", "127.0.0.1", "--port", str(inner), "--no-browser",
         "--data", tmp_path / "data", "--root-path", "/spieltisch", "--trusted-proxy", "127.0.0.1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        command = proxies.PROXIES[name](tmp_path, outer, inner, text.replace(old, new))
        with proxies.running(command, outer, tmp_path):
            for _ in range(600):
                if httpx.get(f"https://localhost:{outer}/spieltisch/health", verify=False, timeout=60).is_success:
                    break
                assert server.poll() is None, server.stderr.read().decode()
                time.sleep(0.1)
            else:
                pytest.fail("the server behind the proxy did not come up")
            yield f"https://localhost:{outer}"
    finally:
        server.terminate()
        server.wait(60)
        server.stderr.close()


@pytest.mark.filterwarnings("ignore:Unverified")
def test_a_game_through_a_proxy(proxied):
    with httpx.Client(
        base_url=proxied, verify=False, timeout=60, headers={"accept": "text/html", "accept-language": "en"}
    ) as browser:
        bare = browser.get("/spieltisch")
        assert bare.status_code in {301, 302}
        assert bare.headers["location"].endswith("/spieltisch/")
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
        message = json.loads(await asyncio.wait_for(line.recv(), 60))
        assert message["parts"]
    with pytest.raises(websockets.InvalidStatus):
        await websockets.connect(address, ssl=unverified, origin=Origin("https://evil.example"))
