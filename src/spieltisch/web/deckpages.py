"""Decks in the browser: made from a sheet, mended in place, played with; private to who has the key.

Who has no key of a deck sees its title, what it is made of and where it comes from, never a back.
"""

import asyncio
import secrets
from pathlib import Path
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.exceptions import ClientException
from litestar.params import FromPath, QueryParameter

from spieltisch import games
from spieltisch.decks import anki, handout, making, shelf, stats
from spieltisch.decks.check import Deck, open_deck
from spieltisch.decks.dates import years
from spieltisch.decks.findings import Finding, errors, say
from spieltisch.decks.intake import COLUMNS, DATE, JOKER, Kind, span_of
from spieltisch.decks.sheets import read_sheet
from spieltisch.decks.table import Row, read_table
from spieltisch.game import Illegal, Refused, Unreadable
from spieltisch.games import Room
from spieltisch.table.host import Missing
from spieltisch.web import boxes, deckchoice, deeds, problems, render, texts
from spieltisch.web.answers import Fields
from spieltisch.web.deeds import Who, field
from spieltisch.web.house import Asker, House
from spieltisch.web.problems import Forbidden, TooMany
from spieltisch.web.tables import HTML, Ask, fields_of, house_of, to_page
from spieltisch.web.uploads import DRAINED, Sent, sent

PAGE = 60  # cards
PRINTED = 1_500  # cards that a browser gets as a PDF
_SHOWN = 200  # findings
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
LABELS = {
    "series": "Series", "date": "Date", "year": "Year, or joker", "de": "German", "en": "English",
    "comment_de": "Comment in German", "comment_en": "Comment in English", "source": "Source", "field": "Field",
    "region": "Region", "level": "Level, 1 to 3", "who": "Who", "place": "Where", "country": "Country",
    "checked": "Joker last checked",
}  # fmt: skip
_FILES = {"csv": Deck.text, "excel": handout.for_spreadsheets, "json": handout.for_programs}


# -- who and what --------------------------------------------------------------------------------------------


def _find(house: House, asker: Asker, name: str) -> bool:
    """Whether this asker has the key of the deck; Missing where there is none, or a private one of somebody else."""
    mine = name in asker.decks
    try:
        house.host.shelf.path(name)
        hidden = house.host.shelf.is_private(name) and not mine
    except Unreadable:
        hidden = True
    if hidden:
        if not house.allows("guess", asker.address, 30, 0.2):
            raise TooMany("Too many tries. Please wait a moment.")
        raise Missing("there is no deck {name}", name=name[:80])
    return mine


def _mine(house: House, asker: Asker, name: str) -> Deck:
    """The deck, for who has its key."""
    if not _find(house, asker, name):
        raise Forbidden("Only who made this deck can do that.")
    return open_deck(house.host.shelf.path(name))


def _changeable(name: str) -> None:
    if name in shelf.shipped():
        raise Illegal("A deck that comes along stays as it is.")


def _keep(house: House, deck: Deck) -> None:
    assert house.host.shelf.folder is not None
    shelf.put(house.host.shelf.folder / f"{deck.name}.csv", deck.text())


def _room(kind: Kind) -> Room:
    """The game that plays such decks."""
    return next(room for room in games.rooms().values() if getattr(room.record, "DECKS", None) == kind)


async def in_use(house: House, name: str) -> bool:
    """Whether a running table plays with this deck."""
    return any(name in deckchoice.names_of(plan.top) for plan in await house.host.store.playing())


# -- pages ---------------------------------------------------------------------------------------------------


def card(row: Row, kind: Kind, lang: str) -> dict[str, Any]:
    """A card as it is previewed, and its cells to be changed."""
    span = span_of(row, kind)
    other = "en" if lang == "de" else "de"
    read = years(span)[lang] if span else JOKER.title() if row[DATE[kind]] == JOKER else ""
    comment = row[f"comment_{lang}"] or row[f"comment_{other}"]
    return {
        "id": row["id"],
        "front": row[lang] or row[other],
        "years": read,
        "written": row[DATE[kind]],
        "comment": comment,
        "source": row["source"],
        "cells": [(column, row[column]) for column in COLUMNS[kind] if column not in {"id", "fact", "review"}],
    }


def _finding(one: Finding, lang: str) -> dict[str, Any]:
    right = say(one.right, lang) if one.right else ""
    return {"line": one.line, "severity": one.severity, "wrong": say(one.wrong, lang), "right": right}


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
        said = [_finding(one, lang) for one in found if one.line == line.number and one.severity != "note"]
        shown = card(row, draft.deck.kind, lang) if row else None
        lines.append({"number": line.number, "cells": cells, "found": said, "card": shown})
    cards = [card(row, draft.deck.kind, lang) for row in draft.deck.table.rows if row.line not in bad]
    html = house.pages.render(
        "deckdraft.html", asker.says, lines=lines, more=len(bad) - len(lines), table=making.as_text(draft.sheet),
        found=[_finding(one, lang) for one in found if not one.line and one.severity == "error"], given=given,
        box=boxes.box(_room(draft.deck.kind), asker.says), here="/decks",
        cards=cards[:PAGE], good=len(cards), bad=len(bad),
    )  # fmt: skip
    return Response(html, media_type=HTML, status_code=422)


