"""A finished game as a record: the entries that count, with the seal opened."""

import unicodedata
from datetime import UTC, datetime

from spieltisch import record as records
from spieltisch.dice import resolve
from spieltisch.game import GameState
from spieltisch.table import position as moment
from spieltisch.table.log import Entry
from spieltisch.table.session import TableSession


def record(session: TableSession, entries: list[Entry]) -> dict[str, object]:
    """The record of a table from its log. The caller has checked that the game is over."""
    header, position = session.setup.header, session.position
    assert header is not None
    assert position is not None
    names = [_text(chair.name) or f"Seat {seat + 1}" for seat, chair in enumerate(session.setup.chairs)]
    tags = {
        records.RULES: str(header.version),
        "date": datetime.fromtimestamp(entries[0].at, UTC).date().isoformat(),
        "table": session.setup.id,
        "seal": header.seal,
        "seed": session.seed.hex(),
        "dice": records.DICE,
        "undo": str(position.undone),
    }
    assert session.options is not None
    assert session.own_deck is not None
    return records.write(
        session.package, session.options, session.own_deck, session.order, names, steps(session, entries), tags
    )


def line(entries: list[Entry]) -> list[Entry]:
    """The entries that count: without undos and the moves they took back."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.undo:
            kept.pop()
        else:
            kept.append(entry)
    return kept


def steps(session: TableSession, entries: list[Entry]) -> list[records.Step]:
    """What was due and what came, and who did what, in order."""
    made: list[records.Step] = []
    rules = session.package.rules
    state: GameState | None = None
    for entry in line(entries):
        if state is None:
            assert session.options is not None
            assert session.deck is not None
            state = rules.setup(len(session.setup.chairs), session.options, session.deck)
        else:
            assert entry.seat is not None
            action = session.action(entry)
            made.append((entry.seat, action))
            state = rules.apply(state, entry.seat, action)
        throw = moment.said(entry.outcomes)
        state, resolved = resolve(rules, state, lambda chance: throw(chance, 0))  # noqa: B023 - called at once
        made += resolved
    return made


def _text(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip()
