"""Checks whether what people saw is possible, given the final logs. Each condition is a function that yields
violations.

All are linear in events and entries: entries have unique numbers in a known order, so no search is needed.
"""

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from chaos.history import Event, Log, Placed

TURN = 6.0  # seconds after a failover until all servers have noticed the database's loss
NOTICED = 2.0  # seconds until all servers have noticed it where nothing else fails, and have read the tables anew
LATE = 2.0  # seconds after a turn is due, or after the last fault healed
EARLY = 0.1  # seconds: a process knows the database's clock only as exactly as its quickest answer
UNREADY = 4.0  # seconds until a process notices that it cannot write, or can again
HEALING = 0.5  # seconds that a fault of the database needs at most to end, during which it may work again
LEFT_OUT = 5.0  # seconds until a proxy leaves out a suspended process: docs/hosting.md
UNDER_WAY = 1.0  # seconds that a request needs at most on a machine that is full
OPENING = 4.0  # the same for the first table after a start, for which a new process reads the deck
STAND = 5.0  # seconds after that until everybody has the newest entry
MORE = 1.1  # times what a process held before
RESTARTS = (1001, 1012)  # codes with which a stopping server closes a socket
NO_TABLE = 4404  # code for a table that is not there any more
FAILS = 1011  # code of a server that cannot read its table, or was suspended without a sign of life


class Op(Struct):
    """One move of one person, however often it was sent."""

    invoke: Event
    outcome: Event | None = None

    @property
    def kind(self) -> str:
        return "unknown" if self.outcome is None else self.outcome.kind

    def __str__(self) -> str:
        i = self.invoke
        return f"table {i.table}: {self.kind} {i.move} of {i.client}, seat {i.seat}, question {i.question}, {i.action}"


class Case:
    """A history and the final logs, sorted for the conditions. `slack`: seconds granted to a busy machine."""

    def __init__(self, events: Iterable[Event], logs: Mapping[str, Log], slack: float = 0.0) -> None:
        self.logs, self.slack = logs, slack
        self.events = list(events)
        self.losses: dict[str, list[Event]] = defaultdict(list)
        for event in self.events:
            if event.kind == "lost":
                self.losses[event.table].append(event)
        self.vanished: dict[str, set[int]] = defaultdict(set)  # by table: entries in pictures that are left out
        self.events = [event for event in self.events if not self._is_vanished(event)]
        self.ops: dict[str, Op] = {}
        self.pictures: list[Event] = []
        for event in self.events:
            if event.kind == "invoke":
                self.ops[event.move] = Op(event)
            elif event.kind == "picture":
                self.pictures.append(event)
            elif event.move in self.ops:
                self.ops[event.move].outcome = event
        self.placed: dict[tuple[str, int | None, int], list[Placed]] = defaultdict(list)
        for table, log in logs.items():
            for entry in log.entries:
                self.placed[table, entry.seat, entry.question].append(entry)
        self.asked: dict[tuple[str, int | None, int], list[Op]] = defaultdict(list)
        for op in self.ops.values():
            self.asked[op.invoke.table, op.invoke.seat, op.invoke.question].append(op)
        self.end = max((event.at for event in self.events if event.kind == "end"), default=0.0)
        self.faults = _intervals(self.events)
        self.bounds = _bounds(self)
        self.found = _found(self)
        self.lost = self._forgive()  # acknowledged, and not in a store that is known to have lost entries

    def entries(self, op: Op) -> list[Placed]:
        """The final log's entries for this move: the same seat, question and action."""
        i = op.invoke
        found = self.placed.get((i.table, i.seat, i.question), ())
        return [one for one in found if not i.action or one.action == i.action]

    def _is_vanished(self, event: Event) -> bool:
        """Whether a picture shows an entry that the store has lost since, or another one in its place."""
        losses = self.losses.get(event.table, ()) if event.kind == "picture" else ()
        kept = [one.seq for one in losses if event.seq > one.seq and event.at < _until(one, TURN + self.slack)]
        if kept:
            self.vanished[event.table].update(range(min(kept) + 1, event.seq + 1))
        return bool(kept)

    def _forgive(self) -> list[Op]:
        """Treat the answers to lost moves as no answers. Returns the acknowledged ones. A move can be lost if it was
        sent before the loss, and acknowledged when the last surviving entry could exist.
        """
        lost = []
        for op in self.ops.values() if self.losses else ():
            i, told = op.invoke, op.outcome
            begun = self.bounds.get(i.table, ({}, {}))[0]
            for one in self.losses.get(i.table, ()):
                since = max((at for seq, at in begun.items() if seq <= one.seq), default=0.0)
                if told is None or i.at >= _until(one) or told.at < since or 0 < told.seq <= one.seq:
                    continue
                if op.kind == "ok" and not any(entry.seq <= one.seq for entry in self.entries(op)):
                    lost.append(op)
                elif op.kind == "ok" or i.question < one.seq:
                    continue
                op.outcome = None
                break
        if lost:
            gone = {op.invoke.move for op in lost}
            self.events = [event for event in self.events if event.kind != "ok" or event.move not in gone]
            self.bounds = _bounds(self)
        return lost

    def calm_since(self, at: float) -> float | None:
        """When the last fault before this moment had healed; None during a fault."""
        starts, heals = self.faults
        n = bisect_right(starts, at)
        return None if n and heals[n - 1] > at else heals[n - 1] if n else 0.0


