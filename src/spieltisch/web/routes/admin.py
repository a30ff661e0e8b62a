"""The page of whoever runs the server: how it is doing, tables from outside, a restart to be told, reported cards.

It opens with the address that `serve` prints: its key stands behind the `#`, so no log has it, and is exchanged for a
cookie. What it shows has backs on it.
"""

import asyncio
import datetime as dt
from collections.abc import Sequence
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.params import QueryParameter

from spieltisch import makers
from spieltisch.decks import library
from spieltisch.decks.inbox import Report
from spieltisch.game import Invalid
from spieltisch.table.host import Missing
from spieltisch.table.log import TableSetup, tag
from spieltisch.table.store import Unsaved
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import field, is_number, read_form, token
from spieltisch.web.http.problems import Forbidden
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.services import Services
from spieltisch.web.view.deck_questions import Place, cards_reported
from spieltisch.web.view.overview import processes, summed_up, table_row, thinking

PER = 50  # tables on a page


@get("/host", name="host")
async def host_page(
    services: ServicesHere, client: ClientHere, at: Annotated[str, QueryParameter()] = ""
) -> Response[Any]:
    """The host's page; for all others a page that exchanges the key."""
    if not services.deck_keys.is_host(client.cookies):
        return page(services.renderer.render("hostkey.html", client.tr, url=services.url("/host"), here="/host"))
    found = [] if services.inbox is None else await asyncio.to_thread(services.inbox.all)
    start = int(at) if is_number(at, 6) else 0
    tables, stored, playing = await _tables(services, start)
    used = [name for name in dict.fromkeys(one.deck for one in found) if name in playing]
    cards = await _cards(services, found, client.lang)
    shown = [_shown(one, cards[one.deck].get(one.card)) for one in found]
    said, engines = await services.fleet.ask(), await asyncio.to_thread(makers.state)
    html = services.renderer.render(
        "host.html", client.tr, reports=shown, used=used, here="/host", at=start, per=PER, more=start + PER < stored,
        tables=[table_row(one, services.host.clock(), client.tr) for one in tables], stored=stored,
        figures=[*summed_up(said, services.host.clock(), client.tr), thinking(engines, client.tr)],
        processes=processes(said, client.tr),
        refuses=any("1" in one.get("refuses", "") for one in said), trouble=await services.readiness.why_not(),
        announced=services.announcement.words(client.tr),
    )  # fmt: skip
    return page(html)


async def _tables(services: Services, start: int) -> tuple[Sequence[TableSetup], int, set[str]]:
    """Some tables, how many there are, and the decks in use; none of a database that does not answer, since the page
    says then what is wrong.
    """
    store = services.host.store
    try:
        return await store.touched_last(PER, start), await store.count(), await services.decks_in_use()
    except Unsaved:
        return [], 0, set()


async def _cards(services: Services, found: Sequence[Report], lang: str) -> dict[str, dict[str, Place]]:
    """The cards that reports are about and that are still there, by deck and id."""
    ids: dict[str, list[str]] = {}
    for one in found:
        ids.setdefault(one.deck, []).append(one.card)
    cards: dict[str, dict[str, Place]] = {}
    for deck, some in ids.items():
        try:
            cards[deck] = await services.host.library.answer(cards_reported, (deck,), tuple(some), lang)
        except (Invalid, OSError):
            cards[deck] = {}
    return cards


def _shown(one: Report, there: Place | None) -> dict[str, Any]:
    """A report with its card, if that is still there, and where in the deck's page it can be changed."""
    days = [dt.datetime.fromtimestamp(at, tz=dt.UTC).date().isoformat() for at in (one.first, one.last)]
    place, card, fact = there or (0, None, "")
    return {
        "id": one.id, "deck": one.deck, "card_id": one.card, "times": one.times, "words": one.words,
        "days": days if days[0] != days[1] else days[:1],
        "card": card, "fact": fact,
        "place": f"?at={place}#card-{one.card}", "shipped": one.deck in library.shipped(),
    }  # fmt: skip


def require_host(services: Services, client: Client) -> None:
    """Forbidden for all but whoever runs the server."""
    if not services.deck_keys.is_host(client.cookies):
        raise Forbidden("Only whoever runs the server can do that.")


@post("/host", name="host-key", status_code=200)
async def take_key(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """The host's key, exchanged for the cookie; Forbidden if it is not that."""
    if not services.deck_keys.opens_host(token(await read_form(request))):
        services.guesses.require(client.address)
        raise Forbidden("This link does not open the host’s page.")
    answer = redirect(services.url("/host"))
    answer.set_cookie(services.deck_keys.hold_host(secure=client.secure))
    return answer


@post("/host/announce", name="host-announce", status_code=200)
async def announce(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """The server restarts in so many minutes, or (0) does not; Forbidden for all but the host."""
    require_host(services, client)
    minutes = field(await read_form(request), "minutes")
    if is_number(minutes, 3):
        services.announcement.restart(int(minutes))
    return redirect(services.url("/host"))


@post("/host/table", name="host-table", status_code=200)
async def table(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """A table is closed or deleted; Forbidden for all but the host, Missing if it is gone meanwhile."""
    require_host(services, client)
    fields = await read_form(request)
    found = [one for one in await services.host.store.ids() if tag(one) == field(fields, "tag")]
    if len(found) != 1:
        raise Missing("This table is not there any more.")
    if field(fields, "do") == "delete":
        await services.host.delete(found[0])
    else:
        await services.host.close(found[0])
    at = field(fields, "at")
    return redirect(services.url(f"/host?at={at if is_number(at, 6) else 0}#tables"))


@post("/host/renew", name="host-renew", status_code=200)
async def renew(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """Other keys for the host: this browser gets the new one, all others are out. Forbidden for all but the host."""
    require_host(services, client)
    await services.deck_keys.renew_host()
    answer = redirect(services.url("/host"))
    answer.set_cookie(services.deck_keys.hold_host(secure=client.secure))
    return answer


@post("/host/done", name="host-done", status_code=200)
async def done(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """A report has been looked at; Forbidden for all but the host."""
    require_host(services, client)
    report = field(await read_form(request), "report")
    if services.inbox is not None and is_number(report, 9):
        await services.inbox.done(int(report))
    return redirect(services.url("/host"))


HANDLERS = [host_page, take_key, announce, table, renew, done]
