"""An analysis looks back at the states of finished games; a view of a running game is an error."""

from collections.abc import Sequence
from typing import Any

from spieltisch import package
from spieltisch.game import Outcome, View


class Advises(package.Analysis):
    def label(self, dealt: View[Any, Any], outcomes: Sequence[Outcome]) -> bool | None:  # error
        return None
