"""The page of whoever runs the server: the cards that were reported.

It opens with the address that `serve` prints: its key stands behind the `#`, so no log has it, and is exchanged for a
cookie. What it shows has backs on it.
"""

import asyncio
import datetime as dt
from typing import Any

from litestar import Request, Response, get, post

from spieltisch.decks import library
from spieltisch.decks.check import open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.inbox import Report
from spieltisch.game import Invalid
from spieltisch.web.commands.decks import decks_in_use
from spieltisch.web.http.forms import field, is_number, read_form, token
from spieltisch.web.http.problems import Forbidden
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.services import Services
from spieltisch.web.view.decks import card


@get("/host", name="host")
async def inbox(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """The inbox; for all others a page that exchanges the key."""
    if not services.deck_keys.is_host(client.cookies):
        return page(services.renderer.render("hostkey.html", client.tr, url=services.url("/host"), here="/host"))
    found = [] if services.inbox is None else await asyncio.to_thread(services.inbox.all)
    decks: dict[str, Deck | None] = {one.deck: _deck(services, one.deck) for one in found}
    playing = await decks_in_use(services)
    used = [name for name in decks if name in playing]
    shown = [_shown(one, decks[one.deck], client.lang) for one in found]
    return page(services.renderer.render("host.html", client.tr, reports=shown, used=used, here="/host"))


def _deck(services: Services, name: str) -> Deck | None:
    try:
        return open_deck(services.host.library.path(name))
    except (Invalid, OSError):
        return None


def _shown(one: Report, deck: Deck | None, lang: str) -> dict[str, Any]:
    """A report with its card, if that is still there, and where in the deck's page it can be changed."""
    days = [dt.datetime.fromtimestamp(at, tz=dt.UTC).date().isoformat() for at in (one.first, one.last)]
    place, row = next(
        ((at, row) for at, row in enumerate(deck.table.rows if deck else ()) if row["id"] == one.card), (0, None)
    )
    return {
        "id": one.id, "deck": one.deck, "card_id": one.card, "times": one.times, "words": one.words,
        "days": days if days[0] != days[1] else days[:1],
        "card": None if deck is None or row is None else card(row, deck.kind, lang),
        "fact": "" if row is None else row.cells.get("fact", ""),
        "place": f"?at={place}#card-{one.card}", "shipped": one.deck in library.shipped(),
    }  # fmt: skip


@post("/host", name="host-key", status_code=200)
async def take_key(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """The host's key, exchanged for the cookie; Forbidden if it is not that."""
    if not services.deck_keys.opens_host(token(await read_form(request))):
        services.limits.require("guess", client.address)
        raise Forbidden("This link does not open the host’s page.")
    answer = redirect(services.url("/host"))
    answer.set_cookie(services.deck_keys.hold_host(secure=client.secure))
    return answer


@post("/host/renew", name="host-renew", status_code=200)
async def renew(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """Other keys for the host: this browser gets the new one, all others are out. Forbidden for all but the host."""
    if not services.deck_keys.is_host(client.cookies):
        raise Forbidden("Only whoever runs the server can do that.")
    services.deck_keys.renew_host()
    answer = redirect(services.url("/host"))
    answer.set_cookie(services.deck_keys.hold_host(secure=client.secure))
    return answer


@post("/host/done", name="host-done", status_code=200)
async def done(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """A report has been looked at; Forbidden for all but the host."""
    if not services.deck_keys.is_host(client.cookies):
        raise Forbidden("Only whoever runs the server can do that.")
    report = field(await read_form(request), "report")
    if services.inbox is not None and is_number(report, 9):
        await asyncio.to_thread(services.inbox.done, int(report))
    return redirect(services.url("/host"))


HANDLERS = [inbox, take_key, renew, done]
