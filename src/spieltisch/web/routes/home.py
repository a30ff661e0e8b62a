"""The home page: one's tables, the games, and opening or joining a table."""

import datetime as dt
from typing import Any

from litestar import Request, Response, get, post

from spieltisch import games
from spieltisch.game import Invalid, Refused
from spieltisch.i18n import Translator
from spieltisch.web.access import seat_keys
from spieltisch.web.access.viewpoint import asked_seat
from spieltisch.web.commands.lobby import bots_at_once, open_table
from spieltisch.web.commands.messages import Opened
from spieltisch.web.commands.races import chosen_deal, enter_race, first_of_race
from spieltisch.web.http import problems
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import Fields, field, number, read_form
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.services import Services
from spieltisch.web.view import catalog
from spieltisch.web.view.outcome import several
from spieltisch.web.view.renderer import Html

READ = 60  # cookies of tables that are looked at


async def _mine(services: Services, client: Client) -> tuple[list[dict[str, Any]], list[str]]:
    """The tables of this browser, those first where one is to act; and cookies that are of no use any more."""
    found, stale = [], []
    for code, key in list(services.seat_keys.tables(client.cookies))[:READ]:
        setup = await services.host.store.setup(code)
        if setup is None or not seat_keys.recognizes(setup, key):
            stale.append(code)
            continue
        if setup.stage == "closed" or setup.game not in games.packages():
            continue
        mine = seat_keys.seats_of(setup, key)
        turn = False
        if setup.stage == "playing" and mine:
            turn = asked_seat(await services.host.table(code), mine) is not None
        found.append({
            "code": code,
            "url": Html(services.url(f"/t/{code}")),
            "box": catalog.box(games.package(setup.game), client.tr),
            "stage": setup.stage,
            "my_turn": turn,
            "state": _state(setup.stage, turn, client.tr),
            "touched": setup.touched,
            "others": several([c.name for i, c in enumerate(setup.chairs) if i not in mine and c.name], client.tr),
        })  # fmt: skip
    found.sort(key=lambda table: (table["my_turn"], table["stage"] != "over", table["touched"]), reverse=True)
    stale += [table["code"] for table in found[seat_keys.MOST :]]  # a browser keeps a limited number of cookies
    return found[: seat_keys.MOST], stale


def _state(stage: str, turn: bool, tr: Translator) -> str:
    if stage == "waiting":
        return tr._("waiting")
    if stage == "over":
        return tr._("over")
    return tr._("your turn") if turn else tr._("running")


async def _home(
    services: Services, client: Client, *, error: str = "", code: str = "", status: int = 200
) -> Response[Any]:
    mine, stale = await _mine(services, client)
    today = dt.datetime.now(dt.UTC).date()  # everywhere the same day
    drawn = [
        catalog.box(package, client.tr) | {"daily": package.analysis.daily(today)}
        for package in catalog.library(games.packages().values())
    ]
    html = services.renderer.render("home.html", client.tr, boxes=drawn, mine=mine, refused=error, code=code, here="/")
    answer = page(html, status)
    for old in stale:
        answer.set_cookie(services.seat_keys.drop(old))
    return answer


@get("/", name="home")
async def home(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """What shall we play?"""
    return await _home(services, client)


@post("/play", name="play", status_code=200)
async def play(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """Against bots, at once."""
    return await _open(request, services, client, now=True)


@post("/tables", name="open", status_code=200)
async def tables(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """A table for people."""
    return await _open(request, services, client, now=False)


async def _open(request: Request[Any, Any, Any], services: Services, client: Client, *, now: bool) -> Response[Any]:
    fields = await read_form(request)
    try:
        services.limits.require("open", client.address)
        code, key = await _opened(services, client, fields, now=now)
    except Refused as error:
        words = client.tr.refusal(error)
        if client.is_program:
            return problems.problem_of(error, words)
        return await _home(services, client, error=words, status=problems.status_of(error))
    if client.is_program:
        return Response(Opened(code, 0, key), status_code=201)
    answer = redirect(services.url(f"/t/{code}/race" if field(fields, "race") == "new" else f"/t/{code}"))
    answer.set_cookie(services.seat_keys.hold(code, key, secure=client.secure))
    return answer


async def _opened(services: Services, client: Client, fields: Fields, *, now: bool) -> tuple[str, str]:
    """Open the table that the form asks for; its code and the opener's key."""
    package = games.package(field(fields, "game"))
    count = number(fields, "seats", 20)
    bots = None if not now else bots_at_once(package) if count is None else count - 1
    race = field(fields, "race")
    if race in {"", "new"}:
        top, deal = chosen_deal(package, fields, services.host.library)
    else:
        first = await first_of_race(services, await services.table(race, client.address))
        package, top, deal, race = games.package(first.game), first.top, first.deal, first.id
    actor, name = services.actor(client), field(fields, "name")
    code, key = await open_table(services, package, actor, bots=bots, name=name, top=top, deal=deal)
    if race:
        await enter_race(services, code, code if race == "new" else race)
    return code, key


@post("/join", name="join", status_code=200)
async def join(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """To the table with this code; the home page once more, with the reason, where it is Invalid or there is none."""
    code = "".join(field(await read_form(request), "code").split()).upper()
    try:
        if not code:
            raise Invalid("Please type the code of the table.")
        table = await services.table(code, client.address)
    except Refused as error:
        words = client.tr.refusal(error)
        return await _home(services, client, error=words, code=code[:12], status=problems.status_of(error))
    return redirect(services.url(f"/t/{table.id}"))


HANDLERS = [home, play, tables, join]
