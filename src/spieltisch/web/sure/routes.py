"""Claims about chains: ask, turn over, and draw the curve. All that is stored of it, the visitor's device stores.

The address of a chain holds its seed, so the page that asks does not hold the answer: the next request deals it anew.
"""

import re
import secrets
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import Meta, Struct

from spieltisch import sure
from spieltisch.decks.base_kind import DeckKind, kind_of
from spieltisch.decks.library import Entry
from spieltisch.game import Illegal, Invalid
from spieltisch.table.host import Missing
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import field, is_number, read_form, read_small
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.deck_choice import chosen_kinds
from spieltisch.web.sure import views
from spieltisch.web.sure.views import Dealt, dealt, told

MOST = 500  # claims that a device keeps
_ROUND = re.compile("[0-9a-f]{12}")  # eight digits of the seed, four of the mark


class Kept(Struct, frozen=True):
    """What a device keeps, as it sends it and as its file has it: claims by where they were made."""

    format: Literal["spieltisch-sure/1"]
    claims: Annotated[dict[Annotated[str, Meta(max_length=80)], sure.Claim], Meta(max_length=MOST)]


@get("/sure", name="sure")
async def overview(services: ServicesHere, client: ClientHere) -> Response[object]:
    """Show what being sure means here, and the curve of this device."""
    decks = [(name, one.title[client.lang] or name) for name, one in (await _offered(services, client)).items()]
    html = services.renderer.render(
        "sure/overview.html", client.tr, heading=client.tr._("Are you too sure?"), back=client.path, decks=decks,
        own_css="sure/sure.css", example=views.plot(sure.curve(views.EXAMPLE).tens), stakes=sure.STAKES,
        most=MOST,
    )  # fmt: skip
    return page(html)


@post("/sure", name="draw-sure", status_code=200)
async def drawn(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Draw the curve of the claims that a device sends, as a part of a page. Raises Invalid if these are none."""
    try:
        kept = msgspec.json.decode(await read_small(request), type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Invalid("This file has no guesses for this page.") from None
    found = sure.curve([*kept.claims.values()])
    return page(services.renderer.render("sure/curve.html", client.tr, **told(found, client.tr)))


@get("/sure/{deck:str}", name="sure-next")
async def another(services: ServicesHere, client: ClientHere, deck: FromPath[str]) -> Response[object]:
    """Deal another chain of a deck."""
    await _require(services, client, deck)
    seed = secrets.token_hex(4)
    return redirect(services.url(f"/sure/{deck}/{seed}{(await _deal(services, deck, seed)).mark}"))


@get("/sure/{deck:str}/{chain:str}", name="sure-ask")
async def ask(
    services: ServicesHere, client: ClientHere, deck: FromPath[str], chain: FromPath[str]
) -> Response[object]:
    """Ask how sure the visitor is that a chain is right."""
    found = await _chain(services, client, deck, chain)
    if found is None:
        return redirect(services.url(f"/sure/{deck}"))
    html = services.renderer.render(
        "sure/chain.html", client.tr, heading=client.tr._("How sure are you?"), back=client.path, deck=deck,
        chain=chain, accent=found.accent, title=found.title[client.lang] or deck, stakes=sure.STAKES,
        steps=views.STEPS, cards=[row.front[client.lang] for row in found.rows], own_css="sure/sure.css",
    )  # fmt: skip
    return page(html)


@post("/sure/{deck:str}/{chain:str}", name="sure-claim", status_code=200)
async def claim(
    request: HttpRequest, services: ServicesHere, deck: FromPath[str], chain: FromPath[str]
) -> Response[object]:
    """Take a claim, and turn the chain over."""
    said = field(await read_form(request), "percent")
    return redirect(services.url(f"/sure/{_plain(deck)}/{_plain(chain)}/{_percent(said)}"))


@get("/sure/{deck:str}/{chain:str}/{percent:str}", name="sure-told")
async def turned(
    services: ServicesHere, client: ClientHere, deck: FromPath[str], chain: FromPath[str], percent: FromPath[str]
) -> Response[object]:
    """Show a chain turned over, and what a claim about it is paid."""
    said, found = _percent(percent), await _chain(services, client, deck, chain)
    if found is None:
        return redirect(services.url(f"/sure/{deck}"))
    made = sure.Claim(said, found.right, found.epochs, found.fields)
    html = services.renderer.render(
        "sure/turned.html", client.tr, back=client.path, deck=deck, chain=chain, accent=found.accent, said=said,
        heading=client.tr._(views.OUTCOMES[found.right]), right=found.right,
        points=views.paid(sure.points(said, found.right), client.tr), rows=views.turned(found, client.lang),
        claim=msgspec.json.encode(made).decode(), own_css="sure/sure.css",
    )  # fmt: skip
    return page(html)


async def _offered(services: Services, client: Client) -> dict[str, Entry]:
    """Return the decks from which this client may deal: those with which they could open a table."""
    decks = services.host.library
    readable = services.deck_keys.opened(client.cookies, decks).readable
    return await decks.reading(
        lambda: {name: one for kind in _with_years() for name, one in decks.offered(kind, readable).items()}
    )


def _with_years() -> list[str]:
    """Return the kinds whose cards say when they were."""
    return [kind for kind in chosen_kinds() if type(kind_of(kind)).span is not DeckKind.span]


async def _require(services: Services, client: Client, deck: str) -> None:
    if deck not in await _offered(services, client):
        services.guesses.require(client.address)
        raise Missing("there is no deck {name}", name=deck[:80])


async def _chain(services: Services, client: Client, deck: str, chain: str) -> Dealt | None:
    """Return the chain of an address; None if there is none, or its cards have been changed since."""
    await _require(services, client, deck)
    if not _ROUND.fullmatch(chain):
        return None
    found = await _deal(services, deck, chain[:8])
    return found if found.mark == chain[8:] else None


async def _deal(services: Services, deck: str, seed: str) -> Dealt:
    found = await services.host.library.answer(dealt, (deck,), seed)
    if found is None:
        raise Illegal("This deck has too few cards for that.")
    return found


def _percent(said: str) -> int:
    if not (is_number(said, 3) and int(said) <= 100):
        raise Invalid("Please choose a number from 0 to 100.")
    return int(said)


def _plain(part: str) -> str:
    """Return a part of an address as it stands in one."""
    if not re.fullmatch("[a-z0-9-]{1,80}", part):
        raise Missing("There is nothing at this address.")
    return part


HANDLERS = [overview, drawn, another, ask, claim, turned]
