"""What the server counts and measures, as text for Prometheus, without any code, name or address.

Requests and commands are timed here. Everything else is read on request from where it is counted anyway.
"""

import asyncio
import contextlib
import math
import shutil
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from itertools import accumulate
from pathlib import Path

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from spieltisch import __version__, paths
from spieltisch.cluster import fleet
from spieltisch.cluster.peers import Peers
from spieltisch.decks.files import version
from spieltisch.table.analysis import AnalysisService
from spieltisch.table.durations import BOUNDS, Times, watch_loop
from spieltisch.table.host import Host
from spieltisch.table.store import Unsaved, sql
from spieltisch.table.turns import TurnRunner
from spieltisch.web.core.http.connections import Connections
from spieltisch.web.core.http.rate_limits import RateLimits

CONTENT = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (*BOUNDS, math.inf)

MANY = 100_000  # tables: counting more takes the database long enough
COUNTED = 60.0  # to do it only after so many seconds
SOON = 2.0  # seconds for what the store has to answer: a scrape waits ten at most
LOG_LEVELS = ("info", "warning", "error", "critical")

Gauge = tuple[str, float | None]  # what it says, and its value; None: there is no such thing here


class Metrics(Collector):
    """The figures of one server with this name and data folder."""

    def __init__(
        self,
        host: Host,
        turns: TurnRunner,
        limits: RateLimits,
        analysis: AnalysisService,
        connections: Connections,
        why_not: Callable[[], Awaitable[str]],
        peers: Peers,
        name: str = "",
        folder: Path | None = None,
    ) -> None:
        self._host = host
        self._turns = turns
        self._limits = limits
        self._analysis = analysis
        self._connections = connections
        self._why_not = why_not
        self._peers = peers
        self._name = name
        self._folder = folder
        self._stored: int | None = None
        self._count_at = 0.0  # when to count them again
        self._ready = True
        self._late = Times()
        self.sockets = 0  # pages that look at a table
        self.said: Counter[tuple[str, str, str]] = Counter()  # lines of the log by level, logger and error
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._registry.register(self)
        self._requests = Histogram(
            "spieltisch_request_seconds", "From a request's head to the end of its answer.", ("kind", "status"),
            buckets=BUCKETS, registry=self._registry,
        )  # fmt: skip
        self._commands = Histogram(
            "spieltisch_command_seconds", "From a page's message on its socket to what answers it.", ("to", "outcome"),
            buckets=BUCKETS, registry=self._registry,
        )  # fmt: skip
        self._by_command: dict[tuple[str, str], Histogram] = {}

    async def watch(self) -> None:
        """Measure how late the event loop is until this is cancelled."""
        await watch_loop(self._late)

    def request(self, kind: str, status: int, seconds: float) -> None:
        """Count a request of this kind."""
        self._requests.labels(kind, str(status)).observe(seconds)

    def command(self, to: str, outcome: str, seconds: float) -> None:
        """Count a command; the outcome of a refused one is what was raised."""
        one = self._by_command.get((to, outcome))
        if one is None:
            one = self._by_command[to, outcome] = self._commands.labels(to, outcome)
        one.observe(seconds)

    @contextlib.contextmanager
    def socket(self) -> Generator[None]:
        """Count a page's socket while this is open."""
        self.sockets += 1
        try:
            yield
        finally:
            self.sockets -= 1

    @property
    def memory(self) -> float | None:
        """Return the bytes of memory that the process holds; None if the system does not tell."""
        return self._registry.get_sample_value("process_resident_memory_bytes")

    @property
    def backed_up(self) -> float | None:
        """Return when the last backup was made, in seconds since 1970; None if this folder knows of none."""
        made = 0 if self._folder is None else version(self._folder / paths.BACKED_UP)
        return made / 1e6 if made else None

    @property
    def disk(self) -> float | None:
        """Return the bytes left on the disk of the data folder; None if there is none, or if it cannot be asked."""
        with contextlib.suppress(OSError):
            return None if self._folder is None else shutil.disk_usage(self._folder).free
        return None

    def here(self) -> fleet.Said:
        """Return the figures that the host's page sums up."""
        more = {
            "pages": self.sockets, "memory": self.memory, "disk": self.disk, "backup": self.backed_up,
            "refuses": int(self._connections.are_refused),
        }  # fmt: skip
        return {
            **fleet.of(self._host, self._name, __version__),
            **{name: str(n) for name, n in more.items() if n is not None},
        }

    async def text(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        self._ready, self._stored = await asyncio.gather(self._is_ready(), self._count())
        return generate_latest(self._registry)

    async def _is_ready(self) -> bool:
        try:
            async with asyncio.timeout(SOON):
                return not await self._why_not()
        except TimeoutError:
            return False

    async def _count(self) -> int | None:
        """Return how many tables there are; of many, how many there were within the last minute."""
        if (now := time.monotonic()) < self._count_at:
            return self._stored
        try:
            async with asyncio.timeout(SOON):
                found = await self._host.store.count()
        except (Unsaved, TimeoutError):  # a database that does not answer: all else is told
            return None
        self._count_at = now + (COUNTED if found > MANY else 0.0)
        return found

    def collect(self) -> Iterable[Metric]:
        """Yield the figures as they are now."""
        for name, (about, value) in {**self._gauges(), **self._of_database()}.items():
            if value is not None:
                yield GaugeMetricFamily(f"spieltisch_{name}", about, value)
        for family, counts in self._by_label():
            for labels, n in counts.items():
                family.add_metric(labels, n)
            yield family
        for family, by_label in self._histograms():
            for labels, times in by_label.items():
                family.add_metric(labels, *_buckets(times))
            yield family

    def _gauges(self) -> dict[str, Gauge]:
        host = self._host
        return {
            "sockets": ("Pages that look at a table.", self.sockets),
            "tables_stored": ("Tables, also those that are not in memory.", self._stored),
            "store_waiting": ("Changes that wait to be written.", host.store.waiting),
            "turns_running": ("Tables at which a bot or a clock has its turn.", self._turns.running),
            "analyses_waiting": ("Questions to analyses without an answer yet.", self._analysis.waiting),
            "late_seconds": ("How late pages are told of late, which grows with the load.", host.hub.late),
            "ready": ("1 if tables can be written, as /ready says.", self._ready),
            "clock_seconds": ("The clock of the tables, in seconds since 1970.", host.clock()),
            "connections": ("Open connections, pages and requests.", self._connections.open),
            "connections_limit": ("Connections that may be open at once.", self._connections.most),
            "disk_free_bytes": ("What is left on the disk of the data folder.", self.disk),
            "last_backup_timestamp_seconds": ("When the last backup was made.", self.backed_up),
        }

    def _of_database(self) -> dict[str, Gauge]:
        lending = self._host.store.lending
        if lending is None:
            return {}
        return {
            "database_waiting": ("Requests that wait for a connection to the database.", lending.waiting),
            "database_lost_seconds": ("For how long the database has not answered; 0: it does.", lending.lost),
            "hints_up": ("1 if hints of other processes arrive.", self._peers.hears),
        }

    def _by_label(self) -> Iterable[tuple[GaugeMetricFamily | CounterMetricFamily, Mapping[tuple[str, ...], float]]]:
        info = ["version", "format", "process"]
        yield (
            GaugeMetricFamily("spieltisch_info", "The version that runs, the format of its tables.", labels=info),
            {(__version__, str(sql.FORMAT), self._name): 1},
        )
        yield (
            GaugeMetricFamily("spieltisch_tables", "Tables in memory.", labels=["game", "stage"]),
            self._host.memory.counts(),
        )
        yield (
            CounterMetricFamily("spieltisch_moves", "Moves that were written.", labels=["game", "by"]),
            self._host.moves,
        )
        yield (
            CounterMetricFamily("spieltisch_limited", "What came too often.", labels=["limit"]),
            {(limit,): n for limit, n in {**self._limits.refused, **self._connections.refused}.items()},
        )
        lines, errors = _lines(self.said)
        yield CounterMetricFamily("spieltisch_log_lines", "Lines for the log.", labels=["level"]), lines
        about = "Errors in the log, by their place and kind."
        yield CounterMetricFamily("spieltisch_errors", about, labels=["logger", "error"]), errors
        if (lending := self._host.store.lending) is not None:
            about = "Connections to the database, without that of the writer."
            yield (
                GaugeMetricFamily("spieltisch_database_connections", about, labels=["state"]),
                {("used",): lending.used, ("idle",): lending.idle},
            )

    def _histograms(self) -> Iterable[tuple[HistogramMetricFamily, Mapping[tuple[str, ...], Times]]]:
        store = self._host.store
        lag = "How much later than planned the event loop wakes somebody, looked at four times a second."
        yield HistogramMetricFamily("spieltisch_loop_lag_seconds", lag, labels=[]), {(): self._late}
        commit = "From the sending of a batch of entries to its commit."
        yield HistogramMetricFamily("spieltisch_commit_seconds", commit, labels=[]), {(): store.commits}
        yield (
            HistogramMetricFamily("spieltisch_thinking_seconds", "Until a bot has chosen.", labels=["game"]),
            {(game,): times for game, times in self._turns.thinking.items()},
        )
        if store.lending is not None:
            wait = "Until a connection to the database was lent."
            family = HistogramMetricFamily("spieltisch_database_wait_seconds", wait, labels=[])
            yield family, {(): store.lending.waits}


def _lines(said: Mapping[tuple[str, str, str], int]) -> tuple[Counter[tuple[str, ...]], Counter[tuple[str, ...]]]:
    """Yield lines of the log by level, which exist before the first one is written (or its increase could not be seen),
    and errors by logger and kind.
    """
    lines: Counter[tuple[str, ...]] = Counter({(level,): 0 for level in LOG_LEVELS})
    errors: Counter[tuple[str, ...]] = Counter()
    for (level, logger, error), n in said.items():
        lines[level,] += n
        if level in {"error", "critical"}:
            errors[logger, error] += n
    return lines, errors


def _buckets(times: Times) -> tuple[list[tuple[str, float]], float]:
    counts = [*times.counts]
    return [(str(bound), n) for bound, n in zip((*BOUNDS, "+Inf"), accumulate(counts), strict=True)], times.total
