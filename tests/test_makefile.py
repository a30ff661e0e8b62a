"""What `make play` says where it cannot set itself up."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = ("Makefile", "pyproject.toml", "requirements/base.txt", "requirements/build.txt")
# Makes environments of itself, and gives these answers.
PYTHON = """#!/bin/sh
case "$*" in
*version_info*) {new} ;;
*ensurepip*) {whole} ;;
"-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
*" pip "*) echo "ERROR: no such host" >&2; exit 1 ;;
esac
"""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


@pytest.fixture
def play(tmp_path):
    """Make `play` in a copy of the sources, with a Python that answers so; status and what it said."""

    def playing(new="true", whole="true"):
        for name in NEEDED:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
        python = tmp_path / "python"
        python.write_text(PYTHON.format(new=new, whole=whole))
        python.chmod(0o755)
        env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        words = ["make", f"PYTHON={python}", "play"]
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    return playing


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"new": "exit 1"}, "Python 3.11 or newer is needed; name one with: make PYTHON="),
        ({"whole": "exit 1"}, "install its venv package first"),
    ],
)
def test_a_python_that_will_not_do_is_named(play, tmp_path, answers, said):
    status, _, err = play(**answers)
    assert status == 2
    assert said in err
    assert not (tmp_path / ".venv").exists()


def test_without_a_network_it_says_so_and_starts_anew(play):
    for _ in range(2):
        status, _, err = play()
        assert status == 2
        assert "ERROR: no such host\nThe packages could not be installed. This needs the network once" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_somebody_else_is_told(play, tmp_path):
    play(new="exit 1")
    tmp_path.chmod(0o555)
    status, _, err = play()
    tmp_path.chmod(0o755)
    assert status == 2
    assert "You may not write into this folder." in err
