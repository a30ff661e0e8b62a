"""Opening a table: an own one, on a numbered deal, or to race others. The home page, decks and programs do it here."""

import time
from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from spieltisch import games
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Invalid
from spieltisch.package import Package
from spieltisch.table import chairs, lobby, patience, seat_keys
from spieltisch.table.log import TableSetup, key_of
from spieltisch.table.seat_keys import opened
from spieltisch.table.table import Table
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.forms import Fields, deal_number, field, number
from spieltisch.web.core.inject import find_table
from spieltisch.web.core.services import Services
from spieltisch.web.core.view import option_fields

MOST = 100  # who race on one deal
WINNABLE = "winnable"  # instead of a number
PATIENCE = 45.0  # seconds for finding a deal that can be won
READ = 60  # cookies of tables that are looked at


async def open_asked(services: Services, client: Client, fields: Fields, *, now: bool) -> tuple[str, str]:
    """Open the table that the fields ask for; `now`: with bots, and begin. Returns the code and the opener's key.

    Raises Invalid, Illegal or Missing if there can be no such table, TooMany for an address that opens too many.
    """
    services.limits.require("open", client.address)
    actor = services.actor(client)
    package = games.package(field(fields, "game"))
    count = number(fields, "seats", 20)
    bots = None if not now else bots_at_once(package) if count is None else count - 1
    race, last, asks = field(fields, "race"), None, False
    winnable = field(fields, "deal") == WINNABLE
    if race in {"", "new"}:
        top, deal = await chosen_deal(services, client, package, fields)
        if not (race or deal or field(fields, "preset")):
            last = await last_opened(services, client, package, actor)
        if last is not None and last.winnable:
            winnable, deal = True, await winnable_deal(services, client.address, package, last.top)
        if asks := last is None and top is None:
            top = _for_beginners(package) if now else None
    else:
        first = await first_of_race(services, await find_table(services, client, race))
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
        asks=asks,
    )
    if race:
        await enter_race(services, code, code if race == "new" else race)
    return code, key


async def open_table(
    services: Services,
    package: Package,
    actor: Actor,
    *,
    bots: int | None,
    name: str,
    top: dict[str, object] | None = None,
    deal: int = 0,
    winnable: bool = False,
    last: TableSetup | None = None,
    asks: bool = False,
    day: str = "",
    levels: Sequence[str] = (),
) -> tuple[str, str]:
    """Open a table and seat its opener; with `bots`, seat these, too, and begin. Returns the code and the opener's key.

    `top` is what is chosen; None: as at their `last` table, or the game's default. `deal` is the number of its deal,
    `winnable` whether that was chosen because it can be won. `asks`: the opener has chosen nothing yet, and is asked
    the game's first question. `day` is that whose daily it is, `levels` are those of the bots. Raises Invalid for a
    bad choice.
    """
    key = seat_keys.new_key()
    least, most = package.rules.seats[0], package.rules.seats[-1]
    n = max(least, min(4, most)) if bots is None else 1 + bots
    package.require_seats(n)
    now = services.host.clock()

    def sit_down(setup: TableSetup) -> TableSetup:
        if last is not None:
            setup = replace(setup, answer_seconds=last.answer_seconds, turn_seconds=last.turn_seconds)
        setup = replace(setup, winnable=winnable, first=asks)
        setup = chairs.with_chair(setup, 0, chairs.person(name or actor.name, key, actor.lang, setup, now))
        for seat in range(1, n if bots is not None else 1):
            level = levels[seat - 1] if seat <= len(levels) else ""
            setup = chairs.with_chair(setup, seat, replace(chairs.bot(setup, actor.lang), level=level))
        return setup

    async def begun() -> TableSetup:
        nonlocal last
        try:
            setup = await services.host.open(
                package.name, n, last.top if last else top, key_of(key), actor.lang, deal, day=day
            )
        except Invalid:
            if last is None:
                raise
            last, setup = None, await services.host.open(package.name, n, top, key_of(key), actor.lang, deal)
        await services.host.change(setup.id, sit_down)
        if bots is not None:
            await services.host.start(setup.id)
            await services.use_decks(setup.decks, played=True)
        return setup

    async with patience.ending():
        setup = await begun()
    return setup.id, key


def _for_beginners(package: Package) -> dict[str, object] | None:
    """Return the record's top keys for somebody who plays against bots before answering the game's first question."""
    first = package.page.first_question
    return None if first is None else {**package.record.default, "options": {first.option: first.value}}


