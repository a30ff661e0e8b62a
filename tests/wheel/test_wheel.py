"""The built wheel in empty environments, on the oldest and on the newest Python of this machine."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from matrix import many, sampled
from spieltisch import extras
from spieltisch.table.store import sql

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

# From the core alone: every game, played at random to its end, its record replayed; Trailblaze also between its bots,
# told in German. What searches does so in plain Python.
BY_LIBRARY = """
import random
import spieltisch
chance = random.Random(1)
for game, seats in (("adaman", 1), ("anno-domini", 2), ("trailblaze", 2), ("hic-haec-hoc", 2)):
    match = spieltisch.new(game, seats=seats, seed=1)
    while not match.over:
        match.play(chance.choice(match.legal))
    assert spieltisch.load(match.record()).result == match.result
match = spieltisch.new("trailblaze", seats=2, seed=1)
while not match.over:
    said = match.text(action := match.bot(), lang="de")
    match.play(action)
print(said)
match = spieltisch.new("hic-haec-hoc", seats=2, seed=1)
assert match.bot() in match.legal
(slow,) = match.package.bot.slow_levels
assert match.bot(level=slow) in match.legal
"""


def version(python):
    """The version of an interpreter; None if it is none or too old."""
    code = "import sys; print(*sys.version_info[:2])"
    said = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    found = tuple(map(int, said.stdout.split())) if said.returncode == 0 else ()
    return found if found >= (3, 11) else None


def interpreters():
    """A Python of each version that runs this, the oldest first, from the search path and from pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    candidates += sorted(map(str, pyenv.glob("versions/3.*/bin/python3")))
    found = {which: python for python in (sys.executable, *filter(None, candidates)) if (which := version(python))}
    return [found[which] for which in sorted(found)]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


def upgrading(python):
    """The words by which pip installs a wheel into another environment. Installing pip there and compiling all modules
    would take seconds.
    """
    words = ["--quiet", "--no-compile", "--no-deps", "--no-index", "--upgrade"]
    return [sys.executable, "-m", "pip", "--python", str(python), "install", *words]


class Environment:
    """An environment with the wheel and what it asks for, in the versions that are locked, or others."""

    def __init__(self, folder, python, wheel, extra="", versions="locked"):
        self.bin = folder / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True)
        wanted = f"spieltisch[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
        words = ["pip", "install", "--quiet", "--python", str(self.bin / "python")]
        which = ["--constraint", str(ROOT / "requirements" / "dev.txt")]
        if versions != "locked":
            which = ["--resolution", versions]
        words += [*which, "--reinstall-package", "spieltisch", wanted]
        kept = subprocess.run([str(UV), *words, "--offline"], capture_output=True, check=False)
        if kept.returncode:  # not all of it is in uv's cache
            subprocess.run([str(UV), *words], check=True)

    def run(self, *words, **env):
        """A program of this environment, away from the sources."""
        program = [str(self.bin / words[0]), *words[1:]]
        return subprocess.run(program, capture_output=True, text=True, cwd=self.bin, env=CLEAN | env, check=False)


@pytest.fixture(scope="session")
def found():
    """Interpreters, found when a test asks: each test process imports this file, and each interpreter has to start."""
    return interpreters()


@pytest.fixture(scope="session", params=sampled(["oldest", "newest"], ["newest"]))
def python(request, found):
    """The oldest one also plays the same match, and mostly tries the lowest versions; the newest serves it small."""
    oldest, newest = found[0], found[-1]
    if request.param == "oldest" and newest == oldest:
        pytest.skip("there is one Python here")
    return newest if request.param == "newest" else oldest


@pytest.fixture(scope="session")
def core(tmp_path_factory, python, wheel):
    return Environment(tmp_path_factory.mktemp("core"), python, wheel)


@pytest.fixture(scope="session")
def full(tmp_path_factory, python, wheel):
    return Environment(tmp_path_factory.mktemp("full"), python, wheel, "all")


# What is locked is hardly older than the highest versions.
@pytest.fixture(scope="session", params=sampled(["lowest-direct", "highest"], ["lowest-direct"]))
def at_the_bounds(request, tmp_path_factory, wheel):
    return Environment(tmp_path_factory.mktemp("bounds"), sys.executable, wheel, "all", request.param)


