"""Processes beside the server, one that thinks, one that looks over what strangers send: they go with it."""

import os
import signal
import subprocess
import sys
import time

import pytest

THINKS = """
import asyncio, os
from spieltisch.table.thinking import ThinkingProcess

async def main():
    thinking = ThinkingProcess()
    print(await thinking.think(os.getpid), flush=True)
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
        until = time.monotonic() + 20
        try:
            while alive(beside):
                assert time.monotonic() < until, "it is there still"
                time.sleep(0.05)
        finally:
            if alive(beside):
                os.kill(beside, signal.SIGKILL)
