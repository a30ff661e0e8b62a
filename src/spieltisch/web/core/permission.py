"""Rules for taking seats: who may sit where, and who may allow it. All code that seats somebody asks here.

Where hands are hidden, nobody else sees one without permission: from its player, or from the *deputy*. That is the
owner or, while they are away, the player present who has sat longest (`Presence` knows which).
"""

from typing import Literal

from msgspec import Struct

from spieltisch.package import Package
from spieltisch.table.log import Ask, TableSetup, key_of
from spieltisch.table.viewpoint import lies_open
from spieltisch.web.core.presence import Attendance

SeatAccess = Literal["open", "ask", "taken"]


def way_to(package: Package, setup: TableSetup, seat: int, here: Attendance) -> SeatAccess:
    """Return how somebody else gets to this seat: at once, with permission, or not at all.

    In a running game bots make room, and so do players who have left or are away for long. A player alone stays alone,
    and at tables of a class only the class seats people.
    """
    chair = setup.chairs[seat]
    if setup.classroom:  # there the class says who sits where
        return "taken"
    if chair.kind == "free":
        return "open"
    if setup.stage != "playing" or len(setup.chairs) == 1:
        return "taken"
    if chair.offered:
        return "open"
    if chair.plays_itself or any(one.seat == seat and one.long for one in here.absent):
        return "open" if lies_open(package) else "ask"
    return "taken"


def may_allow(setup: TableSetup, seat: int, key: str, here: Attendance) -> bool:
    """Return whether the holder of this key may let somebody else take this seat."""
    chair, mine = setup.chairs[seat], key_of(key)
    persons = {one.key for one in (chair, chair.lender) if one is not None and one.key}
    return bool(key) and mine in persons | {here.deputy}


def asks_now(package: Package, setup: TableSetup, here: Attendance) -> tuple[Ask, ...]:
    """Return the requests that can still be granted."""
    return tuple(ask for ask in here.asks if not ask.refused and way_to(package, setup, ask.seat, here) == "ask")


def asks_for(package: Package, setup: TableSetup, key: str, here: Attendance) -> tuple[Ask, ...]:
    """Return the requests that this person may answer."""
    return tuple(ask for ask in asks_now(package, setup, here) if may_allow(setup, ask.seat, key, here))


def own_ask(package: Package, setup: TableSetup, key: str, here: Attendance) -> Ask | None:
    """Return this person's own request, waiting or just refused."""
    mine = key_of(key) if key else ""
    open_ = {*asks_now(package, setup, here), *(ask for ask in here.asks if ask.refused)}
    return next((ask for ask in open_ if mine and ask.key == mine), None)


class SeatRights(Struct, frozen=True):
    """What one person may do about the seats of a table."""

    access: tuple[SeatAccess, ...]  # how they get to each seat
    may_give: tuple[int, ...]  # the seats that they may let others take
    asking: tuple[Ask, ...]  # the requests that they may answer
    own_ask: Ask | None


def rights_of(package: Package, setup: TableSetup, key: str, here: Attendance) -> SeatRights:
    """Return what the person with this key may do about every seat."""
    seats = range(len(setup.chairs))
    access = [way_to(package, setup, seat, here) for seat in seats]
    gives = [seat for seat in seats if may_allow(setup, seat, key, here)]
    return SeatRights(
        access=tuple("open" if way == "ask" and seat in gives else way for seat, way in enumerate(access)),
        may_give=tuple(seat for seat in gives if setup.chairs[seat].offered or access[seat] == "ask"),
        asking=asks_for(package, setup, key, here),
        own_ask=own_ask(package, setup, key, here),
    )
