"""Decks in the browser, to be looked at, taken along and printed; what is done with them stands in `deckmaking`.

Who has no key of a deck sees its title, what it is made of and where it comes from, never a back.
"""

import asyncio
from typing import Annotated, Any

from litestar import Response, get
from litestar.exceptions import ClientException
from litestar.params import FromPath, QueryParameter

from spieltisch import games
from spieltisch.decks import library
from spieltisch.decks.check import open_deck
from spieltisch.decks.dates import years
from spieltisch.decks.deck import COLUMNS, DATE, Deck, Kind, span_of
from spieltisch.decks.exporting import anki, files, stats
from spieltisch.decks.findings import Finding, say
from spieltisch.decks.firsts import JOKER
from spieltisch.decks.importing import making
from spieltisch.decks.table import Row, read_table
from spieltisch.decks.text import Text
from spieltisch.game import Illegal, Invalid
from spieltisch.games import GamePackage
from spieltisch.table.host import Missing
from spieltisch.web import boxes, deckchoice
from spieltisch.web.house import Asker, House
from spieltisch.web.markup import Html
from spieltisch.web.problems import Forbidden, TooMany
from spieltisch.web.tables import HTML, Ask, house_of

PAGE = 60  # cards
PRINTED = 1_500  # cards that a browser gets as a PDF
LABELS = {
    "series": "Series", "date": "Date", "year": "Year, or joker", "de": "German", "en": "English",
    "comment_de": "Comment in German", "comment_en": "Comment in English", "source": "Source", "field": "Field",
    "region": "Region", "level": "Level, 1 to 3", "who": "Who", "place": "Where", "country": "Country",
    "checked": "Joker last checked",
}  # fmt: skip
_FILES = {"csv": Deck.text, "excel": files.for_spreadsheets, "json": files.for_programs}
_MEDIA = {
    "csv": "text/csv; charset=utf-8", "json": "application/json", "apkg": "application/octet-stream",
    "pdf": "application/pdf",
}  # fmt: skip


# -- who and what --------------------------------------------------------------------------------------------


def find_deck(house: House, asker: Asker, name: str) -> bool:
    """Whether this asker has the key of the deck; Missing where there is none, or a private one of somebody else."""
    mine = name in asker.decks
    try:
        house.host.library.path(name)
        hidden = house.host.library.is_private(name) and not mine
    except Invalid:
        hidden = True
    if hidden:
        if not house.allows("guess", asker.address, 30, 0.2):
            raise TooMany("Too many tries. Please wait a moment.")
        raise Missing("there is no deck {name}", name=name[:80])
    return mine


def own_deck(house: House, asker: Asker, name: str) -> Deck:
    """The deck, for who has its key."""
    if not find_deck(house, asker, name):
        raise Forbidden("Only who made this deck can do that.")
    return open_deck(house.host.library.path(name))


def room_of(kind: Kind) -> GamePackage:
    """The game that plays such decks."""
    return next(package for package in games.packages().values() if package.record.decks == kind)


async def in_use(house: House) -> set[str]:
    """The names of the decks that running tables play with."""
    return deckchoice.in_use(await house.host.store.playing())


# -- pages ---------------------------------------------------------------------------------------------------


def card(row: Row, kind: Kind, lang: str) -> dict[str, Any]:
    """A card as it is previewed, and its cells to be changed."""
    span = span_of(row, kind)
    read = years(span)[lang] if span else JOKER.title() if row[DATE[kind]] == JOKER else ""
    return {
        "id": row["id"],
        "front": row.told(lang),
        "years": read,
        "written": row[DATE[kind]],
        "comment": row.told(lang, "comment_"),
        "source": row["source"],
        "cells": [(column, row[column]) for column in COLUMNS[kind] if column not in {"id", "fact", "review"}],
    }


def told(one: Finding, lang: str) -> dict[str, Any]:
    right = say(one.right, lang) if one.right else ""
    return {"line": one.line, "severity": one.severity, "wrong": say(one.wrong, lang), "right": right}


async def list_page(house: House, asker: Asker, refused: str = "", text: str = "", status: int = 200) -> Response[Any]:
    """All decks that one may look at, and the form for a new one."""
    found, on, made = [], house.host.library, asker.made
    for kind in deckchoice.KINDS:
        for name, deck in on.offered(kind, asker.decks).items():
            about = {"mine": name in made, "private": on.is_private(name), "shipped": name in library.shipped()}
            box = boxes.box(room_of(kind), asker.tr)
            found.append({"name": name, "title": deck.title[asker.lang], "n": len(deck.cards), "box": box, **about})
    known = {name for kind in deckchoice.KINDS for name in on.offered(kind)}
    html = house.pages.render(
        "decks.html",
        asker.tr,
        decks=found,
        refused=refused,
        text=text,
        here="/decks",
        can=on.folder is not None,
        is_host=asker.is_host,
        open=[(name, _title(on, name)[asker.lang]) for name in library.shipped() if name not in known],
    )
    return Response(html, media_type=HTML, status_code=status)


