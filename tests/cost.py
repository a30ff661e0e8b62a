"""What each test costs in processor seconds, with those of the processes it starts: `make test COST=1`.

On a busy machine a test takes longer, but costs about the same. A process that outlives its parent is not seen.
"""

import os
import time
from collections import defaultdict
from contextlib import suppress
from operator import itemgetter
from pathlib import Path

import pytest

DEAREST = 60  # files and tests that are named
QUICK = 0.05  # seconds in which a test starts no process, so that a look at all of them would cost more than the test
TICK = os.sysconf("SC_CLK_TCK")
SPENT = [0.0]  # before the test that runs
OWN = [0.0]  # of that by this process alone
LASTED = [0.0]  # seconds since the test began
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
    SPENT[0], OWN[0] = spent(), time.process_time()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call):
    report = yield
    LASTED[0] += call.duration
    if call.when == "teardown":
        own = time.process_time()
        now = SPENT[0] + own - OWN[0] if LASTED[0] < QUICK else spent()
        report.cost = max(now - SPENT[0], 0.0)  # killed children take their past with them
        SPENT[0], OWN[0], LASTED[0] = now, own, 0.0
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
