"""The host's page: figures, tables from outside, an announced restart, corrections of decks, reported cards; and
/health, /ready, /metrics.

`serve` prints the page's address. Its key stands behind the `#`, so no log has it, and is exchanged for a cookie. The
page shows backs of cards.
"""

import asyncio
import datetime as dt
from collections.abc import Sequence
from typing import Annotated

from litestar import Response, get, post
from litestar.params import QueryParameter

from spieltisch import makers
from spieltisch.bounded import TooMuchError
from spieltisch.decks import library
from spieltisch.decks.errata import Taken, taken_in
from spieltisch.decks.findings import say_sentence
from spieltisch.decks.inbox import Report
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.table.host import Missing
from spieltisch.table.log import TableSetup, tag
from spieltisch.table.store import Unsaved
from spieltisch.web.admin.views import Place, cards_reported, processes, summed_up, table_row, thinking
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import field, is_number, read_form, token
from spieltisch.web.core.http.problems import Forbidden, problem, status_of
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.http.uploads import DRAINED, read_upload
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.metrics import CONTENT
from spieltisch.web.core.services import Services

PER = 50  # tables on a page
CHECKING = 30.0  # seconds in which corrections have to be taken in


@get("/host", name="host")
async def host_page(
    services: ServicesHere, client: ClientHere, at: Annotated[str, QueryParameter()] = ""
) -> Response[object]:
    """Show the host's page; without the key, the page that exchanges it."""
    if not services.deck_keys.is_host(client.cookies):
        return page(services.renderer.render("admin/key.html", client.tr, url=services.url("/host"), here="/host"))
    return await _show(services, client, int(at) if is_number(at, 6) else 0)


async def _show(
    services: Services, client: Client, start: int = 0, *, taken: str = "", refused: str = "", status: int = 200
) -> Response[object]:
    """The host's page, with what became of a file of corrections."""
    found = [] if services.inbox is None else await asyncio.to_thread(services.inbox.all)
    tables, stored, playing = await _tables(services, start)
    used = [name for name in dict.fromkeys(one.deck for one in found) if name in playing]
    cards = await _cards(services, found, client.lang)
    shown = [_shown(one, cards[one.deck].get(one.card)) for one in found]
    said, engines = await services.fleet.ask(), await asyncio.to_thread(makers.progress)
    html = services.renderer.render(
        "admin/host.html", client.tr, reports=shown, used=used, here="/host",
        at=start, per=PER, more=start + PER < stored,
        tables=[table_row(one, services.host.clock(), client.tr) for one in tables], stored=stored,
        figures=[*summed_up(said, services.host.clock(), client.tr), thinking(engines, client.tr)],
        processes=processes(said, client.tr),
        refuses=any("1" in one.get("refuses", "") for one in said), trouble=await services.readiness.why_not(),
        announced=services.announcement.words(client.tr), taken=taken, refused=refused,
    )  # fmt: skip
    return page(html, status)


async def _tables(services: Services, start: int) -> tuple[Sequence[TableSetup], int, set[str]]:
    """Return some tables, the number of all, and the decks in use. Return none if the database does not answer: the
    page then says what is wrong.
    """
    store = services.host.store
    try:
        return await store.touched_last(PER, start), await store.count(), await services.decks_in_use()
    except Unsaved:
        return [], 0, set()


async def _cards(services: Services, found: Sequence[Report], lang: str) -> dict[str, dict[str, Place]]:
    """Return the reported cards that still exist, by deck and id."""
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


def _shown(one: Report, there: Place | None) -> dict[str, object]:
    """Return a report with its card, if that still exists, and where the deck's page can change it."""
    days = [dt.datetime.fromtimestamp(at, tz=dt.UTC).date().isoformat() for at in (one.first, one.last)]
    place, card, fact = there or (0, None, "")
    return {
        "id": one.id, "deck": one.deck, "card_id": one.card, "times": one.times, "words": one.words,
        "days": days if days[0] != days[1] else days[:1],
        "card": card, "fact": fact,
        "place": f"?at={place}#card-{one.card}", "shipped": one.deck in library.shipped(),
    }  # fmt: skip


def require_host(services: Services, client: Client) -> None:
    """Raise Forbidden unless this browser has the host's key."""
    if not services.deck_keys.is_host(client.cookies):
        raise Forbidden("Only the host of this server can do that.")


