"""What a bot of this game brings along: made once, with mistakes, from the backs that it will never see."""

import math

from spieltisch.dice import Dice
from spieltisch.games.trailblaze.state import Belief, Hidden

NEAR = 6.0  # how far off one is about last year
FAR = 0.22  # and how much further for every year before that
TODAY = 2026


def believe(hidden: Hidden, dice: Dice) -> tuple[Belief, ...]:
    """A belief for every card: some things one knows well, others hardly; and what is long ago, less well."""
    return tuple(_belief(card.year, dice) for card in hidden.cards)


def _belief(year: int | None, dice: Dice) -> Belief:
    if year is None:
        return Belief(TODAY, 1.0)  # its front says that it is a joker
    spread = (NEAR + FAR * abs(TODAY - year)) * (0.25 + 1.5 * dice.random())
    chance = min(max(dice.random(), 1e-6), 1 - 1e-6)
    return Belief(round(year + spread * math.log(chance / (1 - chance))), spread)
