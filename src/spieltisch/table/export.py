"""A finished game as a record: the line that counts, with the seal opened."""

import unicodedata
from datetime import UTC, datetime
from typing import Any

from spieltisch import record as records
from spieltisch.table import position as moment
from spieltisch.table.log import Entry
from spieltisch.table.running import Running


def record(run: Running, entries: list[Entry]) -> dict[str, Any]:
    """The record of a table from its log. The caller has seen to it that the game is over."""
    header, position = run.plan.header, run.position
    assert header is not None
    assert position is not None
    names = [_text(chair.name) or f"Seat {seat + 1}" for seat, chair in enumerate(run.plan.chairs)]
    tags = {
        "date": datetime.fromtimestamp(entries[0].at, UTC).date().isoformat(),
        "table": run.plan.id,
        "seal": header.seal,
        "seed": run.seed.hex(),
        "dice": records.DICE,
        "undo": str(position.undone),
    }
    return records.write(run.room, run.options, run.own_deck, run.order, names, steps(run, entries), tags)


def line(entries: list[Entry]) -> list[Entry]:
    """The entries that count: without the moves taken back and the undos."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.undo:
            kept.pop()
        else:
            kept.append(entry)
    return kept


def steps(run: Running, entries: list[Entry]) -> list[records.Step]:
    """What was due and what came, who did what, in the order in which it happened."""
    made: list[records.Step] = []
    rules = run.room.rules
    state: Any = None
    for entry in line(entries):
        if state is None:
            state = rules.setup(len(run.plan.chairs), run.options, run.deck)
        else:
            assert entry.seat is not None
            action = run.action(entry)
            made.append((entry.seat, action))
            state = rules.apply(state, entry.seat, action)
        throw = moment.said(entry.outcomes)
        while (due := rules.due(state)) is not None:
            outcome = throw(due, 0)
            made.append((due, outcome))
            state = rules.settle(state, outcome)
    return made


def _text(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip()
