"""The page where a player says how they are told, beyond the table's own page, that it is their turn."""

import secrets

from litestar import Response, get, post

from spieltisch.game import Illegal, Invalid
from spieltisch.table.evening import code_of
from spieltisch.table.log import key_of
from spieltisch.table.reminders import Hook, Reminder
from spieltisch.table.table import Table
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import field, read_form
from spieltisch.web.core.http.problems import status_of
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.core.renderer import Html
from spieltisch.web.core.services import Services


def _key(services: Services, client: Client, table: Table) -> str:
    """Return the hash of the key of this browser's player, who may also have left for now. Raises Forbidden or Illegal
    if they cannot be told.
    """
    actor = services.actor(client, table.id)
    if not actor.returns(table.setup):
        actor.own_seat(table.setup)
    if table.setup.classroom:
        raise Illegal("In a class, your teacher decides that.")
    if len(table.setup.chairs) == 1:
        raise Illegal("You play alone here: it is always your turn.")
    return key_of(actor.key)


@get("/t/{code:str}/reminders", name="reminders")
async def show(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Show how this browser's player is told."""
    return await _page(services, client, table)


async def _page(
    services: Services, client: Client, table: Table, refused: Invalid | None = None, url: str = ""
) -> Response[object]:
    kept = await services.reminders.get(code_of(table.id))
    html = services.renderer.render(
        "table/reminders.html",
        client.tr,
        heading=client.tr._("Tell me when it’s my turn"),
        back=client.path,
        url=Html(services.url(f"/t/{table.id}")),
        hook=kept.hook_of(_key(services, client, table)),
        hosts=services.hosts.names,
        refused="" if refused is None else client.refusal(refused),
        typed=url,
    )
    return page(html, 200 if refused is None else status_of(refused))


@post("/t/{code:str}/reminders", name="remind", status_code=200)
async def change(
    request: HttpRequest, services: ServicesHere, client: ClientHere, table: TableHere
) -> Response[object]:
    """Set a webhook, or take it away (`do` "unhook")."""
    services.limits.require("command", client.address, services.actor(client, table.id).known(table.setup))
    key, code = _key(services, client, table), code_of(table.id)
    fields = await read_form(request)
    if field(fields, "do") == "unhook":
        await services.reminders.forget(code, key)
        return redirect(services.url(f"/t/{table.id}/reminders"))
    url = field(fields, "hook").strip()
    try:
        services.hosts.target(url)
    except Invalid as error:
        return await _page(services, client, table, error, url)
    one = Reminder(key, client.lang, Hook(url, secrets.token_urlsafe(24)))
    await services.reminders.change(code, lambda old: old.having(one))
    return redirect(services.url(f"/t/{table.id}/reminders"))


HANDLERS = [show, change]
