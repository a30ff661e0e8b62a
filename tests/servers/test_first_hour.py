"""A stranger's first hour: the README's commands, typed on an empty machine, up to the first move.

The machine is Debian with Python, make and pipx. No package of ours is there, and no cache. `pytest -m whole -s` prints
the seconds that each command takes, and the megabytes of the home afterwards.
"""

import re
import shutil
import subprocess
import threading
import time
from pathlib import Path
from queue import Empty, Queue

import httpx
import pytest

from servers import machines
from wheel.test_wheel import wheel  # noqa: F401 - a fixture

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
LONGEST = 900  # seconds for a command
WAIT = 10  # seconds for a first hint on a busy machine; one that waits for a compiler takes 35
SMALL = 90  # megabytes of the environment that pipx makes
AT = re.compile(r"Spieltisch: (http://localhost:\d+)/")
CERTIFICATES = "/etc/ssl/certs"  # an index of this machine's may have its own

pytestmark = machines.needs("mmdebstrap", "bwrap", "setpriv", "git")


def commands(page):
    """What the README lets people type, in order, without its comments."""
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    return [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]


class Person:
    """Somebody with an empty home on a machine, in which commands are typed."""

    def __init__(self, root, name, uid):
        self.root, self.name, self.uid, self.home = root, name, uid, root / "home" / name
        shutil.copytree(root / "etc/skel", self.home)
        with (root / "etc/passwd").open("a") as file:
            file.write(f"{name}:x:{uid}:{uid}::/home/{name}:/bin/sh\n")
        self.own()

    def own(self):
        """Make everything at home theirs."""
        subprocess.run(["chown", "--recursive", f"{self.uid}:{self.uid}", self.home], check=True)

    def words(self, command, folder):
        lent = [word for one in ("/etc/resolv.conf", CERTIFICATES) for word in ("--ro-bind-try", one, one)]
        env = {
            "HOME": f"/home/{self.name}", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1",
            "SSL_CERT_FILE": f"{CERTIFICATES}/ca-certificates.crt",
        }  # fmt: skip
        return machines.inside(
            self.uid, self.uid, "--bind", str(self.root), "/", *lent, "--dev", "/dev", "--proc", "/proc",
            "--tmpfs", "/tmp", *(word for name, value in env.items() for word in ("--setenv", name, value)),
            "--chdir", f"/home/{self.name}/{folder}", "/bin/sh", "-lc", command,
        )  # fmt: skip

    def size(self, folder=""):
        said = subprocess.run(["du", "-sm", self.home / folder], check=True, capture_output=True, text=True).stdout
        return int(said.split()[0])

    def tell(self, what, begun):
        took = time.monotonic() - begun
        print(f"{took:7.1f} s  {self.size():5} MB  {self.name}: {what}", flush=True)
        return took

    def type(self, command, folder=""):
        """Type a command and wait until it has ended."""
        begun = time.monotonic()
        done = subprocess.run(
            self.words(command, folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            timeout=LONGEST,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        self.tell(command, begun)

    def serve(self, command, folder=""):
        """Type a command that serves, play to the first move, stop it. Returns the seconds until the first hint."""
        begun = time.monotonic()
        with subprocess.Popen(
            self.words(command, folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as server:
            try:
                origin = address(server, begun + LONGEST)
                self.tell(command, begun)
                return self.play(origin)
            finally:
                server.terminate()

    def play(self, origin):
        with httpx.Client(base_url=origin, timeout=60) as program:
            begun = time.monotonic()
            assert program.get("/").status_code == 200
            self.tell("  the home page", begun)
            begun = time.monotonic()
            opened = program.post("/api/play", json={"game": "adaman", "name": self.name}).json()
            table, program.headers["authorization"] = f"/api/tables/{opened['table']}", f"Bearer {opened['token']}"
            question = program.get(table).json()["question"]
            self.tell("  a table", begun)
            begun = time.monotonic()
            hint = program.post(f"{table}/hint", json={"question": question}).json()["hint"]
            took = self.tell("  the first hint", begun)
            begun = time.monotonic()
            moved = program.post(f"{table}/move", json={"question": question, "action": hint})
            assert moved.status_code == 200, moved.text
            self.tell("  the first move", begun)
        return took


def address(server, until):
    """Where a server says that it serves; AssertionError with all it said if it ends or takes longer."""
    lines, said = Queue(), []
    threading.Thread(target=lambda: [lines.put(line) for line in server.stdout], daemon=True).start()
    while time.monotonic() < until:
        try:
            said.append(lines.get(timeout=1))
        except Empty:
            if server.poll() is not None:
                break
            continue
        if found := AT.search(said[-1]):
            return found[1]
    raise AssertionError("".join(said))


@pytest.fixture(scope="module")
def root():
    with machines.open_folder() as folder:
        yield machines.debootstrap(folder / "root", "python3", "python3-venv", "make", "pipx")


def test_from_the_sources_to_the_first_move(root):
    ada = Person(root, "ada", 1001)
    subprocess.run(["git", "clone", "--quiet", ROOT, ada.home / "spieltisch"], check=True)
    ada.own()
    first, *_ = commands(README)
    assert first == "make play"
    assert ada.serve(first, "spieltisch") < WAIT
    ada.serve(first, "spieltisch")  # as on the next evening
    ada.type("make wheel", "spieltisch")


def test_from_the_wheel_to_the_first_move(root, wheel):  # noqa: F811 - as above
    ben = Person(root, "ben", 1002)
    (ben.home / "dist").mkdir()
    shutil.copy(wheel, ben.home / "dist")
    ben.own()
    _, *typed, last = commands(README)
    for command in typed:
        ben.type(command)
    assert ben.serve(last) < WAIT
    ben.serve(last)
    assert ben.size(".local/share/pipx/venvs") < SMALL
