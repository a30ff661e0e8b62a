"""What handlers of tables are given by the framework: views, and the answers that sockets were given.

A handler with a parameter `table_views: TableViewsHere` or `answers: AnswersHere` gets it. The names count, too.
"""

from typing import TypeAlias

from litestar.di import NamedDependency, Provide
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


def dependencies(services: Services) -> dict[str, Provide]:
    """Return what the application provides to the handlers of tables."""
    views, answers = views_of(services), AnswersGiven()
    return {
        "table_views": Provide(lambda: views, sync_to_thread=False),
        "answers": Provide(lambda: answers, sync_to_thread=False),
    }
