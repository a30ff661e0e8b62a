"""A feed that tells a player when it is their turn: game, table, name and a link, and nothing of the game.

Its address is for feed readers, which know no cookies: its key opens the feed alone, and its person can give it back.
"""

import hashlib
import uuid
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from litestar import Response, get
from litestar.params import FromPath
from msgspec.structs import replace

from spieltisch import languages
from spieltisch.game import Illegal
from spieltisch.i18n import Translator
from spieltisch.table import seat_keys
from spieltisch.table.chairs import with_chair
from spieltisch.table.evening import code_of
from spieltisch.table.host import Missing
from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import is_asked
from spieltisch.web.core import reminding
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.http.client import HttpRequest
from spieltisch.web.core.http.forms import Fields, field
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.viewer import translator_for
from spieltisch.web.table.command import CommandResult

ATOM = "http://www.w3.org/2005/Atom"


async def give(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Give the actor's seat an address for its feed, or take it away (`do` "drop"). Raises Illegal in a class, and if
    somebody plays alone.
    """

    def change(setup: TableSetup) -> TableSetup:
        actor.own_seat(setup)
        if setup.classroom:
            raise Illegal("In a class, your teacher decides that.")
        if len(setup.chairs) == 1:
            raise Illegal("You play alone here: it is always your turn.")
        feed = None if field(fields, "do") == "drop" else seat_keys.new_feed(actor.key)
        for seat in actor.seats(setup):
            setup = with_chair(setup, seat, replace(setup.chairs[seat], feed=feed))
        return setup

    await services.host.change(table.id, change)
    return CommandResult()


@get("/feed/{code:str}/{lang:str}/{key:str}", name="feed")
async def feed(
    request: HttpRequest,
    services: ServicesHere,
    client: ClientHere,
    table: TableHere,
    lang: FromPath[str],
    key: FromPath[str],
) -> Response[object]:
    """Send the feed, of the newest game of the evening. Who reads it counts neither as present nor as a visit."""
    table = await services.newest(table)
    seats = seat_keys.seats_of_feed(table.setup, key)
    if not seats or not languages.is_known(lang):
        services.guesses.require(client.address)
        raise Missing("There is nothing at this address.")
    link = f"{client.origin}{services.url(f'/t/{code_of(table.id)}')}"
    address = f"{client.origin}{services.url(f'/feed/{code_of(table.id)}/{lang}/{key}')}"
    body = atom(table, seats, translator_for(table, None, lang), address, link)
    tag = f'"{hashlib.sha256(body).hexdigest()[:22]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, status_code=304, headers=headers)
    return Response(body, media_type="application/atom+xml", headers=headers)


def atom(table: Table, seats: tuple[int, ...], tr: Translator, address: str, link: str) -> bytes:
    """Return the feed of these seats: an entry while it is their turn, or when the game is over."""
    setup, own = table.setup, uuid.uuid5(uuid.NAMESPACE_URL, address)
    where = reminding.where(table, seats, tr)
    root = ET.Element("feed", xmlns=ATOM)
    news = _newest(table, seats, tr)
    at = news[2] if news else setup.touched
    _head(root, own.urn, where, at, link)
    ET.SubElement(root, "link", rel="self", href=address)
    ET.SubElement(ET.SubElement(root, "author"), "name").text = "Spieltisch"
    if news:
        what, words, _ = news
        entry = ET.SubElement(root, "entry")
        _head(entry, uuid.uuid5(own, f"{table.id} {what}").urn, words, at, link)
        ET.SubElement(entry, "summary").text = where
    return ET.tostring(root, encoding="utf-8", xml_declaration=True)


def _newest(table: Table, seats: tuple[int, ...], tr: Translator) -> tuple[str, str, float] | None:
    """Return what there is to tell: which, in words, and when it happened."""
    asked = [seat for seat in seats if is_asked(table, seat)]
    if asked:
        seat = max(asked, key=table.question)
        return f"turn {seat} {table.question(seat)}", tr._("Your turn."), table.asked_at(seat) or 0.0
    if table.result is not None and table.last is not None:
        return f"over {table.seq}", tr._("The game is over."), table.last.at
    return None


def _head(element: ET.Element, id_: str, words: str, at: float, link: str) -> None:
    for name, text in (("id", id_), ("title", words), ("updated", datetime.fromtimestamp(at, UTC).isoformat())):
        ET.SubElement(element, name).text = text
    ET.SubElement(element, "link", rel="alternate", href=link)


HANDLERS = [feed]
