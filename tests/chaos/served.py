"""The command `spieltisch`, in processes that can be told to fail: `python -m chaos.served`.

It is a nursery, so that a killed server is back soon: it has imported all modules, and forks a server for each line of
its input, the JSON of `ORDERS, LOG, LOOP, word, …`. It prints the number of each, and the status at its end.

ORDERS is the path of a file. A server reads it at its start and at each SIGUSR2: the name of a planted fault on the
first line, and on the second what to do next, `kill before`, `kill between`, `kill after` or `clock SECONDS`. At
SIGUSR1 it writes what it holds beside that file; at SIGQUIT it writes what it waits for into its log.
"""

import asyncio
import contextlib
import faulthandler
import gc
import importlib
import os
import signal
import sys
import time
from pathlib import Path

import msgspec

from spieltisch.table.host import Host
from spieltisch.table.store import sqlite
from spieltisch.table.wake import Hub

PAGE = os.sysconf("SC_PAGE_SIZE")


def put(owner, name, new):
    """Replace an attribute."""
    setattr(owner, name, new)


class Orders:
    """The orders of this process."""

    def __init__(self, path):
        self.path = Path(path)
        self.point = ""  # where it will be killed
        self.ahead = 0.0  # seconds that its clock is ahead
        self.hubs = []

    def read(self, *_):
        plant, _, order = self.path.read_text(encoding="utf-8").partition("\n")
        what, _, value = order.strip().partition(" ")
        if what == "kill":
            self.point = value
        elif what == "clock":
            self.ahead = float(value)
        return plant

    def reach(self, point):
        """Die as by `kill -9` if this is the ordered point."""
        if self.point == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def tell(self, *_):
        """Report what the process holds: its memory, and its listeners."""
        gc.collect()
        held = {
            "listeners": sum(map(len, (who for hub in self.hubs for who in hub._listeners.values()))),
            "watchers": sum(map(len, (who for hub in self.hubs for who in hub._watchers.values()))),
            "memory": int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE,
        }
        new = self.path.with_suffix(".new")
        new.write_bytes(msgspec.json.encode(held))
        new.rename(self.path.with_suffix(".held"))


def stacks(*_):
    """Write what each thread and task waits for into the log."""
    faulthandler.dump_traceback(file=sys.stderr)
    for task in asyncio.all_tasks(asyncio.get_running_loop()):
        task.print_stack(file=sys.stderr)


def points(orders):
    """The three points at which a process can be killed: before a commit, after it, and after its acknowledgement."""
    commit = sqlite._commit

    def sqlite_commit(db, batch):
        orders.reach("before")
        done = commit(db, batch)
        orders.reach("between")
        return done

    put(sqlite, "_commit", sqlite_commit)
    with contextlib.suppress(ImportError):
        try:
            postgres = importlib.import_module("spieltisch.cluster.postgres")
        except ModuleNotFoundError:  # a former program: see `chaos.former`
            postgres = importlib.import_module("spieltisch.table.store.postgres")
        append = postgres._append

        async def postgres_append(db, batch, *, again):
            orders.reach("before")
            done = await append(db, batch, again=again)
            orders.reach("between")
            return done

        put(postgres, "_append", postgres_append)
    enter = Host._enter

    async def acknowledged(self, *given):
        done = await enter(self, *given)
        orders.reach("after")
        return done

    put(Host, "_enter", acknowledged)


def nursery():
    """Return in each server, with its orders; the nursery itself ends with its input."""
    from spieltisch import games

    try:
        from spieltisch.web.server import serve
    except ImportError:  # a former program: see `chaos.former`
        serve = importlib.import_module("spieltisch.web.serve")
    # The modules that servers share; the last one is a former program's.
    for name in ("spieltisch.cli.app", "spieltisch.cluster.cluster", "spieltisch.table.cluster"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    games.packages()

    def ended(*_):
        with contextlib.suppress(ChildProcessError):
            while (one := os.waitpid(-1, os.WNOHANG))[0]:
                tell(ended=one[0], status=os.waitstatus_to_exitcode(one[1]))

    def tell(**what):
        os.write(1, msgspec.json.encode(what) + b"\n")

    signal.signal(signal.SIGCHLD, ended)
    gc.collect()
    gc.freeze()
    while line := sys.stdin.buffer.readline():
        orders, said, loop, *words = msgspec.json.decode(line, type=list[str])
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # no server ends before it is noted
        if pid := os.fork():
            tell(begun=pid)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        log = os.open(said, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        for number, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, log), (2, log)):
            os.dup2(file, number)
        if loop == "asyncio":
            put(serve, "_loop", lambda: None)
        return orders, words
    sys.exit()


def main():
    path, words = nursery()
    orders = Orders(path)
    plant = orders.read()
    points(orders)
    real = time.time
    put(time, "time", lambda: real() + orders.ahead)  # the system's clock; it must not end games of a running server
    init = Hub.__init__

    def noted(self):
        init(self)
        orders.hubs.append(self)

    put(Hub, "__init__", noted)
    if plant:
        from chaos.planted import PLANTED

        PLANTED[plant]()
    signal.signal(signal.SIGUSR1, orders.tell)
    signal.signal(signal.SIGUSR2, orders.read)
    signal.signal(signal.SIGQUIT, stacks)
    from spieltisch.cli import main as command

    sys.argv = ["spieltisch", *words]
    command()


if __name__ == "__main__":
    main()