def acknowledged(case: Case) -> Iterator[str]:
    """1. An acknowledged move is in the final log exactly once, and not after the entry named in the answer."""
    for op in case.ops.values():
        if op.kind == "ok":
            found = case.entries(op)
            if len(found) != 1:
                yield f"{op}: acknowledged, and {len(found)} times in the log"
            elif op.outcome.seq and found[0].seq > op.outcome.seq:
                yield f"{op}: acknowledged with entry {op.outcome.seq}, and in the log as {found[0].seq}"


def refused(case: Case) -> Iterator[str]:
    """2. A refused move is nowhere, unless the same was also sent otherwise, was not refused, and can be that entry: it
    was sent before anybody saw the entry.
    """
    for op in case.ops.values():
        if op.kind not in {"refused", "moot"}:
            continue
        i = op.invoke
        seen = {} if i.table in case.losses else case.bounds.get(i.table, ({}, {}))[1]  # lost ones may have been seen
        others = [
            one.invoke.at
            for one in case.asked[i.table, i.seat, i.question]
            if one.kind not in {"refused", "moot"} and (not i.action or one.invoke.action in {"", i.action})
        ]
        for entry in case.entries(op):
            if entry.by == "seat" and min(others, default=math.inf) >= seen.get(entry.seq, math.inf):
                yield f"{op}: refused, and yet in the log"


def at_most_once(case: Case) -> Iterator[str]:
    """3. An unanswered move is in the log at most once, and no seat has an entry that nobody sent."""
    for op in case.ops.values():
        if op.kind == "unknown" and len(found := case.entries(op)) > 1:
            yield f"{op}: {len(found)} times in the log"
    for (table, seat, question), entries in case.placed.items():
        sent = case.asked.get((table, seat, question), ())
        for entry in entries:
            if entry.by == "seat" and not any(op.invoke.action in {"", entry.action} for op in sent):
                yield f"table {table}: entry {entry.seq}, seat {seat}, question {question}, was sent by nobody"


def numbered(case: Case) -> Iterator[str]:
    """4. A table's entries are numbered 1 … n, without gaps or duplicates."""
    for table, log in case.logs.items():
        for n, number in enumerate(log.numbers, 1):
            if number != n:
                yield f"table {table}: entry {number} stands where {n} should"
                break


def ordered(case: Case) -> Iterator[str]:
    """5. A move acknowledged before another one was sent comes before it."""
    before: dict[str, int] = defaultdict(int)  # by table, the newest entry of an acknowledged move
    bound: dict[tuple[str, int | None, int], int] = {}  # that value when a question was first answered
    for event in case.events:
        if event.kind == "invoke":
            bound.setdefault((event.table, event.seat, event.question), before[event.table])
        elif event.kind == "ok" and event.move in case.ops:
            op = case.ops[event.move]
            least = bound[op.invoke.table, op.invoke.seat, op.invoke.question]
            for entry in [one for one in case.entries(op) if one.by == "seat"]:
                if entry.seq <= least:
                    yield f"{op}: entry {entry.seq}, sent after entry {least} had been acknowledged"
                before[event.table] = max(before[event.table], entry.seq)


