"""Judges a run: checks its history against each final log, with one table at a time in memory."""

import contextlib
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable
from operator import attrgetter

from msgspec import Struct, field

from chaos import checker
from chaos.history import Event
from chaos.witness import witness
from spieltisch.table.damage import Damage, damage_at


class Verdict(Struct):
    """The result of one or several runs: violations by condition, and figures."""

    found: dict[str, list[str]] = {}
    faults: Counter[str] = field(default_factory=Counter)
    moves: Counter[str] = field(default_factory=Counter)  # by outcome
    entries: int = 0
    pictures: int = 0
    lost: dict[str, list[str]] = {}  # by table: acknowledged moves that a damaged or promoted store has lost

    @property
    def acknowledged(self) -> int:
        """Moves that a server accepted: in the log, or ended by others' answers first."""
        return self.moves["ok"] + self.moves["moot"]

    def add(self, other: "Verdict") -> None:
        """Add the result of another run."""
        self.find(other.found)
        self.faults = self.faults + other.faults
        self.moves = self.moves + other.moves
        self.entries += other.entries
        self.pictures += other.pictures
        self.lost |= other.lost

    def find(self, found: dict[str, list[str]]) -> None:
        """Add more violations."""
        for condition, broken in found.items():
            self.found.setdefault(condition, []).extend(broken)

    def told(self):
        """The figures, in lines."""
        faults = ", ".join(f"{n:,} {what}" for what, n in sorted(self.faults.items()))
        yield f"faults: {self.faults.total():,} ({faults})"
        moves = ", ".join(f"{n:,} {kind}" for kind, n in sorted(self.moves.items()))
        yield f"moves acknowledged: {self.acknowledged:,} ({moves})"
        yield f"entries: {self.entries:,}, seen in {self.pictures:,} pictures"
        lost = sum(map(len, self.lost.values()))
        yield f"acknowledged and lost with a damaged entry or an asynchronous standby: {lost:,}"
        for table, moves_lost in self.lost.items():
            yield f"    table {table} lost {len(moves_lost)} acknowledged moves: {', '.join(moves_lost)}"


async def judge(store, where: str, events: list[Event], tables: list[str], slack: float) -> Verdict:
    """The checker's findings in this history of these tables."""
    verdict = Verdict()
    of_table: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        of_table[event.table].append(event)
        verdict.pictures += event.kind == "picture"
    shared = of_table.pop("", [])
    damaged = {event.table: event.seq for event in events if event.kind == "lost" and event.what == "damaged"}
    if damaged:
        events = [*events, *_named(where, tables)]
    for table in tables:
        log = await witness(store, where, table, damaged.get(table))
        told = sorted([*shared, *of_table.pop(table, [])], key=attrgetter("at"))
        case = checker.Case(told, {} if log is None else {table: log}, slack)
        verdict.find(checker.found(case, checker.OF_TABLES))
        verdict.moves.update(op.kind for op in case.ops.values())
        if case.lost:
            verdict.moves["lost"] += len(case.lost)
            verdict.lost[table] = [op.invoke.move.removeprefix(f"{table}-") for op in case.lost]
        verdict.entries += 0 if log is None else len(log.numbers)
    assert not of_table, "people were at tables that nobody opened"
    of_processes = checker.Case((one for one in events if one.kind not in {"picture", "invoke", "ok"}), {}, slack)
    verdict.find(checker.found(of_processes, checker.OF_PROCESSES))
    return verdict


def _named(where: str, tables: Iterable[str]) -> Generator[Event]:
    """The damage of these tables that `spieltisch doctor` would name."""
    with contextlib.ExitStack() as held:
        if where.startswith("postgresql:"):
            import psycopg

            db = held.enter_context(psycopg.connect(where))

            def ask(statement, values):
                return db.execute(statement.replace("?", "%s").encode(), values, binary=True).fetchall()
        else:
            ask = held.enter_context(contextlib.closing(sqlite3.connect(where))).execute
        for table in tables:
            if (damage := damage_at(ask, table)) is not None:
                yield _event(damage)


def _event(damage: Damage) -> Event:
    return Event("named", 0.0, process="doctor", table=damage.table, seq=damage.entry - 1, value=1.0)
