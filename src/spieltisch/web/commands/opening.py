"""Opening a table as a form or a program asks for it: of one's own, or as a competitor in a race."""

from spieltisch import games
from spieltisch.web.commands.lobby import bots_at_once, open_table
from spieltisch.web.commands.races import chosen_deal, enter_race, first_of_race
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import Fields, field, number
from spieltisch.web.services import Services


async def open_asked(services: Services, client: Client, fields: Fields, *, now: bool) -> tuple[str, str]:
    """Open the table that the fields ask for, `now`: with bots, begun at once. Returns the code and the opener's key.

    Invalid, Illegal or Missing if it cannot be had, TooMany for an address that opens too many.
    """
    services.limits.require("open", client.address)
    actor = services.actor(client)
    package = games.package(field(fields, "game"))
    count = number(fields, "seats", 20)
    bots = None if not now else bots_at_once(package) if count is None else count - 1
    race = field(fields, "race")
    if race in {"", "new"}:
        top, deal = await chosen_deal(services, client, package, fields)
    else:
        first = await first_of_race(services, await services.table(race, client))
        package, top, deal, race = games.package(first.game), first.top, first.deal, first.id
    code, key = await open_table(services, package, actor, bots=bots, name=field(fields, "name"), top=top, deal=deal)
    if race:
        await enter_race(services, code, code if race == "new" else race)
    return code, key
