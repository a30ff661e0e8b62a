"""Reads the final logs and replays each by the rules: its entries, and what every seat saw after every entry."""

import re
import sqlite3
from contextlib import closing
from hashlib import blake2b

import msgspec

from chaos.history import Due, Log, Placed, canonical
from spieltisch import games
from spieltisch.dice import seal
from spieltisch.table import schedule
from spieltisch.table.log import read_entry
from spieltisch.table.session import TableSession

MARKS = re.compile(r"mark-[0-9a-f]{8}|(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")  # of the toy, or a seed
PAUSE = (0.4, 1.4)  # seconds of a bot's pause: `spieltisch.table.schedule.bots_pause`
THOUGHT = 3.0  # seconds of thought on a busy machine


def picture(view, legal, question, to_act) -> str:
    """The hash of what a seat is shown."""
    return blake2b(canonical([view, legal, question, to_act]).encode(), digest_size=8).hexdigest()


def marks(text: str) -> tuple[str, ...]:
    """Possible secrets in what a client received."""
    return tuple(sorted(set(MARKS.findall(text))))


def numbers(where: str, table: str) -> list[int]:
    """The stored numbers of a table's entries."""
    statement = "select seq from log where id = {} order by seq"
    if where.startswith("postgresql:"):
        import psycopg

        with psycopg.connect(where) as db:
            return [row[0] for row in db.execute(statement.format("%s"), (table,)).fetchall()]
    with closing(sqlite3.connect(where)) as db:
        return [row[0] for row in db.execute(statement.format("?"), (table,)).fetchall()]


def damaged(where: str, table: str, noise: bytes) -> int | None:
    """Overwrite the newest entry of a running game with noise. Returns the number of entries before it, or None if the
    game is over.
    """
    statement = (
        "update log set entry = {0} where id = {0} and seq = (select max(seq) from log where id = {0})"
        " and (select stage from plan where id = {0}) = 'playing' returning seq"
    )
    values = (noise, table, table, table)
    if where.startswith("postgresql:"):
        import psycopg

        with psycopg.connect(where) as db:
            rows = db.execute(statement.format("%s"), values).fetchall()
    else:
        with closing(sqlite3.connect(where, timeout=30)) as db:
            rows = db.execute(statement.format("?"), values).fetchall()
            db.commit()
    return rows[0][0] - 1 if rows else None


async def witness(store, where: str, table: str, kept: int | None = None) -> Log | None:
    """The final log of this table, up to the first `kept` entries; None if its game has not begun."""
    setup = await store.setup(table)
    if setup is None or setup.header is None:
        return None
    seed = await store.seed(table)
    body = await store.deck(setup.header.deck)
    assert seed is not None
    assert body is not None
    package = games.package(setup.game)
    setup = msgspec.structs.replace(setup, paused=False, stage="playing")  # as before people were told to stop
    session = TableSession(package, setup, seed, body)
    log = Log(numbers(where, table)[:kept], seed=seed.hex())
    if seal(seed) != setup.header.seal:
        log.trouble = "the seed does not match the seal"
    try:
        for stored in (await store.log(table))[:kept]:
            _follow(session, read_entry(stored), log, marked=setup.game == "whispers")
    except Exception as error:  # noqa: BLE001 - whatever it is, this log does not replay
        log.trouble = f"entry {len(log.entries) + 1} does not replay: {type(error).__name__}: {error}"
    limits = [seconds for seconds in (setup.turn_seconds, setup.answer_seconds) if seconds]
    log.limits = {"bot": (PAUSE[0], PAUSE[1] + THOUGHT)}
    if limits:
        log.limits["clock"] = (min(limits), max(limits))
    if session.position is not None:
        log.over = session.over
    if session.position is not None and kept is None:  # no bot continues a damaged table
        due = schedule.turns(package, setup, session.position, (), 0.0, lambda: 0.0)
        log.outstanding = [Due(turn.question, turn.by) for turn in due]
    return log


def _follow(session, entry, log, *, marked) -> None:
    """Replay one more entry with the dice of the seal."""
    question = 0
    if session.position is None:
        position, made = session.deal()
    else:
        question = session.position.since[entry.seat]
        if entry.undo:
            position, made = session.back(entry.seat, entry.by)
        else:
            position, made = session.step(entry.seat, session.action(entry), entry.by)
    if made.outcomes != entry.outcomes:
        raise ValueError("its dice are not those of the seal")
    session.publish(position, msgspec.structs.replace(entry, action=made.action))
    seq = position.seq
    action = "undo" if entry.undo else canonical(entry.action) if entry.action is not None else ""
    log.entries.append(Placed(seq, entry.seat, entry.by, question, action))
    for seat in (*range(len(position.since)), None):
        view = session.view(seat)
        legal = [] if seat is None else position.legal(seat)
        asked = None if seat is None else position.since[seat]
        log.pictures[seq, seat] = picture(view, legal, asked, position.to_act)
        if marked:
            log.marks[seq, seat] = frozenset(marks(canonical(view)))
