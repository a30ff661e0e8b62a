"""Whose games these are, and where every deck that comes along has its cards from."""

import functools
from typing import Any

from litestar import Response, get

from spieltisch import games
from spieltisch.decks.check import open_deck
from spieltisch.decks.exporting.credits import Credits, credits_of, lines
from spieltisch.decks.library import shipped
from spieltisch.web import boxes
from spieltisch.web.house import Asker
from spieltisch.web.tables import HTML, Ask, house_of


@functools.cache
def _decks() -> tuple[Credits, ...]:
    return tuple(credits_of(open_deck(path)) for path in shipped().values())


@get("/credits", name="credits")
async def credits_page(request: Ask) -> Response[Any]:
    """The credits, in the reader's language."""
    house = house_of(request)
    asker = Asker(request, house)
    lang = asker.lang
    html = house.pages.render(
        "credits.html", asker.tr, heading=asker.tr._("Credits and sources"), back=asker.here,
        boxes=[boxes.box(package, asker.tr) for package in boxes.library(games.packages().values())],
        decks=[{"title": one.title[lang], "n": one.cards, "lines": list(lines(one, lang))} for one in _decks()],
    )  # fmt: skip
    return Response(html, media_type=HTML)


HANDLERS = [credits_page]
