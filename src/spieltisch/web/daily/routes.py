"""The daily of a game: today's, that of any past day, and playing it.

The server shows the day in UTC; the page's script goes to the visitor's own day. So every day is open that has begun
somewhere on earth.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import TypeAlias
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, SkipValidation

from spieltisch import daily, games
from spieltisch.decks.library import Library, released
from spieltisch.game import Illegal, Refused
from spieltisch.i18n import Translator, bind_dashes
from spieltisch.package import Package, PuzzleView
from spieltisch.table.host import Missing
from spieltisch.table.replay import Replay
from spieltisch.table.table import Table
from spieltisch.web.core import catalog
from spieltisch.web.core.http import problems
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import Fields, field, read_form
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere, find_table
from spieltisch.web.core.opening import open_daily
from spieltisch.web.core.renderer import Html, own_file
from spieltisch.web.core.services import Services
from spieltisch.web.daily import figures

Claims = Callable[[Table, Replay, int], list[bool]]  # of a seat in a finished game, whether each claim was right
ClaimsHere: TypeAlias = NamedDependency[SkipValidation[Claims]]
LONGEST = 200  # characters of moves


@get("/daily/{game:str}", name="daily")
async def today(services: ServicesHere, client: ClientHere, game: FromPath[str]) -> Response[object]:
    """Show today's daily."""
    return await _shown(services, client, _package(game), daily.today(services.host.clock()))


@get("/daily/{game:str}/{day:str}", name="daily-of")
async def of_day(
    services: ServicesHere, client: ClientHere, game: FromPath[str], day: FromPath[str]
) -> Response[object]:
    """Show the daily of a day. Raises Missing for a day that has not begun anywhere, or has no daily."""
    package = _package(game)
    return await _shown(services, client, package, _begun(services, package, day))


@post("/daily/{game:str}/{day:str}", name="play-daily", status_code=200)
async def play(
    request: HttpRequest, services: ServicesHere, client: ClientHere, game: FromPath[str], day: FromPath[str]
) -> Response[object]:
    """Open the table of a day's daily."""
    package, fields = _package(game), await read_form(request)
    wanted = _begun(services, package, day)
    if package.daily.puzzle is not None:
        return await _moved(services, client, package, wanted, fields)
    family = package.daily.family and bool(field(fields, "family"))
    try:
        code, key = await open_daily(services, client, package, wanted, family=family)
    except Refused as error:
        return await _shown(services, client, package, wanted, error)
    answer = redirect(services.url(f"/t/{code}"))
    answer.set_cookie(services.seat_cookies.hold(code, key, secure=client.secure))
    return answer


@get("/daily/{game:str}/{day:str}/puzzle", name="puzzle")
async def puzzle(
    services: ServicesHere, client: ClientHere, game: FromPath[str], day: FromPath[str], moves: FromQuery[str] = ""
) -> Response[object]:
    """Show the puzzle of a day after some moves. Raises Illegal for an impossible move."""
    package = _package(game)
    wanted = _begun(services, package, day)
    if package.daily.puzzle is None:
        raise Missing("There is nothing at this address.")
    return page(_drawn(services, client, package, wanted, await _played(services, client, package, wanted, moves)))


async def _moved(
    services: Services, client: Client, package: Package, day: dt.date, fields: Fields
) -> Response[object]:
    """Make the move of a form. The refusal of an impossible move appears above the moves so far."""
    puzzle, before = package.daily.puzzle, field(fields, "moves")
    assert puzzle is not None
    form: dict[str, list[str]] = {}
    for name, value in fields:
        form.setdefault(name, []).append(value)
    try:
        view = await _played(services, client, package, day, puzzle.joined(before, form))
    except Illegal as error:
        view = await _played(services, client, package, day, before)
        html = _drawn(services, client, package, day, view, package.translator(client.lang).refusal(error))
        return page(html, problems.status_of(error))
    return redirect(services.url(f"/daily/{package.name}/{day.isoformat()}/puzzle?{urlencode({'moves': view.moves})}"))


async def _played(services: Services, client: Client, package: Package, day: dt.date, moves: str) -> PuzzleView:
    services.limits.require("hint", client.address)
    if len(moves) > LONGEST:
        raise Illegal("There is no such move here.")
    asked = package.name, day.isoformat(), moves
    return await services.host.library.answer(played, (package.daily.deck,), *asked)


def played(library: Library, names: Sequence[str], game: str, day: str, moves: str) -> PuzzleView:
    """Return the puzzle of a day after some moves: a question to the library."""
    package, when, deck = games.package(game), dt.date.fromisoformat(day), released(names[0])
    found, puzzle = library.read(names[0]), package.daily.puzzle
    assert found is not None
    assert puzzle is not None
    cards = package.daily.cards(game, when, deck)
    return puzzle.play(found[1], cards, daily.seed(game, when, deck.hash), moves)


def _drawn(
    services: Services, client: Client, package: Package, day: dt.date, view: PuzzleView, refused: str = ""
) -> str:
    tr, puzzle = package.translator(client.lang, terms=client.terms), package.daily.puzzle
    assert puzzle is not None
    said = puzzle.said(view, tr) if view.over else ""
    return services.renderer.render(
        f"{package.folder.name}/puzzle.html", tr, box=catalog.box(package, tr), heading=_heading(package, tr),
        back=client.path, own_css="daily/daily.css", game_css=own_file(package, "static", "style.css"),
        own_symbols=own_file(package, "templates", "symbols.html"), moves=view.moves,
        address=Html(services.url(f"/daily/{package.name}/{day.isoformat()}")), day=catalog.day_words(day, tr),
        number=package.daily.number(day), over=view.over, won=view.won, points=view.score, marks=view.marks,
        refused=refused, week=catalog.daily(package, day, tr), row=catalog.row(package, day), result=said,
        said=catalog.result_of_day(package, day, said, tr), **puzzle.prepare(view, tr),
    )  # fmt: skip