async def _list(house: House, asker: Asker, refused: str = "", text: str = "", status: int = 200) -> Response[Any]:
    """All decks that one may look at, and the form for a new one."""
    found, on, made = [], house.host.shelf, asker.made
    for kind in deckchoice.KINDS:
        for name, deck in on.offered(kind, asker.decks).items():
            about = {"mine": name in made, "private": on.is_private(name), "shipped": name in shelf.shipped()}
            box = boxes.box(_room(kind), asker.says)
            found.append({"name": name, "title": deck.title[asker.lang], "n": len(deck.cards), "box": box, **about})
    known = {name for kind in deckchoice.KINDS for name in on.offered(kind)}
    html = house.pages.render(
        "decks.html",
        asker.says,
        decks=found,
        refused=refused,
        text=text,
        here="/decks",
        can=on.folder is not None,
        is_host=asker.is_host,
        open=[(one.stem, _title(one, asker.lang)) for one in shelf.shipped().values() if one.stem not in known],
    )
    return Response(html, media_type=HTML, status_code=status)


def _title(path: Path, lang: str) -> str:
    said = read_table(path.read_text("utf-8"), ()).about.get("title", [[path.stem]])[0]
    return said[0] if lang == "de" else said[-1]


async def _page(
    house: House, asker: Asker, name: str, *, at: int = 0, wrong: Any = None, row: dict[str, str] | None = None
) -> Response[Any]:
    mine, on, lang = _find(house, asker, name), house.host.shelf, asker.lang
    deck = open_deck(on.path(name))
    if deck.kind not in deckchoice.KINDS:
        raise Missing("there is no deck {name}", name=name)
    about, counted = deck.table.about, stats.stats(deck.table, deck.kind)
    rows = deck.table.rows
    at = max(0, min(at, len(rows) - 1)) // PAGE * PAGE
    title = next((cells for cells in about.get("title", []) if cells), [name])
    shown = [card(one, deck.kind, lang) for one in rows[at : at + PAGE]] if mine else []
    html = house.pages.render(
        "deck.html", asker.says, name=name, title=title[0] if lang == "de" else title[-1], n=len(rows), mine=mine,
        private=on.is_private(name), shipped=name in shelf.shipped(), box=boxes.box(_room(deck.kind), asker.says),
        about={key: [", ".join(cells) for cells in about.get(key, [])] for key in ("authors", "licence", "source")},
        counts=[(c, each) for c, each in counted.counts.items() if c in {"series", "field", "level"} and len(each) > 1],
        cards=shown, at=at, last=at + len(shown), per=PAGE, used=mine and await in_use(house, name),
        wrong=[_finding(one, lang) for one in wrong or []], row=row or {}, columns=_columns(deck.kind),
        labels={one: asker.says._(said) for one, said in LABELS.items()},
        link=render.safe(f"{asker.origin}{house.base}/decks/{name}/key#{house.makers.key(name)}") if mine else "",
        here=f"/decks/{name}",
    )  # fmt: skip
    return Response(html, media_type=HTML, status_code=422 if wrong else 200)


def _columns(kind: Kind) -> list[str]:
    return [column for column in COLUMNS[kind] if column not in {"id", "fact", "review"}]


@get("/decks", name="decks")
async def decks(request: Ask) -> Response[Any]:
    """The decks, and a new one."""
    house = house_of(request)
    return await _list(house, Asker(request, house))


@get("/decks/{name:str}", name="deck")
async def deck(request: Ask, name: FromPath[str], at: Annotated[str, QueryParameter()] = "") -> Response[Any]:
    """A deck: for its maker with all backs."""
    house = house_of(request)
    asker = Asker(request, house)
    start = int(at) if at.isascii() and at.isdigit() and len(at) < 6 else 0
    return await _page(house, asker, name, at=start)


@get("/decks/{name:str}/export/{form:str}", name="deck-export")
async def export(request: Ask, name: FromPath[str], form: FromPath[str]) -> Response[Any]:
    """The deck as a file, backs and all: for who has its key."""
    house = house_of(request)
    asker = Asker(request, house)
    one = _mine(house, asker, name)
    if form == "anki":
        package = await asyncio.to_thread(anki.package, one, asker.lang)
        headers = {"content-disposition": f'attachment; filename="{name}.apkg"', "cache-control": "no-store"}
        return Response(package, media_type="application/octet-stream", headers=headers)
    if form not in _FILES:
        raise ClientException(status_code=404)
    text = _FILES[form](making.shared(one, shared=True))
    kind, end = ("application/json", "json") if form == "json" else ("text/csv; charset=utf-8", "csv")
    headers = {"content-disposition": f'attachment; filename="{name}.{end}"', "cache-control": "no-store"}
    return Response(text.encode(), media_type=kind, headers=headers)


