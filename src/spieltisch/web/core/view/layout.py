"""What a table's page shows besides the game. It depends on the table's setup and its viewer alone."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from spieltisch.i18n import Terms, Translator
from spieltisch.table import seat_keys
from spieltisch.table.evening import code_of
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import lies_open
from spieltisch.web.core import catalog
from spieltisch.web.core.catalog import day_of, day_words, short_date
from spieltisch.web.core.renderer import Html, Renderer, own_file, pieces_of, qr
from spieltisch.web.core.view.outcome import seat_changes
from spieltisch.web.core.view.viewer import Viewer, names_of


class SeatedChair(Struct, frozen=True):
    """A chair, and what its person may do about it."""

    seat: int
    name: str
    kind: str
    me: bool
    own: bool  # belongs to this viewer, even if they have left it
    away: bool
    left: bool
    offered: bool
    state: str  # who plays here, in a few words
    patience: float
    level: str


class Layout(Struct, frozen=True):
    """What a table's page shows around the game, also in the lobby."""

    # The game and its box
    game: str
    box: dict[str, Any]
    own_js: str
    own_css: str
    own_symbols: str  # a template: drawings that the game's page uses by name
    screen_css: str
    keys: Sequence[str]  # which keys the game's page listens to
    phrases: list[str]  # that can be said at the table
    terms: Terms | None
    secrets: bool  # whether hands are hidden
    levels: list[tuple[str, str]]
    # The table and its evening
    table: str
    url: str
    code: str
    address: str
    host: str
    number: int
    desk: int
    next_url: str
    race: bool
    paused: bool
    last_round: bool
    reports: bool  # whether a card can be reported as wrong
    timed: bool
    slow: bool
    day: str
    short_day: str
    # The seats
    names: list[str]
    marks: list[str]
    small_marks: list[str]
    mark_of: list[int]
    bots: dict[int, str]  # at which level they play, in words
    away: list[int]
    chairs: list[SeatedChair]
    seat_log: list[dict[str, object]]
    patiences: list[tuple[float, str]]
    # The viewer
    shared: tuple[int, ...]
    is_owner: bool
    is_opener: bool
    can_seat: bool
    seat_link: str
    can_feed: bool
    feed: str  # the address of the viewer's feed
    qr: str = ""  # on a big screen


