"""What each test costs in processor seconds, with those of the processes it starts: `make test COST=1`.

On a busy machine a test takes longer, but costs about the same. A process that outlives its parent is not seen.
"""

import os
from collections import defaultdict
from contextlib import suppress
from operator import itemgetter
from pathlib import Path

import pytest

DEAREST = 60  # files and tests that are named
TICK = os.sysconf("SC_CLK_TCK")
SPENT = [0.0]  # before the test that runs
COSTS: dict[str, float] = {}


def spent():
    """The processor seconds of this process and all its descendants, also of those that have ended."""
    parents, ticks = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            pid, fields = int(file.parent.name), file.read_bytes().rpartition(b")")[2].split()
            parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    mine, found = {os.getpid()}, {os.getpid()}
    while found := {pid for pid, parent in parents.items() if parent in found}:
        mine |= found
    return sum(ticks.get(pid, 0) for pid in mine) / TICK


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    SPENT[0] = spent()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call):
    report = yield
    if call.when == "teardown":
        now = spent()
        report.cost, SPENT[0] = max(now - SPENT[0], 0.0), now  # killed children take their past with them
    return report


def pytest_runtest_logreport(report):
    if report.when == "teardown":
        COSTS[report.nodeid] = report.cost


def dearest(part_of):
    """What these parts of the tests' names cost, the dearest first."""
    sums: dict[str, float] = defaultdict(float)
    for name, seconds in COSTS.items():
        sums[part_of(name)] += seconds
    return sorted(sums.items(), key=itemgetter(1), reverse=True)


def file_of(name):
    return name.partition("::")[0]


def folder_of(name):
    return "/".join(file_of(name).split("/")[:2])


def pytest_terminal_summary(terminalreporter):
    terminalreporter.section("processor seconds")
    terminalreporter.write_line(f"{sum(COSTS.values()):9.1f} of {len(COSTS)} tests")
    for part_of, most in ((folder_of, None), (file_of, DEAREST), (str, DEAREST)):
        terminalreporter.write_line("")
        for name, seconds in dearest(part_of)[:most]:
            terminalreporter.write_line(f"{seconds:9.1f} {name}")
