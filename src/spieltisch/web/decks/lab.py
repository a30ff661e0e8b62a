"""The deck lab: it says what to change in a deck. Needs the deck's key; the host may examine shipped ones."""

from typing import TypeAlias

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from spieltisch.game import Refused
from spieltisch.languages import chain
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.renderer import Html
from spieltisch.web.decks import questions
from spieltisch.web.decks.commands import require_own
from spieltisch.web.decks.laboratory import Laboratory

LaboratoryHere: TypeAlias = NamedDependency[SkipValidation[Laboratory]]  # `app` provides it to a `laboratory`


@get("/decks/{name:str}/lab", name="deck-lab")
async def show(
    services: ServicesHere, client: ClientHere, laboratory: LaboratoryHere, name: FromPath[str]
) -> Response[object]:
    """Show what the lab found, its progress, or the button that starts it."""
    await require_own(services, client, name)
    deck = await services.host.library.answer(questions.about, (name,))
    said = laboratory.findings(services.host.library.path(name))
    found = Html(said[chain(client.lang)[0]]) if isinstance(said, dict) else ""
    refused = client.refusal(said) if isinstance(said, Refused) else ""
    html = services.renderer.render(
        "decks/lab.html", client.tr, name=name, title=deck.title[client.lang], n=deck.cards, found=found,
        refused=refused, done=said if isinstance(said, int) else None, here=f"/decks/{name}/lab",
    )  # fmt: skip
    return page(html, 202 if isinstance(said, int) else 422 if refused else 200)


@post("/decks/{name:str}/lab", name="deck-lab-begun", status_code=200)
async def begin(
    services: ServicesHere, client: ClientHere, laboratory: LaboratoryHere, name: FromPath[str]
) -> Response[object]:
    """Start the lab. Raises TooMany for an address that asks too often."""
    await require_own(services, client, name)
    services.limits.require("make", client.address)
    places, url = await services.host.library.answer(questions.card_places, (name,)), services.url(f"/decks/{name}")
    links = {card: f"{url}?at={place}#card-{card}" for card, place in places.items()}
    laboratory.examine(services.host.library.path(name), links, client.address)
    return redirect(services.url(f"/decks/{name}/lab"))


HANDLERS = [show, begin]
