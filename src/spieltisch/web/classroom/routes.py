"""The pages of a class: for its teacher, its pupils, the wall, and strips to print."""

from functools import partial

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery

from spieltisch.classroom.classroom import LETTERS, MOST, NUMBERS, Classroom, Pupil
from spieltisch.classroom.keys import split
from spieltisch.game import Invalid, Refused
from spieltisch.table import seat_keys
from spieltisch.table.host import Missing
from spieltisch.table.lobby import code_in
from spieltisch.table.log import deck_names
from spieltisch.web.classroom import commands, slips
from spieltisch.web.classroom import form as lesson_form
from spieltisch.web.classroom.commands import LEADING
from spieltisch.web.classroom.inject import RoomHere, ViewsHere, find_room, require_teacher
from spieltisch.web.classroom.plans import MINUTES, SIZES, change_plan, own_decks, plan_of, prepare
from spieltisch.web.classroom.views import ClassViews
from spieltisch.web.core.http import problems
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import Fields, field, is_number, read_form, token
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.renderer import Html, qr
from spieltisch.web.core.services import Services

LED = 12  # classes that the page for a new one lists


def _drawn(services: Services, client: Client, template: str, status: int = 200, **shown: object) -> Response[object]:
    html = services.renderer.render(template, client.tr, here=client.path, **shown)
    return page(html, status, cache_control="no-store")


# -- before the lesson ---------------------------------------------------------------------------------------


@get("/class/new", name="class-new")
async def new(services: ServicesHere, client: ClientHere, views: ViewsHere) -> Response[object]:
    """Show the form for a new lesson, and the classes of this browser's teacher."""
    return await _new(services, client, views)


async def _new(
    services: Services, client: Client, views: ClassViews, status: int = 200, refused: str = "", filled: Fields = ()
) -> Response[object]:
    led: list[dict[str, str]] = []
    for code in list(services.class_cookies.led(client.cookies))[:LED]:
        try:
            room = await services.classes.get(code)
        except Refused:
            continue
        led.append({"code": code, "title": room.title, "told": await views.told(room, client.tr)})
    games = await views.games(None, client.tr, filled, own_decks(services, client))
    return _drawn(
        services, client, "classroom/new.html", status, games=games, led=led, refused=refused, sizes=list(SIZES),
        minutes=MINUTES, chosen=lesson_form.chosen(None, filled), room=None, most=MOST,
    )  # fmt: skip


@post("/class/new", name="class-make", status_code=200)
async def make(request: HttpRequest, services: ServicesHere, client: ClientHere, views: ViewsHere) -> Response[object]:
    """Make the class and give this browser the teacher's key."""
    fields: Fields = ()
    try:
        fields = await read_form(request)
        room = await prepare(services, client, fields)
    except Refused as error:
        words = lesson_form.refusal(error, fields, client.tr)
        return await _new(services, client, views, problems.status_of(error), words, fields)
    answer = redirect(services.url(f"/class/{room.id}"))
    answer.set_cookie(services.class_cookies.hold_teacher(room.id, secure=client.secure))
    return answer


@post("/class/cards", name="class-cards", status_code=200)
async def cards(request: HttpRequest, services: ServicesHere, client: ClientHere, views: ViewsHere) -> Response[object]:
    """Say how many cards a lesson in preparation plays with, or what is wrong with it."""
    fields = await read_form(request)
    try:
        services.limits.require("command", client.address, client.holder)
        plan = await plan_of(services, fields, own_decks(services, client))
        words = await views.cards(plan, client.tr)
    except Refused as error:
        words = lesson_form.refusal(error, fields, client.tr)
    return Response(words, media_type="text/plain", headers={"cache-control": "no-store"})


@get("/class/{code:str}/edit", name="class-plan")
async def plan(services: ServicesHere, client: ClientHere, room: RoomHere, views: ViewsHere) -> Response[object]:
    """Show the teacher the plan, to be changed."""
    require_teacher(services, client, room)
    return await _plan(services, client, room, views)


async def _plan(
    services: Services,
    client: Client,
    room: Classroom,
    views: ClassViews,
    status: int = 200,
    refused: str = "",
    filled: Fields = (),
) -> Response[object]:
    held = own_decks(services, client, room.plan)
    games = await views.games(room.plan, client.tr, filled, held)
    return _drawn(
        services, client, "classroom/new.html", status, games=games, led=[], refused=refused, sizes=list(SIZES),
        minutes=MINUTES, chosen=lesson_form.chosen(room, filled), room=room, most=MOST,
    )  # fmt: skip


@get("/class/{code:str}/strips", name="class-strips")
async def strips(
    services: ServicesHere, client: ClientHere, room: RoomHere, only: FromQuery[str] = ""
) -> Response[object]:
    """Show the teacher the strips to print, all or one."""
    require_teacher(services, client, room)
    keys = services.class_keys
    numbers = [int(only)] if is_number(only, 2) and 1 <= int(only) <= NUMBERS else range(1, room.strips + 1)
    address = f"{client.origin}{services.url(f'/class/{room.id}/strip')}"
    shown = []
    for number in numbers:
        strip = keys.strip(room, number)
        shown.append({"number": number, "code": f"{strip[:5]} {strip[5:]}", "qr": Html(qr(f"{address}#{strip}"))})
    return _drawn(
        services, client, "classroom/strips.html", room=room, strips=shown, host=client.origin.partition("//")[2],
        only=bool(only),
    )  # fmt: skip