def prefix(case: Case) -> Iterator[str]:
    """6. Every picture is what the rules make of a prefix of the final log, and no viewer goes back."""
    seen: dict[tuple[str, str], int] = {}
    for one in case.pictures:
        who, where = (one.client, one.table), f"table {one.table}: {one.client} on seat {one.seat}"
        if one.seq < seen.get(who, 0):
            yield f"{where} saw entry {seen[who]} and then only {one.seq} (process {one.process})"
        seen[who] = max(one.seq, seen.get(who, 0))
        if (log := case.logs.get(one.table)) is None:
            waits = not one.seq and any(not loss.seq for loss in case.losses.get(one.table, ()))
            if not waits:  # a table that has lost its start waits for people again
                yield f"{where} saw a table that is not there"
        elif one.seq > len(log.numbers):
            yield f"{where} saw entry {one.seq} of {len(log.numbers)}"
        elif one.hash and log.pictures and log.pictures.get((one.seq, one.seat), one.hash) != one.hash:
            yield f"{where} was shown another picture of entry {one.seq} than its own"


def own_writes(case: Case) -> Iterator[str]:
    """7. People whose move was acknowledged see it from then on."""
    told: dict[tuple[str, str], int] = {}
    for event in case.events:
        who = (event.client, event.table)
        if event.kind == "ok" and event.move in case.ops:
            for entry in case.entries(case.ops[event.move]):
                told[who] = max(entry.seq, told.get(who, 0))
        elif event.kind == "picture" and event.seq < told.get(who, 0):
            yield (
                f"table {event.table}: {event.client} was told of its entry {told[who]}, and then shown {event.seq}"
                f" (process {event.process})"
            )


def turns(case: Case) -> Iterator[str]:
    """8. One answer to each question; bots and clocks answer not before they are due, and soon after that or after a
    fault.
    """
    for (table, seat, question), entries in case.placed.items():
        if len(entries) > 1 and seat is not None:
            yield f"table {table}: seat {seat} answered question {question} {len(entries)} times"
    for table, log in case.logs.items():
        begun, seen = case.bounds.get(table, ({}, {}))
        found = case.found.get(table, ())
        for entry in log.entries:
            if entry.by not in log.limits:
                continue
            soonest, latest = log.limits[entry.by]
            where = f"table {table}: the {entry.by}'s entry {entry.seq}, to question {entry.question},"
            written, asked = seen.get(entry.seq), begun.get(entry.question)
            if written is not None and asked is not None and written - asked < soonest - EARLY:
                yield f"{where} came {written - asked:.2f} s after it was asked, before {soonest} s were up"
            if entry.seq in found:
                continue
            if written is not None and (late := _late(case, seen.get(entry.question), latest, written)) > 0:
                yield f"{where} came {late:.1f} s too late"
        for due in log.outstanding:
            if (late := _late(case, seen.get(due.question), log.limits[due.by][1], case.end)) > 0:
                yield f"table {table}: the {due.by} has not answered question {due.question}, {late:.1f} s too late"


def replayed(case: Case) -> Iterator[str]:
    """9. The final log replays by the rules, with the dice of its seal."""
    for table, log in case.logs.items():
        if log.trouble:
            yield f"table {table}: {log.trouble}"


def secrets(case: Case) -> Iterator[str]:
    """10. No byte sent to a seat has a mark that this seat had not been shown, or a running game's seed."""
    for one in case.pictures:
        if not one.marks or (log := case.logs.get(one.table)) is None:
            continue
        where = f"table {one.table}: {one.client} on seat {one.seat} was sent"
        if log.seed and log.seed in one.marks and not (log.over and one.seq == len(log.numbers)):
            yield f"{where} the seed with entry {one.seq}"
        if log.marks:
            known = [log.marks.get((seq, one.seat), frozenset()) for seq in range(max(one.after, 1), one.seq + 1)]
            if foreign := {mark for mark in one.marks if len(mark) < 64 and mark != log.seed}.difference(*known):
                yield f"{where} {min(foreign)} with entry {one.seq}, which it may not know"


def converged(case: Case) -> Iterator[str]:
    """11. Soon after everything has healed and the last entry is written, everybody has it."""
    last: dict[tuple[str, str], Event] = {}
    for one in case.pictures:
        if one.final:
            last[one.client, one.table] = one
    healed = max((event.at for event in case.events if event.kind == "heal"), default=0.0)
    for (client, table), one in last.items():
        newest = len(case.logs[table].numbers) if table in case.logs else 0
        since = max(healed, case.end, case.bounds.get(table, ({}, {}))[1].get(newest, 0.0))
        if one.seq != newest:
            yield f"table {table}: {client} stands at entry {one.seq} of {newest} at the end (process {one.process})"
        elif one.at - since > STAND + case.slack:
            yield f"table {table}: {client} stood at the newest entry {one.at - since:.1f} s after all the others only"


