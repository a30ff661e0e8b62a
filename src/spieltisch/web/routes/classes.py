"""A class: its lesson is prepared, pupils come, who leads it sees all tables; the wall, and strips to be printed."""

from functools import partial
from typing import Any

from litestar import Request, Response, get, post
from litestar.params import FromPath, FromQuery

from spieltisch.classroom.classroom import LABELS, MOST, NUMBERS, Classroom, Pupil
from spieltisch.game import Refused
from spieltisch.table.lobby import code_in
from spieltisch.table.log import deck_names
from spieltisch.web.access import seat_keys
from spieltisch.web.access.class_keys import split
from spieltisch.web.commands import classes as commands
from spieltisch.web.commands import slips
from spieltisch.web.commands.class_plans import MINUTES, SIZES, change_plan, own_decks, plan_of, prepare
from spieltisch.web.commands.class_tables import settle, tables_of
from spieltisch.web.commands.classes import LEADING
from spieltisch.web.commands.debrief import wall_of
from spieltisch.web.http import problems
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import Fields, field, is_number, read_form, token
from spieltisch.web.http.problems import Forbidden
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.services import Services
from spieltisch.web.view import class_form
from spieltisch.web.view.codes import qr
from spieltisch.web.view.renderer import Html

LED = 12  # classes that the page for a new one lists


def _drawn(services: Services, client: Client, template: str, status: int = 200, **shown: Any) -> Response[Any]:
    html = services.renderer.render(template, client.tr, here=client.path, **shown)
    return page(html, status, cache_control="no-store")


def require_teacher(services: Services, client: Client, room: Classroom) -> None:
    """Forbidden for all but who leads this class."""
    if not services.class_keys.leads(client.cookies, room.id):
        raise Forbidden("Only who leads this class can do that.")


# -- before the lesson ---------------------------------------------------------------------------------------


