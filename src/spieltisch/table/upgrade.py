"""Can running games continue under the rules of this version? Each log is played through, entry by entry.

If the rules have changed, the former ones are kept beside the new ones for a while, and both play the same log. The
first difference is named by its place, never by its content.
"""

from collections.abc import Generator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from spieltisch import games
from spieltisch.dice import ScriptedDice
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.package import Package
from spieltisch.table.damage import damage_of
from spieltisch.table.log import TableSetup, read_log
from spieltisch.table.position import Position
from spieltisch.table.session import TableSession
from spieltisch.table.store import Store

Outlook = Literal["same rules", "equal", "former rules", "stuck", "damaged"]


class Judged(Struct, frozen=True):
    """How a table continues. Its game was begun under `version` of the rules.

    "same rules": the present rules are its own, and they follow its log. "equal": so far the present rules lead to the
    same as its own. "former rules": they differ from `entry` on, so it finishes under its own, which are kept. "stuck":
    its own are not kept, or do not follow its log at `entry`. "damaged": its data cannot be read at `entry`. `what` is
    the first difference, or why the log is not followed.
    """

    table: str
    game: str
    version: int
    outlook: Outlook
    entry: int = 0
    what: Refused | None = None


async def judge(store: Store, setup: TableSetup) -> Judged:
    """Judge a table whose game has begun; nobody may change it in the meantime."""
    assert setup.header is not None
    given = await store.seed(setup.id), await store.deck(setup.header.deck)
    bodies = await store.log(setup.id)
    version = setup.header.version

    def judged(outlook: Outlook, entry: int = 0, what: Refused | None = None) -> Judged:
        return Judged(setup.id, setup.game, version, outlook, entry, what)

    if (damage := damage_of(setup, *given, bodies)) is not None:
        return judged("damaged", damage.entry, damage.what)
    try:
        package = games.package(setup.game)
        present = package.rules.version
        own = _walk(games.package(setup.game, version), setup, *given, bodies)
    except Invalid as error:  # the game, or this version of it, is not installed
        return judged("stuck", 0, error)
    new = _walk(package, setup.under(present), *given, bodies) if version != present else None
    apart = None
    for seq in range(1, len(bodies) + 1):
        try:
            was = next(own)
        except Exception as error:  # noqa: BLE001 - whatever the rules raise, the table cannot go on
            return judged("stuck", seq, _why(error))
        if new is not None and apart is None:
            try:
                apart = _difference(was, next(new))
            except Exception as error:  # noqa: BLE001 - as above
                apart = _why(error)
            if apart is not None:
                first = seq
    if new is None:
        return judged("same rules")
    return judged("equal") if apart is None else judged("former rules", first, apart)


def _walk(
    package: Package, setup: TableSetup, seed: bytes | None, body: bytes | None, bodies: Sequence[bytes]
) -> Generator[Position]:
    """Every moment of a log under these rules. Raises what they raise if they do not follow it, and if they do not
    offer an action.
    """
    session = TableSession(package, setup, seed, body)
    assert setup.header is not None
    for entry in read_log(bodies, setup.header):
        at = session.position
        acts = at is not None and entry.seat is not None and not entry.undo
        if acts and session.action(entry) not in at.legal(entry.seat):
            raise Illegal("the rules refuse a move")
        dice = ScriptedDice(entry.outcomes)
        position, taken = session.after(entry, lambda due, _, dice=dice: dice.throw(due))
        if not entry.undo and position.throws - (at.throws if at else 0) != len(entry.outcomes):
            raise Invalid("the rules expect other options or other chance outcomes")
        session.publish(position, taken)
        yield position


def _difference(one: Position, other: Position) -> Refused | None:
    """The first difference between two moments, in what seats see or may do, or in the hidden part; None if equal."""
    own = zip(one.state.own, other.state.own, strict=True)
    for what, before, now in (
        (Refused("what everybody sees"), one.state.public, other.state.public),
        *((Refused("what only seat {n} sees", n=n), *parts) for n, parts in enumerate(own, 1)),
        (Refused("what nobody sees"), one.state.hidden, other.state.hidden),
        (Refused("whose turn it is"), one.to_act, other.to_act),
        *((Refused("what seat {n} may do", n=seat + 1), one.legal(seat), other.legal(seat)) for seat in one.to_act),
        (Refused("how the game ends"), one.result, other.result),
    ):
        if _encoded(before) != _encoded(now):
            return what
    return None


def _encoded(value: object) -> bytes:
    return msgspec.json.encode(value, order="deterministic", enc_hook=repr)


def _why(error: Exception) -> Refused:
    """Why a log is not followed, without the rules' own words, which may reveal a hand."""
    if isinstance(error, Illegal):
        return Refused("the rules refuse a move")
    if isinstance(error, Refused):
        return Refused("the rules expect other options or other chance outcomes")
    return Refused("the rules fail: {error}", error=type(error).__name__)
