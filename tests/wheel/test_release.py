"""A release: the same commit gives the same bytes, all files are summed; and the release before is updated to it."""

import hashlib
import io
import re
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from ports import free_port
from wheel.test_wheel import CLEAN, ask, upgrading
from wheel.test_wheel import wheel as wheel  # noqa: PLC0414 - a fixture

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import release  # noqa: E402  # ty: ignore[import-not-found]

EPOCH = "1795392000"


@pytest.mark.slow
def test_built_twice_it_is_the_same(tmp_path):
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append(release.build(tmp_path / name, EPOCH))
        time.sleep(1.1)  # a time of building would show
    for one, two in zip(*made, strict=True):
        assert one.name == two.name
        assert one.read_bytes() == two.read_bytes(), one.name
    names = [one.name for one in made[0]]
    assert names == ["constraints.txt", *sorted(
        [f"spieltisch-{release.NEXT}-py3-none-any.whl", f"spieltisch-{release.NEXT}.cdx.json",
         f"spieltisch-{release.NEXT}.tar.gz"]), "SHA256SUMS"]  # fmt: skip
    for line in made[0][-1].read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((tmp_path / "one" / name).read_bytes()).hexdigest() == digest
    with zipfile.ZipFile(tmp_path / "one" / names[1]) as file:
        assert {info.date_time[:3] for info in file.infolist()} == {(2026, 11, 23)}


def test_constraints_name_each_locked_package():
    locked = (ROOT / "requirements/study.txt").read_text("utf-8")
    names = re.findall(r"^([\w.-]+)==", locked, re.MULTILINE)
    assert [line.partition("==")[0] for line in release.constraints(locked).splitlines()] == names


@pytest.mark.parametrize(
    ("changelog", "status", "said"),
    [
        (f"## [{release.NEXT}] - 2026-12-01", "", ""),
        (f"## [{release.NEXT}] - not yet released", "", "no day"),
        ("## [0.0.9] - 2026-12-01", "", "begins with 0.0.9"),
        (f"## [{release.NEXT}] - 2026-12-01", " M README.md", "not committed"),
    ],
)
def test_what_is_no_release_yet_is_told(changelog, status, said):
    bill = (ROOT / "requirements/spieltisch.cdx.json").read_text("utf-8")
    found = release.not_ready(changelog, status, bill)
    assert (said in found[0] and len(found) == 1) if said else not found
    assert "make lock" in release.not_ready(changelog, status, "{}")[-1]


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """The wheel of the release before: of its tag or, where there is none, of the last commit that was 0.2.0."""
    tags = git("tag", "--list", "v*", "--sort=-version:refname", "--no-contains", "HEAD").stdout.decode().split()
    changed = git("log", "-1", "--format=%H", '-Sversion = "0.2.0"', "--", "pyproject.toml").stdout.decode().strip()
    commit = tags[0] if tags else f"{changed}^" if changed else ""
    packed = git("archive", commit) if commit else None
    if packed is None or packed.returncode:
        pytest.skip("the history of this checkout does not reach back to the release before")
    source, dist = tmp_path_factory.mktemp("before"), tmp_path_factory.mktemp("dist")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as file:
        file.extractall(source, filter="data")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (built,) = dist.iterdir()
    return built


class Installed:
    """An environment that a wheel is installed into, with the packages of these tests beside it."""

    def __init__(self, folder):
        subprocess.run(
            [sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", str(folder)], check=True
        )
        self.bin, self.port = folder / "bin", free_port()
        library = next((folder / "lib").glob("python*")) / "site-packages"
        own = Path(next(path for path in sys.path if path.endswith("site-packages")))
        (library / "lent.pth").write_text(f"{own}\n", "utf-8")

    def install(self, wheel):
        subprocess.run([*upgrading(self.bin / "python"), str(wheel)], check=True, env=CLEAN)
        told = subprocess.run(
            [str(self.bin / "spieltisch"), "--version"], check=True, capture_output=True, text=True, env=CLEAN
        )
        return told.stdout

    @contextmanager
    def serving(self, data):
        words = ["serve", "--host", "127.0.0.1", "--port", str(self.port), "--no-browser", "--data", str(data)]
        env = CLEAN | {"PYTHONUNBUFFERED": "1", "container": "1"}
        command = [str(self.bin / "spieltisch"), *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env) as server:
            try:
                assert server.stdout.readline().startswith("Spieltisch: ")
                yield f"http://127.0.0.1:{self.port}"
            finally:
                server.terminate()
            assert server.wait(60) == 0

    def check(self, data):
        words = [str(self.bin / "spieltisch"), "upgrade", "--check", "--data", str(data)]
        return subprocess.run(words, capture_output=True, text=True, check=False, env=CLEAN)


@pytest.mark.slow
@pytest.mark.whole  # in `make test` servers/test_upgrade.py has a former server's folder, and test_hosting.py updates
@pytest.mark.skipif(sys.platform != "linux", reason="the programs lie elsewhere")
def test_what_the_release_before_kept_goes_on(tmp_path, before, wheel):
    place, data = Installed(tmp_path / "env"), tmp_path / "data"
    first = place.install(before)
    tables = {}
    with place.serving(data) as root:
        for game in ("adaman", "anno-domini", "trailblaze", "hic-haec-hoc"):
            opened = ask(f"{root}/api/play", body={"game": game, "name": "Ada", "bots": 1})
            tables[game] = f"{root}/api/tables/{opened['table']}", opened["token"]
        url, token = tables["adaman"]
        seen = ask(url, token)
        ask(f"{url}/move", token, {"question": seen["question"], "action": seen["legal"][0]})
    second = place.install(wheel)
    assert first.split(",")[0] != second.split(",")[0]
    checked = place.check(data)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    with place.serving(data) as root:
        for game, (url, token) in tables.items():
            seen = ask(url, token)
            assert seen["seq"] >= 1, game
            while not seen["legal"]:  # a bot thinks
                seen = ask(f"{url}?after={seen['seq']}", token)
            answer = ask(f"{url}/move", token, {"question": seen["question"], "action": seen["legal"][-1]})
            assert answer["seq"] > seen["seq"], game
        with urllib.request.urlopen(f"{root}/ready", timeout=30) as answer:
            assert answer.status == 200
