"""Several people on one device: whose view it gets, and the cover between one and the next.

A device's key may hold several chairs. Its page shows one seat at a time, the one that is asked. Where hands are hidden
nothing of a hand is sent before somebody has taken the device for that seat; they then are `holding` it until it is
taken for the next one.
"""

from functools import cache

from spieltisch.package import Package
from spieltisch.table.table import Table


@cache
def lies_open(package: Package) -> bool:
    """Whether no hand of this game hides anything: then there is nothing to be covered."""
    return not package.rules.Own.__struct_fields__


def is_asked(table: Table, seat: int | None) -> bool:
    """Whether this seat is to act and its own person plays."""
    return seat is not None and seat in table.to_act and not table.setup.chairs[seat].away


def asked_seat(table: Table, mine: tuple[int, ...]) -> int | None:
    """Whose turn it is of those on this device; of several, the one who is holding it already."""
    found = [seat for seat in mine if is_asked(table, seat)]
    return next((seat for seat in found if table.setup.chairs[seat].holding), found[0] if found else None)


def viewpoint(table: Table, mine: tuple[int, ...]) -> int | None:
    """Of the seats of a device, the one whose view it gets. None: what everybody sees."""
    if len(mine) < 2 or not table.seq:
        return mine[0] if mine else None
    seat = asked_seat(table, mine)
    if lies_open(table.package):
        return seat if seat is not None else _next(table, mine)
    return seat if seat is not None and table.setup.chairs[seat].holding else None


def _next(table: Table, mine: tuple[int, ...]) -> int | None:
    """Who of the device sits next to whom the table waits for."""
    if not table.to_act:
        return None
    at, n = table.to_act[0], len(table.setup.chairs)
    return min(mine, key=lambda seat: (seat - at) % n)
