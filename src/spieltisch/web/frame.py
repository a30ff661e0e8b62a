"""What a page says of a table besides the game, and whose eyes look at it. All of it hangs on the plan alone."""

import functools
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from spieltisch.games import GamePackage
from spieltisch.i18n import Terms, Translator
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.table import Table
from spieltisch.web import boxes, render, seats, wire
from spieltisch.web.markup import Html
from spieltisch.web.render import Pages


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


def frame(pages: Pages, table: Table, viewer: Viewer, tr: Translator) -> dict[str, Any]:
    """What a page says of a table besides the game, also in the waiting room: what the plan tells."""
    setup, url = table.setup, f"{pages.base}/t/{table.id}"
    names, piece = wire.names_of(table, tr), pages.pieces(tr, drawn_by(table.package)).piece
    return {
        "box": boxes.box(table.package, tr),
        "own_js": render.own(table.package, "static", "script.js"),
        "own_css": render.own(table.package, "static", "style.css"),
        "game": table.package.name,
        "code": table.id,
        "url": Html(url),
        "address": f"{viewer.origin}{url}",
        "host": Html(viewer.origin.partition("//")[2]),
        "names": names,
        "marks": [piece("mark", i, name, False) for i, name in enumerate(names)],
        "small_marks": [piece("mark", i, name, True) for i, name in enumerate(names)],
        "bots": {i: _level(table, i, tr) for i, chair in enumerate(setup.chairs) if chair.kind == "bot"},
        "levels": [(level, tr._(name)) for level, name in table.package.bot.levels.items()],
        "away": [i for i, chair in enumerate(setup.chairs) if chair.away or chair.kind == "free"],
        "chairs": _chairs(table, tr, viewer.mine),
        "shared": viewer.shared,
        "is_owner": viewer.owner,
        "can_seat": (viewer.owner or bool(viewer.mine)) and len(setup.chairs) > 1,
        "timed": bool(setup.turn_seconds or (setup.answer_seconds and table.package.silence is not None)),
        "patiences": [
            (1.0, tr._("as at the table")),
            (2.0, tr._("twice as much")),
            (5.0, tr._("five times as much")),
            (0.0, tr._("no limit")),
        ],
        "phrases": [tr._(phrase) for phrase in table.package.page.phrases],
        "terms": viewer.terms if table.package.page.terms else None,
        "reports": "deck" in setup.top,
        "paused": setup.paused and setup.stage == "playing",
        **_stand_in(setup, viewer),
        "seat_link": f"{viewer.origin}{url}/seat#{viewer.key}" if viewer.key and not viewer.screen else "",
        "race": bool(setup.race),
        "next_url": f"{url}/next" if setup.rematch else "",
    }


@functools.cache
def drawn_by(package: GamePackage) -> Callable[[str], tuple[str, render.Shows]]:
    """Of the house's pieces and a room's: the template `name.html`, drawn from what the function `name` says; a room's
    functions stand in its page.
    """

    def find(name: str) -> tuple[str, render.Shows]:
        return HOUSE[name] if name in HOUSE else (f"{package.folder.name}/{name}.html", package.page.pieces[name])

    return find


def _mark(_speaker: Translator, i: int, name: str, small: bool) -> dict[str, Any]:
    return {"i": i, "name": name, "small": small}


def _level(table: Table, seat: int, tr: Translator) -> str:
    """The level at which a bot plays on this seat, in words; where all play alike, that it is a bot."""
    package = table.package
    return (
        tr._(package.bot.levels[package.level(table.setup.chairs[seat].level)]) if package.bot.levels else tr._("bot")
    )


def _entry(_speaker: Translator, *given: Any) -> dict[str, Any]:
    fields = ("i", "name", "mark", "me", "bot", "away", "acting", "count", "note")
    return dict(zip(fields, given, strict=True))


HOUSE: dict[str, tuple[str, render.Shows]] = {"mark": ("mark.html", _mark), "seat-entry": ("seat-entry.html", _entry)}


def _stand_in(setup: TableSetup, viewer: Viewer) -> dict[str, Any]:
    """What who looks on can do to play (again): who plays for them, and the seats that can be taken over."""
    if setup.stage != "playing" or viewer.screen:
        return {}
    takes = [i for i, chair in enumerate(setup.chairs) if seats.can_be_taken(setup, chair) and i not in viewer.mine]
    if viewer.mine:
        mine = [setup.chairs[seat] for seat in viewer.mine]
        gone = all(chair.away for chair in mine)
        return {"stand_in": "bot" if gone else "", "offered": any(chair.offered for chair in mine), "beside": takes}
    lent = seats.lent_by(setup, viewer.key)
    if lent is not None:
        return {"stand_in": "guest", "lent": lent}
    return {"open_seats": takes}


def _state(chair: Chair, tr: Translator) -> str:
    """Who plays here, in a few words."""
    if chair.kind != "person":
        return tr._("bot")
    if chair.away:
        return tr._("away, the seat is open to others") if chair.offered else tr._("away, a bot plays on")
    return tr._("for {name}").format(name=chair.lender.name) if chair.lender is not None else tr._("plays")


def _chairs(table: Table, tr: Translator, mine: tuple[int, ...]) -> list[dict[str, Any]]:
    """Who sits where."""
    return [
        {
            "seat": i,
            "name": name,
            "kind": chair.kind,
            "me": i in mine,
            "away": chair.away,
            "offered": chair.offered,
            "state": _state(chair, tr),
            "patience": chair.patience,
            "level": table.package.level(chair.level) if chair.kind == "bot" else "",
        }
        for i, (chair, name) in enumerate(zip(table.setup.chairs, wire.names_of(table, tr), strict=True))
    ]
