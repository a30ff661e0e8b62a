"""The pages of a table: the table itself, the screen for everybody, the evening, and the ways to a table."""

from urllib.parse import quote

from litestar import Response, get, post
from litestar.exceptions import ClientException
from litestar.params import FromPath, FromQuery
from msgspec.structs import replace

from spieltisch.game import Refused
from spieltisch.table import seat_keys
from spieltisch.table.evening import code_of
from spieltisch.table.names import tidy
from spieltisch.table.table import Table
from spieltisch.web.core.http import problems
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.cookies import NAME
from spieltisch.web.core.http.forms import Fields, field, is_number, read_form, token
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere, find_table
from spieltisch.web.core.renderer import Html
from spieltisch.web.core.renderer import qr as qr_code
from spieltisch.web.core.services import Services
from spieltisch.web.core.view import outcome
from spieltisch.web.core.view.hints import Hint
from spieltisch.web.core.view.viewer import Viewer, translator_for, viewer_of
from spieltisch.web.table.bodies import Took
from spieltisch.web.table.commands import COMMANDS
from spieltisch.web.table.inject import TableViewsHere
from spieltisch.web.table.playing import find_hint
from spieltisch.web.table.views import TableViews


@get("/t/{code:str}", name="table")
async def show(
    services: ServicesHere,
    client: ClientHere,
    table: TableHere,
    table_views: TableViewsHere,
    hint: FromQuery[str] = "",
    step: FromQuery[str] = "",
) -> Response[object]:
    """Show the table, perhaps with a hint. Of an evening it is the newest game."""
    if table.setup.goes_on and (last := await services.newest(table)).id != table.id:
        return redirect(services.url(f"/t/{last.id}"))
    actor = services.actor(client, table.id)
    if seat_keys.has_moved(table.setup, actor.key):
        return redirect(services.url(f"/class/{table.setup.classroom}/seat"))
    await services.met(table, actor.key)
    viewer = viewer_of(actor, table)
    shown = await _hint(services, client, table, viewer, hint, step) if hint else None
    return page(await table_views.page(table, viewer, client.path, hint=shown, name=client.name))


async def _hint(
    services: Services, client: Client, table: Table, viewer: Viewer, question: str, step: str
) -> Hint | None:
    """Return the hint that an address asks for; None if there is none, or if the question was answered meanwhile."""
    if not is_number(question, 9) or viewer.seat is None:
        return None
    try:
        services.limits.require("hint", client.address)
        wanted = int(step) if step in {*"123456789"} else None
        return await find_hint(services, table, viewer.seat, int(question), wanted)
    except Refused:
        return None


@get("/t/{code:str}/screen", name="screen")
async def screen(
    services: ServicesHere,
    client: ClientHere,
    table: TableHere,
    table_views: TableViewsHere,
    small: FromQuery[str] = "",
) -> Response[object]:
    """Show the table to everybody, from nobody's seat. Of an evening it is the newest game."""
    last = await services.newest(table)
    if last.id != table.id:
        return redirect(services.url(f"/t/{last.id}/screen"))
    viewer = viewer_of(services.actor(client), table, screen="small" if small else "big")
    return page(await table_views.page(table, viewer, client.path))


@post("/t/{code:str}/{to:str}", name="command", status_code=200)
async def act(
    request: HttpRequest,
    services: ServicesHere,
    client: ClientHere,
    table_views: TableViewsHere,
    code: FromPath[str],
    to: FromPath[str],
) -> Response[object]:
    """Carry out a command at a table."""
    command = COMMANDS.get(to)
    if command is None:
        raise ClientException(status_code=404)
    table = await find_table(services, client, code)
    actor = services.actor(client, table.id)
    await services.met(table, actor.key)
    fields: Fields = ()
    try:
        services.limits.require("command", client.address, actor.known(table.setup))
        fields = await read_form(request)
        result = await command(services, table, actor, fields)
    except Refused as error:
        words = translator_for(table, None, client.lang).refusal(error)
        if client.is_program:
            return problems.problem_of(error, words)
        table = await services.host.table(table.id)  # as it is now
        name = field(fields, "name") if to == "sit" else ""  # what was written is still there
        status = problems.status_of(error)
        return await _shown(services, table_views, client, table, status, refused=words, name=tidy(name))
    if client.is_program:
        return Response(Took(result.moot, (await services.host.table(table.id)).seq))  # to a script of the page
    if words := result.words(translator_for(table, None, client.lang)):
        table = await services.host.table(table.id)
        answer = await _shown(services, table_views, client, table, 200, noted=words, key=result.key)
    else:
        answer = redirect(services.url(result.go or f"/t/{table.id}"))
    if result.key and not client.token:
        answer.set_cookie(services.seat_cookies.hold(table.id, result.key, secure=client.secure))
    if to == "delete":
        answer.set_cookie(services.seat_cookies.drop(table.id))
    if result.name:
        answer.set_cookie(services.cookies.keep(NAME, quote(result.name), secure=client.secure))
    return answer


