"""The process that thinks: it is there for its server, and goes with it."""

import os
import signal
import subprocess
import sys
import time

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


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_process_that_thinks_ends_with_a_server_that_is_killed(tmp_path):
    script = tmp_path / "server.py"
    script.write_text(THINKS)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as server:
        thinks = int(server.stdout.readline())
        assert alive(thinks)
        server.send_signal(signal.SIGKILL)
        server.wait()
        until = time.monotonic() + 20
        try:
            while alive(thinks):
                assert time.monotonic() < until, "it is there still"
                time.sleep(0.05)
        finally:
            if alive(thinks):
                os.kill(thinks, signal.SIGKILL)
