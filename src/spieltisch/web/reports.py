"""A revealed card is wrong: said at the table or while looking back, it goes to the inbox of whoever runs the server.

A card is named by its front, which who reports it has read; so nothing of its back is asked or told.
"""

import asyncio

from spieltisch import i18n
from spieltisch.decks.inbox import LONGEST
from spieltisch.game import Illegal, Invalid
from spieltisch.table.host import Table
from spieltisch.web import deckchoice
from spieltisch.web.answers import Fields
from spieltisch.web.house import House
from spieltisch.web.problems import TooMany
from spieltisch.web.who import Done, Who, field

OFTEN = 10  # reports of an address at once; later one each half minute


async def report(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Put a card of this table's decks into the inbox. Who did it is counted for a moment and kept nowhere."""
    if house.inbox is None or "deck" not in table.setup.top:
        raise Illegal("Cards of this game cannot be reported here.")
    if not house.allows("report", who.address, OFTEN, 1 / 30):
        raise TooMany("Too many tries. Please wait a moment.")
    said = field(fields, "words")
    if len(said) > LONGEST:
        raise Invalid("{n} signs at most, please.", n=LONGEST)
    try:
        card = house.host.library.card(deckchoice.names_of(table.setup.top), field(fields, "card"))
    except Invalid:  # the deck has been taken away meanwhile
        card = None
    if card is None:
        raise Illegal("This card is not in the deck any more; somebody may have mended it.")
    await asyncio.to_thread(house.inbox.put, *card, said, house.host.clock())
    return Done(note=i18n.common_translator(who.lang)._("Thank you: this card will be looked at."))
