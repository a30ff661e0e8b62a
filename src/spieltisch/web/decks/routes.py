"""Pages of decks: the list, a deck, its files and its print. `editing` has what changes a deck."""

import datetime as dt
from collections.abc import Sequence
from typing import Annotated

from litestar import Response, get
from litestar.exceptions import ClientException
from litestar.params import FromPath, QueryParameter

from spieltisch.decks import library
from spieltisch.decks.base_kind import kind_of, plainest
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.exporting.template import as_csv, as_workbook
from spieltisch.decks.findings import Finding
from spieltisch.game import Illegal
from spieltisch.table.host import Missing
from spieltisch.web.core.catalog import MONTHS
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.forms import is_number
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.http.responses import attachment, page
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.optional import print_deck, require_printer
from spieltisch.web.core.renderer import Html
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.deck_choice import chosen_kinds
from spieltisch.web.decks import questions
from spieltisch.web.decks.commands import find_deck, require_own
from spieltisch.web.decks.views import deck_list, finding

TEMPLATES = {
    "xlsx": (as_workbook, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "csv": (as_csv, "text/csv"),
}
PRINTED = 1_500  # cards that a browser gets as a PDF


async def show_list(
    services: Services,
    client: Client,
    refused: str = "",
    text: str = "",
    status: int = 200,
    at: int = 0,
    title: str = "",
    kind: str = "",
) -> Response[object]:
    """Answer with a page of the decks that the reader may see and the form for a new one, with a refusal."""
    decks, keys = services.host.library, services.deck_keys
    readable, made = keys.opened(client.cookies, decks)
    shown = await decks.reading(lambda: deck_list(decks, client.tr, readable, made, at))
    html = services.renderer.render(
        "decks/list.html", client.tr, **shown, refused=refused, text=text, title=title, kind=kind, here="/decks",
        is_host=keys.is_host(client.cookies),
    )  # fmt: skip
    return page(html, status)


async def show_deck(
    services: Services,
    client: Client,
    name: str,
    *,
    at: int = 0,
    series: str = "",
    out: int = 0,
    wrong: Sequence[Finding] = (),
    row: dict[str, str] | None = None,
) -> Response[object]:
    """Answer with a deck's page, from the card `at` on. If it was made just now, it shows its key.

    With `wrong`, the page shows what is wrong with the `row` that the reader sent. `out` lines of the table were left
    out. Raises Missing if no game plays such decks.
    """
    mine, decks = await find_deck(services, client, name), services.host.library
    shown = await decks.answer(questions.shown, (name,), services.base, client.lang, at, series, mine)
    if shown is None:
        raise Missing("there is no deck {name}", name=name)
    private = await decks.reading(lambda: decks.is_private(name))
    if mine:
        await services.use_decks([name])
    link = f"{client.origin}{services.url(f'/decks/{name}/key')}#{services.deck_keys.key(name)}"
    made = mine and services.deck_keys.made(client.cookies) == name
    html = services.renderer.render(
        "decks/deck.html", client.tr, **shown, name=name, mine=mine, private=private, shipped=name in library.shipped(),
        used=mine and name in await services.decks_in_use(), wrong=[finding(one, client.lang) for one in wrong],
        row=row or {}, out=out, made=made,
        kept=_kept_until(services, client, name) if mine else "", link=Html(link) if mine else "",
        here=f"/decks/{name}",
    )  # fmt: skip
    answer = page(html, 422 if wrong else 200)
    if made:
        answer.set_cookie(services.deck_keys.drop_made())
    return answer


def _kept_until(services: Services, client: Client, name: str) -> str:
    """Say until when an unused deck of this reader is kept; "" for decks that stay."""
    until = None if services.uses is None else services.uses.until(name)
    if until is None:
        return ""
    day = dt.datetime.fromtimestamp(until, tz=dt.UTC).date() - dt.timedelta(1)
    tr = client.tr
    words = tr._("{n} {month} {year}").format(n=day.day, month=tr._(MONTHS[day.month - 1]), year=day.year)
    return tr._("This deck is deleted after {day} if nobody uses it.").format(day=words)


@get("/decks", name="decks")
async def decks(
    services: ServicesHere, client: ClientHere, at: Annotated[str, QueryParameter()] = ""
) -> Response[object]:
    """Show the decks and the form for a new one."""
    return await show_list(services, client, at=int(at) if is_number(at, 5) else 0)


@get("/decks/template/{form:str}", name="deck-template")
async def template(client: ClientHere, form: FromPath[str]) -> Response[object]:
    """Send an empty table for a deck."""
    before, _, ending = form.rpartition("-")
    kind = before or plainest().name
    if ending not in TEMPLATES or kind not in chosen_kinds() or not kind_of(kind).widths:
        raise ClientException(status_code=404)
    made, media = TEMPLATES[ending]
    return attachment(f"spieltisch{before and f'-{before}'}.{ending}", made(client.lang, kind), media)


@get("/decks/{name:str}", name="deck")
async def deck(
    services: ServicesHere,
    client: ClientHere,
    name: FromPath[str],
    at: Annotated[str, QueryParameter()] = "",
    series: Annotated[str, QueryParameter()] = "",
    out: Annotated[str, QueryParameter()] = "",
) -> Response[object]:
    """Show a deck: all backs to its maker, the fronts of a shipped deck to everybody. `series`: only its cards. `out`:
    how many lines were left out just now.
    """
    start, left_out = (int(n) if is_number(n, 5) else 0 for n in (at, out))
    return await show_deck(services, client, name, at=start, series=series, out=left_out)


@get("/decks/{name:str}/export/{form:str}", name="deck-export")
async def export(
    services: ServicesHere, client: ClientHere, name: FromPath[str], form: FromPath[str]
) -> Response[object]:
    """Send the deck as a file, with its backs, to a reader who has its key."""
    await require_own(services, client, name)
    if form not in EXPORTS:
        raise ClientException(status_code=404)
    made = await services.host.library.work(questions.exported, (name,), form, client.lang)
    return attachment(f"{name}.{EXPORTS[form].ending}", made, EXPORTS[form].media)


@get("/decks/{name:str}/print/{paper:str}", name="deck-print")
async def on_paper(
    services: ServicesHere, client: ClientHere, name: FromPath[str], paper: FromPath[str]
) -> Response[object]:
    """Send the deck as a PDF to a reader who has its key; to everybody if its backs hide nothing. Raises Forbidden for
    others and Illegal for too many cards.
    """
    mine, decks = await find_deck(services, client, name), services.host.library
    services.limits.require("print", client.address)
    one = await decks.answer(questions.about, (name,))
    if one.kind in chosen_kinds() and not mine:
        raise Forbidden("Only the person who made this deck can do that.")
    if paper not in {"a4", "letter"}:
        raise ClientException(status_code=404)
    if one.cards > PRINTED:
        raise Illegal("To print more than {n} cards, use spieltisch deck print.", n=PRINTED)
    require_printer()
    made = await services.heavy.printed(print_deck, decks.path(name), client.lang, paper, client.terms)
    return attachment(f"{name}.pdf", made, "application/pdf")


HANDLERS = [decks, template, deck, export, on_paper]
