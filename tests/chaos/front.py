"""The proxy that docs/hosting.md puts before several servers: Caddy."""

import asyncio
import re

from ports import free_port
from servers import proxies

NEEDED = "needs Caddy (Debian: apt install caddy)"
LOOKS = re.compile(r"^ *health_.*\n", re.MULTILINE)


def program():
    """Caddy's program; None if it is missing."""
    return proxies.FOUND["caddy"]


class Front:
    """Stands in for a server, at the proxy's address."""

    name, pid = "front", 0
    is_former = False

    def __init__(self):
        self.port, self.up = free_port(), asyncio.Event()
        self.origin = f"http://127.0.0.1:{self.port}"

    def running(self, servers, folder, *, looks=True):
        """Run the proxy for these servers as documented. Unless it `looks`, it never asks them whether they
        are ready.
        """
        (page,) = re.findall(r"^```text\n(tisch\.example \{\n.*?)^```", proxies.PAGE, re.DOTALL | re.MULTILINE)
        upstreams = " ".join(f"127.0.0.1:{server.port}" for server in servers)
        site = page.replace("127.0.0.1:8001 127.0.0.1:8002", upstreams).replace("tisch.example", self.origin)
        (folder / "Caddyfile").write_text(proxies.CADDY.format(sites=site if looks else LOOKS.sub("", site)))
        self.up.set()
        words = [program(), "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]
        return proxies.running(words, self.port, folder)
