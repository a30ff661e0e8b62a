"""Making and changing decks: from a sheet, card by card, sharing, deleting; and opening a table with one.

All of it needs the deck's key, except playing with a shared deck.
"""

import secrets
from collections.abc import Callable

from litestar import Response, get, post
from litestar.exceptions import ClientException
from litestar.params import FromPath

from spieltisch.bounded import TooMuchError
from spieltisch.decks import library
from spieltisch.decks.findings import say_sentence
from spieltisch.decks.importing.work import Press, made_here
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.games import with_decks
from spieltisch.web.core.errors import error_page
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import Fields, field, is_number, read_form, token
from spieltisch.web.core.http.problems import Forbidden, status_of
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.http.uploads import DRAINED, Upload, read_upload
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.opening import open_table
from spieltisch.web.core.services import Services
from spieltisch.web.decks import questions
from spieltisch.web.decks.commands import find_deck, require_changeable, require_own
from spieltisch.web.decks.drafts import Drafted, Drafting, drafted_from_file, drafted_from_form
from spieltisch.web.decks.routes import show_deck, show_list

CHECKING = 30.0  # seconds in which a table has to be looked over
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # of a deck's address, no two alike


@post("/decks", name="make", status_code=200, request_max_body_size=DRAINED)
async def make(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Make a deck of an uploaded or pasted sheet, or show what is wrong with it, to be mended there."""
    given, text = Upload([]), ""

    def hear(said: str) -> None:
        nonlocal text
        text = said

    try:
        services.limits.require("make", client.address)
        given = await read_upload(request)
        text = field(given.fields, "text")
        return await _made(services, client, given, hear)
    except Refused as error:
        said, status = say_sentence(error, client.lang), status_of(error)
        if field(given.fields, "work"):
            return _kept(services, client, given.fields, said, status)
        title, kind = field(given.fields, "title")[:80], _kind(given.fields)
        return await show_list(services, client, said, text, status, title=title, kind=kind or "")


async def _made(services: Services, client: Client, given: Upload, hear: Callable[[str], None]) -> Response[object]:
    """Answer to a sheet. `hear` gets its text as soon as it is known, so that a refusal can show it again."""
    if services.host.library.folder is None:
        raise Illegal("This server does not store decks.")
    was, decks, renewing = 0, services.host.library, field(given.fields, "deck")
    if renewing:
        require_changeable(renewing)
        was = await _version(services, client, renewing)
    elif len(decks.own()) >= services.settings.most_decks:
        raise Illegal("This server cannot store more decks. Please ask its host.")
    title = " ".join(field(given.fields, "title").split())[:80] or given.name.rpartition(".")[0]
    stem = title or client.tr._("My deck")
    name = renewing or f"{library.slug(stem)[:40]}-{''.join(secrets.choice(_LETTERS) for _ in range(6))}"
    press = _press(given.fields, client.lang)
    old, kind = decks.path(renewing) if renewing else None, _kind(given.fields)
    asked = Drafting(name, old, "" if renewing else stem, press, services.base, kind)
    done = await _worked(services, given, asked, hear)
    if done.template:
        shown = done.shown | {"given": {"title": title, "deck": renewing, "work": done.work}, "here": ""}
        return page(services.renderer.render(done.template, client.tr, **shown), 200 if done.good else 422)
    if not renewing:
        services.require_room(client, "decks")
    if not await decks.save(name, done.text, was):
        raise Illegal("This deck has just been changed; please look again.")
    await services.use_decks([name], new=not renewing)
    left_out = f"?out={done.out}" if done.out else ""
    answer = redirect(services.url(f"/decks/{name}{left_out}"))
    answer.set_cookie(services.deck_keys.hold(name, secure=client.secure))
    if not renewing:
        answer.set_cookie(services.deck_keys.note_made(name, secure=client.secure))
    return answer


async def _worked(services: Services, given: Upload, asked: Drafting, hear: Callable[[str], None]) -> Drafted:
    try:
        if given.content or field(given.fields, "text"):
            content = given.content or field(given.fields, "text").encode()
            return await services.heavy.within(CHECKING, drafted_from_file, content, asked, hear=hear)
        if not field(given.fields, "work"):
            raise Invalid("Paste a table, or choose a file.")
        return await services.heavy.within(CHECKING, drafted_from_form, field(given.fields, "work"), asked)
    except TooMuchError:
        raise Invalid("Checking this spreadsheet takes too long. Try smaller parts.") from None


def _kept(services: Services, client: Client, fields: Fields, refused: str, status: int) -> Response[object]:
    """Answer with a page that keeps everything that was sent, after a refusal before it was read."""
    sent = [(key, text) for key, text in fields if key != "do"]
    return page(services.renderer.render("decks/kept.html", client.tr, sent=sent, refused=refused, here=""), status)


def _kind(fields: Fields) -> str | None:
    """Return the chosen kind of deck; None if the columns decide."""
    kind = field(fields, "kind")
    return kind if kind in made_here() else None


def _press(fields: Fields, lang: str) -> Press:
    """Read which button was pressed (`do-line-place-text`) and what stands in the cells, by line and place."""
    cells = {}
    for key, text in fields:
        kind, _, place = key.partition("-")
        line, _, at = place.partition("-")
        if kind == "cell" and all(is_number(n, 5) for n in (line, at)):
            cells[int(line), int(at)] = text
    button, line, place, text = [*field(fields, "do").split("-", 3), "", "", ""][:4]
    numbers = (int(n) if is_number(n, 5) else 0 for n in (line, place))
    begins = bool(field(fields, "text")) or not field(fields, "work")
    return Press("begin" if begins else button or "look", cells, *numbers, text, lang)


@post("/decks/{name:str}/{to:str}", name="deck-command", status_code=200)
async def act(
    request: HttpRequest, services: ServicesHere, client: ClientHere, name: FromPath[str], to: FromPath[str]
) -> Response[object]:
    """Carry out what a form asks for with a deck."""
    services.limits.require("command", client.address, client.holder)
    fields = await read_form(request)
    if to == "play":
        await find_deck(services, client, name)
        return await _play(services, client, name)
    await require_own(services, client, name)
    require_changeable(name)
    match to:
        case "card" | "remove" | "settle" | "title" | "eras" | "share" | "unshare":
            return await _change(services, client, name, to, fields)
        case "renew":
            await services.deck_keys.renew(name)
            answer = redirect(services.url(f"/decks/{name}"))
            answer.set_cookie(services.deck_keys.hold(name, secure=client.secure))
            return answer
        case "delete":
            await services.host.library.delete(name)
            answer = redirect(services.url("/decks"))
            answer.set_cookie(services.deck_keys.drop(name))
            return answer
        case _:
            raise ClientException(status_code=404)


async def _version(services: Services, client: Client, name: str) -> int:
    """Return the version of a deck. Raises Forbidden and Missing like `require_own`."""
    await require_own(services, client, name)
    return services.host.library.version(name)


async def _change(services: Services, client: Client, name: str, to: str, fields: Fields) -> Response[object]:
    """Change a deck; try again if somebody else, perhaps on another server, has just changed it."""
    library, cells = services.host.library, dict(fields)
    cells |= {key.removeprefix("set-"): text for key, text in fields if key.startswith("set-")}
    while True:
        was = await _version(services, client, name)  # first: whoever changes it now is not overlooked
        done = await library.work(questions.edited, (name,), to, cells)
        if done.wrong:
            return await show_deck(services, client, name, wrong=done.wrong, row={**cells, **done.row})
        if await library.save(name, done.text, was):
            place = f"?at={done.at}#card-{done.card}" if done.card else ""
            return redirect(services.url(f"/decks/{name}{place}"))


@post("/decks/{name:str}/key", name="deck-taken", status_code=200)
async def take_key(
    request: HttpRequest, services: ServicesHere, client: ClientHere, name: FromPath[str]
) -> Response[object]:
    """Exchange the key of a maker's link for the cookie. Raises Forbidden if it opens no deck."""
    key = token(await read_form(request))
    if not services.deck_keys.opens(key, name):
        services.guesses.require(client.address)
        raise Forbidden("This link does not open a deck.")
    answer = redirect(services.url(f"/decks/{name}"))
    answer.set_cookie(services.deck_keys.hold(name, secure=client.secure))
    return answer


async def _play(services: Services, client: Client, name: str) -> Response[object]:
    """Open a table with this deck and seat its opener."""
    services.limits.require("open", client.address)
    decks = services.host.library
    package = with_decks((await decks.answer(questions.about, (name,))).kind)
    try:
        _, top = await decks.answer(questions.top, (name,))
        await services.use_decks([name])
        code, key = await open_table(services, package, services.actor(client), bots=None, name="", top=top)
    except Refused as error:  # in the words of the game
        tr = package.translator(client.lang)
        return error_page(services.renderer, client, status_of(error), tr.refusal(error))
    answer = redirect(services.url(f"/t/{code}"))
    answer.set_cookie(services.seat_cookies.hold(code, key, secure=client.secure))
    return answer


@get("/decks/{name:str}/key", name="deck-key")
async def key_page(services: ServicesHere, client: ClientHere, name: FromPath[str]) -> Response[object]:
    """Show where a maker's link leads. The key stands behind its `#`, so no server sees it; the page posts it."""
    return page(services.renderer.render("decks/key.html", client.tr, url=services.url(f"/decks/{name}/key")))


HANDLERS = [key_page, take_key, make, act]
