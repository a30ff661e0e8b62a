"""Who may see and change a deck."""

from spieltisch.decks import library
from spieltisch.game import Illegal, Invalid
from spieltisch.table.host import Missing
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.services import Services


async def find_deck(services: Services, client: Client, name: str) -> bool:
    """Return whether this client may see the deck's backs. Raises Missing for an unknown deck and for others' private
    ones.
    """
    decks = services.host.library
    mine = name in services.deck_keys.opened(client.cookies, decks).readable
    try:
        decks.path(name)
        hidden = not mine and await decks.reading(lambda: decks.is_private(name))
    except Invalid:
        hidden = True
    if hidden:
        services.guesses.require(client.address)
        raise Missing("there is no deck {name}", name=name[:80])
    return mine


async def require_own(services: Services, client: Client, name: str) -> None:
    """Raise Forbidden unless this client has the deck's key, Missing if they may not know of it."""
    if not await find_deck(services, client, name):
        raise Forbidden("Only the person who made this deck can do that.")


def require_changeable(name: str) -> None:
    """Raise Illegal for shipped decks."""
    if name in library.shipped():
        raise Illegal("Decks that come with Spieltisch cannot be changed.")
