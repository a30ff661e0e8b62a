"""What is done with decks in the browser: made from a sheet, mended in place, shared, taken away, played with.

All of it is for who has the deck's key but playing with one that is shared.
"""

import asyncio
import secrets
from typing import Any

from litestar import Response, get, post
from litestar.exceptions import ClientException
from litestar.params import FromPath

from spieltisch.decks import library
from spieltisch.decks.check import open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import errors, say
from spieltisch.decks.importing import making
from spieltisch.decks.importing.sheets import read_sheet
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.web import boxes, deeds, problems
from spieltisch.web.answers import Fields
from spieltisch.web.deckpages import PAGE, card, deck_page, find_deck, list_page, own_deck, room_of, told
from spieltisch.web.deeds import Who, field
from spieltisch.web.house import Asker, House
from spieltisch.web.problems import Forbidden, TooMany
from spieltisch.web.tables import HTML, Ask, fields_of, house_of, to_page
from spieltisch.web.uploads import DRAINED, Sent, sent

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # of a deck's address, no two alike


def _changeable(name: str) -> None:
    if name in library.shipped():
        raise Illegal("A deck that comes along stays as it is.")


def _keep(house: House, deck: Deck) -> None:
    assert house.host.library.folder is not None
    library.put(house.host.library.folder / f"{deck.name}.csv", deck.text())


def _draft(house: House, asker: Asker, draft: making.Draft, given: dict[str, str]) -> Response[Any]:
    """The lines that have to be mended, each with its cells, and the cards that will be."""
    lang, found = asker.lang, draft.deck.found
    bad = {one.line for one in found if one.severity == "error" and one.line}
    names = making.heading(draft.sheet).cells
    rows = {row.line: row for row in draft.deck.table.rows}
    lines = []
    for line in [line for line in draft.sheet.lines if line.number in bad][:PAGE]:
        cells = [
            {"name": name, "at": at, "text": line.cells[at] if at < len(line.cells) else ""}
            for at, name in enumerate((*names, *("" for _ in line.cells[len(names) :])))
        ]
        row = rows.get(line.number)
        said = [told(one, lang) for one in found if one.line == line.number and one.severity != "note"]
        shown = card(row, draft.deck.kind, lang) if row else None
        lines.append({"number": line.number, "cells": cells, "found": said, "card": shown})
    cards = [card(row, draft.deck.kind, lang) for row in draft.deck.table.rows if row.line not in bad]
    html = house.pages.render(
        "deckdraft.html", asker.tr, lines=lines, more=len(bad) - len(lines), table=making.as_text(draft.sheet),
        found=[told(one, lang) for one in found if not one.line and one.severity == "error"], given=given,
        box=boxes.box(room_of(draft.deck.kind), asker.tr), here="/decks",
        cards=cards[:PAGE], good=len(cards), bad=len(bad),
    )  # fmt: skip
    return Response(html, media_type=HTML, status_code=422)


@post("/decks", name="make", status_code=200, request_max_body_size=DRAINED)
async def make(request: Ask) -> Response[Any]:
    """A sheet, uploaded or pasted, becomes a deck; or what is wrong with it is shown, to be mended there."""
    house = house_of(request)
    asker = Asker(request, house)
    given = Sent([])
    try:
        if not house.allows("make", asker.address, 30, 0.2):
            raise TooMany("Too many tries. Please wait a moment.")
        given = await sent(request)
        return await _made(house, asker, given)
    except Refused as error:
        text = "" if given.content else field(given.fields, "text") or field(given.fields, "sheet")
        return await list_page(house, asker, say(error, asker.lang), text, problems.status_of(error))


async def _made(house: House, asker: Asker, given: Sent) -> Response[Any]:
    content = given.content or (field(given.fields, "text") or field(given.fields, "sheet")).encode()
    if not content.strip():
        raise Invalid("Paste a table, or choose a file.")
    if house.host.library.folder is None:
        raise Illegal("This server keeps no decks.")
    title = " ".join(field(given.fields, "title").split())[:80]
    old = None
    if renewing := field(given.fields, "deck"):
        _changeable(renewing)
        old = own_deck(house, asker, renewing)
    stem = title or given.name.rpartition(".")[0] or asker.tr._("My deck")
    name = old.name if old else f"{library.slug(stem)[:40]}-{''.join(secrets.choice(_LETTERS) for _ in range(6))}"
    draft = await asyncio.to_thread(_drafted, content, given.fields, name, old, stem if not old else "")
    if not draft.good:
        return _draft(house, asker, draft, {"title": title, "deck": renewing})
    new = draft.deck if old else making.shared(draft.deck, shared=False)
    if old:
        new = making.shared(new, shared=library.PRIVATE not in old.table.about)
    _keep(house, new)
    answer = to_page(house, f"/decks/{name}")
    answer.set_cookie(house.makers.hold(name, secure=asker.secure))
    return answer


