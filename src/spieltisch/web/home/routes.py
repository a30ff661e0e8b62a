"""The home page: the reader's tables, the games, and opening or joining a table."""

import datetime as dt
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, TypeAlias

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from spieltisch import daily, games
from spieltisch.classroom.keys import split
from spieltisch.decks.library import Library
from spieltisch.game import Invalid, Refused
from spieltisch.i18n import N_, Translator
from spieltisch.package import Package
from spieltisch.table import seat_keys
from spieltisch.table.host import Missing
from spieltisch.table.lobby import code_in
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import asked_seat
from spieltisch.web.core import catalog
from spieltisch.web.core.access.held_keys import MOST
from spieltisch.web.core.catalog import short_date
from spieltisch.web.core.http import problems
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import field, read_form
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere, find_table
from spieltisch.web.core.opening import open_asked
from spieltisch.web.core.renderer import Html
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.outcome import headline, several, standing_line, turn_line
from spieltisch.web.core.view.viewer import translator_for

READ = 60  # cookies of tables that are looked at
_PASTED = 300  # signs of a code, perhaps with a link or a sentence around it
# Lets a client into a class, by its code and that of a strip ("": none): `classroom.routes.join_by_code`.
JoinClassHere: TypeAlias = NamedDependency[
    SkipValidation[Callable[[Services, Client, str, str], Awaitable[Response[object]]]]
]
TOLD = 3  # finished games of which is said how they ended; the others are folded


