"""A real Valkey or Redis for tests. It stores nothing, and listens on a socket in a temporary folder."""

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NEEDED = "needs Valkey or Redis (Debian: apt install redis-server)"


def program():
    """The server's program; None if there is none."""
    return shutil.which("valkey-server") or shutil.which("redis-server")


class Valkey:
    """One server. It can be killed, and started again at the same address."""

    def __init__(self):
        self._base = tempfile.TemporaryDirectory(prefix="vk-", dir="/tmp")  # a socket's path has to be short
        self.socket = Path(self._base.name) / "socket"
        self.address = f"unix://{self.socket}"
        self.start()

    def start(self):
        self.socket.unlink(missing_ok=True)
        words = ["--port", "0", "--unixsocket", str(self.socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            [program(), *words, "--dir", self._base.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        with socket.socket(socket.AF_UNIX) as line:
            while line.connect_ex(str(self.socket)):
                assert self._process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.01)

    def kill(self):
        self._process.kill()
        self._process.wait()

    def close(self):
        self.kill()
        self._base.cleanup()
