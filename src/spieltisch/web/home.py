"""The pages that are not a table: home, rules, language, static files, health."""

import datetime as dt
import functools
import gzip
import mimetypes
from pathlib import Path
from typing import Any

from litestar import Response, get, post
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromPath
from markdown_it import MarkdownIt

from spieltisch import games, i18n
from spieltisch.game import Invalid, Refused
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.table.host import Missing
from spieltisch.web import boxes, deals, deeds, device, problems, programs, render, seats
from spieltisch.web.deeds import Who
from spieltisch.web.house import LANGUAGE, Asker, House
from spieltisch.web.markup import Html
from spieltisch.web.outcome import several
from spieltisch.web.problems import TooMany
from spieltisch.web.tables import HTML, Ask, fields_of, find, following, house_of, to_page

FOREVER = "public, max-age=31536000, immutable"
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


async def _mine(house: House, asker: Asker) -> tuple[list[dict[str, Any]], list[str]]:
    """The tables of this browser, those first where one is to act; and cookies that are of no use any more."""
    found, stale = [], []
    for code, key in list(house.cookies.tables(asker.jar))[:60]:
        setup = await house.host.store.setup(code)
        if setup is None:
            stale.append(code)
            continue
        mine = seats.seats_of(setup, key)
        if not seats.recognizes(setup, key):
            stale.append(code)
            continue
        if setup.stage == "closed" or setup.game not in games.packages():
            continue
        turn = False
        if setup.stage == "playing" and mine:
            turn = device.asked(await house.host.table(code), mine) is not None
        found.append({
            "code": code,
            "url": Html(house.url(code)),
            "box": boxes.box(games.package(setup.game), asker.tr),
            "stage": setup.stage,
            "my_turn": turn,
            "state": _state(setup.stage, turn, asker.tr),
            "touched": setup.touched,
            "others": several([c.name for i, c in enumerate(setup.chairs) if i not in mine and c.name], asker.tr),
        })  # fmt: skip
    found.sort(key=lambda table: (table["my_turn"], table["stage"] != "over", table["touched"]), reverse=True)
    stale += [table["code"] for table in found[seats.MOST :]]  # a browser keeps a limited number of cookies
    return found[: seats.MOST], stale


def _state(stage: str, turn: bool, tr: Translator) -> str:
    if stage == "waiting":
        return tr._("waiting")
    if stage == "over":
        return tr._("over")
    return tr._("your turn") if turn else tr._("running")


async def _home(house: House, asker: Asker, *, error: str = "", code: str = "", status: int = 200) -> Response[Any]:
    mine, stale = await _mine(house, asker)
    today = dt.datetime.now(dt.UTC).date()  # everywhere the same day
    drawn = [
        boxes.box(package, asker.tr) | {"daily": package.analysis.daily(today)}
        for package in boxes.library(games.packages().values())
    ]
    html = house.pages.render("home.html", asker.tr, boxes=drawn, mine=mine, refused=error, code=code, here="/")
    answer = Response(html, media_type=HTML, status_code=status)
    for old in stale:
        answer.set_cookie(house.cookies.drop(old))
    return answer


@get("/", name="home")
async def home(request: Ask) -> Response[Any]:
    """What shall we play?"""
    house = house_of(request)
    return await _home(house, Asker(request, house))


async def _open(request: Ask, *, now: bool) -> Response[Any]:
    house = house_of(request)
    asker = Asker(request, house)
    fields = await fields_of(request)
    try:
        if not house.allows("open", asker.address, 60, 0.5):
            raise TooMany("Too many tries. Please wait a moment.")
        package = games.package(deeds.field(fields, "game"))
        count = deeds.number(fields, "seats", 20)
        bots = None if not now else deeds.bots_now(package) if count is None else count - 1
        race = deeds.field(fields, "race")
        if race in {"", "new"}:
            top, deal = deals.chosen(house, package, fields)
        else:
            first = await deals.raced(house, asker, race)
            package, top, deal, race = games.package(first.game), first.top, first.deal, first.id
        who, name = Who("", asker.lang, asker.name, asker.decks), deeds.field(fields, "name")
        code, key = await deeds.open_table(house, package, who, bots=bots, name=name, top=top, deal=deal)
        if race:
            await deals.join(house, code, code if race == "new" else race)
    except Refused as error:
        status, words = problems.status_of(error), asker.tr.refusal(error)
        if asker.wants_json or asker.sends_json:
            return problems.problem(status, words, type(error).__name__)
        return await _home(house, asker, error=words, status=status)
    if asker.wants_json or asker.sends_json:
        return Response(programs.Opened(code, 0, key), status_code=201)
    to = f"{house.url(code)}/race" if race == "new" else house.url(code)
    answer = Response(None, status_code=303, headers={"location": to}, media_type="text/plain")
    answer.set_cookie(house.cookies.hold(code, key, secure=asker.secure))
    return answer


