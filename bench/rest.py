"""A server at rest: `python bench/rest.py [PYTHON…]`, each of an environment with Spieltisch.

From the start of `spieltisch serve` to the first answer of `/health`, by the clock and in seconds of the processor, and
the memory that is held then, with 0, 20 and 200 running tables of three in its folder; then the memory once all these
tables have been opened and everybody has gone. Of ten starts the quickest and the middle one are told. Bytecode is
kept, as it is wherever Spieltisch is installed.
"""

import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from web import SERVE, cpu, table

COMMAND = """
import sys
from spieltisch.cli import main
port, data = sys.argv[1:]
sys.argv[1:] = "serve", "--host", "127.0.0.1", "--port", port, "--data", data, "--no-browser", "--as-root"
main()
"""
TABLES = (0, 20, 200)
STARTS = 10
REST = 5  # seconds without a request


def memory(pid):
    """Megabytes that lie in memory."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Server:
    """A server that answers; `took` and `spent` say how long that took."""

    def __init__(self, python, folder, command=SERVE):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.origin = f"http://127.0.0.1:{port}"
        begun = time.monotonic()
        words = [python, "-c", command, str(port), str(folder)]
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(words, env=kept, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not self._answers():
            time.sleep(0.01)
        self.took, self.spent = time.monotonic() - begun, cpu(self.process.pid)

    def _answers(self):
        if self.process.poll() is not None:
            sys.exit("the server has ended")
        try:
            urllib.request.urlopen(f"{self.origin}/health", timeout=5).close()
        except OSError:
            return False
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


async def opened(origin, n):
    for _ in range(n):
        await table(origin)


def main(pythons):
    for python in pythons:
        print(python, "tables | start to /health: s, middle, CPU s | MB then | MB once opened", sep="\n", flush=True)
        for n in TABLES:
            with tempfile.TemporaryDirectory() as folder:
                with Server(python, folder) as server:
                    asyncio.run(opened(server.origin, n))
                    time.sleep(REST)
                    used = memory(server.process.pid)
                starts = []
                for _ in range(STARTS):
                    with Server(python, folder, COMMAND) as server:
                        starts.append((server.took, server.spent, memory(server.process.pid)))
                took, spent, held = zip(*starts, strict=True)
                print(
                    f"{n:6} | {min(took):5.2f}, {statistics.median(took):5.2f}, {min(spent):5.2f} | {min(held):4.0f}"
                    f" | {used:4.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1:] or [sys.executable])
