"""Numbered deals of games that are played alone: choosing one, and racing others on it."""

import time
from typing import Any

from msgspec.structs import replace

from spieltisch.decks.library import Library
from spieltisch.game import Illegal
from spieltisch.games import GamePackage
from spieltisch.table import lobby
from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.web.http.client import Client
from spieltisch.web.http.forms import Fields, deal_number, field
from spieltisch.web.services import Services
from spieltisch.web.view import option_fields

MOST = 100  # who race on one deal
WINNABLE = "winnable"  # instead of a number
PATIENCE = 45.0  # seconds for finding a deal that can be won


async def chosen_deal(
    services: Services, client: Client, package: GamePackage, fields: Fields
) -> tuple[dict[str, Any] | None, int]:
    """The record's top keys (None: the game's default) and the number of the deal that a form asks for; `winnable` asks
    for a random one that can be won. Invalid if either is none; Illegal or TooMany as `winnable_deal`.
    """
    library, asked = services.host.library, field(fields, "deal")
    top = await library.reading(lambda: with_preset(package, field(fields, "preset"), library))
    if asked == WINNABLE:
        return top, await winnable_deal(services, client.address, package, top)
    number = deal_number(asked)
    if not number and field(fields, "race"):
        number = lobby.random_deal(package, top, library)
    return top, number


async def winnable_deal(services: Services, address: str, package: GamePackage, top: dict[str, Any] | None) -> int:
    """Random deals are looked at until one can be won; nine in ten of Adaman's can. Illegal if none was found in time,
    TooMany for an address that asks for too many.
    """
    services.limits.require("label", address)
    end = time.monotonic() + PATIENCE
    while package.analysis.available and (left := end - time.monotonic()) > 0:
        number = lobby.random_deal(package, top, services.host.library)
        if await services.analysis.label(package, top or dict(package.record.default), number, left) is True:
            return number
    raise Illegal("No deal that can be won was found in time: please try again.")


def with_preset(package: GamePackage, preset: str, library: Library) -> dict[str, Any] | None:
    """The record's top keys with this preset of options; None where that is the game's default."""
    default = package.record.default
    if not preset:
        return None
    top = option_fields.choose(package, dict(default), {"preset": [preset]}, library)
    return None if top == default else top


async def first_of_race(services: Services, table: Table) -> TableSetup:
    """The setup of the table that the race at this table began with; Illegal if there is no race."""
    if not table.setup.race:
        raise Illegal("There is no race at this table.")
    return (await services.host.table(table.setup.race)).setup


async def enter_race(services: Services, code: str, first: str) -> None:
    """The table takes part in the race that this first table began (it may be the same one). Illegal if it is full."""

    def enter(setup: TableSetup) -> TableSetup:
        if len(setup.racers) >= MOST:
            raise Illegal("So many race on this deal already that nobody else can.")
        return replace(setup, racers=(*setup.racers, code), race=first)

    await services.host.change(first, enter)
    await services.host.change(code, lambda setup: replace(setup, race=first))
