"""The page of whoever runs the server: the cards that were reported.

It opens with the address that `serve` prints: its key stands behind the `#`, so no log has it, and is exchanged for a
cookie. What it shows has backs on it.
"""

import asyncio
import datetime as dt
from typing import Any

from litestar import Response, get, post

from spieltisch.decks import library
from spieltisch.decks.check import open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.inbox import Report
from spieltisch.game import Invalid
from spieltisch.web import deckpages
from spieltisch.web.deeds import field
from spieltisch.web.house import Asker, House
from spieltisch.web.problems import Forbidden, TooMany
from spieltisch.web.tables import HTML, Ask, fields_of, house_of, to_page


@get("/host", name="host")
async def inbox(request: Ask) -> Response[Any]:
    """The inbox; for all others a page that exchanges the key."""
    house = house_of(request)
    asker = Asker(request, house)
    if not asker.is_host:
        html = house.pages.render("hostkey.html", asker.tr, url=f"{house.base}/host", here="/host")
        return Response(html, media_type=HTML)
    found = [] if house.inbox is None else await asyncio.to_thread(house.inbox.all)
    decks: dict[str, Deck | None] = {one.deck: _deck(house, one.deck) for one in found}
    playing = await deckpages.in_use(house)
    used = [name for name in decks if name in playing]
    shown = [_shown(one, decks[one.deck], asker.lang) for one in found]
    html = house.pages.render("host.html", asker.tr, reports=shown, used=used, here="/host")
    return Response(html, media_type=HTML)


def _deck(house: House, name: str) -> Deck | None:
    try:
        return open_deck(house.host.library.path(name))
    except (Invalid, OSError):
        return None


def _shown(one: Report, deck: Deck | None, lang: str) -> dict[str, Any]:
    """A report with its card, if that is still there, and where in the deck's page it can be changed."""
    days = [dt.datetime.fromtimestamp(at, tz=dt.UTC).date().isoformat() for at in (one.first, one.last)]
    place, row = next(
        ((at, row) for at, row in enumerate(deck.table.rows if deck else ()) if row["id"] == one.card), (0, None)
    )
    return {
        "id": one.id, "deck": one.deck, "card_id": one.card, "times": one.times, "words": one.words,
        "days": days if days[0] != days[1] else days[:1],
        "card": None if deck is None or row is None else deckpages.card(row, deck.kind, lang),
        "fact": "" if row is None else row.cells.get("fact", ""),
        "place": f"?at={place}#card-{one.card}", "shipped": one.deck in library.shipped(),
    }  # fmt: skip


@post("/host", name="host-key", status_code=200)
async def take_key(request: Ask) -> Response[Any]:
    """The host's key, exchanged for the cookie."""
    house = house_of(request)
    asker = Asker(request, house)
    if not house.makers.is_host(field(await fields_of(request), "token").strip().lstrip("#")):
        if not house.allows("guess", asker.address, 30, 0.2):
            raise TooMany("Too many tries. Please wait a moment.")
        raise Forbidden("This link does not open the host’s page.")
    answer = to_page(house, "/host")
    answer.set_cookie(house.makers.hold_host(secure=asker.secure))
    return answer


@post("/host/done", name="host-done", status_code=200)
async def done(request: Ask) -> Response[Any]:
    """A report has been looked at."""
    house = house_of(request)
    if not Asker(request, house).is_host:
        raise Forbidden("Only whoever runs the server can do that.")
    report = field(await fields_of(request), "report")
    if house.inbox is not None and report.isascii() and report.isdigit() and len(report) < 10:
        await asyncio.to_thread(house.inbox.done, int(report))
    return to_page(house, "/host")


HANDLERS = [inbox, take_key, done]
