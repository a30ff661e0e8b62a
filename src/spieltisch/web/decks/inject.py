"""What handlers of decks are given by the framework: the laboratory, by a parameter `laboratory: LaboratoryHere`."""

from typing import TypeAlias

from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

from spieltisch.web.decks.laboratory import Laboratory

LaboratoryHere: TypeAlias = NamedDependency[SkipValidation[Laboratory]]


def dependencies(laboratory: Laboratory) -> dict[str, Provide]:
    """Return what the application provides to the handlers of decks."""
    return {"laboratory": Provide(lambda: laboratory, sync_to_thread=False)}