@post("/host", name="host-key", status_code=200)
async def take_key(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Exchange the host's key for the cookie. Raises Forbidden for another key."""
    if not services.deck_keys.opens_host(token(await read_form(request))):
        services.guesses.require(client.address)
        raise Forbidden("This link does not open the host’s page.")
    answer = redirect(services.url("/host"))
    answer.set_cookie(services.deck_keys.hold_host(secure=client.secure))
    return answer


@post("/host/announce", name="host-announce", status_code=200)
async def announce(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Announce a restart in some minutes, or (0) take it back."""
    require_host(services, client)
    minutes = field(await read_form(request), "minutes")
    if is_number(minutes, 3):
        services.announcement.restart(int(minutes))
    return redirect(services.url("/host"))


@post("/host/table", name="host-table", status_code=200)
async def table(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Close or delete a table. Raises Missing if it is gone meanwhile."""
    require_host(services, client)
    fields = await read_form(request)
    found = [one for one in await services.host.store.ids() if tag(one) == field(fields, "tag")]
    if len(found) != 1:
        raise Missing("This table no longer exists.")
    if field(fields, "do") == "delete":
        await services.host.delete(found[0])
    else:
        await services.host.close(found[0])
    at = field(fields, "at")
    return redirect(services.url(f"/host?at={at if is_number(at, 6) else 0}#tables"))


@post("/host/renew", name="host-renew", status_code=200)
async def renew(services: ServicesHere, client: ClientHere) -> Response[object]:
    """Make other keys for the host. This browser gets the new one; all others are out."""
    require_host(services, client)
    await services.deck_keys.renew_host()
    answer = redirect(services.url("/host"))
    answer.set_cookie(services.deck_keys.hold_host(secure=client.secure))
    return answer


@post("/host/errata", name="host-errata", status_code=200, request_max_body_size=DRAINED)
async def take_errata(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Corrections of a deck are taken in; Forbidden for all but the host."""
    require_host(services, client)
    try:
        done = await _corrected(services, (await read_upload(request)).content)
    except Refused as error:
        return await _show(services, client, refused=say_sentence(error, client.lang), status=status_of(error))
    words = client.tr.ngettext("{name}: {n} card corrected", "{name}: {n} cards corrected", done.cards)
    return await _show(services, client, taken=words.format(name=done.name, n=done.cards))


async def _corrected(services: Services, content: bytes) -> Taken:
    decks = services.host.library
    if decks.folder is None:
        raise Illegal("This server does not store decks.")
    if not content:
        raise Invalid("Choose a file.")
    try:
        done = await services.heavy.within(CHECKING, taken_in, decks.folder, content)
    except TooMuchError:
        raise Invalid("Importing this file takes too long.") from None
    if not await decks.save(done.name, done.text, done.was):
        raise Illegal("This deck has just been changed; please look again.")
    return done


@post("/host/done", name="host-done", status_code=200)
async def done(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Put a report away."""
    require_host(services, client)
    report = field(await read_form(request), "report")
    if services.inbox is not None and is_number(report, 9):
        await services.inbox.done(int(report))
    return redirect(services.url("/host"))


@get("/health", name="health")
async def health() -> dict[str, str]:
    """Say that the server is there."""
    return {"status": "ok"}


@get("/ready", name="ready")
async def ready(services: ServicesHere, client: ClientHere) -> Response[object]:
    """Say whether this server is ready and how this request looks from here; 503 with the reason if not."""
    if reason := await services.readiness.why_not():
        return problem(503, reason, "NotReady")
    return Response({"status": "ready", "origin": client.origin, "address": client.address, "base": services.base})


@get("/metrics", name="metrics")
async def metrics(services: ServicesHere, client: ClientHere) -> Response[bytes]:
    """Send the figures for Prometheus. Raises Forbidden without their key."""
    if not services.deck_keys.opens_metrics(client.token):
        services.guesses.require(client.address)
        raise Forbidden("This address needs a key. To see it, run spieltisch link --metrics.")
    return Response(await services.metrics.text(), media_type=CONTENT)


HANDLERS = [host_page, take_key, announce, table, renew, take_errata, done, health, ready, metrics]
