"""In a language made of marked letters, every plain letter is a word that is wired in or not translated."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from spieltisch import makers
from tongues.xx import make, mangled, plain

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make(tmp_path_factory.mktemp("languages") / "xx")


def found(folder, module, home):
    """What a program finds that has the language from a folder outside the package, and uses the folder `home`."""
    env = {
        **os.environ, "SPIELTISCH_LANGUAGES": str(folder.parent), "PYTHONPATH": str(TESTS), "PYTHONUTF8": "1",
        "LC_ALL": "xx.UTF-8", "XDG_DATA_HOME": str(home), "HOME": str(home), "COLUMNS": "200", makers.CHOICE: "plain",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", module, str(home)], env=env, capture_output=True, text=True, check=False, cwd=home
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_message_is_told_backwards_and_longer():
    before, after = mangled("Save {n} cards").split("{n}")
    assert (before.strip()[:4], after.strip()[:5]) == ("éṽáŚ", "śđřáć")
    assert not plain(mangled("You may keep <b>{n}</b> of them."))
    assert len(mangled("Look back")) >= 1.4 * len("Look back")


def test_no_page_has_a_word_that_is_wired_in(folder, tmp_path):
    assert found(folder, "tongues.sweep", tmp_path) == []


def test_no_command_prints_a_word_that_is_wired_in(folder, tmp_path):
    assert found(folder, "tongues.commands", tmp_path) == []
