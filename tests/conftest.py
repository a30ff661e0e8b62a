"""What all tests share: the toy games are installed beside the games."""

import asyncio
import contextlib
import functools
import gc
import inspect
import os
import random
import secrets
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

import matrix
import postgres
from clock import Clock
from spieltisch import games, makers
from spieltisch.decks import base_kind
from spieltisch.dice import FastDice
from spieltisch.table import lobby, turns

# Tests wait for compiled engines, unless they use the fixture `maker` to try plain Python.
os.environ.setdefault(makers.CHOICE, "compiled")

gc.disable()  # until everything is collected: nearly all of it stays, and the collector would walk it many times

TESTS = Path(__file__).parent

with contextlib.suppress(ImportError):  # OpenSpiel installs it
    from absl import logging as absl_logging

    # Its handler closes the stream that it found, pytest's own, when logging is configured again.
    absl_logging.get_absl_handler().python_handler.setStream(sys.__stderr__)

# A busy machine's speed is not under test. The same examples run each time, so a failure shows before it lands;
# the profile "long" tries others.
settings.register_profile("here", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("whole", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1500, stateful_step_count=80)
settings.load_profile("here")


def pytest_configure(config):
    matrix.whole = "not whole" not in config.option.markexpr
    if matrix.whole and settings.get_current_profile_name() == "here":
        settings.load_profile("whole")


# Tests that share something costly run in one process: an environment with the wheel, the documentation, a
# server.
TOGETHER = {
    "tests/wheel/": "wheel",
    "tests/docs/test_site.py": "site",
    "tests/browser/test_longer.py": "longer",
    "tests/servers/test_doctor.py": "doctor",
    "tests/decks/test_linear.py": "patterns",
    "tests/library/test_core.py": "core",
    "tests/study/test_recorded.py": "records",
    "tests/tongues/test_broken.py": "broken",
    # One process compiles the kernels that only studies use.
    "tests/study/test_adaman_bound.py": "piles",
    "tests/study/test_adaman_command.py": "piles",
    "tests/study/test_adaman_coach.py": "coach",
}
# Folders with tests that take minutes; the many short ones of the others fill the processes at the end.
LONG = ("tests/arena/", "tests/browser/", "tests/servers/", "tests/study/", "tests/leaks/", "tests/docs/")
# Folders with tests that wait for sockets, timers and the disk: among the long ones, since they alone leave the
# processor idle.
WAITING = ("tests/web/", "tests/table/", "tests/chaos/")


def together(test):
    """The group of `TOGETHER` that a test belongs to, by its name; None for none."""
    return next((prefix for prefix in TOGETHER if test.startswith(prefix)), None)


@pytest.fixture(params=["plain", "compiled"])
def maker(request, monkeypatch):
    """What computes: plain Python, as without numba, or the engines."""
    monkeypatch.setenv(makers.CHOICE, request.param)
    return request.param


class Scheduling(LoadScopeScheduling):
    """Gives each test to the next free process, and a group's tests to one. (xdist's own groups rely on a name inside
    pytest that has changed, so they would be scattered silently.)
    """

    def _split_scope(self, nodeid):
        return TOGETHER.get(together(nodeid), nodeid)

    def remove_node(self, node):
        """The name of the test that ran when a process died; None if none did. It has failed and is over: xdist would
        put it back into the queue, for ever if it always dies.
        """
        work = self.assigned_work.pop(node)
        waiting = [(unit, test) for unit in work.values() for test, done in unit.items() if not done]
        died = None
        if waiting:
            unit, died = waiting[0]
            unit[died] = True
        self.workqueue.update({scope: unit for scope, unit in work.items() if not all(unit.values())})
        for other in self.assigned_work:
            self._reschedule(other)
        return died


@pytest.hookimpl(optionalhook=True)  # a single process has none
def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False  # the order is set below
    return Scheduling(config, log)


def limited(test, seconds):
    """Cancel a coroutine test after this many seconds. pytest-timeout raises in whatever runs at that moment, and if
    that is another task, only that task ends.
    """

    @functools.wraps(test)
    async def within(*given, **named):
        async with asyncio.timeout(seconds):
            await test(*given, **named)

    return within


def pytest_collection_modifyitems(config, items):
    """Long tests begin first, so that no process works alone at the end; files that wait are spread among them. A file
    stays together, since its tests share what they need.
    """
    usual = float(config.getini("timeout"))
    for item in items:
        if inspect.iscoroutinefunction(getattr(item, "obj", None)):
            own = item.get_closest_marker("timeout")
            item.obj = limited(item.obj, (own.args[0] if own else usual) - 10.0)
    order, begin = list(TOGETHER), {}
    for folders in (LONG, WAITING):
        files = list(dict.fromkeys(item.path for item in items if item.nodeid.startswith(folders)))
        begin |= {file: number / len(files) for number, file in enumerate(files)}

    def begins(item):
        prefix = together(item.nodeid)
        return order.index(prefix) if prefix else len(order) + begin.get(item.path, 1)

    items.sort(key=begins)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Modules and tests stay to the end, so the garbage collector need not walk them again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def anyio_backend():
    """The server runs on asyncio alone."""
    return "asyncio"


@pytest.fixture(autouse=True)
def deals(request, monkeypatch):
    """Tables deal the same cards and bots throw the same dice each time, like Hypothesis's examples; DEALS=2 and so on
    give others.
    """
    drawn = random.Random(request.node.nodeid + os.environ.get("DEALS", ""))
    throws = SimpleNamespace(choice=secrets.choice, token_bytes=drawn.randbytes, randbelow=drawn.randrange)
    monkeypatch.setattr(lobby, "secrets", throws)
    monkeypatch.setattr(turns, "FastDice", lambda: FastDice(drawn.randbytes(16)))


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL server of these tests."""
    found = postgres.programs()
    if found is None:
        pytest.skip(postgres.NEEDED)
    one = postgres.Cluster(found)
    yield one
    one.close()


@pytest.fixture
def toys(monkeypatch):
    """The games together with the tests' toys, as with SPIELTISCH_GAMES=tests/toys."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(TESTS / "toys")])
    games.packages.cache_clear()
    base_kind.of_game.cache_clear()
    yield games.packages()
    games.packages.cache_clear()
    base_kind.of_game.cache_clear()
    base_kind._kinds.cache_clear()
    toys = tuple(f"{games.__name__}.{folder.name}" for folder in (TESTS / "toys").iterdir())
    for name in [name for name in sys.modules if name.startswith(toys)]:
        del sys.modules[name]