@get("/class/{code:str}/key", name="class-key")
async def key_page(services: ServicesHere, client: ClientHere, room: RoomHere) -> Response[object]:
    """The target of the teacher's link. The key stands after its `#`, and the page posts it."""
    return _drawn(services, client, "classroom/key.html", url=services.url(f"/class/{room.id}/key"), strip=False)


@post("/class/{code:str}/key", name="class-take-key", status_code=200)
async def take_key(
    request: HttpRequest, services: ServicesHere, client: ClientHere, room: RoomHere
) -> Response[object]:
    """Exchange the teacher's key for the cookie. Raises Forbidden for a wrong key."""
    if not services.class_keys.opens(token(await read_form(request)), room.id):
        services.guesses.require(client.address)
        raise Forbidden("This link does not open the class.")
    answer = redirect(services.url(f"/class/{room.id}"))
    answer.set_cookie(services.class_cookies.hold_teacher(room.id, secure=client.secure))
    return answer


# -- pupils --------------------------------------------------------------------------------------------------


def come_in(services: Services, client: Client, room: Classroom, pupil: Pupil) -> Response[object]:
    """Return the answer to a pupil who has come in: their key, and the way to their seat."""
    answer = redirect(services.url(f"/class/{room.id}/seat"))
    answer.set_cookie(services.class_cookies.hold_pupil(room, pupil.number, secure=client.secure))
    return answer


async def join_by_code(services: Services, client: Client, code: str, strip: str) -> Response[object]:
    """Return the answer to somebody who typed the code of a class or, with that of a strip, of their place in it."""
    try:
        room = await find_room(services, client, code)
    except Missing as error:
        raise Missing("There is no class {code}. From a strip, type all ten characters.", code=code) from error
    if not strip:
        return redirect(services.url(f"/class/{room.id}"))
    return await _join(services, client, room, strip)


async def _join(services: Services, client: Client, room: Classroom, strip: str, same: str = "") -> Response[object]:
    try:
        return come_in(services, client, *await commands.join_class(services, client, room, strip, same))
    except commands.AlreadySeated as error:
        if client.is_program:
            raise
        return _drawn(
            services, client, "classroom/seated.html", 409, room=room, strip=strip, name=error.pupil.name,
            table=error.table, free=error.free,
        )  # fmt: skip


@get("/class/{code:str}", name="class")
async def show(services: ServicesHere, client: ClientHere, room: RoomHere, views: ViewsHere) -> Response[object]:
    """Show the class: all tables to its teacher, the seat or the waiting room to a pupil, the way in to others."""
    return await show_class(services, client, room, views)


async def show_class(
    services: Services,
    client: Client,
    room: Classroom,
    views: ClassViews,
    status: int = 200,
    refused: str = "",
    *,
    still: bool = False,
) -> Response[object]:
    """Draw the page of the class, perhaps with a refusal. A pupil's page that is `still` does not go to the seat by
    itself.
    """
    if services.class_cookies.leads(client.cookies, room.id):
        await services.classes.used(room)
        await services.use_decks(deck_names(room.plan.top))
        shown = await views.overview(room, client.tr)
        return _drawn(
            services, client, "classroom/class.html", status, **shown, refused=refused,
            key=f"{client.origin}{services.url(f'/class/{room.id}/key')}#{services.class_keys.teacher_key(room.id)}",
        )  # fmt: skip
    cookies = services.class_cookies
    number, left = cookies.pupil(client.cookies, room), cookies.left(client.cookies, room)
    shown = await views.pupil(room, number, client.tr, left)
    return _drawn(services, client, "classroom/pupil.html", status, refused=refused, still=still, **shown)


@get("/class/{code:str}/strip", name="class-strip")
async def strip_page(services: ServicesHere, client: ClientHere, room: RoomHere) -> Response[object]:
    """The target of a strip's QR code. The strip's code stands after the `#`, and the page posts it."""
    return _drawn(services, client, "classroom/key.html", url=services.url(f"/class/{room.id}/join"), strip=True)


@get("/class/{code:str}/seat", name="class-seat")
async def seat(services: ServicesHere, client: ClientHere, room: RoomHere, views: ViewsHere) -> Response[object]:
    """Lead this browser's pupil to their seat and give them its key; without a seat, lead them to the class."""
    table = await commands.seat_of_pupil(services, client, room)
    if table is None or room.slip is not None:
        return redirect(services.url(f"/class/{room.id}"))
    number = services.class_cookies.pupil(client.cookies, room)
    assert number is not None
    key = services.class_keys.pupil_key(room, number)
    if table.setup.called or not seat_keys.recognizes(table.setup, key):  # the table would lead back here
        words = client.tr._("Your seat is not ready. Wait a moment, or ask your teacher.")
        return await show_class(services, client, room, views, 409, words, still=True)
    answer = redirect(services.url(f"/t/{table.id}"))
    for old, held in services.seat_cookies.tables(client.cookies):
        if held == key and not table.id.startswith(old):  # where they sat before
            answer.set_cookie(services.seat_cookies.drop(old))
    answer.set_cookie(services.seat_cookies.hold(table.id, key, secure=client.secure))
    return answer


