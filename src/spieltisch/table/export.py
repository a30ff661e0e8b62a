"""A finished game as a record: the line that counts, with the seal opened."""

import unicodedata
from datetime import UTC, datetime
from typing import Any

from spieltisch import record as records
from spieltisch.dice import resolve
from spieltisch.table import position as moment
from spieltisch.table.log import Entry
from spieltisch.table.session import TableSession


def record(run: TableSession, entries: list[Entry]) -> dict[str, Any]:
    """The record of a table from its log. The caller has seen to it that the game is over."""
    header, position = run.setup.header, run.position
    assert header is not None
    assert position is not None
    names = [_text(chair.name) or f"Seat {seat + 1}" for seat, chair in enumerate(run.setup.chairs)]
    tags = {
        "date": datetime.fromtimestamp(entries[0].at, UTC).date().isoformat(),
        "table": run.setup.id,
        "seal": header.seal,
        "seed": run.seed.hex(),
        "dice": records.DICE,
        "undo": str(position.undone),
    }
    return records.write(run.package, run.options, run.own_deck, run.order, names, steps(run, entries), tags)


def line(entries: list[Entry]) -> list[Entry]:
    """The entries that count: without the moves taken back and the undos."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.undo:
            kept.pop()
        else:
            kept.append(entry)
    return kept


def steps(run: TableSession, entries: list[Entry]) -> list[records.Step]:
    """What was due and what came, who did what, in the order in which it happened."""
    made: list[records.Step] = []
    rules = run.package.rules
    state: Any = None
    for entry in line(entries):
        if state is None:
            state = rules.setup(len(run.setup.chairs), run.options, run.deck)
        else:
            assert entry.seat is not None
            action = run.action(entry)
            made.append((entry.seat, action))
            state = rules.apply(state, entry.seat, action)
        throw = moment.said(entry.outcomes)
        state, resolved = resolve(rules, state, lambda chance: throw(chance, 0))  # noqa: B023 - called at once
        made += resolved
    return made


def _text(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip()