@post("/play", name="play", status_code=200)
async def play(request: Ask) -> Response[Any]:
    """Against bots, at once."""
    return await _open(request, now=True)


@post("/tables", name="open", status_code=200)
async def open_table(request: Ask) -> Response[Any]:
    """A table for people."""
    return await _open(request, now=False)


@post("/join", name="join", status_code=200)
async def join(request: Ask) -> Response[Any]:
    """To the table with this code."""
    house = house_of(request)
    asker = Asker(request, house)
    code = "".join(deeds.field(await fields_of(request), "code").split()).upper()
    try:
        if not code:
            raise Invalid("Please type the code of the table.")
        table = await find(house, asker, code)
    except Refused as error:
        words = asker.tr.refusal(error)
        return await _home(house, asker, error=words, code=code[:12], status=problems.status_of(error))
    return Response(None, status_code=303, headers={"location": house.url(table.id)}, media_type="text/plain")


@post("/language", name="language", status_code=200)
async def language(request: Ask) -> Response[Any]:
    """German or English, from now on."""
    house = house_of(request)
    asker = Asker(request, house)
    fields = await fields_of(request)
    lang = deeds.field(fields, "lang")
    if lang not in i18n.LANGUAGES:
        raise ClientException(status_code=400)
    answer = to_page(house, following(fields))
    answer.set_cookie(house.cookies.plain(LANGUAGE, lang, secure=asker.secure))
    return answer


def rules_of(package: GamePackage, lang: str) -> str | None:
    """The rules of a game as they are told to people; None if a room has none."""
    for one in (lang, "en", "de"):
        file = package.folder / f"rules.{one}.md"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return None


@get("/rules/{game:str}", name="rules")
async def rules(request: Ask, game: FromPath[str]) -> Response[Any]:
    """The rules of a game."""
    house = house_of(request)
    asker = Asker(request, house)
    package = games.packages().get(game)
    text = None if package is None else rules_of(package, asker.lang)
    if package is None or text is None:
        raise Missing("There is nothing at this address.")
    tr = package.translator(asker.lang, terms=asker.terms)
    html = house.pages.render(
        "rules.html", asker.tr, box=boxes.box(package, asker.tr), here=asker.here,
        body=Html(_markdown.render(package.page.retold(text, package.translator(asker.lang), tr))),
        terms=asker.terms if package.page.terms else None, heading=boxes.title(package), back=asker.here,
    )  # fmt: skip
    return Response(html, media_type=HTML)


@get("/static/{file:str}", name="static")
async def static(request: Ask, file: FromPath[str]) -> Response[bytes]:
    """A static file of the site."""
    return _static(request, file)


@get("/static/{package:str}/{file:str}", name="package-static")
async def package_static(request: Ask, package: FromPath[str], file: FromPath[str]) -> Response[bytes]:
    """A static file of a game."""
    return _static(request, f"{package}/{file}")


def _static(request: Ask, file: str) -> Response[bytes]:
    """The file: its address holds its hash, so it may be kept; without the hash it is asked for anew."""
    path = render.static_file(file)
    if path is None:
        raise NotFoundException
    kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
    fresh = house_of(request).settings.fresh
    headers = {"cache-control": FOREVER if request.scope["query_string"] and not fresh else "no-cache"}
    if fresh or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(path.read_bytes(), media_type=kind, headers=headers | {"vary": "accept-encoding"})
    packed = {"content-encoding": "gzip", "vary": "accept-encoding"}
    return Response(_packed(path), media_type=kind, headers=headers | packed)


@functools.cache
def _packed(path: Path) -> bytes:
    """A file as it is sent to whoever can unpack it. They are all text, and the same for everybody."""
    return gzip.compress(path.read_bytes(), mtime=0)


@get("/health", name="health")
async def health() -> dict[str, str]:
    """That the server is there."""
    return {"status": "ok"}


HANDLERS = [home, play, open_table, join, language, rules, static, package_static, health]
