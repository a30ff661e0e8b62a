"""Other ways to a table: its QR code, the personal link, the rematch."""

from typing import Any

from litestar import Request, Response, get, post

from spieltisch.table import seat_keys
from spieltisch.table.evening import code_of
from spieltisch.web.http.forms import field, read_form, token
from spieltisch.web.http.problems import Forbidden
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.view import codes


@get("/t/{code:str}/qr.svg", name="qr")
async def qr(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[Any]:
    """The address of the table, whichever game of the evening is played there, as a QR code."""
    return Response(codes.qr(f"{client.origin}{services.url(f'/t/{code_of(table.id)}')}"), media_type="image/svg+xml")


@get("/t/{code:str}/next", name="next")
async def onward(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[Any]:
    """To the newest game of the evening, with the key that one has here."""
    following = await services.newest(table)
    answer = redirect(services.url(f"/t/{following.id}"))
    key = services.seat_cookies.key(client.cookies, table.id)
    if code_of(following.id) != code_of(table.id) and seat_keys.recognizes(following.setup, key):
        answer.set_cookie(services.seat_cookies.hold(following.id, key, secure=client.secure))
    return answer


@get("/t/{code:str}/seat", name="seat")
async def seat_page(services: ServicesHere, client: ClientHere, table: TableHere) -> Response[Any]:
    """Where a personal link leads. The key stands behind its `#`, so no server sees it; the page posts it."""
    url = services.url(f"/t/{table.id}")
    return page(services.renderer.render("seat.html", client.tr, code=table.id, url=url, here=client.path))


@post("/t/{code:str}/seat", name="seat_again", status_code=200)
async def take_seat(
    request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere, table: TableHere
) -> Response[Any]:
    """The key of a personal link, exchanged for the cookie; Forbidden if it opens no seat here. Where it would take the
    place of another key that this browser has here, it is asked first.
    """
    fields = await read_form(request)
    key = token(fields)
    if not seat_keys.recognizes(table.setup, key):
        services.guesses.require(client.address)
        raise Forbidden("This link does not open a seat any more.")
    url, own = services.url(f"/t/{table.id}"), services.seat_cookies.key(client.cookies, table.id)
    if own not in {"", key} and seat_keys.recognizes(table.setup, own) and field(fields, "do") != "replace":
        names = [table.setup.chairs[seat].name for seat in seat_keys.seats_of(table.setup, own)]
        asking = {"token": key, "name": names[0] if names else ""}
        return page(
            services.renderer.render("seat.html", client.tr, code=table.id, url=url, here=client.path, **asking)
        )
    answer = redirect(url)
    answer.set_cookie(services.seat_cookies.hold(table.id, key, secure=client.secure))
    return answer


HANDLERS = [qr, onward, seat_page, take_seat]
