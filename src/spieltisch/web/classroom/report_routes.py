"""The report of a class, for who leads it: as a page and as files."""

from typing import Annotated

from litestar import Response, get
from litestar.exceptions import ClientException
from litestar.params import FromPath, QueryParameter

from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.counts import LessonCount
from spieltisch.decks.exporting.spreadsheets import ODS
from spieltisch.decks.library import slug
from spieltisch.web.classroom import report as contents
from spieltisch.web.classroom.inject import RoomHere, require_teacher
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.responses import attachment, page
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.optional import print_report, require_printer
from spieltisch.web.core.services import Services

Scope = Annotated[str, QueryParameter(name="of")]
WHOLE = "all"


async def _counted(services: Services, client: Client, room: Classroom, of: str) -> tuple[Classroom, LessonCount, bool]:
    """Return the class, what was decided in its lesson, and whether all lessons are reported. Raises Forbidden for all
    but the teacher.
    """
    require_teacher(services, client, room)
    count = await services.classes.decided(room)
    return room, count, of == WHOLE or (not of and not room.tables and bool(room.counted))


@get("/class/{code:str}/report", name="class-report")
async def report(services: ServicesHere, client: ClientHere, room: RoomHere, of: Scope = "") -> Response[object]:
    """Show what was right by goal, and what was missed most. `of` is "all" for all lessons."""
    found = await _counted(services, client, room, of)
    shown = await services.host.library.work(contents.shown, (), *found, client.lang)
    html = services.renderer.render("classroom/report.html", client.tr, here=client.path, **shown)
    return page(html, cache_control="no-store")


@get("/class/{code:str}/report/{form:str}", name="class-report-file")
async def file(
    services: ServicesHere, client: ClientHere, room: RoomHere, form: FromPath[str], of: Scope = ""
) -> Response[object]:
    """The report as csv (a row a decision), grades (a row a pupil), ods, pdf, or what was missed as questions for
    Moodle. Illegal where nothing is to be told.
    """
    if form not in {"csv", "grades", "ods", "pdf", "moodle"}:
        raise ClientException(status_code=404)
    found = await _counted(services, client, room, of)
    name = slug(found[0].title)
    if form == "pdf":
        services.limits.require("print", client.address)
        require_printer()
    made = await services.host.library.work(
        contents.as_file, (), *found, "sheet" if form == "pdf" else form, client.lang
    )
    match form:
        case "csv":
            return attachment(f"{name}.csv", made, "text/csv")
        case "grades":
            return attachment(f"{name}-grades.csv", made, "text/csv")
        case "ods":
            return attachment(f"{name}.ods", made, ODS)
        case "moodle":
            return attachment(f"{name}-moodle.xml", made, "application/xml")
    return attachment(f"{name}.pdf", await services.heavy.printed(print_report, made), "application/pdf")


HANDLERS = [report, file]
