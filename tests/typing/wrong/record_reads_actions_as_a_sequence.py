"""A log entry may have several decisions, so a record reads a sequence of them, in the state before."""

from collections.abc import Sequence
from typing import Any

from spieltisch import package
from spieltisch.games.adaman import rules
from spieltisch.package import Record


class OneAction(package.Record):
    def read_action(self, deck: Any, state: Any, seat: int, raw: Any) -> rules.Action:  # error
        return rules.Excuse(0)


class NoState:
    def read_action(self, deck: Any, raw: Any) -> Sequence[rules.Action]:
        return ()


record: Record = NoState()  # error
