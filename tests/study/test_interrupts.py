"""Long runs in processes of their own: they stop when they are told, keep what has ended, and leave nothing behind."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from spieltisch.study import simulate

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
LIMIT = 60  # seconds, on a busy machine

# It sleeps in the first game that it plays, and plays all others at once.
SLEEPER = """
import json, os, sys, time
from pathlib import Path
for line in sys.stdin:
    if json.loads(line)["type"] == "act":
        try:
            Path("asleep").touch(exist_ok=False)
            Path("asleep").write_text(str(os.getpid()))
            time.sleep(3600)
        except FileExistsError:
            print(0, flush=True)
"""


# As in a terminal. What a shell begins in its background ignores Ctrl-C, and so does what that begins, such as tests.
HEEDS_CTRL_C = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from spieltisch.cli import main
main()
"""


class Running:
    """A command in a process group of its own, as in a terminal."""

    def __init__(self, folder, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-c", HEEDS_CTRL_C, *words],
            cwd=folder, start_new_session=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def press_ctrl_c(self):
        os.killpg(self.process.pid, signal.SIGINT)

    def others(self):
        """The processes of the group besides the first one."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                state, _, group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
                if int(group) == self.process.pid != int(folder.name) and state != "Z":
                    found.append(int(folder.name))
        return found


def until(true):
    late = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < late
        time.sleep(0.02)


def kept(file):
    return file.read_bytes().count(b"\n") - 1 if file.exists() else -1


def simulation(folder, games=100_000):
    keep = f"--keep={folder / 'kept'}"
    return ("simulate", "trailblaze", "--bots", "novice,random", "--games", str(games), "--on=processes:2", keep)


@pytest.mark.parametrize("pause", [0, 0.01, 0.3])
def test_second_ctrl_c_ends_everything(tmp_path, pause):
    with Running(tmp_path, *simulation(tmp_path)) as command:
        until(lambda: kept(tmp_path / "kept") > 3)
        assert len(command.others()) == 2
        command.press_ctrl_c()
        time.sleep(pause)
        command.press_ctrl_c()
        assert command.process.wait(LIMIT) != 0
        until(lambda: not command.others())


def test_workers_end_when_the_main_process_is_killed(tmp_path):
    with Running(tmp_path, *simulation(tmp_path)) as command:
        until(lambda: kept(tmp_path / "kept") > 3)
        assert len(command.others()) == 2
        command.process.kill()
        until(lambda: not command.others())


def test_ctrl_c_stops_slow_games_and_keeps_all_that_ended(tmp_path):
    (tmp_path / "program.py").write_text(SLEEPER)
    words = ["arena", "trailblaze", "random", "novice", f"p=lines:{sys.executable} -S program.py", "--seconds=3600"]
    words += ["--deals=3", "--keep=kept", "--json=json"]
    with Running(tmp_path, *words, "--on=processes:2") as command:
        until(lambda: kept(tmp_path / "kept") >= 6)
        pid = int((tmp_path / "asleep").read_text())
        before, pressed = kept(tmp_path / "kept"), time.monotonic()
        command.press_ctrl_c()
        _, told = command.process.communicate(timeout=LIMIT)
        assert time.monotonic() - pressed < 20
        assert command.process.returncode == 130
        assert not command.others()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert before <= kept(tmp_path / "kept") < 18
    assert f"stopped after {kept(tmp_path / 'kept')} of 18 games; run the same command to continue" in told
    assert json.loads((tmp_path / "json").read_text())["games"] == kept(tmp_path / "kept")
    found = []
    for on in ("processes:2", "1"):
        with Running(tmp_path, *words, f"--on={on}") as command:
            assert command.process.wait(LIMIT) == 0
        found.append([(tmp_path / name).read_bytes() for name in ("kept", "json")])
        (tmp_path / "kept").unlink()
    assert found[0] == found[1]


@pytest.mark.parametrize("on", ["1", "processes:2"])
def test_each_game_is_kept_as_it_ends(tmp_path, on):
    seen = []
    simulate(
        "trailblaze", "random,random", 40, on=on, keep=tmp_path / "kept",
        progress=lambda n: seen.append((n, kept(tmp_path / "kept"))),
    )  # fmt: skip
    assert seen == [(n, n) for n in range(41)]
