"""Who may sit down on which seat, and who may allow it. Everything that seats somebody asks here, and so does what is
drawn of it.

Where hands are hidden, nobody else gets to see one without leave: of its person, or of the *deputy*: who opened the
table or, while that one is away, the one of those present who has sat longest (`Presence` knows which).
"""

from typing import Literal

from spieltisch.games import GamePackage
from spieltisch.table.log import Ask, TableSetup, key_of
from spieltisch.web.core.access.viewpoint import lies_open
from spieltisch.web.core.presence import Attendance

Way = Literal["open", "ask", "taken"]


def way_to(package: GamePackage, setup: TableSetup, seat: int, here: Attendance) -> Way:
    """How somebody else gets to this seat: at once, with leave, or not at all, since its person is here.

    In a running game bots make room, and those who are away for long or have left. Who plays alone stays alone, and at
    the tables of a class nobody gets to a seat but by the class.
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
    """Whether who has this key may let somebody else sit down on this seat."""
    chair, mine = setup.chairs[seat], key_of(key)
    persons = {one.key for one in (chair, chair.lender) if one is not None and one.key}
    return bool(key) and mine in persons | {here.deputy}


def asks_now(package: GamePackage, setup: TableSetup, here: Attendance) -> tuple[Ask, ...]:
    """Who waits for an answer: the asked seat can still be given."""
    return tuple(ask for ask in here.asks if not ask.refused and way_to(package, setup, ask.seat, here) == "ask")


def asks_for(package: GamePackage, setup: TableSetup, key: str, here: Attendance) -> tuple[Ask, ...]:
    """Whose asking this person may answer."""
    return tuple(ask for ask in asks_now(package, setup, here) if may_allow(setup, ask.seat, key, here))


def own_ask(package: GamePackage, setup: TableSetup, key: str, here: Attendance) -> Ask | None:
    """What this person has asked for, waiting or just refused."""
    mine = key_of(key) if key else ""
    open_ = {*asks_now(package, setup, here), *(ask for ask in here.asks if ask.refused)}
    return next((ask for ask in open_ if mine and ask.key == mine), None)
