"""A table's addresses: the page, what is done there, the screen, the QR code, the record, the personal link."""

import asyncio
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote

import msgspec
from litestar import Request, Response, get, post
from litestar.exceptions import ClientException
from litestar.params import FromPath, FromQuery, QueryParameter

from spieltisch import i18n
from spieltisch.game import Invalid, Refused
from spieltisch.i18n import Translator
from spieltisch.table.host import Missing, Table
from spieltisch.web import deeds, device, options, outcome, problems, programs, wire
from spieltisch.web.answers import Fields
from spieltisch.web.deeds import Done, Who
from spieltisch.web.fragments import Parts
from spieltisch.web.frame import Viewer, frame
from spieltisch.web.house import NAME, Asker, House
from spieltisch.web.markup import Html
from spieltisch.web.problems import TooMany

HTML = "text/html"
PATIENCE = 25.0  # seconds that a program may wait for news
Ask = Request[Any, Any, Any]


def house_of(request: Ask) -> House:
    return request.app.state.house


async def find(house: House, asker: Asker, code: str) -> Table:
    """The table with this code. Codes are guessed as seldom as possible: an address may miss a few only."""
    code = code.strip().upper()
    if not (code.isascii() and code.isalnum() and len(code) <= 12):
        raise Missing("There is no table {table}.", table=code[:12])
    try:
        return await house.host.table(code)
    except Missing:
        if not house.allows("guess", asker.address, 30, 0.2):
            raise TooMany("Too many tries. Please wait a moment.") from None
        raise


async def fields_of(request: Ask) -> Fields:
    """A form's fields, in order; JSON of a program counts as fields too."""
    body = await request.body()
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return json_fields(body)
    if kind not in {"application/x-www-form-urlencoded", ""}:
        raise ClientException(status_code=415)
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=400)
    except (UnicodeDecodeError, ValueError):
        raise Invalid("This form could not be read.") from None


def json_fields(body: bytes) -> Fields:
    """A JSON object as fields: texts and numbers as they are, lists repeated, objects as JSON."""
    try:
        raw = msgspec.json.decode(body or b"{}")
    except (msgspec.DecodeError, RecursionError):
        raise Invalid("This is not JSON.") from None
    if not isinstance(raw, dict):
        raise Invalid("This is not JSON.")
    return [
        (name, item if isinstance(item, str) else msgspec.json.encode(item).decode())
        for name, value in raw.items()
        for item in (value if isinstance(value, list) else [value])
        if item is not None
    ]


# -- pages ---------------------------------------------------------------------------------------------------


def fragment(
    house: House,
    table: Table,
    viewer: Viewer,
    *,
    refused: str = "",
    noted: str = "",
    hint: wire.Hint | None = None,
    name: str = "",
) -> Parts:
    """The table for this viewer, in whatever stage it is."""
    stage = wire.stage_of(table)
    if stage == "waiting":
        return (waiting(house, table, viewer, refused=refused, name=name),)
    if stage == "closed":
        tr = i18n.common_translator(viewer.lang)
        words = outcome.turn_line(table, tr)  # that it is closed, or of other rules
        around = frame(house.pages, table, viewer, tr)
        return (house.pages.render("closed.html", tr, message=words, **around),)
    return house.fragments.fragment(table, viewer, refused=refused, noted=noted, hint=hint)


def waiting(house: House, table: Table, viewer: Viewer, *, refused: str, name: str) -> str:
    """The waiting room."""
    setup, rules = table.setup, table.package.rules
    tr = wire.says_for(table, viewer.seat, viewer.lang)
    taken = sum(chair.kind != "free" for chair in setup.chairs)
    context = frame(house.pages, table, viewer, tr) | {
        "me": viewer.seat,
        "screen": viewer.screen,
        "taken": taken,
        "most": rules.seats[-1],
        "solo": rules.seats[-1] == 1,
        "room_left": taken < rules.seats[-1],
        "can_add": len(setup.chairs) < rules.seats[-1],
        "can_remove": len(setup.chairs) > max(rules.seats[0], taken),
        "my_name": name if viewer.seat is None else setup.chairs[viewer.seat].name,
        "options": options.fields(table.package, setup, tr, house.host.library, viewer.decks, viewer.made),
        "start_note": _start_note(table, tr, viewer, taken),
        "refused": refused,
        "stage": "waiting",
    }
    return house.pages.render("wait.html", tr, **context)


