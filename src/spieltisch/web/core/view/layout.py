"""What a table's page shows besides the game. All of it depends on the table's setup and its viewer alone."""

from typing import Any

from spieltisch.i18n import Translator
from spieltisch.table import seat_keys
from spieltisch.table.evening import code_of
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.table import Table
from spieltisch.web.core import catalog
from spieltisch.web.core.access.viewpoint import lies_open
from spieltisch.web.core.catalog import day_words, short_date
from spieltisch.web.core.renderer import Html, Renderer, own_file, pieces_of, qr
from spieltisch.web.core.view.outcome import seat_changes
from spieltisch.web.core.view.viewer import Viewer, names_of


def stage_of(table: Table) -> str:
    """Which page a table needs: `waiting`, `playing` (also when it is over: moves can be taken back) or `closed`."""
    if table.setup.header is None:
        return table.setup.stage
    return "playing" if table.seq else "closed"


def layout(renderer: Renderer, table: Table, viewer: Viewer, tr: Translator) -> dict[str, Any]:
    """What a table's page shows besides the game, in the lobby too."""
    setup, url = table.setup, f"{renderer.base}/t/{table.id}"
    code = code_of(table.id)
    evening = f"{viewer.origin}{renderer.base}/t/{code}"  # whichever of its games is played
    names, piece = names_of(table, tr), renderer.pieces(tr, pieces_of(table.package)).piece
    big = viewer.screen == "big"
    return {
        "box": catalog.box(table.package, tr),
        "own_js": (own_file(table.package, "static", "screen.js") or "screen.js")
        if big
        else own_file(table.package, "static", "script.js"),
        "own_css": own_file(table.package, "static", "style.css"),
        "screen_css": own_file(table.package, "static", "screen.css") if big else "",
        "game": table.package.name,
        "code": code,
        "number": setup.number,
        "desk": setup.desk,
        "table": table.id,
        "url": Html(url),
        "address": evening,
        "host": Html(viewer.origin.partition("//")[2]),
        "names": names,
        "marks": [piece("mark", tr.mark(i), name, False) for i, name in enumerate(names)],
        "small_marks": [piece("mark", tr.mark(i), name, True) for i, name in enumerate(names)],
        "mark_of": [tr.mark(i) for i in range(len(names))],
        "bots": {i: _level(table, i, tr) for i, chair in enumerate(setup.chairs) if chair.kind == "bot"},
        "levels": [(level, tr._(name)) for level, name in table.package.bot.levels.items()],
        "away": [i for i, chair in enumerate(setup.chairs) if chair.away or chair.kind == "free"],
        "chairs": _chairs(table, tr, viewer, names),
        "shared": viewer.shared,
        "secrets": not lies_open(table.package),
        "keys": table.package.page.keys,
        "is_owner": viewer.owner,
        "is_opener": seat_keys.opened(setup, viewer.key),
        "can_seat": (viewer.owner or bool(viewer.mine)) and len(setup.chairs) > 1,
        "seat_log": seat_changes(setup, tr) if (viewer.owner or viewer.mine) and not viewer.screen else [],
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
        "last_round": setup.last_round is not None and setup.stage == "playing",
        **({"qr": Html(qr(evening))} if big else {}),
        "seat_link": f"{viewer.origin}{url}/seat#{viewer.key}" if _has_seat(setup, viewer) else "",
        "race": bool(setup.race),
        **_day(table, tr),
        "next_url": f"{url}/next" if setup.rematch else "",
    }


def _has_seat(setup: TableSetup, viewer: Viewer) -> bool:
    """Whether the viewer's key opens more than a question that they wait for the answer to."""
    return bool(viewer.key) and (viewer.owner or bool(viewer.mine or seat_keys.returns_to(setup, viewer.key)))


def _day(table: Table, tr: Translator) -> dict[str, str]:
    """The day whose deal is played, in words and shorter; "" for any other deal."""
    day = table.package.analysis.day(table.setup.deal) if table.setup.deal else None
    return (
        {"day": "", "short_day": ""} if day is None else {"day": day_words(day, tr), "short_day": short_date(day, tr)}
    )


def _level(table: Table, seat: int, tr: Translator) -> str:
    """The level at which a bot plays on this seat, in words; where all play alike, that it is a bot."""
    package = table.package
    return (
        tr._(package.bot.levels[package.level(table.setup.chairs[seat].level)]) if package.bot.levels else tr._("bot")
    )


def _state(chair: Chair, tr: Translator) -> str:
    """Who plays here, in a few words."""
    if chair.kind != "person":
        return tr._("bot")
    if chair.away:
        return tr._("away, the seat is open to others") if chair.offered else tr._("away, a bot plays on")
    return tr._("for {name}").format(name=chair.lender.name) if chair.lender is not None else tr._("plays")


def _chairs(table: Table, tr: Translator, viewer: Viewer, names: list[str]) -> list[dict[str, Any]]:
    """Who sits where."""
    mine, returns = viewer.mine, seat_keys.returns_to(table.setup, viewer.key)
    return [
        {
            "seat": i,
            "name": name,
            "kind": chair.kind,
            "me": i in mine,
            "own": i in mine or i in returns,
            "away": chair.away,
            "left": chair.left,
            "offered": chair.offered,
            "state": _state(chair, tr),
            "patience": chair.patience,
            "level": table.package.level(chair.level) if chair.kind == "bot" else "",
        }
        for i, (chair, name) in enumerate(zip(table.setup.chairs, names, strict=True))
    ]
