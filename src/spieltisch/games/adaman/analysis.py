"""Analysis of Adaman's deals and finished games: whether a deal can be won, and how good each move was.

The engine does the slow work.
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
    """The solver and the coach, from whichever maker can answer now."""

    available = True

    def proven(self, number: int) -> bool:
        """Whether this number is a daily deal, and so proven winnable."""
        return number in deals().values()

    def advise(self, view: GameView) -> Action | None:
        """The coach's move."""
        return looking_back.advise(_coach(), view)

    def label(self, dealt: GameState, outcomes: Sequence[Outcome]) -> bool | None:
        """Whether this deal can be won; None if the time was too short."""
        return looking_back.label(_solver(dealt), *map(_pile, outcomes))

    def look_back(
        self, outcomes: Sequence[Outcome], states: Sequence[GameState], actions: Sequence[Action]
    ) -> Sequence[Look]:
        """For every move of a finished game: whether the game could still be won, and the best move."""
        return looking_back.look_back(_coach(), _solver(states[0]), *map(_pile, outcomes), states, actions)

    def task(self, card: str, dice: random.Random) -> Task | None:
        """A task: the payment at one moment of a finished game."""
        found = positions.read(card)
        return None if found is None else looking_back.task(_coach(), card, *found, dice)


def _coach() -> Coach:
    return makers.module("adaman", "coach").coach()


def _solver(dealt: GameState) -> Solver:
    return makers.module("adaman", "solver").solver(dealt.public.deck)
