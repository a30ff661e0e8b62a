"""A table's page, what is done there, and the screen for everybody."""

from typing import Any
from urllib.parse import quote

from litestar import Request, Response, get, post
from litestar.exceptions import ClientException
from litestar.params import FromPath, FromQuery

from spieltisch.game import Refused
from spieltisch.table.names import tidy
from spieltisch.table.table import Table
from spieltisch.web.access.class_cookies import moved_from
from spieltisch.web.commands import COMMANDS
from spieltisch.web.commands.messages import Took
from spieltisch.web.commands.playing import find_hint
from spieltisch.web.http import problems
from spieltisch.web.http.client import Client
from spieltisch.web.http.cookies import NAME
from spieltisch.web.http.forms import Fields, field, is_number, read_form
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.services import Services
from spieltisch.web.view.hints import Hint
from spieltisch.web.view.viewer import Viewer, translator_for, viewer_of


@get("/t/{code:str}", name="table")
async def show(
    services: ServicesHere,
    client: ClientHere,
    table: TableHere,
    hint: FromQuery[str] = "",
    step: FromQuery[str] = "",
) -> Response[Any]:
    """The table, in whatever stage it is, perhaps with a hint. Of the games of an evening it is the newest one."""
    if table.setup.goes_on and (last := await services.newest(table)).id != table.id:
        return redirect(services.url(f"/t/{last.id}"))
    actor = services.actor(client, table.id)
    if class_seat := moved_from(table.setup, actor.key):
        return redirect(services.url(class_seat))
    await services.met(table, actor.key)
    viewer = viewer_of(actor, table)
    shown = await _hint(services, client, table, viewer, hint, step)
    return page(await services.views.page(table, viewer, client.path, hint=shown, name=client.name))


async def _hint(
    services: Services, client: Client, table: Table, viewer: Viewer, question: str, step: str
) -> Hint | None:
    """The hint that an address asks for; None if there is none, or the question has been answered meanwhile."""
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
    services: ServicesHere, client: ClientHere, table: TableHere, small: FromQuery[str] = ""
) -> Response[Any]:
    """The table for everybody to look at: nobody's view. Of the games of an evening it is the newest one."""
    last = await services.newest(table)
    if last.id != table.id:
        return redirect(services.url(f"/t/{last.id}/screen"))
    viewer = viewer_of(services.actor(client), table, screen="small" if small else "big")
    return page(await services.views.page(table, viewer, client.path))


@post("/t/{code:str}/{to:str}", name="command", status_code=200)
async def act(
    request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere, code: FromPath[str], to: FromPath[str]
) -> Response[Any]:
    """Everything that is done at a table."""
    command = COMMANDS.get(to)
    if command is None:
        raise ClientException(status_code=404)
    table = await services.table(code, client)
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
        return await _shown(services, client, table, problems.status_of(error), refused=words, name=tidy(name))
    if client.is_program:
        return Response(Took(result.moot, (await services.host.table(table.id)).seq))  # to a script of the page
    if result.moot or result.note:
        words = result.words(translator_for(table, None, client.lang))
        return await _shown(services, client, table, 200, noted=words)
    answer = redirect(services.url(result.go or f"/t/{table.id}"))
    if result.key and not client.token:
        answer.set_cookie(services.seat_cookies.hold(table.id, result.key, secure=client.secure))
    if to == "delete":
        answer.set_cookie(services.seat_cookies.drop(table.id))
    if result.name:
        answer.set_cookie(services.cookies.keep(NAME, quote(result.name), secure=client.secure))
    return answer


async def _shown(
    services: Services, client: Client, table: Table, status: int, *, refused: str = "", noted: str = "", name: str = ""
) -> Response[Any]:
    """The table with what is said of a command."""
    viewer = viewer_of(services.actor(client, table.id), table)
    html = await services.views.page(table, viewer, client.path, refused=refused, noted=noted, name=name or client.name)
    return page(html, status)


HANDLERS = [show, screen, act]
