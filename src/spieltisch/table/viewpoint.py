"""Which seat's view a shared device gets, and the cover between one person and the next.

A device's key may hold several chairs. Its page shows one seat at a time: the seat that is asked. In games with hidden
hands, no hand is sent before somebody takes the device for its seat. That chair is `holding` the device until another
person takes it.
"""

from functools import cache

from spieltisch.package import Package
from spieltisch.table.table import Table


@cache
def lies_open(package: Package) -> bool:
    """Return whether hands of this game hide nothing, so that nothing needs a cover."""
    return not package.rules.Own.__struct_fields__


def is_asked(table: Table, seat: int | None) -> bool:
    """Return whether this seat is to act and its own person plays."""
    return seat is not None and seat in table.to_act and not table.setup.chairs[seat].away


def asked_seat(table: Table, mine: tuple[int, ...]) -> int | None:
    """Return which of these seats is asked; if there are several, the one that is holding the device."""
    found = [seat for seat in mine if is_asked(table, seat)]
    return next((seat for seat in found if table.setup.chairs[seat].holding), found[0] if found else None)


def viewpoint(table: Table, mine: tuple[int, ...]) -> int | None:
    """Return the seat whose view a device with these seats gets; None for what everybody sees."""
    if len(mine) < 2 or not table.seq:
        return mine[0] if mine else None
    seat = asked_seat(table, mine)
    if lies_open(table.package):
        return seat if seat is not None else _next(table, mine)
    return seat if seat is not None and table.setup.chairs[seat].holding else None


def _next(table: Table, mine: tuple[int, ...]) -> int | None:
    """Return the seat of the device that comes next after the one the table waits for."""
    if not table.to_act:
        return None
    at, n = table.to_act[0], len(table.setup.chairs)
    return min(mine, key=lambda seat: (seat - at) % n)
