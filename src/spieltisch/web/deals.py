"""Numbered deals of games that are played alone: choosing one, what is known of it, and racing others on it.

A label belongs to the deal, not to a table: it is shown here before the first move, and in the review after the end.
"""

from typing import Any

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from msgspec.structs import replace

from spieltisch import games
from spieltisch.game import Illegal, Refused
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.table import lobby
from spieltisch.table.host import Missing, Table
from spieltisch.table.log import TableSetup
from spieltisch.web import boxes, options, problems, wire
from spieltisch.web.answers import Fields
from spieltisch.web.counsel import Unknown
from spieltisch.web.house import Asker, House
from spieltisch.web.markup import Html
from spieltisch.web.problems import TooMany
from spieltisch.web.tables import HTML, Ask, find, house_of
from spieltisch.web.who import deal as deal_of
from spieltisch.web.who import field

MOST = 100  # who race on one deal


def chosen(house: House, package: GamePackage, fields: Fields) -> tuple[dict[str, Any] | None, int]:
    """The record's top keys (None: the game's default) and the number of the deal that a form asks for."""
    number, top = deal_of(fields), _top(house, package, field(fields, "preset"))
    if not number and field(fields, "race"):
        number = lobby.random_deal(package, top, house.host.library)
    return top, number


def _top(house: House, package: GamePackage, preset: str) -> dict[str, Any] | None:
    default = package.record.default
    if (
        not preset
        or (top := options.choose(package, dict(default), {"preset": [preset]}, house.host.library)) == default
    ):
        return None
    return top


# -- choosing ------------------------------------------------------------------------------------------------


@get("/deals/{game:str}", name="deals")
async def deals(
    request: Ask, game: FromPath[str], n: FromQuery[str] = "", deal: FromQuery[str] = "", preset: FromQuery[str] = ""
) -> Response[Any]:
    """A deal by its number, `n` (or `deal`): what is known of it, and how to play it."""
    house = house_of(request)
    asker = Asker(request, house)
    package = games.packages().get(game)
    if package is None or package.rules.seats[-1] > 1:
        raise Missing("There is nothing at this address.")
    tr, refused, status, n = asker.tr, "", 200, n or deal
    shown: dict[str, Any] = {"number": 0}
    try:
        number, top = deal_of([("deal", n.strip())]), _top(house, package, preset)
        if number:
            shown = {"number": number, **await _known(house, asker, package, top, number)}
    except Refused as error:
        refused, status = tr.refusal(error), problems.status_of(error)
    if asker.wants_json:
        return Response(shown, status_code=status)
    html = house.pages.render(
        "deals.html", tr, **shown, refused=refused, asked=n[:12], preset=preset, box=boxes.box(package, tr),
        heading=tr._("Numbered deals – {game}").format(game=boxes.title(package)), presets=_presets(package, asker),
        back=asker.here, counsel=package.analysis.available,
    )  # fmt: skip
    return Response(html, media_type=HTML, status_code=status)


def _presets(package: GamePackage, asker: Asker) -> list[tuple[str, str]]:
    drawn = package.page.options(package.record.default, 1, package.translator(asker.lang)) or ()
    return next((list(one.choices) for one in drawn if one.name == "preset"), [])


async def _known(
    house: House, asker: Asker, package: GamePackage, top: dict[str, Any] | None, number: int
) -> dict[str, Any]:
    """The deal's label; not to who is in the middle of it."""
    if await _playing(house, asker, package, number):
        return {"label": None, "state": "playing"}
    if not package.analysis.available:
        return {"label": None, "state": "known"}
    if not house.allows("label", asker.address, 20, 0.2):
        raise TooMany("Too many tries. Please wait a moment.")
    label = await house.counsel.label(package, top or dict(package.record.default), number)
    return {"label": None, "state": "pending"} if isinstance(label, Unknown) else {"label": label, "state": "known"}


async def _playing(house: House, asker: Asker, package: GamePackage, number: int) -> bool:
    """Whether this browser has made a move on the deal and has not ended it."""
    for code, _ in list(house.cookies.tables(asker.jar))[:60]:
        setup = await house.host.store.setup(code)
        on_it = setup is not None and (setup.game, setup.deal, setup.stage) == (package.name, number, "playing")
        if on_it and (await house.host.table(code)).can_undo:
            return True
    return False


# -- racing --------------------------------------------------------------------------------------------------


async def raced(house: House, asker: Asker, code: str) -> TableSetup:
    """The plan of the table that the race at this table began with."""
    table = await find(house, asker, code)
    if not table.setup.race:
        raise Illegal("There is no race at this table.")
    return (await find(house, asker, table.setup.race)).setup


async def join(house: House, code: str, first: str) -> None:
    """The table takes part in the race that this first table began (it may be the same one)."""

    def enter(setup: TableSetup) -> TableSetup:
        if len(setup.racers) >= MOST:
            raise Illegal("So many race on this deal already that nobody else can.")
        return replace(setup, racers=(*setup.racers, code), race=first)

    await house.host.change(first, enter)
    await house.host.change(code, lambda setup: replace(setup, race=first))


@get("/t/{code:str}/race", name="race")
async def race(request: Ask, code: FromPath[str]) -> Response[Any]:
    """Who plays the same deal, and how they stand."""
    house = house_of(request)
    asker = Asker(request, house)
    first = await raced(house, asker, code)
    package, tr = games.package(first.game), asker.tr
    tables = []
    for one in first.racers:
        try:
            tables.append(await house.host.table(one))
        except Missing:
            continue
    mine = next((table for table in tables if asker.seat(table) is not None), None)
    context = {
        "heading": tr._("Race – {game}").format(game=boxes.title(package)),
        "box": boxes.box(package, tr),
        "number": first.deal,
        "first": first.id,
        "name": asker.name,
        "address": f"{asker.origin}{house.url(first.id)}/race",
        "mine": Html(house.url(mine.id)) if mine is not None else "",
        "racers": [_racer(table, tr, me=table is mine) for table in sorted(tables, key=_order)],
        "back": asker.here,
        "running": any(table.result is None for table in tables),
    }
    return Response(house.pages.render("race.html", tr, **context), media_type=HTML)


def _order(table: Table) -> tuple[bool, bool, int]:
    """Who has won before who has lost, both by points; then who still plays."""
    result = table.result
    score = result.scores[0] if result is not None and result.scores else 0
    return result is None, result is not None and result.end != "won", -score


def _racer(table: Table, tr: Translator, *, me: bool) -> dict[str, Any]:
    result, words = table.result, wire.says_for(table, None, tr.lang)
    ends = {"won": tr._("won"), "lost": tr._("lost")}
    return {
        "name": wire.names_of(table, words)[0],
        "me": me,
        "end": "" if result is None else result.end,
        "state": tr._("plays") if result is None else ends.get(result.end, tr._("over")),
        "standing": table.package.page.standing(table.view(None).public, words) if table.seq else "",
        "score": result.scores[0] if result is not None and result.scores else None,
        "marked": table.marked,
    }


HANDLERS = [deals, race]