def _title(on: library.Library, name: str) -> Text:
    return read_table(on.path(name).read_text("utf-8"), ()).title(name)


async def deck_page(
    house: House, asker: Asker, name: str, *, at: int = 0, wrong: Any = None, row: dict[str, str] | None = None
) -> Response[Any]:
    mine, on, lang = find_deck(house, asker, name), house.host.library, asker.lang
    deck = open_deck(on.path(name))
    if deck.kind not in deckchoice.KINDS:
        raise Missing("there is no deck {name}", name=name)
    about, counted = deck.table.about, stats.stats(deck.table, deck.kind)
    rows = deck.table.rows
    at = max(0, min(at, len(rows) - 1)) // PAGE * PAGE
    shown = [card(one, deck.kind, lang) for one in rows[at : at + PAGE]] if mine else []
    html = house.pages.render(
        "deck.html", asker.tr, name=name, title=deck.title[lang], n=len(rows), mine=mine,
        private=on.is_private(name), shipped=name in library.shipped(), box=boxes.box(room_of(deck.kind), asker.tr),
        about={key: [", ".join(cells) for cells in about.get(key, [])] for key in ("authors", "licence", "source")},
        counts=[(c, each) for c, each in counted.counts.items() if c in {"series", "field", "level"} and len(each) > 1],
        cards=shown, at=at, last=at + len(shown), per=PAGE, used=mine and name in await in_use(house),
        wrong=[told(one, lang) for one in wrong or []], row=row or {}, columns=_columns(deck.kind),
        labels={one: asker.tr._(said) for one, said in LABELS.items()},
        link=Html(f"{asker.origin}{house.base}/decks/{name}/key#{house.makers.key(name)}") if mine else "",
        here=f"/decks/{name}",
    )  # fmt: skip
    return Response(html, media_type=HTML, status_code=422 if wrong else 200)


def _columns(kind: Kind) -> list[str]:
    return [column for column in COLUMNS[kind] if column not in {"id", "fact", "review"}]


@get("/decks", name="decks")
async def decks(request: Ask) -> Response[Any]:
    """The decks, and a new one."""
    house = house_of(request)
    return await list_page(house, Asker(request, house))


@get("/decks/{name:str}", name="deck")
async def deck(request: Ask, name: FromPath[str], at: Annotated[str, QueryParameter()] = "") -> Response[Any]:
    """A deck: for its maker with all backs."""
    house = house_of(request)
    asker = Asker(request, house)
    start = int(at) if at.isascii() and at.isdigit() and len(at) < 6 else 0
    return await deck_page(house, asker, name, at=start)


@get("/decks/{name:str}/export/{form:str}", name="deck-export")
async def export(request: Ask, name: FromPath[str], form: FromPath[str]) -> Response[Any]:
    """The deck as a file, backs and all: for who has its key."""
    house = house_of(request)
    asker = Asker(request, house)
    one = own_deck(house, asker, name)
    if form == "anki":
        return _file(f"{name}.apkg", await asyncio.to_thread(anki.package, one, asker.lang))
    if form not in _FILES:
        raise ClientException(status_code=404)
    text = _FILES[form](making.shared(one, shared=True))
    return _file(f"{name}.{'json' if form == 'json' else 'csv'}", text.encode())


def _file(name: str, content: bytes) -> Response[Any]:
    """A file to be kept, of the kind that its name tells."""
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(content, media_type=_MEDIA[name.rpartition(".")[2]], headers=headers)


@get("/decks/{name:str}/print/{paper:str}", name="deck-print")
async def on_paper(request: Ask, name: FromPath[str], paper: FromPath[str]) -> Response[Any]:
    """The deck to be printed: for who has its key, or for all where nothing is hidden on its backs."""
    house = house_of(request)
    asker = Asker(request, house)
    mine = find_deck(house, asker, name)
    if not house.allows("print", asker.address, 6, 0.1):
        raise TooMany("Too many tries. Please wait a moment.")
    one = open_deck(house.host.library.path(name))
    if one.kind in deckchoice.KINDS and not mine:
        raise Forbidden("Only who made this deck can do that.")
    if paper not in {"a4", "letter"}:
        raise ClientException(status_code=404)
    if len(one.table.rows) > PRINTED:
        raise Illegal("More than {n} cards are printed with spieltisch deck print.", n=PRINTED)
    from spieltisch.paper import pdf  # noqa: PLC0415 - who never prints need not load the typesetter

    made = await asyncio.to_thread(pdf.typeset, one, asker.lang, "a4" if paper == "a4" else "letter", asker.terms)
    return _file(f"{name}.pdf", made)


HANDLERS = [decks, deck, export, on_paper]
