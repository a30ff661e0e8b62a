"""What all tests share: the toy games lie among the games."""

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

import postgres
from spieltisch import games, makers
from spieltisch.decks import kinds
from spieltisch.dice import FastDice
from spieltisch.table import lobby, turns

# Tests wait for what has to be compiled, unless they ask for what answers meanwhile: the fixture `maker`.
os.environ.setdefault(makers.CHOICE, "compiled")

gc.disable()  # until all is collected: hardly anything of it goes, and the collector would look at all of it many times

TESTS = Path(__file__).parent

with contextlib.suppress(ImportError):  # OpenSpiel brings it
    from absl import logging as absl_logging

    # Its handler closes the stream that it found, pytest's own, as soon as somebody configures logging anew.
    absl_logging.get_absl_handler().python_handler.setStream(sys.__stderr__)

# How quick a busy machine is says nothing of what is tested. The same examples each time: what is found is found before
# it lands; "long" looks for others.
settings.register_profile("here", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1500, stateful_step_count=80)
settings.load_profile("here")

# What tests share that is costly to make is made in one process: an environment with the wheel, the documentation, a
# server.
TOGETHER = {
    "tests/wheel/": "wheel",
    "tests/docs/test_site.py": "site",
    "tests/servers/test_doctor.py": "doctor",
    "tests/decks/test_linear.py": "patterns",
}
LONG = ("tests/browser/", "tests/servers/", "tests/table/", "tests/web/")


def together(test):
    """What of `TOGETHER` a test belongs to, by its name; None where it shares nothing."""
    return next((prefix for prefix in TOGETHER if test.startswith(prefix)), None)


@pytest.fixture(params=["plain", "compiled"])
def maker(request, monkeypatch):
    """Who thinks: plain Python, as without numba, or the engines."""
    monkeypatch.setenv(makers.CHOICE, request.param)
    return request.param


class Scheduling(LoadScopeScheduling):
    """Each test goes to whichever process is free; those of a group to one. (xdist's own groups hang on a name within
    pytest that is another one by now: they are scattered, and nobody is told.)"""

    def _split_scope(self, nodeid):
        return TOGETHER.get(together(nodeid), nodeid)

    def remove_node(self, node):
        """What was running when a process died, the test's name; None where nothing was. It has failed and is over:
        xdist would play it again as one of those that wait, for ever where it always dies.
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


@pytest.hookimpl(optionalhook=True)  # one process needs none
def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False  # the order is that below
    return Scheduling(config, log)


def limited(test, seconds):
    """A test in a coroutine, cancelled after so many seconds. pytest-timeout raises in whatever runs at that moment,
    and where that is another task, only this one ends.
    """

    @functools.wraps(test)
    async def within(*given, **named):
        async with asyncio.timeout(seconds):
            await test(*given, **named)

    return within


def pytest_collection_modifyitems(config, items):
    """What takes long begins first, so that at the end no process works alone."""
    usual = float(config.getini("timeout"))
    for item in items:
        if inspect.iscoroutinefunction(getattr(item, "obj", None)):
            own = item.get_closest_marker("timeout")
            item.obj = limited(item.obj, (own.args[0] if own else usual) - 10.0)
    order = list(TOGETHER)

    def begins(item):
        prefix = together(item.nodeid)
        return order.index(prefix) if prefix else len(order) + (not item.nodeid.startswith(LONG))

    items.sort(key=begins)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Modules and tests stay to the end: the collector of garbage need not look at them again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def anyio_backend():
    """The server runs on asyncio alone."""
    return "asyncio"


@pytest.fixture(autouse=True)
def deals(request, monkeypatch):
    """What tables deal, and what their bots throw, is the same each time, like Hypothesis's examples; DEALS=2 and so on
    are others.
    """
    drawn = random.Random(request.node.nodeid + os.environ.get("DEALS", ""))
    throws = SimpleNamespace(choice=secrets.choice, token_bytes=drawn.randbytes, randbelow=drawn.randrange)
    monkeypatch.setattr(lobby, "secrets", throws)
    monkeypatch.setattr(turns, "FastDice", lambda: FastDice(drawn.randbytes(16)))


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
    """The games with the toys of the tests among them, as with SPIELTISCH_GAMES=tests/toys."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(TESTS / "toys")])
    games.packages.cache_clear()
    kinds.of_game.cache_clear()
    yield games.packages()
    games.packages.cache_clear()
    kinds.of_game.cache_clear()
    kinds._kinds.cache_clear()
    toys = tuple(f"{games.__name__}.{folder.name}" for folder in (TESTS / "toys").iterdir())
    for name in [name for name in sys.modules if name.startswith(toys)]:
        del sys.modules[name]
