"""How a player is told beyond the table's own page that it is their turn: the page where they say so, and the page to
which the links in mails lead.
"""

import secrets

from litestar import Response, get, post
from litestar.params import FromPath

from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.table.evening import code_of
from spieltisch.table.host import Missing
from spieltisch.table.log import key_of
from spieltisch.table.reminders import CONFIRM, Hook, Mail, Reminder
from spieltisch.table.table import Table
from spieltisch.web.core import mailing
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import field, read_form
from spieltisch.web.core.http.problems import Busy, status_of
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
    return await _page(services, client, table, "", "")


async def _page(
    services: Services, client: Client, table: Table, at: str, typed: str, refused: Refused | None = None
) -> Response[object]:
    """`at` is the way ("hook", "mail") of which something was refused, `typed` what was typed there."""
    key, kept = _key(services, client, table), await services.reminders.get(code_of(table.id))
    html = services.renderer.render(
        "table/reminders.html",
        client.tr,
        heading=client.tr._("Tell me when it’s my turn"),
        back=client.path,
        url=Html(services.url(f"/t/{table.id}")),
        hook=kept.of(key, Hook),
        hosts=services.hosts.names,
        mail=kept.of(key, Mail),
        mails=services.mails,
        refused={} if refused is None else {at: client.refusal(refused)},
        typed={at: typed},
    )
    return page(html, 200 if refused is None else status_of(refused))


@post("/t/{code:str}/reminders", name="remind", status_code=200)
async def change(
    request: HttpRequest, services: ServicesHere, client: ClientHere, table: TableHere
) -> Response[object]:
    """Set a webhook or a mail address (`do` "hook", "mail"), or take it away ("unhook", "unmail")."""
    services.limits.require("command", client.address, services.actor(client, table.id).known(table.setup))
    key, code = _key(services, client, table), code_of(table.id)
    fields = await read_form(request)
    do, typed = field(fields, "do"), field(fields, "address").strip()
    try:
        if do == "hook":
            services.hosts.target(typed)
            one = Reminder(key, client.lang, Hook(typed, secrets.token_urlsafe(24)))
            await services.reminders.change(code, lambda old: old.having(one))
        elif do == "mail":
            await _ask(services, client, code, Reminder(key, client.lang, Mail(typed)))
        else:
            await services.reminders.forget(code, key, Hook if do == "unhook" else Mail)
    except Refused as error:
        return await _page(services, client, table, do, typed, error)
    return redirect(services.url(f"/t/{table.id}/reminders"))


async def _ask(services: Services, client: Client, code: str, one: Reminder) -> None:
    """Ask the owner of a mail address whether they want to be told there. Until they do, it gets nothing else."""
    assert isinstance(one.to, Mail)
    if not services.mails or not mailing.is_address(one.to.address):
        raise Invalid("This is not an email address.")
    services.limits.require("ask by mail from", client.address)
    one = Reminder(one.key, one.lang, Mail(one.to.address, services.host.clock() + CONFIRM))
    try:
        await services.reminding.ask(code, one)
    except OSError:
        raise Busy("The email could not be sent. Check the address, or try again later.") from None
    await services.reminders.change(code, lambda old: old.having(one))


# -- where links in mails lead: mail programs open them unasked, so only a form changes something ---------------


async def _linked(services: Services, client: Client, table: Table, signature: str) -> Reminder:
    """Return the reminder to which a mail's link leads. Raises Missing if that has ended."""
    code = code_of(table.id)
    found = services.reminding.by_link(code, await services.reminders.get(code), signature)
    if found is None:
        services.guesses.require(client.address)
        raise Missing("This link no longer works. This table sends nothing more to that address.")
    return found


@get("/t/{code:str}/mail/{signature:str}", name="mail")
async def linked(
    services: ServicesHere, client: ClientHere, table: TableHere, signature: FromPath[str]
) -> Response[object]:
    """Show what the owner of a mail address can do."""
    one = await _linked(services, client, table, signature)
    html = services.renderer.render(
        "table/mail.html", client.tr, heading=client.tr._("Email when it’s your turn"), back=client.path,
        url=Html(services.url(f"/t/{code_of(table.id)}/mail/{signature}")), mail=one.to, code=code_of(table.id),
        table=Html(services.url(f"/t/{code_of(table.id)}")),
    )  # fmt: skip
    return page(html)


@post("/t/{code:str}/mail/{signature:str}", name="mail-answer", status_code=200)
async def answer(
    request: HttpRequest, services: ServicesHere, client: ClientHere, table: TableHere, signature: FromPath[str]
) -> Response[object]:
    """Confirm the address (`do` "confirm"), or end the mails: what mail programs send with their own button, too."""
    one, code = await _linked(services, client, table, signature), code_of(table.id)
    assert isinstance(one.to, Mail)
    if field(await read_form(request), "do") != "confirm":
        await services.reminders.forget(code, one.key, Mail)
        html = services.renderer.render(
            "page.html", client.tr, heading=client.tr._("No more emails"), back="",
            message=client.tr._("The server has forgotten your address at table {code}.").format(code=code),
        )  # fmt: skip
        return page(html)
    confirmed = Reminder(one.key, one.lang, Mail(one.to.address))
    await services.reminders.change(code, lambda old: old.having(confirmed) if one in old.people else old)
    return redirect(services.url(f"/t/{code}/mail/{signature}"))


HANDLERS = [show, change, linked, answer]
