"""Every move of a finished game: did it leave the opponent a lost position?"""

from collections.abc import Sequence

from msgspec import Struct
from spieltisch.games.matches.bot import is_lost
from spieltisch.games.matches.rules import GameState, Take

from spieltisch import package
from spieltisch.game import Outcome


class Look(Struct, frozen=True):
    """A move, and the number it left."""

    seat: int
    taken: int
    left: int
    good: bool


class Analysis(package.Analysis):
    """Computes with the remainder of a division by four."""

    available = True

    def look_back(
        self, outcomes: Sequence[Outcome], states: Sequence[GameState], actions: Sequence[Take]
    ) -> Sequence[Look]:
        found = []
        for before, after, action in zip(states, states[1:], actions, strict=False):
            p, left = before.public, after.public.left
            assert p.turn is not None
            found.append(Look(p.turn, action.n, left, is_lost(left, p.options)))
        return found
