"""What handlers of tables are given by the framework: views, and the answers that sockets were given.

A handler with a parameter `table_views: TableViewsHere` or `answers: AnswersHere` gets it. The names count, too.
"""

from typing import TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from spieltisch.web.core.services import Services
from spieltisch.web.table.idempotency import AnswersGiven
from spieltisch.web.table.views import TableViews

TableViewsHere: TypeAlias = NamedDependency[SkipValidation[TableViews]]
AnswersHere: TypeAlias = NamedDependency[SkipValidation[AnswersGiven]]


def views_of(services: Services) -> TableViews:
    """Make the views of this server's tables."""
    host = services.host
    return TableViews(services.renderer, services.fragments, host.library, host.clock, services.presence)


def given(services: Services) -> dict[str, object]:
    """Return what handlers of tables are given, by its name."""
    return {"table_views": views_of(services), "answers": AnswersGiven()}
