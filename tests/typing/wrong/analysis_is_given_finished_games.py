"""An analysis looks back at states that no longer matter to anybody; a view of a running game is none of them."""

from collections.abc import Sequence
from typing import Any

from spieltisch.defaults import DefaultAnalysis
from spieltisch.game import Outcome, View
from spieltisch.protocols import Analysis


class Advises(DefaultAnalysis):
    def label(self, dealt: View[Any, Any], outcomes: Sequence[Outcome]) -> bool | None:  # error
        return None


analysis: Analysis = Advises()  # error