def levels(case: Case) -> Iterator[str]:
    """12. When everybody has gone, a process holds no more than at its start."""
    before: dict[tuple[str, str], float] = {}
    for event in case.events:
        if event.kind == "level":
            key = (event.process, event.what)
            if not event.final:
                before[key] = max(event.value, before.get(key, 0.0))
            elif key in before and event.value > before[key] * MORE:
                yield f"process {event.process}: {event.what} was {before[key]:g} and is {event.value:g} at the end"


def parted(case: Case) -> Iterator[str]:
    """13. A process that is asked to stop says so on each socket, so that pages know to return. Its failure, for
    example without a database, also tells them; its log shows whether it may fail.

    Idle pages may learn late of the end of a process whose name another process already has. A table that is lost with
    an asynchronous standby is gone for them before that.
    """
    stopped: set[tuple[str, int]] = set()
    count: Counter[tuple[str, int]] = Counter()
    fit = (*RESTARTS, FAILS, NO_TABLE)
    for event in case.events:
        if event.what == "stop" and event.kind == "fault":
            stopped.add((event.process, event.pid))
        elif event.kind == "closed" and (event.process, event.pid) in stopped and event.code not in fit:
            count[event.process, event.code] += 1
    for (process, code), n in count.items():
        yield f"process {process} was asked to stop and ended {n} sockets with {code}, not with {RESTARTS[-1]}"


def answered(case: Case) -> Iterator[str]:
    """14. Nobody waits in vain for a running process: it refuses in time, in words, what it cannot do."""
    still = _spans(case.events, {"pause"})
    stopped = _spans(case.events, {"stopped behind the proxy"}).values()
    still["front"] += [(begun, begun + LEFT_OUT + case.slack) for spans in stopped for begun, _ in spans]
    for event in case.events:
        begun = event.at - event.value
        # It asks once, and not the next server; what a server has just been asked waits with it.
        until = begun + (UNDER_WAY if event.table else OPENING) if event.process == "front" else event.at
        if event.kind == "waited" and not _within(still, event.process, begun, until):
            yield f"table {event.table}: {event.client} waited {event.value:.1f} s in vain (process {event.process})"


def ready(case: Case) -> Iterator[str]:
    """15. A process reports that it is ready while it can write, and only then, except for a moment."""
    away = _spans(case.events, {"database killed", "table locked"})
    for event in case.events:
        if event.kind == "ready" and event.value:
            for begun, healed in away.get("database", ()):
                if begun + UNREADY + case.slack < event.at < healed - HEALING:
                    yield f"process {event.process} says that it is ready {event.at - begun:.1f} s after it is not"
    last = {event.process: event for event in case.events if event.kind == "ready"}
    for event in last.values():
        calm = case.calm_since(event.at)
        if not event.value and calm is not None and event.at - calm > UNREADY + case.slack:
            yield f"process {event.process} says that it is not ready, {event.at - calm:.1f} s after all has healed"


def named(case: Case) -> Iterator[str]:
    """16. The server and `doctor` name damage where it is, and nowhere else; the table shows the moment before it."""
    damaged = {event.table: event.seq for event in case.events if event.kind == "lost" and event.what == "damaged"}
    asked: set[tuple[str, str]] = set()
    for event in case.events:
        if event.kind == "named":
            kept = damaged.get(event.table)
            asked.add((event.table, "doctor" if event.process == "doctor" else "server"))
            if kept is None:
                yield f"table {event.table}: {event.process} names damage that is not there"
            elif not event.value:
                yield f"table {event.table}: {event.process} does not name the damage: {event.what}"
            elif event.seq != kept:
                yield f"table {event.table}: {event.process} lets it stand at entry {event.seq}, not at {kept}"
    for table in damaged:
        for who in ("doctor", "server"):
            if (table, who) not in asked:
                yield f"table {table}: the {who} names no damage"


def served(case: Case) -> Iterator[str]:
    """17. What does not depend on a fault is served during the fault. Where another fault has just healed, a process
    may say for a moment that it cannot.
    """
    heals = [event.at for event in case.events if event.kind == "heal" and event.what != "tmp full"]
    for event in case.events:
        if event.kind == "served" and not event.value:
            n = bisect_right(heals, event.at)
            calm = event.at - heals[n - 1] if n else math.inf
            if not event.what.endswith(": 503") or calm > UNREADY + case.slack:
                yield f"process {event.process}: {event.what}"


def _until(lost: Event, more: float = 0.0) -> float:
    """The time until which entries could be lost: a damaged entry and all later ones are lost whenever they were
    written.
    """
    return float("inf") if lost.what == "damaged" else lost.at + more