def test_the_wheel_holds_what_it_needs(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        info = next(name for name in names if name.endswith("METADATA"))
        metadata = file.read(info).decode()
    assert "License-Expression: Apache-2.0 AND CC-BY-SA-4.0" in metadata
    licences = {name.partition("licenses/")[2] for name in names if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", "LICENSES/CC-BY-SA-4.0.txt", "NOTICE"}
    catalogs = {name.removesuffix(".po") for name in sources(".po")}
    assert catalogs == {name.removesuffix(".mo") for name in names if name.endswith(".mo")}
    assert len(catalogs) >= 6
    assert [name for name in names if name.endswith(".dist-info/sboms/spieltisch.cdx.json")]
    assert not [name for name in names if name.endswith((".po", ".pyc"))]
    for kind in (".html", ".css", ".js", ".svg", ".csv", ".toml", ".md", ".typ", ".txt", ".npz", ".png"):
        assert sources(kind) <= {*names}, kind


def sources(kind):
    return {str(file.relative_to(ROOT / "src")) for file in (ROOT / "src" / "spieltisch").rglob(f"*{kind}")}


@pytest.mark.slow
def test_a_newer_build_is_installed_over_an_older_one(tmp_path, wheel):
    newer = tmp_path / "newer"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(newer)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, env=os.environ | {"SPIELTISCH_RELEASE": "1"})
    python = str(tmp_path / "env" / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    ask = [
        python,
        "-c",
        "from importlib.metadata import version as v; print(v('spieltisch'))",
    ]
    seen = []
    for one in (wheel, *newer.iterdir()):
        subprocess.run([*upgrading(python), str(one)], check=True, env=CLEAN)
        seen.append(subprocess.run(ask, check=True, capture_output=True, text=True, env=CLEAN).stdout.strip())
    assert seen[0].startswith(f"{seen[1]}.dev")


def test_the_readme_can_be_read_on_an_index(wheel):
    with zipfile.ZipFile(wheel) as file:
        metadata = file.read(next(name for name in file.namelist() if name.endswith("METADATA"))).decode()
    shown = metadata.partition("\n\n")[2]
    assert shown.startswith("# Spieltisch")
    addresses = re.findall(r"\]\(([^)]*)\)|(?:src|href)=\"([^\"]*)\"", shown)
    assert [one for pair in addresses for one in pair if one and not one.startswith(("https://", "#"))] == []


@pytest.mark.slow
def test_the_core_is_small_and_plays(core):
    installed = json.loads(core.run("python", "-c", LISTED).stdout)
    assert installed == ["msgspec", "spieltisch"]
    played = core.run("python", "-W", "error", "-c", BY_LIBRARY)
    assert (played.returncode, played.stderr) == (0, "")
    (said,) = played.stdout.splitlines()
    assert re.search("lege|Stein|setze", said), said


# All that bots of every level and chance do in some games, as one number.
MATCHES = """
import hashlib
import sys
import spieltisch
from spieltisch import record
told = hashlib.sha256()
for game, package in spieltisch.games.packages().items():
    for seed in range(int(sys.argv[1])):
        match = spieltisch.new(game, seed=seed, **{"max_rounds": 3} if game == "anno-domini" else {})
        levels = [level for level in package.bot.levels if level not in package.bot.slow_levels]
        told.update("".join(str(match.bot(level)) for level in package.bot.slow_levels).encode())
        for number in range(10_000):
            if match.over:
                break
            match.play(match.bot(["random", *levels][number % (len(levels) + 1)]))
        told.update(record.text(match.record()).encode())
print(told.hexdigest())
"""


@pytest.mark.slow
@pytest.mark.parametrize("which", sampled(["all", "oldest and newest"], ["oldest and newest"]))
def test_every_python_plays_the_same_match_from_a_seed(which, tmp_path, found, wheel):
    played = set()
    for number, python in enumerate(found if which == "all" else dict.fromkeys([found[0], found[-1]])):
        core = Environment(tmp_path / str(number), python, wheel)
        for salt in ("0",) if number else ("0", "4711"):
            done = core.run("python", "-c", MATCHES, str(many(1, 2)), PYTHONHASHSEED=salt)
            assert done.returncode == 0, done.stderr
            played.add(done.stdout)
    assert len(played) == 1


LISTED = "import importlib.metadata as m, json; print(json.dumps(sorted(d.name.lower() for d in m.distributions())))"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("serve",), "serve"),
        (("simulate", "adaman", "--bots", "random"), "study"),
        (("study", "adaman", "solve", "x.json"), "study"),
        (("warm",), "study"),
        (("deck", "print", "is"), "print"),
        (("deck", "check"), "cli"),
        (("replay", "x.json"), "cli"),
        ((), "cli"),
    ],
)
def test_the_core_names_the_extra_that_a_command_needs(core, words, extra):
    said = core.run("spieltisch", *words)
    assert said.returncode == 1
    assert said.stdout == ""
    assert said.stderr.count("\n") == 1
    assert extras.command(extra) in said.stderr


# A page's line: it is shown the table, and answered.
BY_SOCKET = """
import json, sys
from websockets.sync.client import connect
address, token = sys.argv[1:]
url = address.replace("/api/tables", "/t")
with connect(f"ws{url[4:]}/live", additional_headers={"authorization": f"Bearer {token}"}) as line:
    line.send(json.dumps({"seen": -1, "lang": "en"}))
    assert "parts" in json.loads(line.recv(30))
    line.send(json.dumps({"ping": 3}))
    assert json.loads(line.recv(30)) == {"pong": 3}
"""


