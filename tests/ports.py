"""Ports for servers in other processes, which have to know theirs before they start."""

import itertools
import os
import socket

FIRST, WORKERS, EACH = 11_000, 4, 5_000  # below the ports that the system gives away
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
# Each test process has a range, and starts at a different place in it than another run on this machine.
_next = itertools.count(os.getpid() % 50 * (EACH // 50))


def free_port():
    """A port that nobody uses, and nobody else will use while a server restarts."""
    while True:
        port = FIRST + _worker * EACH + next(_next) % EACH
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