async def _shown(
    services: Services,
    views: TableViews,
    client: Client,
    table: Table,
    status: int,
    *,
    refused: str = "",
    noted: str = "",
    name: str = "",
    key: str = "",
) -> Response[object]:
    """Answer with the table and the words on a command. `key`: a new one that the person has got."""
    actor = services.actor(client, table.id)
    viewer = viewer_of(replace(actor, key=key or actor.key), table)
    html = await views.page(table, viewer, client.path, refused=refused, noted=noted, name=name or client.name)
    return page(html, status)


@get("/t/{code:str}/evening", name="evening")
async def evening(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Show the games of this table's evening, and how often each player has won. The link needs no seat."""
    last = await services.newest(table)
    code, tr = code_of(last.id), translator_for(last, None, client.lang, client.terms)
    kept = {*await services.host.store.games(code), last.id}
    ended_early = [
        one.id
        for one in last.setup.evening
        if not one.winners and (setup := await services.host.store.setup(one.id)) and setup.stage == "closed"
    ]
    html = services.renderer.render(
        "table/evening.html",
        tr,
        heading=tr._("The evening at table {code}").format(code=code),
        url=Html(services.url(f"/t/{last.id}")),
        standings=outcome.standings(outcome.wins(last), tr),
        played=outcome.evening_so_far(last, tr),
        kept=kept,
        ended_early=ended_early,
        runs=last.result is None,
        number=last.setup.number,
        back=client.path,
    )
    return page(html)


# -- ways to a table -----------------------------------------------------------------------------------------


@get("/t/{code:str}/qr.svg", name="qr")
async def qr(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Send the address of the table, for all games of its evening, as a QR code."""
    return Response(qr_code(f"{client.origin}{services.url(f'/t/{code_of(table.id)}')}"), media_type="image/svg+xml")


@get("/t/{code:str}/next", name="next")
async def onward(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Go to the newest game of the evening, with the key that this browser has here."""
    following = await services.newest(table)
    answer = redirect(services.url(f"/t/{following.id}"))
    key = services.seat_cookies.key(client.cookies, table.id)
    if code_of(following.id) != code_of(table.id) and seat_keys.recognizes(following.setup, key):
        answer.set_cookie(services.seat_cookies.hold(following.id, key, secure=client.secure))
    return answer


@get("/t/{code:str}/seat", name="seat")
async def seat_page(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Show where a personal link leads. The key stands behind its `#`, so no server sees it; the page posts it."""
    url = services.url(f"/t/{table.id}")
    return page(services.renderer.render("table/seat.html", client.tr, code=table.id, url=url, here=client.path))


@post("/t/{code:str}/seat", name="seat_again", status_code=200)
async def take_seat(
    request: HttpRequest, services: ServicesHere, client: ClientHere, table: TableHere
) -> Response[object]:
    """Exchange the key of a personal link for the cookie. Raises Forbidden if it opens no seat here. The page asks
    first if it would replace another key of this browser.
    """
    fields = await read_form(request)
    key = token(fields)
    if not seat_keys.recognizes(table.setup, key):
        services.guesses.require(client.address)
        raise Forbidden("This link does not open a seat any more.")
    url, own = services.url(f"/t/{table.id}"), services.seat_cookies.key(client.cookies, table.id)
    if own not in {"", key} and seat_keys.recognizes(table.setup, own) and field(fields, "do") != "replace":
        names = [table.setup.chairs[seat].name for seat in seat_keys.seats_of(table.setup, own)]
        asking = {"token": key, "name": names[0] if names else ""}
        return page(
            services.renderer.render("table/seat.html", client.tr, code=table.id, url=url, here=client.path, **asking)
        )
    answer = redirect(url)
    answer.set_cookie(services.seat_cookies.hold(table.id, key, secure=client.secure))
    return answer


HANDLERS = [show, screen, act, evening, qr, onward, seat_page, take_seat]
