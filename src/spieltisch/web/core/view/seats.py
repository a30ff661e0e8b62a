"""The strip of seats: whose turn it is, who is away and since when; the offer that a bot plays for them, and the ways
to a seat for who has none.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.i18n import Translator
from spieltisch.protocols import Pieces
from spieltisch.table import evening, seat_keys
from spieltisch.table.log import TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.web.core.permission import asks_for, may_allow, own_ask, way_to
from spieltisch.web.core.presence import Absence, Attendance
from spieltisch.web.core.view.viewer import Viewer

MINUTE = 60.0

Gone = dict[int, tuple[str, int]]  # by seat: that somebody is away, in words, and since when


def seats_away(away: Sequence[Absence], now: float, tr: Translator) -> Gone:
    """How the seats of those who are away are marked. The page's script counts the minutes on."""
    return {one.seat: (_words(_minutes(one, now), tr), int(one.since)) for one in away}


def _minutes(one: Absence, now: float) -> int:
    return int((now - one.since) // MINUTE)


def _words(minutes: int, tr: Translator) -> str:
    return tr._("away for {n} min").format(n=minutes) if minutes else tr._("away")


def turns(acting: Sequence[int], awaited: str | None, tr: Translator) -> dict[int, str]:
    """Whose turn it is, or what is `awaited` of them instead, in words."""
    return {seat: awaited or tr._("your turn" if seat == tr.me else "their turn") for seat in acting}


def strip(
    seats: Sequence[tuple[Any, ...]],
    acting: Mapping[int, str],
    counts: Sequence[Any] | None,
    notes: Sequence[str] | None,
    gone: Gone,
    pieces: Pieces,
) -> str:
    """The strip of the seats: whose turn it is, and what the game's page counts and notes of each."""
    return pieces.row(
        "seat-entry",
        [
            (*seat, acting.get(i, ""), counts[i] if counts else None, notes[i] if notes else "", *gone.get(i, ("", 0)))
            for i, seat in enumerate(seats)
        ],
    )


def bot_offers(table: Table, away: Sequence[Absence], now: float, tr: Translator) -> list[dict[str, Any]]:
    """For whom the table waits though they are away: a bot may play on for them, and for nobody else."""
    return [
        {
            "seat": one.seat,
            "name": tr.name(one.seat),
            "since": int(one.since),
            "minutes": _minutes(one, now),
        }
        for one in away
        if one.long and one.seat in table.to_act and not table.setup.chairs[one.seat].away
    ]


def ways_in(table: Table, viewer: Viewer, here: Attendance) -> dict[str, Any]:
    """What the viewer can do to play (again), alone or with others on their device: who plays for them, the seats that
    can be taken over or asked for, what they have asked; and who asks them.
    """
    setup, package, key = table.setup, table.package, viewer.key
    if viewer.screen:
        return {}
    if setup.stage != "playing":
        return _seat_kept(table, viewer) or _watching(table, viewer)
    asking = [(ask.number, ask.name, ask.seat) for ask in asks_for(package, setup, key, here)]
    own = own_ask(package, setup, key, here)
    asked = None if own is None else {"seat": own.seat, "refused": own.refused}
    shown: dict[str, Any] = {"asking": asking, "asked": asked, "give": _to_give(table, viewer, here)}
    if kept := _seat_kept(table, viewer):
        return shown | kept
    returns = seat_keys.returns_to(setup, key)
    others = [seat for seat in range(len(setup.chairs)) if seat not in {*viewer.mine, *returns}]
    ways = [(seat, way) for seat in others if (way := _way(table, viewer, seat, here)) != "taken"]
    ask_first = any(way == "ask" for _, way in ways)
    return shown | _watching(table, viewer) | {
        "beside" if viewer.mine else "open_seats": ways, "ask_first": ask_first, "deputy": _deputy(table, here)
    }  # fmt: skip


def _seat_kept(table: Table, viewer: Viewer) -> dict[str, Any]:
    """For who has left, or let others have the seat: who plays there, until they take it back."""
    setup, returns = table.setup, seat_keys.returns_to(table.setup, viewer.key)
    if (
        viewer.mine
        or not returns
        or setup.stage not in {"playing", "over"}
        or (setup.stage == "over" and setup.rematch)
    ):
        return {}
    offered = any(setup.chairs[seat].offered for seat in returns)
    guest = lent_to(setup, viewer.key)
    return {"stand_in": "bot" if guest is None else "guest", "lent": returns[0], "offered": offered}


def lent_to(setup: TableSetup, key: str) -> int | None:
    """The seat of this key's person on which somebody else plays now; None where a bot does, or they do."""
    returns = seat_keys.returns_to(setup, key)
    lent = [seat for seat in returns if setup.chairs[seat].lender is not None and not setup.chairs[seat].plays_itself]
    return lent[0] if lent and len(lent) == len(returns) else None


def _watching(table: Table, viewer: Viewer) -> dict[str, Any]:
    """For who looks on: that they do, and the seat in the next game that they can have, or have by this name."""
    setup = table.setup
    if viewer.mine or len(setup.chairs) == 1 or setup.stage not in {"playing", "over"} or setup.rematch:
        return {}
    own = next((one.name for one in setup.guests if viewer.key and one.key == key_of(viewer.key)), "")
    left = evening.guests_left(setup, table.package.rules.seats[-1]) - len(setup.guests)
    return {"watching": True, "guest": own, "guest_room": left > 0 and not setup.classroom}


def _way(table: Table, viewer: Viewer, seat: int, here: Attendance) -> str:
    way = way_to(table.package, table.setup, seat, here)
    return "open" if way == "ask" and may_allow(table.setup, seat, viewer.key, here) else way


def _deputy(table: Table, here: Attendance) -> int | None:
    """The seat of who decides about seats now; -1 for somebody without one, None for nobody."""
    found = (seat for seat, chair in enumerate(table.setup.chairs) if chair.key and chair.key == here.deputy)
    return next(found, -1) if here.deputy else None


def _to_give(table: Table, viewer: Viewer, here: Attendance) -> list[int]:
    """The seats of others that the viewer may give to whoever comes."""
    setup = table.setup
    return [
        seat
        for seat in range(len(setup.chairs))
        if seat not in viewer.mine
        and may_allow(setup, seat, viewer.key, here)
        and (setup.chairs[seat].offered or way_to(table.package, setup, seat, here) == "ask")
    ]
