"""`spieltisch serve` on a data folder that it must refuse, in the test's process: a new one spends its time on imports.

`test_backup` starts real processes that are refused.
"""

import io
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr
from unittest.mock import patch

from spieltisch.cli.app import run
from spieltisch.web.server import serve


def refused(folder):
    """What it says on standard error."""
    words = ["serve", "--no-browser", "--host", "127.0.0.1", "--port", "0", "--data", str(folder)]
    said = io.StringIO()
    logged = logging.StreamHandler(said)
    logged.setLevel(logging.WARNING)  # as Python prints it, until the server sets up its log
    mask = os.umask(0o077)
    logging.getLogger().addHandler(logged)
    try:
        with (
            patch.object(serve, "_serve", side_effect=AssertionError("it serves")),
            redirect_stderr(said),
            ThreadPoolExecutor(1) as thread,  # this one may have a loop that runs
        ):
            assert thread.submit(run, words).result() == 1
    finally:
        logging.getLogger().removeHandler(logged)
        os.umask(mask)
    assert "Traceback" not in said.getvalue()
    return said.getvalue()