async def _mine(services: Services, client: Client) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the tables of this browser, first those where it is the reader's turn; and cookies that are of no more
    use.
    """
    found, stale = [], []
    for code, key in list(services.seat_cookies.tables(client.cookies))[:READ]:
        games_there = await services.host.store.games(code)
        setup = await services.host.store.setup(games_there[-1]) if games_there else None
        if setup is None or not seat_keys.recognizes(setup, key):
            stale.append(code)
            continue
        if setup.stage == "closed" or setup.game not in games.packages():
            continue
        mine = seat_keys.seats_of(setup, key)
        own = (*mine, *seat_keys.returns_to(setup, key))
        asked, state, standing = None, _state(setup.stage, client.tr), ""
        if setup.stage == "playing" and mine:
            table = await services.host.table(setup.id)
            tr = translator_for(table, mine[0], client.lang, client.terms)
            asked = asked_seat(table, mine)
            contest = asked is not None and table.is_contest(asked)
            if len(table.to_act) == 1:
                state = turn_line(table, tr).removesuffix(".")
            if len(setup.chairs) == 1:
                standing = standing_line(table, tr)
        found.append({
            "code": code,
            "table": setup.id,
            "url": Html(services.url(f"/t/{setup.id}")),
            "box": catalog.box(games.package(setup.game), client.tr),
            "stage": setup.stage,
            "my_turn": asked is not None,
            "turn": client.tr._(N_("Your answer is needed") if asked is not None and contest else N_("Your turn")),
            "state": state,
            "standing": standing,
            "ended": "",
            "touched": setup.touched,
            "others": several([c.name for i, c in enumerate(setup.chairs) if i not in own and c.name], client.tr),
        })  # fmt: skip
    found.sort(key=lambda table: (table["my_turn"], table["stage"] != "over", table["touched"]), reverse=True)
    stale += [table["code"] for table in found[MOST:]]  # a browser keeps a limited number of cookies
    return found[:MOST], stale


def _state(stage: str, tr: Translator) -> str:
    if stage == "waiting":
        return tr._("waiting")
    return tr._("over") if stage == "over" else tr._("running")


async def _ended(services: Services, client: Client, code: str) -> str:
    """Say how a finished game ended."""
    try:
        table = await services.host.table(code)
    except Missing:
        return ""
    seat = next(iter(services.actor(client, code).seats(table.setup)), None)
    said = [headline(table, translator_for(table, seat, client.lang)), *_solo(table, client.tr)]
    return " ".join([*said, f"({_day(table.setup.touched, client.tr)})"])


def _solo(table: Table, tr: Translator) -> Iterator[str]:
    """Say which deal a game for one was, if it has a number, and its score."""
    result, setup = table.result, table.setup
    if len(setup.chairs) > 1 or result is None:
        return
    if setup.deal:
        yield tr._("Deal {n}").format(n=setup.deal) + "."
    if result.scores:
        yield tr._("Score: {n}").format(n=result.scores[0]) + "."


def _day(at: float, tr: Translator) -> str:
    return short_date(dt.datetime.fromtimestamp(at, dt.UTC).date(), tr)


def _own_decks(library: Library, made: Iterable[str], lang: str) -> dict[str, object]:
    """Return how many decks this browser made, and the one that was changed last."""
    files = library.own()
    found = {name: deck for name in made if name in files and (deck := library.entry(name)) is not None}
    if not found:
        return {"n": 0}
    last = max(found, key=lambda name: files[name].stat().st_mtime)
    return {"n": len(found), "title": found[last].title[lang] or last, "cards": found[last].cards}


async def _home(
    services: Services, client: Client, *, error: str = "", code: str = "", status: int = 200
) -> Response[object]:
    mine, stale = await _mine(services, client)
    now = services.host.clock()
    today = daily.today(now)  # the page's script knows the visitor's own day
    packages = games.packages().values()
    drawn = catalog.of_each(packages, lambda package: catalog.box(package, client.tr))
    days = [today + dt.timedelta(n) for n in (-1, 0, 1)]

    def day_of(package: Package) -> dict[str, object] | None:
        if not package.daily.number(today):
            return None
        deals = " ".join(str(package.daily.number(day)) for day in days)
        return {"box": catalog.box(package, client.tr), "deals": deals}

    dailies = [one for one in catalog.of_each(packages, day_of) if one is not None]
    running = [one for one in mine if one["stage"] != "over"]
    over = [one for one in mine if one["stage"] == "over"]
    for one in over[:TOLD]:
        one["ended"] = await _ended(services, client, one["table"])
    made, library = services.deck_keys.held(client.cookies), services.host.library
    decks = await library.reading(lambda: _own_decks(library, made, client.lang))
    html = services.renderer.render(
        "home/home.html", client.tr, boxes=drawn, mine=running, over=over, told=TOLD, dailies=dailies,
        now=round(now), today=today.isoformat(), decks=decks, refused=error, code=code, here="/",
    )  # fmt: skip
    answer = page(html, status)
    for old in stale:
        answer.set_cookie(services.seat_cookies.drop(old))
    return answer


@get("/", name="home")
async def home(services: ServicesHere, client: ClientHere) -> Response[object]:
    """Show the home page."""
    return await _home(services, client)


@post("/play", name="play", status_code=200)
async def play(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Open a table with bots and begin."""
    return await _open(request, services, client, now=True)


@post("/tables", name="open", status_code=200)
async def tables(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Open a table for people."""
    return await _open(request, services, client, now=False)


async def _open(request: HttpRequest, services: Services, client: Client, *, now: bool) -> Response[object]:
    fields = await read_form(request)
    try:
        code, key = await open_asked(services, client, fields, now=now)
    except Refused as error:
        return await _home(services, client, error=client.refusal(error), status=problems.status_of(error))
    answer = redirect(services.url(f"/t/{code}/race" if field(fields, "race") == "new" else f"/t/{code}"))
    answer.set_cookie(services.seat_cookies.hold(code, key, secure=client.secure))
    return answer


@post("/join", name="join", status_code=200)
async def join(
    request: HttpRequest, services: ServicesHere, client: ClientHere, join_class: JoinClassHere
) -> Response[object]:
    """Go to the table or class with this code; show the home page with the reason if there is none."""
    typed = field(await read_form(request), "code")[:_PASTED]
    code = code_in(typed)
    try:
        if not code:
            raise Invalid("Please type the code of the table.")
        if (parts := split(code)) is not None:
            return await join_class(services, client, *parts)
        table = await find_table(services, client, code)
    except Refused as error:
        words = client.refusal(error)
        return await _home(services, client, error=words, code=typed, status=problems.status_of(error))
    return redirect(services.url(f"/t/{table.id}"))


HANDLERS = [home, play, tables, join]