@get("/class/new", name="class-new")
async def new(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """A lesson to be prepared, and the classes that this browser leads."""
    return await _new(services, client)


async def _new(
    services: Services, client: Client, status: int = 200, refused: str = "", filled: Fields = ()
) -> Response[Any]:
    led: list[dict[str, str]] = []
    for code in list(services.class_keys.led(client.cookies))[:LED]:
        try:
            room = await services.classes.get(code)
        except Refused:
            continue
        led.append({"code": code, "title": room.title, "told": await services.class_views.told(room, client.tr)})
    games = await services.class_views.games(None, client.tr, filled, own_decks(services, client))
    return _drawn(
        services, client, "class-new.html", status, games=games, led=led, refused=refused, sizes=list(SIZES),
        minutes=MINUTES, chosen=class_form.chosen(None, filled), room=None, most=MOST,
    )  # fmt: skip


@post("/class/new", name="class-make", status_code=200)
async def make(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """The class is made, and this browser leads it."""
    fields: Fields = ()
    try:
        fields = await read_form(request)
        room = await prepare(services, client, fields)
    except Refused as error:
        words = class_form.refusal(error, fields, client.tr)
        return await _new(services, client, problems.status_of(error), words, fields)
    answer = redirect(services.url(f"/class/{room.id}"))
    answer.set_cookie(services.class_keys.hold_teacher(room.id, secure=client.secure))
    return answer


@post("/class/cards", name="class-cards", status_code=200)
async def cards(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """While a lesson is prepared: how many cards it plays with, or why it cannot be so."""
    fields = await read_form(request)
    try:
        services.limits.require("command", client.address, client.holder)
        plan = await plan_of(services, fields, own_decks(services, client))
        words = await services.class_views.cards(plan, client.tr)
    except Refused as error:
        words = class_form.refusal(error, fields, client.tr)
    return Response(words, media_type="text/plain", headers={"cache-control": "no-store"})


@get("/class/{code:str}/edit", name="class-plan")
async def plan(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Response[Any]:
    """The plan, to be changed; for who leads the class."""
    room = await services.classroom(code, client)
    require_teacher(services, client, room)
    return await _plan(services, client, room)


async def _plan(
    services: Services, client: Client, room: Classroom, status: int = 200, refused: str = "", filled: Fields = ()
) -> Response[Any]:
    held = own_decks(services, client, room.plan)
    games = await services.class_views.games(room.plan, client.tr, filled, held)
    return _drawn(
        services, client, "class-new.html", status, games=games, led=[], refused=refused, sizes=list(SIZES),
        minutes=MINUTES, chosen=class_form.chosen(room, filled), room=room, most=MOST,
    )  # fmt: skip


@get("/class/{code:str}/strips", name="class-strips")
async def strips(
    services: ServicesHere, client: ClientHere, code: FromPath[str], only: FromQuery[str] = ""
) -> Response[Any]:
    """The strips to be printed, all or one; for who leads the class."""
    room, keys = await services.classroom(code, client), services.class_keys
    require_teacher(services, client, room)
    numbers = [int(only)] if is_number(only, 2) and 1 <= int(only) <= NUMBERS else range(1, room.strips + 1)
    address = f"{client.origin}{services.url(f'/class/{room.id}/strip')}"
    shown = []
    for number in numbers:
        strip = keys.strip(room, number)
        shown.append({"number": number, "code": f"{strip[:5]} {strip[5:]}", "qr": Html(qr(f"{address}#{strip}"))})
    return _drawn(
        services, client, "class-strips.html", room=room, strips=shown, host=client.origin.partition("//")[2],
        only=bool(only),
    )  # fmt: skip


@get("/class/{code:str}/key", name="class-key")
async def key_page(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Response[Any]:
    """Where the link of who leads the class leads: the key stands behind its `#`; the page posts it."""
    room = await services.classroom(code, client)
    return _drawn(services, client, "class-key.html", url=services.url(f"/class/{room.id}/key"), strip=False)


@post("/class/{code:str}/key", name="class-take-key", status_code=200)
async def take_key(
    request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere, code: FromPath[str]
) -> Response[Any]:
    """The key of who leads the class, exchanged for the cookie; Forbidden if it is not that."""
    room = await services.classroom(code, client)
    if not services.class_keys.opens(token(await read_form(request)), room.id):
        services.guesses.require(client.address)
        raise Forbidden("This link does not open the class.")
    answer = redirect(services.url(f"/class/{room.id}"))
    answer.set_cookie(services.class_keys.hold_teacher(room.id, secure=client.secure))
    return answer


# -- pupils --------------------------------------------------------------------------------------------------


def come_in(services: Services, client: Client, room: Classroom, pupil: Pupil) -> Response[Any]:
    """The answer to a pupil who has come: their key, and the way to their seat."""
    answer = redirect(services.url(f"/class/{room.id}/seat"))
    answer.set_cookie(services.class_keys.hold_pupil(room, pupil.number, secure=client.secure))
    return answer


@get("/class/{code:str}", name="class")
async def show(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Response[Any]:
    """The class: all tables for who leads it; for a pupil the seat, or that they wait; for others the way in."""
    room = await services.classroom(code, client)
    return await show_class(services, client, room)


async def show_class(
    services: Services, client: Client, room: Classroom, status: int = 200, refused: str = "", *, still: bool = False
) -> Response[Any]:
    """The page of the class, perhaps with why something was `refused`. A pupil's page that is `still` does not lead on
    to the seat by itself.
    """
    if services.class_keys.leads(client.cookies, room.id):
        await services.classes.used(room)
        await services.use_decks(deck_names(room.plan.top))
        shown = await services.class_views.overview(room, await tables_of(services, room), client.tr)
        return _drawn(
            services, client, "class.html", status, **shown, refused=refused,
            key=f"{client.origin}{services.url(f'/class/{room.id}/key')}#{services.class_keys.teacher_key(room.id)}",
        )  # fmt: skip
    number = services.class_keys.pupil(client.cookies, room)
    return _drawn(
        services,
        client,
        "class-pupil.html",
        status,
        refused=refused,
        still=still,
        **await services.class_views.pupil(room, number, client.tr),
    )


@get("/class/{code:str}/strip", name="class-strip")
async def strip_page(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Response[Any]:
    """Where the QR code of a strip leads: its code stands behind the `#`; the page posts it."""
    room = await services.classroom(code, client)
    return _drawn(services, client, "class-key.html", url=services.url(f"/class/{room.id}/join"), strip=True)


@get("/class/{code:str}/seat", name="class-seat")
async def seat(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Response[Any]:
    """To the seat of this browser's pupil, with the key that opens it; to the class where they have none."""
    room = await services.classroom(code, client)
    table = await commands.seat_of_pupil(services, client, room)
    if table is None or room.slip is not None:
        return redirect(services.url(f"/class/{room.id}"))
    number = services.class_keys.pupil(client.cookies, room)
    assert number is not None
    key = services.class_keys.pupil_key(room, number)
    if table.setup.called or not seat_keys.recognizes(table.setup, key):  # the table would lead back here
        words = client.tr._("Your seat is not ready. Wait a moment, or ask your teacher.")
        return await show_class(services, client, room, 409, words, still=True)
    answer = redirect(services.url(f"/t/{table.id}"))
    for old, held in services.seat_keys.tables(client.cookies):
        if held == key and not table.id.startswith(old):  # where they sat before
            answer.set_cookie(services.seat_keys.drop(old))
    answer.set_cookie(services.seat_keys.hold(table.id, key, secure=client.secure))
    return answer


@get("/class/over", name="class-over")
async def over(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """Where phones are led when the lesson they were in is over: that it is, and what is kept."""
    return _drawn(services, client, "class-over.html")


# -- the wall ------------------------------------------------------------------------------------------------


@get("/class/{code:str}/wall", name="class-wall")
async def wall(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Response[Any]:
    """The class for everybody in the room."""
    room = await services.classroom(code, client)
    return _drawn(services, client, "class-wall.html", **await wall_of(services, client, room))


@get("/class/{code:str}/pupil/{number:int}", name="class-one")
async def one(services: ServicesHere, client: ClientHere, code: FromPath[str], number: FromPath[int]) -> Response[Any]:
    """One pupil, for who leads the class: to be moved, labelled, taken out, or given another strip."""
    room = await services.classroom(code, client)
    require_teacher(services, client, room)
    pupil = room.pupil(number)
    if pupil is None:
        return redirect(services.url(f"/class/{room.id}"))
    shown = await services.class_views.overview(room, await tables_of(services, room), client.tr)
    rows = sorted(shown["rows"], key=lambda row: row["n"])
    now = next((n for n, t in enumerate(room.tables, 1) if number in t.pupils), 0)
    swaps = [row for row in rows if now and row["n"] != now and row["state"] not in {"over", "closed"}]
    if next((row["state"] for row in rows if row["n"] == now), "over") in {"over", "closed"}:
        swaps = []
    return _drawn(
        services, client, "class-one.html", room=room, pupil=pupil, rows=rows, swaps=swaps, now=now, labels=LABELS
    )


# -- what is done --------------------------------------------------------------------------------------------


@post("/class/{code:str}/{to:str}", name="class-command", status_code=200)
async def act(
    request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere, code: FromPath[str], to: FromPath[str]
) -> Response[Any]:
    """Everything that is done in a class. Who is refused (Forbidden for others) sees it with the reason."""
    room = await services.classroom(code, client)
    fields: Fields = ()
    try:
        services.limits.require("command", client.address, client.holder)
        fields = await read_form(request)
        if to == "join":
            return come_in(services, client, *await commands.join_class(services, client, room, _strip(room, fields)))
        if to == "name":
            await commands.other_name(services, client, room)
            return redirect(services.url(f"/class/{room.id}"))
        if to == "answer":
            await slips.answer(services, client, room, fields)
            return redirect(services.url(f"/class/{room.id}"))
        command = LEADING.get(to)
        if command is None:
            raise Forbidden("There is nothing at this address.")
        require_teacher(services, client, room)
        if to == "plan":
            command = partial(change_plan, held=own_decks(services, client, room.plan))
        async with services.classes.turn(room.id):  # of two commands at once, the second knows what the first did
            room = await services.classes.get(room.id)
            await settle(services, room, room.tables)
            changed = await command(services, room, fields)
    except Refused as error:
        words, status = client.tr.refusal(error), problems.status_of(error)
        if client.is_program:
            return problems.problem_of(error, words)
        if to == "plan" and services.class_keys.leads(client.cookies, room.id):
            return await _plan(services, client, room, status, class_form.refusal(error, fields, client.tr), fields)
        return await show_class(services, client, await services.classes.get(room.id), status, words)
    if changed is None:
        answer = redirect(services.url("/class/new"))
        answer.set_cookie(services.class_keys.drop_teacher(room.id))
        return answer
    if to == "renew":
        number = field(fields, "pupil")
        return redirect(services.url(f"/class/{room.id}/strips?only={number if is_number(number, 2) else ''}"))
    return redirect(services.url(f"/class/{room.id}"))


def _strip(room: Classroom, fields: Fields) -> str:
    """The code of a strip that a form brings, typed or from its QR code, perhaps without that of the class; "" for
    none. Forbidden for what can be none, so that a slip does not make somebody another pupil.
    """
    typed = (field(fields, "strip") or token(fields))[:300]
    text = code_in(typed)
    if not typed.strip() or text == room.id:
        return ""
    found = split(text if len(text) > len(room.id) else room.id + text)
    if found is None or found[0] != room.id or not found[1]:
        raise Forbidden("This strip does not open anything. Check each sign; if all are right, ask for a new one.")
    return found[1]


HANDLERS = [
    new, make, cards, plan, strips, key_page, take_key, show, strip_page, seat, over, wall, one, act,
]  # fmt: skip
