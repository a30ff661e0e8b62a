"""Opening a table as a form or a program asks for it: of one's own, or as a competitor in a race."""

from spieltisch import games
from spieltisch.games import GamePackage
from spieltisch.table.log import TableSetup
from spieltisch.table.seat_keys import opened
from spieltisch.web.access.actor import Actor
from spieltisch.web.commands.lobby import bots_at_once, open_table
from spieltisch.web.commands.races import WINNABLE, chosen_deal, enter_race, first_of_race, winnable_deal
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import Fields, field, number
from spieltisch.web.services import Services

READ = 60  # cookies of tables that are looked at


async def open_asked(services: Services, client: Client, fields: Fields, *, now: bool) -> tuple[str, str]:
    """Open the table that the fields ask for, `now`: with bots, begun at once. Returns the code and the opener's key.

    Invalid, Illegal or Missing if it cannot be had, TooMany for an address that opens too many.
    """
    services.limits.require("open", client.address)
    actor = services.actor(client)
    package = games.package(field(fields, "game"))
    count = number(fields, "seats", 20)
    bots = None if not now else bots_at_once(package) if count is None else count - 1
    race, last = field(fields, "race"), None
    winnable = field(fields, "deal") == WINNABLE
    if race in {"", "new"}:
        top, deal = await chosen_deal(services, client, package, fields)
        if not (race or deal or field(fields, "preset")):
            last = await last_opened(services, client, package, actor)
        if last is not None and last.winnable:
            winnable, deal = True, await winnable_deal(services, client.address, package, last.top)
    else:
        first = await first_of_race(services, await services.table(race, client))
        package, top, deal, race = games.package(first.game), first.top, first.deal, first.id
    code, key = await open_table(
        services,
        package,
        actor,
        bots=bots,
        name=field(fields, "name"),
        top=top,
        deal=deal,
        winnable=winnable,
        last=last,
    )
    if race:
        await enter_race(services, code, code if race == "new" else race)
    return code, key


async def last_opened(services: Services, client: Client, package: GamePackage, actor: Actor) -> TableSetup | None:
    """The last table of this game that this browser has opened, whose options are chosen again; None where there is
    none, and where a deck is not to be had any more. Deals that somebody asked for by their numbers do not count.
    """
    last: TableSetup | None = None
    for code, key in list(services.seat_cookies.tables(client.cookies))[:READ]:
        for game in await services.host.store.games(code):
            setup = await services.host.store.setup(game)
            if setup is None or setup.game != package.name or not opened(setup, key):
                continue
            if (setup.deal and not setup.winnable) or setup.race:
                continue
            if last is None or setup.created > last.created:
                last = setup
    kind = package.record.decks
    if last is None or kind is None:
        return last
    library = services.host.library
    offered = await library.reading(lambda: library.offered(kind, actor.decks))
    return last if all(name in offered for name in last.decks) else None
