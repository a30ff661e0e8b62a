"""What handlers are given by the framework: the services, the client, the table that an address names.

A handler with a parameter `services: ServicesHere`, `client: ClientHere` or `table: TableHere` gets it. The names
count, too.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, SkipValidation

from spieltisch.table.host import Host, Missing
from spieltisch.table.seat_keys import recognizes
from spieltisch.table.table import Table
from spieltisch.web.core.http.client import Client, client_of
from spieltisch.web.core.services import Services

CODE = re.compile(r"[A-Z0-9]{1,12}(-[1-9][0-9]{0,3})?")  # a table's code, and the number of the game in its evening

ServicesHere: TypeAlias = NamedDependency[SkipValidation[Services]]
ClientHere: TypeAlias = NamedDependency[SkipValidation[Client]]
TableHere: TypeAlias = NamedDependency[SkipValidation[Table]]


async def find_table(services: Services, client: Client, code: str) -> Table:
    """Return the table with this code. Raises Missing if there is none.

    Guessing is rate-limited: after a few wrong codes, or many tables without a key, an address gets TooMany without a
    lookup.
    """
    code, address = code.strip().upper().removesuffix("-1"), client.address
    if not CODE.fullmatch(code):
        raise Missing("There is no table {table}.", table=code[:12])
    held = services.seat_cookies.key(client.cookies, code)  # issued to this browser by this server
    if not held:
        services.guesses.require_left(address)
    try:
        table = await _latest(services.host, code)
    except Missing:
        if held:
            raise Missing("Table {table} has been deleted.", table=code) from None
        services.guesses.require(address)
        raise
    if not recognizes(table.setup, client.token or held):
        services.limits.require("visit", address)
    return table


async def _latest(host: Host, code: str) -> Table:
    """Return the table with this id; the evening's newest game if its first one is forgotten."""
    try:
        return await host.latest(code)
    except Missing:
        found = await host.store.games(code)
        if not found:
            raise
        return await host.latest(found[-1])


async def table_at(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Table:
    """Return the table of the address `/t/{code}/…`."""
    return await find_table(services, client, code)


def dependencies(services: Callable[[], Services]) -> dict[str, Provide]:
    """Return what the application provides to all handlers."""
    return {
        "services": Provide(services, sync_to_thread=False),
        "client": Provide(client_of, sync_to_thread=False),
        "table": Provide(table_at),
    }
