"""The report of a class, for who leads it: as a page and as files."""

import asyncio
from typing import Annotated, Any

from litestar import Response, get
from litestar.exceptions import ClientException
from litestar.params import FromPath, QueryParameter

from spieltisch.decks.check import open_deck
from spieltisch.decks.exporting import questions
from spieltisch.decks.exporting.spreadsheets import ODS, as_csv, as_ods
from spieltisch.decks.library import Library, slug
from spieltisch.game import Illegal, Invalid
from spieltisch.web.http.client import Client
from spieltisch.web.http.printing import report_printer
from spieltisch.web.http.responses import attachment, page
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.routes.classes import require_teacher
from spieltisch.web.services import Services
from spieltisch.web.view import class_report as view
from spieltisch.web.view.class_report import ClassReport

Scope = Annotated[str, QueryParameter(name="of")]
WHOLE = "all"


async def _report(services: Services, client: Client, code: str, of: str) -> ClassReport:
    """The report of the lesson, or of all lessons; Forbidden for all but who leads the class."""
    room = await services.classroom(code, client)
    require_teacher(services, client, room)
    count = await services.classes.decided(room)
    whole = of == WHOLE or (not of and not room.tables and bool(room.counted))
    return await asyncio.to_thread(view.report, room, count, services.host.library, whole=whole)


@get("/class/{code:str}/report", name="class-report")
async def report(services: ServicesHere, client: ClientHere, code: FromPath[str], of: Scope = "") -> Response[Any]:
    """By goal what was right, and what was missed most. `of`: all, for all lessons."""
    found = await _report(services, client, code, of)
    shown = view.page(found, client.tr)
    html = services.renderer.render("class-report.html", client.tr, here=client.path, **shown)
    return page(html, cache_control="no-store")


@get("/class/{code:str}/report/{form:str}", name="class-report-file")
async def file(
    services: ServicesHere, client: ClientHere, code: FromPath[str], form: FromPath[str], of: Scope = ""
) -> Response[Any]:
    """The report as csv (a row a decision), ods, pdf, or what was missed as questions for Moodle (gift). Illegal where
    nothing is to be told.
    """
    if form not in {"csv", "ods", "pdf", "gift"}:
        raise ClientException(status_code=404)
    found, tr = await _report(services, client, code, of), client.tr
    name = slug(found.room.title)
    if not found.tallies:
        raise Illegal("There is nothing to report yet: games count when no table plays any more.")
    if form == "csv":
        return attachment(f"{name}.csv", as_csv(view.decisions(found, tr)).encode(), "text/csv")
    if form == "gift":
        made = await asyncio.to_thread(_questions, found, services.host.library, client.lang)
        return attachment(f"{name}-moodle.txt", made.encode(), "text/plain")
    shown = view.page(found, tr)
    if form == "ods":
        sheets = {
            tr._("Goals"): view.by_goal(shown, tr),
            tr._("Cards"): view.by_card(found, tr),
            tr._("Decisions"): view.decisions(found, tr),
        }
        return attachment(f"{name}.ods", as_ods(sheets), ODS)
    services.limits.require("print", client.address)
    made = await asyncio.to_thread(report_printer(), view.sheet(found, shown, tr))
    return attachment(f"{name}.pdf", made, "application/pdf")


def _questions(found: ClassReport, library: Library, lang: str) -> str:
    """Questions about all cards that were missed, deck by deck; Illegal where there are none."""
    missed: dict[str, list[str]] = {}
    for one in found.missed:
        if found.card(one.deck, one.card) is not None:
            missed.setdefault(one.deck, []).append(one.card)
    made: list[str] = []
    for deck, ids in missed.items():
        try:
            made.append(questions.of_cards(open_deck(library.path(deck)), lang, ids))
        except Invalid:
            continue
    if not made:
        raise Illegal("Nothing was missed that can be asked about.")
    return "\n".join(made)


HANDLERS = [report, file]