def _drafted(content: bytes, fields: Fields, name: str, old: Deck | None, title: str) -> making.Draft:
    sheet = read_sheet(content)
    cells = {}
    for key, text in fields:
        kind, _, place = key.partition("-")
        line, _, at = place.partition("-")
        if kind == "cell" and all(n.isascii() and n.isdigit() and len(n) < 6 for n in (line, at)) and int(at) < 40:
            cells[int(line), int(at)] = " ".join(text.split())
    return making.draft(making.mended(sheet, cells) if cells else sheet, name, old, title)


@post("/decks/{name:str}/{to:str}", name="deck-deed", status_code=200)
async def act(request: Ask, name: FromPath[str], to: FromPath[str]) -> Response[Any]:
    """Everything that is done with a deck."""
    house = house_of(request)
    asker = Asker(request, house)
    if not house.allows("deed", asker.address, 200, 30):
        raise TooMany("Too many tries. Please wait a moment.")
    fields = await fields_of(request)
    if to == "play":
        find_deck(house, asker, name)
        return await _play(house, asker, name)
    mine = own_deck(house, asker, name)
    _changeable(name)
    match to:
        case "card":
            cells = dict(fields)
            new, found = making.changed(mine, cells)
            if errors(found):
                return await deck_page(house, asker, name, wrong=found, row=cells)
            _keep(house, new)
            ids = [row["id"] for row in new.table.rows]
            place = ids.index(cells["id"]) if cells.get("id") in ids else len(ids) - 1
            return to_page(house, f"/decks/{name}?at={place}#card-{ids[place]}")
        case "remove":
            _keep(house, making.without(mine, field(fields, "id")))
        case "share" | "unshare":
            _keep(house, making.shared(mine, shared=to == "share"))
        case "delete":
            house.host.library.path(name).unlink()
            answer = to_page(house, "/decks")
            answer.set_cookie(house.makers.drop(name))
            return answer
        case _:
            raise ClientException(status_code=404)
    return to_page(house, f"/decks/{name}")


@post("/decks/{name:str}/key", name="deck-taken", status_code=200)
async def take_key(request: Ask, name: FromPath[str]) -> Response[Any]:
    """The key of a maker's link, exchanged for the cookie."""
    house = house_of(request)
    asker = Asker(request, house)
    key = field(await fields_of(request), "token").strip().lstrip("#")
    if not house.makers.opens(key, name):
        if not house.allows("guess", asker.address, 30, 0.2):
            raise TooMany("Too many tries. Please wait a moment.")
        raise Forbidden("This link does not open a deck.")
    answer = to_page(house, f"/decks/{name}")
    answer.set_cookie(house.makers.hold(name, secure=asker.secure))
    return answer


async def _play(house: House, asker: Asker, name: str) -> Response[Any]:
    """A table with this deck, its opener in the first seat."""
    one = open_deck(house.host.library.path(name))
    package = room_of(one.kind)
    top = package.record.top_with(name, len(one.table.rows))
    who = Who("", asker.lang, asker.name)
    try:
        code, key = await deeds.open_table(house, package, who, bots=None, name="", top=top)
    except Refused as error:  # in the words of the game
        tr = package.translator(asker.lang)
        return problems.page(house, asker, problems.status_of(error), tr.refusal(error))
    answer = to_page(house, f"/t/{code}")
    answer.set_cookie(house.cookies.hold(code, key, secure=asker.secure))
    return answer


@get("/decks/{name:str}/key", name="deck-key")
async def key_page(request: Ask, name: FromPath[str]) -> Response[Any]:
    """Where a maker's link leads. The key stands behind its `#`, so no server sees it; the page posts it."""
    house = house_of(request)
    url = f"{house.base}/decks/{name}/key"
    html = house.pages.render("deckkey.html", Asker(request, house).tr, url=url)
    return Response(html, media_type=HTML)


HANDLERS = [key_page, take_key, make, act]