@get("/daily/{game:str}/{day:str}/here", name="daily-here")
async def here(services: ServicesHere, client: ClientHere, game: FromPath[str], day: FromPath[str]) -> Response[object]:
    """Tell the page's script how a day went on this server; an empty sentence until enough people have played."""
    package = _package(game)
    return Response({"words": await _reckoned(services, client, package, _day(package, day))})


@post("/daily/{game:str}/{day:str}/here", name="count-daily", status_code=200)
async def counted(
    request: HttpRequest, services: ServicesHere, client: ClientHere, game: FromPath[str], day: FromPath[str],
    claims: ClaimsHere,
) -> Response[object]:  # fmt: skip
    """Count a device's first finish of a day: the `table` of its seat, or the `moves` of a puzzle."""
    package, fields = _package(game), await read_form(request)
    wanted = _day(package, day)
    services.limits.require("make", client.address)
    figure = await _figure(services, client, package, wanted, fields, claims)
    if figure is not None:
        await figures.count(services.host.store, package.name, wanted.isoformat(), figure)
    return Response({"words": await _reckoned(services, client, package, wanted)})


async def _figure(
    services: Services, client: Client, package: Package, day: dt.date, fields: Fields, claims: Claims
) -> int | None:
    """Return the score, or the number of mistakes; None for a game that is not over, had help, or is another day's."""
    if package.daily.puzzle is not None:
        view = await _played(services, client, package, day, field(fields, "moves"))
        return view.score if view.over else None
    table = await find_table(services, client, field(fields, "table"))
    seat = services.actor(client, table.id).own_seat(table.setup)
    played_it = table.package is package and catalog.day_of(package, table.setup) == day
    if not played_it or table.result is None or table.helped:
        return None
    if table.result.scores is not None:
        return table.result.scores[seat]
    return claims(table, await services.host.replay(table.id), seat).count(False)


async def _reckoned(services: Services, client: Client, package: Package, day: dt.date) -> str:
    found = await figures.summary(services.host.store, package.name, day.isoformat())
    return "" if found is None else package.daily.reckoned(*found, package.translator(client.lang))


def _package(game: str) -> Package:
    package = games.packages().get(game)
    if package is None:
        raise Missing("There is nothing at this address.")
    return package


def _day(package: Package, said: str) -> dt.date:
    """Return the day of an address. It may be in the future: Adaman's deals can be played by their numbers."""
    try:
        day = dt.date.fromisoformat(said)
    except ValueError:
        raise Missing("There is nothing at this address.") from None
    if not package.daily.number(day):
        raise Missing("There is no daily for this day.")
    return day


def _begun(services: Services, package: Package, said: str) -> dt.date:
    """Return the day of an address. Raises Missing if it has not begun anywhere."""
    day = _day(package, said)
    if not daily.has_begun(day, services.host.clock()):
        raise Missing("There is no daily for this day.")
    return day


async def _shown(
    services: Services, client: Client, package: Package, day: dt.date, refused: Refused | None = None
) -> Response[object]:
    tr, here, plays = client.tr, daily.today(services.host.clock()), package.daily
    week = catalog.daily(package, day, tr)
    if week is None:
        raise Missing("There is no daily for this day.")
    corrected = False
    if plays.each:
        library, asked = services.host.library, (package.name, day.isoformat())
        corrected = await library.answer(was_corrected, (plays.deck,), *asked)
    html = services.renderer.render(
        "daily/day.html", tr, box=week["box"], heading=_heading(package, tr), week=week,
        pitch=package.translator(client.lang)._(plays.pitch) if plays.pitch else "", day=day.isoformat(),
        words=f"{catalog.day_words(day, tr)} {day.year}", today=here.isoformat(), now=round(services.host.clock()),
        row=catalog.row(package, day), family=plays.family,
        puzzle=plays.puzzle is not None, own_css="daily/daily.css", corrected=corrected, back=client.path,
        reckoned=await _reckoned(services, client, package, day), months=_months(package, max(day, here), tr),
        refused="" if refused is None else tr.refusal(refused),
    )  # fmt: skip
    return page(html, 200 if refused is None else problems.status_of(refused))


def _heading(package: Package, tr: Translator) -> str:
    return bind_dashes(tr._("{game} of the day").format(game=catalog.title(package, tr)))


def was_corrected(library: Library, names: Sequence[str], game: str, day: str) -> bool:
    """Return whether a card of this day has been corrected since: a question to the library."""
    found = library.read(names[0])
    cards = {*games.package(game).daily.cards(game, dt.date.fromisoformat(day), released(names[0]))}
    return found is not None and any(card.id in cards and card.corrected > day for card in found[1].cards)


def _months(package: Package, last: dt.date, tr: Translator) -> list[dict[str, object]]:
    """Return all days since the first one by their months, the newest month first."""
    found: dict[tuple[int, int], list[dict[str, object]]] = {}
    day = last
    while number := package.daily.number(day):
        found.setdefault((day.year, day.month), []).append(
            {"number": number, "day": day.isoformat(), "n": day.day, "words": catalog.day_words(day, tr)}
        )
        day -= dt.timedelta(1)
    return [
        {
            "title": f"{tr._(catalog.MONTHS[month - 1])} {year}",
            "gaps": dt.date(year, month, int(str(days[-1]["n"]))).weekday(),
            "days": days[::-1],
        }
        for (year, month), days in found.items()
    ]


HANDLERS = [today, of_day, play, puzzle, here, counted]