@get("/class/over", name="class-over")
async def over(services: ServicesHere, client: ClientHere) -> Response[object]:
    """Tell pupils that their lesson is over, and what is kept of it."""
    return _drawn(services, client, "classroom/over.html")


# -- the wall ------------------------------------------------------------------------------------------------


@get("/class/{code:str}/debrief", name="class-debrief")
async def debrief(services: ServicesHere, client: ClientHere, room: RoomHere, views: ViewsHere) -> Response[object]:
    """Show the teacher the slides of the lesson. While a game runs, show the class with the reason."""
    require_teacher(services, client, room)
    try:
        slides = await views.look_back.slides(room, client.tr)
    except Refused as error:
        if client.is_program:
            raise
        return await show_class(services, client, room, views, problems.status_of(error), client.refusal(error))
    html = services.renderer.render("classroom/debrief.html", client.tr, room=room, slides=slides)
    return page(html, cache_control="no-store")


@get("/class/{code:str}/wall", name="class-wall")
async def wall(services: ServicesHere, client: ClientHere, room: RoomHere, views: ViewsHere) -> Response[object]:
    """Show the class to everybody in the room."""
    return _drawn(services, client, "classroom/wall.html", **await views.wall(room, client.origin, client.tr))


@get("/class/{code:str}/pupil/{number:int}", name="class-one")
async def one(
    services: ServicesHere, client: ClientHere, room: RoomHere, views: ViewsHere, number: FromPath[int]
) -> Response[object]:
    """Show the teacher one pupil, to be moved, labelled, taken out, or given another strip."""
    require_teacher(services, client, room)
    pupil = room.pupil(number)
    if pupil is None:
        return redirect(services.url(f"/class/{room.id}"))
    shown = await views.overview(room, client.tr)
    rows = sorted(shown["rows"], key=lambda row: row["n"])
    now = next((n for n, t in enumerate(room.tables, 1) if number in t.pupils), 0)
    swaps = [row for row in rows if now and row["n"] != now and row["state"] not in {"over", "closed"}]
    if next((row["state"] for row in rows if row["n"] == now), "over") in {"over", "closed"}:
        swaps = []
    return _drawn(
        services, client, "classroom/one.html", room=room, pupil=pupil, rows=rows, swaps=swaps, now=now, labels=LETTERS
    )


# -- what is done --------------------------------------------------------------------------------------------


@post("/class/{code:str}/{to:str}", name="class-command", status_code=200)
async def act(
    request: HttpRequest,
    services: ServicesHere,
    client: ClientHere,
    room: RoomHere,
    views: ViewsHere,
    to: FromPath[str],
) -> Response[object]:
    """Do something in a class. A refusal shows the class with the reason."""
    fields: Fields = ()
    try:
        services.limits.require("command", client.address, client.holder)
        fields = await read_form(request)
        if to == "join":
            return await _join(services, client, room, _strip(room, fields), field(fields, "same"))
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
            await services.desk.settle(room, room.tables)
            changed = await command(services, room, fields)
    except Refused as error:
        words, status = client.refusal(error), problems.status_of(error)
        if client.is_program:
            return problems.problem_of(error, words)
        if to == "plan" and services.class_cookies.leads(client.cookies, room.id):
            return await _plan(
                services, client, room, views, status, lesson_form.refusal(error, fields, client.tr), fields
            )
        return await show_class(services, client, await services.classes.get(room.id), views, status, words)
    if changed is None:
        answer = redirect(services.url("/class/new"))
        answer.set_cookie(services.class_cookies.drop_teacher(room.id))
        return answer
    if to == "renew":
        number = field(fields, "pupil")
        return redirect(services.url(f"/class/{room.id}/strips?only={number if is_number(number, 2) else ''}"))
    return redirect(services.url(f"/class/{room.id}"))


def _strip(room: Classroom, fields: Fields) -> str:
    """The code of a strip that a form brings, typed or from its QR code, perhaps without that of the class; "" from a
    form that asks for none. Forbidden for what can be none, so that a slip does not make somebody another pupil.
    """
    if not {"strip", "token"} & {name for name, _ in fields}:
        return ""
    typed = (field(fields, "strip") or token(fields))[:300]
    text = code_in(typed)
    if not typed.strip():
        raise Invalid("Please type the code on your strip.")
    if text == room.id:
        raise Invalid("This is the code of the class. Type all ten characters on your strip.")
    found = split(text if len(text) > len(room.id) else room.id + text)
    if found is None or found[0] != room.id or not found[1]:
        raise Forbidden("This strip does not work. Check each character. If all are right, ask for a new strip.")
    return found[1]


HANDLERS = [
    new, make, cards, plan, strips, key_page, take_key, show, strip_page, seat, over, debrief, wall, one, act,
]  # fmt: skip