def _spans(events: list[Event], whats: set[str]) -> dict[str, list[tuple[float, float]]]:
    """By place: from when to when one of these faults lasted."""
    spans: dict[str, list[tuple[float, float]]] = defaultdict(list)
    begun: dict[tuple[str, str], float] = {}
    for event in events:
        if event.what in whats and event.kind == "fault":
            begun[event.process, event.what] = event.at
        elif event.what in whats and event.kind == "heal":
            spans[event.process].append((begun.pop((event.process, event.what)), event.at))
    for (place, _), at in begun.items():
        spans[place].append((at, float("inf")))
    return spans


def _within(spans: dict[str, list[tuple[float, float]]], place: str, since: float, until: float) -> bool:
    return any(begun < until and since < healed for begun, healed in spans.get(place, ()))


OF_TABLES = (
    *(acknowledged, refused, at_most_once, numbered, ordered, prefix, own_writes),
    *(turns, replayed, secrets, converged),
)
OF_PROCESSES = (levels, parted, answered, ready, named, served)
CONDITIONS = (*OF_TABLES, *OF_PROCESSES)


def check(events: Iterable[Event], logs: Mapping[str, Log], slack: float = 0.0) -> dict[str, list[str]]:
    """Violations by condition; empty if everything is in order."""
    return found(Case(events, logs, slack))


def found(case: Case, conditions: Iterable[Any] = CONDITIONS) -> dict[str, list[str]]:
    """The same for a case and some of the conditions."""
    named = {condition.__name__: list(condition(case)) for condition in conditions}
    return {name: broken for name, broken in named.items() if broken}


def _intervals(events: list[Event]) -> tuple[list[float], list[float]]:
    """When something began to fail, and when it and everything that failed in the meantime had healed."""
    starts, heals, going = [], [], Counter()
    for event in events:
        if event.kind == "fault":
            if not going.total():
                starts.append(event.at)
                heals.append(float("inf"))
            going[event.what, event.process] += 1
        elif event.kind == "heal":
            going[event.what, event.process] -= 1
            if not going.total():
                heals[-1] = event.at + (NOTICED if event.what.endswith("promoted") else 0.0)
    return starts, heals


def _late(case: Case, asked: float | None, latest: float, until: float) -> float:
    """The seconds by which this is too late for a turn; 0 if that is unknown."""
    if asked is None or (calm := case.calm_since(until)) is None:
        return 0.0
    return max(until - max(asked, calm) - latest - LATE - case.slack, 0.0)  # an interrupted process begins again


def _found(case: Case) -> dict[str, set[int]]:
    """By table, the entries of which nobody knows when they were made: somebody who came, or came back, saw them first;
    or they were seen soon after a loss, and perhaps lost.
    """
    newest: dict[str, int] = defaultdict(int)
    found: dict[str, set[int]] = defaultdict(set)
    for table, entries in case.vanished.items():
        found[table].update(entries)
    there: set[tuple[str, str]] = set()
    for event in case.events:
        if event.kind == "closed":
            there.discard((event.client, event.table))
        elif event.kind == "lost":
            newest[event.table] = min(newest[event.table], event.seq)
        elif event.kind in {"picture", "ok"}:
            if event.seq > newest[event.table]:
                if (event.client, event.table) not in there:
                    found[event.table].update(range(newest[event.table] + 1, event.seq + 1))
                newest[event.table] = event.seq
            there.add((event.client, event.table))
    return found


def _bounds(case: Case) -> dict[str, tuple[dict[int, float], dict[int, float]]]:
    """By table and entry: a time before which it was not written, and one at which it was."""
    bounds: dict[str, tuple[dict[int, float], dict[int, float]]] = {}
    for table, log in case.logs.items():
        begun, at = {}, None
        for entry in log.entries:
            for op in case.asked.get((table, entry.seat, entry.question), ()) if entry.by == "seat" else ():
                if op.invoke.action in {"", entry.action}:
                    at = max(op.invoke.at, at or 0.0)
                    break
            if entry.by in log.limits and (asked := begun.get(entry.question)) is not None:
                at = max(asked + log.limits[entry.by][0] - EARLY, at or 0.0)  # an earlier one is a violation there
            if at is not None:
                begun[entry.seq] = at
        bounds[table] = (begun, {})
    for event in case.events:
        if event.kind in {"picture", "ok"} and event.table in bounds:
            seen = bounds[event.table][1]
            for seq in range(event.seq, 0, -1):
                if seq in seen:
                    break
                seen[seq] = event.at
    return bounds