@get("/decks/{name:str}/print/{paper:str}", name="deck-print")
async def on_paper(request: Ask, name: FromPath[str], paper: FromPath[str]) -> Response[Any]:
    """The deck to be printed: for who has its key, or for all where nothing is hidden on its backs."""
    house = house_of(request)
    asker = Asker(request, house)
    mine = _find(house, asker, name)
    if not house.allows("print", asker.address, 6, 0.1):
        raise TooMany("Too many tries. Please wait a moment.")
    one = open_deck(house.host.shelf.path(name))
    if one.kind in deckchoice.KINDS and not mine:
        raise Forbidden("Only who made this deck can do that.")
    if paper not in {"a4", "letter"}:
        raise ClientException(status_code=404)
    if len(one.table.rows) > PRINTED:
        raise Illegal("More than {n} cards are printed with spieltisch deck print.", n=PRINTED)
    from spieltisch.paper import press  # noqa: PLC0415 - who never prints need not load the typesetter

    made = await asyncio.to_thread(press.pdf, one, asker.lang, "a4" if paper == "a4" else "letter")
    headers = {"content-disposition": f'attachment; filename="{name}.pdf"', "cache-control": "no-store"}
    return Response(made, media_type="application/pdf", headers=headers)


@get("/decks/{name:str}/key", name="deck-key")
async def key_page(request: Ask, name: FromPath[str]) -> Response[Any]:
    """Where a maker's link leads. The key stands behind its `#`, so no server sees it; the page posts it."""
    house = house_of(request)
    url = f"{house.base}/decks/{name}/key"
    html = house.pages.render("deckkey.html", Asker(request, house).says, url=url)
    return Response(html, media_type=HTML)


# -- what is done --------------------------------------------------------------------------------------------


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
        return await _list(house, asker, say(error, asker.lang), text, problems.status_of(error))


async def _made(house: House, asker: Asker, given: Sent) -> Response[Any]:
    content = given.content or (field(given.fields, "text") or field(given.fields, "sheet")).encode()
    if not content.strip():
        raise Unreadable("Paste a table, or choose a file.")
    if house.host.shelf.folder is None:
        raise Illegal("This server keeps no decks.")
    title = " ".join(field(given.fields, "title").split())[:80]
    old = None
    if renewing := field(given.fields, "deck"):
        _changeable(renewing)
        old = _mine(house, asker, renewing)
    stem = title or given.name.rpartition(".")[0] or asker.says._("My deck")
    name = old.name if old else f"{shelf.slug(stem)[:40]}-{''.join(secrets.choice(_LETTERS) for _ in range(6))}"
    draft = await asyncio.to_thread(_drafted, content, given.fields, name, old, stem if not old else "")
    if not draft.good:
        return _draft(house, asker, draft, {"title": title, "deck": renewing})
    new = draft.deck if old else making.shared(draft.deck, shared=False)
    if old:
        new = making.shared(new, shared=shelf.PRIVATE not in old.table.about)
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
        _find(house, asker, name)
        return await _play(house, asker, name)
    mine = _mine(house, asker, name)
    _changeable(name)
    match to:
        case "card":
            cells = dict(fields)
            new, found = making.changed(mine, cells)
            if errors(found):
                return await _page(house, asker, name, wrong=found, row=cells)
            _keep(house, new)
            ids = [row["id"] for row in new.table.rows]
            place = ids.index(cells["id"]) if cells.get("id") in ids else len(ids) - 1
            return to_page(house, f"/decks/{name}?at={place}#card-{ids[place]}")
        case "remove":
            _keep(house, making.without(mine, field(fields, "id")))
        case "share" | "unshare":
            _keep(house, making.shared(mine, shared=to == "share"))
        case "delete":
            house.host.shelf.path(name).unlink()
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
    one = open_deck(house.host.shelf.path(name))
    room = _room(one.kind)
    top = room.record.top_with(name, len(one.table.rows)) if room.record else None
    who = Who("", asker.lang, asker.name)
    try:
        code, key = await deeds.open_table(house, room, who, bots=None, name="", top=top)
    except Refused as error:  # in the words of the game
        says = texts.Says(texts.of(room, asker.lang), asker.lang)
        return problems.page(house, asker, problems.status_of(error), says.refusal(error))
    answer = to_page(house, f"/t/{code}")
    answer.set_cookie(house.cookies.hold(code, key, secure=asker.secure))
    return answer


HANDLERS = [decks, deck, export, on_paper, key_page, take_key, make, act]