def bots_at_once(package: Package) -> int:
    """Return how many bots join if somebody plays at once."""
    return max(0, min(3, package.rules.seats[-1]) - 1)


async def last_opened(services: Services, client: Client, package: Package, actor: Actor) -> TableSetup | None:
    """Return this browser's last table of this game, whose options are chosen again; None if there is none, or if a
    deck of it is gone. Tables with a deal that somebody asked for by number do not count, nor do those whose first
    question nobody answered.
    """
    asks = package.page.first_question is not None
    last: TableSetup | None = None
    for code, key in list(services.seat_cookies.tables(client.cookies))[:READ]:
        for game in await services.host.store.games(code):
            setup = await services.host.store.setup(game)
            if setup is None or setup.game != package.name or not opened(setup, key):
                continue
            if (setup.deal and not setup.winnable) or setup.race or (asks and setup.first):
                continue
            if last is None or setup.created > last.created:
                last = setup
    kind = package.choice
    if last is None or kind is None:
        return last
    library = services.host.library
    offered = await library.reading(lambda: library.offered(kind, actor.decks))
    return last if all(name in offered for name in last.decks) else None


async def open_daily(
    services: Services, client: Client, package: Package, day: date, *, family: bool
) -> tuple[str, str]:
    """Open the table of a day's daily: against its bots, at once; or for a `family`, who sit down first. Returns the
    code and the opener's key. Raises TooMany for an address that opens too many.
    """
    services.limits.require("open", client.address)
    plays, deck = package.daily, package.daily.deck
    top = package.record.top(plays.options) if deck else None
    return await open_table(
        services,
        package,
        services.actor(client),
        bots=None if family else len(plays.bots),
        name="",
        top=top,
        deal=0 if deck else plays.number(day),
        day=day.isoformat() if deck else "",
        levels=plays.bots,
    )


# -- deals and races -----------------------------------------------------------------------------------------


async def chosen_deal(
    services: Services, client: Client, package: Package, fields: Fields
) -> tuple[dict[str, object] | None, int]:
    """Return the record's top keys (None: the game's default) and the number of the deal that a form asks for;
    `winnable` asks for a random one that can be won. Raises Invalid for bad ones; Illegal and TooMany like
    `winnable_deal`.
    """
    library, asked = services.host.library, field(fields, "deal")
    top = await library.reading(lambda: with_preset(package, field(fields, "preset"), library))
    if asked == WINNABLE:
        return top, await winnable_deal(services, client.address, package, top)
    number = deal_number(asked)
    if not number and field(fields, "race"):
        number = lobby.random_deal(package, top, library)
    return top, number


async def winnable_deal(services: Services, address: str, package: Package, top: dict[str, object] | None) -> int:
    """Return a random deal that can be won; nine in ten of Adaman's can. Raises Illegal if none was found in time,
    TooMany for an address that asks for too many.
    """
    services.limits.require("label", address)
    end = time.monotonic() + PATIENCE
    while package.analysis.available and (left := end - time.monotonic()) > 0:
        number = lobby.random_deal(package, top, services.host.library)
        if await services.analysis.label(package, top or dict(package.record.default), number, left) is True:
            return number
    raise Illegal("No winnable deal was found in time. Please try again.")


def with_preset(package: Package, preset: str, library: Library) -> dict[str, object] | None:
    """Return the record's top keys with this preset of options; None for the game's default."""
    default = package.record.default
    if not preset:
        return None
    top = option_fields.choose(package, dict(default), {"preset": [preset]}, library)
    return None if top == default else top


async def first_of_race(services: Services, table: Table) -> TableSetup:
    """Return the setup of the first table of this table's race. Raises Illegal if there is none."""
    if not table.setup.race:
        raise Illegal("This table is not part of a race.")
    return (await services.host.table(table.setup.race)).setup


async def enter_race(services: Services, code: str, first: str) -> None:
    """Enter the table in the race of the `first` one, which may be itself. Raises Illegal if it is full."""

    def enter(setup: TableSetup) -> TableSetup:
        if len(setup.racers) >= MOST:
            raise Illegal("This race is full. You can start another one.")
        return replace(setup, racers=(*setup.racers, code), race=first)

    await services.host.change(first, enter)
    await services.host.change(code, lambda setup: replace(setup, race=first))
