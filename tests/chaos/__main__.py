"""Everything, one run after the other: each kind of store under faults, then every planted fault: `make chaos`."""

import argparse
import itertools
import sys
import time
from pathlib import Path

import uvloop

from chaos import run
from chaos.judge import Verdict
from chaos.planted import PLANTED

SQLITE = ("--store", "sqlite")
POSTGRES = ("--store", "postgres")
TCP, SOCKET = ("--line", "tcp"), ("--line", "socket")
ASYNCIO = ("--loop", "asyncio")
# Each with its share of the time; the way by TCP, which people use, gets more than half.
WAYS = {
    "file": (1, SQLITE),
    "file, asyncio": (1, (*SQLITE, *ASYNCIO)),
    "TCP, 2": (2, (*POSTGRES, *TCP)),
    "TCP, 4": (2, (*POSTGRES, *TCP, "--processes", "4")),
    "TCP, 4, updated": (1, (*POSTGRES, *TCP, "--processes", "4", "--old")),
    "TCP, PgBouncer": (1, (*POSTGRES, *TCP, "--pooler")),
    "TCP, Caddy": (1, (*POSTGRES, *TCP, "--front", "--faults", "stopped_behind_proxy", "restart", "cut")),
    "TCP, asyncio": (2, (*POSTGRES, *TCP, *ASYNCIO)),
    "TCP, Valkey": (2, (*POSTGRES, *TCP, "--wake")),
    "TCP, Valkey, asyncio, 4": (2, (*POSTGRES, *TCP, *ASYNCIO, "--wake", "--processes", "4")),
    "socket": (1, (*POSTGRES, *SOCKET)),
    "socket, asyncio": (1, (*POSTGRES, *SOCKET, *ASYNCIO)),
    "socket, Valkey": (1, (*POSTGRES, *SOCKET, "--wake")),
    "socket, Valkey, asyncio": (1, (*POSTGRES, *SOCKET, *ASYNCIO, "--wake")),
}
TABLES = 24
SOON = 60.0  # seconds within which a planted fault must be found


def table(verdicts):
    """Lines by kind of store: acknowledged moves, and the number of each fault."""
    names = sorted({what for one in verdicts.values() for what in one.faults})
    width = max(map(len, [*names, "lost, and named"]))
    for n, way in enumerate(verdicts, 1):
        yield f"{n:>3}: {way}"
    yield f"{'':{width}}" + "".join(f"{n:>9}" for n in range(1, len(verdicts) + 1))
    for what in names:
        yield f"{what:{width}}" + "".join(f"{one.faults[what]:>9,}" for one in verdicts.values())
    yield f"{'acknowledged':{width}}" + "".join(f"{one.acknowledged:>9,}" for one in verdicts.values())
    lost = (sum(map(len, one.lost.values())) for one in verdicts.values())
    yield f"{'lost, and named':{width}}" + "".join(f"{n:>9,}" for n in lost)
    yield f"{'broken':{width}}" + "".join(f"{sum(map(len, one.found.values())):>9,}" for one in verdicts.values())


def survived(minutes, ways, keep=None):
    """Whether all is in order after these ways' shares of so many minutes of faults."""
    parts = sum(share for share, _ in WAYS.values())
    verdicts = {}
    for name in ways:
        share, way = WAYS[name]
        print(f"== {name}: {' '.join(way)}", flush=True)
        words = [*way, "--tables", str(TABLES), "--seconds", str(60 * minutes * share / parts)]
        if keep:
            words += ["--keep", str(keep / name.replace(", ", "-").replace(" ", "-"))]
        verdicts[name] = uvloop.run(run.judged(run.arguments(words), lambda line: print(line, flush=True)))
    verdict = Verdict()
    for one in verdicts.values():
        verdict.add(one)
    print(f"== in all, {minutes:g} minutes of faults", *verdict.told(), *table(verdicts), sep="\n")
    print(f"lost, doubled, out of order, told to others, or else: {sum(map(len, verdict.found.values()))}", flush=True)
    return not verdict.found


def find(name):
    """Whether one of the meant conditions finds a planted fault in time, and the finding. Faults that need luck get
    several runs.
    """
    fault = PLANTED[name]
    words = ["--store", fault.store, "--plant", name, "--tables", "4", "--solo", "0", "--seconds", "6", *fault.words]
    begun, seconds, found = time.monotonic(), 0.0, {}
    for seed in itertools.count(1):
        asked = run.arguments([*words, "--seed", str(seed), "--faults", *fault.faults])
        found = uvloop.run(run.judged(asked)).found
        once, seconds = time.monotonic() - begun - seconds, time.monotonic() - begun
        if {*found} & {*fault.found_by} or seconds + once > SOON:
            break
    return bool({*found} & {*fault.found_by}) and seconds < SOON, found, seconds


def main(words=None):
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="of faults in all, shared among the ways")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=[*WAYS], help="these alone, and no planted fault")
    parser.add_argument("--planted", action="store_true", help="the planted faults alone")
    parser.add_argument("--keep", type=Path, help="folder in which each way's history and logs are kept")
    asked = parser.parse_args(words)
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
    failed = [] if asked.planted or survived(asked.minutes, asked.ways, asked.keep) else ["faults"]
    planted = PLANTED if asked.planted or asked.ways == [*WAYS] else ()
    for name in planted:
        found_it, found, seconds = find(name)
        conditions = ", ".join(f"{condition} {len(broken)}" for condition, broken in found.items())
        print(
            f"== planted: {name}: {'found' if found_it else 'NOT FOUND'} in {seconds:.0f} s ({conditions})", flush=True
        )
        if not found_it:
            failed.append(name)
    found = sum(name not in failed for name in planted)
    print(f"planted faults found: {found} of {len(planted)}")
    print(f"failed: {', '.join(failed)}" if failed else "all in order, all planted faults found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
