"""The strip of seats: whose turn it is, who is away and since when, and the offer that a bot plays for them."""

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.i18n import Translator
from spieltisch.protocols import Pieces
from spieltisch.table.table import Table
from spieltisch.web.presence import Absence

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
