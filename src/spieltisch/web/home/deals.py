"""Numbered deals of games for one: what is known of a deal, and the standings of a race on it.

A label belongs to the deal, not to a table: it is shown before the first move, and in the review after the end.
"""

from collections.abc import Sequence

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from spieltisch import daily, games
from spieltisch.game import Refused
from spieltisch.i18n import Translator, bind_dashes
from spieltisch.package import Package
from spieltisch.table.analysis import Unknown
from spieltisch.table.host import Missing
from spieltisch.table.table import Table
from spieltisch.web.core import catalog
from spieltisch.web.core.catalog import day_words
from spieltisch.web.core.http import problems
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.forms import deal_number
from spieltisch.web.core.http.responses import page
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.core.opening import first_of_race, last_opened, with_preset
from spieltisch.web.core.renderer import Html, qr
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.outcome import standing_line
from spieltisch.web.core.view.viewer import names_of, translator_for

READ = 60  # cookies of tables that are looked at


@get("/deals/{game:str}", name="deals")
async def deals(
    services: ServicesHere,
    client: ClientHere,
    game: FromPath[str],
    n: FromQuery[str] = "",
    deal: FromQuery[str] = "",
    preset: FromQuery[str] = "",
) -> Response[object]:
    """Show a deal by its number, `n` or `deal`: what is known of it, and how to play it. Raises Missing if this is no
    game for one.
    """
    package = games.packages().get(game)
    if package is None or package.rules.seats[-1] > 1:
        raise Missing("There is nothing at this address.")
    tr, refused, status, n = client.tr, "", 200, n or deal
    shown: dict[str, object] = {"number": 0}
    try:
        library = services.host.library
        preset = preset or await _last_preset(services, client, package)
        number, top = deal_number(n.strip()), await library.reading(lambda: with_preset(package, preset, library))
        if number:
            day = package.daily.day(number)
            words = "" if day is None else day_words(day, tr)
            shown = {"number": number, "day": words, **await _known(services, client, package, top, number)}
    except Refused as error:
        refused, status = tr.refusal(error), problems.status_of(error)
    if client.wants_json:
        return Response(shown, status_code=status)
    html = services.renderer.render(
        "home/deals.html", tr, **shown, refused=refused, asked=n[:12], preset=preset, box=catalog.box(package, tr),
        heading=bind_dashes(tr._("Games of {game}").format(game=catalog.title(package, tr))),
        presets=_presets(package, client),
        daily=package.daily.number(daily.today(services.host.clock())),
        back=client.path, analysed=package.analysis.available,
    )  # fmt: skip
    return page(html, status)


async def _last_preset(services: Services, client: Client, package: Package) -> str:
    """Return the preset of this browser's last table of this game; "" if there is none to choose."""
    last = await last_opened(services, client, package, services.actor(client))
    drawn = package.page.options(last.top, 1, package.translator(client.lang)) if last is not None else ()
    chosen = [one.value for one in drawn or () if one.name == "preset"]
    return next((preset for preset in dict(_presets(package, client)) if preset in chosen), "")


def _presets(package: Package, client: Client) -> list[tuple[str, str]]:
    drawn = package.page.options(package.record.default, 1, package.translator(client.lang)) or ()
    return next((list(one.choices) for one in drawn if one.name == "preset"), [])


async def _known(
    services: Services, client: Client, package: Package, top: dict[str, object] | None, number: int
) -> dict[str, object]:
    """Return the deal's label, but not to a browser that is playing it."""
    if await _is_playing(services, client, package, number):
        return {"label": None, "state": "playing"}
    if not package.analysis.available:
        return {"label": None, "state": "known"}
    services.limits.require("label", client.address)
    label = await services.analysis.label(package, top or dict(package.record.default), number)
    return {"label": None, "state": "pending"} if isinstance(label, Unknown) else {"label": label, "state": "known"}


async def _is_playing(services: Services, client: Client, package: Package, number: int) -> bool:
    """Return whether this browser has a game on the deal that has begun and not ended."""
    for code, _ in list(services.seat_cookies.tables(client.cookies))[:READ]:
        setup = await services.host.store.setup(code)
        on_it = setup is not None and (setup.game, setup.deal, setup.stage) == (package.name, number, "playing")
        if on_it and (await services.host.table(code)).can_undo:
            return True
    return False


@get("/t/{code:str}/race", name="race")
async def race_page(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Show the standings of a race."""
    first = await first_of_race(services, table)
    package, tr = games.package(first.game), client.tr
    tables = []
    for code in first.racers:
        try:
            tables.append(await services.host.table(code))
        except Missing:
            continue
    mine = next((one for one in tables if services.actor(client, one.id).seats(one.setup)), None)
    address = services.url(f"/t/{first.id}/race")
    html = services.renderer.render(
        "home/race.html",
        tr,
        heading=bind_dashes(tr._("Race – {game}").format(game=catalog.title(package, tr))),
        box=catalog.box(package, tr),
        number=first.deal,
        first=first.id,
        name=client.name,
        address=f"{client.origin}{address}",
        qr=Html(qr(f"{client.origin}{address}")),
        mine=Html(services.url(f"/t/{mine.id}")) if mine is not None else "",
        racers=_standings(tables, mine, tr),
        back=client.path,
        running=any(one.result is None for one in tables),
    )
    return page(html)


def _standings(tables: Sequence[Table], mine: Table | None, tr: Translator) -> list[dict[str, object]]:
    """Return a line for each table of the race, the best first. `mine`: the reader's own."""
    return [_line(table, tr, me=table is mine) for table in sorted(tables, key=_order)]


def _order(table: Table) -> tuple[bool, bool, bool, int]:
    """Sort won games before lost ones, those without help first, each by points; then running ones."""
    result = table.result
    score = result.scores[0] if result is not None and result.scores else 0
    return result is None, result is not None and result.end != "won", table.helped, -score


def _line(table: Table, tr: Translator, *, me: bool) -> dict[str, object]:
    result, words = table.result, translator_for(table, None, tr.lang)
    ends = {"won": tr._("won"), "lost": tr._("lost")}
    return {
        "name": names_of(table, words)[0],
        "me": me,
        "end": "" if result is None else result.end,
        "state": tr._("plays") if result is None else ends.get(result.end, tr._("over")),
        "standing": standing_line(table, words),
        "score": result.scores[0] if result is not None and result.scores else None,
        "helped": table.helped,
    }


HANDLERS = [deals, race_page]
