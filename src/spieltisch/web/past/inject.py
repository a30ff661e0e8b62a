"""What handlers of the past are given by the framework: its views, by a parameter `past: PastHere`."""

from typing import TypeAlias

from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

from spieltisch.web.past.views import PastViews

PastHere: TypeAlias = NamedDependency[SkipValidation[PastViews]]


def dependencies(past: PastViews) -> dict[str, Provide]:
    """Return what the application provides to the handlers of the past."""
    return {"past": Provide(lambda: past, sync_to_thread=False)}
