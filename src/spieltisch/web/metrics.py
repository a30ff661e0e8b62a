"""What the server counts and measures, as text for Prometheus. There is no code, no name and no address in it.

Requests and commands are timed here; everything else is read, when somebody asks, from where it is counted anyway.
"""

import contextlib
import math
import time
from collections.abc import Generator, Iterable

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from spieltisch import __version__
from spieltisch.table.analysis import AnalysisService
from spieltisch.table.host import Host
from spieltisch.table.store import Unsaved
from spieltisch.table.turns import TurnRunner
from spieltisch.web.http.rate_limits import RateLimits

CONTENT = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, math.inf)
MANY = 100_000  # tables: counting more takes the database long enough
COUNTED = 60.0  # to do it only after so many seconds


class Metrics(Collector):
    """The figures of one server."""

    def __init__(self, host: Host, turns: TurnRunner, limits: RateLimits, analysis: AnalysisService) -> None:
        self._host = host
        self._turns = turns
        self._limits = limits
        self._analysis = analysis
        self._stored: int | None = None
        self._count_at = 0.0  # when to count them again
        self.sockets = 0  # pages that look at a table
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

    def request(self, kind: str, status: int, seconds: float) -> None:
        """A request of this kind was answered."""
        self._requests.labels(kind, str(status)).observe(seconds)

    def command(self, to: str, outcome: str, seconds: float) -> None:
        """A command was carried out, or refused: what was raised is the outcome."""
        one = self._by_command.get((to, outcome))
        if one is None:
            one = self._by_command[to, outcome] = self._commands.labels(to, outcome)
        one.observe(seconds)

    @contextlib.contextmanager
    def socket(self) -> Generator[None]:
        """Meanwhile a page looks at a table."""
        self.sockets += 1
        try:
            yield
        finally:
            self.sockets -= 1

    @property
    def memory(self) -> float | None:
        """Bytes of memory that the process holds; None where the system does not tell."""
        return self._registry.get_sample_value("process_resident_memory_bytes")

    async def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        if (now := time.monotonic()) >= self._count_at:
            try:
                self._stored = await self._host.store.count()
            except Unsaved:  # a database that does not answer: all else is told
                self._stored = None
            self._count_at = now + (COUNTED if (self._stored or 0) > MANY else 0.0)
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        """The figures as they are now."""
        host = self._host
        gauges = {
            "spieltisch_sockets": ("Pages that look at a table.", self.sockets),
            "spieltisch_tables_stored": ("Tables, also those that are not in memory.", self._stored),
            "spieltisch_store_waiting": ("Changes that wait to be written.", host.store.waiting),
            "spieltisch_turns_running": ("Tables at which a bot or a clock has its turn.", self._turns.running),
            "spieltisch_analyses_waiting": ("Questions to analyses without an answer yet.", self._analysis.waiting),
            "spieltisch_late_seconds": ("How late pages are told of late, which grows with the load.", host.hub.late),
        }
        for name, (about, value) in gauges.items():
            if value is not None:
                yield GaugeMetricFamily(name, about, value)
        by_label = (
            (GaugeMetricFamily("spieltisch_info", "The version that runs.", labels=["version"]), {(__version__,): 1}),
            (
                GaugeMetricFamily("spieltisch_tables", "Tables in memory.", labels=["game", "stage"]),
                host.in_memory(),
            ),
            (CounterMetricFamily("spieltisch_moves", "Moves that were written.", labels=["game", "by"]), host.moves),
            (
                CounterMetricFamily("spieltisch_limited", "What came too often.", labels=["limit"]),
                {(kind,): n for kind, n in self._limits.refused.items()},
            ),
        )
        for family, counts in by_label:
            for labels, n in counts.items():
                family.add_metric(labels, n)
            yield family
