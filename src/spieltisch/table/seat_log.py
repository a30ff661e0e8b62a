"""Notes every change of seats for the players: who, when, what.

It compares two setups in the one place where setups change, so no change can be missed.
"""

from collections.abc import Iterator

import msgspec

from spieltisch.table.log import Chair, SeatChange, SeatDeed, TableSetup

KEPT = 40  # changes; the oldest are dropped first


def noted(old: TableSetup, new: TableSetup, now: float, seq: int, by: str = "") -> TableSetup:
    """The new setup with notes of what changed on its seats; `by` is the name of the person who changed it."""
    if len(new.chairs) < len(old.chairs):  # before the game: empty seats are removed
        return new
    was = (*old.chairs, *(Chair() for _ in new.chairs[len(old.chairs) :]))
    found = tuple(
        SeatChange(old.rev + 1, now, seq, seat, deed, name, before, by)
        for seat, (before_, after) in enumerate(zip(was, new.chairs, strict=True))
        for deed, name, before in _deeds(before_, after)
    )
    return msgspec.structs.replace(new, seat_log=(*new.seat_log, *found)[-KEPT:]) if found else new


def sat_then(setup: TableSetup, seat: int, seq: int) -> str:
    """The name of the person who made this entry on this seat, as far as the notes go back."""
    for change in setup.seat_log:
        if change.seat == seat and change.seq >= seq:
            return change.old if change.deed in {"sits", "name"} else change.name
    return setup.chairs[seat].name


def _deeds(old: Chair, new: Chair) -> Iterator[tuple[SeatDeed, str, str]]:
    """What happened on a chair: the deed, the present name, and the previous one."""
    lender = "" if old.lender is None else old.lender.key
    if new.key != old.key and msgspec.structs.replace(new, key=old.key, feed=old.feed) == old:
        yield "key", new.name, ""
    elif new.kind == "person" and new.key != old.key:
        yield ("back" if new.key and new.key == lender else "sits"), new.name, old.name
    elif new.kind != "person":
        if old.kind == "person":
            yield ("bot" if new.kind == "bot" else "free"), old.name, ""
    else:
        if new.name != old.name:
            yield "name", new.name, old.name
        if new.left and not old.left:
            yield "left", new.name, ""
        elif new.plays_itself != old.plays_itself:
            yield ("bot" if new.plays_itself else "back"), new.name, ""
    if new.offered and not old.offered:
        yield "offered", new.name, ""
