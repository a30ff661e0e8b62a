"""What can be found out about deals of Adaman: whether a deal can be won, how good each move was.

What takes long is asked of the engine.
"""

import random
from collections.abc import Sequence

from spieltisch import makers, package
from spieltisch.decks.tasks import Task
from spieltisch.game import Outcome
from spieltisch.games.adaman import looking_back, positions
from spieltisch.games.adaman.chances import Look
from spieltisch.games.adaman.coaching import Coach
from spieltisch.games.adaman.daily import deals
from spieltisch.games.adaman.solving import Solver
from spieltisch.games.adaman.state import Action, Cards, GameState, GameView, Hidden, Own, Public


def _pile(outcome: Outcome) -> Cards:
    assert isinstance(outcome, tuple)
    return outcome


class Analysis(package.Analysis[Public, Own, Hidden, Action, Look]):
    """The solver and the coach, by whichever maker can answer now."""

    available = True

    def proven(self, number: int) -> bool:
        """Whether the deal of this number is one of the deals of the day, and so can be won."""
        return number in deals().values()

    def advise(self, view: GameView) -> Action | None:
        """What the coach would do."""
        return looking_back.advise(_coach(), view)

    def label(self, dealt: GameState, outcomes: Sequence[Outcome]) -> bool | None:
        """Whether this deal can be won; None: not decided in time."""
        return looking_back.label(_solver(dealt), *map(_pile, outcomes))

    def look_back(
        self, outcomes: Sequence[Outcome], states: Sequence[GameState], actions: Sequence[Action]
    ) -> Sequence[Look]:
        """Every move of a finished game: could it still be won, and what was the best move?"""
        return looking_back.look_back(_coach(), _solver(states[0]), *map(_pile, outcomes), states, actions)

    def task(self, card: str, dice: random.Random) -> Task | None:
        """What to pay at a moment of a finished game."""
        found = positions.read(card)
        return None if found is None else looking_back.task(_coach(), card, *found, dice)


def _coach() -> Coach:
    return makers.module("adaman", "coach").coach()


def _solver(dealt: GameState) -> Solver:
    return makers.module("adaman", "solver").solver(dealt.public.deck)
