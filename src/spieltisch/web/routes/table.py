"""A table's page, what is done there, and the screen for everybody."""

import asyncio
from typing import Annotated, Any
from urllib.parse import quote

from litestar import Request, Response, get, post
from litestar.exceptions import ClientException
from litestar.params import FromPath, FromQuery, QueryParameter

from spieltisch.game import Refused
from spieltisch.table.table import Table
from spieltisch.web.commands import COMMANDS
from spieltisch.web.commands.command import CommandResult
from spieltisch.web.commands.messages import Seat, Took
from spieltisch.web.http import problems
from spieltisch.web.http.client import Client
from spieltisch.web.http.cookies import NAME
from spieltisch.web.http.forms import is_number, query_number, read_form
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.services import Services
from spieltisch.web.view.hints import Hint, can_hint, hint
from spieltisch.web.view.snapshot import snapshot
from spieltisch.web.view.viewer import Viewer, translator_for, viewer_of


@get("/t/{code:str}", name="table")
async def show(
    services: ServicesHere,
    client: ClientHere,
    table: TableHere,
    after: Annotated[str, QueryParameter()] = "",
    revision: Annotated[str, QueryParameter()] = "",
    hint: FromQuery[str] = "",
    step: FromQuery[str] = "",
) -> Response[Any]:
    """The table: a page for people, JSON for programs, who may wait for what comes `after` an entry."""
    actor = services.actor(client, table.id)
    if client.wants_json:
        entry, seen = query_number("after", after), query_number("revision", revision)
        if entry is not None:
            table = await services.news(table, entry, table.setup.rev if seen is None else seen)
        return Response(snapshot(table, viewer_of(actor, table), entry or 0))
    viewer = viewer_of(actor, table)
    shown = await _hint(table, viewer, hint, step)
    return page(services.views.page(table, viewer, client.path, hint=shown, name=client.name))


async def _hint(table: Table, viewer: Viewer, question: str, step: str) -> Hint | None:
    """The hint that an address asks for; None if there is none, or the question has been answered meanwhile."""
    if not is_number(question, 9) or not can_hint(table, viewer.seat):
        return None
    try:
        return await asyncio.to_thread(
            hint, table, viewer.seat, int(question), int(step) if step in {*"123456789"} else None
        )
    except Refused:
        return None


@get("/t/{code:str}/screen", name="screen")
async def screen(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[Any]:
    """The table for everybody to look at: nobody's view."""
    viewer = viewer_of(services.actor(client), table, screen=True)
    return page(services.views.page(table, viewer, client.path))


@post("/t/{code:str}/{to:str}", name="command", status_code=200)
async def act(
    request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere, code: FromPath[str], to: FromPath[str]
) -> Response[Any]:
    """Everything that is done at a table."""
    command = COMMANDS.get(to)
    if command is None:
        raise ClientException(status_code=404)
    table = await services.table(code, client.address)
    try:
        services.limits.require("command", client.address)
        result = await command(services, table, services.actor(client, table.id), await read_form(request))
    except Refused as error:
        words = translator_for(table, None, client.lang).refusal(error)
        if client.is_program:
            return problems.problem_of(error, words)
        table = await services.table(code, client.address)  # as it is now
        return _shown(services, client, table, problems.status_of(error), refused=words)
    if client.is_program:
        return await _as_json(services, table.id, to, result)
    if result.moot or result.note:
        words = result.words(translator_for(table, None, client.lang))
        return _shown(services, client, table, 200, noted=words)
    answer = redirect(services.url(result.go or f"/t/{table.id}"))
    if result.key and not client.token:
        answer.set_cookie(services.seat_keys.hold(table.id, result.key, secure=client.secure))
    if to == "delete":
        answer.set_cookie(services.seat_keys.drop(table.id))
    if result.name:
        answer.set_cookie(services.cookies.keep(NAME, quote(result.name), secure=client.secure))
    return answer


def _shown(
    services: Services, client: Client, table: Table, status: int, *, refused: str = "", noted: str = ""
) -> Response[Any]:
    """The table with what is said of a command."""
    viewer = viewer_of(services.actor(client, table.id), table)
    html = services.views.page(table, viewer, client.path, refused=refused, noted=noted, name=client.name)
    return page(html, status)


async def _as_json(services: Services, table_id: str, to: str, result: CommandResult) -> Response[Any]:
    if to == "sit":
        return Response(Seat(result.seat, result.key))
    if to == "delete":
        return Response(Took())
    table = await services.host.table(table_id)
    hinted = None if result.hint is None else result.hint.action
    return Response(Took(result.moot, table.seq, hinted, table.setup.rematch if to == "rematch" else ""))


HANDLERS = [show, screen, act]