def _start_note(table: Table, tr: Translator, viewer: Viewer, taken: int) -> str:
    least = table.package.rules.seats[0]
    if taken < least:
        missing = least - taken
        return tr.ngettext("{n} person or bot is missing.", "{n} people or bots are missing.", missing).format(
            n=missing
        )
    if viewer.owner:
        free = len(table.setup.chairs) - taken
        return tr._("Free seats are put away when the game begins.") if free else ""
    return tr._("The person who opened the table begins the game.")


def whole(house: House, table: Table, asker: Asker, inner: Parts, viewer: Viewer, status: int = 200) -> Response[Any]:
    """The page around a fragment."""
    tr = wire.says_for(table, viewer.seat, viewer.lang)
    around = frame(house.pages, table, viewer, tr)
    turn = device.asked(table, viewer.mine) is not None
    context = around | {
        "fragment": Html("".join(inner)),
        "seq": table.seq,
        "title": wire.headline(around["box"]["title"], tr, mine=turn),
        "stage": wire.stage_of(table),
        "screen": viewer.screen,
        "me": viewer.seat,
        "here": asker.here,
        "turn": turn,
        "now": round(house.host.clock(), 3),
    }
    return Response(house.pages.render("table.html", asker.tr, **context), media_type=HTML, status_code=status)


def _problem_words(table: Table | None, asker: Asker, error: Refused) -> str:
    tr = asker.tr if table is None else wire.says_for(table, None, asker.lang)
    return tr.refusal(error)


@get("/t/{code:str}", name="table")
async def show(
    request: Ask,
    code: FromPath[str],
    after: Annotated[str, QueryParameter()] = "",
    revision: Annotated[str, QueryParameter()] = "",
    hint: FromQuery[str] = "",
    step: FromQuery[str] = "",
) -> Response[Any]:
    """The table: a page for people, JSON for programs."""
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    if asker.wants_json:
        return await _as_json(house, table, asker, after, revision)
    chosen, viewer = None, asker.viewer(table)
    seat = viewer.seat
    if hint.isascii() and hint.isdigit() and len(hint) < 10 and wire.can_hint(table, seat):
        try:
            told = int(step) if step in {*"123456789"} else None
            chosen = await asyncio.to_thread(wire.hint, table, seat, int(hint), told)
        except Refused:
            chosen = None  # the question has been answered meanwhile
    return whole(house, table, asker, fragment(house, table, viewer, hint=chosen, name=asker.name), viewer)


async def _as_json(house: House, table: Table, asker: Asker, after: str, revision: str) -> Response[Any]:
    entry, setup = _number("after", after), _number("revision", revision)
    if entry is not None:
        await _news(house, table, entry, table.setup.rev if setup is None else setup)
        table = await house.host.table(table.id)
    return Response(wire.seen(table, asker.seat(table), asker.lang, entry or 0))


def _number(name: str, value: str) -> int | None:
    """A number of the address, None where it is not given; Invalid where it is none."""
    if value and not (value.isascii() and value.isdigit() and len(value) < 10):
        raise Invalid("{name} is a number.", name=name)
    return int(value) if value else None


