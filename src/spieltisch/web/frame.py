"""What a page says of a table besides the game, and whose eyes look at it. All of it hangs on the plan alone."""

import functools
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from spieltisch.games import Room
from spieltisch.table.log import Chair, Plan
from spieltisch.table.table import Table
from spieltisch.web import boxes, render, seats, wire
from spieltisch.web.markup import Html
from spieltisch.web.render import Pages
from spieltisch.web.texts import Says, Terms


class Viewer(Struct, frozen=True, cache_hash=True):
    """Who looks at a table, as far as the drawing depends on it. `seat` None: a spectator, a screen."""

    seat: int | None
    lang: str
    screen: bool = False
    owner: bool = False
    origin: str = ""  # scheme and host by which this viewer reaches us
    key: str = ""  # their own key, for the personal link
    decks: tuple[str, ...] = ()  # private ones that they may choose in the waiting room
    made: tuple[str, ...] = ()  # decks whose backs they know, while it is chosen what is played with
    terms: Terms = Terms()
    shared: tuple[int, ...] = ()  # all seats of their device, where several people play on it

    @property
    def mine(self) -> tuple[int, ...]:
        """The seats that whoever looks has."""
        return self.shared or (() if self.seat is None else (self.seat,))


def frame(pages: Pages, table: Table, viewer: Viewer, says: Says) -> dict[str, Any]:
    """What a page says of a table besides the game, also in the waiting room: what the plan tells."""
    plan, url = table.plan, f"{pages.base}/t/{table.id}"
    names, piece = wire.names_of(table, says), pages.pieces(says, drawn_by(table.room))
    return {
        "box": boxes.box(table.room, says),
        "own_js": pages.own(table.room, "js"),
        "own_css": pages.own(table.room, "css"),
        "game": table.room.name,
        "code": table.id,
        "url": Html(url),
        "address": f"{viewer.origin}{url}",
        "host": Html(viewer.origin.partition("//")[2]),
        "names": names,
        "marks": [piece("mark", i, name, False) for i, name in enumerate(names)],
        "small_marks": [piece("mark", i, name, True) for i, name in enumerate(names)],
        "bots": {i: _level(table, i, says) for i, chair in enumerate(plan.chairs) if chair.kind == "bot"},
        "levels": [(level, says._(name)) for level, name in table.room.levels.items()],
        "away": [i for i, chair in enumerate(plan.chairs) if chair.away or chair.kind == "free"],
        "chairs": _chairs(table, says, viewer.mine),
        "shared": viewer.shared,
        "is_owner": viewer.owner,
        "can_seat": (viewer.owner or bool(viewer.mine)) and len(plan.chairs) > 1,
        "timed": bool(plan.turn_seconds or (plan.answer_seconds and hasattr(table.room.rules, "silence"))),
        "patiences": [
            (1.0, says._("as at the table")),
            (2.0, says._("twice as much")),
            (5.0, says._("five times as much")),
            (0.0, says._("no limit")),
        ],
        "phrases": [says._(phrase) for phrase in wire.phrases(table.room)],
        "terms": viewer.terms if hasattr(table.room.page, "TERMS") else None,
        "reports": "deck" in plan.top,
        "paused": plan.paused and plan.stage == "playing",
        **_stand_in(plan, viewer),
        "seat_link": f"{viewer.origin}{url}/seat#{viewer.key}" if viewer.key and not viewer.screen else "",
        "race": bool(plan.race),
        "next_url": f"{url}/next" if plan.rematch else "",
    }


@functools.cache
def drawn_by(room: Room) -> Callable[[str], tuple[str, render.Shows]]:
    """Of the house's pieces and a room's: the template `name.html`, drawn from what the function `name` says; a room's
    functions stand in its page.
    """

    def find(name: str) -> tuple[str, render.Shows]:
        return HOUSE[name] if name in HOUSE else (f"{room.folder.name}/{name}.html", getattr(room.page, name))

    return find


def _mark(_speaker: Says, i: int, name: str, small: bool) -> dict[str, Any]:
    return {"i": i, "name": name, "small": small}


def _level(table: Table, seat: int, says: Says) -> str:
    """The level at which a bot plays on this seat, in words; where all play alike, that it is a bot."""
    room = table.room
    return says._(room.levels[room.level(table.plan.chairs[seat].level)]) if room.levels else says._("bot")


def _entry(_speaker: Says, *given: Any) -> dict[str, Any]:
    fields = ("i", "name", "mark", "me", "bot", "away", "acting", "count", "note")
    return dict(zip(fields, given, strict=True))


HOUSE: dict[str, tuple[str, render.Shows]] = {"mark": ("mark.html", _mark), "seat-entry": ("seat-entry.html", _entry)}


def _stand_in(plan: Plan, viewer: Viewer) -> dict[str, Any]:
    """What who looks on can do to play (again): who plays for them, and the seats that can be taken over."""
    if plan.stage != "playing" or viewer.screen:
        return {}
    takes = [i for i, chair in enumerate(plan.chairs) if seats.can_be_taken(plan, chair) and i not in viewer.mine]
    if viewer.mine:
        mine = [plan.chairs[seat] for seat in viewer.mine]
        gone = all(chair.away for chair in mine)
        return {"stand_in": "bot" if gone else "", "offered": any(chair.offered for chair in mine), "beside": takes}
    lent = seats.lent_by(plan, viewer.key)
    if lent is not None:
        return {"stand_in": "guest", "lent": lent}
    return {"open_seats": takes}


def _state(chair: Chair, says: Says) -> str:
    """Who plays here, in a few words."""
    if chair.kind != "person":
        return says._("bot")
    if chair.away:
        return says._("away, the seat is open to others") if chair.offered else says._("away, a bot plays on")
    return says._("for {name}").format(name=chair.lender.name) if chair.lender is not None else says._("plays")


def _chairs(table: Table, says: Says, mine: tuple[int, ...]) -> list[dict[str, Any]]:
    """Who sits where."""
    return [
        {
            "seat": i,
            "name": name,
            "kind": chair.kind,
            "me": i in mine,
            "away": chair.away,
            "offered": chair.offered,
            "state": _state(chair, says),
            "patience": chair.patience,
            "level": table.room.level(chair.level) if chair.kind == "bot" else "",
        }
        for i, (chair, name) in enumerate(zip(table.plan.chairs, wire.names_of(table, says), strict=True))
    ]
