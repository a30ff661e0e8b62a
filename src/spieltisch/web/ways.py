"""Other ways to and from a table: its QR code, the personal link, the record, the rematch."""

import io
from typing import Any

import msgspec
import segno
from litestar import Response, get, post
from litestar.params import FromPath

from spieltisch.web import deeds, seats
from spieltisch.web.house import Asker
from spieltisch.web.problems import Forbidden, TooMany
from spieltisch.web.tables import HTML, Ask, fields_of, find, house_of, to_page


@get("/t/{code:str}/qr.svg", name="qr")
async def qr(request: Ask, code: FromPath[str]) -> Response[Any]:
    """The table's address as a QR code."""
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    return Response(_qr(f"{asker.origin}{house.url(table.id)}"), media_type="image/svg+xml")


def _qr(text: str) -> str:
    out = io.BytesIO()
    segno.make(text, error="m").save(
        out, kind="svg", border=2, light="#fff", dark="#111", xmldecl=False, svgclass="qr", omitsize=True
    )
    return out.getvalue().decode()


@get("/t/{code:str}/record", name="record")
async def record(request: Ask, code: FromPath[str]) -> Response[Any]:
    """The record of a finished game, to keep."""
    house = house_of(request)
    table = await find(house, Asker(request, house), code)
    written = await house.host.record(table.id)
    name = f"{table.package.name}-{table.id}.json"
    return Response(
        msgspec.json.format(msgspec.json.encode(written), indent=1),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@get("/t/{code:str}/next", name="next")
async def onward(request: Ask, code: FromPath[str]) -> Response[Any]:
    """To the table of the rematch, with the key that one has here."""
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    if not table.setup.rematch:
        return to_page(house, f"/t/{table.id}")
    following = await find(house, asker, table.setup.rematch)
    answer = to_page(house, f"/t/{following.id}")
    key = house.cookies.key(asker.jar, table.id)
    if seats.recognizes(following.setup, key):
        answer.set_cookie(house.cookies.hold(following.id, key, secure=asker.secure))
    return answer


# -- the personal link ---------------------------------------------------------------------------------------


@get("/t/{code:str}/seat", name="seat")
async def seat_page(request: Ask, code: FromPath[str]) -> Response[Any]:
    """Where a personal link leads. The key stands behind its `#`, so no server sees it; the page posts it."""
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    html = house.pages.render("seat.html", asker.tr, code=table.id, url=house.url(table.id), here=asker.here)
    return Response(html, media_type=HTML)


@post("/t/{code:str}/seat", name="seat_again", status_code=200)
async def take_seat(request: Ask, code: FromPath[str]) -> Response[Any]:
    """The key of a personal link, exchanged for the cookie."""
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    key = deeds.field(await fields_of(request), "token").strip().lstrip("#")
    if not seats.recognizes(table.setup, key):
        if not house.allows("guess", asker.address, 30, 0.2):
            raise TooMany("Too many tries. Please wait a moment.")
        raise Forbidden("This link does not open a seat any more.")
    answer = to_page(house, f"/t/{table.id}")
    answer.set_cookie(house.cookies.hold(table.id, key, secure=asker.secure))
    return answer


HANDLERS = [qr, record, onward, seat_page, take_seat]