async def _news(house: House, table: Table, entry: int, revision: int) -> None:
    """Wait until the table has a later entry or its plan a later revision than these, or patience ends.

    Both are what the program was shown last: what came between that and this call is news, too.
    """
    with house.host.hub.listen(table.id) as news:
        ending = asyncio.ensure_future(house.ending.wait())
        try:
            deadline = asyncio.get_running_loop().time() + PATIENCE
            while table.seq <= entry and table.setup.rev <= revision and not house.ending.is_set():
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0:
                    return
                heard = asyncio.ensure_future(news.wait())
                await asyncio.wait({heard, ending}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                heard.cancel()
                table = await house.host.table(table.id)
        finally:
            ending.cancel()


@get("/t/{code:str}/screen", name="screen")
async def screen(request: Ask, code: FromPath[str]) -> Response[Any]:
    """The table for everybody to look at: nobody's view."""
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    viewer = asker.viewer(table, screen=True)
    return whole(house, table, asker, fragment(house, table, viewer), viewer)


# -- what is done --------------------------------------------------------------------------------------------


def to_page(house: House, path: str) -> Response[Any]:
    return Response(None, status_code=303, headers={"location": f"{house.base}{path}"}, media_type="text/plain")


def following(fields: Fields) -> str:
    """Where a form wants to go on: to a page of ours (one slash, no sign that a browser takes for another host), else
    home.
    """
    back = deeds.field(fields, "back", "/")
    inside = back.startswith("/") and not back.startswith("//") and back.isprintable()
    return back if inside and "\\" not in back and back.isascii() else "/"


def _remember(house: House, asker: Asker, answer: Response[Any], name: str) -> None:
    if name:
        answer.set_cookie(house.cookies.plain(NAME, quote(name), secure=asker.secure))


def _shown_with(
    house: House, table: Table, asker: Asker, status: int, *, refused: str = "", noted: str = ""
) -> Response[Any]:
    """The table with what came of a deed."""
    viewer = asker.viewer(table)
    inner = fragment(house, table, viewer, refused=refused, noted=noted, name=asker.name)
    return whole(house, table, asker, inner, viewer, status)


@post("/t/{code:str}/{to:str}", name="deed", status_code=200)
async def act(request: Ask, code: FromPath[str], to: FromPath[str]) -> Response[Any]:
    """Everything that is done at a table."""
    house = house_of(request)
    asker = Asker(request, house)
    deed = deeds.DEEDS.get(to)
    if deed is None:
        raise ClientException(status_code=404)
    table = await find(house, asker, code)
    who = Who(asker.key(table.id), asker.lang, asker.name, asker.decks, asker.address)
    try:
        if not house.allows("deed", asker.address, 200, 30):
            raise TooMany("Too many tries. Please wait a moment.")
        done = await deed(house, table, who, await fields_of(request))
    except Refused as error:
        status, words = problems.status_of(error), _problem_words(table, asker, error)
        if asker.wants_json or asker.sends_json:
            return problems.problem(status, words, type(error).__name__)
        table = await find(house, asker, code)  # as it is now
        return _shown_with(house, table, asker, status, refused=words)
    if asker.wants_json or asker.sends_json:
        return await _done_json(house, code, asker, to, done)
    if words := deeds.words(wire.says_for(table, None, asker.lang), done):
        return _shown_with(house, table, asker, 200, noted=words)
    answer = to_page(house, done.go or f"/t/{table.id}")
    if done.key and not asker.token:
        answer.set_cookie(house.cookies.hold(table.id, done.key, secure=asker.secure))
    if to == "delete":
        answer.set_cookie(house.cookies.drop(table.id))
    _remember(house, asker, answer, done.name)
    return answer


async def _done_json(house: House, code: str, asker: Asker, to: str, done: Done) -> Response[Any]:
    if to == "sit":
        return Response(programs.Seat(done.seat, done.key))
    if to == "delete":
        return Response(programs.Took())
    table = await find(house, asker, code)
    hinted = None if done.hint is None else done.hint.action
    return Response(programs.Took(done.moot, table.seq, hinted, table.setup.rematch if to == "rematch" else ""))


HANDLERS = [show, screen, act]
