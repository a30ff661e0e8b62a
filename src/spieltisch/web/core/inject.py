"""What handlers are given by the framework: the services, the client, the table that an address names.

A handler with a parameter `services: ServicesHere`, `client: ClientHere` or `table: TableHere` gets it. The names
count, too.
"""

from collections.abc import Callable
from typing import TypeAlias

from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, SkipValidation

from spieltisch.table.table import Table
from spieltisch.web.core.http.client import Client, client_of
from spieltisch.web.core.services import Services

ServicesHere: TypeAlias = NamedDependency[SkipValidation[Services]]
ClientHere: TypeAlias = NamedDependency[SkipValidation[Client]]
TableHere: TypeAlias = NamedDependency[SkipValidation[Table]]


async def table_at(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Table:
    """Return the table of the address `/t/{code}/…`. Raises Missing if there is none."""
    return await services.table(code, client)


def dependencies(services: Callable[[], Services]) -> dict[str, Provide]:
    """Return what the application provides to all handlers."""
    return {
        "services": Provide(services, sync_to_thread=False),
        "client": Provide(client_of, sync_to_thread=False),
        "table": Provide(table_at),
    }
