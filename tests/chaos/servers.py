"""Real server processes on one store: started by the command line, suspended, stopped, killed, started again."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from ports import free_port

TESTS = Path(__file__).parent.parent
TOYS = TESTS / "chaos" / "toys"
START = 60.0  # seconds


class Child:
    """A process that a nursery has forked."""

    def __init__(self, pid):
        self.pid, self.returncode = pid, None
        self.ended = asyncio.Event()

    async def wait(self):
        await self.ended.wait()
        return self.returncode

    def send_signal(self, number):
        os.kill(self.pid, number)


class Nursery:
    """Forks servers; see `served`. Close it when they have ended."""

    def __init__(self, program=None, tmp=None):
        """`program` is a folder with another version's packages, `tmp` one for temporary files."""
        self._program, self._tmp = program, tmp
        self._process = None
        self._children = {}
        self._begun = asyncio.Queue()
        self._one = asyncio.Lock()

    @property
    def is_former(self):
        """Whether its servers are of another version."""
        return self._program is not None

    async def start(self):
        path = os.pathsep.join([*map(str, filter(None, (TESTS, self._program, os.environ.get("PYTHONPATH"))))])
        tmp = {} if self._tmp is None else {"TMPDIR": str(self._tmp)}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "chaos.served", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "SPIELTISCH_GAMES": str(TOYS), "PYTHONPATH": path, **tmp},
        )  # fmt: skip
        self._reading = asyncio.create_task(self._read())

    async def _read(self):
        async for line in self._process.stdout:
            said = json.loads(line)
            if "begun" in said:
                child = self._children[said["begun"]] = Child(said["begun"])
                self._begun.put_nowait(child)
            else:
                child = self._children.pop(said["ended"])
                child.returncode = said["status"]
                child.ended.set()

    async def begin(self, *words):
        async with self._one:
            self._process.stdin.write(json.dumps([str(word) for word in words]).encode() + b"\n")
            return await self._begun.get()

    async def close(self):
        if self._process is not None:
            self._process.stdin.close()
            await self._process.wait()
            await self._reading


class Server:
    """One process with its port, which stays the same through restarts."""

    def __init__(self, name, folder, nursery, *, data, database=None, plant="", wake="", proxy="", loop="uvloop"):
        self.name = name
        self.folder, self.nursery = Path(folder), nursery
        self.data, self.database, self.plant, self.wake = Path(data), database, plant, wake
        self.proxy = proxy  # the server trusts its X-Forwarded headers
        self.loop = loop
        self.port = free_port()
        self.up = asyncio.Event()
        self.process = None
        self.stuck = ""  # what it waited for when it did not stop
        self.died = []  # the status of a process that ended by itself
        self._orders = self.folder / f"{name}.orders"

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self):
        """Of the running process, or of the last one."""
        return self.process.pid

    @property
    def said(self):
        return self.folder / f"{self.name}.log"

    @property
    def is_former(self):
        """Whether it runs another version than this one."""
        return self.nursery.is_former

    def errors(self):
        """Logged errors that no fault explains; a missing or full store explains some."""
        told = []
        for line in self.said.read_text(encoding="utf-8", errors="replace").splitlines():
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                if isinstance(said, dict) and said.get("error", "Unsaved") not in {"Unsaved", "Unknown"}:
                    told.append(f"{self.name} says {line}")
        return told

    async def start(self, order=""):
        """With this order from the beginning: see `served`."""
        self._order(order)
        where = ["--database", self.database] if self.database else []
        where += ["--wake", self.wake] if self.wake else []
        where += ["--trusted-proxy", self.proxy] if self.proxy else []
        self.process = await self.nursery.begin(
            self._orders, self.said, self.loop, "serve", "--host", "127.0.0.1", "--port", self.port, "--no-browser",
            "--data", self.data, *where,
        )  # fmt: skip
        async with asyncio.timeout(START):
            while not await self._answers():
                if self.process.returncode is not None:
                    raise RuntimeError(self.said.read_text(encoding="utf-8")[-2000:])
                await asyncio.sleep(0.05)
        self.up.set()

    async def _answers(self):
        """Whether it serves; it accepts connections somewhat earlier."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
            answer = await reader.read(20)
            writer.close()
        except OSError:
            return False
        return b" 200 " in answer

    def _order(self, what):
        self._orders.write_text(f"{self.plant}\n{what}\n", encoding="utf-8")

    def order(self, what):
        """See `served`."""
        self._order(what)
        self.signal(signal.SIGUSR2)

    def signal(self, number):
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(number)

    async def gone(self, seconds=30.0):
        """Wait until the process has ended, and return its status."""
        self.up.clear()
        async with asyncio.timeout(seconds):
            return await self.process.wait()

    async def kill(self):
        self.up.clear()
        self.signal(signal.SIGKILL)
        await self.process.wait()

    async def stop(self):
        """Stop it like a deployment. Returns its status, which is not 0 if it had to be killed."""
        self.signal(signal.SIGTERM)
        try:
            return await self.gone()
        except TimeoutError:
            said = self.said.stat().st_size
            self.signal(signal.SIGQUIT)
            await asyncio.sleep(1)
            await self.kill()
            self.stuck = self.said.read_text(encoding="utf-8", errors="replace")[said:]
            return self.process.returncode

    async def held(self):
        """What the process holds; see `served`."""
        told = self._orders.with_suffix(".held")
        told.unlink(missing_ok=True)
        self.signal(signal.SIGUSR1)
        async with asyncio.timeout(60):
            while not told.exists():
                await asyncio.sleep(0.02)
        return json.loads(told.read_text(encoding="utf-8"))
