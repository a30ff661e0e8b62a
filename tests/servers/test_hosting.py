"""docs/hosting.md, command by command: installed, served behind a proxy, looked over, backed up, updated, rolled back.

What only an administrator can do (packages, users) is left out, and folders of the system are folders of the test. In
the place of systemd stands a class that does what the page's unit says: starts its command, waits until it is ready.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import sysconfig
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from ports import free_port
from servers import proxies
from wheel.test_wheel import wheel  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the page is for Debian and its relatives"),
    pytest.mark.skipif(not proxies.FOUND["openssl"], reason="needs openssl (Debian: apt install openssl)"),
]
BLOCKS = [
    commands
    for before, commands in re.findall(r"(<!--[^>]*-->\n)?```sh\n(.*?)```", proxies.PAGE, re.DOTALL)
    if not before.startswith(("<!-- not run:", "<!-- typed by "))
]


class Machine:
    """The folders that the page names, and a service manager."""

    def __init__(self, folder, wheels, inner, origin):
        self.folder = folder
        self.inner = inner
        self._origin = origin
        self._version = next((one.name.split("-")[1] for one in wheels.glob("spieltisch-*.whl")), "")
        self._process = None
        self._env = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": str(folder),
            "PIP_FIND_LINKS": str(wheels), "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_COMPILE": "0", "SSL_CERT_FILE": str(folder / "cert.pem"),
            "SPIELTISCH_CONFIG": str(folder / "etc/spieltisch.toml"),
        }  # fmt: skip
        for place in ("etc", "opt", "var/lib", "var/backups"):
            (folder / place).mkdir(parents=True)
        (folder / "etc/spieltisch.toml").write_text(self.here(proxies.options()).replace("8000", str(inner)), "utf-8")

    def here(self, text):
        for place in ("/opt/", "/var/lib/", "/var/backups/"):
            text = text.replace(place, f"{self.folder}{place}")
        text = re.sub(r"==[\d.]+", f"=={self._version}", text)  # the former version is the one there is
        return text.replace("https://tisch.example", self._origin)

    def type(self, block):
        """What the commands of a block print."""
        return "".join(self._one(line) for line in self.here(block).splitlines())

    def _one(self, line):
        words = shlex.split(line)
        assert words[0] == "sudo", line
        if words[1] in {"apt", "useradd"}:
            return ""
        if words[1] == "systemctl":
            verb, (unit, *_) = words[2], words[-1:]
            assert unit == "spieltisch", line
            if verb in {"stop", "restart"}:
                self.stop()
            if verb in {"start", "restart", "enable"}:
                self.start()
            return ""
        made = words[1:4] == ["python3", "-m", "venv"]
        line += " --without-pip" * made  # it is lent like all packages: to install it takes seconds
        done = subprocess.run(
            ["/bin/sh", "-c", line.removeprefix("sudo ").removeprefix("-u spieltisch ")],
            env=self._env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if made:
            self._lend_packages()
        return done.stdout

    def _lend_packages(self):
        """What the package asks for is there already: this test is not about how it comes from the network."""
        library = next((self.folder / "opt/spieltisch/lib").glob("python*")) / "site-packages"
        for there in Path(sysconfig.get_paths()["purelib"]).iterdir():
            if "spieltisch" not in there.name and not (library / there.name).exists():
                (library / there.name).symlink_to(there)
        pip = self.folder / "opt/spieltisch/bin/pip"
        pip.write_text(f'#!/bin/sh\nexec {pip.with_name("python")} -m pip "$@"\n', "utf-8")
        pip.chmod(0o755)

    def start(self):
        """As Type=notify: over when the service says that it is ready; AssertionError with what it said if it ends."""
        unit = proxies.block("ini")
        assert "Type=notify" in unit
        command = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1]
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
            name = f"\0spieltisch-test-{os.getpid()}-{self.inner}"  # as systemd's: not in the file system
            heard.bind(name)
            heard.settimeout(0.2)
            self._process = subprocess.Popen(
                self.here(command).split(), stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True, env=self._env | {"NOTIFY_SOCKET": f"@{name[1:]}"},
            )  # fmt: skip
            while self._process.poll() is None:
                try:
                    assert heard.recv(100) == b"READY=1"
                except TimeoutError:
                    continue
                with socket.create_connection(("127.0.0.1", self.inner), 60):  # so it is, and not only soon
                    return
        process, self._process = self._process, None
        raise AssertionError(process.communicate()[1])

    def stop(self):
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(signal.SIGTERM)
            self.log = process.communicate(timeout=60)[1]
            assert process.returncode == 0


def around(heading):
    """The commands below a heading of the page."""
    section = proxies.PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    assert section, heading
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


def in_order(look):
    """Whether all that is looked at is right."""
    lines = look.splitlines()
    unseen = [line for line in lines if line.startswith("! ")]  # since here the proxy is on the same machine
    right = [line for line in lines if line.startswith("✓ ")]
    assert [("links and QR" in line, "tells people apart" in line) for line in unseen] == [(True, False), (False, True)]
    return len(right) + len(unseen) == len(lines) and len(right) >= 14


@pytest.mark.slow
@pytest.mark.skipif(not proxies.FOUND["nginx"], reason="needs nginx (Debian: apt install nginx)")
def test_the_page_word_by_word(tmp_path, wheel):  # noqa: F811 - as above
    inner, outer = free_port(), free_port()
    origin = f"https://localhost:{outer}"
    proxies.certificate(tmp_path)
    machine = Machine(tmp_path, wheel.parent, inner, origin)
    typed = []

    def do(block):
        typed.append(block)
        return machine.type(block)

    with ExitStack() as held:
        held.callback(machine.stop)
        for block in around("Install it"):
            do(block)
        held.enter_context(proxies.running(proxies.nginx(tmp_path, outer, inner), outer, tmp_path))
        people = held.enter_context(httpx.Client(base_url=origin, verify=False, timeout=20))
        answered = people.post("/api/play", json={"game": "adaman"})
        assert answered.is_success, answered.text
        opened = answered.json()
        key = {"authorization": f"Bearer {opened['token']}"}

        def seen():
            return people.get(f"/api/tables/{opened['table']}", headers=key).json()

        before = seen()
        assert before["legal"]

        (look,) = around("Check it")
        assert in_order(do(look))

        link, metrics = around("Watch it")
        address, _, secret = do(link).strip().partition("#")
        assert address == f"{origin}/host"
        assert people.post("/host", data={"token": secret}, headers={"origin": origin}).status_code == 303
        people.cookies.clear()
        answer = people.get("/metrics", headers={"authorization": f"Bearer {do(metrics).strip()}"})
        assert 'spieltisch_moves_total{by="host",game="adaman"} 1.0' in answer.text

        copy, back = around("Back it up")
        assert "tables: 1" in do(copy)
        said = {"question": before["question"], "action": before["legal"][0]}
        moved = people.post(f"/api/tables/{opened['table']}/move", json=said, headers=key)
        assert moved.status_code == 200
        assert "tables: 1" in do(back)
        assert seen() == before  # the move was made after the copy

        update, renew, again = around("Update and go back")
        assert all("Running games: 1" in do(block) for block in (update, renew))
        machine.stop()
        with closing(sqlite3.connect(tmp_path / "var/lib/spieltisch/tables.sqlite")) as db:
            db.execute("pragma user_version = 99")  # as a newer version would have left it
        with pytest.raises(AssertionError, match=r"a newer version of Spieltisch wrote these tables \(format 99"):
            machine.start()
        do(again)
        assert seen() == before
        machine.stop()
        # it may say that it compiles its engines, and nothing worse
        assert [line for line in machine.log.splitlines() if json.loads(line)["level"] != "info"] == []
    assert typed == BLOCKS  # nothing of the page was left out
    assert not shutil.which("spieltisch", path=str(tmp_path))


@pytest.mark.skipif(not proxies.FOUND["caddy"], reason="needs Caddy (Debian: apt install caddy)")
def test_behind_the_other_proxy_all_is_in_order_too(tmp_path):
    """What the page installs is the program of these tests here."""
    inner, outer = free_port(), free_port()
    proxies.certificate(tmp_path)
    machine = Machine(tmp_path, tmp_path, inner, f"https://localhost:{outer}")
    (tmp_path / "opt/spieltisch").mkdir()
    (tmp_path / "opt/spieltisch/bin").symlink_to(Path(sys.executable).parent)
    with ExitStack() as held:
        held.callback(machine.stop)
        machine.start()
        held.enter_context(proxies.running(proxies.caddy(tmp_path, outer, inner), outer, tmp_path))
        (look,) = around("Check it")
        assert in_order(machine.type(look))