def layout(renderer: Renderer, table: Table, viewer: Viewer, tr: Translator) -> Layout:
    setup, package, url = table.setup, table.package, f"{renderer.base}/t/{table.id}"
    page, code, mine = package.page, code_of(table.id), viewer.mine
    evening = f"{viewer.origin}{renderer.base}/t/{code}"  # leads to the current game of the evening
    names, piece = names_of(table, tr), renderer.pieces(tr, pieces_of(package)).piece
    big, playing = viewer.screen == "big", setup.stage == "playing"
    script = (
        own_file(package, "static", "screen.js") or "screen.js" if big else own_file(package, "static", "script.js")
    )
    day, short_day = _day(table, tr)
    return Layout(
        game=package.name,
        box=catalog.box(package, tr),
        own_js=script,
        own_css=own_file(package, "static", "style.css"),
        own_symbols=own_file(package, "templates", "symbols.html"),
        screen_css=own_file(package, "static", "screen.css") if big else "",
        keys=page.keys,
        phrases=[tr._(phrase) for phrase in page.phrases],
        terms=viewer.terms if page.terms else None,
        secrets=not lies_open(package),
        levels=[(level, tr._(name)) for level, name in package.bot.levels.items()],
        table=table.id,
        url=Html(url),
        code=code,
        address=evening,
        host=Html(viewer.origin.partition("//")[2]),
        number=setup.number,
        desk=setup.desk,
        next_url=f"{url}/next" if setup.rematch else "",
        race=bool(setup.race),
        paused=setup.paused and playing,
        last_round=setup.last_round is not None and playing,
        reports="deck" in setup.top,
        timed=bool(setup.turn_seconds or (setup.answer_seconds and package.silence is not None)),
        slow=setup.is_slow,
        day=day,
        short_day=short_day,
        names=names,
        marks=[piece("mark", tr.mark(i), name, False) for i, name in enumerate(names)],
        small_marks=[piece("mark", tr.mark(i), name, True) for i, name in enumerate(names)],
        mark_of=[tr.mark(i) for i in range(len(names))],
        bots={i: _level(table, i, tr) for i, chair in enumerate(setup.chairs) if chair.kind == "bot"},
        away=[i for i, chair in enumerate(setup.chairs) if chair.away or chair.kind == "free"],
        chairs=_chairs(table, tr, viewer, names),
        seat_log=seat_changes(setup, tr) if (viewer.owner or mine) and not viewer.screen else [],
        patiences=[
            (1.0, tr._("same as everyone")),
            (2.0, tr._("twice as much")),
            (5.0, tr._("five times as much")),
            (0.0, tr._("no limit")),
        ],
        shared=viewer.shared,
        is_owner=viewer.owner,
        is_opener=seat_keys.opened(setup, viewer.key),
        can_seat=(viewer.owner or bool(mine)) and len(setup.chairs) > 1,
        seat_link=f"{viewer.origin}{url}/seat#{viewer.key}" if _has_seat(setup, viewer) else "",
        can_feed=bool(mine) and len(setup.chairs) > 1 and not setup.classroom,
        feed=_feed(setup, viewer, f"{viewer.origin}{renderer.base}/feed/{code}"),
        qr=Html(qr(evening)) if big else "",
    )


def _has_seat(setup: TableSetup, viewer: Viewer) -> bool:
    """Whether the viewer's key opens a seat or the table, and not only a request for a seat."""
    return bool(viewer.key) and (viewer.owner or bool(viewer.mine or seat_keys.returns_to(setup, viewer.key)))


def _feed(setup: TableSetup, viewer: Viewer, address: str) -> str:
    feed = next((feed for seat in viewer.mine if (feed := setup.chairs[seat].feed) is not None), None)
    return "" if feed is None else f"{address}/{viewer.lang}/{seat_keys.feed_key(viewer.key, feed.salt)}"


def _day(table: Table, tr: Translator) -> tuple[str, str]:
    """Return the day whose deal is played, in words and in short; "" for any other deal."""
    day = day_of(table.package, table.setup)
    return ("", "") if day is None else (day_words(day, tr), short_date(day, tr))


def _level(table: Table, seat: int, tr: Translator) -> str:
    """Return the level of the bot on this seat, in words; "bot" if the game has no levels."""
    package = table.package
    return (
        tr._(package.bot.levels[package.level(table.setup.chairs[seat].level)]) if package.bot.levels else tr._("bot")
    )


def _state(chair: Chair, tr: Translator) -> str:
    """Return who plays here, in a few words."""
    if chair.kind != "person":
        return tr._("bot")
    if chair.away:
        return tr._("away, the seat is open to others") if chair.offered else tr._("away, a bot plays on")
    return tr._("for {name}").format(name=chair.lender.name) if chair.lender is not None else tr._("plays")


def _chairs(table: Table, tr: Translator, viewer: Viewer, names: list[str]) -> list[SeatedChair]:
    mine, returns = viewer.mine, seat_keys.returns_to(table.setup, viewer.key)
    return [
        SeatedChair(
            seat=i,
            name=name,
            kind=chair.kind,
            me=i in mine,
            own=i in mine or i in returns,
            away=chair.away,
            left=chair.left,
            offered=chair.offered,
            state=_state(chair, tr),
            patience=chair.patience,
            level=table.package.level(chair.level) if chair.kind == "bot" else "",
        )
        for i, (chair, name) in enumerate(zip(table.setup.chairs, names, strict=True))
    ]
