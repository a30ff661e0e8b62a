"""The strip of seats: whose turn it is, who is away and since when. Also offers of bots, and ways to get a seat."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.i18n import N_, Translator
from spieltisch.package import Pieces
from spieltisch.table import evening, seat_keys
from spieltisch.table.log import Ask, TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.web.core.permission import SeatAccess, rights_of
from spieltisch.web.core.presence import Absence, Attendance
from spieltisch.web.core.view.viewer import Viewer

MINUTE = 60.0

Gone = dict[int, tuple[str, int]]  # by seat: how long somebody has been away, in words, and since when


def seats_away(away: Sequence[Absence], now: float, tr: Translator) -> Gone:
    """Return the marks of seats whose people are away. The page's script keeps counting the minutes."""
    return {one.seat: (_words(_minutes(one, now), tr), int(one.since)) for one in away}


def _minutes(one: Absence, now: float) -> int:
    return int((now - one.since) // MINUTE)


def _words(minutes: int, tr: Translator) -> str:
    return tr._("away for {n} min").format(n=minutes) if minutes else tr._("away")


def strip(
    seats: Sequence[tuple[Any, ...]],
    acting: Sequence[int],
    gone: Gone,
    pieces: Pieces,
    tr: Translator,
    *,
    awaited: str | None,
    counts: Sequence[object] | None,
    notes: Sequence[str] | None,
) -> str:
    """Return the strip of seats. A seat that is to act shows `awaited`, or that it is its turn. `counts` and `notes`
    are the game's own, one for each seat.
    """
    turns = {seat: awaited or tr._(N_("your turn") if seat == tr.me else N_("their turn")) for seat in acting}
    return pieces.row(
        "seat-entry",
        [
            (*seat, turns.get(i, ""), counts[i] if counts else None, notes[i] if notes else "", *gone.get(i, ("", 0)))
            for i, seat in enumerate(seats)
        ],
    )


def big_seats(seats: Sequence[tuple[Any, ...]], acting: Sequence[int], gone: Gone) -> list[dict[str, object]]:
    """Return the seats for a big screen, whose template draws them."""
    return [
        {"i": i, "name": name, "mark": mark, "bot": bot, "away": away, "acting": i in acting, "gone": gone.get(i)}
        for i, name, mark, _, bot, away in seats
    ]


class BotOffer(Struct, frozen=True):
    """A player who is away while the table waits for them. A bot may play for them."""

    seat: int
    name: str
    since: int
    minutes: int


def bot_offers(table: Table, away: Sequence[Absence], now: float, tr: Translator) -> list[BotOffer]:
    return [
        BotOffer(one.seat, tr.name(one.seat), int(one.since), _minutes(one, now))
        for one in away
        if one.long and one.seat in table.to_act and not table.setup.chairs[one.seat].away
    ]


class SeatWays(Struct, frozen=True):
    """What a viewer can do to get a seat, alone or beside others on their device, and who asks them for one."""

    asking: tuple[tuple[int, str, int], ...] = ()  # number, name and seat of those who ask
    asked: Ask | None = None  # the viewer's own request
    give: tuple[int, ...] = ()  # other people's seats that the viewer may give to newcomers
    deputy: int | None = None  # the seat of the person who decides; -1: a person without a seat, None: nobody
    open_seats: tuple[tuple[int, SeatAccess], ...] = ()  # for somebody without a seat
    beside: tuple[tuple[int, SeatAccess], ...] = ()  # for somebody else on the viewer's device
    ask_first: bool = False  # whether one of these seats needs permission
    # Somebody else plays on the viewer's seat
    stand_in: Literal["", "bot", "guest"] = ""
    lent: int = 0
    offered: bool = False
    # The viewer looks on
    watching: bool = False
    guest: str = ""  # their name in the next game, if they have a seat there
    guest_room: bool = False  # whether they can have one


def ways_in(table: Table, viewer: Viewer, here: Attendance) -> SeatWays:
    setup, package, key = table.setup, table.package, viewer.key
    if viewer.screen:
        return SeatWays()
    mine, returns = viewer.mine, seat_keys.returns_to(setup, key)
    kept = _seat_kept(setup, key, returns) if returns and not mine else None
    if setup.stage != "playing":
        return kept or _watching(table, key, mine)
    rights = rights_of(package, setup, key, here)
    shown = {
        "asking": tuple((ask.number, ask.name, ask.seat) for ask in rights.asking),
        "asked": rights.own_ask,
        "give": tuple(seat for seat in rights.may_give if seat not in mine),
        "deputy": _deputy(table, here),
    }
    if kept is not None:
        return replace(kept, **shown)
    others = [seat for seat in range(len(setup.chairs)) if seat not in mine and seat not in returns]
    ways = tuple((seat, rights.access[seat]) for seat in others if rights.access[seat] != "taken")
    ask_first = any(way == "ask" for _, way in ways)
    more = {"beside" if mine else "open_seats": ways, "ask_first": ask_first}
    return replace(_watching(table, key, mine), **shown, **more)


def _seat_kept(setup: TableSetup, key: str, returns: tuple[int, ...]) -> SeatWays | None:
    """Return who plays on the seat of a viewer who has left it or lent it."""
    if setup.stage not in {"playing", "over"} or (setup.stage == "over" and setup.rematch):
        return None
    offered = any(setup.chairs[seat].offered for seat in returns)
    stand_in = "bot" if lent_to(setup, key) is None else "guest"
    return SeatWays(stand_in=stand_in, lent=returns[0], offered=offered)


def lent_to(setup: TableSetup, key: str) -> int | None:
    """Return this person's seat if another person plays there now; None if a bot or they themselves do."""
    returns = seat_keys.returns_to(setup, key)
    lent = [seat for seat in returns if setup.chairs[seat].lender is not None and not setup.chairs[seat].plays_itself]
    return lent[0] if lent and len(lent) == len(returns) else None


def _watching(table: Table, key: str, mine: tuple[int, ...]) -> SeatWays:
    """Return what a spectator sees: that they watch, and whether they have or can have a seat in the next game."""
    setup = table.setup
    if mine or len(setup.chairs) == 1 or setup.stage not in {"playing", "over"} or setup.rematch:
        return SeatWays()
    own = next((one.name for one in setup.guests if key and one.key == key_of(key)), "")
    left = evening.guests_left(setup, table.package.rules.seats[-1]) - len(setup.guests)
    return SeatWays(watching=True, guest=own, guest_room=left > 0 and not setup.classroom)


def _deputy(table: Table, here: Attendance) -> int | None:
    """Return the seat of the person who decides about seats now; -1: they have none, None: nobody decides."""
    found = (seat for seat, chair in enumerate(table.setup.chairs) if chair.key and chair.key == here.deputy)
    return next(found, -1) if here.deputy else None
