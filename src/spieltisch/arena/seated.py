"""What a player is at a table: somebody who is shown a view and says what to do."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from spieltisch.bots import await_engine
from spieltisch.game import GameView, Result
from spieltisch.match import Match


class ForfeitError(Exception):
    """A player cannot go on: the message says what it did. Its game is lost."""


class LateError(ForfeitError):
    """A player has not answered in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it did not answer within {seconds:g} seconds")


class Seated(Protocol):
    """A player on its seat, for one game."""

    def choose(self, view: GameView, legal: Sequence[Struct]) -> Struct:
        """What it does: one of `legal`, which is not empty. Raises ForfeitError where it says nothing of the kind."""
        ...

    def end(self, result: Result | None) -> None:
        """The game is over; None: somebody else has forfeited it."""
        ...


class House:
    """Our bot of a level. The match makes its beliefs, and shows it the view of its seat."""

    def __init__(self, match: Match, seat: int, level: str) -> None:
        self._match, self._seat, self._level = match, seat, level
        await_engine(match.package, level)

    def choose(self, view: GameView, legal: Sequence[Struct]) -> Struct:  # noqa: ARG002 - the match shows the same
        return self._match.bot(self._level, self._seat)

    def end(self, result: Result | None) -> None:
        pass
