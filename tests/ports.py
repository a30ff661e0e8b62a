"""Ports for servers in processes of their own that have to be told theirs before they begin."""

import itertools
import os
import socket

FIRST, WORKERS, EACH = 11_000, 4, 5_000  # below what the system gives to connections, and to whoever takes any port
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
# Each test process has a range, in which it begins elsewhere than that of another run on this machine.
_next = itertools.count(os.getpid() % 50 * (EACH // 50))


def free_port():
    """One that nobody listens at, nor will before the server does, also while that is started again."""
    while True:
        port = FIRST + _worker * EACH + next(_next) % EACH
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