@pytest.mark.slow
def test_everything_is_installed_on_request(full, tmp_path):
    does_everything(full, tmp_path)


@pytest.mark.slow
def test_the_lowest_and_the_newest_versions_do_everything(at_the_bounds, tmp_path):
    does_everything(at_the_bounds, tmp_path)
    serves_a_game(at_the_bounds, tmp_path)


def does_everything(full, tmp_path):
    built = next(full.bin.parent.rglob("spieltisch-*.dist-info")).name.removeprefix("spieltisch-")
    said = full.run("spieltisch", "--version").stdout
    assert said == f"{built.removesuffix('.dist-info')}, data format {sql.FORMAT}\n"
    assert full.run("spieltisch", "deck", "check", "is").returncode == 0
    paper = full.run("spieltisch", "deck", "print", "is", "--language", "en", "-o", str(tmp_path / "is.pdf"))
    assert paper.returncode == 0, paper.stderr
    assert (tmp_path / "is.pdf").read_bytes().startswith(b"%PDF")
    report = str(tmp_path / "report.html")
    words = ("simulate", "trailblaze", "--bots", "random,random", "--games", "2", "--report", report)
    assert full.run("spieltisch", *words).returncode == 0
    assert "<svg" in Path(report).read_text("utf-8")


@pytest.mark.slow
def test_a_server_is_small(tmp_path, found, wheel):
    """Without what compiles, whatever Litestar asks for included; a hint comes all the same."""
    small = Environment(tmp_path / "small", found[-1], wheel, "serve")
    installed = json.loads(small.run("python", "-c", LISTED).stdout)
    assert {"litestar", "minijinja"} <= {*installed}
    assert not {"llvmlite", "numba", "numpy"} & {*installed}
    files = [file for file in (tmp_path / "small" / "lib").rglob("*") if file.is_file() and file.suffix != ".pyc"]
    assert sum(4096 * -(-file.lstat().st_size // 4096) for file in files) < 90e6  # as `du` counts
    serves_a_game(small, tmp_path / "data", hint=True)
    refused = small.run("spieltisch", "serve", "--as-root", "--data", str(tmp_path / "other"), "--database", "x")
    assert refused.stderr.endswith(f"--database needs another package. Install it with: {extras.command('postgres')}\n")


@pytest.mark.slow
@pytest.mark.whole  # in `make test` a small server is played on, and one with the lowest versions
def test_a_game_is_played_on_a_server_from_the_wheel(full, tmp_path):
    serves_a_game(full, tmp_path)


def serves_a_game(full, tmp_path, *, hint=False):
    words = [str(full.bin / "spieltisch"), "serve", "--host", "127.0.0.1", "--port", "0", "--no-browser"]
    env = CLEAN | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*words, "--data", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as server:
        try:
            address = re.search(r"http://localhost:\d+", server.stdout.readline()).group()
            opened = ask(f"{address}/api/play", body={"game": "adaman", "name": "Ada"})
            table, token = f"{address}/api/tables/{opened['table']}", opened["token"]
            line = full.run("python", "-c", BY_SOCKET, table, token)
            assert line.returncode == 0, line.stderr
            seen = ask(table, token)
            if hint:
                told = ask(f"{table}/hint", token, {"question": seen["question"]})
                assert told["hint"] in seen["legal"]
            for _ in range(500):
                if seen["result"]:
                    break
                if seen["legal"]:
                    ask(f"{table}/move", token, {"question": seen["question"], "action": seen["legal"][-1]})
                seen = ask(f"{table}?after={seen['seq']}", token)
            assert seen["result"]
            with urllib.request.urlopen(f"{address}/", timeout=30) as page:
                assert "Spieltisch" in page.read().decode()
        finally:
            server.terminate()
        assert server.wait(60) == 0
        assert server.stderr.read() == ""


def ask(url, token="", body=None):
    headers = {"Accept": "application/json", "Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=60) as answer:
        return json.load(answer)


def test_a_catalogue_is_whole_while_it_is_compiled_anew(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    compile_catalogs = importlib.import_module("compile_catalogs")  # a hook of the build

    (tmp_path / "src").mkdir()
    shutil.copy(ROOT / "src/spieltisch/languages/de/messages/adaman.po", tmp_path / "src/de.po")
    hook, made = compile_catalogs.CompileCatalogs(str(tmp_path), {}, None, None, "", "wheel"), tmp_path / "src/de.mo"
    hook.initialize("", {})
    before, write = made.read_bytes(), compile_catalogs.write_mo

    def written(file, catalog):
        assert made.read_bytes() == before
        write(file, catalog)

    monkeypatch.setattr(compile_catalogs, "write_mo", written)
    hook.initialize("", {})
    assert made.read_bytes() == before
    assert [file.name for file in sorted(made.parent.iterdir())] == ["de.mo", "de.po"]
