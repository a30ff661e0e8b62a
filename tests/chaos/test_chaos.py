"""Short runs of what `make chaos` does for long: real servers, killed and stopped, and nothing is found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import postgres

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def chaos(*words):
    """A run of the command; its exit status and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "chaos.run", "--tables", "3", "--solo", "1", "--rest", "0.05", *words],
        capture_output=True, text=True, check=False, timeout=500,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )  # fmt: skip
    assert done.returncode in {0, 1}, done.stderr
    return done.returncode, done.stdout + done.stderr


def test_a_server_that_is_killed_on_a_file():
    status, said = chaos("--seconds", "3", "--faults", "kill_between", "lines_cut")
    assert status == 0, said


def test_two_processes_that_are_killed_on_one_database():
    if postgres.programs() is None:
        pytest.skip(postgres.NEEDED)
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    status, said = chaos("--seconds", "3", "--store", "postgres", "--faults", "kill_after", "connections_ended")
    assert status == 0, said
