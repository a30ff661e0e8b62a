"""Judges a run: its history is held against each final log, one table after the other, so that no more than one of
them is in memory.
"""

from collections import Counter, defaultdict
from operator import attrgetter

from msgspec import Struct, field

from chaos import checker
from chaos.history import Event
from chaos.witness import witness


class Verdict(Struct):
    """What came of one or of several runs: what is broken, by condition, and the figures."""

    found: dict[str, list[str]] = {}
    faults: Counter[str] = field(default_factory=Counter)
    moves: Counter[str] = field(default_factory=Counter)  # by outcome
    entries: int = 0
    pictures: int = 0

    @property
    def acknowledged(self) -> int:
        """Moves to which a server said yes: in the log, or ended by others' answers before they came."""
        return self.moves["ok"] + self.moves["moot"]

    def add(self, other: "Verdict") -> None:
        """Count what came of another run."""
        self.find(other.found)
        self.faults = self.faults + other.faults
        self.moves = self.moves + other.moves
        self.entries += other.entries
        self.pictures += other.pictures

    def find(self, found: dict[str, list[str]]) -> None:
        """Add what else is broken."""
        for condition, broken in found.items():
            self.found.setdefault(condition, []).extend(broken)

    def told(self):
        """The figures, in lines."""
        faults = ", ".join(f"{n:,} {what}" for what, n in sorted(self.faults.items()))
        yield f"faults: {self.faults.total():,} ({faults})"
        moves = ", ".join(f"{n:,} {kind}" for kind, n in sorted(self.moves.items()))
        yield f"moves acknowledged: {self.acknowledged:,} ({moves})"
        yield f"entries: {self.entries:,}, seen in {self.pictures:,} pictures"


async def judge(store, where: str, events: list[Event], tables: list[str], slack: float) -> Verdict:
    """What the checker finds in this history of these tables."""
    verdict = Verdict()
    of_table: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        of_table[event.table].append(event)
        verdict.pictures += event.kind == "picture"
    shared = of_table.pop("", [])
    for table in tables:
        log = await witness(store, where, table)
        told = sorted([*shared, *of_table.pop(table, [])], key=attrgetter("at"))
        case = checker.Case(told, {} if log is None else {table: log}, slack)
        verdict.find(checker.found(case, checker.OF_TABLES))
        verdict.moves.update(op.kind for op in case.ops.values())
        verdict.entries += 0 if log is None else len(log.numbers)
    assert not of_table, "people were at tables that nobody opened"
    of_processes = checker.Case((one for one in events if one.kind not in {"picture", "invoke", "ok"}), {}, slack)
    verdict.find(checker.found(of_processes, checker.OF_PROCESSES))
    return verdict
