"""Finds damage in a stored table without playing its game: an entry, the numbering, the seed, the deck."""

import hashlib
from collections.abc import Generator, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from spieltisch import games
from spieltisch.dice import seal
from spieltisch.game import Invalid, Refused
from spieltisch.table.log import Damaged, TableSetup, read_log, read_setup
from spieltisch.table.store import numbered, sql
from spieltisch.table.store.rows import Ask


class Damage(Struct, frozen=True):
    """The first damage: an entry of the log, or something that belongs to the table (`entry` 0)."""

    table: str
    entry: int
    what: Refused


def damage_of(setup: TableSetup, seed: bytes | None, deck: bytes | None, log: Iterable[bytes]) -> Damage | None:
    """The damage of a game that has begun; None if it can be read, even if by other rules."""
    header = setup.header
    assert header is not None
    if seed is None or seal(seed) != header.seal:
        return Damage(setup.id, 0, Refused("the seed does not match"))
    if deck is None or hashlib.sha256(deck).hexdigest() != header.deck:
        return Damage(setup.id, 0, Refused("the deck does not match"))
    try:
        shape = games.package(setup.game, header.version).rules.Action
    except Invalid:  # its rules are no longer here, so any action may be theirs
        shape = Any
    seq = 0
    try:
        for entry in read_log(log, header):
            if entry.seat is not None and not entry.undo:
                msgspec.convert(entry.action, shape)
            seq += 1
    except (Damaged, msgspec.ValidationError) as error:
        why = type(error.__cause__ or error).__name__
        return Damage(setup.id, seq + 1, Refused("it cannot be read: {error}", error=why))
    return None


def damage_at(ask: Ask, table: str) -> Damage | None:
    """The damage of this table; None if there is none, or no such table."""
    for (body,) in ask(sql.BODY, (table,)):
        try:
            setup = read_setup(body)
        except ValueError as error:
            return Damage(table, 0, Refused("it cannot be read: {error}", error=type(error).__name__))
        if setup.header is not None:
            ((seed,),) = ask(sql.SEED, (table,))
            [(deck,)] = [*ask(sql.DECK, (setup.header.deck,))] or [(None,)]
            return damage_of(setup, seed, deck, numbered(ask(sql.LOG, (table, 0)), 0))
    return None


def damages(ask: Ask) -> Generator[Damage]:
    """The damage of all tables with a running game."""
    for (table,) in [*ask(sql.RUNNING, ())]:
        if (found := damage_at(ask, table)) is not None:
            yield found
