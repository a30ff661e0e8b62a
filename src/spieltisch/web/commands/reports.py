"""A revealed card is wrong: said at the table or while looking back, it goes to the inbox of whoever runs the server.

A card is named by its front, which who reports it has read; so nothing of its back is asked or told.
"""

from spieltisch import i18n
from spieltisch.decks.inbox import LONGEST
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Invalid
from spieltisch.table.table import Table
from spieltisch.web.access.actor import Actor
from spieltisch.web.commands.command import CommandResult
from spieltisch.web.http.forms import Fields, field
from spieltisch.web.services import Services

LONGEST_FRONT = 2_000  # characters of a card's front


async def report(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Put a card of this table's decks into the inbox. Who did it is counted for a moment and kept nowhere. Illegal
    where there is no inbox or no such card, Invalid if the words are too long.
    """
    if services.inbox is None or "deck" not in table.setup.top:
        raise Illegal("Cards of this game cannot be reported here.")
    services.limits.require("report", actor.address)
    said = field(fields, "words")
    if len(said) > LONGEST:
        raise Invalid("{n} signs at most, please.", n=LONGEST)
    try:
        front = field(fields, "card")
        card = await services.host.library.answer(Library.card, tuple(table.setup.decks), front[:LONGEST_FRONT])
    except Invalid:  # the deck has been taken away meanwhile
        card = None
    if card is None:
        raise Illegal("This card is not in the deck any more; somebody may have mended it.")
    await services.inbox.put(*card, said, services.host.clock())
    return CommandResult(note=i18n.common_translator(actor.lang)._("Thank you: this card will be looked at."))
