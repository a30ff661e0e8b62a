"""Processes beside the server, one that thinks, one that looks over what strangers send: they go with it."""

import os
import signal
import subprocess
import sys
import time

import pytest

THINKS = """
import asyncio, os
from spieltisch.bounded import Worker

async def main():
    thinking = Worker()
    print(await thinking.do(os.getpid), flush=True)
    await asyncio.sleep(600)

if __name__ == "__main__":
    asyncio.run(main())
"""


LOOKS_OVER = """
import asyncio, os, time
from spieltisch.bounded import within

def work():
    print(os.getpid(), flush=True)
    time.sleep(600)

if __name__ == "__main__":
    asyncio.run(within(600, work))
"""


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("program", [THINKS, LOOKS_OVER], ids=["thinks", "looks over"])
def test_a_process_beside_the_server_ends_when_that_is_killed(tmp_path, program):
    script = tmp_path / "server.py"
    script.write_text(program)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as server:
        beside = int(server.stdout.readline())
        assert alive(beside)
        server.send_signal(signal.SIGKILL)
        server.wait()
        until = time.monotonic() + 60
        try:
            while alive(beside):
                assert time.monotonic() < until, "it is there still"
                time.sleep(0.05)
        finally:
            if alive(beside):
                os.kill(beside, signal.SIGKILL)


LOOKS_BACK = """
import asyncio, multiprocessing, random, sys, tempfile
from pathlib import Path

import spieltisch
from spieltisch import games
from spieltisch import bounded
from spieltisch.table.analysis import AnalysisService

async def main():
    match, chance = spieltisch.new("adaman", seed=1), random.Random(1)
    while not match.over:
        match.play(chance.choice(match.legal))
    service = AnalysisService()
    found = await service.look_back(games.package("adaman"), match.record(), seconds=500)
    assert 5 < len(found) <= len(match.history)
    assert not {"numba", "numpy"} & sys.modules.keys(), "the server has loaded the engine"
    assert len(multiprocessing.active_children()) == 1
    for _ in range(200):
        if not multiprocessing.active_children():
            break
        await asyncio.sleep(0.05)
    print(len(multiprocessing.active_children()), flush=True)
    options = {"options": {"extra": ["excuse"]}}
    assert await service.label(games.package("adaman"), options, 7, seconds=500) in {True, None}
    service.close()

if __name__ == "__main__":
    bounded.REST = 0.2
    asyncio.run(main())
"""


@pytest.mark.timeout(600)  # the kernels are compiled
def test_what_was_loaded_for_a_thought_is_let_go_of(tmp_path):
    """The server never loads the engine. The process that does ends when idle, and starts again on request."""
    script = tmp_path / "server.py"
    script.write_text(LOOKS_BACK)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=500, check=False)
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr
